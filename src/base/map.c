/* map.c - an array of entries, and an open-addressed hash table of indexes into
 * it. */
#include "base/map.h"
#include "base/mem.h"
#include <string.h>
#include "base/banned.h"

void map_init(struct map *m, struct arena *arena_or_null)
{
    *m = (struct map){.arena = arena_or_null};
}

void map_done(struct map *m)
{
    if (!m->arena) {
        mem_free(m->entries);
        mem_free(m->slots);
    }
    map_init(m, m->arena);
}

static void *map_alloc(struct map *m, size_t count, size_t size)
{
    return m->arena ? arena_alloc_array(m->arena, count, size)
                    : mem_alloc_array(count, size);
}

/* The slot that holds key, or the empty one where it would go. */
static uint32_t *map_slot(const struct map *m, struct str key)
{
    size_t i = str_hash(key) & (m->n_slots - 1);
    while (m->slots[i] && !str_eq(m->entries[m->slots[i] - 1].key, key))
        i = (i + 1) & (m->n_slots - 1);
    return &m->slots[i];
}

/* Allocates larger tables and drops removed entries. The number of slots is a
 * power of two, because map_slot masks the hash. */
static void map_rebuild(struct map *m)
{
    struct map old = *m;
    size_t cap = 8;
    while (cap < m->count * 2)
        cap *= 2;
    m->entries = map_alloc(m, cap, sizeof *m->entries);
    m->cap_entries = cap;
    m->n_slots = cap * 2;
    m->slots = map_alloc(m, m->n_slots, sizeof *m->slots);
    m->n_entries = 0;
    for (size_t i = 0; i < old.n_entries; i++) {
        if (!old.entries[i].value)
            continue;
        m->entries[m->n_entries++] = old.entries[i];
        *map_slot(m, old.entries[i].key) = (uint32_t)m->n_entries;
    }
    if (!m->arena) {
        mem_free(old.entries);
        mem_free(old.slots);
    }
}

void *map_get(const struct map *m, struct str key)
{
    if (!m->n_slots)
        return NULL;
    uint32_t at = *map_slot(m, key);
    return at ? m->entries[at - 1].value : NULL;
}

void map_put(struct map *m, struct str key, void *value)
{
    if (m->n_entries == m->cap_entries)
        map_rebuild(m);
    uint32_t *slot = map_slot(m, key);
    if (*slot) {
        struct map_entry *e = &m->entries[*slot - 1];
        m->count += !e->value;
        e->value = value;
        return;
    }
    m->entries[m->n_entries++] = (struct map_entry){key, value};
    *slot = (uint32_t)m->n_entries;
    m->count++;
}

void *map_remove(struct map *m, struct str key)
{
    if (!m->n_slots)
        return NULL;
    uint32_t at = *map_slot(m, key);
    if (!at)
        return NULL;
    void *value = m->entries[at - 1].value;
    m->entries[at - 1].value = NULL;
    m->count -= value != NULL;
    return value;
}

struct map_entry *map_next(const struct map *m, struct map_entry *at)
{
    struct map_entry *e = at ? at + 1 : m->entries;
    for (; e && e < m->entries + m->n_entries; e++)
        if (e->value)
            return e;
    return NULL;
}
