/* reach.c - a breadth-first search over relationships that do not fan out. */
#include "reach.h"
#include <stdint.h>
#include "base/banned.h"

enum { REACH_MOST_HOPS = 8 };

static bool list_holds(struct str_list list, struct str name)
{
    for (size_t i = 0; i < list.n; i++)
        if (str_eq_nocase(list.items[i], name))
            return true;
    return false;
}

static bool columns_within(struct str_list some, struct str_list all)
{
    for (size_t i = 0; i < some.n; i++)
        if (!list_holds(all, some.items[i]))
            return false;
    return some.n > 0;
}

/* The columns include a whole key. */
static bool is_unique(const struct dataset *d, struct str_list columns)
{
    if (columns_within(d->primary_key, columns))
        return true;
    for (size_t i = 0; i < d->n_unique_keys; i++)
        if (columns_within(d->unique_keys[i], columns))
            return true;
    return false;
}

/* The ontology says that the `to` side is one row; not if its columns are
 * only part of its key. */
static bool one_at_end(const struct ontology *o, const struct relationship *r)
{
    const struct dataset *to = &o->datasets[r->to];
    if (is_unique(to, r->to_columns))
        return true;
    if (to->primary_key.n > 1 && columns_within(r->to_columns, to->primary_key))
        return false;
    for (size_t i = 0; i < to->n_unique_keys; i++)
        if (to->unique_keys[i].n > 1 &&
            columns_within(r->to_columns, to->unique_keys[i]))
            return false;
    return true;
}

/* Indexes the relationships by dataset, so that a search through a thousand
 * datasets is fast. */
static void links_make(struct reaches *reaches)
{
    const struct ontology *o = reaches->o;
    size_t *starts = reaches->starts =
        arena_new_array(reaches->arena, size_t, o->n_datasets + 2);
    reaches->links =
        arena_new_array(reaches->arena, size_t, 2 * o->n_relationships + 1);
    reaches->down =
        arena_new_array(reaches->arena, bool, o->n_relationships + 1);
    reaches->up = arena_new_array(reaches->arena, bool, o->n_relationships + 1);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        reaches->down[i] = r->from != r->to && one_at_end(o, r);
        reaches->up[i] = r->from != r->to &&
                         is_unique(&o->datasets[r->from], r->from_columns);
        starts[o->relationships[i].from + 2]++;
        starts[o->relationships[i].to + 2]++;
    }
    for (size_t d = 1; d < o->n_datasets; d++)
        starts[d + 1] += starts[d];
    for (size_t i = 0; i < o->n_relationships; i++) {
        reaches->links[starts[o->relationships[i].from + 1]++] = i;
        reaches->links[starts[o->relationships[i].to + 1]++] = i;
    }
}

void reaches_init(struct arena *arena, const struct ontology *o,
                  const struct choice *roles, size_t n_roles,
                  struct reaches *reaches)
{
    *reaches = (struct reaches){
        .arena = arena, .o = o, .roles = roles, .n_roles = n_roles};
    reaches->by_root = arena_new_array(arena, struct reach, o->n_datasets + 1);
    links_make(reaches);
}

static bool is_preferred(const struct reaches *reaches, size_t relationship)
{
    for (size_t i = 0; i < reaches->n_roles; i++)
        for (size_t j = 0; j < reaches->roles[i].n; j++)
            if (reaches->roles[i].terms[j].index == relationship)
                return true;
    for (size_t i = 0; i < reaches->n_picked; i++)
        if (reaches->picked[i].kind == TERM_ROLE &&
            reaches->picked[i].index == relationship)
            return true;
    return false;
}

/* The column says what the other row is to this one, as substitute_id does of a
 * teacher, and not only which row it is. */
static bool is_role(const struct reaches *reaches, const struct relationship *r)
{
    if (r->from_columns.n != 1 || r->to_columns.n != 1)
        return false;
    struct str column = r->from_columns.items[0];
    struct str name =
        singular(reaches->arena, reaches->o->datasets[r->to].name);
    struct str own = reaches->o->datasets[r->to].name;
    return !str_eq_nocase(column, r->to_columns.items[0]) &&
           str_find_nocase(column, name) < 0 &&
           str_find_nocase(column, own) < 0;
}

static bool passes(const struct reach *reach, size_t at, size_t dataset)
{
    while (at != reach->root && at != dataset)
        at = reach->hop[at].from;
    return at == dataset;
}

/* A lesson's substitute is nearer than the teacher of its course, who may be meant
 * all the same. */
static bool is_overlooked(const struct reaches *reaches,
                          const struct reach *reach, struct hop longer,
                          size_t to)
{
    if (to == reach->root || passes(reach, longer.from, to))
        return false;
    size_t nearer = reach->hop[to].relationship;
    const struct relationship *near = &reaches->o->relationships[nearer];
    const struct relationship *far =
        &reaches->o->relationships[longer.relationship];
    return near->to == to && far->to == to && !is_preferred(reaches, nearer) &&
           is_role(reaches, near) && !is_role(reaches, far);
}

static void hop_to(const struct reaches *reaches, struct reach *reach,
                   size_t far, struct hop hop, size_t to)
{
    if (reach->distance[to] == SIZE_MAX) {
        reach->distance[to] = far;
        reach->hop[to] = hop;
        reach->ambiguous[to] = reach->ambiguous[hop.from];
        return;
    }
    if (reach->distance[to] < far && is_overlooked(reaches, reach, hop, to))
        reach->ambiguous[to] = true;
    if (reach->distance[to] != far)
        return;
    bool old = is_preferred(reaches, reach->hop[to].relationship);
    bool new = is_preferred(reaches, hop.relationship);
    if (new && !old) {
        reach->hop[to] = hop;
        reach->ambiguous[to] = reach->ambiguous[hop.from];
    } else if (new == old) {
        reach->ambiguous[to] = true;
    }
}

static void hops_from(const struct reaches *reaches, struct reach *reach,
                      size_t at)
{
    const struct ontology *o = reaches->o;
    size_t far = reach->distance[at] + 1;
    for (size_t l = reaches->starts[at]; l < reaches->starts[at + 1]; l++) {
        size_t i = reaches->links[l];
        const struct relationship *r = &o->relationships[i];
        if (r->from == at && reaches->down[i])
            hop_to(reaches, reach, far, (struct hop){at, i}, r->to);
        else if (r->to == at && reaches->up[i])
            hop_to(reaches, reach, far, (struct hop){at, i}, r->from);
    }
}

const struct reach *reach_from(struct reaches *reaches, size_t root)
{
    size_t n = reaches->o->n_datasets;
    struct reach *reach = &reaches->by_root[root];
    if (reach->distance)
        return reach;
    reach->distance = arena_new_array(reaches->arena, size_t, n);
    reach->hop = arena_new_array(reaches->arena, struct hop, n);
    reach->ambiguous = arena_new_array(reaches->arena, bool, n);
    for (size_t i = 0; i < n; i++)
        reach->distance[i] = SIZE_MAX;
    reach->distance[root] = 0;
    bool any = true;
    for (size_t far = 0; far < REACH_MOST_HOPS && any; far++) {
        any = false;
        for (size_t at = 0; at < n; at++)
            if (reach->distance[at] == far) {
                hops_from(reaches, reach, at);
                any = true;
            }
    }
    for (size_t far = 1; far < REACH_MOST_HOPS; far++)
        for (size_t at = 0; at < n; at++)
            if (reach->distance[at] == far &&
                reach->ambiguous[reach->hop[at].from])
                reach->ambiguous[at] = true;
    return reach;
}

static bool is_hop(const struct reaches *reaches, size_t i, size_t from,
                   size_t to)
{
    const struct relationship *r = &reaches->o->relationships[i];
    return (r->from == from && r->to == to && reaches->down[i]) ||
           (r->to == from && r->from == to && reaches->up[i]);
}

size_t reach_ways(struct reaches *reaches, size_t root, size_t dataset,
                  size_t *relationships, size_t most)
{
    const struct reach *reach = reach_from(reaches, root);
    const struct ontology *o = reaches->o;
    size_t n = 0, at = dataset;
    while (at != root && reach->ambiguous[reach->hop[at].from])
        at = reach->hop[at].from;
    for (size_t i = 0; i < o->n_relationships && n < most; i++)
        for (size_t from = 0; from < o->n_datasets && n < most; from++)
            if (reach->distance[from] != SIZE_MAX && at != root &&
                reach->distance[from] + 1 == reach->distance[at] &&
                is_hop(reaches, i, from, at))
                relationships[n++] = i;
    return n;
}

bool reach_has(struct reaches *reaches, size_t root, size_t dataset)
{
    return reach_from(reaches, root)->distance[dataset] != SIZE_MAX;
}

static bool reaches_all(struct reaches *reaches, size_t root,
                        const bool *wanted)
{
    for (size_t i = 0; i < reaches->o->n_datasets; i++)
        if (wanted[i] && !reach_has(reaches, root, i))
            return false;
    return true;
}

static size_t far_from_all(struct reaches *reaches, size_t root,
                           const bool *wanted)
{
    size_t far = 0;
    for (size_t i = 0; i < reaches->o->n_datasets; i++)
        if (wanted[i])
            far += reach_from(reaches, root)->distance[i];
    return far;
}

/* Marks the datasets from which hops lead to the first of `wanted`. In an
 * ontology of a thousand datasets they are few, and only they can reach
 * all. */
static bool *leading_to(const struct reaches *reaches, const bool *wanted)
{
    size_t count = reaches->o->n_datasets, first = 0, n = 0;
    bool *leads = arena_new_array(reaches->arena, bool, count + 1);
    size_t *found = arena_new_array(reaches->arena, size_t, count + 1);
    while (first < count && !wanted[first])
        first++;
    for (size_t i = 0; i < count; i++)
        leads[i] = first == count || i == first;
    if (first < count)
        found[n++] = first;
    for (size_t i = 0; i < n; i++)
        for (size_t l = reaches->starts[found[i]];
             l < reaches->starts[found[i] + 1]; l++) {
            size_t link = reaches->links[l];
            const struct relationship *r = &reaches->o->relationships[link];
            size_t from = r->to == found[i] ? r->from : r->to;
            if (leads[from] || !is_hop(reaches, link, from, found[i]))
                continue;
            leads[from] = true;
            found[n++] = from;
        }
    return leads;
}

size_t reach_common(struct reaches *reaches, const bool *wanted, size_t *n)
{
    size_t best = SIZE_MAX, least = SIZE_MAX, count = reaches->o->n_datasets;
    const bool *leads = leading_to(reaches, wanted);
    *n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!leads[i] || !reaches_all(reaches, i, wanted))
            continue;
        /* What reaches another candidate is below it and adds nothing. */
        bool below = false;
        for (size_t j = 0; j < count && !below; j++)
            below = j != i && leads[j] && reach_has(reaches, i, j) &&
                    !reach_has(reaches, j, i) &&
                    reaches_all(reaches, j, wanted);
        if (below)
            continue;
        ++*n;
        size_t far = far_from_all(reaches, i, wanted);
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}
