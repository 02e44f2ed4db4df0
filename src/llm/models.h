/* models.h - looks up models.def, and computes reasoning and token limits. */
#pragma once
#include "llm/llm.h"

/* The capabilities of a model; `provider` as in models.def. For an unknown
 * provider, those that most models have. */
struct llm_capabilities model_capabilities(struct str provider,
                                           struct str name);
/* The effort to send to this model: `wanted`, else the next lower one that it
 * supports, else the lowest. NULL: `wanted` is not an effort, or the model does
 * not take one. */
const char *model_effort(const struct llm_capabilities *can, struct str wanted);
/* Whether this model will reason, by its settings or by itself. */
bool model_thinks(const struct llm_model *m);

/* Token limits of a reply. Servers limit reasoning and answer together, so room
 * for the reasoning is added to the limit of the answer. */
struct token_limits {
    int thoughts;
    int total; /* 0: send no limit */
};
/* Computes them. `server_most`: a limit that the server reported, or 0.
 * `budgeted`: the request has a budget for reasoning. If both do not fit, the
 * answer gets at least half. */
struct token_limits model_token_limits(const struct llm_call *c,
                                       int server_most, bool budgeted);
