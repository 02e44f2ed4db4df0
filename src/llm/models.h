/* models.h - models.def, looked up. */
#pragma once
#include "llm/llm.h"

/* `provider` as the table names it; an unknown one can what most can. */
struct llm_capabilities model_capabilities(struct str provider,
                                           struct str name);
/* The word for that effort this model takes: the same, else the next below,
 * else the least; NULL: `wanted` is no effort, or it takes none. */
const char *model_effort(const struct llm_capabilities *can, struct str wanted);
/* Whether this model will think, as it is set or by itself. */
bool model_thinks(const struct llm_model *m);
/* The budget of tokens for thoughts that its reasoning asks for. */
int model_budget(const struct llm_model *m);

/* How many tokens a reply may have: a server bounds thoughts and answer
 * together, so that thoughts alone could use up what the answer needs. */
struct model_room {
    int thoughts;
    int total; /* 0: not to be said */
};
/* `server_most`: the limit that the server told, or 0. `budgeted`: thoughts
 * have a budget of their own. Where both do not fit, the answer keeps up to
 * half. */
struct model_room model_room(const struct llm_call *c, int server_most,
                             bool budgeted);
