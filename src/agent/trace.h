/* trace.h - writes a trace, the record of one model call. */
#pragma once
#include "agent/consult.h"

/* `error` may be empty. The prompt must be composed. */
void trace_write_row(const struct consult *t, struct str error);
