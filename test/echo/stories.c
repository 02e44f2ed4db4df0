/* stories.c - a chat with the agent `echo`: its answer is the question. */
#include "story.h"
#include "base/banned.h"

static const struct fake_exchange no_model[] = {{0}};

const struct story stories[] = {{.name = "echo",
                                 .agent = "echo",
                                 .script = no_model,
                                 .status = "complete",
                                 .says = "\"narrative\":\"What is the revenue "
                                         "by city?\"",
                                 .lasting = true},
                                {0}};

const struct artifact_record record[] = {{0}};
