/* rule_shares.c - is a share taken of the total that its parts add up to?
 *
 * A share is a sum or a count divided by a total: a window over the groups, or
 * the same measure in a subquery of one row. */
#include "rule.h"
#include "base/buf.h"
#include "../words.h"
#include "base/banned.h"

static bool is_additive(const struct shape_value *v)
{
    return v && v->kind == SHAPE_AGGREGATE &&
           (str_is(v->function, "sum") || str_is(v->function, "count"));
}

/* The first sum or count in a value; windows only if asked for. */
static const struct shape_value *additive_in(struct guardrail_check *j,
                                             const struct shape_value *v,
                                             bool windowed)
{
    if (j->looked++ >= RULE_STEPS)
        return NULL;
    v = rule_peel(v);
    if (is_additive(v) && v->windowed == windowed)
        return v;
    if (v->query)
        return NULL;
    for (size_t i = 0; v->kind != SHAPE_AGGREGATE && i < v->n_parts; i++) {
        const struct shape_value *found = additive_in(j, v->parts[i], windowed);
        if (found)
            return found;
    }
    return NULL;
}

static bool same_column(const struct shape_value *a,
                        const struct shape_value *b)
{
    const struct shape_value *x = rule_column(a), *y = rule_column(b);
    if (!x || !y)
        return !x && !y;
    struct column_origin p = origin_of(x), q = origin_of(y);
    if (x->source == y->source && x->column == y->column)
        return true;
    return p.source && q.source && p.source->table == q.source->table &&
           p.column == q.column;
}

/* ---- windows ------------------------------------------------------------- */

static bool among(struct guardrail_check *j, const struct shape_value *v,
                  struct shape_value *const *list, size_t n)
{
    uint64_t print = rule_print(j, v);
    for (size_t i = 0; i < n; i++)
        if (rule_print(j, list[i]) == print)
            return true;
    return false;
}

/* The window holds one group, or one row: its share is always the whole. */
static bool is_itself(struct guardrail_check *j, struct shape_select *s,
                      const struct shape_value *window)
{
    if (!window->n_aside || window->ordered)
        return false;
    if (s->grouped) {
        for (size_t i = 0; i < s->n_groups; i++)
            if (!among(j, s->groups[i], window->aside, window->n_aside))
                return false;
        return s->n_groups > 0;
    }
    const struct grain *g = grain_of(j->arena, &j->catalog, s);
    if (!g->source_keys)
        return false;
    bool *reached = grain_no_sources(g);
    return grain_reach(
        g, reached, grain_constant_classes(g, window->aside, window->n_aside));
}

/* The SELECT whose groups are the rows of a share: its own, or the only one of
 * its sources that has groups, the others being tables in which names are looked
 * up. NULL: none. */
static const struct shape_select *levels_in(const struct shape_select *s)
{
    const struct shape_select *found = s->grouped ? s : NULL;
    for (size_t i = 0; !s->grouped && i < s->n_sources; i++) {
        const struct shape_source *source = s->sources[i];
        bool grouped = source->kind == SHAPE_QUERY && !source->query->n_arms &&
                       source->query->grouped;
        if ((!grouped && source->kind != SHAPE_TABLE) || (grouped && found))
            return NULL;
        found = grouped ? source->query : found;
    }
    return found;
}

/* What a question calls the groups of this value: "building" of building_id, of
 * the key of buildings, and of their name. */
static void put_group_names(struct guardrail_check *j, struct buf *out,
                            const struct shape_value *v)
{
    static const char *const labels[] = {"name", "title", "label", NULL};
    const struct shape_value *of = rule_resolve(v);
    const struct shape_value *column = rule_column(of);
    struct column_origin o =
        column ? origin_of(column) : (struct column_origin){0};
    const struct dataset *d = rule_dataset(j, o);
    if (!d)
        return;
    if (of->form == SHAPE_FORM_CALL && str_is(of->word, "date_trunc") &&
        of->n_parts && of->parts[0]->form == SHAPE_FORM_TEXT) {
        buf_printf(out, "|%.*s", STR_ARG(of->parts[0]->word));
        return;
    }
    struct name_words w = name_words(j->arena, rule_column_name(o));
    size_t n = w.n;
    while (n &&
           (word_refers(w.items[n - 1]) || word_among(w.items[n - 1], labels)))
        n--;
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s", i ? " " : "|", STR_ARG(w.one[i]));
    const struct dataset *target = rule_target(j, o);
    if (rule_is_key(j, o) || n < w.n)
        buf_printf(out, "|%.*s", STR_ARG(rule_names_of(j, d)));
    if (target)
        buf_printf(out, "|%.*s", STR_ARG(rule_names_of(j, target)));
}

/* The question names another part of the whole than the window does. */
static void judge_partition(struct guardrail_check *j,
                            const struct shape_select *s,
                            const struct shape_value *window)
{
    struct buf names;
    buf_init(&names, j->arena);
    const struct shape_select *in = levels_in(s);
    for (size_t i = 0; in && i < in->n_groups; i++)
        if (!among(j, in->groups[i], window->aside, window->n_aside))
            put_group_names(j, &names, in->groups[i]);
    if (!names.len)
        return;
    buf_char(&names, '>');
    for (size_t i = 0; i < window->n_aside; i++)
        put_group_names(j, &names, window->aside[i]);
    rule_broken(j, RULE_WRONG_TOTAL, ASKS_SHARE_IN, buf_view(&names),
                "The total is partitioned by another level than the one within "
                "which the question asks for shares.");
}

/* The question names a part within which it asks for shares of the rest. */
static void judge_undivided(struct guardrail_check *j,
                            const struct shape_select *in)
{
    for (size_t i = 0; i < in->n_groups; i++) {
        const struct shape_value *column = rule_column(in->groups[i]);
        struct buf names;
        buf_init(&names, j->arena);
        put_group_names(j, &names, in->groups[i]);
        if (!names.len || !column)
            continue;
        buf_char(&names, '>');
        for (size_t k = 0; k < in->n_groups; k++)
            if (k != i)
                put_group_names(j, &names, in->groups[k]);
        rule_broken(j, RULE_WRONG_TOTAL, ASKS_SHARE_IN, buf_view(&names),
                    "The total is over all rows, and the question asks for "
                    "shares within each %.*s: it needs PARTITION BY.",
                    STR_ARG(column->source->columns[column->column]));
    }
}

static void judge_window(struct guardrail_check *j, struct shape_select *s,
                         const struct shape_value *window)
{
    const struct shape_select *in = levels_in(s);
    if (is_itself(j, s, window))
        rule_broken(j, RULE_WRONG_TOTAL, ASKS_ANYTHING, STR(""),
                    "The window of the total has one group, so that each share "
                    "is the whole: it is partitioned by all that the rows are "
                    "grouped by.");
    else if (!window->n_aside && !window->ordered && in && in->n_groups > 1) {
        rule_broken(j, RULE_WRONG_TOTAL, ASKS_WITHIN, STR(""),
                    "The total is over all rows, and the question asks for a "
                    "share within a part of them: it needs PARTITION BY.");
        judge_undivided(j, in);
    } else if (window->n_aside && !window->ordered) {
        rule_broken(j, RULE_WRONG_TOTAL, ASKS_OVERALL, STR(""),
                    "The total is partitioned, and the question asks for a "
                    "share of the whole.");
        judge_partition(j, s, window);
    }
}

/* ---- subqueries ---------------------------------------------------------- */

/* A condition on the columns of one table with no other: a filter. */
static const struct shape_value *filter_column(const struct shape_value *c)
{
    const struct shape_value *first = rule_column(c);
    for (size_t i = 0; first && i < c->n_parts; i++) {
        const struct shape_value *other = rule_column(c->parts[i]);
        if (other && other->source != first->source)
            return NULL;
    }
    return first;
}

static bool has_condition(struct guardrail_check *j,
                          const struct shape_select *s,
                          const struct shape_value *c)
{
    uint64_t print = rule_print(j, c);
    for (size_t i = 0; i < s->n_conditions; i++)
        if (rule_print(j, s->conditions[i]) == print)
            return true;
    return false;
}

enum filters { FILTERS_ALL, FILTERS_OF_TIME };

/* The text or number that a condition compares its column with, or empty. */
static struct str literal_of(const struct shape_value *c)
{
    for (size_t i = 0; c->kind == SHAPE_EQUAL && i < c->n_parts; i++)
        if (c->parts[i]->kind == SHAPE_CONSTANT &&
            (c->parts[i]->form == SHAPE_FORM_TEXT ||
             c->parts[i]->form == SHAPE_FORM_INTEGER))
            return c->parts[i]->word;
    return STR("");
}

/* A condition compares something with the same literal: perhaps the same column
 * of another table. */
static bool has_literal(const struct shape_select *s, struct str literal)
{
    for (size_t i = 0; i < s->n_conditions; i++)
        if (str_eq(literal_of(s->conditions[i]), literal))
            return true;
    return false;
}

/* The filter of `a` that `b` lacks, or NULL. */
static const struct shape_value *filter_lacking(struct guardrail_check *j,
                                                const struct shape_select *a,
                                                const struct shape_select *b,
                                                enum filters which)
{
    for (size_t i = 0; i < a->n_conditions; i++) {
        const struct shape_value *column = filter_column(a->conditions[i]);
        if (!column || origin_of(column).source == NULL ||
            (which == FILTERS_OF_TIME && !type_is_time(rule_type(j, column))))
            continue;
        if (!has_condition(j, b, a->conditions[i]))
            return a->conditions[i];
    }
    return NULL;
}

static void broken(struct guardrail_check *j, const struct shape_value *filter,
                   bool of_total, enum asked_for asked, struct str of)
{
    const struct shape_value *column = filter_column(filter);
    rule_broken(j, RULE_WRONG_TOTAL, asked, of,
                "The %s by %.*s and the %s not, so the shares do not add up to "
                "the whole.",
                of_total ? "total is restricted" : "parts are restricted",
                STR_ARG(column->source->columns[column->column]),
                of_total ? "parts are" : "total is");
}

/* The parts are restricted to a value and the total is not: wrong if the question
 * restricts the whole to it. True if there is such a filter. */
static bool judge_literals(struct guardrail_check *j,
                           const struct shape_select *parts,
                           const struct shape_select *total)
{
    bool any = false;
    for (size_t i = 0; i < parts->n_conditions; i++) {
        const struct shape_value *c = parts->conditions[i];
        const struct shape_value *column = filter_column(c);
        struct str literal = literal_of(c);
        if (!column || !literal.len || !origin_of(column).source ||
            has_literal(total, literal))
            continue;
        struct buf of;
        buf_init(&of, j->arena);
        put_group_names(j, &of, column);
        buf_printf(&of, ">%.*s", STR_ARG(literal));
        broken(j, c, false, ASKS_SHARE_OF, buf_view(&of));
        any = true;
    }
    return any;
}

/* The SELECT that computes an aggregate: it is one of its outputs. */
static const struct shape_select *home_of(const struct guardrail_check *j,
                                          const struct shape_value *call)
{
    for (const struct shape_select *s = j->shape.selects; s; s = s->next)
        for (size_t i = 0; i < s->n_aggregates; i++)
            if (s->aggregates[i] == call)
                return s;
    return NULL;
}

/* max(total.x), where the derived table total has one row, is total.x. */
static const struct shape_value *without_wrap(const struct shape_value *v)
{
    static const char *const wraps[] = {"max", "min", "any_value", "avg", NULL};
    const struct shape_value *of = v->kind == SHAPE_AGGREGATE && !v->windowed &&
                                           v->n_parts == 1 &&
                                           word_among(v->function, wraps)
                                       ? v->parts[0]
                                       : NULL;
    bool one = of && of->kind == SHAPE_COLUMN &&
               of->source->kind == SHAPE_QUERY && of->source->query->collapsed;
    return one ? rule_peel(of) : v;
}

/* A total computed elsewhere: in a query as a value or in a derived table. */
static const struct shape_select *total_of(struct guardrail_check *j,
                                           const struct shape_value *v,
                                           const struct shape_value **call)
{
    if (j->looked++ >= RULE_STEPS)
        return NULL;
    v = without_wrap(rule_peel(v));
    if (v->kind == SHAPE_SUBQUERY && v->query && v->query->n_outputs) {
        *call = additive_in(j, v->query->outputs[0].value, false);
        const struct shape_select *home = *call ? home_of(j, *call) : NULL;
        return home && home->collapsed ? home : NULL;
    }
    *call = additive_in(j, v, false);
    const struct shape_select *home = *call ? home_of(j, *call) : NULL;
    if (home && home->collapsed)
        return home;
    for (size_t i = 0; i < v->n_parts && v->kind != SHAPE_AGGREGATE; i++) {
        home = total_of(j, v->parts[i], call);
        if (home)
            return home;
    }
    return NULL;
}

/* One total for parts of several levels. */
static void judge_level(struct guardrail_check *j, const struct shape_select *s,
                        const struct shape_select *total)
{
    if (s->n_groups > 1 && !total->n_outer_columns)
        rule_broken(j, RULE_WRONG_TOTAL, ASKS_WITHIN, STR(""),
                    "The total is over all rows, and the question asks for a "
                    "share within a part of them: it needs a total for each.");
}

/* sum(x) of a derived table whose x is this measure: the parts add up to it. */
static bool adds_up(const struct shape_value *total,
                    const struct shape_value *measure)
{
    return measure && str_is(total->function, "sum") && total->n_parts &&
           !total->n_aside && rule_peel(total->parts[0]) == measure;
}

static void judge_total(struct guardrail_check *j,
                        const struct shape_value *part,
                        const struct shape_value *whole)
{
    const struct shape_value *total;
    const struct shape_select *q = total_of(j, whole, &total);
    const struct shape_value *measure = additive_in(j, part, false);
    const struct shape_select *s = measure ? home_of(j, measure) : NULL;
    if (q && s && q != s && adds_up(total, measure)) {
        if (!q->n_conditions)
            judge_level(j, s, q);
        return;
    }
    if (!q || !s || q == s || s->n_arms || !same_column(measure, total) ||
        !str_eq(measure->function, total->function) || total->n_aside ||
        measure->n_aside)
        return;
    const struct shape_value *filter = filter_lacking(j, q, s, FILTERS_ALL);
    if (filter) {
        broken(j, filter, true, ASKS_ANYTHING, STR(""));
        return;
    }
    filter = s->grouped ? filter_lacking(j, s, q, FILTERS_OF_TIME) : NULL;
    if (filter) {
        broken(j, filter, false, ASKS_ANYTHING, STR(""));
        return;
    }
    if (!judge_literals(j, s, q))
        judge_level(j, s, q);
}

/* ---- divisions ----------------------------------------------------------- */

static void find_shares(struct guardrail_check *j, struct shape_select *s,
                        const struct shape_value *v)
{
    if (v->query)
        return;
    if (v->form == SHAPE_FORM_OPERATOR && str_is(v->word, "/") &&
        v->n_parts == 2) {
        const struct shape_value *whole = rule_peel(v->parts[1]);
        const struct shape_value *window = additive_in(j, v->parts[1], true);
        if (window && same_column(v->parts[0], window))
            judge_window(j, s, window);
        else if (whole && !window)
            judge_total(j, v->parts[0], whole);
    }
    for (size_t i = 0; i < v->n_parts; i++)
        find_shares(j, s, v->parts[i]);
}

void judge_shares(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; i < s->n_outputs; i++)
        find_shares(j, s, s->outputs[i].value);
}
