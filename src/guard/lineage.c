/* lineage.c - the relations, functions and columns that a query mentions: each
 * once, in the order of its text. The walk does not follow that order, so the
 * lists are sorted at the end. */
#include "walk.h"
#include <stdlib.h>
#include "base/banned.h"

void mention_add(struct walk *walk, struct map *to, struct str qualifier,
                 struct str name, int location)
{

    struct str key = arena_printf(walk->arena, "%.*s\n%.*s", STR_ARG(qualifier),
                                  STR_ARG(name));
    struct mention *known = map_get(to, key);
    if (known) {
        if (location < known->location)
            known->location = location;
        return;
    }
    struct mention *m = arena_new(walk->arena, struct mention);
    m->qualifier = arena_str(walk->arena, qualifier);
    m->name = arena_str(walk->arena, name);
    m->location = location;
    map_put(to, key, m);
}

static int by_location(const void *a, const void *b)
{
    const struct mention *const *left = a, *const *right = b;
    return ((*left)->location > (*right)->location) -
           ((*left)->location < (*right)->location);
}

static struct mention **mentions_sorted(struct walk *walk, struct map *from,
                                        size_t *count)
{
    *count = from->count;
    struct mention **all =
        arena_new_array(walk->arena, struct mention *, *count + 1);
    size_t n = 0;
    for (struct map_entry *e = NULL; (e = map_next(from, e));)
        all[n++] = e->value;
    qsort(all, n, sizeof *all, by_location);
    return all;
}

static struct str *mentions_names(struct walk *walk, struct map *from,
                                  size_t *count)
{
    struct mention **all = mentions_sorted(walk, from, count);
    struct str *names = arena_new_array(walk->arena, struct str, *count + 1);
    for (size_t i = 0; i < *count; i++)
        names[i] = all[i]->qualifier.len
                       ? arena_printf(walk->arena, "%.*s.%.*s",
                                      STR_ARG(all[i]->qualifier),
                                      STR_ARG(all[i]->name))
                       : all[i]->name;
    return names;
}

void lineage_report(struct walk *walk, struct guard_verdict *verdict)
{
    verdict->relations =
        mentions_names(walk, &walk->relations, &verdict->n_relations);
    struct mention **all =
        mentions_sorted(walk, &walk->columns, &verdict->n_columns);
    verdict->columns = arena_new_array(walk->arena, struct guard_column,
                                       verdict->n_columns + 1);
    for (size_t i = 0; i < verdict->n_columns; i++)
        verdict->columns[i] =
            (struct guard_column){all[i]->qualifier, all[i]->name};
}
