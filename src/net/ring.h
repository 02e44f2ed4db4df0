/* ring.h - an intrusive, circular, doubly linked list. A link that is in no
 * ring points to itself. */
#pragma once
#include "base/compiler.h"
#include <stdbool.h>

struct ring_link {
    struct ring_link *prev, *next;
};

static inline void ring_init(struct ring_link *l)
{
    l->prev = l->next = l;
}

static inline bool ring_empty(const struct ring_link *ring)
{
    return ring->next == ring;
}

static inline void ring_remove(struct ring_link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    ring_init(l);
}

/* Makes l the last of the ring; removes it from the ring that it was in. */
static inline void ring_add(struct ring_link *ring, struct ring_link *l)
{
    ring_remove(l);
    l->prev = ring->prev;
    l->next = ring;
    ring->prev->next = l;
    ring->prev = l;
}

/* Moves all members of `from` to the end of `to`. */
static inline void ring_append(struct ring_link *to, struct ring_link *from)
{
    if (ring_empty(from))
        return;
    from->next->prev = to->prev;
    to->prev->next = from->next;
    from->prev->next = to;
    to->prev = from->prev;
    ring_init(from);
}
