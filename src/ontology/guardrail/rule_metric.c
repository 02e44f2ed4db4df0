/* rule_metric.c - is an output with the name of a metric computed as the metric
 * is defined?
 *
 * Both expressions are evaluated over a few rows of made-up numbers, one for
 * each column: equal formulas give equal results however they are written
 * (a * b + a * c, a * (b + c)). Only expressions are compared, not the filters
 * and joins around them; where a metric has conditions of its own and the query
 * has some, or a derived table has aggregated before, nothing is said. */
#include "rule.h"
#include "base/buf.h"
#include "../words.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

enum { ROWS = 4, METRICS_JUDGED = 8 };

struct evaluation {
    struct guardrail_check *check;
    size_t row;
    bool inside;      /* an aggregate */
    bool conditional; /* a CASE or a FILTER was met */
    bool failed;      /* something that cannot be evaluated */
    bool left_out;    /* the row has no value */
};

static double number_of(uint64_t hash, size_t row)
{
    uint64_t x = (hash + row + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    return 0.5 + (double)(x % 100003) / 10007;
}

static double evaluate(struct evaluation *e, const struct shape_value *v);

static double evaluate_column(struct evaluation *e, const struct shape_value *v)
{
    const struct shape_value *inner = rule_resolve(v);
    if (inner->kind == SHAPE_COLUMN) {
        struct column_origin o = origin_of(inner);
        if (!o.source)
            e->failed = true;
        else
            return number_of(str_hash(rule_column_name(o)) ^
                                 (uint64_t)(uintptr_t)o.source->table,
                             e->inside ? e->row : 0);
        return 0;
    }
    if (e->inside && shape_holds_aggregate(inner))
        e->failed = true;
    return e->failed ? 0 : evaluate(e, inner);
}

static bool holds_in_row(struct evaluation *e, const struct shape_value *c,
                         size_t row)
{
    e->conditional = true;
    return number_of(rule_print(e->check, c), row) > 4;
}

static double evaluate_aggregate(struct evaluation *e,
                                 const struct shape_value *v)
{
    double sum = 0, least = INFINITY, most = -INFINITY, n = 0;
    if (v->windowed || e->inside || v->n_parts > 1) {
        e->failed = true;
        return 0;
    }
    e->inside = true;
    for (e->row = 0; e->row < ROWS; e->row++) {
        bool kept = true;
        e->left_out = false;
        for (size_t i = 0; i < v->n_aside; i++)
            kept = kept && holds_in_row(e, v->aside[i], e->row);
        double x = v->n_parts ? evaluate(e, v->parts[0]) : 1;
        if (!kept || e->left_out)
            continue;
        sum += x;
        n += 1;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    e->inside = e->left_out = false;
    e->row = 0;
    if (str_is(v->function, "count"))
        return v->distinct ? number_of(rule_print(e->check, v), 0) + 50 : n;
    if (v->distinct)
        return number_of(rule_print(e->check, v), 0) + 50;
    if (str_is(v->function, "sum"))
        return sum;
    if (str_is(v->function, "avg"))
        return n > 0 ? sum / n : 0;
    if (str_is(v->function, "min"))
        return least;
    if (str_is(v->function, "max"))
        return most;
    return number_of(str_hash(v->function), 0) + sum;
}

static double evaluate_case(struct evaluation *e, const struct shape_value *v)
{
    if (v->form == SHAPE_FORM_COALESCE)
        return v->n_parts ? evaluate(e, v->parts[0]) : 0;
    if (v->n_aside > v->n_parts) { /* CASE x WHEN … */
        e->failed = true;
        return 0;
    }
    for (size_t i = 0; i < v->n_aside; i++)
        if (holds_in_row(e, v->aside[i], e->row))
            return evaluate(e, v->parts[i]);
    if (v->n_parts > v->n_aside)
        return evaluate(e, v->parts[v->n_parts - 1]);
    e->left_out = true;
    return 0;
}

static double evaluate_operator(struct evaluation *e,
                                const struct shape_value *v)
{
    double left = evaluate(e, v->parts[0]);
    double right = v->n_parts > 1 ? evaluate(e, v->parts[1]) : 0;
    if (v->n_parts == 1)
        return str_is(v->word, "-") ? -left : left;
    if (str_is(v->word, "+"))
        return left + right;
    if (str_is(v->word, "-"))
        return left - right;
    if (str_is(v->word, "*"))
        return left * right;
    if (str_is(v->word, "/"))
        return right != 0 ? left / right : 0;
    e->failed = true;
    return 0;
}

static double evaluate_call(struct evaluation *e, const struct shape_value *v)
{
    static const char *const same[] = {"round", "nullif", "trunc", NULL};
    if (!v->n_parts) {
        e->failed = true;
        return 0;
    }
    double x = evaluate(e, v->parts[0]);
    if (word_among(v->word, same))
        return x;
    for (size_t i = 1; i < v->n_parts; i++)
        x = x * 3 + evaluate(e, v->parts[i]);
    return number_of(str_hash(v->word), 0) + x;
}

static double literal_of(struct evaluation *e, const struct shape_value *v)
{
    enum { DIGITS = 40 };
    char text[DIGITS];
    if (v->form == SHAPE_FORM_NULL) {
        e->left_out = true;
        return 0;
    }
    if (v->form != SHAPE_FORM_INTEGER && v->form != SHAPE_FORM_DECIMAL)
        return number_of(str_hash(v->word), 0);
    str_copy(text, sizeof text, v->word);
    return strtod(text, NULL);
}

static double evaluate(struct evaluation *e, const struct shape_value *v)
{
    if (e->failed || e->check->looked++ >= RULE_STEPS) {
        e->failed = true;
        return 0;
    }
    if (v->kind == SHAPE_COLUMN)
        return evaluate_column(e, v);
    if (v->kind == SHAPE_CONSTANT)
        return literal_of(e, v);
    if (v->kind == SHAPE_AGGREGATE)
        return evaluate_aggregate(e, v);
    if (v->kind == SHAPE_CHOICE)
        return evaluate_case(e, v);
    if (!v->query && v->form == SHAPE_FORM_OPERATOR && v->n_parts &&
        v->n_parts <= 2)
        return evaluate_operator(e, v);
    if (!v->query && v->form == SHAPE_FORM_CALL)
        return evaluate_call(e, v);
    if (v->kind == SHAPE_OTHER && v->cast.len && v->n_parts == 1)
        return evaluate(e, v->parts[0]);
    e->failed = true;
    return 0;
}

/* ---- metrics ------------------------------------------------------------- */

/* The value of the metric's expression over the tables of the model, or NULL. */
static const struct shape_value *metric_value(struct guardrail_check *j,
                                              const struct metric *m)
{
    struct buf sql;
    struct shape *shape = arena_new(j->arena, struct shape);
    bool ansi = !m->dialect.len || str_eq_nocase(m->dialect, STR("ANSI_SQL"));
    buf_init(&sql, j->arena);
    buf_printf(&sql, "select (%.*s) from ", STR_ARG(m->expression));
    for (size_t i = 0; i < m->n_datasets; i++) {
        const struct dataset *d = &j->o->datasets[m->datasets[i]];
        if (!d->table.len || str_find_char(d->name, '"') >= 0 ||
            str_find_char(d->table, '"') >= 0 ||
            str_find_char(d->schema, '"') >= 0)
            return NULL;
        buf_printf(&sql, "%s\"%.*s\".\"%.*s\" \"%.*s\"", i ? ", " : "",
                   STR_ARG(d->schema), STR_ARG(d->table), STR_ARG(d->name));
    }
    if (!ansi || !m->n_datasets ||
        !shape_read(j->arena, buf_view(&sql), &j->catalog.shape, shape) ||
        shape->n_problems || shape->top->n_outputs != 1)
        return NULL;
    return shape->top->outputs[0].value;
}

/* Equal, or one is a percentage of the other. */
static bool nearly(double a, double b)
{
    double most = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= 1e-9 * fmax(1, most) ||
           fabs(a - 100 * b) <= 1e-9 * fmax(1, 100 * most) ||
           fabs(100 * a - b) <= 1e-9 * fmax(1, 100 * most);
}

static bool takes(const struct shape_value *value, struct column_origin of)
{
    struct column_origin o = origin_of(value);
    if (value->kind == SHAPE_COLUMN)
        return o.source && of.source && o.source->table == of.source->table &&
               o.column == of.column;
    for (size_t i = 0; i < value->n_parts; i++)
        if (takes(value->parts[i], of))
            return true;
    return false;
}

/* The model itself speaks of the column in place of the metric: "invoice.total
 * is the same amount". */
static bool is_spoken_of(struct guardrail_check *j,
                         const struct shape_value *value,
                         const struct shape_value *defined)
{
    const struct shape_value *column = rule_column(value);
    struct column_origin o =
        column ? origin_of(column) : (struct column_origin){0};
    const struct dataset *d = rule_dataset(j, o);
    return d && !takes(defined, o) &&
           str_find_nocase(j->o->hints.instructions,
                           arena_printf(j->arena, "%.*s.%.*s", STR_ARG(d->name),
                                        STR_ARG(rule_column_name(o)))) >= 0;
}

static void judge_metric(struct guardrail_check *j,
                         const struct shape_select *s,
                         const struct shape_output *output,
                         const struct metric *m)
{
    const struct shape_value *defined = metric_value(j, m);
    const struct shape_value *value = rule_resolve(output->value);
    if (!defined || !value || value->kind == SHAPE_COLUMN ||
        !rule_holds(value, NULL))
        return;
    struct evaluation ours = {.check = j}, theirs = {.check = j};
    double a = evaluate(&ours, value), b = evaluate(&theirs, defined);
    bool filtered = s->n_conditions > s->first_where || s->sources == NULL;
    for (size_t i = 0; i < s->n_sources; i++)
        filtered = filtered || s->sources[i]->kind != SHAPE_TABLE;
    if (ours.failed || theirs.failed || nearly(a, b) ||
        (ours.conditional && !theirs.conditional) ||
        (theirs.conditional && filtered) || is_spoken_of(j, value, defined))
        return;
    rule_broken(j, RULE_METRIC_NAME, ASKS_ANYTHING, STR(""),
                "The output %.*s has the name of the metric %.*s, which is "
                "%.*s.",
                STR_ARG(output->name), STR_ARG(m->name),
                STR_ARG(m->expression));
}

/* "Total Revenue" and "revenue" are one name. */
static struct str plain_name(struct guardrail_check *j, struct str name)
{
    struct str noun = rule_noun(j, name);
    return str_starts(noun, STR("total ")) ? str_from(noun, 6) : noun;
}

static void judge_outputs(struct guardrail_check *j,
                          const struct shape_select *s, size_t *judged)
{
    for (size_t i = 0; i < s->n_outputs; i++) {
        struct str name = s->outputs[i].name.len
                              ? plain_name(j, s->outputs[i].name)
                              : STR("");
        for (size_t m = 0; name.len && m < j->o->n_metrics; m++)
            if (str_eq(name, plain_name(j, j->o->metrics[m].name)) &&
                *judged < METRICS_JUDGED) {
                ++*judged;
                judge_metric(j, s, &s->outputs[i], &j->o->metrics[m]);
            }
    }
}

void judge_metrics(struct guardrail_check *j)
{
    const struct shape_select *s = j->shape.top;
    size_t judged = 0;
    while (s && s->n_arms)
        s = s->arms[0];
    if (s && j->o->n_metrics)
        judge_outputs(j, s, &judged);
}
