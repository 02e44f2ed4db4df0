/* ring.h - a list whose links lie in its members, so that leaving it needs
 * nothing but the member. A link that is in no ring points at itself. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct link {
    struct link *prev, *next;
};

/* The member that holds a link. */
#define RING_MEMBER(link, T, field) \
    ((T *)(void *)((char *)(link) - offsetof(T, field)))

static inline void ring_init(struct link *l)
{
    l->prev = l->next = l;
}

static inline bool ring_empty(const struct link *ring)
{
    return ring->next == ring;
}

static inline void ring_remove(struct link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    ring_init(l);
}

/* Puts l last; it leaves the ring it was in. */
static inline void ring_add(struct link *ring, struct link *l)
{
    ring_remove(l);
    l->prev = ring->prev;
    l->next = ring;
    ring->prev->next = l;
    ring->prev = l;
}

/* Moves all members of `from` behind those of `to`. */
static inline void ring_append(struct link *to, struct link *from)
{
    if (ring_empty(from))
        return;
    from->next->prev = to->prev;
    to->prev->next = from->next;
    from->prev->next = to;
    to->prev = from->prev;
    ring_init(from);
}
