/* quirks.h - remembers parameters that a server has refused although models.def
 * says that it takes them; for each provider, address and model, in this
 * process. */
#pragma once
#include "llm/provider.h"

/* How to write the next request for this model. */
struct llm_terms quirks_of(const struct llm_model *m);
/* Adapts `terms` to the body of a refusal (400, 422). True: the request should
 * be sent again with the new terms. Each parameter is left out only once, so
 * this ends. */
MUST_CHECK bool quirks_learn(struct llm_terms *terms, struct str body);
/* A request with these terms was accepted: remembers them. */
void quirks_keep(const struct llm_model *m, const struct llm_terms *terms);
void quirks_reset(void); /* for tests */
