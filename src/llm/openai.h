/* openai.h - OpenAI's chat completions, as azure and all the compatible servers
 * speak it too. */
#pragma once
#include "llm/provider.h"

extern const struct llm_provider llm_openai, llm_azure, llm_anthropic;

void openai_request(const struct llm_call *c, struct llm_terms *terms,
                    struct buf *out);
bool openai_hear(struct llm_reply *r, struct str type, struct str data);

/* The model's address; an empty one is its provider's. No trailing slash. */
struct str llm_base(const struct llm_model *m);
/* Whether an address has a path behind its host. */
bool llm_base_has_path(struct str base);
