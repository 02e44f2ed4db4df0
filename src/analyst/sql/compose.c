/* compose.c - the whole query: shares, conditions on groups, a top n within
 * each group, and the order, as layers around the grouped query. */
#include "compose.h"
#include "from.h"
#include "read/field.h"
#include "read/person.h"
#include "sql_text.h"
#include "base/banned.h"

static struct str first_measure(struct bound_query *query)
{
    return column_name(query, query_output(query, 0));
}

static struct str with_share(struct bound_query *query, struct str sql)
{
    struct str m = column_name(query, query->measures[0].formula.name);
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "SELECT ");
    for (size_t i = 0; i < query->n_dimensions; i++)
        buf_printf(&out, "q.%.*s, ",
                   STR_ARG(column_name(query, query->dimensions[i].name)));
    for (size_t i = 0; query_is_parted(query) && i < query->n_dimensions; i++)
        for (size_t k = 0; k < dimension_keys(query, &query->dimensions[i]);
             k++)
            buf_printf(&out, "q.%.*s, ",
                       STR_ARG(dimension_key_name(query, i, k)));
    buf_printf(&out,
               "100.0 * q.%.*s / NULLIF(SUM(q.%.*s) OVER (), 0) AS "
               "share_percent\nFROM (\n%.*s\n) AS q",
               STR_ARG(m), STR_ARG(m), STR_ARG(sql));
    return buf_view(&out);
}

static struct str with_havings(struct bound_query *query, struct str sql)
{
    static const char *const signs[] = {"=", ">", ">=", "<", "<="};
    struct buf out;
    buf_init(&out, query->arena);
    buf_printf(&out, "SELECT q.*\nFROM (\n%.*s\n) AS q", STR_ARG(sql));
    for (size_t i = 0; i < query->question.n_havings; i++) {
        const struct asked_having *h = &query->question.havings[i];
        struct str m =
            column_name(query, query->measures[query->having[i]].formula.name);
        buf_printf(&out, "%s q.%.*s ", i ? "\n  AND" : "\nWHERE", STR_ARG(m));
        if (h->comparison == IS_BETWEEN)
            buf_printf(&out, "BETWEEN %.*s AND %.*s", STR_ARG(h->number),
                       STR_ARG(h->number2));
        else
            buf_printf(&out, "%s %.*s", signs[h->comparison],
                       STR_ARG(h->number));
    }
    return buf_view(&out);
}

/* The window over which the measure ranks: all rows, or those of one group. */
static void put_ranking(struct bound_query *query, struct buf *out)
{
    const char *joint = "PARTITION BY ", *end = "";
    for (size_t i = 0; query_is_parted(query) && i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        if (d->ranked || d->beside)
            continue;
        buf_printf(out, "%sq.%.*s", joint,
                   STR_ARG(column_name(query, d->name)));
        for (size_t k = 0; k < dimension_keys(query, d); k++)
            buf_printf(out, ", q.%.*s",
                       STR_ARG(dimension_key_name(query, i, k)));
        joint = ", ";
        end = "\n  ";
    }
    buf_printf(out, "%sORDER BY q.%.*s %s NULLS LAST", end,
               STR_ARG(first_measure(query)),
               query->question.top.lowest ? "ASC" : "DESC");
}

static struct str with_places(struct bound_query *query, struct str sql)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "SELECT ");
    struct str_list columns = query_columns(query, FORM_ANSWER);
    for (size_t i = 0; i < columns.n; i++)
        buf_printf(&out, "%sp.%.*s", i ? ", " : "",
                   STR_ARG(column_name(query, columns.items[i])));
    buf_text(&out, "\nFROM (\nSELECT q.*, ROW_NUMBER() OVER (");
    put_ranking(query, &out);
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (query->dimensions[i].ranked)
            buf_printf(&out, ", q.%.*s",
                       STR_ARG(column_name(query, query->dimensions[i].name)));
    buf_printf(&out,
               ") AS place\nFROM (\n%.*s\n) AS q\n) AS p\nWHERE p.place <= %zu",
               STR_ARG(sql), query->question.top.n);
    return buf_view(&out);
}

/* Counts the rows after the first n that equal the n-th. */
static struct str count_of_ties(struct bound_query *query, struct str sql)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "SELECT COUNT(*) AS ties\nFROM (\nSELECT RANK() OVER (");
    put_ranking(query, &out);
    buf_text(&out, ") AS rank,\n  ROW_NUMBER() OVER (");
    put_ranking(query, &out);
    buf_printf(&out,
               ") AS place\nFROM (\n%.*s\n) AS q\n) AS p\n"
               "WHERE p.rank <= %zu AND p.place > %zu",
               STR_ARG(sql), query->question.top.n, query->question.top.n);
    return buf_view(&out);
}

/* Counts those that are in no group, because no row is theirs. */
static struct str count_of_absent(struct bound_query *query, struct str sql)
{
    const struct dimension *d = &query->dimensions[query_absent(query)];
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "SELECT (SELECT COUNT(");
    if (d->things)
        buf_char(&out, '*');
    else
        buf_printf(&out, "DISTINCT %.*s",
                   STR_ARG(field_ref_sql(query, d->ref)));
    buf_text(&out, ") FROM ");
    put_from(query, d->ref.dataset, needed, NULL, &out);
    buf_printf(&out,
               ") - (SELECT COUNT(*) FROM (\n%.*s\n) AS q "
               "WHERE q.%.*s IS NOT NULL) AS absent",
               STR_ARG(sql), STR_ARG(column_name(query, d->name)));
    return buf_view(&out);
}

static bool is_timely(const struct dimension *d)
{
    return !d->beside && (d->is_time || d->is_year);
}

/* By what it is to be sorted by, then by the columns from the left. */
static void put_list_order(struct bound_query *query, struct buf *out)
{
    const char *joint = "\nORDER BY ";
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < query->n_dimensions; i++) {
            const struct dimension *d = &query->dimensions[i];
            if (d->sorts != (pass == 0))
                continue;
            buf_printf(out, "%s%.*s%s", joint,
                       STR_ARG(column_name(query, d->name)),
                       d->falling ? " DESC NULLS LAST" : "");
            joint = ", ";
        }
    for (size_t k = 0; k < dimension_keys(query, &query->dimensions[0]); k++)
        buf_printf(out, ", %.*s",
                   STR_ARG(dimension_key(query, &query->dimensions[0], k)));
}

static void put_order(struct bound_query *query, bool plain, struct buf *out)
{
    const struct question *q = &query->question;
    bool by_name = q->sort_by_name.len, parted = query_is_parted(query);
    bool first = true, only_time = true;
    const char *joint = "\nORDER BY ";
    for (size_t i = 0; i < query->n_dimensions; i++)
        only_time =
            only_time && !q->top.ranked &&
            (is_timely(&query->dimensions[i]) || query->dimensions[i].beside);
    for (size_t pass = 0; pass < 3; pass++) {
        /* Time and groups come first, then the measure, then the rest. */
        if (pass == 1 && !by_name && !only_time) {
            buf_printf(out, "%s%.*s %s NULLS LAST", first ? joint : ", ",
                       STR_ARG(first_measure(query)),
                       q->top.lowest ? "ASC" : "DESC");
            first = false;
        }
        for (size_t i = 0; i < query->n_dimensions && pass != 1; i++) {
            const struct dimension *d = &query->dimensions[i];
            bool early = by_name || (is_timely(d) && !q->top.ranked) ||
                         (parted && !d->ranked);
            if (early != (pass == 0) || d->beside)
                continue;
            buf_printf(out, "%s%.*s", first ? joint : ", ",
                       STR_ARG(column_name(query, d->name)));
            first = false;
        }
    }
    /* The key keeps rows of the same name in one order. */
    for (size_t i = 0; plain && i < query->n_dimensions; i++)
        for (size_t k = 0; k < dimension_keys(query, &query->dimensions[i]);
             k++)
            buf_printf(out, ", %.*s",
                       STR_ARG(dimension_key(query, &query->dimensions[i], k)));
}

struct str query_sql(struct bound_query *query, enum query_form form)
{
    const struct question *q = &query->question;
    if (form == FORM_KEYS)
        return groups_keys(query);
    if (form == FORM_OVER)
        return groups_over(query);
    struct str sql = query->n_parts > 1 ? groups_several(query, form)
                                        : groups_single(query, form);
    bool plain = query->n_parts == 1;
    if (form == FORM_TOTAL)
        return sql;
    if (form == FORM_ABSENT)
        return count_of_absent(query, sql);
    if (q->share)
        sql = with_share(query, sql);
    if (q->n_havings)
        sql = with_havings(query, sql);
    if (form == FORM_TIES)
        return count_of_ties(query, sql);
    if (query_is_parted(query))
        sql = with_places(query, sql);
    plain = plain && !q->share && !q->n_havings && !query_is_parted(query);
    struct buf out;
    buf_init(&out, query->arena);
    buf_str(&out, sql);
    if (q->lists)
        put_list_order(query, &out);
    else if (query->n_dimensions)
        put_order(query, plain, &out);
    size_t limit = query_is_parted(query) ? 0 : q->top.n;
    if (form == FORM_PILOT && (!limit || limit > PILOT_ROWS))
        limit = PILOT_ROWS;
    if (limit && query->n_dimensions)
        buf_printf(&out, "\nLIMIT %zu", limit);
    else if (form == FORM_PILOT)
        buf_printf(&out, "\nLIMIT %d", PILOT_ROWS);
    return buf_view(&out);
}

/* ---- where a value is --------------------------------------------------- */

static void put_lookup(struct bound_query *query, const struct value_search *s,
                       size_t i, struct buf *out)
{
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct field_ref ref = s->candidates[i];
    buf_printf(out,
               "%sSELECT %zu AS place, %.*s AS value, %.*s AS field, "
               "COUNT(*) AS matches\nFROM ",
               out->len ? "\nUNION ALL " : "", i + 1,
               STR_ARG(sql_literal(query->arena, s->value)),
               STR_ARG(sql_literal(query->arena, field_ref_path(query, ref))));
    put_from(query, ref.dataset, needed, NULL, out);
    buf_printf(out, " WHERE %.*s", STR_ARG(value_is(query, ref, s->value)));
}

/* The field is not known, or it is the name of persons, of whom several may be
 * called so. */
static bool search_is_open(const struct bound_query *query,
                           const struct value_search *s)
{
    if (!s->known)
        return true;
    struct field_ref ref = s->candidates[0];
    const struct dataset *d = &query->o->datasets[ref.dataset];
    return !s->coded && dataset_label(d) == ref.field && d->primary_key.n &&
           !dataset_unique(d, &d->fields[ref.field]) &&
           is_persons(query->arena, d);
}

struct str query_lookup(struct bound_query *query)
{
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        for (size_t j = 0; j < c->n_searches; j++)
            for (size_t k = 0;
                 search_is_open(query, &c->searches[j]) && k < c->searches[j].n;
                 k++)
                put_lookup(query, &c->searches[j], k, &out);
    }
    if (!out.len)
        return STR("");
    return arena_printf(query->arena,
                        "SELECT value, field, matches\nFROM (\n%.*s\n) AS found"
                        "\nORDER BY value, place",
                        STR_ARG(buf_view(&out)));
}
