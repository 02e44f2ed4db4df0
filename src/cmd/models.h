/* models.h - the language models that the settings name. */
#pragma once
#include "agent/agent.h"
#include "config/config.h"

/* `own`: the id of a model that this process has registered itself; or NULL. */
void models_init(struct agent_models *models, const struct config *c,
                 const char *own);
/* False: embeddings are lexical. */
bool models_embedding(struct llm_model *m, const struct config *c);
