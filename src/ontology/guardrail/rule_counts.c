/* rule_counts.c - does a count count what is asked for?
 *
 * What is asked for is in the name of the output ("orders", "order_count"), else
 * in the question ("how many orders"). */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

enum { COUNTS_JUDGED = 64 }; /* of one SELECT */

/* The name of the output that is this aggregate, perhaps rounded or so. */
struct str rule_output_name(const struct shape_select *s,
                            const struct shape_value *call)
{
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *v = s->outputs[i].value;
        while (v != call && v->n_parts &&
               (v->form == SHAPE_FORM_COALESCE ||
                (v->form == SHAPE_FORM_CALL &&
                 (v->kind != SHAPE_AGGREGATE || str_is(v->function, "sum")))))
            v = v->parts[0];
        if (v == call)
            return s->outputs[i].name;
    }
    return STR("");
}

/* The question is about the outputs of the whole query only: what a subquery
 * counts may be something else. */
static bool counts_for_question(const struct guardrail_check *j,
                                const struct shape_select *s,
                                const struct shape_value *call)
{
    if (s != j->shape.top)
        return false;
    for (size_t i = 0; i < s->n_outputs; i++)
        if (s->outputs[i].value == call)
            return true;
    return false;
}

static bool is_table(const struct shape_source *source)
{
    return source->kind == SHAPE_TABLE;
}

static const struct dataset *dataset_of(const struct guardrail_check *j,
                                        const struct shape_source *source)
{
    return model_table_dataset(&j->catalog, source);
}

/* The noun is a name of the dataset, or ends with one. */
static bool is_kind_of(struct guardrail_check *j, const struct dataset *d,
                       struct str noun)
{
    struct str names = rule_names_of(j, d);
    return rule_names_hold(names, noun) || rule_names_end(names, noun);
}

/* ---- count_of_joined_rows ------------------------------------------------ */

/* Rows of this source occur several times in a group. */
static bool is_repeated(const struct grain *g, const struct rule_rows *rows,
                        const struct shape_source *source)
{
    const struct shape_source *culprit;
    bool *from = grain_no_sources(g);
    from[source->index] = true;
    return grain_multiplies(g, from, rows->groups, rows->n_groups, &culprit) ==
           MULTIPLIED_SURELY;
}

/* The source is this table, or a derived table that passes on its rows alone. */
static bool has_rows_of(const struct shape_source *source,
                        const struct shape_table *table)
{
    while (rule_passes_rows(source) && source->query->n_sources == 1)
        source = source->query->sources[0];
    return is_table(source) && source->table == table;
}

/* A table is joined with itself, and the rows of another side are counted. */
static bool is_counted_elsewhere(const struct grain *g,
                                 const struct rule_rows *rows,
                                 const struct shape_source *source)
{
    for (size_t i = 0; i < rows->select->n_sources; i++) {
        const struct shape_source *other = rows->select->sources[i];
        if (other != source && has_rows_of(other, source->table) &&
            !is_repeated(g, rows, other))
            return true;
    }
    return false;
}

/* An outer join adds one row of NULLs where the many side has none. */
static bool counts_nothing_as_one(const struct grain *g,
                                  const struct shape_select *s,
                                  const struct shape_source *source)
{
    bool *reached = grain_no_sources(g);
    if (!source->optional || g->absent[source->index])
        return false;
    for (size_t i = 0; i < s->n_sources; i++)
        reached[i] = !s->sources[i]->optional;
    grain_reach(g, reached, grain_constant_classes(g, NULL, 0));
    for (size_t i = s->first_where; i < s->n_conditions; i++)
        if (rule_rejects_null(s->conditions[i], source) ||
            s->conditions[i]->form == SHAPE_FORM_NOT_NULL)
            return false;
    return !reached[source->index];
}

static void judge_count_of_rows(struct guardrail_check *j,
                                struct shape_select *s,
                                const struct shape_value *call,
                                const struct rule_rows *rows)
{
    const struct shape_select *of = rows->select;
    const struct grain *g = grain_of(j->arena, &j->catalog, rows->select);
    struct str name = rule_output_name(s, call),
               noun = rule_counted_noun(j, name);
    const struct shape_source *named = NULL, *empty = NULL;
    if (!g->source_keys || of->n_sources < 2)
        return;
    for (size_t i = 0; i < of->n_sources; i++) {
        const struct shape_source *source = of->sources[i];
        if (is_table(source) &&
            rule_names_hold(rule_names_of(j, dataset_of(j, source)), noun))
            named = source;
        if (of == s && counts_nothing_as_one(g, s, source))
            empty = source;
    }
    if (empty) {
        rule_broken(j, RULE_COUNT_OF_JOINED_ROWS, ASKS_ANYTHING, STR(""),
                    "count(*) counts the row that the outer join adds where "
                    "%.*s has none, so 0 becomes 1.",
                    STR_ARG(source_label(j, empty)));
        return;
    }
    for (size_t i = 0; i < of->n_sources; i++) {
        const struct shape_source *source = of->sources[i];
        bool judged = named ? named == source : counts_for_question(j, s, call);
        if (!is_table(source) || !judged || !is_repeated(g, rows, source) ||
            is_counted_elsewhere(g, rows, source))
            continue;
        rule_broken(j, RULE_COUNT_OF_JOINED_ROWS,
                    named ? ASKS_ANYTHING : ASKS_COUNT_OF,
                    rule_names_of(j, dataset_of(j, source)),
                    "count(*)%s%.*s counts joined rows; the join repeats each "
                    "row of %.*s.",
                    name.len ? " AS " : "", STR_ARG(name),
                    STR_ARG(source_label(j, source)));
    }
}

/* No two rows of a group have the same values in these columns of the only
 * source: the balances of one day are those of different customers. */
static bool are_different(struct guardrail_check *j,
                          const struct rule_rows *rows, struct str_list columns)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, rows->select);
    const struct shape_source *source = rows->select->sources[0];
    bool *reached = grain_no_sources(g);
    bool *fixed = grain_constant_classes(g, rows->groups, rows->n_groups);
    for (size_t i = 0; i < columns.n; i++)
        for (size_t c = 0; c < source->n_columns; c++)
            if (str_eq_nocase(source->columns[c], columns.items[i]))
                fixed[g->classes[g->offsets[0] + c]] = true;
    return grain_reach(g, reached, fixed);
}

/* The same for what any relationship between these two refers to. */
static bool names_one_each(struct guardrail_check *j,
                           const struct rule_rows *rows,
                           const struct relationship *like)
{
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (r->from == like->from && r->to == like->to &&
            are_different(j, rows, r->from_columns))
            return true;
    }
    return false;
}

/* count(*) AS customers over orders: the rows are others than their name says. */
static void judge_rows_named(struct guardrail_check *j, struct shape_select *s,
                             const struct shape_value *call,
                             const struct rule_rows *rows)
{
    struct str name = rule_output_name(s, call),
               noun = rule_counted_noun(j, name);
    const struct shape_select *of = rows->select;
    const struct shape_source *source =
        of->n_sources == 1 ? of->sources[0] : NULL;
    if (!source || !is_table(source) || rule_picks_rows(of) ||
        is_kind_of(j, dataset_of(j, source), noun))
        return;
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        const struct dataset *to = &j->o->datasets[r->to];
        if (&j->o->datasets[r->from] != dataset_of(j, source) ||
            r->from == r->to || !r->to_is_key || names_one_each(j, rows, r))
            continue;
        struct str names = rule_names_of(j, to);
        bool named = rule_names_hold(names, noun);
        bool asked = (!noun.len || rule_names_end(names, noun)) &&
                     !s->n_groups && counts_for_question(j, s, call);
        if (named || asked)
            rule_broken(j, RULE_COUNT_OF_VALUES,
                        named ? ASKS_ANYTHING : ASKS_COUNT_OF, names,
                        "count(*)%s%.*s counts rows of %.*s, and several of "
                        "them may belong to one of %.*s.",
                        name.len ? " AS " : "", STR_ARG(name),
                        STR_ARG(source_label(j, source)), STR_ARG(to->name));
    }
}

/* ---- count_of_values ----------------------------------------------------- */

/* No two rows of a group share the column. */
static bool is_single(struct guardrail_check *j, struct shape_select *s,
                      const struct shape_value *column)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, s);
    struct shape_value **fixed =
        arena_new_array(j->arena, struct shape_value *, s->n_groups + 1);
    bool *reached;
    if (!g->source_keys || column->source->select != s)
        return true;
    for (size_t i = 0; i < s->n_groups; i++)
        fixed[i] = s->groups[i];
    fixed[s->n_groups] = (struct shape_value *)column;
    reached = grain_no_sources(g);
    return grain_reach(g, reached,
                       grain_constant_classes(g, fixed, s->n_groups + 1));
}

/* The nouns that a column has: "country" of customers.country. */
static bool is_of_noun(struct guardrail_check *j, struct column_origin o,
                       struct str noun)
{
    struct name_words w = name_words(j->arena, rule_column_name(o));
    return w.n && noun.len &&
           (str_eq(w.one[w.n - 1], noun) ||
            str_eq(rule_noun(j, rule_column_name(o)), noun));
}

static struct str plural_names(struct guardrail_check *j,
                               struct column_origin o)
{
    struct name_words w = name_words(j->arena, rule_column_name(o));
    struct str all = rule_noun(j, rule_column_name(o));
    return w.n > 1 ? arena_printf(j->arena, "%.*s|%.*s", STR_ARG(all),
                                  STR_ARG(w.one[w.n - 1]))
                   : all;
}

static bool identifies(struct str column)
{
    static const char *const endings[] = {"email",    "code", "number", "uuid",
                                          "guid",     "_no",  "slug",   "login",
                                          "username", NULL};
    for (const char *const *e = endings; *e; e++)
        if (str_ends(column, str_of(*e)))
            return true;
    return false;
}

/* count(distinct name) where the things are asked for. */
static void judge_distinct(struct guardrail_check *j, struct shape_select *s,
                           const struct shape_value *call,
                           struct column_origin o, struct str noun)
{
    static const char *const labels[] = {"name", "title", "label", NULL};
    const struct dataset *d = rule_dataset(j, o);
    struct name_words w = name_words(j->arena, rule_column_name(o));
    struct str names = rule_names_of(j, d);
    bool named = rule_names_hold(names, noun);
    if (!named && !counts_for_question(j, s, call))
        return;
    if (!w.n || !d->primary_key.n || rule_is_key(j, o) ||
        !word_among(w.items[w.n - 1], labels) ||
        identifies(rule_column_name(o)) || (noun.len && !named))
        return;
    rule_broken(j, RULE_COUNT_OF_VALUES, named ? ASKS_ANYTHING : ASKS_COUNT_OF,
                names,
                "count(distinct %.*s) takes two of %.*s with the same value "
                "for one.",
                STR_ARG(rule_column_name(o)), STR_ARG(d->name));
}

/* The column of CASE WHEN … THEN column END, or the value itself. */
static const struct shape_value *chosen(const struct shape_value *v)
{
    const struct shape_value *one = NULL;
    for (size_t i = 0; v->form == SHAPE_FORM_CASE && i < v->n_parts; i++) {
        if (v->parts[i]->form == SHAPE_FORM_NULL)
            continue;
        if (one)
            return v;
        one = v->parts[i];
    }
    return one ? one : v;
}

static bool is_mean_of(struct str text, struct str name)
{
    static const char *const means[] = {"avg(", "sum(", NULL};
    for (const char *const *m = means; *m; m++)
        for (size_t at = 0;;) {
            ptrdiff_t found = str_find_nocase(str_from(text, at), str_of(*m));
            if (found < 0)
                break;
            at += (size_t)found + 4;
            struct str of = str_cut(text, at, name.len);
            if (str_eq_nocase(of, name) && at + name.len < text.len &&
                text.ptr[at + name.len] == ')')
                return true;
        }
    return false;
}

/* The column is measured, here or by a metric: how many of its values there are
 * is what a mean divides by. */
static bool is_measured(struct guardrail_check *j, const struct shape_select *s,
                        const struct shape_value *column,
                        struct column_origin o)
{
    static const char *const means[] = {"sum", "avg", NULL};
    struct str name =
        arena_printf(j->arena, "%.*s.%.*s", STR_ARG(rule_dataset(j, o)->name),
                     STR_ARG(rule_column_name(o)));
    for (size_t i = 0; i < s->n_aggregates; i++) {
        const struct shape_value *call = s->aggregates[i];
        const struct shape_value *of =
            call->n_parts && word_among(call->function, means)
                ? chosen(call->parts[0])
                : NULL;
        if (of && of->kind == SHAPE_COLUMN && of->source == column->source &&
            of->column == column->column)
            return true;
    }
    for (size_t i = 0; i < j->o->n_metrics; i++)
        if (is_mean_of(j->o->metrics[i].expression, name))
            return true;
    return false;
}

/* Who does something, and nothing that the model has a name for: "late payer". */
static bool is_agent(struct guardrail_check *j, struct str noun)
{
    for (size_t i = 0; i < j->o->n_datasets; i++)
        if (is_kind_of(j, &j->o->datasets[i], noun))
            return false;
    return str_ends(noun, STR("er")) || str_ends(noun, STR("or"));
}

static void judge_count_of_column(struct guardrail_check *j,
                                  struct shape_select *s,
                                  const struct shape_value *call)
{
    const struct shape_value *column = chosen(call->parts[0]);
    struct column_origin o = origin_of(column);
    struct str name = rule_output_name(s, call),
               noun = rule_counted_noun(j, name);
    if (column->kind != SHAPE_COLUMN || !o.source)
        return;
    if (call->distinct) {
        judge_distinct(j, s, call, o, noun);
        return;
    }
    if (is_single(j, s, column) || rule_picks_rows(s))
        return;
    const struct dataset *to = rule_target(j, o), *of = rule_dataset(j, o);
    if (is_kind_of(j, of, noun))
        return;
    struct str names = to ? rule_names_of(j, to) : plural_names(j, o);
    bool named = to ? rule_names_hold(names, noun) : is_of_noun(j, o, noun);
    enum value_type type = rule_type(j, column);
    if (!to && (rule_is_key(j, o) || type == TYPE_NUMBER ||
                type_is_time(type) || is_measured(j, s, column, o)))
        return;
    bool open =
        !noun.len || (to && (rule_names_end(names, noun) || is_agent(j, noun)));
    if (!named && !(open && counts_for_question(j, s, call)))
        return;
    rule_broken(j, RULE_COUNT_OF_VALUES, named ? ASKS_ANYTHING : ASKS_COUNT_OF,
                names,
                "count(%.*s)%s%.*s counts a value again for each row of %.*s "
                "that has it.",
                STR_ARG(rule_column_name(o)), name.len ? " AS " : "",
                STR_ARG(name), STR_ARG(of->name));
}

/* ---- all of them --------------------------------------------------------- */

/* count(*) over SELECT DISTINCT name, or over groups by it. */
static void judge_distinct_rows(struct guardrail_check *j,
                                struct shape_select *s,
                                const struct shape_value *call)
{
    const struct shape_select *q =
        s->n_sources == 1 && s->sources[0]->kind == SHAPE_QUERY
            ? s->sources[0]->query
            : NULL;
    bool single =
        q && !q->n_arms && !q->opaque &&
        (q->grouped ? q->n_groups == 1 : q->distinct && q->n_outputs == 1);
    if (!single)
        return;
    const struct shape_value *v =
        q->grouped ? q->groups[0] : q->outputs[0].value;
    struct column_origin o = origin_of(v);
    if (o.source)
        judge_distinct(j, s, call, o,
                       rule_counted_noun(j, rule_output_name(s, call)));
}

static void judge_count_of_all(struct guardrail_check *j,
                               struct shape_select *s,
                               const struct shape_value *call)
{
    struct rule_rows rows = rule_rows_of(j, s);
    judge_distinct_rows(j, s, call);
    if (!rows.select)
        return;
    judge_count_of_rows(j, s, call, &rows);
    for (size_t i = 0; rows.select->n_sources > 1 && i < rows.select->n_sources;
         i++) {
        struct rule_rows in =
            rule_rows_looked_up(j, rows, rows.select->sources[i]);
        if (in.select)
            judge_count_of_rows(j, s, call, &in);
    }
    if (!call->n_aside)
        judge_rows_named(j, s, call, &rows);
}

void judge_counts(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; i < s->n_aggregates && i < COUNTS_JUDGED; i++) {
        const struct shape_value *call = s->aggregates[i];
        if (!str_is(call->function, "count") || call->windowed ||
            call->n_parts > 1)
            continue;
        if (!call->n_parts || call->parts[0]->kind == SHAPE_CONSTANT)
            judge_count_of_all(j, s, call);
        else
            judge_count_of_column(j, s, call);
    }
}
