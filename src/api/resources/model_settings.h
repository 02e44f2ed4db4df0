/* model_settings.h - how an admin wants each provider's models to be used. */
#pragma once
#include "../request.h"

/* Checks `agentConfigs` against what each model supports (llm/models.def).
 * Returns the part that is stored, as JSON text: model, temperature and
 * reasoningLevel of each named provider. Problems are noted, with what is
 * allowed. */
struct str model_settings_take(struct request *q, const json_t *settings);
