/* bind_measure.c - binds measures: finds the grain of the aggregates of each
 * formula, and assigns them to parts. */
#include "query.h"
#include "sql/sql_text.h"
#include "base/banned.h"

static size_t n_used(const struct bound_query *query, const bool *uses)
{
    size_t n = 0;
    for (size_t i = 0; i < query->o->n_datasets; i++)
        n += uses[i];
    return n;
}

/* Of the used datasets, the one that reaches all others; SIZE_MAX: none. */
size_t query_grain(struct bound_query *query, const bool *uses)
{
    for (size_t i = 0; i < query->o->n_datasets; i++) {
        bool all = uses[i];
        for (size_t j = 0; all && j < query->o->n_datasets; j++)
            all = !uses[j] || reach_has(&query->reaches, i, j);
        if (all)
            return i;
    }
    return SIZE_MAX;
}

static bool settle_grains(struct bound_query *query, struct bound_measure *m)
{
    for (size_t i = 0; i < m->formula.n; i++) {
        struct aggregate *a = &m->formula.aggregates[i];
        size_t n = 1;
        a->grain = query_grain(query, a->uses);
        if (a->grain == SIZE_MAX && a->harmless)
            a->grain = reach_common(&query->reaches, a->uses, &n);
        if (a->grain != SIZE_MAX && n == 1)
            continue;
        return query_fails(
            query,
            "%.*s uses %zu datasets that cannot be joined without "
            "counting rows more than once",
            STR_ARG(m->formula.words), n_used(query, a->uses));
    }
    return true;
}

/* One root for the aggregates of a formula, as its author meant it, if all sums
 * have one grain and duplicates do not change the rest. SIZE_MAX: there is none. */
static size_t common_root(struct bound_query *query, const struct formula *f,
                          size_t from, size_t to)
{
    size_t root = SIZE_MAX;
    for (size_t i = from; i < to; i++) {
        if (f->aggregates[i].harmless)
            continue;
        if (root != SIZE_MAX && root != f->aggregates[i].grain)
            return SIZE_MAX;
        root = f->aggregates[i].grain;
    }
    for (size_t i = from; root == SIZE_MAX && i < to; i++) {
        bool all = true;
        for (size_t j = from; j < to; j++)
            all = all && reach_has(&query->reaches, f->aggregates[i].grain,
                                   f->aggregates[j].grain);
        if (all)
            root = f->aggregates[i].grain;
    }
    for (size_t i = from; root != SIZE_MAX && i < to; i++)
        if (!reach_has(&query->reaches, root, f->aggregates[i].grain))
            return SIZE_MAX;
    return root;
}

static size_t part_of(struct bound_query *query, size_t root, bool whole)
{
    for (size_t i = 0; i < query->n_parts; i++)
        if (query->parts[i].root == root && query->parts[i].whole == whole)
            return i;
    if (query->n_parts == QUERY_PARTS)
        return SIZE_MAX;
    query->parts[query->n_parts] = (struct part){
        .root = root, .whole = whole, .time = {SIZE_MAX, SIZE_MAX}};
    return query->n_parts++;
}

static bool settle_parts(struct bound_query *query, struct bound_measure *m)
{
    const struct formula *f = &m->formula;
    size_t top = m->n_top ? m->n_top : f->n;
    size_t first = common_root(query, f, 0, top);
    size_t second = common_root(query, f, top, f->n);
    if (m->tied && first == SIZE_MAX)
        return query_fails(query,
                           "I cannot tell %.*s, because a row may belong to "
                           "several of them or to none",
                           STR_ARG(f->words));
    m->part = arena_new_array(query->arena, size_t, f->n);
    for (size_t i = 0; i < f->n; i++) {
        size_t root = i < top ? first : second;
        if (root == SIZE_MAX)
            root = f->aggregates[i].grain;
        m->part[i] = part_of(query, root, m->portion && i >= top);
        if (m->part[i] == SIZE_MAX)
            return query_fails(query, "too many different grains at once");
    }
    return true;
}

/* COUNT(DISTINCT key) over the rows of the key's own dataset adds up. */
static bool is_key_count(struct bound_query *query, const struct aggregate *a)
{
    const struct dataset *d = &query->o->datasets[a->grain];
    if (!a->arg.len || d->primary_key.n != 1)
        return false;
    struct str key =
        column_sql(query->arena, query->o, a->grain, d->primary_key.items[0]);
    return str_eq(key, a->arg);
}

static void settle_adding(struct bound_query *query, struct bound_measure *m)
{
    const struct aggregate *a = &m->formula.aggregates[0];
    m->counts = m->formula.bare && a->counts;
    m->adds = m->formula.bare && (a->adds || is_key_count(query, a)) &&
              query->parts[m->part[0]].root == a->grain;
}

bool names_hold(const struct bound_query *query, struct str name)
{
    for (size_t i = 0; i < query->n_measures; i++)
        if (str_eq(query->measures[i].formula.name, name))
            return true;
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (str_eq(query->dimensions[i].name, name))
            return true;
    return false;
}

/* A free output name: "order count" becomes order_count; names of the
 * ontology stay. */
static struct str column_name(struct bound_query *query, struct str name)
{
    if (str_find_char(name, ' ') >= 0) {
        char *copy = arena_cstr(query->arena, name);
        for (size_t i = 0; i < name.len; i++)
            if (copy[i] == ' ')
                copy[i] = '_';
        name.ptr = copy;
    }
    name = sql_column_name(name);
    for (size_t i = 2; names_hold(query, name); i++)
        name = arena_printf(query->arena, "%.*s_%zu", STR_ARG(name), i);
    return name;
}

static bool bind_measure(struct bound_query *query,
                         const struct asked_measure *asked, size_t *index)
{
    struct bound_measure m = {.adds = false};
    if (!bind_formula(query, asked, &m))
        return false;
    for (size_t i = 0; i < query->n_measures; i++)
        if (str_eq(query->measures[i].formula.words, m.formula.words)) {
            *index = i;
            return true;
        }
    m.formula.name = column_name(query, m.formula.name);
    if (!settle_grains(query, &m) || !settle_parts(query, &m))
        return false;
    settle_adding(query, &m);
    *index = query->n_measures++;
    query->measures[*index] = m;
    return true;
}

bool bind_measures(struct bound_query *query)
{
    const struct question *q = &query->question;
    size_t index;
    for (size_t i = 0; i < q->n_measures; i++)
        if (!bind_measure(query, &q->measures[i], &index))
            return false;
    for (size_t i = 0; i < q->n_havings; i++)
        if (!bind_measure(query, &q->havings[i].measure, &query->having[i]))
            return false;
    if (query->n_measures)
        return true;
    return query_fails(query, "I do not see what is to be measured");
}
