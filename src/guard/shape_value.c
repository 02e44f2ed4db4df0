/* shape_value.c - expressions. A kind that shape.h does not name becomes a
 * SHAPE_OTHER made of its parts. */
#include "shape_build.h"
#include "function.h"
#include <string.h>
#include "base/banned.h"

/* Types whose casts keep different values different. */
static const char *const faithful[] = {
    "text", "varchar", "bpchar", "int8", "int4", "numeric", "uuid", NULL,
};

struct shape_value *shape_value_new(struct shape_builder *b,
                                    enum shape_value_kind kind)
{
    struct shape_value *value = arena_new(b->arena, struct shape_value);
    value->kind = kind;
    return value;
}

void shape_value_add(struct shape_builder *b, struct shape_value *value,
                     struct shape_value *part)
{
    if (part)
        SHAPE_PUSH(b, value->parts, value->n_parts, part);
}

static void shape_value_add_aside(struct shape_builder *b,
                                  struct shape_value *value,
                                  struct shape_value *part)
{
    if (part)
        SHAPE_PUSH(b, value->aside, value->n_aside, part);
}

/* ---- the parts of any node ----------------------------------------------- */

static void shape_value_add_fields(struct shape_builder *b,
                                   struct shape_value *value,
                                   const json_t *node);

/* The type of a wrapped node, {"Type": {…}}, or NULL: types begin with a
 * capital. */
static const char *node_type(const json_t *wrapped)
{
    const char *name =
        json_object_iter_key(json_object_iter((json_t *)wrapped));
    bool one = json_object_size(wrapped) == 1 && name;
    return one && name[0] >= 'A' && name[0] <= 'Z' ? name : NULL;
}

static void shape_value_add_any(struct shape_builder *b,
                                struct shape_value *value, const json_t *item)
{
    if (node_type(item))
        shape_value_add(b, value, shape_value_of(b, item));
    else
        shape_value_add_fields(b, value, item);
}

static void shape_value_add_fields(struct shape_builder *b,
                                   struct shape_value *value,
                                   const json_t *node)
{
    struct node_children c = NODE_CHILDREN(node);
    while (node_next(&c))
        shape_value_add_any(b, value, c.child);
}

static struct shape_value *shape_value_made_of(struct shape_builder *b,
                                               const json_t *node)
{
    struct shape_value *value = shape_value_new(b, SHAPE_OTHER);
    shape_value_add_fields(b, value, node);
    return value;
}

void shape_read_names(struct shape_builder *b, const json_t *part)
{
    struct shape_select *select = b->scope->select;
    size_t n = select->n_aggregates;
    bool opaque = select->opaque;
    if (part)
        shape_value_add_any(b, shape_value_new(b, SHAPE_OTHER), part);
    select->n_aggregates = n;
    select->opaque = opaque;
}

/* ---- names and constants ------------------------------------------------- */

static struct shape_value *column_of(struct shape_builder *b,
                                     const json_t *node)
{
    const json_t *fields = json_object_get(node, "fields");
    struct str name = node_last_name(fields);
    struct str qualifier = node_qualifier(fields);
    if (name.ptr)
        return shape_name(b, qualifier, name);
    struct shape_source *source = shape_source_named(b, qualifier);
    if (!source)
        return shape_value_new(b, SHAPE_OTHER);
    shape_refuse_all(b, source);
    return shape_column(b, source, SHAPE_WHOLE_ROW);
}

/* (o).f means o.f when o is a source and not a column. */
static struct shape_value *field_of(struct shape_builder *b, const json_t *node)
{
    const json_t *steps = json_object_get(node, "indirection");
    const json_t *fields = node_fields(json_object_get(node, "arg"));
    struct str name = node_name(steps, 0);
    struct str of = node_name(fields, 0);
    bool one = json_array_size(fields) == 1 && json_array_size(steps) == 1;
    if (one && name.ptr && of.ptr && shape_source_named(b, of) &&
        !shape_name_if(b, of))
        return shape_name(b, of, name);
    return shape_value_made_of(b, node);
}

static struct shape_value *cast_of(struct shape_builder *b, const json_t *node)
{
    const json_t *type = json_object_get(node, "typeName");
    struct str name = node_last_name(json_object_get(type, "names"));
    struct shape_value *arg = shape_value_of(b, json_object_get(node, "arg"));
    struct str cast = shape_text(b, name);
    bool keeps =
        str_is_one_of(name, faithful) && !json_object_get(type, "typmods");
    if (!arg || keeps || arg->kind == SHAPE_CONSTANT) {
        if (arg)
            arg->cast = cast;
        return arg;
    }
    struct shape_value *value = shape_value_new(b, SHAPE_OTHER);
    value->cast = cast;
    shape_value_add(b, value, arg);
    return value;
}

/* ---- operators ----------------------------------------------------------- */

static struct shape_value *shape_value_of_both(struct shape_builder *b,
                                               enum shape_value_kind kind,
                                               const json_t *left,
                                               const json_t *right)
{
    struct shape_value *value = shape_value_new(b, kind);
    if (left)
        shape_value_add_any(b, value, left);
    if (right)
        shape_value_add_any(b, value, right);
    return value;
}

/* x IN (one) means x = one. */
static const json_t *only_item(const json_t *list)
{
    const json_t *items = json_object_get(node_inside(list, "List"), "items");
    if (!items)
        items = list;
    return json_array_size(items) == 1 ? json_array_get(items, 0) : NULL;
}

static void add_form(struct shape_builder *b, struct shape_value *value,
                     enum shape_form form, struct str word)
{
    value->form = form;
    value->word = shape_text(b, word);
}

static struct shape_value *other_operator_of(struct shape_builder *b,
                                             const json_t *node)
{
    struct shape_value *value = shape_value_made_of(b, node);
    struct str kind = json_get_text(node, "kind");
    struct str name = node_name(json_object_get(node, "name"), 0);
    if (str_is(kind, "AEXPR_NULLIF"))
        add_form(b, value, SHAPE_FORM_CALL, STR("nullif"));
    else if (str_is(kind, "AEXPR_DISTINCT") ||
             str_is(kind, "AEXPR_NOT_DISTINCT"))
        add_form(b, value, SHAPE_FORM_TEST, STR(""));
    else
        add_form(b, value, SHAPE_FORM_OPERATOR, name);
    return value;
}

/* (a, b) = (c, d) means a = c AND b = d. NULL: they are no rows of one size. */
static struct shape_value *rows_equal(struct shape_builder *b,
                                      const json_t *left, const json_t *right)
{
    const json_t *one = json_object_get(node_inside(left, "RowExpr"), "args");
    const json_t *two = json_object_get(node_inside(right, "RowExpr"), "args");
    size_t n = json_array_size(one);
    if (!n || n != json_array_size(two))
        return NULL;
    struct shape_value *all = shape_value_new(b, SHAPE_AND);
    for (size_t i = 0; i < n; i++) {
        struct shape_value *pair = shape_value_of_both(
            b, SHAPE_EQUAL, json_array_get(one, i), json_array_get(two, i));
        add_form(b, pair, SHAPE_FORM_OPERATOR, STR("="));
        shape_value_add(b, all, pair);
    }
    return all;
}

static struct shape_value *operator_of(struct shape_builder *b,
                                       const json_t *node)
{
    const json_t *left = json_object_get(node, "lexpr");
    const json_t *right = json_object_get(node, "rexpr");
    struct str kind = json_get_text(node, "kind");
    struct str name = node_name(json_object_get(node, "name"), 0);
    enum shape_value_kind made = SHAPE_OTHER;
    if (str_is(kind, "AEXPR_IN") && str_is(name, "=") && only_item(right))
        return shape_value_of_both(b, SHAPE_EQUAL, left, only_item(right));
    if (str_starts(kind, STR("AEXPR_BETWEEN")))
        return shape_value_of_both(b, SHAPE_RANGE, left, right);
    if (!str_is(kind, "AEXPR_OP"))
        return other_operator_of(b, node);
    struct shape_value *rows =
        str_is(name, "=") ? rows_equal(b, left, right) : NULL;
    if (rows)
        return rows;
    if (str_is(name, "=") && left)
        made = SHAPE_EQUAL;
    else if (str_is(name, "+") || str_is(name, "-"))
        made = SHAPE_SUM;
    else if (str_is(name, "<") || str_is(name, "<=") || str_is(name, ">") ||
             str_is(name, ">="))
        made = SHAPE_RANGE;
    struct shape_value *value = shape_value_of_both(b, made, left, right);
    add_form(b, value, SHAPE_FORM_OPERATOR, name);
    return value;
}

static struct shape_value *truth_of(struct shape_builder *b, const json_t *node)
{
    bool both = str_is(json_get_text(node, "boolop"), "AND_EXPR");
    struct shape_value *value = shape_value_made_of(b, node);
    value->kind = both ? SHAPE_AND : SHAPE_OTHER;
    if (!both)
        value->form = str_is(json_get_text(node, "boolop"), "OR_EXPR")
                          ? SHAPE_FORM_OR
                          : SHAPE_FORM_NOT;
    return value;
}

static struct shape_value *null_test_of(struct shape_builder *b,
                                        const json_t *node)
{
    struct shape_value *value = shape_value_made_of(b, node);
    if (str_is(json_get_text(node, "nulltesttype"), "IS_NULL"))
        value->kind = SHAPE_NULL;
    else
        value->form = SHAPE_FORM_NOT_NULL;
    return value;
}

static struct shape_value *boolean_test_of(struct shape_builder *b,
                                           const json_t *node)
{
    struct shape_value *value = shape_value_made_of(b, node);
    value->form = SHAPE_FORM_TEST;
    return value;
}

static struct shape_value *case_of(struct shape_builder *b, const json_t *node)
{
    const json_t *whens = json_object_get(node, "args");
    struct shape_value *value = shape_value_new(b, SHAPE_CHOICE);
    value->form = SHAPE_FORM_CASE;
    if (json_object_get(node, "arg"))
        value->word = STR("of");
    shape_value_add_aside(b, value,
                          shape_value_of(b, json_object_get(node, "arg")));
    for (size_t i = 0; i < json_array_size(whens); i++) {
        const json_t *when = node_inside(json_array_get(whens, i), "CaseWhen");
        shape_value_add_aside(b, value,
                              shape_value_of(b, json_object_get(when, "expr")));
        shape_value_add(b, value,
                        shape_value_of(b, json_object_get(when, "result")));
    }
    shape_value_add(b, value,
                    shape_value_of(b, json_object_get(node, "defresult")));
    return value;
}

static struct shape_value *choice_of(struct shape_builder *b,
                                     const json_t *node)
{
    struct shape_value *value = shape_value_made_of(b, node);
    value->kind = SHAPE_CHOICE;
    add_form(b, value, SHAPE_FORM_COALESCE, json_get_text(node, "op"));
    return value;
}

/* ---- calls --------------------------------------------------------------- */

/* OVER name and OVER (name …) refer to the WINDOW clause. */
static const json_t *window_named(struct shape_builder *b, const json_t *over)
{
    struct str name = json_get_text(over, "refname");
    const json_t *all = b->scope->windows;
    if (!name.len)
        name = json_get_text(over, "name");
    for (size_t i = 0; name.len && i < json_array_size(all); i++) {
        const json_t *window = node_inside(json_array_get(all, i), "WindowDef");
        if (str_eq(json_get_text(window, "name"), name))
            return window;
    }
    return over;
}

static struct shape_value *shape_value_printed(struct shape_builder *b,
                                               const json_t *node)
{
    struct shape_value *value = shape_value_of(b, node);
    if (value)
        value->print = shape_hash(node);
    return value;
}

static void partition_of(struct shape_builder *b, struct shape_value *value,
                         const json_t *over)
{
    const json_t *own = over;
    if (!json_object_get(over, "partitionClause"))
        over = window_named(b, over);
    const json_t *list = json_object_get(over, "partitionClause");
    for (size_t i = 0; i < json_array_size(list); i++)
        shape_value_add_aside(b, value,
                              shape_value_printed(b, json_array_get(list, i)));
    const json_t *sort = json_object_get(own, "orderClause");
    if (!sort)
        sort = json_object_get(over, "orderClause");
    value->ordered = sort;
    for (size_t i = 0; i < json_array_size(sort); i++) {
        const json_t *by = node_inside(json_array_get(sort, i), "SortBy");
        struct shape_value *key =
            shape_value_printed(b, json_object_get(by, "node"));
        if (i == 0) {
            value->order = key;
            value->descending =
                str_is(json_get_text(by, "sortby_dir"), "SORTBY_DESC");
        }
    }
    value->windowed = true;
}

static struct shape_value *aggregate_of(struct shape_builder *b,
                                        const json_t *node, struct str name)
{
    struct shape_select *select = b->scope->select;
    const json_t *over = json_object_get(node, "over");
    struct shape_value *value = shape_value_new(b, SHAPE_AGGREGATE);
    value->function = shape_text(b, name);
    add_form(b, value, SHAPE_FORM_CALL, name);
    value->distinct = json_is_true(json_object_get(node, "agg_distinct"));
    shape_value_add_any(b, value, json_object_get(node, "args"));
    if (json_is_true(json_object_get(node, "agg_within_group"))) {
        /* drops the fraction: the ordered values are what counts */
        value->n_parts = 0;
        shape_value_add_any(b, value, json_object_get(node, "agg_order"));
    } else {
        shape_value_add_any(b, shape_value_new(b, SHAPE_OTHER),
                            json_object_get(node, "agg_order"));
    }
    if (over)
        partition_of(b, value, over);
    struct shape_value *filter =
        shape_value_of(b, json_object_get(node, "agg_filter"));
    if (!over)
        shape_value_add_aside(b, value, filter);
    SHAPE_PUSH(b, select->aggregates, select->n_aggregates, value);
    return value;
}

static struct shape_value *call_of(struct shape_builder *b, const json_t *node)
{
    struct str name = node_last_name(json_object_get(node, "funcname"));
    const json_t *over = json_object_get(node, "over");
    if (function_answer_of(name) == FUNCTION_OF_GROUP)
        return aggregate_of(b, node, name);
    struct shape_value *value = shape_value_new(b, SHAPE_OTHER);
    add_form(b, value, SHAPE_FORM_CALL, name);
    shape_value_add_any(b, value, json_object_get(node, "args"));
    shape_read_names(b, json_object_get(node, "agg_order"));
    shape_read_names(b, json_object_get(node, "agg_filter"));
    if (function_makes_rows(name))
        b->scope->select->opaque = true;
    if (over)
        partition_of(b, value, over);
    if (over && str_is(name, "row_number"))
        value->kind = SHAPE_ROW_NUMBER;
    return value;
}

/* Adds the aggregate of ARRAY(SELECT …) when it lists rows that its query
 * reads. */
static void shape_array_of_rows(struct shape_builder *b,
                                struct shape_select *select)
{
    bool own = !select->n_arms && !select->opaque && !select->grouped &&
               !select->collapsed && !select->distinct &&
               !select->n_distinct_on && !select->limit_one;
    if (!own || select->n_outputs != 1)
        return;
    struct shape_value *value = shape_value_new(b, SHAPE_AGGREGATE);
    value->function = STR(SHAPE_ARRAY);
    shape_value_add(b, value, select->outputs[0].value);
    SHAPE_PUSH(b, select->aggregates, select->n_aggregates, value);
}

static enum shape_form sublink_form(const json_t *node, struct str type)
{
    struct str name = node_name(json_object_get(node, "operName"), 0);
    if (str_is(type, "EXISTS_SUBLINK"))
        return SHAPE_FORM_EXISTS;
    if (str_is(type, "ANY_SUBLINK") && (!name.len || str_is(name, "=")))
        return SHAPE_FORM_IN;
    if (str_is(type, "ALL_SUBLINK") && str_is(name, "<>"))
        return SHAPE_FORM_NOT_IN;
    return SHAPE_FORM_NONE;
}

/* A subquery sees the names of this query. Its value depends on the outer
 * columns that it reads. */
static struct shape_value *nested_of(struct shape_builder *b,
                                     const json_t *node)
{
    const json_t *select = node_select(node, "subselect");
    struct shape_value *value = shape_value_new(b, SHAPE_SUBQUERY);
    struct shape_select *nested = shape_select_of(b, select);
    value->query = nested;
    for (size_t i = 0; i < nested->n_outer_columns; i++)
        shape_value_add(b, value, nested->outer_columns[i]);
    struct str type = json_get_text(node, "subLinkType");
    if (str_is(type, "ARRAY_SUBLINK"))
        shape_array_of_rows(b, nested);
    if (str_is(type, "EXPR_SUBLINK"))
        return value;
    value->kind = SHAPE_OTHER;
    value->form = sublink_form(node, type);
    nested->tested = value->form == SHAPE_FORM_EXISTS;
    shape_value_add(b, value,
                    shape_value_of(b, json_object_get(node, "testexpr")));
    return value;
}

static struct shape_value *constant_of(struct shape_builder *b,
                                       const json_t *node)
{
    struct shape_value *value = shape_value_new(b, SHAPE_CONSTANT);
    const json_t *integer = json_object_get(node, "ival");
    const json_t *decimal = json_object_get(node, "fval");
    const json_t *text = json_object_get(node, "sval");
    const json_t *truth = json_object_get(node, "boolval");
    if (integer)
        add_form(b, value, SHAPE_FORM_INTEGER,
                 arena_printf(b->arena, "%lld",
                              (long long)json_get_int(integer, "ival", 0)));
    else if (decimal)
        add_form(b, value, SHAPE_FORM_DECIMAL, json_get_text(decimal, "fval"));
    else if (text)
        add_form(b, value, SHAPE_FORM_TEXT, json_get_text(text, "sval"));
    else if (truth)
        add_form(b, value, SHAPE_FORM_BOOLEAN,
                 json_is_true(json_object_get(truth, "boolval"))
                     ? STR("true")
                     : STR("false"));
    else if (json_is_true(json_object_get(node, "isnull")))
        value->form = SHAPE_FORM_NULL;
    return value;
}

static struct shape_value *now_of(struct shape_builder *b, const json_t *node)
{
    struct shape_value *value = shape_value_new(b, SHAPE_CONSTANT);
    add_form(b, value, SHAPE_FORM_NOW, json_get_text(node, "op"));
    return value;
}

struct shape_value *shape_value_of(struct shape_builder *b,
                                   const json_t *wrapped)
{
    static const struct {
        const char *type;
        struct shape_value *(*make)(struct shape_builder *b,
                                    const json_t *node);
    } kinds[] = {
        {"ColumnRef", column_of},     {"TypeCast", cast_of},
        {"A_Expr", operator_of},      {"BoolExpr", truth_of},
        {"NullTest", null_test_of},   {"CaseExpr", case_of},
        {"CoalesceExpr", choice_of},  {"MinMaxExpr", choice_of},
        {"FuncCall", call_of},        {"SubLink", nested_of},
        {"A_Indirection", field_of},  {"A_Const", constant_of},
        {"SQLValueFunction", now_of}, {"BooleanTest", boolean_test_of},
    };
    const char *type = node_type(wrapped);
    if (!type)
        return NULL;
    const json_t *node = node_inside(wrapped, type);
    if (!strcmp(type, "TypeName") || !strcmp(type, "String"))
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(type, kinds[i].type))
            return kinds[i].make(b, node);
    return shape_value_made_of(b, node);
}

bool shape_holds_aggregate(const struct shape_value *value)
{
    if (value->kind == SHAPE_AGGREGATE)
        return true;
    for (size_t i = 0; i < value->n_parts; i++)
        if (shape_holds_aggregate(value->parts[i]))
            return true;
    return false;
}
