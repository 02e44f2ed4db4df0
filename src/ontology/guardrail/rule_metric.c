/* rule_metric.c - is an output with the name of a metric computed as the metric
 * is defined?
 *
 * Both expressions are evaluated over rows of made-up values: equal formulas
 * give equal results however they are written (a * b + a * c, a * (b + c)). The
 * conditions of the query restrict the rows of both, so that only expressions
 * are compared, not the filters and joins around them. Where a metric has
 * conditions of its own and a derived table has aggregated before, nothing is
 * said. */
#include "made_up.h"
#include "base/buf.h"
#include "../words.h"
#include <math.h>
#include "base/banned.h"

enum { METRICS_JUDGED = 8 };

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

/* The metric is a part of something: in percent it is a hundred times as much. */
static bool is_part(struct guardrail_check *j, const struct metric *m,
                    const struct shape_output *output,
                    const struct shape_value *defined)
{
    static const char *const parts[] = {
        "percent", "percentage", "pct",        "rate",     "share",
        "ratio",   "part",       "proportion", "fraction", "portion",
        "margin",  "percents",   NULL};
    const struct str texts[] = {m->name, m->label, m->description,
                                output->name};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str rest = texts[i], word;
        while (str_split(&rest, ' ', &word)) {
            struct name_words w = name_words(j->arena, word);
            for (size_t k = 0; k < w.n; k++)
                if (word_among(w.items[k], parts) ||
                    word_among(w.one[k], parts))
                    return true;
        }
    }
    /* count(…) / count(…) */
    const struct shape_value *v = rule_peel(defined);
    if (v->form != SHAPE_FORM_OPERATOR || !str_is(v->word, "/") ||
        v->n_parts != 2)
        return false;
    const struct shape_value *a = rule_peel(v->parts[0]);
    const struct shape_value *b = rule_peel(v->parts[1]);
    return a->kind == SHAPE_AGGREGATE && b->kind == SHAPE_AGGREGATE &&
           str_eq(a->function, b->function);
}

static bool nearly(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* The results are equal in each set of rows, or one is a percentage of the other
 * in each. An empty one says nothing. */
static bool are_equal(struct made_up *m, struct made_formula *ours,
                      struct made_formula *theirs, bool part)
{
    const double factors[] = {1, 100, 0.01};
    bool equal[] = {true, part, part};
    for (size_t set = 0; set < MADE_UP_SETS; set++) {
        double a = made_up_result(m, ours, set);
        double b = made_up_result(m, theirs, set);
        for (size_t i = 0; !isnan(a) && !isnan(b) && i < 3; i++)
            equal[i] = equal[i] && nearly(a, factors[i] * b);
    }
    return equal[0] || equal[1] || equal[2];
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

/* The SELECT that computes the value, which is not a column of a table. */
static struct shape_select *home_of(struct shape_select *s,
                                    const struct shape_value *v)
{
    while (v->kind == SHAPE_COLUMN && v->source->kind == SHAPE_QUERY) {
        struct shape_select *q = v->source->query;
        while (q->n_arms)
            q = q->arms[0];
        if (v->column >= q->n_outputs || q->opaque)
            break;
        s = q;
        v = q->outputs[v->column].value;
    }
    return s;
}

static void judge_metric(struct guardrail_check *j, struct shape_select *s,
                         const struct shape_output *output,
                         const struct metric *m)
{
    const struct shape_value *defined = metric_value(j, m);
    const struct shape_value *value = rule_resolve(output->value);
    struct made_formula theirs = {.value = defined, .defined = true};
    struct made_formula ours = {.value = value};
    struct made_up rows;
    if (!defined || !value || value->kind == SHAPE_COLUMN ||
        !rule_holds(value, NULL))
        return;
    made_up_init(&rows, j);
    made_up_take(&rows, &theirs);
    made_up_take(&rows, &ours);
    made_up_rows(&rows, home_of(s, output->value));
    if (ours.failed || theirs.failed)
        return;
    bool part = is_part(j, m, output, defined);
    bool equal = are_equal(&rows, &ours, &theirs, part);
    if (!equal && ours.restricted) {
        rows.no_nulls = true; /* the filter may leave them out */
        equal = are_equal(&rows, &ours, &theirs, part);
    }
    if (equal || ours.failed || theirs.failed ||
        (ours.conditional && !theirs.conditional) ||
        (theirs.conditional && rows.unsure) || is_spoken_of(j, value, defined))
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

static void judge_outputs(struct guardrail_check *j, struct shape_select *s,
                          size_t *judged)
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
    struct shape_select *s = j->shape.top;
    size_t judged = 0;
    while (s && s->n_arms)
        s = s->arms[0];
    if (s && j->o->n_metrics)
        judge_outputs(j, s, &judged);
}
