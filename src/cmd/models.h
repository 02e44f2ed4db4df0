/* models.h - the language models that the settings name. */
#pragma once
#include "agent/agent.h"
#include "config/config.h"

/* Fills *models. `own`: the id of a model that this process registered itself;
 * or NULL. */
void models_init(struct agent_models *models, const struct config *c,
                 const char *own);
/* Sets the embedding model. Returns false when embeddings are lexical. */
bool models_embedding(struct llm_model *m, const struct config *c);
