/* turns.h - the history of a question: the settled messages before it.
 *
 * They are stored compressed: a run lasts for minutes, and reads them for two
 * prompts. */
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

/* Compresses turns, the oldest first, into `memory`; uses `scratch` on the
 * way. */
struct kept_turns turns_keep(struct arena *memory, struct arena *scratch,
                             const struct run_turn *turns, size_t n);
/* The n turns, in `memory`. */
struct run_turn *turns_read(const struct kept_turns *kept,
                            struct arena *memory);
