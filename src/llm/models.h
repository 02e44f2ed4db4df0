/* models.h - models.def, looked up. */
#pragma once
#include "llm/llm.h"

/* `provider` as the table names it; an unknown one can what most can. */
struct llm_capabilities model_capabilities(struct str provider,
                                           struct str name);
/* The word for that effort this model takes: the same, else the next below,
 * else the least; NULL: `wanted` is no effort, or it takes none. */
const char *model_effort(const struct llm_capabilities *can, struct str wanted);
