/* rule_groups.c - does a group hold one thing?
 *
 * A name is not a key: people share names, and the model may say that other
 * things do. Where only the model says so, or where a derived table passes the
 * name on, the question must speak of the things. */
#include "rule.h"
#include "../known.h"
#include "../words.h"
#include "base/banned.h"

static const char *const people[] = {
    "customer", "client",   "employee",   "user",        "person",    "people",
    "patient",  "student",  "member",     "contact",     "passenger", "guest",
    "driver",   "doctor",   "teacher",    "author",      "player",    "worker",
    "staff",    "agent",    "rep",        "salesperson", "seller",    "buyer",
    "owner",    "borrower", "subscriber", "candidate",   "applicant", "voter",
    "actor",    "visitor",  "tenant",     "donor",       "manager",   "account",
    NULL};
/* Things of which several commonly have one name. */
static const char *const repeating[] = {
    "track", "song",    "album",    "city",   "town",   "event",
    "task",  "file",    "document", "branch", "school", "course",
    "class", "section", "team",     NULL};

/* The column is a name that several rows of its dataset may share. */
static bool is_common_name(struct guardrail_check *j, struct column_origin o)
{
    static const char *const own[] = {"surname", "lastname", "firstname",
                                      "fullname", NULL};
    static const char *const which[] = {"last",   "first", "full",
                                        "family", "given", NULL};
    const struct dataset *d = rule_dataset(j, o);
    struct name_words w = name_words(j->arena, rule_column_name(o));
    struct name_words of = name_words(j->arena, d->name);
    if (!w.n || !of.n || rule_is_key(j, o))
        return false;
    bool labels =
        str_is(w.items[w.n - 1], "name") || str_is(w.items[w.n - 1], "title");
    if (word_among(w.items[w.n - 1], own) ||
        (w.n > 1 && labels && word_among(w.items[w.n - 2], which)))
        return true;
    struct str noun = of.one[of.n - 1];
    bool whole = w.n == 1 || (w.n == 2 && str_eq(w.one[0], noun));
    bool named = str_is(w.items[w.n - 1], "name");
    return (named && word_among(noun, people)) ||
           (whole && labels && word_among(noun, repeating));
}

static bool says_any(struct str text, const char *const *phrases)
{
    if (str_find_nocase(text, STR("no two")) >= 0 ||
        str_find_nocase(text, STR("never")) >= 0)
        return false;
    for (const char *const *p = phrases; *p; p++)
        if (str_find_nocase(text, str_of(*p)) >= 0)
            return true;
    return false;
}

/* A unique key needs another column as well: only the two together are unique.
 */
static bool is_unique_with_others(const struct dataset *d,
                                  struct column_origin o)
{
    for (size_t i = 0; i < d->n_unique_keys; i++) {
        const struct str_list key = d->unique_keys[i];
        bool own = key.n > 1 && origin_within(o, key);
        for (size_t k = 0; own && k < d->primary_key.n; k++)
            own = !str_list_contains(key, d->primary_key.items[k]);
        if (own)
            return true;
    }
    return false;
}

/* The model says that several rows may have one name. */
static bool is_said_to_repeat(const struct guardrail_check *j,
                              struct column_origin o, bool itself)
{
    static const char *const of_field[] = {
        "not unique",  "not necessarily unique",
        "non-unique",  "nonunique",
        "unique only", "only unique",
        "may repeat",  "can repeat",
        "same name",   "duplicate",
        "have one",    "have the same",
        "are called",  "has several",
        NULL};
    static const char *const of_dataset[] = {"of the same name",
                                             "have the same name",
                                             "names repeat",
                                             "share a name",
                                             "names are not unique",
                                             "names may repeat",
                                             "share the name",
                                             "names are duplicated",
                                             "share one name",
                                             "with the same name",
                                             NULL};
    const struct dataset *d = rule_dataset(j, o);
    const struct field *f = rule_field(j, o);
    if (f && (says_any(f->description, of_field) ||
              says_any(f->hints.instructions, of_field)))
        return true;
    if (itself)
        return false;
    return says_any(d->description, of_dataset) ||
           says_any(d->hints.instructions, of_dataset) ||
           is_unique_with_others(d, o);
}

/* The name of the things in its dataset: name, title, department_name. */
static bool is_name_of(struct guardrail_check *j, struct column_origin o)
{
    static const char *const labels[] = {"name", "title", "label", NULL};
    const struct dataset *d = rule_dataset(j, o);
    struct name_words w = name_words(j->arena, rule_column_name(o));
    struct name_words of = name_words(j->arena, d->name);
    return w.n && of.n && word_among(w.items[w.n - 1], labels) &&
           (w.n == 1 || (w.n == 2 && str_eq(w.one[0], of.one[of.n - 1])));
}

/* A name of another kind: trading_name, nickname, headline. Only what the model
 * says of it itself counts. */
static bool is_other_label(struct guardrail_check *j, struct column_origin o)
{
    static const char *const labels[] = {"label",   "handle",  "alias",
                                         "caption", "heading", "headline",
                                         "brand",   "subject", NULL};
    static const char *const endings[] = {"name", "title", NULL};
    struct name_words w = name_words(j->arena, rule_column_name(o));
    if (!w.n)
        return false;
    for (const char *const *e = endings; *e; e++)
        if (str_ends(w.items[w.n - 1], str_of(*e)))
            return true;
    return word_among(w.items[w.n - 1], labels);
}

/* A constant, or a list of them. */
static bool is_literal(const struct shape_value *v)
{
    for (size_t i = 0; i < v->n_parts; i++)
        if (v->parts[i]->kind != SHAPE_CONSTANT)
            return false;
    return v->kind == SHAPE_CONSTANT ||
           (v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE && !v->query &&
            v->n_parts);
}

/* A condition says which names are meant: name = 'x', name IN ('x', 'y'). */
static bool is_given(const struct shape_select *s,
                     const struct shape_value *column)
{
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        bool list = c->kind == SHAPE_EQUAL ||
                    (c->form == SHAPE_FORM_OPERATOR && str_is(c->word, "="));
        bool holds = false;
        for (size_t k = 0; list && k < c->n_parts; k++) {
            const struct shape_value *p = c->parts[k];
            bool same = p->kind == SHAPE_COLUMN &&
                        p->source == column->source &&
                        p->column == column->column;
            holds = holds || same;
            list = same || is_literal(p);
        }
        if (list && holds)
            return true;
    }
    return false;
}

/* The groups tell the rows of this source apart, have another name of them, or
 * hold only names that a condition gives. */
static bool is_apart(struct guardrail_check *j, const struct rule_rows *rows,
                     const struct shape_value *group)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, rows->select);
    size_t names = 0;
    if (!g->source_keys || is_given(rows->select, group))
        return true;
    bool *reached = grain_no_sources(g);
    grain_reach(g, reached,
                grain_constant_classes(g, rows->groups, rows->n_groups));
    if (reached[group->source->index])
        return true;
    for (size_t i = 0; i < rows->n_groups; i++)
        names += rows->groups[i]->kind == SHAPE_COLUMN &&
                 rows->groups[i]->source == group->source &&
                 rows->groups[i]->column != group->column;
    return names > 0;
}

static void judge_group(struct guardrail_check *j, struct rule_rows rows,
                        const struct shape_value *group, const char *by)
{
    bool derived = group->source->kind == SHAPE_QUERY;
    while (group->kind == SHAPE_COLUMN && group->source->kind == SHAPE_QUERY) {
        const struct shape_source *source = group->source;
        const struct shape_select *q = source->query;
        if (q->n_arms || q->opaque || q->limit_one ||
            group->column >= q->n_outputs || source->select != rows.select ||
            is_given(rows.select, group) || j->looked++ >= RULE_STEPS)
            return;
        rows = rule_rows_within(j, rows, source);
        if (!rows.select)
            return;
        group = q->outputs[group->column].value;
    }
    struct column_origin o = origin_of(group);
    const struct dataset *d = rule_dataset(j, o);
    if (group->kind != SHAPE_COLUMN || !o.source || !d->primary_key.n ||
        group->source->select != rows.select || rule_is_key(j, o))
        return;
    bool common = is_common_name(j, o);
    if ((!common && !(is_name_of(j, o) && is_said_to_repeat(j, o, false)) &&
         !(is_other_label(j, o) && is_said_to_repeat(j, o, true))) ||
        is_apart(j, &rows, group))
        return;
    bool plain = common && !derived;
    rule_broken(j, RULE_GROUP_BY_NAME, plain ? ASKS_WITHOUT : ASKS_THINGS,
                plain ? STR(RULE_BY_NAME) : rule_names_of(j, d),
                "%s %.*s puts different rows of %.*s with the same %.*s into "
                "one group.",
                by, STR_ARG(rule_column_name(o)), STR_ARG(d->name),
                STR_ARG(rule_column_name(o)));
}

/* HAVING count(*) > 1: what several rows share is what is asked for. */
static bool wants_repeated(const struct shape_value *v)
{
    bool more = v && v->kind == SHAPE_RANGE && v->n_parts == 2 &&
                v->parts[0]->kind == SHAPE_AGGREGATE &&
                str_is(v->parts[0]->function, "count") &&
                v->parts[1]->form == SHAPE_FORM_INTEGER;
    return more && ((str_is(v->word, ">") && str_is(v->parts[1]->word, "1")) ||
                    (str_is(v->word, ">=") && str_is(v->parts[1]->word, "2")));
}

/* Only the rows of a table of persons, or those that share a name, are counted. In
 * groups by their key, each count would be 1: what is asked for is how many
 * share a name. */
static bool counts_namesakes(struct guardrail_check *j,
                             const struct shape_select *s)
{
    if (s->n_sources != 1 || s->sources[0]->kind != SHAPE_TABLE)
        return false;
    const struct dataset *d = model_table_dataset(&j->catalog, s->sources[0]);
    if (!d)
        return false;
    struct name_words of = name_words(j->arena, d->name);
    if (!of.n ||
        (!word_among(of.one[of.n - 1], people) && !wants_repeated(s->having)))
        return false;
    for (size_t i = 0; i < s->n_aggregates; i++) {
        const struct shape_value *call = s->aggregates[i];
        bool rows = !call->n_parts || call->parts[0]->kind == SHAPE_CONSTANT ||
                    (call->parts[0]->kind == SHAPE_COLUMN &&
                     rule_is_key(j, origin_of(call->parts[0])));
        if (!call->windowed && !(str_is(call->function, "count") && rows))
            return false;
    }
    return true;
}

/* The column of a name that is only written otherwise: trim(name), a || ' ' || b.
 */
static const struct shape_value *written(const struct shape_value *v)
{
    static const char *const calls[] = {"trim",  "btrim",  "initcap",   "lower",
                                        "upper", "concat", "concat_ws", NULL};
    bool same = (v->form == SHAPE_FORM_CALL && word_among(v->word, calls)) ||
                (v->form == SHAPE_FORM_OPERATOR && str_is(v->word, "||"));
    return same ? rule_column(v) : v;
}

static void judge_groups(struct guardrail_check *j, struct rule_rows rows,
                         const char *by)
{
    for (size_t i = 0; i < rows.n_groups; i++) {
        const struct shape_value *group = written(rows.groups[i]);
        if (group && group->kind == SHAPE_COLUMN &&
            group->source->select == rows.select)
            judge_group(j, rows, group, by);
    }
}

/* Windows over the rows of a name. A count of a single table's rows shows who
 * shares it. */
static void judge_windows(struct guardrail_check *j, struct shape_select *s,
                          const struct shape_value *v)
{
    bool counts = str_is(v->function, "count") && s->n_sources == 1;
    if (v->query || j->looked++ >= RULE_STEPS)
        return;
    if ((v->windowed || v->kind == SHAPE_ROW_NUMBER) && !counts)
        judge_groups(j, (struct rule_rows){s, v->aside, v->n_aside},
                     "PARTITION BY");
    for (size_t i = 0; i < v->n_parts; i++)
        judge_windows(j, s, v->parts[i]);
}

void judge_grouped_names(struct guardrail_check *j, struct shape_select *s)
{
    bool measures = false;
    for (size_t i = 0; i < s->n_aggregates; i++)
        measures = measures || !s->aggregates[i]->windowed;
    if (measures && counts_namesakes(j, s))
        return;
    if (measures)
        judge_groups(j, (struct rule_rows){s, s->groups, s->n_groups},
                     "GROUP BY");
    judge_groups(j, (struct rule_rows){s, s->distinct_on, s->n_distinct_on},
                 "DISTINCT ON");
    for (size_t i = 0; i < s->n_outputs; i++)
        judge_windows(j, s, s->outputs[i].value);
}
