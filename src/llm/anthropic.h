/* anthropic.h - what anthropic.c (requests) and anthropic_reply.c share. */
#pragma once
#include "llm/provider.h"

/* Parses an event; see llm_provider. */
bool anthropic_on_event(struct llm_reply *r, struct str type, struct str data);
/* The arguments of a tool call if they are a JSON object, else {}. */
struct str anthropic_input(struct str arguments);
