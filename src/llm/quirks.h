/* quirks.h - what a server turned out not to take, though the table of models
 * said it would. Kept for the process, by provider, address and model. */
#pragma once
#include "llm/provider.h"

/* Terms to write the next request of this model with. */
struct llm_terms quirks_of(const struct llm_model *m);
/* What a refusal (400, 422) with this body says about the request written with
 * `terms`: true when it is to be written again with the terms as changed here. A
 * parameter is left out once; so this ends. */
bool quirks_learn(struct llm_terms *terms, struct str body);
/* The request written with these terms was taken: from now on so. */
void quirks_keep(const struct llm_model *m, const struct llm_terms *terms);
void quirks_forget(void); /* for tests */
