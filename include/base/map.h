/* map.h - a hash map from text to pointers, in insertion order.
 *
 * Keys are slices that the caller keeps alive. Values are never NULL. Lives on
 * the heap (arena NULL) or in an arena. Not for concurrent change while it is
 * walked. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

struct map_entry {
    struct str key;
    void *value; /* NULL: removed */
};

struct map {
    struct arena *arena;
    struct map_entry *entries; /* in the order they were put */
    size_t n_entries, cap_entries;
    uint32_t *slots; /* index + 1 into entries, 0 is empty */
    size_t n_slots;
    size_t count; /* live entries */
};

void map_init(struct map *m, struct arena *arena_or_null);
void map_done(struct map *m);
void *map_get(const struct map *m, struct str key);       /* NULL: absent */
void map_put(struct map *m, struct str key, void *value); /* or replaces */
void *map_remove(struct map *m, struct str key); /* the value, or NULL */

/* for (struct map_entry *e = NULL; (e = map_next(m, e));) */
struct map_entry *map_next(const struct map *m, struct map_entry *at);
