/* grain.c - finds columns that are equal and sources that are reached by keys.
 *
 * First the columns of all sources get ids, and equal ones form classes.
 * Then the keys of each source are collected, from the model or from a
 * derived table's own grain. From these grain_reach computes which sources
 * have one row for a row of others; the other grain_*.c files build on that. */
#include "grain.h"
#include "../known.h"
#include <stdint.h>
#include <string.h>
#include "grain_keys.h"
#include "base/banned.h"

/* ---- ids and classes
 * ------------------------------------------------------ */

size_t grain_column(const struct grain *g, const struct shape_value *value)
{
    if (!value || value->kind != SHAPE_COLUMN ||
        value->source->select != g->select || value->column == SHAPE_WHOLE_ROW)
        return SIZE_MAX;
    return g->offsets[value->source->index] + value->column;
}

static size_t class_of(const struct grain *g, size_t id)
{
    while (g->classes[id] != id)
        id = g->classes[id];
    return id;
}

bool *grain_no_sources(const struct grain *g)
{
    return arena_new_array(g->arena, bool, g->select->n_sources + 1);
}

void grain_sources(const struct grain *g, const struct shape_value *value,
                   bool *sources)
{
    if (value->kind == SHAPE_COLUMN && value->source->select == g->select)
        sources[value->source->index] = true;
    for (size_t i = 0; i < value->n_parts; i++)
        grain_sources(g, value->parts[i], sources);
}

/* Also of parts that only choose or order. */
static void all_sources(const struct grain *g, const struct shape_value *value,
                        bool *sources)
{
    grain_sources(g, value, sources);
    for (size_t i = 0; i < value->n_aside; i++)
        all_sources(g, value->aside[i], sources);
    for (size_t i = 0; i < value->n_parts; i++)
        all_sources(g, value->parts[i], sources);
}

static size_t count_marks(const bool *marks, size_t n)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += marks[i];
    return found;
}

static bool is_free(const struct grain *g, const struct shape_value *value)
{
    bool *sources = grain_no_sources(g);
    all_sources(g, value, sources);
    return count_marks(sources, g->select->n_sources) == 0;
}

static size_t n_columns(const struct grain *g)
{
    return g->offsets[g->select->n_sources];
}

static void number_columns(struct grain *g)
{
    const struct shape_select *s = g->select;
    g->offsets = arena_new_array(g->arena, size_t, s->n_sources + 1);
    for (size_t i = 0; i < s->n_sources; i++)
        g->offsets[i + 1] = g->offsets[i] + s->sources[i]->n_columns;
    g->classes = arena_new_array(g->arena, size_t, n_columns(g) + 1);
    g->constant = arena_new_array(g->arena, bool, n_columns(g) + 1);
    for (size_t i = 0; i < n_columns(g); i++)
        g->classes[i] = i;
}

static void join_classes(struct grain *g)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        if (c->kind != SHAPE_EQUAL || c->n_parts != 2)
            continue;
        size_t left = grain_column(g, c->parts[0]);
        size_t right = grain_column(g, c->parts[1]);
        if (left != SIZE_MAX && right != SIZE_MAX)
            g->classes[class_of(g, left)] = class_of(g, right);
    }
    for (size_t i = 0; i < n_columns(g); i++)
        g->classes[i] = class_of(g, i);
}

/* Classes that equal a literal or a value of an outer query. */
static void mark_constants(struct grain *g)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        for (int side = 0;
             c->kind == SHAPE_EQUAL && c->n_parts == 2 && side < 2; side++) {
            size_t id = grain_column(g, c->parts[side]);
            if (id != SIZE_MAX && is_free(g, c->parts[1 - side]))
                g->constant[g->classes[id]] = true;
        }
    }
}

/* ---- how sources are joined
 * ----------------------------------------------- */

static bool joined_by_class(const struct grain *g, size_t source)
{
    for (size_t id = g->offsets[source]; id < g->offsets[source + 1]; id++)
        for (size_t other = 0; other < n_columns(g); other++) {
            bool outside =
                other < g->offsets[source] || other >= g->offsets[source + 1];
            if (outside && g->classes[other] == g->classes[id])
                return true;
        }
    return false;
}

/* The column of a value that determines it and is determined by it: the value
 * itself, or a column plus or minus a constant. */
static size_t offset_column(const struct grain *g,
                            const struct shape_value *value)
{
    bool shifted = value->kind == SHAPE_SUM && value->n_parts == 2;
    for (size_t i = 0; shifted && i < 2; i++)
        if (value->parts[1 - i]->kind == SHAPE_CONSTANT)
            return grain_column(g, value->parts[i]);
    return grain_column(g, value);
}

static bool defined_by_others(const struct grain *g, size_t source,
                              const struct shape_value *c)
{
    for (int side = 0; c->kind == SHAPE_EQUAL && c->n_parts == 2 && side < 2;
         side++) {
        bool *others = grain_no_sources(g);
        size_t id = offset_column(g, c->parts[side]);
        all_sources(g, c->parts[1 - side], others);
        if (id >= g->offsets[source] && id < g->offsets[source + 1] &&
            !others[source])
            return true;
    }
    return false;
}

static bool is_vague(const struct grain *g, size_t source)
{
    const struct shape_select *s = g->select;
    bool equal = joined_by_class(g, source), other = false;
    size_t ranges = 0;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        bool *sources = grain_no_sources(g);
        all_sources(g, c, sources);
        if (!sources[source] || count_marks(sources, s->n_sources) < 2)
            continue;
        if (c->kind == SHAPE_RANGE)
            ranges += c->n_parts - 1;
        else if (defined_by_others(g, source, c))
            equal = true;
        else
            other = true;
    }
    return ranges >= 2 || (!equal && (ranges || other));
}

/* Part of the primary key of an optional table: NULL only without a match. */
static bool is_primary(const struct grain *g, const struct shape_value *column)
{
    const struct shape_source *source = column->source;
    if (source->kind != SHAPE_TABLE || !source->optional)
        return false;
    const struct dataset *d = model_table_dataset(g->catalog, source);
    return str_list_contains(d->primary_key, source->columns[column->column]);
}

/* LEFT JOIN x … WHERE x.key IS NULL keeps only rows without a match. */
static void mark_absent(struct grain *g)
{
    const struct shape_select *s = g->select;
    for (size_t i = s->first_where; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        size_t id = c->kind == SHAPE_NULL && c->n_parts
                        ? grain_column(g, c->parts[0])
                        : SIZE_MAX;
        if (id != SIZE_MAX && is_primary(g, c->parts[0]))
            g->absent[c->parts[0]->source->index] = true;
        for (size_t other = 0; id != SIZE_MAX && other < n_columns(g); other++)
            if (other != id && g->classes[other] == g->classes[id])
                g->absent[c->parts[0]->source->index] = true;
    }
}

/* ---- keys of sources
 * ------------------------------------------------------ */

static bool has_key(const struct grain_keys *keys, const size_t *columns,
                    size_t n)
{
    for (size_t i = 0; i < keys->n; i++)
        if (keys->items[i].n == n &&
            (!n ||
             !memcmp(keys->items[i].columns, columns, n * sizeof *columns)))
            return true;
    return false;
}

/* A join has the keys of all its sources, so that queries which build on each
 * other would double them each time. */
void grain_keys_add(struct arena *arena, struct grain_keys *keys,
                    const size_t *columns, size_t n)
{
    if (has_key(keys, columns, n))
        return;
    if (keys->n == GRAIN_KEYS) {
        keys->known = false;
        return;
    }
    if (!keys->items)
        keys->items = arena_new_array(arena, struct grain_key, GRAIN_KEYS);
    struct grain_key *key = &keys->items[keys->n++];
    key->columns = arena_new_array(arena, size_t, n + 1);
    key->n = n;
    if (n)
        memcpy(key->columns, columns, n * sizeof *columns);
}

size_t grain_source_column(const struct shape_source *source, struct str name)
{
    for (size_t i = 0; i < source->table->n_columns; i++)
        if (str_eq_nocase(source->table->columns[i], name))
            return i;
    return SIZE_MAX;
}

static void add_named(const struct grain *g, struct grain_keys *keys,
                      const struct shape_source *source, struct str_list names)
{
    size_t *columns = arena_new_array(g->arena, size_t, names.n + 1);
    for (size_t i = 0; i < names.n; i++)
        if ((columns[i] = grain_source_column(source, names.items[i])) ==
            SIZE_MAX)
            return;
    if (names.n)
        grain_keys_add(g->arena, keys, columns, names.n);
}

/* Each of the columns is equal to a column of another source. */
static bool leaves(const struct grain *g, const struct shape_source *source,
                   struct str_list names)
{
    for (size_t i = 0; i < names.n; i++) {
        size_t column = grain_source_column(source, names.items[i]);
        size_t id = g->offsets[source->index] + column;
        bool joined = false;
        for (size_t other = 0; column != SIZE_MAX && other < n_columns(g);
             other++)
            joined =
                joined || (other != id && g->classes[other] == g->classes[id]);
        if (!joined)
            return false;
    }
    return names.n > 0;
}

/* The columns on the one side of a relationship are a key, even if none is
 * declared. */
static void add_related(const struct grain *g, struct grain_keys *keys,
                        const struct shape_source *source, size_t dataset)
{
    const struct ontology *o = g->catalog->o;
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->to == dataset)
            add_named(g, keys, source, r->to_columns);
        if (r->from == dataset && leaves(g, source, r->from_columns))
            keys->known = true;
    }
}

static struct grain_keys keys_of_table(const struct grain *g,
                                       const struct shape_source *source)
{
    const struct model_table *table = model_table_of(source);
    struct grain_keys keys = {0};
    for (size_t i = 0; i < table->n_datasets; i++) {
        const struct dataset *d = &g->catalog->o->datasets[table->datasets[i]];
        add_named(g, &keys, source, d->primary_key);
        for (size_t k = 0; k < d->n_unique_keys; k++)
            add_named(g, &keys, source, d->unique_keys[k]);
    }
    keys.known = keys.n > 0 && keys.n < GRAIN_KEYS;
    for (size_t i = 0; !keys.known && i < table->n_datasets; i++)
        add_related(g, &keys, source, table->datasets[i]);
    keys.known = (keys.known || keys.n > 0) && keys.n < GRAIN_KEYS;
    return keys;
}

static struct grain_keys keys_of_source(const struct grain *g,
                                        const struct shape_source *source)
{
    struct grain_keys keys = {0};
    size_t first = 0;
    switch (source->kind) {
    case SHAPE_TABLE:
        return keys_of_table(g, source);
    case SHAPE_QUERY:
        return grain_of(g->arena, g->catalog, source->query)->keys;
    case SHAPE_SERIES:
        grain_keys_add(g->arena, &keys, &first, 1);
        keys.known = true;
        return keys;
    default:
        return keys;
    }
}

/* ---- reaching
 * ------------------------------------------------------------- */

bool *grain_constant_classes(const struct grain *g,
                             struct shape_value *const *values, size_t n)
{
    bool *fixed = arena_new_array(g->arena, bool, n_columns(g) + 1);
    memcpy(fixed, g->constant, n_columns(g) * sizeof *fixed);
    for (size_t i = 0; i < n; i++) {
        size_t id = grain_column(g, values[i]);
        if (id != SIZE_MAX)
            fixed[g->classes[id]] = true;
    }
    return fixed;
}

/* The value is computed from reached sources and known classes alone. */
static bool is_known(const struct grain *g, const struct shape_value *value,
                     const bool *reached, const bool *known)
{
    size_t id = grain_column(g, value);
    if (id != SIZE_MAX)
        return reached[value->source->index] || known[g->classes[id]];
    if (value->kind == SHAPE_COLUMN && value->source->select == g->select)
        return reached[value->source->index];
    for (size_t i = 0; i < value->n_aside; i++)
        if (!is_known(g, value->aside[i], reached, known))
            return false;
    for (size_t i = 0; i < value->n_parts; i++)
        if (!is_known(g, value->parts[i], reached, known))
            return false;
    return true;
}

/* Classes with one value for each row of the reached sources. */
static void spread(const struct grain *g, const bool *reached, bool *known)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_sources; i++)
        for (size_t id = g->offsets[i]; reached[i] && id < g->offsets[i + 1];
             id++)
            known[g->classes[id]] = true;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        for (int side = 0;
             c->kind == SHAPE_EQUAL && c->n_parts == 2 && side < 2; side++) {
            size_t id = offset_column(g, c->parts[side]);
            if (id != SIZE_MAX && !known[g->classes[id]])
                known[g->classes[id]] =
                    is_known(g, c->parts[1 - side], reached, known);
        }
    }
}

/* A LATERAL query runs once for each row of the sources that it names. */
static bool may_be_reached(const struct grain *g, size_t source,
                           const bool *reached)
{
    const struct shape_source *s = g->select->sources[source];
    if (s->kind != SHAPE_QUERY)
        return true;
    for (size_t i = 0; i < s->query->n_outer_columns; i++) {
        const struct shape_source *other = s->query->outer_columns[i]->source;
        if (other->select == g->select && !reached[other->index])
            return false;
    }
    return true;
}

/* A row of a LATERAL query or function determines the rows that it was computed
 * for. */
static void reach_back(const struct grain *g, bool *reached)
{
    for (size_t i = 0; i < g->select->n_sources; i++) {
        const struct shape_source *s = g->select->sources[i];
        for (size_t k = 0; reached[i] && k < s->n_reads; k++)
            all_sources(g, s->reads[k], reached);
        if (!reached[i] || s->kind != SHAPE_QUERY)
            continue;
        for (size_t k = 0; k < s->query->n_outer_columns; k++) {
            const struct shape_source *other =
                s->query->outer_columns[k]->source;
            if (other->select == g->select)
                reached[other->index] = true;
        }
    }
}

static bool has_known_key(const struct grain *g, size_t source,
                          const bool *known)
{
    const struct grain_keys *keys = &g->source_keys[source];
    for (size_t k = 0; k < keys->n; k++) {
        bool all = true;
        for (size_t c = 0; all && c < keys->items[k].n; c++)
            all = known[g->classes[g->offsets[source] +
                                   keys->items[k].columns[c]]];
        if (all)
            return true;
    }
    return g->absent[source];
}

const struct shape_value *grain_series_step(const struct shape_value *v)
{
    while (v) {
        bool cast = v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE &&
                    v->cast.len && v->n_parts == 1;
        if (cast) {
            v = v->parts[0];
            continue;
        }
        if (v->form == SHAPE_FORM_CALL && str_is(v->word, "generate_series"))
            return v->n_parts == 3 ? v->parts[2] : NULL;
        if (v->kind != SHAPE_COLUMN)
            return NULL;
        if (v->source->kind == SHAPE_SERIES)
            return v->source->n_reads == 3 ? v->source->reads[2] : NULL;
        const struct shape_select *q = v->source->query;
        if (v->source->kind != SHAPE_QUERY || q->n_arms ||
            v->column >= q->n_outputs ||
            !(q->opaque ? q->n_sources == 0 && q->n_outputs == 1
                        : q->n_sources == 1))
            return NULL;
        v = q->outputs[v->column].value;
    }
    return NULL;
}

static bool is_interval(const struct shape_value *v)
{
    return v->kind == SHAPE_CONSTANT && str_is(v->cast, "interval");
}

/* start + the step of the series, perhaps minus something. */
static bool is_next(const struct grain *g, const struct shape_value *v,
                    const struct shape_value *start, bool less)
{
    while (v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE &&
           v->cast.len && v->n_parts == 1)
        v = v->parts[0];
    if (v->kind != SHAPE_SUM || v->n_parts != 2)
        return false;
    if (less)
        return str_is(v->word, "-") && v->parts[1]->kind == SHAPE_CONSTANT &&
               is_next(g, v->parts[0], start, false);
    const struct shape_value *step = grain_series_step(start);
    return str_is(v->word, "+") && step && is_interval(v->parts[1]) &&
           is_interval(step) && str_eq(v->parts[1]->word, step->word) &&
           grain_same(g, v->parts[0], start);
}

/* moment >= start, or moment BETWEEN start AND last; last is NULL if it is the
 * former. False: neither. */
static bool reads_period(const struct shape_value *c,
                         const struct shape_value **moment,
                         const struct shape_value **start,
                         const struct shape_value **last)
{
    bool turned = str_is(c->word, "<=");
    if (c->kind != SHAPE_RANGE || c->n_parts != 2)
        return false;
    *last = NULL;
    *moment = c->parts[turned ? 1 : 0];
    *start = c->parts[turned ? 0 : 1];
    if (!c->word.len && (*start)->n_parts == 2) {
        *last = (*start)->parts[1];
        *start = (*start)->parts[0];
    } else if (!turned && !str_is(c->word, ">=")) {
        return false;
    }
    return (*start)->kind == SHAPE_COLUMN && grain_series_step(*start);
}

/* moment >= p AND moment < p + step: one row of the series for each moment. */
static bool is_in_period(const struct grain *g, size_t source,
                         const bool *reached, const bool *known)
{
    const struct shape_select *s = g->select;
    const struct shape_value *moment, *start, *last;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        if (!reads_period(c, &moment, &start, &last) ||
            start->source != s->sources[source] ||
            !is_known(g, moment, reached, known))
            continue;
        if (last && is_next(g, last, start, true))
            return true;
        for (size_t k = 0; !last && k < s->n_conditions; k++) {
            const struct shape_value *d = s->conditions[k];
            bool less = d->kind == SHAPE_RANGE && d->n_parts == 2 &&
                        str_is(d->word, "<");
            bool more = d->kind == SHAPE_RANGE && d->n_parts == 2 &&
                        str_is(d->word, ">");
            if ((less || more) && grain_same(g, d->parts[more], moment) &&
                is_next(g, d->parts[less], start, false))
                return true;
        }
    }
    return false;
}

bool grain_reach(const struct grain *g, bool *reached, const bool *fixed)
{
    size_t n = g->select->n_sources;
    bool *known = arena_new_array(g->arena, bool, n_columns(g) + 1);
    memcpy(known, fixed, n_columns(g) * sizeof *known);
    for (bool more = true; more;) {
        more = false;
        reach_back(g, reached);
        spread(g, reached, known);
        for (size_t i = 0; i < n; i++)
            if (!reached[i] && may_be_reached(g, i, reached) &&
                (has_known_key(g, i, known) ||
                 is_in_period(g, i, reached, known)))
                reached[i] = more = true;
    }
    return count_marks(reached, n) == n;
}

struct grain *grain_of(struct arena *arena, const struct model_tables *catalog,
                       struct shape_select *select)
{
    if (select->judged)
        return select->judged;
    struct grain *g = select->judged = arena_new(arena, struct grain);
    *g = (struct grain){.arena = arena, .catalog = catalog, .select = select};
    if (select->n_sources > GRAIN_SOURCES) {
        grain_give_up(g);
        return g;
    }
    number_columns(g);
    join_classes(g);
    mark_constants(g);
    g->source_keys =
        arena_new_array(arena, struct grain_keys, select->n_sources + 1);
    g->vague = grain_no_sources(g);
    g->absent = grain_no_sources(g);
    mark_absent(g);
    for (size_t i = 0; i < select->n_sources; i++) {
        g->source_keys[i] = keys_of_source(g, select->sources[i]);
        g->vague[i] = is_vague(g, i);
    }
    grain_find_outputs(g);
    return g;
}
