/* value.c - conditions of a field: equal to values, containing text, in a
 * period. */
#include "base/buf.h"
#include "read/calendar.h"
#include "read/field.h"
#include "from.h"
#include "bind/place.h"
#include "sql_text.h"
#include "base/banned.h"

struct str field_ref_sql(struct bound_query *query, struct field_ref ref)
{
    struct str problem = {NULL, 0};
    struct str sql =
        field_sql(query->arena, query->o, ref.dataset, ref.field, &problem);
    if (problem.len)
        query_fails(query, "%.*s cannot be used: %.*s",
                    STR_ARG(field_ref_path(query, ref)), STR_ARG(problem));
    return sql;
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static struct str lower_literal(struct bound_query *query, struct str value)
{
    if (is_ascii(value))
        return sql_literal(query->arena, lower_case(query->arena, value));
    return arena_printf(query->arena, "LOWER(%.*s)",
                        STR_ARG(sql_literal(query->arena, value)));
}

static struct str text_sql(struct bound_query *query, struct field_ref ref)
{
    const struct field *field = field_of_ref(query, ref);
    struct str sql = field_ref_sql(query, ref);
    bool text = field->datatype.len && field_is_text(field) &&
                !str_eq_nocase(str_cut(field->datatype, 0, 4), STR("enum"));
    return text
               ? sql
               : arena_printf(query->arena, "CAST(%.*s AS text)", STR_ARG(sql));
}

struct str value_is(struct bound_query *query, struct field_ref ref,
                    struct str value)
{
    const char *const *others = place_aliases(field_of_ref(query, ref), value);
    struct buf out;
    buf_init(&out, query->arena);
    buf_printf(&out, "LOWER(%.*s)", STR_ARG(text_sql(query, ref)));
    buf_text(&out, *others ? " IN (" : " = ");
    buf_str(&out, lower_literal(query, value));
    for (size_t i = 0; others[i]; i++)
        buf_printf(&out, ", '%s'", others[i]);
    if (*others)
        buf_char(&out, ')');
    return buf_view(&out);
}

static bool is_number_like(const struct field *field,
                           const struct asked_filter *f)
{
    bool all = f->n_values > 0;
    for (size_t i = 0; i < f->n_values; i++)
        all = all && f->values[i].number;
    return all && field_is_number(field);
}

struct str values_are(struct bound_query *query, const struct condition *c)
{
    struct buf out;
    const struct field *field = field_of_ref(query, c->ref);
    buf_init(&out, query->arena);
    if (is_number_like(field, c->asked)) {
        buf_printf(&out, "%.*s IN (", STR_ARG(field_ref_sql(query, c->ref)));
        for (size_t i = 0; i < c->asked->n_values; i++)
            buf_printf(&out, "%s%.*s", i ? ", " : "",
                       STR_ARG(c->asked->values[i].text));
        buf_char(&out, ')');
        return buf_view(&out);
    }
    for (size_t i = 0; i < c->asked->n_values; i++) {
        buf_text(&out, i ? " OR " : "");
        buf_str(&out, value_is(query, c->ref, c->asked->values[i].text));
    }
    if (c->asked->n_values < 2)
        return buf_view(&out);
    return arena_printf(query->arena, "(%.*s)", STR_ARG(buf_view(&out)));
}

struct str values_are_like(struct bound_query *query, const struct condition *c)
{
    bool front = c->asked->comparison != IS_BEGINS;
    bool back = c->asked->comparison != IS_ENDS;
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < c->asked->n_values; i++) {
        struct str text =
            sql_like_literal(query->arena, front ? "%" : "",
                             c->asked->values[i].text, back ? "%" : "");
        buf_printf(&out, "%s%.*s ILIKE %.*s", i ? " OR " : "(",
                   STR_ARG(text_sql(query, c->ref)), STR_ARG(text));
    }
    buf_char(&out, ')');
    return buf_view(&out);
}

/* ---- time --------------------------------------------------------------- */

/* A day as SQL: a date, or its year for a column of years. */
static struct str day_sql(struct bound_query *query, int64_t day, bool year)
{
    if (year)
        return arena_printf(query->arena, "%lld",
                            (long long)date_of_days(day).year);
    return arena_printf(query->arena, "DATE '%.*s'",
                        STR_ARG(date_text(query->arena, day)));
}

static struct str anchor_sql(struct bound_query *query, struct field_ref ref)
{
    struct buf out;
    if (query->from_today)
        return day_sql(query, query->today, false);
    buf_init(&out, query->arena);
    buf_printf(&out, "(SELECT MAX(%.*s) FROM ",
               STR_ARG(field_ref_sql(query, ref)));
    put_relation(query, ref.dataset, &out);
    buf_char(&out, ')');
    return buf_view(&out);
}

/* The ends of a period that counts back from the anchor. */
static void relative_ends(struct bound_query *query, const struct window *w,
                          struct field_ref ref, struct str *first,
                          struct str *last)
{
    const char *unit = unit_words[w->unit];
    struct str start = arena_printf(query->arena, "DATE_TRUNC('%s', %.*s)",
                                    unit, STR_ARG(anchor_sql(query, ref)));
    size_t step = w->unit == UNIT_QUARTER ? 3 : 1;
    const char *of = w->unit == UNIT_QUARTER ? "month" : unit;
    size_t back = w->relative == RELATIVE_LAST     ? (w->count - 1) * step
                  : w->relative == RELATIVE_BEFORE ? step
                                                   : 0;
    size_t on = w->relative == RELATIVE_BEFORE ? 0 : step;
    struct str from =
        back ? arena_printf(query->arena, " - INTERVAL '%zu %s'", back, of)
             : STR("");
    struct str to =
        on ? arena_printf(query->arena, " + INTERVAL '%zu %s'", on, of)
           : STR("");
    *first =
        arena_printf(query->arena, "%.*s%.*s", STR_ARG(start), STR_ARG(from));
    *last = arena_printf(query->arena, "%.*s%.*s", STR_ARG(start), STR_ARG(to));
}

static struct str relative_sql(struct bound_query *query,
                               const struct window *w, struct field_ref ref)
{
    struct str when = field_ref_sql(query, ref), first, last;
    relative_ends(query, w, ref, &first, &last);
    return arena_printf(query->arena, "(%.*s >= %.*s\n  AND %.*s < %.*s)",
                        STR_ARG(when), STR_ARG(first), STR_ARG(when),
                        STR_ARG(last));
}

struct str period_before(struct bound_query *query, const struct window *w,
                         struct field_ref ref)
{
    struct str when = field_ref_sql(query, ref), first, last;
    if (w->n) {
        first = day_sql(query, w->ranges[0].from, false);
        last = day_sql(query, w->ranges[0].to, false);
    } else {
        relative_ends(query, w, ref, &first, &last);
    }
    /* Ends at the same day of the year as the data. */
    return arena_printf(
        query->arena,
        "(%.*s >= %.*s - INTERVAL '1 year'\n  AND %.*s < "
        "LEAST(%.*s, DATE_TRUNC('day', %.*s) + INTERVAL '1 day') "
        "- INTERVAL '1 year')",
        STR_ARG(when), STR_ARG(first), STR_ARG(when), STR_ARG(last),
        STR_ARG(anchor_sql(query, ref)));
}

static struct str ranges_sql(struct bound_query *query, const struct window *w,
                             struct field_ref ref, bool year)
{
    struct str when = field_ref_sql(query, ref);
    bool several = w->n > 1 || year;
    struct buf out;
    buf_init(&out, query->arena);
    if (year)
        when =
            arena_printf(query->arena, "CAST(%.*s AS integer)", STR_ARG(when));
    buf_text(&out, several ? "(" : "");
    for (size_t i = 0; i < w->n; i++) {
        const struct range *r = &w->ranges[i];
        buf_text(&out, i ? " OR (" : "(");
        if (r->has_from)
            buf_printf(&out, "%.*s >= %.*s", STR_ARG(when),
                       STR_ARG(day_sql(query, r->from, year)));
        if (r->has_from && r->has_to)
            buf_text(&out, " AND ");
        if (r->has_to)
            buf_printf(&out, "%.*s < %.*s", STR_ARG(when),
                       STR_ARG(day_sql(query, r->to, year)));
        buf_char(&out, ')');
    }
    buf_text(&out, several ? ")" : "");
    return buf_view(&out);
}

struct str period_is(struct bound_query *query, const struct window *w,
                     struct field_ref ref)
{
    bool year = !field_is_date(field_of_ref(query, ref));
    return w->n ? ranges_sql(query, w, ref, year) : relative_sql(query, w, ref);
}
