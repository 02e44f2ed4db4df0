/* rule_self_join.c - is a table joined with itself in the right direction?
 *
 * A relationship of a dataset with itself leads from a child (the row that
 * refers) to its parent. Names of aliases and outputs say which is which. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

static const char *const parents[] = {
    "manager", "boss", "parent", "supervisor", "chief", "superior",
    "mgr",     "head", "lead",   "leader",     NULL};
static const char *const children[] = {"employee", "child",       "children",
                                       "report",   "subordinate", "emp",
                                       "worker",   "descendant",  NULL};

enum role { ROLE_NONE, ROLE_PARENT, ROLE_CHILD };

/* "manager_name" is of a parent; "employee_manager" says both: neither. */
static enum role role_of(struct guardrail_check *j, struct str name)
{
    struct name_words w = name_words(j->arena, name);
    bool parent = false, child = false;
    for (size_t i = 0; i < w.n; i++) {
        parent = parent || word_among(w.one[i], parents);
        child = child || word_among(w.one[i], children);
    }
    return parent == child ? ROLE_NONE : parent ? ROLE_PARENT : ROLE_CHILD;
}

struct self_join {
    const struct shape_source *child, *parent;
    const struct relationship *along;
};

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

/* An alias or the names of outputs contradict the join. */
static bool judge_names_of(struct guardrail_check *j,
                           const struct shape_select *s,
                           const struct self_join *join)
{
    if (role_of(j, join->child->name) == ROLE_PARENT) {
        broken(j, join, join->child->name, true);
        return true;
    }
    if (role_of(j, join->parent->name) == ROLE_CHILD &&
        !str_eq_nocase(join->parent->name, source_label(j, join->parent)) &&
        role_of(j, join->child->name) != ROLE_CHILD) {
        broken(j, join, join->parent->name, false);
        return true;
    }
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *v = s->outputs[i].value;
        const struct shape_value *column = rule_column(v);
        enum role role = role_of(j, s->outputs[i].name);
        if (!column || column->source->kind != SHAPE_TABLE ||
            str_eq_nocase(column->source->columns[column->column],
                          s->outputs[i].name) ||
            origin_within(origin_of(column), join->along->from_columns))
            continue;
        bool wrong = (role == ROLE_PARENT && column->source == join->child) ||
                     (role == ROLE_CHILD && column->source == join->parent &&
                      !shape_holds_aggregate(v));
        if (wrong) {
            broken(j, join, s->outputs[i].name, role == ROLE_PARENT);
            return true;
        }
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
    if (s->n_sources != 2 || !is_grouped_by(j, s, join->child))
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

void judge_self_joins(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++) {
        struct self_join join;
        if (read_join(j, s->conditions[i], &join) && join.child->select == s &&
            join.parent->select == s && join.child->kind == SHAPE_TABLE &&
            join.parent->kind == SHAPE_TABLE && !judge_names_of(j, s, &join))
            judge_count(j, s, &join);
    }
}
