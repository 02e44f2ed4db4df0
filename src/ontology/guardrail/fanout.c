/* fanout.c - finds aggregates over rows that a join repeats (fan-out, chasm
 * trap). grain.c knows how often rows are repeated; here we decide whether that
 * harms the aggregate, and say so. */
#include "each_use.h"
#include <string.h>
#include "base/banned.h"

enum weight {
    WEIGHT_NONE,  /* repeated rows change nothing */
    WEIGHT_SUM,   /* they are added again */
    WEIGHT_SHIFT, /* they weigh more than others */
    WEIGHT_LIST,  /* they are listed again */
};

static enum weight weight_of(struct str function)
{
    static const char *const shifting[] = {
        "avg",  "stddev", "variance", "percentile_cont", "percentile_disc",
        "corr", "mode",   NULL};
    static const char *const families[] = {"stddev_", "var_", "covar_", "regr_",
                                           NULL};
    static const char *const sums[] = {"sum",      "count",    "regr_count",
                                       "bit_xor",  "regr_sxx", "regr_syy",
                                       "regr_sxy", NULL};
    static const char *const lists[] = {
        "string_agg",      "array_agg", "json_agg", "jsonb_agg",
        "json_object_agg", SHAPE_ARRAY, NULL};
    if (str_is_one_of(function, sums))
        return WEIGHT_SUM;
    if (str_is_one_of(function, lists))
        return WEIGHT_LIST;
    if (str_is_one_of(function, shifting))
        return WEIGHT_SHIFT;
    for (const char *const *f = families; *f; f++)
        if (str_starts(function, str_of(*f)))
            return WEIGHT_SHIFT;
    return WEIGHT_NONE;
}

static const struct shape_value *first_column(const struct shape_value *value)
{
    if (value->kind == SHAPE_COLUMN && value->column != SHAPE_WHOLE_ROW)
        return value;
    for (size_t i = 0; i < value->n_parts; i++) {
        const struct shape_value *found = first_column(value->parts[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* "sum(freight)" */
static struct str call_text(const struct guardrail_check *j,
                            const struct shape_value *call)
{
    const struct shape_value *column = first_column(call);
    bool plain = call->n_parts == 1 && call->parts[0] == column;
    if (!column)
        return arena_printf(j->arena, "%.*s(*)", STR_ARG(call->function));
    struct str name = column->source->columns[column->column];
    return arena_printf(j->arena, "%.*s(%s%.*s%s)", STR_ARG(call->function),
                        call->distinct ? "distinct " : "", STR_ARG(name),
                        plain ? "" : " …");
}

/* Both are joined through a third source that each of them reaches. */
static bool is_chasm(const struct grain *g, const struct shape_source *of,
                     const struct shape_source *culprit)
{
    bool *up = grain_no_sources(g), *other = grain_no_sources(g);
    const bool *fixed = grain_constant_classes(g, NULL, 0);
    up[of->index] = other[culprit->index] = true;
    grain_reach(g, up, fixed);
    grain_reach(g, other, fixed);
    if (other[of->index])
        return false;
    for (size_t i = 0; i < g->select->n_sources; i++)
        if (up[i] && other[i])
            return true;
    return false;
}

static void add_use(struct guardrail_check *j, const struct shape_value *call,
                    const struct shape_source *top,
                    const struct measure_grain *m)
{
    struct column_origin origin = origin_of(call->parts[0]);
    struct str of = source_label(j, origin.source ? origin.source : m->of);
    struct str by = source_label(j, top);
    finding_add(j, FINDING_FAN_OUT, false,
                "%.*s takes the value of a row of %.*s once for each row of "
                "%.*s. That is right if each of these has it again (a price, "
                "a distance), and wrong if they share it: then aggregate %.*s "
                "in a subquery first and join its result.",
                STR_ARG(call_text(j, call)), STR_ARG(of), STR_ARG(by),
                STR_ARG(by));
}

static void add_fan_out(struct guardrail_check *j, const struct grain *g,
                        const struct shape_value *call,
                        const struct measure_grain *m)
{
    const struct shape_source *by = NULL;
    enum use use = use_of(j, g, call, m, &by);
    if (use == USE_PREPARED)
        return;
    if (use == USE_PERHAPS) {
        add_use(j, call, by, m);
        return;
    }
    enum weight weight = weight_of(call->function);
    bool sums = weight == WEIGHT_SUM;
    struct str what = call_text(j, call), of = source_label(j, m->of);
    const char *harm = sums ? "counts them more than once"
                       : weight == WEIGHT_LIST
                           ? "lists them more than once"
                           : "gives some of them more weight";
    if (!m->culprit)
        finding_add(j, FINDING_FAN_OUT, sums,
                    "%.*s: %.*s already repeats these values in several rows, "
                    "so this %s. Aggregate at the grain of their own table "
                    "before joining.",
                    STR_ARG(what), STR_ARG(of), harm);
    else if (is_chasm(g, m->of, m->culprit))
        finding_add(
            j, FINDING_FAN_OUT, sums,
            "%.*s: %.*s and %.*s both have many rows for one row of "
            "what they are joined by (a chasm trap), so each row of "
            "%.*s is repeated and this %s. Aggregate each of the two in "
            "a subquery of its own, then join the results.",
            STR_ARG(what), STR_ARG(of), STR_ARG(source_label(j, m->culprit)),
            STR_ARG(of), harm);
    else
        finding_add(j, FINDING_FAN_OUT, sums,
                    "%.*s: the join with %.*s repeats rows of %.*s (one-to-many"
                    "), so this %s. %s",
                    STR_ARG(what), STR_ARG(source_label(j, m->culprit)),
                    STR_ARG(of), harm,
                    str_is(call->function, "count")
                        ? "Use count(distinct …), or count(*) if rows are "
                          "meant."
                    : weight == WEIGHT_LIST
                        ? "Put distinct into it, or leave the join out (EXISTS "
                          "filters without repeating rows)."
                        : "Aggregate in a subquery first and join its result, "
                          "or leave the join out (EXISTS filters without "
                          "repeating rows).");
}

static void add_not_judged(struct guardrail_check *j,
                           const struct shape_value *call,
                           const struct measure_grain *m)
{
    struct str what = call_text(j, call), of = source_label(j, m->of);
    if (m->multiplied == MULTIPLIED_OVERLAPS && m->culprit)
        finding_add(j, FINDING_NOT_JUDGED, false,
                    "%.*s takes a row of %.*s into several groups, once for "
                    "each row of %.*s: the groups do not add up to the total.",
                    STR_ARG(what), STR_ARG(of),
                    STR_ARG(source_label(j, m->culprit)));
    else if (m->culprit)
        finding_add(j, FINDING_NOT_JUDGED, false,
                    "Whether %.*s counts rows of %.*s more than once cannot be "
                    "told: the model does not say how many rows of %.*s belong "
                    "to one of them.",
                    STR_ARG(what), STR_ARG(of),
                    STR_ARG(source_label(j, m->culprit)));
    else if (m->multiplied == MULTIPLIED_OVERLAPS)
        finding_add(j, FINDING_NOT_JUDGED, false,
                    "%.*s takes a value of %.*s into several groups: the "
                    "groups do not add up to the total.",
                    STR_ARG(what), STR_ARG(of));
    else
        finding_add(j, FINDING_NOT_JUDGED, false,
                    "Whether %.*s counts values more than once cannot be told "
                    "from %.*s.",
                    STR_ARG(what), STR_ARG(of));
}

/* ---- rows that are counted
 * ------------------------------------------------- */

/* The sources that no other source reaches, among those that may differ
 * within a group. */
static size_t summits(const struct grain *g, const bool *fixed, size_t *tops)
{
    const struct shape_select *s = g->select;
    bool **reached = arena_new_array(g->arena, bool *, s->n_sources + 1);
    bool *given = grain_no_sources(g);
    size_t n = 0;
    grain_reach(g, given, fixed);
    for (size_t i = 0; i < s->n_sources; i++) {
        reached[i] = grain_no_sources(g);
        reached[i][i] = true;
        grain_reach(g, reached[i], fixed);
    }
    for (size_t i = 0; i < s->n_sources; i++) {
        bool below = given[i];
        for (size_t k = 0; !below && k < s->n_sources; k++)
            below = k != i && reached[k][i] && (!reached[i][k] || k < i);
        if (!below)
            tops[n++] = i;
    }
    return n;
}

/* What is wrong with one count(*) of a SELECT is wrong with all of them, and a
 * look at one takes time. */
enum { PAIRS_JUDGED = 16 };

/* count(*) over two many sides counts pairs. If both are the same table, pairs
 * are what the query wants. */
static void judge_count(struct guardrail_check *j, const struct grain *g,
                        const struct shape_value *call,
                        struct shape_value *const *groups, size_t n_groups)
{
    const struct shape_select *s = g->select;
    if (j->pairs++ >= PAIRS_JUDGED)
        return;
    size_t *tops = arena_new_array(j->arena, size_t, s->n_sources + 1);
    size_t n = summits(g, grain_constant_classes(g, groups, n_groups), tops);
    for (size_t i = 0; i < s->n_sources; i++)
        if (!g->source_keys[i].known || g->vague[i])
            return;
    if (n < 2)
        return;
    const struct shape_source *a = s->sources[tops[0]],
                              *b = s->sources[tops[1]];
    if ((a->kind == SHAPE_TABLE && a->table == b->table) || !is_chasm(g, a, b))
        return;
    finding_add(
        j, FINDING_FAN_OUT, true,
        "%.*s counts pairs of %.*s and %.*s: both have many rows for one "
        "row of what they are joined by (a chasm trap). Aggregate each "
        "of the two in a subquery of its own, then join the results.",
        STR_ARG(call_text(j, call)), STR_ARG(source_label(j, a)),
        STR_ARG(source_label(j, b)));
}

/* ---- calls
 * ----------------------------------------------------------------- */

/* avg(a.x - b.y): each row of the finer table has a difference of its own. A sum
 * of differences is one of sums. */
static bool is_average_of_differences(const struct shape_value *call)
{
    const struct shape_value *v = call->n_parts ? call->parts[0] : NULL;
    return v && call->n_parts == 1 && v->kind == SHAPE_SUM && v->n_parts == 2 &&
           str_is(v->word, "-") && weight_of(call->function) == WEIGHT_SHIFT &&
           first_column(v->parts[0]) && first_column(v->parts[1]);
}

/* The mean of a difference that a derived table computes from what it has added up,
 * the free seats of each flight: none of them repeats, though the seats do. */
static bool is_of_derived_difference(const struct shape_value *call)
{
    const struct shape_value *v =
        call->n_parts ? rule_resolve(call->parts[0]) : NULL;
    return v && v != call->parts[0] && v->kind == SHAPE_SUM &&
           v->n_parts == 2 && str_is(v->word, "-") && rule_holds(v, NULL) &&
           weight_of(call->function) == WEIGHT_SHIFT;
}

/* LEFT JOIN samples s ON s.id = t.sample_id AND s.kind = 'blood', count(s.id): of
 * the rows that match, unless its name says that it counts samples. */
static bool counts_matches(struct guardrail_check *j, const struct grain *g,
                           const struct shape_value *call)
{
    const struct shape_value *column = first_column(call);
    const struct shape_select *s = g->select;
    if (!str_is(call->function, "count") || call->distinct || !column ||
        call->parts[0] != column || !column->source->optional ||
        column->source->select != s || column->source->kind != SHAPE_TABLE)
        return false;
    const struct dataset *d = model_table_dataset(&j->catalog, column->source);
    struct str noun = rule_counted_noun(j, rule_output_name(s, call));
    if (!d || rule_names_hold(rule_names_of(j, d), noun) ||
        rule_names_end(rule_names_of(j, d), noun))
        return false;
    for (size_t i = 0; i < s->first_where && i < column->source->optional_from;
         i++) {
        bool *of = grain_no_sources(g), others = false;
        grain_sources(g, s->conditions[i], of);
        for (size_t k = 0; k < s->n_sources; k++)
            others = others || (of[k] && k != column->source->index);
        if (of[column->source->index] && !others)
            return true;
    }
    return false;
}

static void judge_measure(struct guardrail_check *j, const struct grain *g,
                          const struct shape_value *call,
                          struct shape_value *const *groups, size_t n_groups)
{
    bool count = str_is(call->function, "count");
    bool list = weight_of(call->function) == WEIGHT_LIST ||
                is_average_of_differences(call);
    struct measure_grain worst = {.multiplied = MULTIPLIED_NOT};
    const struct shape_source *by;
    struct shape_value row = {
        .kind = SHAPE_OTHER, .parts = call->parts, .n_parts = call->n_parts};
    struct shape_value *all =
        &row; /* a list has the grain of its finest part */
    for (size_t i = 0; i < (list ? 1 : call->n_parts); i++) {
        struct measure_grain m = grain_measure(g, list ? all : call->parts[i],
                                               groups, n_groups, count);
        worst.counts_rows = worst.counts_rows || m.counts_rows;
        if (m.multiplied > worst.multiplied)
            worst = m;
    }
    if (worst.multiplied == MULTIPLIED_SURELY && !call->windowed &&
        grain_keeps_first(g, call->aside, call->n_aside))
        worst.multiplied = MULTIPLIED_PERHAPS;
    if ((!worst.culprit && is_of_derived_difference(call)) ||
        (worst.multiplied != MULTIPLIED_NOT && counts_matches(j, g, call)))
        return;
    /* these are not added up over the groups */
    bool apart = count || list || weight_of(call->function) == WEIGHT_SHIFT;
    if (apart && worst.multiplied == MULTIPLIED_OVERLAPS)
        return;
    if (call->distinct && worst.multiplied != MULTIPLIED_NOT)
        finding_add(
            j, FINDING_NOT_JUDGED, false,
            "%.*s takes equal values for one: two rows of %.*s with the "
            "same value would count once.",
            STR_ARG(call_text(j, call)), STR_ARG(source_label(j, worst.of)));
    else if (worst.multiplied == MULTIPLIED_SURELY)
        add_fan_out(j, g, call, &worst);
    else if (worst.multiplied == MULTIPLIED_OVERLAPS &&
             use_of(j, g, call, &worst, &by))
        return;
    else if (worst.multiplied != MULTIPLIED_NOT)
        add_not_judged(j, call, &worst);
    else if (!list && (!worst.of || call->n_parts == 0))
        judge_count(j, g, call, groups, n_groups);
}

/* A window over groups: sum(max(x)) over (). */
static void judge_groups(struct guardrail_check *j, const struct grain *g,
                         const struct shape_value *call)
{
    struct shape_value all = {
        .kind = SHAPE_SUM, .parts = call->parts, .n_parts = call->n_parts};
    const struct shape_value *column = first_column(call);
    enum multiplied m =
        grain_group_multiplied(g, &all, call->aside, call->n_aside);
    if (!m || !column || str_is(call->function, "count"))
        return;
    struct measure_grain measured = {.multiplied = m, .of = column->source};
    if (m == MULTIPLIED_SURELY)
        add_fan_out(j, g, call, &measured);
    else
        add_not_judged(j, call, &measured);
}

void judge_measures(struct guardrail_check *j, struct shape_select *select)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, select);
    for (size_t i = 0; i < select->n_aggregates; i++) {
        const struct shape_value *call = select->aggregates[i];
        bool over_groups =
            call->windowed && (select->grouped || select->collapsed);
        enum weight weight = weight_of(call->function);
        bool told_apart = call->distinct && (weight == WEIGHT_LIST ||
                                             str_is(call->function, "count"));
        if (weight == WEIGHT_NONE || told_apart)
            continue;
        if (over_groups)
            judge_groups(j, g, call);
        else if (call->windowed)
            judge_measure(j, g, call, call->aside, call->n_aside);
        else if (select->grouping_sets)
            judge_measure(j, g, call, NULL, 0);
        else
            judge_measure(j, g, call, select->groups, select->n_groups);
    }
}
