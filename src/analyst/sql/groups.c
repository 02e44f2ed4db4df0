/* groups.c - the grouped query, the innermost layer.
 *
 * One part is one grouped SELECT. Each of several parts is a common table
 * expression; `groups` is the union of their groups, to which each is
 * joined. */
#include "compose.h"
#include "from.h"
#include "read/field.h"
#include "sql_text.h"
#include "base/banned.h"

/* ---- columns ------------------------------------------------------------ */

/* A list shows the things and not how many they are. */
static bool is_wanted(const struct bound_query *query, size_t measure,
                      enum query_form form)
{
    bool lists = query->question.lists;
    return form == FORM_TOTAL ? lists || query->measures[measure].adds : !lists;
}

struct str_list query_columns(const struct bound_query *query,
                              enum query_form form)
{
    struct str_list list = {NULL, 0};
    list.items = arena_new_array(query->arena, struct str,
                                 query->n_dimensions + query->n_measures + 3);
    if (form == FORM_TIES) {
        list.items[list.n++] = STR("ties");
        return list;
    }
    if (form == FORM_ABSENT) {
        list.items[list.n++] = STR("absent");
        return list;
    }
    if (form == FORM_OVER) {
        list.items[list.n++] = STR("over_all");
        list.items[list.n++] = STR("of_all");
        list.items[list.n++] = STR("of_these");
        return list;
    }
    if (form == FORM_KEYS) {
        list.items[list.n++] = STR("joined_rows");
        list.items[list.n++] = STR("own_rows");
        return list;
    }
    for (size_t i = 0; form != FORM_TOTAL && i < query->n_dimensions; i++)
        list.items[list.n++] = query->dimensions[i].name;
    for (size_t i = 0; i < query->n_measures; i++)
        if (is_wanted(query, i, form))
            list.items[list.n++] = query_output(query, i);
    return list;
}

struct str query_output(const struct bound_query *query, size_t measure)
{
    return query->question.share ? STR("share_percent")
                                 : query->measures[measure].formula.name;
}

bool query_is_parted(const struct bound_query *query)
{
    size_t ranked = 0;
    for (size_t i = 0; i < query->n_dimensions; i++)
        ranked += query->dimensions[i].ranked;
    return query->question.top.n && ranked && ranked < query_groups(query);
}

bool query_has_total(const struct bound_query *query)
{
    if (!query->n_dimensions || query->question.n_havings ||
        query->question.share)
        return false;
    for (size_t i = 0; i < query->n_measures; i++)
        if (query->measures[i].adds)
            return true;
    return query->question.lists;
}

struct str column_name(struct bound_query *query, struct str name)
{
    return sql_name(query->arena, name);
}

static struct str contrast_sql(struct bound_query *query, size_t part,
                               const struct dimension *d)
{
    bool *scratch = arena_new_array(query->arena, bool, query->o->n_datasets);
    bool side = d->contrast == CONTRAST_SIDE;
    struct str condition = side ? part_side(query, part, scratch)
                                : period_is(query, &query->question.window,
                                            query->parts[part].time);
    struct str here = side ? query->side->asked->values[0].text : STR("now");
    struct str else_where = side ? STR("all others") : STR("a year before");
    return arena_printf(query->arena, "CASE WHEN %.*s THEN %.*s ELSE %.*s END",
                        STR_ARG(condition),
                        STR_ARG(sql_literal(query->arena, here)),
                        STR_ARG(sql_literal(query->arena, else_where)));
}

/* The hour, or the name of the day of the week. */
static struct str date_part_sql(struct bound_query *query,
                                const struct dimension *d, struct str when)
{
    struct buf out;
    if (d->part == PART_HOUR)
        return arena_printf(query->arena, "EXTRACT(HOUR FROM %.*s)",
                            STR_ARG(when));
    buf_init(&out, query->arena);
    buf_printf(&out, "CASE %.*s", STR_ARG(weekday_sql(query, when)));
    for (int day = 0; day < 7; day++)
        buf_printf(&out, " WHEN %d THEN '%s'", day + 1, weekday_names[day]);
    buf_text(&out, " END");
    return buf_view(&out);
}

/* A dimension as SQL, for the rows of one part. */
static struct str dimension_sql(struct bound_query *query,
                                const struct part *part,
                                const struct dimension *d)
{
    if (d->contrast)
        return contrast_sql(query, (size_t)(part - query->parts), d);
    if (d->part)
        return date_part_sql(query, d, field_ref_sql(query, part->time));
    if (d->grain)
        return arena_printf(query->arena, "DATE_TRUNC('%s', %.*s)::date",
                            unit_words[d->grain],
                            STR_ARG(field_ref_sql(query, part->time)));
    if (d->of_names) {
        struct field_ref ref = {d->ref.dataset, FULL_NAME};
        struct str name = full_name_sql(query, ref);
        /* Rows that belong to no one have an empty name, which is none. */
        return part->root == d->ref.dataset
                   ? name
                   : arena_printf(query->arena, "NULLIF(%.*s, '')",
                                  STR_ARG(name));
    }
    struct str sql = field_ref_sql(query, d->ref);
    if (d->is_time &&
        !str_eq_nocase(field_of_ref(query, d->ref)->datatype, STR("date")))
        return arena_printf(query->arena, "%.*s::date", STR_ARG(sql));
    return sql;
}

struct str dimension_key(struct bound_query *query, const struct dimension *d,
                         size_t i)
{
    const struct dataset *dataset = &query->o->datasets[d->ref.dataset];
    return column_sql(query->arena, query->o, d->ref.dataset,
                      dataset->primary_key.items[i]);
}

size_t dimension_keys(const struct bound_query *query,
                      const struct dimension *d)
{
    return d->things ? query->o->datasets[d->ref.dataset].primary_key.n : 0;
}

/* COUNT(*) of a dataset that is not the root any more, by its key. */
static struct str count_of_keys(struct bound_query *query, size_t dataset)
{
    const struct dataset *d = &query->o->datasets[dataset];
    struct buf keys;
    buf_init(&keys, query->arena);
    for (size_t i = 0; i < d->primary_key.n; i++)
        buf_printf(&keys, "%s%.*s", i ? ", " : "",
                   STR_ARG(column_sql(query->arena, query->o, dataset,
                                      d->primary_key.items[i])));
    if (d->primary_key.n == 1)
        return arena_printf(query->arena, "COUNT(DISTINCT %.*s)",
                            STR_ARG(buf_view(&keys)));
    return arena_printf(
        query->arena, "COUNT(DISTINCT (%.*s)) FILTER (WHERE %.*s IS NOT NULL)",
        STR_ARG(buf_view(&keys)),
        STR_ARG(column_sql(query->arena, query->o, dataset,
                           d->primary_key.items[0])));
}

static struct str aggregate_sql(struct bound_query *query,
                                const struct part *part,
                                const struct aggregate *a)
{
    bool elsewhere = a->rows && part->root != a->grain;
    return elsewhere ? count_of_keys(query, a->grain) : a->sql;
}

/* ---- one part ----------------------------------------------------------- */

static void need_columns(struct bound_query *query, size_t part,
                         enum query_form form, bool *needed)
{
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        for (size_t j = 0; is_wanted(query, i, form) && j < m->formula.n; j++)
            for (size_t d = 0; m->part[j] == part && d < query->o->n_datasets;
                 d++)
                needed[d] = needed[d] || m->formula.aggregates[j].uses[d];
    }
    for (size_t i = 0; i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        if (form == FORM_TOTAL && !d->ranked) /* nor what is next to it */
            continue;
        if (d->contrast == CONTRAST_SIDE)
            part_side(query, part, needed);
        else if (d->grain || d->contrast)
            needed[query->parts[part].time.dataset] = true;
        else
            needed[d->ref.dataset] = true;
    }
}

void part_needs(struct bound_query *query, size_t part, bool *needed)
{
    need_columns(query, part, FORM_ANSWER, needed);
    part_where(query, part, needed, NULL);
}

/* Rows that belong to none of what is ranked have no place in the ranking:
 * publications without a conference are not the first of the conferences, nor of
 * the total that the first ones are a part of. */
static void put_contestants(struct bound_query *query, size_t part, bool first,
                            struct buf *out)
{
    const struct part *p = &query->parts[part];
    for (size_t i = 0; i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        bool rows =
            !d->grain && d->ref.dataset == p->root && (d->things || d->unique);
        if (!d->ranked || d->contrast || rows)
            continue;
        struct str sql = dimension_keys(query, d) ? dimension_key(query, d, 0)
                                                  : dimension_sql(query, p, d);
        buf_printf(out, "%s%.*s IS NOT NULL", first ? "\nWHERE " : "\n  AND ",
                   STR_ARG(sql));
        first = false;
    }
}

/* FROM, WHERE and GROUP BY, for columns that begin with the dimensions. */
static void put_tail(struct bound_query *query, size_t part,
                     enum query_form form, struct buf *out)
{
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    need_columns(query, part, form, needed);
    bool *matched = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct str where = part_where(query, part, needed, matched);
    buf_text(out, "\nFROM ");
    put_from(query, query->parts[part].root, needed, matched, out);
    if (where.len)
        buf_printf(out, "\nWHERE %.*s", STR_ARG(where));
    put_contestants(query, part, where.len == 0, out);
    if (form == FORM_TOTAL || !query->n_dimensions)
        return;
    buf_text(out, "\nGROUP BY ");
    for (size_t i = 0; i < query->n_dimensions; i++) {
        buf_printf(out, "%s%zu", i ? ", " : "", i + 1);
        for (size_t k = 0; k < dimension_keys(query, &query->dimensions[i]);
             k++)
            buf_printf(out, ", %.*s",
                       STR_ARG(dimension_key(query, &query->dimensions[i], k)));
    }
}

bool query_has_keys(const struct bound_query *query)
{
    return query->n_parts == 1 &&
           query->o->datasets[query->parts[0].root].primary_key.n;
}

/* The columns, of all joined rows of the only part. */
static struct str of_joined_rows(struct bound_query *query, struct str columns)
{
    struct buf out;
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    buf_init(&out, query->arena);
    need_columns(query, 0, FORM_ANSWER, needed);
    bool *matched = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct str where = part_where(query, 0, needed, matched);
    buf_printf(&out, "SELECT %.*s\nFROM ", STR_ARG(columns));
    put_from(query, query->parts[0].root, needed, matched, &out);
    if (where.len)
        buf_printf(&out, "\nWHERE %.*s", STR_ARG(where));
    return buf_view(&out);
}

struct str groups_keys(struct bound_query *query)
{
    struct str keys = count_of_keys(query, query->parts[0].root);
    return of_joined_rows(
        query, arena_printf(query->arena,
                            "COUNT(*) AS joined_rows,\n  %.*s AS own_rows",
                            STR_ARG(keys)));
}

struct str groups_over(struct bound_query *query)
{
    const struct formula *f = &query->measures[0].formula;
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct str *calls = arena_new_array(query->arena, struct str, f->n);
    struct buf all;
    for (size_t i = 0; i < f->n; i++)
        calls[i] = aggregate_sql(query, &query->parts[0], &f->aggregates[i]);
    struct str these = calls[f->n - 1];
    buf_init(&all, query->arena);
    buf_text(&all, "(SELECT COUNT(*) FROM ");
    put_from(query, query_over(query), needed, NULL, &all);
    buf_char(&all, ')');
    calls[f->n - 1] = buf_view(&all);
    return of_joined_rows(
        query,
        arena_printf(query->arena,
                     "%.*s AS over_all,\n  %.*s AS of_all,\n  %.*s AS of_these",
                     STR_ARG(formula_sql(query->arena, f, calls)),
                     STR_ARG(buf_view(&all)), STR_ARG(these)));
}

static void put_item(struct bound_query *query, struct str sql, struct str name,
                     bool first, struct buf *out)
{
    buf_printf(out, "%s%.*s AS %.*s", first ? "" : ",\n  ", STR_ARG(sql),
               STR_ARG(column_name(query, name)));
}

struct str dimension_key_name(struct bound_query *query, size_t dimension,
                              size_t key)
{
    return arena_printf(query->arena, "k%zu_%zu", dimension + 1, key + 1);
}

static void put_keys(struct bound_query *query, struct buf *out)
{
    for (size_t i = 0; i < query->n_dimensions; i++)
        for (size_t k = 0; k < dimension_keys(query, &query->dimensions[i]);
             k++)
            put_item(query, dimension_key(query, &query->dimensions[i], k),
                     dimension_key_name(query, i, k), false, out);
}

static void put_dimensions(struct bound_query *query, size_t part,
                           struct buf *out)
{
    for (size_t i = 0; i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        put_item(query, dimension_sql(query, &query->parts[part], d), d->name,
                 i == 0, out);
    }
}

struct str groups_single(struct bound_query *query, enum query_form form)
{
    struct buf out;
    bool first = form == FORM_TOTAL || !query->n_dimensions;
    buf_init(&out, query->arena);
    buf_text(&out, "SELECT ");
    if (form != FORM_TOTAL)
        put_dimensions(query, 0, &out);
    if (form != FORM_TOTAL && query_is_parted(query))
        put_keys(query, &out);
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        struct str *calls =
            arena_new_array(query->arena, struct str, m->formula.n);
        if (!is_wanted(query, i, form))
            continue;
        for (size_t j = 0; j < m->formula.n; j++)
            calls[j] = aggregate_sql(query, &query->parts[0],
                                     &m->formula.aggregates[j]);
        put_item(query, formula_sql(query->arena, &m->formula, calls),
                 m->formula.name, first, &out);
        first = false;
    }
    put_tail(query, 0, form, &out);
    return buf_view(&out);
}

/* ---- several parts ------------------------------------------------------ */

static struct str part_name(struct bound_query *query, size_t part)
{
    return arena_printf(query->arena, "part_%zu", part + 1);
}

static struct str call_name(struct bound_query *query, size_t measure,
                            size_t aggregate)
{
    return arena_printf(query->arena, "m%zu_%zu", measure + 1, aggregate + 1);
}

/* Parts that no wanted measure uses are omitted. */
static bool part_is_used(const struct bound_query *query, size_t part,
                         enum query_form form)
{
    for (size_t i = 0; i < query->n_measures; i++)
        for (size_t j = 0; j < query->measures[i].formula.n; j++)
            if (is_wanted(query, i, form) && query->measures[i].part[j] == part)
                return true;
    return false;
}

static void put_part(struct bound_query *query, size_t part,
                     enum query_form form, struct buf *out)
{
    bool first = form == FORM_TOTAL || !query->n_dimensions;
    buf_printf(out, "%.*s AS (\nSELECT ", STR_ARG(part_name(query, part)));
    if (form != FORM_TOTAL)
        put_dimensions(query, part, out);
    if (form != FORM_TOTAL)
        put_keys(query, out);
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        for (size_t j = 0; j < m->formula.n; j++) {
            if (m->part[j] != part || !is_wanted(query, i, form))
                continue;
            put_item(query,
                     aggregate_sql(query, &query->parts[part],
                                   &m->formula.aggregates[j]),
                     call_name(query, i, j), first, out);
            first = false;
        }
    }
    put_tail(query, part, form, out);
    buf_text(out, "\n)");
}

/* The columns that identify a group: the dimensions and their keys. */
static struct str_list group_columns(struct bound_query *query)
{
    struct str_list list = {NULL, 0};
    size_t most = query->n_dimensions;
    for (size_t i = 0; i < query->n_dimensions; i++)
        most += dimension_keys(query, &query->dimensions[i]);
    list.items = arena_new_array(query->arena, struct str, most);
    for (size_t i = 0; i < query->n_dimensions; i++)
        list.items[list.n++] = column_name(query, query->dimensions[i].name);
    for (size_t i = 0; i < query->n_dimensions; i++)
        for (size_t k = 0; k < dimension_keys(query, &query->dimensions[i]);
             k++)
            list.items[list.n++] = dimension_key_name(query, i, k);
    return list;
}

static void put_groups(struct bound_query *query, struct str_list columns,
                       enum query_form form, struct buf *out)
{
    bool first = true;
    buf_text(out, ",\ngroups AS (");
    for (size_t p = 0; p < query->n_parts; p++) {
        if (!part_is_used(query, p, form))
            continue;
        buf_text(out, first ? "\nSELECT " : "\nUNION SELECT ");
        for (size_t i = 0; i < columns.n; i++)
            buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(columns.items[i]));
        buf_printf(out, " FROM %.*s", STR_ARG(part_name(query, p)));
        first = false;
    }
    buf_text(out, "\n)");
}

static void put_measures(struct bound_query *query, enum query_form form,
                         bool first, struct buf *out)
{
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        struct str *calls =
            arena_new_array(query->arena, struct str, m->formula.n);
        if (!is_wanted(query, i, form))
            continue;
        for (size_t j = 0; j < m->formula.n; j++) {
            struct str name = call_name(query, i, j);
            struct str part = part_name(query, m->part[j]);
            bool zero = m->formula.aggregates[j].counts;
            calls[j] = arena_printf(
                query->arena, zero ? "COALESCE(%.*s.%.*s, 0)" : "%.*s.%.*s",
                STR_ARG(part), STR_ARG(name));
        }
        put_item(query, formula_sql(query->arena, &m->formula, calls),
                 m->formula.name, first, out);
        first = false;
    }
}

static void put_part_joins(struct bound_query *query, struct str_list columns,
                           enum query_form form, struct buf *out)
{
    bool first = true;
    for (size_t p = 0; p < query->n_parts; p++) {
        struct str name = part_name(query, p);
        if (!part_is_used(query, p, form))
            continue;
        if (!columns.n) {
            buf_printf(out, "%s%.*s", first ? "\nFROM " : "\nCROSS JOIN ",
                       STR_ARG(name));
            first = false;
            continue;
        }
        buf_printf(out, "%s\nLEFT JOIN %.*s ON ", first ? "\nFROM groups" : "",
                   STR_ARG(name));
        first = false;
        for (size_t i = 0; i < columns.n; i++)
            buf_printf(out, "%sgroups.%.*s IS NOT DISTINCT FROM %.*s.%.*s",
                       i ? "\n  AND " : "", STR_ARG(columns.items[i]),
                       STR_ARG(name), STR_ARG(columns.items[i]));
    }
}

struct str groups_several(struct bound_query *query, enum query_form form)
{
    bool grouped = form != FORM_TOTAL && query->n_dimensions, first = true;
    struct str_list columns = {NULL, 0};
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "WITH ");
    for (size_t p = 0; p < query->n_parts; p++) {
        if (!part_is_used(query, p, form))
            continue;
        buf_text(&out, first ? "" : ",\n");
        put_part(query, p, form, &out);
        first = false;
    }
    if (grouped) {
        columns = group_columns(query);
        put_groups(query, columns, form, &out);
    }
    buf_text(&out, "\nSELECT ");
    size_t n = query_is_parted(query) ? columns.n : query->n_dimensions;
    for (size_t i = 0; grouped && i < n; i++)
        buf_printf(&out, "%sgroups.%.*s", i ? ",\n  " : "",
                   STR_ARG(columns.items[i]));
    put_measures(query, form, !grouped, &out);
    put_part_joins(query, columns, form, &out);
    return buf_view(&out);
}
