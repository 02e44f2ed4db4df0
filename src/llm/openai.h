/* openai.h - OpenAI's chat completions, which Azure and compatible servers use,
 * too. */
#pragma once
#include "llm/provider.h"

extern const struct llm_provider llm_openai, llm_azure, llm_anthropic;

/* Writes a request, parses an event; see llm_provider. */
void openai_request(const struct llm_call *c, struct llm_terms *terms,
                    struct buf *out);
bool openai_on_event(struct llm_reply *r, struct str type, struct str data);

/* The model's base URL, or else the provider's; without a trailing slash. */
struct str llm_base(const struct llm_model *m);
/* Whether a URL has a path after its host. */
bool llm_base_has_path(struct str base);
