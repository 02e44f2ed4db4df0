/* rule_self_join.c - is a table joined with itself in the right direction?
 *
 * A relationship of a dataset with itself leads from a child (the row that
 * refers) to its parent. Names of aliases and outputs say which is which. */
#include "rule.h"
#include "../known.h"
#include "../words.h"
#include "base/banned.h"

static const char *const parents[] = {
    "manager", "boss", "parent", "supervisor", "chief", "superior",
    "mgr",     "head", "lead",   "leader",     NULL};
static const char *const children[] = {"employee", "child",       "children",
                                       "report",   "subordinate", "emp",
                                       "worker",   "descendant",  NULL};

enum role { ROLE_NONE, ROLE_PARENT, ROLE_CHILD };

struct self_join {
    const struct shape_source *child, *parent;
    const struct relationship *along;
};

/* "replaced", "replaced lift" and "replaced lift name" of replaces_lift_id: the
 * name at `i` is the participle, and only the noun or "name" follow. */
static bool is_object_of(const struct name_words *of,
                         const struct name_words *noun,
                         const struct name_words *name, size_t i)
{
    static const char *const rest[] = {"name", "id", "title", NULL};
    struct str verb = of->items[0], word = name->items[i];
    if (of->n < 2 || verb.len < 4 || !str_ends(verb, STR("es")))
        return false;
    for (size_t k = i + 1; k < name->n; k++)
        if (!word_among(name->items[k], rest) &&
            !(noun->n && str_eq(name->one[k], noun->one[noun->n - 1])))
            return false;
    return str_starts(word, str_cut(verb, 0, verb.len - 1)) &&
           word.len == verb.len;
}

/* The reference names its parent: "mentor" of mentor_id, "inviter" and "invited
 * by" of invited_by. The noun of the dataset names both sides. */
static bool is_named_by(struct guardrail_check *j, const struct self_join *join,
                        const struct name_words *name, size_t i)
{
    struct name_words of =
        name_words(j->arena, join->along->from_columns.items[0]);
    struct name_words all =
        name_words(j->arena, j->o->datasets[join->along->from].name);
    if (is_object_of(&of, &all, name, i))
        return true;
    if (of.n > 1 && str_is(of.items[of.n - 1], "by")) {
        struct str verb = of.items[of.n - 2], word = name->one[i];
        if (i + 1 < name->n && str_is(name->items[i + 1], "by"))
            return str_eq(name->items[i], verb);
        struct str stem =
            str_ends(verb, STR("ed")) ? str_cut(verb, 0, verb.len - 2) : verb;
        return stem.len > 2 && str_starts(word, stem) &&
               word.len == stem.len + 2 &&
               (str_ends(word, STR("er")) || str_ends(word, STR("or")));
    }
    if (of.n < 2 || !word_refers(of.items[of.n - 1]))
        return false;
    struct str noun = of.one[of.n - 2];
    if (all.n && str_eq(noun, all.one[all.n - 1])) {
        if (of.n < 3)
            return false;
        noun = of.one[of.n - 3];
    }
    return str_eq(noun, name->one[i]) && !word_is_preposition(noun);
}

/* "manager_name" is of a parent; "employee_manager" says both: neither. */
static enum role role_of(struct guardrail_check *j,
                         const struct self_join *join, struct str name)
{
    struct name_words w = name_words(j->arena, name);
    bool parent = false, child = false;
    for (size_t i = 0; i < w.n; i++) {
        parent = parent || word_among(w.one[i], parents) ||
                 is_named_by(j, join, &w, i);
        child = child || word_among(w.one[i], children);
    }
    return parent == child ? ROLE_NONE : parent ? ROLE_PARENT : ROLE_CHILD;
}

/* child.reference = parent.key of one dataset. */
static bool read_join(const struct guardrail_check *j,
                      const struct shape_value *c, struct self_join *out)
{
    if (c->kind != SHAPE_EQUAL || c->n_parts != 2 ||
        c->parts[0]->kind != SHAPE_COLUMN || c->parts[1]->kind != SHAPE_COLUMN)
        return false;
    for (int side = 0; side < 2; side++) {
        struct column_origin from = origin_of(c->parts[side]);
        struct column_origin to = origin_of(c->parts[1 - side]);
        if (!from.source || !to.source ||
            c->parts[0]->source == c->parts[1]->source)
            return false;
        for (size_t i = 0; i < j->o->n_relationships; i++) {
            const struct relationship *r = &j->o->relationships[i];
            if (r->from == r->to && r->from_columns.n == 1 &&
                origin_in_dataset(from, r->from) &&
                origin_in_dataset(to, r->to) &&
                origin_within(from, r->from_columns) &&
                origin_within(to, r->to_columns)) {
                *out = (struct self_join){c->parts[side]->source,
                                          c->parts[1 - side]->source, r};
                return true;
            }
        }
    }
    return false;
}

/* Rows of the table, perhaps passed on by a derived table. */
static bool has_rows(const struct shape_source *source)
{
    while (rule_passes_rows(source) && source->query->n_sources == 1)
        source = source->query->sources[0];
    return source->kind == SHAPE_TABLE;
}

static void broken(struct guardrail_check *j, const struct self_join *join,
                   struct str name, bool as_parent)
{
    const struct str column = join->along->from_columns.items[0];
    const struct shape_source *is = as_parent ? join->child : join->parent;
    rule_broken(j, RULE_SELF_JOIN_DIRECTION, ASKS_ANYTHING, STR(""),
                "%.*s is called %s, but %.*s is the side whose %.*s is %s.",
                STR_ARG(name), as_parent ? "a parent" : "a child",
                STR_ARG(is->name.len ? is->name : source_label(j, is)),
                STR_ARG(column),
                as_parent ? "compared, the child" : "not compared, the parent");
}

/* The name of an output contradicts the side that it is from. */
static bool judge_output(struct guardrail_check *j,
                         const struct self_join *join, struct str name,
                         const struct shape_value *v)
{
    const struct shape_value *column = rule_column(v);
    enum role role = role_of(j, join, name);
    struct column_origin o =
        column ? origin_of(column) : (struct column_origin){0};
    if (!o.source || !has_rows(column->source) ||
        str_eq_nocase(rule_column_name(o), name) ||
        origin_within(o, join->along->from_columns))
        return false;
    bool wrong = (role == ROLE_PARENT && column->source == join->child) ||
                 (role == ROLE_CHILD && column->source == join->parent &&
                  !shape_holds_aggregate(v));
    if (wrong)
        broken(j, join, name, role == ROLE_PARENT);
    return wrong;
}

/* An alias or the names of outputs contradict the join. */
static bool judge_names_of(struct guardrail_check *j,
                           const struct shape_select *s,
                           const struct self_join *join)
{
    if (role_of(j, join, join->child->name) == ROLE_PARENT) {
        broken(j, join, join->child->name, true);
        return true;
    }
    if (role_of(j, join, join->parent->name) == ROLE_CHILD &&
        !str_eq_nocase(join->parent->name, source_label(j, join->parent)) &&
        role_of(j, join, join->child->name) != ROLE_CHILD) {
        broken(j, join, join->parent->name, false);
        return true;
    }
    for (size_t i = 0; i < s->n_outputs; i++)
        if (judge_output(j, join, s->outputs[i].name, s->outputs[i].value))
            return true;
    /* a query as a value: the output that it is has the name */
    for (size_t i = 0; s->outer && i < s->outer->n_outputs; i++) {
        const struct shape_value *v = rule_peel(s->outer->outputs[i].value);
        if (v && v->query == s && s->n_outputs == 1 &&
            judge_output(j, join, s->outer->outputs[i].name,
                         s->outputs[0].value))
            return true;
    }
    return false;
}

static bool is_grouped_by(struct guardrail_check *j, struct shape_select *s,
                          const struct shape_source *source)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, s);
    if (!g->source_keys || !s->grouped)
        return false;
    bool *reached = grain_no_sources(g);
    grain_reach(g, reached, grain_constant_classes(g, s->groups, s->n_groups));
    return reached[source->index];
}

/* A count for each child: it has at most one parent. */
static void judge_count(struct guardrail_check *j, struct shape_select *s,
                        const struct self_join *join)
{
    bool joined = s->n_sources == 2 && join->child->select == s &&
                  is_grouped_by(j, s, join->child);
    bool nested = s->n_sources == 1 && s->collapsed && !s->grouped &&
                  join->child->select != s;
    if (!joined && !nested)
        return;
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *v = s->outputs[i].value;
        if (v->kind != SHAPE_AGGREGATE || v->windowed ||
            !str_is(v->function, "count"))
            continue;
        rule_broken(j, RULE_SELF_JOIN_DIRECTION, ASKS_ANYTHING, STR(""),
                    "A count for each row of %.*s is 0 or 1: each has at most "
                    "one row that its %.*s refers to.",
                    STR_ARG(join->child->name),
                    STR_ARG(join->along->from_columns.items[0]));
        return;
    }
}

/* ---- from one row up or down --------------------------------------------- */

/* The condition gives the key or the name of a row of this source, or of any if
 * it is NULL. */
static bool gives_row(struct guardrail_check *j, const struct shape_value *c,
                      const struct shape_source *source)
{
    for (size_t k = 0; c->kind == SHAPE_EQUAL && k < c->n_parts; k++) {
        const struct shape_value *column = rule_column(c->parts[k]);
        struct column_origin o =
            column ? origin_of(column) : (struct column_origin){0};
        if (column && o.source && c->parts[1 - k]->kind == SHAPE_CONSTANT &&
            (!source || column->source == source) &&
            (rule_is_key(j, o) || str_ends(rule_column_name(o), STR("name"))))
            return true;
    }
    return false;
}

/* The query begins with one row: its key or name is given. */
static bool is_one(struct guardrail_check *j, const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++)
        if (gives_row(j, s->conditions[i], NULL))
            return true;
    return false;
}

static bool is_given(struct guardrail_check *j,
                     const struct shape_source *source)
{
    const struct shape_select *s = source->select;
    for (size_t i = 0; i < s->n_conditions; i++)
        if (gives_row(j, s->conditions[i], source))
            return true;
    return false;
}

static bool is_shown(const struct shape_source *source)
{
    const struct shape_select *s = source->select;
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *column = rule_column(s->outputs[i].value);
        if (column && column->source == source)
            return true;
    }
    return false;
}

static void wrong_way(struct guardrail_check *j, struct str column, bool up)
{
    rule_broken(
        j, RULE_SELF_JOIN_DIRECTION, up ? ASKS_BELOW : ASKS_ABOVE, column,
        "The query goes along %.*s from a row to those %s it, and the "
        "question asks for those %s.",
        STR_ARG(column), up ? "above" : "below", up ? "below" : "above");
}

/* One side of the join is given, and the other one is shown: its row is in the
 * same SELECT, or in the one around EXISTS. */
static void judge_given(struct guardrail_check *j, const struct self_join *join)
{
    bool child = is_given(j, join->child), parent = is_given(j, join->parent);
    if (child != parent && is_shown(child ? join->parent : join->child))
        wrong_way(j, join->along->from_columns.items[0], child);
}

/* What is compared with the rows of a query: x IN (SELECT …), x = (SELECT …).
 * NULL: nothing. */
static const struct shape_value *compared(const struct shape_value *c,
                                          const struct shape_select **query)
{
    *query = c->query;
    if (c->form == SHAPE_FORM_IN && c->query && c->n_parts)
        return c->parts[c->n_parts - 1];
    for (size_t k = 0; c->kind == SHAPE_EQUAL && k < c->n_parts; k++)
        if (c->parts[k]->kind == SHAPE_SUBQUERY) {
            *query = c->parts[k]->query;
            return c->parts[1 - k];
        }
    return NULL;
}

/* key IN (SELECT reference …) leads up, reference IN (SELECT key …) down. */
static void judge_membership(struct guardrail_check *j,
                             const struct shape_value *c)
{
    const struct shape_select *q;
    const struct shape_value *left = compared(c, &q);
    if (!left || !q || q->n_arms || q->n_outputs != 1 || !is_one(j, q))
        return;
    struct column_origin of = origin_of(left);
    struct column_origin in = origin_of(q->outputs[0].value);
    for (size_t i = 0; of.source && in.source && i < j->o->n_relationships;
         i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (r->from != r->to || r->from_columns.n != 1 ||
            !origin_in_dataset(of, r->from) || !origin_in_dataset(in, r->from))
            continue;
        bool up = origin_within(of, r->to_columns) &&
                  origin_within(in, r->from_columns);
        bool down = origin_within(of, r->from_columns) &&
                    origin_within(in, r->to_columns);
        if (up || down)
            wrong_way(j, r->from_columns.items[0], up);
    }
}

/* The name of a column that a recursive query reads of itself, or empty. */
static struct str own_column(const struct shape_value *v)
{
    bool own = v->kind == SHAPE_COLUMN && v->source->kind == SHAPE_OPAQUE &&
               v->column < v->source->n_columns;
    return own ? v->source->columns[v->column] : STR("");
}

/* The step of a recursive query: table.key = itself.reference leads up. */
static void judge_step(struct guardrail_check *j, const struct shape_value *c)
{
    for (size_t k = 0; c->kind == SHAPE_EQUAL && c->n_parts == 2 && k < 2;
         k++) {
        struct column_origin of = origin_of(c->parts[k]);
        struct str own = own_column(c->parts[1 - k]);
        for (size_t i = 0; of.source && own.len && i < j->o->n_relationships;
             i++) {
            const struct relationship *r = &j->o->relationships[i];
            if (r->from != r->to || r->from_columns.n != 1 ||
                !origin_in_dataset(of, r->from))
                continue;
            bool up = origin_within(of, r->to_columns) &&
                      str_list_contains(r->from_columns, own);
            bool down = origin_within(of, r->from_columns) &&
                        str_list_contains(r->to_columns, own);
            if (up || down)
                wrong_way(j, r->from_columns.items[0], up);
        }
    }
}

static void judge_walk(struct guardrail_check *j, const struct shape_select *s)
{
    bool walks = s->opaque && s->n_arms == 2 && is_one(j, s->arms[0]);
    for (size_t i = 0; walks && i < s->arms[1]->n_conditions; i++)
        judge_step(j, s->arms[1]->conditions[i]);
    for (size_t i = s->first_where; i < s->n_conditions; i++)
        judge_membership(j, s->conditions[i]);
}

void judge_self_joins(struct guardrail_check *j, struct shape_select *s)
{
    judge_walk(j, s);
    for (size_t i = 0; i < s->n_conditions; i++) {
        struct self_join join;
        if (read_join(j, s->conditions[i], &join) &&
            (join.child->select == s || join.parent->select == s) &&
            has_rows(join.child) && has_rows(join.parent) &&
            !judge_names_of(j, s, &join)) {
            judge_count(j, s, &join);
            judge_given(j, &join);
        }
    }
}
