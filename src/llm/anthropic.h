/* anthropic.h - what the two halves of anthropic share. */
#pragma once
#include "llm/provider.h"

bool anthropic_hear(struct llm_reply *r, struct str type, struct str data);
/* A tool call's arguments as a JSON object; {} when they are none. */
struct str anthropic_input(struct str arguments);
