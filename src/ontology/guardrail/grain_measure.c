/* grain_measure.c - finds how often the rows of a measure are aggregated. */
#include "grain_keys.h"
#include <stdint.h>
#include <string.h>
#include "base/banned.h"

/* Column names that usually identify something without being a declared key. */
static bool is_label(const struct shape_value *value)
{
    static const char *const endings[] = {"name", "title", "email", "label"};
    if (value->kind != SHAPE_COLUMN || value->column == SHAPE_WHOLE_ROW)
        return false;
    struct str name = value->source->columns[value->column];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (str_ends(name, str_of(endings[i])))
            return true;
    return false;
}

/* A bridge table has only keys: it relates rows and measures nothing. */
static bool is_bridge(const struct grain *g, const struct shape_source *source)
{
    const struct ontology *o = g->catalog->o;
    if (source->kind != SHAPE_TABLE)
        return false;
    size_t dataset = model_table_of(source)->datasets[0];
    const struct dataset *d = &o->datasets[dataset];
    bool *related = arena_new_array(g->arena, bool, source->n_columns + 1);
    for (size_t i = 0; i < d->primary_key.n; i++) {
        size_t at = grain_source_column(source, d->primary_key.items[i]);
        related[at == SIZE_MAX ? source->n_columns : at] = true;
    }
    for (size_t r = 0; r < o->n_relationships; r++)
        for (size_t i = 0; i < o->relationships[r].from_columns.n; i++) {
            size_t at = grain_source_column(
                source, o->relationships[r].from_columns.items[i]);
            if (o->relationships[r].from == dataset && at != SIZE_MAX)
                related[at] = true;
        }
    for (size_t i = 0; i < source->table->n_columns; i++)
        if (!related[i])
            return false;
    return true;
}

/* A name that a condition fixes: it probably keeps one row. */
static bool is_pinned(const struct grain *g, size_t source)
{
    static const char *const endings[] = {"name", "title", "email", "label",
                                          "code", "slug",  "login", "symbol"};
    const struct shape_source *s = g->select->sources[source];
    for (size_t c = 0; c < s->n_columns; c++)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (g->constant[g->classes[g->offsets[source] + c]] &&
                str_ends(s->columns[c], str_of(endings[i])))
                return true;
    return false;
}

static void mark_groups(const struct grain *g, bool *marks, bool labels_only,
                        struct shape_value *const *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!labels_only || is_label(groups[i]))
            grain_sources(g, groups[i], marks);
}

/* A row occurs once in each of several groups: because a bridge table
 * relates it to groups, or because measures of one thing are grouped by
 * another? */
static enum multiplied overlap(const struct grain *g, const bool *reached,
                               struct shape_value *const *groups, size_t n)
{
    bool *grouping = grain_no_sources(g);
    mark_groups(g, grouping, false, groups, n);
    for (size_t i = 0; i < g->select->n_sources; i++)
        if (!reached[i] && !is_bridge(g, g->select->sources[i]) &&
            (!grouping[i] || g->select->n_sources == 2))
            return MULTIPLIED_OVERLAPS;
    return MULTIPLIED_NOT;
}

static const struct shape_source *first_unreached(const struct grain *g,
                                                  const bool *reached)
{
    for (size_t i = 0; i < g->select->n_sources; i++)
        if (!reached[i])
            return g->select->sources[i];
    return NULL;
}

enum multiplied grain_multiplies(const struct grain *g, const bool *from,
                                 struct shape_value *const *groups,
                                 size_t n_groups,
                                 const struct shape_source **culprit)
{
    size_t n = g->select->n_sources;
    const bool *fixed = grain_constant_classes(g, groups, n_groups);
    bool *alone = grain_no_sources(g), *grouped = grain_no_sources(g);
    *culprit = NULL;
    memcpy(alone, from, n);
    if (grain_reach(g, alone, grain_constant_classes(g, NULL, 0)))
        return MULTIPLIED_NOT;
    *culprit = first_unreached(g, alone);
    memcpy(grouped, from, n);
    if (grain_reach(g, grouped, fixed))
        return overlap(g, alone, groups, n_groups);
    for (size_t i = 0; i < n; i++)
        grouped[i] = grouped[i] || !g->source_keys[i].known || g->vague[i] ||
                     is_pinned(g, i);
    mark_groups(g, grouped, true, groups, n_groups);
    if (grain_reach(g, grouped, fixed))
        return MULTIPLIED_PERHAPS;
    *culprit = first_unreached(g, grouped);
    return MULTIPLIED_SURELY;
}

/* ---- addends
 * --------------------------------------------------------------- */

struct summing {
    const struct grain *grain;
    struct shape_value *const *groups;
    size_t n_groups;
    bool counted;
    struct measure_grain measured;
};

/* A condition that keeps one of numbered rows: … WHERE row_number = 1. */
static const struct shape_value *thinned(const struct grain *g,
                                         const struct shape_source *source)
{
    const struct shape_select *query = source->query;
    for (size_t i = 0; i < query->n_outputs; i++)
        if (query->outputs[i].value->kind == SHAPE_ROW_NUMBER &&
            g->constant[g->classes[g->offsets[source->index] + i]])
            return query->outputs[i].value;
    return NULL;
}

bool grain_is_of(const struct grain *g, const struct shape_value *value,
                 const bool *reached)
{
    size_t id = grain_column(g, value);
    bool *from = grain_no_sources(g), all = true;
    for (size_t i = 0; id != SIZE_MAX && i < g->select->n_sources; i++)
        for (size_t c = g->offsets[i]; reached[i] && c < g->offsets[i + 1]; c++)
            if (g->classes[c] == g->classes[id])
                return true;
    grain_sources(g, value, from);
    for (size_t i = 0; i < g->select->n_sources; i++)
        all = all && (!from[i] || reached[i]);
    return all;
}

/* Keeping one row of each partition repeats nothing if the measured source
 * alone determines the partition. */
static bool keeps_one(const struct grain *inner,
                      const struct shape_value *number,
                      const struct shape_value *measured)
{
    bool *reached = grain_no_sources(inner);
    if (!inner->source_keys) /* too many sources: not analyzed */
        return false;
    grain_sources(inner, measured, reached);
    grain_reach(inner, reached, grain_constant_classes(inner, NULL, 0));
    for (size_t p = 0; p < number->n_aside; p++)
        if (!grain_is_of(inner, number->aside[p], reached))
            return false;
    return true;
}

static enum multiplied least_of_all(const enum multiplied *brought, size_t n)
{
    enum multiplied least = n ? MULTIPLIED_SURELY : MULTIPLIED_NOT;
    for (size_t i = 0; i < n; i++)
        least = brought[i] < least ? brought[i] : least;
    return least;
}

/* What a derived table has multiplied already. A product has the grain of its
 * finest factor. */
static void least_brought(const struct summing *s,
                          const struct shape_value *value,
                          const struct shape_source *source,
                          const struct shape_value *number,
                          enum multiplied *least)
{
    if (value->kind == SHAPE_COLUMN && value->source == source) {
        const struct grain *inner = source->query->judged;
        const enum multiplied *brought = !inner       ? NULL
                                         : s->counted ? inner->counted
                                                      : inner->multiplied;
        enum multiplied m = MULTIPLIED_NOT;
        if (inner && value->column < source->query->n_outputs)
            m = number ? MULTIPLIED_PERHAPS
                       : grain_of_derived_column(s->grain, source,
                                                 value->column, s->groups,
                                                 s->n_groups, s->counted);
        if (m && number &&
            (!brought[value->column] ||
             keeps_one(inner, number,
                       source->query->outputs[value->column].value)))
            m = MULTIPLIED_NOT;
        if (inner && value->column == SHAPE_WHOLE_ROW)
            m = least_of_all(brought, source->query->n_outputs);
        if (m < *least)
            *least = m;
    }
    for (size_t i = 0; i < value->n_parts; i++)
        least_brought(s, value->parts[i], source, number, least);
}

static void take(struct summing *s, enum multiplied multiplied,
                 const struct shape_source *of,
                 const struct shape_source *culprit)
{
    if (multiplied > s->measured.multiplied || !s->measured.of) {
        s->measured.multiplied = multiplied;
        s->measured.of = of;
        s->measured.culprit = culprit;
    }
}

static bool covers(const struct grain *g, size_t source, const bool *all)
{
    bool *reached = grain_no_sources(g);
    reached[source] = true;
    grain_reach(g, reached, grain_constant_classes(g, NULL, 0));
    for (size_t i = 0; i < g->select->n_sources; i++)
        if (all[i] && !reached[i])
            return false;
    return true;
}

/* Tables that only a third one relates have no rows in common without it: in
 * closed.day - opened.day of tickets, what is measured is a ticket. */
static void add_common(const struct grain *g, bool *from)
{
    size_t n = 0, common = SIZE_MAX;
    for (size_t i = 0; i < g->select->n_sources; i++)
        n += from[i];
    for (size_t i = 0; n > 1 && i < g->select->n_sources; i++)
        if (from[i] && covers(g, i, from))
            return;
    for (size_t i = 0; n > 1 && i < g->select->n_sources; i++) {
        bool *it = grain_no_sources(g), *other = grain_no_sources(g);
        if (from[i] || !covers(g, i, from))
            continue;
        it[i] = true;
        if (common == SIZE_MAX || covers(g, common, it)) {
            common = i;
            continue;
        }
        other[common] = true;
        if (!covers(g, i, other))
            return; /* two tables relate them: neither is meant surely */
    }
    if (common != SIZE_MAX)
        from[common] = true;
}

static void add_up(struct summing *s, const struct shape_value *value)
{
    const struct grain *g = s->grain;
    const struct shape_source *culprit, *of = NULL;
    bool *from = grain_no_sources(g);
    grain_sources(g, value, from);
    for (size_t i = 0; i < g->select->n_sources; i++) {
        const struct shape_source *source = g->select->sources[i];
        enum multiplied least = MULTIPLIED_SURELY;
        if (!from[i])
            continue;
        of = of ? of : source;
        if (source->kind != SHAPE_QUERY)
            continue;
        least_brought(s, value, source, thinned(g, source), &least);
        take(s, least, source, NULL);
    }
    if (!of) {
        s->measured.counts_rows = true;
        return;
    }
    add_common(g, from);
    enum multiplied m =
        grain_multiplies(g, from, s->groups, s->n_groups, &culprit);
    if (!m && grain_nested_repeats(g, value))
        m = MULTIPLIED_PERHAPS;
    take(s, m, of, culprit);
}

static bool is_numbered(const struct grain *g, const struct shape_value *value)
{
    if (value->kind != SHAPE_COLUMN || value->source->select != g->select ||
        value->source->kind != SHAPE_QUERY)
        return false;
    const struct shape_select *query = value->source->query;
    return value->column < query->n_outputs &&
           query->outputs[value->column].value->kind == SHAPE_ROW_NUMBER;
}

bool grain_keeps_first(const struct grain *g,
                       struct shape_value *const *conditions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct shape_value *c = conditions[i];
        if (c->kind == SHAPE_AND && grain_keeps_first(g, c->parts, c->n_parts))
            return true;
        for (size_t k = 0; c->kind == SHAPE_EQUAL && k < c->n_parts; k++)
            if (is_numbered(g, c->parts[k]))
                return true;
    }
    return false;
}

/* The moment that this one is, seen in a zone or without its hours. */
static const struct shape_value *plain_moment(const struct shape_value *value)
{
    for (;;) {
        bool cast = value->kind == SHAPE_OTHER && value->cast.len &&
                    value->form == SHAPE_FORM_NONE && value->n_parts == 1;
        bool shown = value->form == SHAPE_FORM_CALL && value->n_parts == 2 &&
                     (str_is(value->word, "timezone") ||
                      str_is(value->word, "date_trunc"));
        if (shown && value->parts[0]->kind != SHAPE_CONSTANT)
            return value;
        if (!cast && !shown)
            return value;
        value = value->parts[shown];
    }
}

static bool is_moment(const struct grain *g, const struct shape_value *value)
{
    value = plain_moment(value);
    if (value->kind != SHAPE_COLUMN || value->column == SHAPE_WHOLE_ROW ||
        value->source->kind != SHAPE_TABLE)
        return false;
    const struct dataset *d = model_table_dataset(g->catalog, value->source);
    struct str column = value->source->columns[value->column];
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq_nocase(d->fields[i].column, column))
            return d->fields[i].is_time;
    return false;
}

/* closed.day - opened.day: no day is added up, only the time between them. */
static bool is_time_between(const struct grain *g,
                            const struct shape_value *value)
{
    for (size_t i = 0; i < value->n_parts; i++)
        if (!is_moment(g, value->parts[i]))
            return false;
    return value->n_parts == 2;
}

static void addends(struct summing *s, const struct shape_value *value)
{
    if ((value->kind != SHAPE_SUM || is_time_between(s->grain, value)) &&
        value->kind != SHAPE_CHOICE) {
        if (value->kind != SHAPE_CONSTANT)
            add_up(s, value);
        else
            s->measured.counts_rows = true;
        return;
    }
    struct summing parts = *s;
    parts.measured = (struct measure_grain){0};
    for (size_t i = 0; i < value->n_parts; i++)
        addends(&parts, value->parts[i]);
    if (parts.measured.multiplied == MULTIPLIED_SURELY &&
        grain_keeps_first(s->grain, value->aside, value->n_aside))
        parts.measured.multiplied = MULTIPLIED_PERHAPS;
    take(s, parts.measured.multiplied, parts.measured.of,
         parts.measured.culprit);
    s->measured.counts_rows |= parts.measured.counts_rows;
}

struct measure_grain grain_measure(const struct grain *g,
                                   const struct shape_value *measure,
                                   struct shape_value *const *groups,
                                   size_t n_groups, bool counted)
{
    struct summing s = {
        .grain = g, .groups = groups, .n_groups = n_groups, .counted = counted};
    addends(&s, measure);
    return s.measured;
}
