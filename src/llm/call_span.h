/* call_span.h - the spans of model calls, with the attributes of the GenAI
 * semantic conventions (opentelemetry.io/docs/specs/semconv/gen-ai). */
#pragma once
#include "base/span.h"
#include "llm/llm.h"

/* When spans may hold content: keeps the prompt of the call's first try, as JSON
 * of the conventions' input messages, in the empty buf. */
void call_span_keep_prompt(struct buf *kept, const struct llm_call *c);
/* Ends the span of a chat call; `prompt` is what was kept. Does nothing when it
 * has ended. */
void call_span_end(struct span *s, const struct llm_call *c, struct str prompt,
                   enum err how);
/* Ends the span of embeddings; likewise. */
void embed_span_end(struct span *s, const struct llm_embedding *job,
                    enum err how);
