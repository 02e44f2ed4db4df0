/* predicate.c - the WHERE condition of one part.
 *
 * A condition on a dataset that the root reaches is on its join. A
 * condition on a dataset that only a bridge below the root reaches becomes
 * EXISTS over the bridge. */
#include "compose.h"
#include "from.h"
#include "base/banned.h"

static struct str missing_sql(struct bound_query *query,
                              const struct condition *c)
{
    struct str sql = field_ref_sql(query, c->ref);
    if (!c->none.len)
        return arena_printf(query->arena, "%.*s IS NULL", STR_ARG(sql));
    return arena_printf(query->arena, "(%.*s IS NULL OR %.*s)", STR_ARG(sql),
                        STR_ARG(value_is(query, c->ref, c->none)));
}

/* The average of the field over all rows of its dataset. */
static struct str average_sql(struct bound_query *query, struct field_ref ref,
                              struct str field)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_printf(&out, "(SELECT AVG(%.*s) FROM ", STR_ARG(field));
    put_relation(query, ref.dataset, &out);
    buf_char(&out, ')');
    return buf_view(&out);
}

/* The condition on a field, without its negation. */
static struct str condition_sql(struct bound_query *query,
                                const struct condition *c)
{
    static const char *const signs[] = {"=", ">", ">=", "<", "<="};
    const struct asked_filter *asked = c->asked;
    if (asked->kind == FILTER_TIME)
        return period_is(query, &asked->window, c->ref);
    struct str sql = field_ref_sql(query, c->ref);
    switch (asked->comparison) {
    case IS:
        return values_are(query, c);
    case IS_MISSING:
        return missing_sql(query, c);
    case IS_TRUE:
        return arena_printf(query->arena, "%.*s IS TRUE", STR_ARG(sql));
    case IS_LIKE:
    case IS_BEGINS:
    case IS_ENDS:
        return values_are_like(query, c);
    case IS_BETWEEN:
        return arena_printf(query->arena, "%.*s BETWEEN %.*s AND %.*s",
                            STR_ARG(sql), STR_ARG(asked->values[0].text),
                            STR_ARG(asked->values[1].text));
    default:
        return arena_printf(query->arena, "%.*s %s %.*s", STR_ARG(sql),
                            signs[asked->comparison],
                            STR_ARG(asked->values[0].average
                                        ? average_sql(query, c->ref, sql)
                                        : asked->values[0].text));
    }
}

/* The condition for rows of the root: on a join, or by EXISTS. */
static struct str joined_or_exists(struct bound_query *query, size_t root,
                                   size_t dataset, struct str condition,
                                   bool *needed)
{
    if (reach_has(&query->reaches, root, dataset)) {
        needed[dataset] = true;
        return condition;
    }
    return over_bridge(query, root, dataset, condition);
}

/* The field holds the value in any row; the query itself looks. */
static struct str value_exists_sql(struct bound_query *query,
                                   struct field_ref ref, struct str value)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "EXISTS (SELECT 1 FROM ");
    put_relation(query, ref.dataset, &out);
    buf_printf(&out, " WHERE %.*s)", STR_ARG(value_is(query, ref, value)));
    return buf_view(&out);
}

static struct str search_sql(struct bound_query *query, size_t root,
                             const struct value_search *s, bool *needed)
{
    struct str value = s->known ? s->literal : s->value;
    struct buf out;
    buf_init(&out, query->arena);
    if (s->n == 1)
        return joined_or_exists(query, root, s->candidates[0].dataset,
                                value_is(query, s->candidates[0], value),
                                needed);
    buf_text(&out, "CASE");
    for (size_t i = 0; i < s->n; i++) {
        struct str here =
            joined_or_exists(query, root, s->candidates[i].dataset,
                             value_is(query, s->candidates[i], value), needed);
        buf_printf(&out, "\n    WHEN %.*s THEN %.*s",
                   STR_ARG(value_exists_sql(query, s->candidates[i], value)),
                   STR_ARG(here));
    }
    buf_text(&out, "\n    ELSE FALSE END");
    return buf_view(&out);
}

static struct str searches_sql(struct bound_query *query, size_t root,
                               const struct condition *c, bool *needed)
{
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < c->n_searches; i++) {
        buf_text(&out, i ? " OR " : "");
        buf_str(&out, search_sql(query, root, &c->searches[i], needed));
    }
    if (c->n_searches < 2)
        return buf_view(&out);
    return arena_printf(query->arena, "(%.*s)", STR_ARG(buf_view(&out)));
}

/* There is a row of the dataset. */
static struct str existence_sql(struct bound_query *query, size_t root,
                                const struct condition *c, bool *needed)
{
    if (reach_has(&query->reaches, c->dataset, root))
        return over_dataset(query, root, c);
    struct str key =
        column_sql(query->arena, query->o, c->dataset,
                   query->o->datasets[c->dataset].primary_key.items[0]);
    return joined_or_exists(
        query, root, c->dataset,
        arena_printf(query->arena, "%.*s IS NOT NULL", STR_ARG(key)), needed);
}

static struct str negated_sql(struct bound_query *query, struct str condition)
{
    if (str_starts(condition, STR("EXISTS ")))
        return arena_printf(query->arena, "NOT %.*s", STR_ARG(condition));
    if (str_ends(condition, STR(" IS NOT NULL")))
        return arena_printf(query->arena, "%.*s IS NULL",
                            (int)condition.len - 12, condition.ptr);
    if (str_ends(condition, STR(" IS NULL")))
        return arena_printf(query->arena, "%.*s IS NOT NULL",
                            (int)condition.len - 8, condition.ptr);
    return arena_printf(query->arena, "(%.*s) IS NOT TRUE", STR_ARG(condition));
}

/* "Customers without a coupon" have no order with one; that an order lacks one says
 * nothing. So over a bridge, the row that is looked for is one that has the field. */
static bool is_bridged_gap(struct bound_query *query, size_t root,
                           const struct condition *c)
{
    return c->asked->kind == FILTER_FIELD &&
           c->asked->comparison == IS_MISSING &&
           !reach_has(&query->reaches, root, c->ref.dataset);
}

/* The condition keeps the rows that do not match its SQL. */
static bool is_negative(struct bound_query *query, size_t root,
                        const struct condition *c)
{
    return c->asked->negated != is_bridged_gap(query, root, c);
}

static struct str matching_sql(struct bound_query *query, size_t root,
                               const struct condition *c)
{
    if (!is_bridged_gap(query, root, c))
        return condition_sql(query, c);
    return negated_sql(query, missing_sql(query, c));
}

/* Conditions over one bridge must hold for the same row of it: "orders with
 * Electronics over 100 dollars". */
static struct str conditions_of_bridge(struct bound_query *query, size_t root,
                                       size_t index, bool *done)
{
    const struct condition *c = &query->conditions[index];
    struct str all = matching_sql(query, root, c);
    bool bridged = !reach_has(&query->reaches, root, c->ref.dataset);
    for (size_t i = index + 1; bridged && i < query->n_conditions; i++) {
        const struct condition *other = &query->conditions[i];
        if (done[i] || other->ref.dataset != c->ref.dataset ||
            is_negative(query, root, other) || is_negative(query, root, c))
            continue;
        done[i] = true;
        all = arena_printf(query->arena, "%.*s AND %.*s", STR_ARG(all),
                           STR_ARG(matching_sql(query, root, other)));
    }
    return all;
}

/* The dataset of which the condition wants a row; SIZE_MAX: of none. */
static size_t condition_match(struct bound_query *query, size_t root,
                              const struct condition *c)
{
    size_t dataset = SIZE_MAX;
    if (c->asked->negated || c->asked->kind == FILTER_EXISTS)
        return SIZE_MAX;
    if (c->asked->kind != FILTER_SEARCH)
        dataset = str_ends(condition_sql(query, c), STR(" IS NULL"))
                      ? SIZE_MAX
                      : c->ref.dataset;
    for (size_t i = 0; c->asked->kind == FILTER_SEARCH && i < c->n_searches;
         i++) {
        size_t one = c->searches[i].candidates[0].dataset;
        if (c->searches[i].n != 1 || (i && one != dataset))
            return SIZE_MAX;
        dataset = one;
    }
    bool joined =
        dataset != SIZE_MAX && reach_has(&query->reaches, root, dataset);
    return joined ? dataset : SIZE_MAX;
}

struct str part_where(struct bound_query *query, size_t part, bool *needed,
                      bool *matched)
{
    size_t root = query->parts[part].root;
    struct field_ref time = query->parts[part].time;
    bool *done = arena_new_array(query->arena, bool, QUESTION_FILTERS);
    struct buf out;
    buf_init(&out, query->arena);
    const struct window *window = &query->question.window;
    if (window_is_set(window)) {
        struct str now = period_is(query, window, time);
        needed[time.dataset] = true;
        if (matched)
            matched[time.dataset] = true;
        if (query->year_before)
            buf_printf(&out, "(%.*s OR %.*s)", STR_ARG(now),
                       STR_ARG(period_before(query, window, time)));
        else
            buf_str(&out, now);
    }
    /* An average per mechanic is over the jobs that have one. */
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        size_t over = m->formula.aggregates[m->formula.n - 1].grain;
        if (matched && m->tied && over != root &&
            reach_has(&query->reaches, root, over))
            matched[over] = needed[over] = true;
    }
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        struct str sql;
        if (done[i] || (c->asked->portion && query->parts[part].whole))
            continue;
        if (c->asked->kind == FILTER_SEARCH)
            sql = searches_sql(query, root, c, needed);
        else if (c->asked->kind == FILTER_EXISTS)
            sql = existence_sql(query, root, c, needed);
        else
            sql = joined_or_exists(query, root, c->ref.dataset,
                                   conditions_of_bridge(query, root, i, done),
                                   needed);
        size_t match = condition_match(query, root, c);
        if (matched && match != SIZE_MAX)
            matched[match] = true;
        if (is_negative(query, root, c))
            sql = negated_sql(query, sql);
        buf_text(&out, out.len ? "\n  AND " : "");
        buf_str(&out, sql);
    }
    return buf_view(&out);
}

struct str part_side(struct bound_query *query, size_t part, bool *needed)
{
    size_t root = query->parts[part].root;
    const struct condition *c = query->side;
    if (c->asked->kind == FILTER_SEARCH)
        return searches_sql(query, root, c, needed);
    return joined_or_exists(query, root, c->ref.dataset,
                            condition_sql(query, c), needed);
}
