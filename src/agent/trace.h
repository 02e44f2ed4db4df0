/* trace.h - writes a trace, the record of one model call. */
#pragma once
#include "agent/consult.h"

/* `error` may be empty. The prompt must be composed. */
void trace_write_row(const struct consult *t, struct str error);
/* Likewise of the embedding of the question, which took `ms`; it is a call of its
 * own. */
void trace_write_embedding(struct run *r, const struct llm_usage *used,
                           int64_t ms);
