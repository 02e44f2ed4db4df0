/* describe.c - a bound query in words, for plans and answers. */
#include "analysis.h"
#include "read/calendar.h"
#include "sql/compose.h"
#include "sql/from.h"
#include <string.h>
#include "base/banned.h"

static void put_joined(struct buf *out, struct str text, size_t i, size_t n)
{
    buf_text(out, i == 0 ? "" : i + 1 == n ? " and " : ", ");
    buf_str(out, text);
}

struct str measures_words(const struct bound_query *query)
{
    struct buf out;
    buf_init(&out, query->arena);
    if (query->question.lists)
        return query->question.measures[0].function == FUNCTION_DISTINCT
                   ? arena_printf(query->arena, "different %.*s",
                                  STR_ARG(query->dimensions[0].words))
                   : query->dimensions[0].words;
    if (query->question.share)
        buf_text(&out, "share of ");
    for (size_t i = 0; i < query->n_measures; i++)
        put_joined(&out, query->measures[i].formula.words, i,
                   query->n_measures);
    return buf_view(&out);
}

struct str dimension_words(const struct bound_query *query, size_t dimension)
{
    const struct dimension *d = &query->dimensions[dimension];
    if (d->grain || d->contrast)
        return d->words;
    return singular(query->arena, d->words);
}

/* ", only Saturday and Sunday" */
static void put_weekdays(const struct window *w, struct buf *out)
{
    size_t n = 0, at = 0;
    for (int day = 0; day < 7; day++)
        n += (w->weekdays >> day) & 1;
    if (n)
        buf_text(out, out->len ? ", only " : "only ");
    for (int day = 0; day < 7; day++)
        if (w->weekdays >> day & 1)
            put_joined(out, str_of(weekday_names[day]), at++, n);
}

struct str window_words(const struct bound_query *query)
{
    const struct window *w = &query->question.window;
    struct arena *arena = query->arena;
    struct buf out;
    buf_init(&out, arena);
    if (w->relative) /* its days depend on the data: tell/period_told.c */
        buf_str(&out, w->words);
    for (size_t i = 0; i < w->n; i++) {
        const struct range *r = &w->ranges[i];
        buf_text(&out, i ? " and " : "");
        if (r->has_from && r->has_to && r->to == r->from + 1)
            buf_str(&out, date_text(arena, r->from));
        else if (r->has_from && r->has_to)
            buf_printf(&out, "%.*s to %.*s", STR_ARG(date_text(arena, r->from)),
                       STR_ARG(date_text(arena, r->to - 1)));
        else if (r->has_from)
            buf_printf(&out, "from %.*s on",
                       STR_ARG(date_text(arena, r->from)));
        else
            buf_printf(&out, "until %.*s",
                       STR_ARG(date_text(arena, r->to - 1)));
    }
    put_weekdays(w, &out);
    return buf_view(&out);
}

static const char *comparison_word(enum filter_comparison comparison,
                                   bool negated)
{
    static const char *const words[] = {
        "is",         "is over",    "is at least", "is under",
        "is at most", "is between", "contains",    "begins with",
        "ends with",  "is missing", "is true"};
    static const char *const others[] = {
        "is not",           "is not over",         "is less than",
        "is not under",     "is more than",        "is not between",
        "does not contain", "does not begin with", "does not end with",
        "is not missing",   "is not true"};
    return negated ? others[comparison] : words[comparison];
}

static void put_values(const struct asked_filter *asked, struct buf *out)
{
    bool range = asked->comparison == IS_BETWEEN;
    for (size_t i = 0; i < asked->n_values; i++) {
        bool last = i + 1 == asked->n_values;
        buf_text(out, i == 0 ? " " : !last ? ", " : range ? " and " : " or ");
        buf_str(out, asked->values[i].text);
    }
}

static bool same_known(const struct condition *c)
{
    for (size_t i = 0; i < c->n_searches; i++) {
        struct field_ref a = c->searches[0].candidates[0];
        struct field_ref b = c->searches[i].candidates[0];
        if (!c->searches[i].known || !field_ref_same(a, b))
            return false;
    }
    return c->n_searches > 0;
}

static void put_search(const struct bound_query *query,
                       const struct condition *c, struct buf *out)
{
    bool same = same_known(c);
    if (same)
        buf_printf(out, "%.*s is %s",
                   STR_ARG(field_ref_path(query, c->searches[0].candidates[0])),
                   c->asked->negated ? "not " : "");
    for (size_t i = 0; i < c->n_searches; i++) {
        const struct value_search *s = &c->searches[i];
        bool last = i + 1 == c->n_searches;
        buf_text(out, i == 0 ? "" : last ? " or " : ", ");
        if (same)
            buf_str(out, s->literal);
        else
            buf_printf(out, "“%.*s”", STR_ARG(s->value));
    }
    if (!same)
        buf_text(out, c->asked->negated ? " is not found" : " is found");
}

struct str condition_words(const struct bound_query *query, size_t condition)
{
    const struct condition *c = &query->conditions[condition];
    const struct asked_filter *asked = c->asked;
    struct buf out;
    buf_init(&out, query->arena);
    if (asked->kind == FILTER_SEARCH) {
        put_search(query, c, &out);
    } else if (asked->kind == FILTER_EXISTS) {
        if (asked->n_values)
            buf_str(&out, asked->words);
        else
            buf_printf(&out, "%s %.*s", asked->negated ? "without" : "with",
                       STR_ARG(asked->what.words));
        if (window_is_set(&asked->window))
            buf_printf(&out, " %.*s", STR_ARG(asked->window.words));
    } else if (asked->kind == FILTER_TIME) {
        buf_printf(&out, "%.*s%s %.*s", STR_ARG(field_ref_path(query, c->ref)),
                   asked->negated ? " not" : "", STR_ARG(asked->window.words));
    } else {
        buf_printf(&out, "%.*s %s", STR_ARG(field_ref_path(query, c->ref)),
                   comparison_word(asked->comparison, asked->negated));
        put_values(asked, &out);
        if (c->none.len)
            buf_printf(&out, " %s %.*s", asked->negated ? "nor" : "or",
                       STR_ARG(c->none));
    }
    return buf_view(&out);
}

/* "Region and year", without what is next to them. */
static void put_groups(const struct bound_query *query, struct buf *out)
{
    size_t n = query_groups(query), at = 0;
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (!query->dimensions[i].beside)
            put_joined(out, dimension_words(query, i), at++, n);
}

/* ", with city and region": what is. */
static void put_beside(const struct bound_query *query, struct buf *out)
{
    size_t n = query->n_dimensions - query_groups(query), at = 0;
    buf_text(out, n ? ", with " : "");
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (query->dimensions[i].beside)
            put_joined(out, dimension_words(query, i), at++, n);
}

struct str grain_words(const struct bound_query *query)
{
    struct buf out;
    buf_init(&out, query->arena);
    if (!query->n_dimensions)
        return STR("one row for everything");
    buf_text(&out, "one row for each ");
    if (query->question.lists) {
        buf_str(&out, dimension_words(query, 0));
        return buf_view(&out);
    }
    put_groups(query, &out);
    return buf_view(&out);
}

struct str groups_words(const struct bound_query *query)
{
    struct buf out;
    size_t n = 0, at = 0;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < query->n_dimensions; i++)
        n += !query->dimensions[i].ranked && !query->dimensions[i].beside;
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (!query->dimensions[i].ranked && !query->dimensions[i].beside)
            put_joined(&out, dimension_words(query, i), at++, n);
    return buf_view(&out);
}

const char *rank_word(const struct bound_query *query)
{
    bool low = query->question.top.lowest;
    if (query->measures[0].when)
        return low ? "earliest" : "latest";
    return low ? "lowest" : "highest";
}

struct str ranked_words(const struct bound_query *query, struct str measure)
{
    static const char *const extremes[] = {"maximum ", "latest ", "minimum ",
                                           "earliest "};
    bool low = query->question.top.lowest;
    for (size_t i = low ? 2 : 0; i < (low ? 4 : 2); i++)
        if (str_starts(measure, str_of(extremes[i])))
            measure = str_from(measure, strlen(extremes[i]));
    return arena_printf(query->arena, "%s %.*s", rank_word(query),
                        STR_ARG(measure));
}

struct str query_words(const struct bound_query *query)
{
    const struct question *q = &query->question;
    struct buf out;
    buf_init(&out, query->arena);
    buf_str(&out, measures_words(query));
    if (!q->lists && query->n_dimensions) {
        buf_text(&out, " by ");
        put_groups(query, &out);
        put_beside(query, &out);
    }
    for (size_t i = 1; q->lists && i < query->n_dimensions; i++) {
        buf_text(&out, i == 1 ? " with " : "");
        put_joined(&out, dimension_words(query, i), i - 1,
                   query->n_dimensions - 1);
    }
    for (size_t i = 0; i < query->n_conditions; i++)
        buf_printf(&out, ", %.*s", STR_ARG(condition_words(query, i)));
    for (size_t i = 0; i < q->n_havings; i++)
        buf_printf(&out, ", %.*s", STR_ARG(q->havings[i].words));
    struct str window = window_words(query);
    if (window.len)
        buf_printf(&out, ", %.*s", STR_ARG(window));
    const char *rank = rank_word(query);
    if (q->top.n == 1 && query->n_dimensions)
        buf_printf(&out, ", the %s", rank);
    else if (q->top.n && query->n_dimensions)
        buf_printf(&out, ", the %zu %s", q->top.n, rank);
    return buf_view(&out);
}

struct str capitalized(struct arena *arena, struct str text)
{
    char *copy = arena_cstr(arena, text);
    if (text.len && *copy >= 'a' && *copy <= 'z')
        *copy = (char)(*copy - 32);
    return (struct str){copy, text.len};
}

/* The datasets that EXISTS conditions read. */
static void need_bridges(struct bound_query *query, size_t root, bool *needed)
{
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        size_t dataset = c->asked->kind == FILTER_EXISTS   ? c->dataset
                         : c->asked->kind == FILTER_SEARCH ? root
                                                           : c->ref.dataset;
        if (reach_has(&query->reaches, root, dataset))
            continue;
        size_t bridge = query_bridge(query, root, dataset);
        needed[dataset] = true;
        if (bridge != SIZE_MAX)
            needed[bridge] = true;
    }
}

struct str_list query_datasets(struct bound_query *query)
{
    const struct ontology *o = query->o;
    bool *needed = arena_new_array(query->arena, bool, o->n_datasets + 1);
    struct buf scratch;
    buf_init(&scratch, query->arena);
    for (size_t p = 0; p < query->n_parts; p++) {
        bool *here = arena_new_array(query->arena, bool, o->n_datasets + 1);
        part_needs(query, p, here);
        put_from(query, query->parts[p].root, here, NULL, &scratch);
        here[query->parts[p].root] = true;
        need_bridges(query, query->parts[p].root, here);
        for (size_t i = 0; i < o->n_datasets; i++)
            needed[i] = needed[i] || here[i];
    }
    struct str_list list = {
        arena_new_array(query->arena, struct str, o->n_datasets + 1), 0};
    for (size_t i = 0; i < o->n_datasets; i++)
        if (needed[i])
            list.items[list.n++] = o->datasets[i].name;
    return list;
}
