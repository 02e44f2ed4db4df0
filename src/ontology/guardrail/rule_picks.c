/* rule_picks.c - rows that DISTINCT ON or a window picks without an order, so that
 * any of a group may be the first one:
 *
 *   SELECT DISTINCT ON (a) a, b FROM t ORDER BY a
 *   row_number() OVER (PARTITION BY a) AS n … WHERE n = 1
 *   first_value(b) OVER (PARTITION BY a)
 *
 * Nothing is said where all rows of a group have the same of what is shown. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

bool rule_takes_ordered(const struct shape_select *s)
{
    return s->n_sources == 1 && s->sources[0]->kind == SHAPE_QUERY &&
           s->sources[0]->query->sorted;
}

static void broken(struct guardrail_check *j, const char *what)
{
    rule_broken(j, RULE_LIMIT_WITHOUT_ORDER, ASKS_WITHOUT, rule_any_rows(j),
                "%s", what);
}

/* Rows with the same of these values may differ in `shown`. */
static bool may_differ(struct guardrail_check *j, struct shape_select *s,
                       struct shape_value *const *same, size_t n,
                       const struct shape_value *shown)
{
    const struct shape_value *column = rule_column(shown);
    uint64_t print = rule_print(j, shown);
    const struct grain *g = grain_of(j->arena, &j->catalog, s);
    if (!column || column->source->select != s || !g->source_keys)
        return false;
    for (size_t i = 0; i < n; i++)
        if (rule_print(j, same[i]) == print ||
            rule_print(j, same[i]) == rule_print(j, column))
            return false;
    bool *reached = grain_no_sources(g);
    grain_reach(g, reached, grain_constant_classes(g, same, n));
    return !reached[column->source->index];
}

static void judge_distinct_on(struct guardrail_check *j, struct shape_select *s)
{
    if (!s->n_distinct_on || s->n_sorts > s->n_distinct_on ||
        rule_takes_ordered(s))
        return;
    for (size_t i = 0; i < s->n_outputs; i++)
        if (may_differ(j, s, s->distinct_on, s->n_distinct_on,
                       s->outputs[i].value)) {
            broken(j, "DISTINCT ON without further ORDER BY keeps an arbitrary "
                      "row of each group.");
            return;
        }
}

/* A number of the rows, or a rank, that no order gives. */
static bool is_loose_number(const struct shape_value *v)
{
    return v->kind == SHAPE_ROW_NUMBER && !v->ordered && !v->order;
}

/* What is shown of a derived table beyond what its partition has in common. */
static bool shows_more(struct guardrail_check *j, const struct shape_select *s,
                       const struct shape_source *source,
                       const struct shape_value *number)
{
    struct shape_select *q = source->query;
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *column = rule_column(s->outputs[i].value);
        if (!column || column->source != source ||
            column->column >= q->n_outputs)
            continue;
        const struct shape_value *v = q->outputs[column->column].value;
        if (v != number && may_differ(j, q, number->aside, number->n_aside, v))
            return true;
    }
    return false;
}

/* WHERE n = 1, or n <= 3, of a number that no order gives. */
static void judge_numbers(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_source *source;
        const struct shape_value *v =
            rule_limited_number(s->conditions[i], &source);
        if (v && is_loose_number(v) && !rule_takes_ordered(source->query) &&
            shows_more(j, s, source, v))
            broken(j, "row_number() without ORDER BY numbers the rows in any "
                      "order, and the first ones are kept.");
    }
}

/* first_value(…) OVER a window without an order, and the like. */
static void judge_values(struct guardrail_check *j, struct shape_select *s,
                         const struct shape_value *v)
{
    static const char *const calls[] = {
        "first_value", "last_value", "nth_value", "lag", "lead", NULL};
    if (v->query || j->looked++ >= RULE_STEPS)
        return;
    if (v->windowed && !v->ordered && !v->order && v->n_parts &&
        word_among(v->word, calls) && !rule_takes_ordered(s) &&
        may_differ(j, s, v->aside, v->n_aside, v->parts[0]))
        broken(j, "A value of the first, last or next row of a window without "
                  "ORDER BY is that of any row.");
    for (size_t i = 0; i < v->n_parts; i++)
        judge_values(j, s, v->parts[i]);
}

void judge_picks(struct guardrail_check *j, struct shape_select *s)
{
    judge_distinct_on(j, s);
    judge_numbers(j, s);
    for (size_t i = 0; i < s->n_outputs; i++)
        judge_values(j, s, s->outputs[i].value);
}
