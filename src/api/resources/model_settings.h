/* model_settings.h - how an admin wants each provider's models to be used. */
#pragma once
#include "../request.h"

/* Checks `agentConfigs` of the settings that are to be against what each model
 * can do (llm/models.def), and answers what is kept of it as JSON text: model,
 * temperature and reasoningLevel of each provider that is named. What is wrong is
 * noted with what is allowed. */
struct str model_settings_take(struct request *q, const json_t *settings);
