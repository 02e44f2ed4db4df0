/* trace.h - a row of llm_traces from a consultation that was settled. */
#pragma once
#include "agent/consult.h"

void trace_write_row(const struct consult *t, struct str error);
