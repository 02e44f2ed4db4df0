/* rule_rows.c - rules about rows that a query loses or picks by accident: outer
 * joins filtered in WHERE, LIMIT without ORDER BY, UNION below an aggregate,
 * NOT IN over NULL. */
#include "rule.h"
#include "../known.h"
#include "base/banned.h"

/* ---- left_join_filtered -------------------------------------------------- */

/* An anti-join, or a condition that keeps rows without a match: WHERE mentions
 * the source in a way that lets NULL pass. */
static bool minds_null(const struct shape_value *v,
                       const struct shape_source *source)
{
    bool test = v->kind == SHAPE_NULL || v->form == SHAPE_FORM_NOT_NULL;
    if (test && v->n_parts && rule_comes_from(v->parts[0], source))
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (minds_null(v->parts[i], source))
            return true;
    return false;
}

/* Each row with this source must meet the condition: it is in WHERE, or in ON of
 * an inner join that comes after the outer one. */
static bool is_met(const struct shape_select *s, size_t i,
                   const struct shape_source *source)
{
    size_t after = source->select == s ? source->optional_from : 0;
    return i >= s->first_where || (s->conditions[i]->inner && i >= after);
}

static void judge_optional(struct guardrail_check *j,
                           const struct shape_select *s,
                           const struct shape_source *source)
{
    const struct shape_value *culprit = NULL;
    for (size_t i = 0; i < s->n_conditions; i++) {
        if (!is_met(s, i, source))
            continue;
        if (minds_null(s->conditions[i], source))
            return;
        if (!culprit && rule_rejects_null(s->conditions[i], source))
            culprit = s->conditions[i];
    }
    const struct shape_value *column = culprit ? rule_column(culprit) : NULL;
    if (!column)
        return;
    if (!rule_comes_from(column, source))
        for (size_t i = 0; i < culprit->n_parts; i++) {
            const struct shape_value *other = rule_column(culprit->parts[i]);
            if (other && rule_comes_from(other, source))
                column = other;
        }
    rule_broken(j, RULE_LEFT_JOIN_FILTERED, ASKS_ANYTHING, STR(""),
                "%s compares %.*s of %.*s, which an outer join adds, so the "
                "rows without a match are removed after all.",
                culprit->inner ? "A later JOIN" : "WHERE",
                STR_ARG(column->source->columns[column->column]),
                STR_ARG(source_label(j, source)));
}

/* How many items of FROM read this query: a common table expression may serve
 * several purposes. */
static size_t readers_of(const struct guardrail_check *j,
                         const struct shape_select *q)
{
    size_t n = 0;
    for (const struct shape_select *s = j->shape.selects; s; s = s->next)
        for (size_t i = 0; i < s->n_sources; i++)
            n += s->sources[i]->query == q;
    return n;
}

/* Outer joins in FROM, or in derived tables there that pass their rows on. */
static void judge_optionals(struct guardrail_check *j,
                            const struct shape_select *s,
                            const struct shape_select *in)
{
    for (size_t i = 0; i < in->n_sources && j->looked++ < RULE_STEPS; i++) {
        const struct shape_source *source = in->sources[i];
        if (source->optional)
            judge_optional(j, s, source);
        else if (s->n_conditions && rule_passes_rows(source) &&
                 readers_of(j, source->query) == 1)
            judge_optionals(j, s, source->query);
    }
}

/* ---- limit_without_order ------------------------------------------------- */

enum { LIMIT_OF_CAUTION = 1000 }; /* a larger limit only guards the memory */

static bool has_one_row(const struct guardrail_check *j, struct shape_select *s)
{
    if ((s->collapsed && !s->grouped) || s->n_sources == 0)
        return true;
    const struct grain *g = grain_of(j->arena, &j->catalog, s);
    if (!g->source_keys || s->grouped || s->distinct)
        return false;
    bool *reached = grain_no_sources(g);
    return grain_reach(g, reached, grain_constant_classes(g, NULL, 0));
}

static void judge_limit(struct guardrail_check *j, struct shape_select *s)
{
    bool picks = s->limited && !s->sorted && !s->tested;
    if (!picks || s->limit >= LIMIT_OF_CAUTION ||
        (rule_takes_ordered(s) && !s->grouped) ||
        (!s->n_arms && (s->opaque || has_one_row(j, s))))
        return;
    rule_broken(j, RULE_LIMIT_WITHOUT_ORDER, ASKS_WITHOUT, rule_any_rows(j),
                "LIMIT without ORDER BY keeps arbitrary rows%s.",
                s->outer ? " of a subquery" : "");
}

/* ---- union_loses_rows ---------------------------------------------------- */

/* A row of this SELECT is identified by its outputs: they contain a key of a
 * table, not computed. */
static bool shows_key(const struct guardrail_check *j,
                      const struct shape_select *s)
{
    for (size_t i = 0; !s->grouped && i < s->n_outputs; i++) {
        struct column_origin o = origin_of(s->outputs[i].value);
        if (o.source && rule_is_key(j, o))
            return true;
    }
    return false;
}

/* All that it returns identifies something: a row is a pair of things. */
static bool shows_only_keys(const struct guardrail_check *j,
                            const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_arms; i++)
        if (!shows_only_keys(j, s->arms[i]))
            return false;
    for (size_t i = 0; !s->n_arms && i < s->n_outputs; i++) {
        struct column_origin o = origin_of(s->outputs[i].value);
        if (!o.source || (!rule_is_key(j, o) && !rule_target(j, o)))
            return false;
    }
    return s->n_arms || s->n_outputs;
}

/* Both SELECTs have different literals in one output. */
static bool tells_arms_apart(const struct shape_select *a,
                             const struct shape_select *b)
{
    for (size_t i = 0; i < a->n_outputs && i < b->n_outputs; i++) {
        const struct shape_value *x = a->outputs[i].value,
                                 *y = b->outputs[i].value;
        if (x->kind == SHAPE_CONSTANT && y->kind == SHAPE_CONSTANT &&
            x->form == y->form && !str_eq(x->word, y->word))
            return true;
    }
    return false;
}

static bool is_unique(struct guardrail_check *j, struct shape_select *s)
{
    return s->grouped || s->collapsed ||
           grain_of(j->arena, &j->catalog, s)->keys.n > 0;
}

/* UNION of these two drops rows that the aggregate would have needed. */
static bool pair_drops(struct guardrail_check *j, struct shape_select *a,
                       struct shape_select *b)
{
    if (a->open || b->open || (shows_key(j, a) && shows_key(j, b)))
        return false;
    return !(tells_arms_apart(a, b) && is_unique(j, a) && is_unique(j, b));
}

enum { UNION_ARMS = 16 };

/* The SELECTs of UNIONs within each other, with or without ALL. */
static size_t arms_of(struct guardrail_check *j, struct shape_select *s,
                      struct shape_select **arms, size_t n)
{
    if (j->looked++ >= RULE_STEPS || n == UNION_ARMS)
        return n;
    if (!s->n_arms)
        arms[n++] = s;
    for (size_t i = 0; s->united && i < s->n_arms; i++)
        n = arms_of(j, s->arms[i], arms, n);
    return n;
}

static bool union_drops(struct guardrail_check *j, struct shape_select *s)
{
    struct shape_select *arms[UNION_ARMS];
    size_t n = 0;
    if (!s->united || j->looked++ >= RULE_STEPS)
        return false;
    if (!s->all)
        n = arms_of(j, s, arms, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (pair_drops(j, arms[i], arms[k]))
                return true;
    for (size_t i = 0; i < s->n_arms; i++)
        if (union_drops(j, s->arms[i]))
            return true;
    return false;
}

/* The set operation that a derived table passes on. */
static const struct shape_source *united_in(struct guardrail_check *j,
                                            const struct shape_source *source)
{
    while (rule_passes_rows(source) && source->query->n_sources == 1 &&
           j->looked++ < RULE_STEPS)
        source = source->query->sources[0];
    return source;
}

/* A set operation of one column that is grouped by it has one row in each group.
 */
static bool groups_by_its_column(const struct shape_select *s,
                                 const struct shape_source *source)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i]->kind == SHAPE_COLUMN &&
            s->groups[i]->source == source)
            return source->query->n_outputs == 1;
    return false;
}

/* count(*) AS units over a UNION of days: equal days are of several units. */
static bool counts_others(struct guardrail_check *j,
                          const struct shape_select *s,
                          const struct shape_value *call,
                          const struct shape_select *united)
{
    const struct shape_select *first = united->n_arms ? united->arms[0] : NULL;
    if (!first || first->n_outputs != 1 ||
        !type_is_time(rule_type(j, first->outputs[0].value)))
        return false;
    struct str names = rule_noun(j, first->outputs[0].name);
    for (size_t i = 0; i < s->n_outputs; i++)
        if (rule_peel(s->outputs[i].value) == call) {
            struct str noun = rule_counted_noun(j, s->outputs[i].name);
            return noun.len && !rule_names_hold(names, noun) &&
                   !str_is(noun, "day") && !str_is(noun, "date");
        }
    return false;
}

static void judge_unions(struct guardrail_check *j,
                         const struct shape_select *s)
{
    static const char *const adding[] = {"sum", "avg", NULL};
    for (size_t i = 0; i < s->n_aggregates; i++) {
        const struct shape_value *call = s->aggregates[i];
        const struct shape_value *column = rule_column(call);
        bool counts_rows =
            !column && s->n_sources == 1 &&
            (str_is(call->function, "count") || str_is(call->function, "sum"));
        const struct shape_source *source = column        ? column->source
                                            : counts_rows ? s->sources[0]
                                                          : NULL;
        const struct shape_source *outer = source;
        source = source ? united_in(j, source) : NULL;
        if (!source || source->kind != SHAPE_QUERY || call->distinct)
            continue;
        struct shape_select *q = source->query;
        bool adds = counts_rows
                        ? q->n_outputs > 1 || groups_by_its_column(s, outer) ||
                              counts_others(j, s, call, q)
                        : rule_holds(call, adding);
        /* each pair once is what a UNION of pairs is written for */
        if (!adds || !union_drops(j, q) ||
            (counts_rows && shows_only_keys(j, q)))
            continue;
        rule_broken(j, RULE_UNION_LOSES_ROWS, ASKS_WITHOUT,
                    STR("distinct|different|unique"),
                    "%.*s adds up the rows of a UNION, which drops a row that "
                    "is equal to another one.",
                    STR_ARG(call->function));
        return;
    }
}

/* ---- not_in_null --------------------------------------------------------- */

/* A condition of the query lets no NULL of this column through. */
static bool is_excluded(const struct shape_select *q,
                        const struct shape_value *column)
{
    for (size_t i = 0; i < q->n_conditions; i++) {
        const struct shape_value *c = q->conditions[i];
        bool tests = c->form == SHAPE_FORM_NOT_NULL && c->n_parts;
        const struct shape_value *of = tests ? c->parts[0] : c;
        for (size_t k = 0; k <= c->n_parts; k++) {
            const struct shape_value *p = k < c->n_parts ? c->parts[k] : of;
            bool same = p->kind == SHAPE_COLUMN &&
                        p->source == column->source &&
                        p->column == column->column;
            bool strict =
                tests || c->kind == SHAPE_EQUAL || c->kind == SHAPE_RANGE ||
                c->form == SHAPE_FORM_OPERATOR || c->form == SHAPE_FORM_IN;
            if (same && strict)
                return true;
        }
    }
    return false;
}

static bool is_key_part(const struct guardrail_check *j,
                        struct column_origin origin)
{
    const struct dataset *d = rule_dataset(j, origin);
    if (d && origin_within(origin, d->primary_key))
        return true;
    for (size_t i = 0; d && i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (origin_in_dataset(origin, r->to) &&
            origin_within(origin, r->to_columns))
            return true;
    }
    return false;
}

/* The model says that the column is required, or it says of other references of
 * the dataset that they may be NULL, and not of this one. */
static bool is_filled(const struct guardrail_check *j, struct column_origin o)
{
    const struct dataset *d = rule_dataset(j, o);
    const struct field *field = rule_field(j, o);
    bool others = field && field->required;
    for (size_t i = 0; d && i < d->n_fields; i++) {
        const struct field *f = &d->fields[i];
        bool said = str_find_nocase(f->description, STR("null")) >= 0;
        if (said && str_eq_nocase(f->column, rule_column_name(o)))
            return false;
        for (size_t r = 0; said && r < j->o->n_relationships; r++)
            others = others ||
                     (origin_in_dataset(o, j->o->relationships[r].from) &&
                      str_list_contains(j->o->relationships[r].from_columns,
                                        f->column));
    }
    return others;
}

/* The column of a table that the subquery may return as NULL, or none. */
static struct column_origin may_be_null(struct guardrail_check *j,
                                        const struct shape_select *q)
{
    const struct column_origin none = {NULL, 0};
    for (size_t i = 0; q->united && i < q->n_arms; i++) {
        struct column_origin o =
            j->looked++ < RULE_STEPS ? may_be_null(j, q->arms[i]) : none;
        if (o.source)
            return o;
    }
    while (q->n_outputs && !q->n_arms) {
        const struct shape_value *v = q->outputs[0].value;
        if (v->kind != SHAPE_COLUMN || v->column == SHAPE_WHOLE_ROW ||
            is_excluded(q, v))
            return none;
        if (v->source->kind == SHAPE_TABLE) {
            struct column_origin o = origin_of(v);
            bool sure = !o.source || ((is_key_part(j, o) || is_filled(j, o)) &&
                                      !v->source->optional);
            return sure ? none : o;
        }
        if (v->source->kind != SHAPE_QUERY || v->source->query->n_arms ||
            v->column >= v->source->query->n_outputs)
            return none;
        /* follow a derived table only if it passes on its first output */
        if (v->column != 0)
            return none;
        q = v->source->query;
    }
    return none;
}

static void judge_not_in(struct guardrail_check *j, const struct shape_value *v,
                         bool negated)
{
    bool here =
        (negated && v->form == SHAPE_FORM_IN) || v->form == SHAPE_FORM_NOT_IN;
    if (here && v->query) {
        struct column_origin o = may_be_null(j, v->query);
        if (o.source)
            rule_broken(j, RULE_NOT_IN_NULL, ASKS_ANYTHING, STR(""),
                        "NOT IN over %.*s of %.*s finds nothing if one of its "
                        "values is NULL, and the model does not say that none "
                        "is.",
                        STR_ARG(rule_column_name(o)),
                        STR_ARG(source_label(j, o.source)));
    }
    for (size_t i = 0; i < v->n_parts; i++)
        judge_not_in(j, v->parts[i], v->form == SHAPE_FORM_NOT);
    /* FILTER, and the conditions of CASE */
    for (size_t i = 0; i < v->n_aside; i++)
        judge_not_in(j, v->aside[i], false);
}

void judge_rows(struct guardrail_check *j, struct shape_select *s)
{
    judge_optionals(j, s, s);
    judge_limit(j, s);
    judge_picks(j, s);
    judge_unions(j, s);
    for (size_t i = 0; i < s->n_conditions; i++)
        judge_not_in(j, s->conditions[i], false);
    if (s->having)
        judge_not_in(j, s->having, false);
    for (size_t i = 0; i < s->n_outputs; i++)
        judge_not_in(j, s->outputs[i].value, false);
}
