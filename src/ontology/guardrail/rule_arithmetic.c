/* rule_arithmetic.c - integer division and averages of averages. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

/* ---- integer_division ---------------------------------------------------- */

static bool is_operator(const struct shape_value *v, const char *word)
{
    return v->form == SHAPE_FORM_OPERATOR && v->n_parts == 2 &&
           str_is(v->word, word);
}

/* x % 60 next to x / 60: the rest is shown as well. */
static bool has_rest(struct guardrail_check *j, const struct shape_value *v,
                     const struct shape_value *division)
{
    if (j->looked++ >= RULE_STEPS || v->query)
        return false;
    bool modulo = (v->form == SHAPE_FORM_OPERATOR && str_is(v->word, "%")) ||
                  (v->form == SHAPE_FORM_CALL && str_is(v->word, "mod"));
    if (modulo && v->n_parts == 2 &&
        rule_print(j, v->parts[0]) == rule_print(j, division->parts[0]))
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (has_rest(j, v->parts[i], division))
            return true;
    return false;
}

/* Whole units are meant: a bucket (x / 10), weeks of days. */
static bool is_bucket(struct guardrail_check *j, const struct shape_select *s,
                      const struct shape_value *division)
{
    const struct shape_value *by = division->parts[1];
    const struct shape_value *of = division->parts[0];
    if (by->form != SHAPE_FORM_INTEGER)
        return false;
    if (of->kind == SHAPE_SUM && of->n_parts == 2 &&
        type_is_time(rule_type(j, of->parts[0])))
        return true;
    for (size_t i = 0; i < s->n_groups; i++)
        if (rule_print(j, s->groups[i]) == rule_print(j, division))
            return true;
    for (size_t i = 0; i < s->n_outputs; i++)
        if (has_rest(j, s->outputs[i].value, division))
            return true;
    return false;
}

static bool in_group(const struct shape_select *s, const struct shape_value *v)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i] == v || (v->print && s->groups[i]->print == v->print))
            return true;
    return false;
}

static void find_division(struct guardrail_check *j,
                          const struct shape_select *s,
                          const struct shape_value *v)
{
    static const char *const whole[] = {
        "floor",         "trunc",           "div",  "mod",  "make_date",
        "make_interval", "generate_series", "lpad", "rpad", "repeat",
        "left",          "right",           NULL};
    bool meant = v->form == SHAPE_FORM_CALL && word_among(v->word, whole);
    if (meant || in_group(s, v) || v->query)
        return;
    /* x / 10 * 10 */
    if (is_operator(v, "*") && is_operator(v->parts[0], "/") &&
        v->parts[0]->parts[1]->form == SHAPE_FORM_INTEGER &&
        str_eq(v->parts[0]->parts[1]->word, v->parts[1]->word))
        return;
    if (is_operator(v, "/") && type_is_integer(rule_type(j, v->parts[0])) &&
        type_is_integer(rule_type(j, v->parts[1])) && !is_bucket(j, s, v)) {
        const struct shape_value *column = rule_column(v);
        rule_broken(j, RULE_INTEGER_DIVISION, ASKS_WITHOUT,
                    STR("whole minutes|whole hours|whole days|whole weeks|"
                        "whole months|whole years|full minutes|full hours|"
                        "full days|full weeks|full months|full years|"
                        "whole units|rounded down"),
                    "A division%s%.*s has integers on both sides and drops the "
                    "fraction.",
                    column ? " of " : "",
                    STR_ARG(column ? column->source->columns[column->column]
                                   : STR("")));
    }
    for (size_t i = 0; i < v->n_parts; i++)
        find_division(j, s, v->parts[i]);
}

/* In a condition the fraction matters only if it is compared with one. */
static bool compares_fraction(const struct shape_value *c)
{
    for (size_t i = 0; i < c->n_parts; i++)
        if (c->parts[i]->form == SHAPE_FORM_DECIMAL)
            return true;
    return false;
}

static void judge_division(struct guardrail_check *j,
                           const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_outputs; i++)
        find_division(j, s, s->outputs[i].value);
    for (size_t i = s->first_where; i < s->n_conditions; i++)
        if (compares_fraction(s->conditions[i]))
            find_division(j, s, s->conditions[i]);
    if (s->having && compares_fraction(s->having))
        find_division(j, s, s->having);
    for (size_t i = 0; i < s->n_sorts && s->limited; i++)
        find_division(j, s, s->sorts[i].value);
}

/* ---- average_of_averages ------------------------------------------------- */

static const char *const counts[] = {"count", NULL};
static const char *const totals[] = {"sum", "count", NULL};

/* sum(…) / count(…), 100.0 * count(…) / count(…) */
static bool is_quotient_of_totals(const struct shape_value *v)
{
    return is_operator(v, "/") && rule_holds(v->parts[0], totals) &&
           rule_holds(v->parts[1], totals);
}

/* x / 1000, x * 100.0, 1 - x: the same in another unit. */
static const struct shape_value *without_unit(const struct shape_value *v)
{
    v = rule_peel(v);
    if (v && v->kind == SHAPE_SUM && v->n_parts == 2 &&
        v->parts[0]->kind == SHAPE_CONSTANT)
        v = rule_peel(v->parts[1]);
    while (v && (is_operator(v, "/") || is_operator(v, "*")) &&
           (v->parts[1]->kind == SHAPE_CONSTANT ||
            (is_operator(v, "*") && v->parts[0]->kind == SHAPE_CONSTANT)))
        v = rule_peel(v->parts[v->parts[1]->kind == SHAPE_CONSTANT ? 0 : 1]);
    return v;
}

static bool is_average(struct guardrail_check *j, const struct shape_value *v)
{
    v = v ? without_unit(v) : NULL;
    if (!v || j->looked++ >= RULE_STEPS)
        return false;
    if (v->kind == SHAPE_SUBQUERY && v->query && v->query->n_outputs == 1 &&
        !v->query->n_arms)
        return is_average(j, v->query->outputs[0].value);
    for (size_t i = 0; v->form == SHAPE_FORM_CASE && i < v->n_parts; i++)
        if (is_average(j, v->parts[i]))
            return true;
    return (v->kind == SHAPE_AGGREGATE && !v->windowed &&
            str_is(v->function, "avg")) ||
           is_quotient_of_totals(v);
}

static void judge_mean_of(struct guardrail_check *j,
                          const struct shape_value *call)
{
    const struct shape_value *of = call->n_parts ? call->parts[0] : NULL;
    const struct shape_value *column = of ? rule_column(of) : NULL;
    /* in one SELECT only a window can average averages */
    bool derived = column && column->source->kind == SHAPE_QUERY;
    bool nested = of && rule_peel(of) && rule_peel(of)->kind == SHAPE_SUBQUERY;
    if (!of || call->ordered || !(call->windowed || derived || nested) ||
        !is_average(j, of))
        return;
    struct str name =
        column ? column->source->columns[column->column] : STR("…");
    rule_broken(j, RULE_AVERAGE_OF_AVERAGES, ASKS_WITHOUT,
                STR("averages|unweighted|means|averaged over|"
                    "averaged across|average of * average|"
                    "mean of * average|mean of * mean|average of * mean|"
                    "average * rate|average * share|average * percentage|"
                    "counts the same|count the same|counts once|count once|"
                    "counts equally|count equally|counted once|"
                    "counted equally|counting each|equal weight|"
                    "same weight|equal weights|weighted equally|"
                    "equally weighted|weighs the same|weigh the same|"
                    "regardless of size|regardless of its size|"
                    "whatever its size|simple average"),
                "%.*s(%.*s%s) averages values that are averages already, one "
                "for each %s%.*s.",
                STR_ARG(call->function), STR_ARG(name), derived ? "" : " …",
                derived ? "group of " : "group",
                STR_ARG(derived ? source_label(j, column->source) : STR("")));
}

/* sum(average) / count(*) */
static void find_mean(struct guardrail_check *j, const struct shape_value *v)
{
    const struct shape_value *sum =
        is_operator(v, "/") && rule_holds(v->parts[1], counts)
            ? without_unit(v->parts[0])
            : NULL;
    if (j->looked++ >= RULE_STEPS)
        return;
    if (sum && sum->kind == SHAPE_AGGREGATE && str_is(sum->function, "sum"))
        judge_mean_of(j, sum);
    for (size_t i = 0; i < v->n_parts; i++)
        find_mean(j, v->parts[i]);
}

static void judge_averages(struct guardrail_check *j,
                           const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_aggregates; i++)
        if (str_is(s->aggregates[i]->function, "avg"))
            judge_mean_of(j, s->aggregates[i]);
    for (size_t i = 0; i < s->n_outputs; i++)
        find_mean(j, s->outputs[i].value);
}

void judge_arithmetic(struct guardrail_check *j, struct shape_select *s)
{
    judge_division(j, s);
    judge_averages(j, s);
}
