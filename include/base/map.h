/* map.h - a hash map from text to pointers that keeps insertion order.
 *
 * The caller keeps the bytes of the keys alive. Values are never NULL. The map
 * lives on the heap (arena NULL) or in an arena. It must not change while it is
 * iterated. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

struct map_entry {
    struct str key;
    void *value; /* NULL: removed */
};

struct map {
    struct arena *arena;
    struct map_entry *entries; /* in insertion order */
    size_t n_entries, cap_entries;
    uint32_t *slots; /* index + 1 into entries, 0 is empty */
    size_t n_slots;
    size_t count; /* entries that were not removed */
};

/* Makes an empty map; allocates nothing. */
void map_init(struct map *m, struct arena *arena_or_null);
/* Frees what is on the heap; the map is empty again. */
void map_done(struct map *m);
/* The value, or NULL. */
void *map_get(const struct map *m, struct str key);
/* Adds the key, or replaces its value. */
void map_put(struct map *m, struct str key, void *value);
/* Removes the key and returns its value, or NULL. */
void *map_remove(struct map *m, struct str key);

/* The entry after `at`; NULL is before the first and after the last:
 * for (struct map_entry *e = NULL; (e = map_next(m, e));) */
struct map_entry *map_next(const struct map *m, struct map_entry *at);
