/* turns.h - what was said above a question: the settled messages of its branch.
 *
 * They are kept packed: a run waits for minutes, and reads them for two prompts. */
#pragma once
#include "base/packed.h"

struct run_turn { /* one message */
    bool from_user;
    struct str content;
    struct str status;
    struct str digest; /* what its run did, in a few lines; may be empty */
};

struct kept_turns {
    struct packed texts;
    size_t n;
};

/* Oldest first, in `memory`; `scratch` for a moment. */
struct kept_turns turns_keep(struct arena *memory, struct arena *scratch,
                             const struct run_turn *turns, size_t n);
/* The same again, in `memory`: n of them. */
struct run_turn *turns_read(const struct kept_turns *kept,
                            struct arena *memory);
