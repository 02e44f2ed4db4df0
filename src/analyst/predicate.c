/* predicate.c - FROM and WHERE of one part.
 *
 * A condition on a dataset above the root stands on its join. One on a dataset
 * that only a bridge below the root reaches becomes EXISTS over that bridge, so
 * that no row of the root is counted twice. */
#include "calendar.h"
#include "compose.h"
#include "field.h"
#include "ontology/columns.h"
#include "sql_text.h"
#include "base/banned.h"

struct str spot_sql(struct query *query, struct spot spot)
{
    struct str problem = {NULL, 0};
    struct str sql =
        field_sql(query->arena, query->o, spot.dataset, spot.field, &problem);
    if (problem.len)
        query_fails(query, arena_printf(query->arena, "%.*s cannot be used: %.*s",
                                        STR_ARG(spot_words(query, spot)),
                                        STR_ARG(problem)));
    return sql;
}

/* ---- joins -------------------------------------------------------------- */

static void put_relation(struct query *query, size_t dataset, struct buf *out)
{
    const struct dataset *d = &query->o->datasets[dataset];
    struct str relation = d->table.len
                              ? arena_printf(query->arena, "%.*s.%.*s",
                                             STR_ARG(sql_name(query->arena, d->schema)),
                                             STR_ARG(sql_name(query->arena, d->table)))
                              : dataset_relation(query->arena, d);
    buf_printf(out, "%.*s AS %.*s", STR_ARG(relation),
               STR_ARG(dataset_alias(query->arena, query->o, dataset)));
}

static void put_link(struct query *query, const struct hop *hop, struct buf *out)
{
    const struct relationship *r = &query->o->relationships[hop->relationship];
    for (size_t i = 0; i < r->from_columns.n; i++) {
        struct str from = column_sql(query->arena, query->o, r->from,
                                     r->from_columns.items[i]);
        struct str to = column_sql(query->arena, query->o, r->to,
                                   r->to_columns.items[i]);
        buf_printf(out, "%s%.*s = %.*s", i ? " AND " : "", STR_ARG(from),
                   STR_ARG(to));
    }
}

/* What lies on the way to what is needed is needed too. */
static void close_needs(const struct query *query, const struct reach *reach,
                        bool *needed)
{
    size_t n = query->o->n_datasets, far = 0;
    for (size_t i = 0; i < n; i++)
        if (needed[i] && reach->distance[i] != SIZE_MAX && reach->distance[i] > far)
            far = reach->distance[i];
    for (; far; far--)
        for (size_t i = 0; i < n; i++)
            if (needed[i] && reach->distance[i] == far)
                needed[reach->hop[i].from] = true;
}

static void put_joins(struct query *query, const struct reach *reach,
                      const bool *needed, size_t but, struct buf *out)
{
    size_t n = query->o->n_datasets;
    for (size_t far = 1; far <= n; far++)
        for (size_t i = 0; i < n; i++) {
            if (!needed[i] || i == but || reach->distance[i] != far)
                continue;
            buf_text(out, "\nLEFT JOIN ");
            put_relation(query, i, out);
            buf_text(out, " ON ");
            put_link(query, &reach->hop[i], out);
        }
}

void put_from(struct query *query, size_t root, bool *needed, struct buf *out)
{
    const struct reach *reach = reach_from(&query->reaches, root);
    close_needs(query, reach, needed);
    put_relation(query, root, out);
    put_joins(query, reach, needed, SIZE_MAX, out);
}

/* ---- values ------------------------------------------------------------- */

struct place {
    const char *names[3];
    bool country;
};

static const struct place places[] = {
#define STATE(a, b, c) {{a, b, c}, false},
#define COUNTRY(a, b, c) {{a, b, c}, true},
#include "places.def"
#undef STATE
#undef COUNTRY
};

static const struct place *place_of(const struct field *field, struct str value)
{
    static const char *const countries[] = {"country", "nation", NULL};
    static const char *const states[] = {"state", "province", "region",
                                         "territory", NULL};
    bool country = name_has(field->name, countries);
    bool state = name_has(field->name, states);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (str_eq_nocase(value, str_of(places[i].names[0])) &&
            (places[i].country ? country : state))
            return &places[i];
    return NULL;
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static struct str lowered(struct query *query, struct str value)
{
    if (is_ascii(value))
        return sql_literal(query->arena, lower_case(query->arena, value));
    return arena_printf(query->arena, "LOWER(%.*s)",
                        STR_ARG(sql_literal(query->arena, value)));
}

static struct str as_text(struct query *query, struct spot spot)
{
    const struct field *field = spot_field(query, spot);
    struct str sql = spot_sql(query, spot);
    bool text = field->datatype.len && field_is_text(field) &&
                !str_eq_nocase(str_cut(field->datatype, 0, 4), STR("enum"));
    return text ? sql
                : arena_printf(query->arena, "CAST(%.*s AS text)", STR_ARG(sql));
}

struct str value_is(struct query *query, struct spot spot, struct str value)
{
    const struct place *place = place_of(spot_field(query, spot), value);
    struct buf out;
    buf_init(&out, query->arena);
    buf_printf(&out, "LOWER(%.*s)", STR_ARG(as_text(query, spot)));
    buf_text(&out, place ? " IN (" : " = ");
    buf_str(&out, lowered(query, value));
    for (size_t i = 1; place && i < 3 && place->names[i]; i++)
        buf_printf(&out, ", '%s'", place->names[i]);
    if (place)
        buf_char(&out, ')');
    return buf_view(&out);
}

static bool is_number_like(const struct field *field, const struct asked_filter *f)
{
    bool all = f->n_values > 0;
    for (size_t i = 0; i < f->n_values; i++)
        all = all && f->values[i].number;
    return all && field_is_number(field);
}

static struct str equality(struct query *query, const struct condition *c)
{
    struct buf out;
    const struct field *field = spot_field(query, c->spot);
    buf_init(&out, query->arena);
    if (is_number_like(field, c->asked)) {
        buf_printf(&out, "%.*s IN (", STR_ARG(spot_sql(query, c->spot)));
        for (size_t i = 0; i < c->asked->n_values; i++)
            buf_printf(&out, "%s%.*s", i ? ", " : "",
                       STR_ARG(c->asked->values[i].text));
        buf_char(&out, ')');
        return buf_view(&out);
    }
    for (size_t i = 0; i < c->asked->n_values; i++) {
        buf_text(&out, i ? " OR " : "");
        buf_str(&out, value_is(query, c->spot, c->asked->values[i].text));
    }
    if (c->asked->n_values < 2)
        return buf_view(&out);
    return arena_printf(query->arena, "(%.*s)", STR_ARG(buf_view(&out)));
}

static struct str likeness(struct query *query, const struct condition *c)
{
    bool front = c->asked->comparison != IS_BEGINS;
    bool back = c->asked->comparison != IS_ENDS;
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < c->asked->n_values; i++) {
        struct str text = sql_like_literal(query->arena, front ? "%" : "",
                                           c->asked->values[i].text,
                                           back ? "%" : "");
        buf_printf(&out, "%s%.*s ILIKE %.*s", i ? " OR " : "(",
                   STR_ARG(as_text(query, c->spot)), STR_ARG(text));
    }
    buf_char(&out, ')');
    return buf_view(&out);
}

/* ---- time --------------------------------------------------------------- */

static struct str anchor(struct query *query, struct spot spot)
{
    struct buf out;
    if (query->from_today)
        return arena_printf(query->arena, "DATE '%.*s'",
                            STR_ARG(date_text(query->arena, query->today)));
    buf_init(&out, query->arena);
    buf_printf(&out, "(SELECT MAX(%.*s) FROM ", STR_ARG(spot_sql(query, spot)));
    put_relation(query, spot.dataset, &out);
    buf_char(&out, ')');
    return buf_view(&out);
}

static struct str relative(struct query *query, const struct window *w,
                           struct spot spot)
{
    struct str when = spot_sql(query, spot);
    const char *unit = unit_words[w->unit];
    struct str start =
        arena_printf(query->arena, "DATE_TRUNC('%s', %.*s)", unit,
                     STR_ARG(anchor(query, spot)));
    size_t step = w->unit == UNIT_QUARTER ? 3 : 1;
    const char *of = w->unit == UNIT_QUARTER ? "month" : unit;
    size_t back = w->relative == RELATIVE_LAST     ? (w->count - 1) * step
                  : w->relative == RELATIVE_BEFORE ? step
                                                   : 0;
    size_t on = w->relative == RELATIVE_BEFORE ? 0 : step;
    struct str from = back ? arena_printf(query->arena, " - INTERVAL '%zu %s'",
                                          back, of)
                           : STR("");
    struct str to = on ? arena_printf(query->arena, " + INTERVAL '%zu %s'", on, of)
                       : STR("");
    return arena_printf(query->arena,
                        "(%.*s >= %.*s%.*s\n  AND %.*s < %.*s%.*s)",
                        STR_ARG(when), STR_ARG(start), STR_ARG(from),
                        STR_ARG(when), STR_ARG(start), STR_ARG(to));
}

static struct str ranges(struct query *query, const struct window *w,
                         struct spot spot)
{
    struct str when = spot_sql(query, spot);
    struct buf out;
    buf_init(&out, query->arena);
    if (w->n > 1)
        buf_char(&out, '(');
    for (size_t i = 0; i < w->n; i++) {
        const struct range *r = &w->ranges[i];
        buf_text(&out, i ? " OR (" : "(");
        if (r->has_from)
            buf_printf(&out, "%.*s >= DATE '%.*s'", STR_ARG(when),
                       STR_ARG(date_text(query->arena, r->from)));
        if (r->has_from && r->has_to)
            buf_text(&out, " AND ");
        if (r->has_to)
            buf_printf(&out, "%.*s < DATE '%.*s'", STR_ARG(when),
                       STR_ARG(date_text(query->arena, r->to)));
        buf_char(&out, ')');
    }
    if (w->n > 1)
        buf_char(&out, ')');
    return buf_view(&out);
}

static struct str within(struct query *query, const struct window *w,
                         struct spot spot)
{
    return w->n ? ranges(query, w, spot) : relative(query, w, spot);
}

/* ---- conditions --------------------------------------------------------- */

/* What a field's condition says, without its negation. */
static struct str plain_condition(struct query *query, const struct condition *c)
{
    static const char *const signs[] = {"=", ">", ">=", "<", "<="};
    const struct asked_filter *asked = c->asked;
    if (asked->kind == FILTER_TIME)
        return within(query, &asked->window, c->spot);
    struct str sql = spot_sql(query, c->spot);
    switch (asked->comparison) {
    case IS:
        return equality(query, c);
    case IS_MISSING:
        return arena_printf(query->arena, "%.*s IS NULL", STR_ARG(sql));
    case IS_TRUE:
        return arena_printf(query->arena, "%.*s IS TRUE", STR_ARG(sql));
    case IS_LIKE:
    case IS_BEGINS:
    case IS_ENDS:
        return likeness(query, c);
    case IS_BETWEEN:
        return arena_printf(query->arena, "%.*s BETWEEN %.*s AND %.*s",
                            STR_ARG(sql), STR_ARG(asked->values[0].text),
                            STR_ARG(asked->values[1].text));
    default:
        return arena_printf(query->arena, "%.*s %s %.*s", STR_ARG(sql),
                            signs[asked->comparison],
                            STR_ARG(asked->values[0].text));
    }
}

/* EXISTS over the bridge below the root that reaches `dataset`. */
static struct str over_bridge(struct query *query, size_t root, size_t dataset,
                              struct str condition)
{
    bool below = reach_has(&query->reaches, dataset, root);
    size_t bridge = below ? dataset : query_bridge(query, root, dataset);
    if (bridge == SIZE_MAX) {
        query_fails(query, STR("two datasets cannot be tied to each other"));
        return STR("FALSE");
    }
    const struct reach *reach = reach_from(&query->reaches, bridge);
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct buf out;
    buf_init(&out, query->arena);
    needed[dataset] = needed[root] = true;
    close_needs(query, reach, needed);
    buf_text(&out, "EXISTS (SELECT 1 FROM ");
    put_relation(query, bridge, &out);
    put_joins(query, reach, needed, root, &out);
    buf_text(&out, "\n    WHERE ");
    put_link(query, &reach->hop[root], &out);
    if (condition.len)
        buf_printf(&out, " AND %.*s", STR_ARG(condition));
    buf_char(&out, ')');
    return buf_view(&out);
}

/* The condition as the root sees it: on a join, or over a bridge. */
static struct str placed(struct query *query, size_t root, size_t dataset,
                         struct str condition, bool *needed)
{
    if (reach_has(&query->reaches, root, dataset)) {
        needed[dataset] = true;
        return condition;
    }
    return over_bridge(query, root, dataset, condition);
}

/* The value is in this field at all: asked of the data by the query itself. */
static struct str holds(struct query *query, struct spot spot, struct str value)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "EXISTS (SELECT 1 FROM ");
    put_relation(query, spot.dataset, &out);
    buf_printf(&out, " WHERE %.*s)", STR_ARG(value_is(query, spot, value)));
    return buf_view(&out);
}

static struct str searched(struct query *query, size_t root,
                           const struct search *s, bool *needed)
{
    struct str value = s->known ? s->literal : s->value;
    struct buf out;
    buf_init(&out, query->arena);
    if (s->n == 1)
        return placed(query, root, s->candidates[0].dataset,
                      value_is(query, s->candidates[0], value), needed);
    buf_text(&out, "CASE");
    for (size_t i = 0; i < s->n; i++) {
        struct str here =
            placed(query, root, s->candidates[i].dataset,
                   value_is(query, s->candidates[i], value), needed);
        buf_printf(&out, "\n    WHEN %.*s THEN %.*s",
                   STR_ARG(holds(query, s->candidates[i], value)),
                   STR_ARG(here));
    }
    buf_text(&out, "\n    ELSE FALSE END");
    return buf_view(&out);
}

static struct str any_search(struct query *query, size_t root,
                             const struct condition *c, bool *needed)
{
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < c->n_searches; i++) {
        buf_text(&out, i ? " OR " : "");
        buf_str(&out, searched(query, root, &c->searches[i], needed));
    }
    if (c->n_searches < 2)
        return buf_view(&out);
    return arena_printf(query->arena, "(%.*s)", STR_ARG(buf_view(&out)));
}

static struct str existence(struct query *query, size_t root,
                            const struct condition *c)
{
    struct str when = {NULL, 0};
    size_t dataset = c->dataset;
    if (window_is_set(&c->asked->window)) {
        when = within(query, &c->asked->window, c->time);
        if (c->time.dataset != dataset &&
            !reach_has(&query->reaches, c->time.dataset, root))
            query_fails(query, STR("the period belongs to another dataset"));
    }
    const struct reach *reach = reach_from(&query->reaches, dataset);
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    struct buf out;
    buf_init(&out, query->arena);
    needed[root] = true;
    if (when.len)
        needed[c->time.dataset] = true;
    close_needs(query, reach, needed);
    buf_text(&out, "EXISTS (SELECT 1 FROM ");
    put_relation(query, dataset, &out);
    put_joins(query, reach, needed, root, &out);
    buf_text(&out, " WHERE ");
    put_link(query, &reach->hop[root], &out);
    if (when.len)
        buf_printf(&out, " AND %.*s", STR_ARG(when));
    buf_char(&out, ')');
    return buf_view(&out);
}

static struct str negated(struct query *query, struct str condition)
{
    if (str_starts(condition, STR("EXISTS ")))
        return arena_printf(query->arena, "NOT %.*s", STR_ARG(condition));
    return arena_printf(query->arena, "(%.*s) IS NOT TRUE", STR_ARG(condition));
}

/* Conditions over one bridge must hold of one row of it: "orders with
 * Electronics over 100 dollars". */
static struct str with_siblings(struct query *query, size_t root, size_t index,
                                bool *done)
{
    const struct condition *c = &query->conditions[index];
    struct str all = plain_condition(query, c);
    bool bridged = !reach_has(&query->reaches, root, c->spot.dataset);
    for (size_t i = index + 1; bridged && i < query->n_conditions; i++) {
        const struct condition *other = &query->conditions[i];
        if (done[i] || other->spot.dataset != c->spot.dataset ||
            other->asked->negated || c->asked->negated)
            continue;
        done[i] = true;
        all = arena_printf(query->arena, "%.*s AND %.*s", STR_ARG(all),
                           STR_ARG(plain_condition(query, other)));
    }
    return all;
}

struct str part_where(struct query *query, size_t part, bool *needed)
{
    size_t root = query->parts[part].root;
    struct spot time = query->parts[part].time;
    bool *done = arena_new_array(query->arena, bool, QUESTION_FILTERS);
    struct buf out;
    buf_init(&out, query->arena);
    if (window_is_set(&query->question.window)) {
        needed[time.dataset] = true;
        buf_str(&out, within(query, &query->question.window, time));
    }
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        struct str sql;
        if (done[i])
            continue;
        if (c->asked->kind == FILTER_SEARCH)
            sql = any_search(query, root, c, needed);
        else if (c->asked->kind == FILTER_EXISTS)
            sql = existence(query, root, c);
        else
            sql = placed(query, root, c->spot.dataset,
                         with_siblings(query, root, i, done), needed);
        if (c->asked->negated)
            sql = negated(query, sql);
        buf_text(&out, out.len ? "\n  AND " : "");
        buf_str(&out, sql);
    }
    return buf_view(&out);
}
