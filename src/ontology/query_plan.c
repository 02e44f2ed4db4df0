/* query_plan.c - checks a QueryPlan against the model and writes its SQL, part
 * by part in the order of the text:
 *
 *   the table -> select -> where (query_plan_value.c) -> group by -> order by
 *             -> limit */
#include "plan_writer.h"
#include "base/utf8.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "ontology/text.h"
#include "base/banned.h"

enum { ALIAS_BYTES = 63, LIMIT_MOST = QUERY_PLAN_LIMIT_MOST };

/* ---- problems ----------------------------------------------------------- */

bool plan_refuse(struct plan_writer *p, const char *format, ...)
{
    va_list args;
    struct buf out;
    if (p->problem.len)
        return false;
    buf_init(&out, p->arena);
    va_start(args, format);
    buf_vprintf(&out, format, args);
    va_end(args);
    p->problem = buf_finish(&out);
    return false;
}

/* A name in a message: in one line, and not too long. */
static struct str plan_shown(struct plan_writer *p, struct str name)
{
    enum { SHOWN = 80 };
    struct buf out;
    struct str cut = utf8_cut(name, SHOWN);
    buf_init(&out, p->arena);
    utf8_put_plain(&out, cut);
    if (cut.len < name.len)
        buf_text(&out, "…");
    return buf_finish(&out);
}

/* Every member has a meaning: one that is not known would be ignored, and the
 * query would answer another question. */
static bool only_known(struct plan_writer *p, const json_t *object,
                       const char *path, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        const char *const *k = known;
        while (*k && !str_is(str_of(key), *k))
            k++;
        if (!*k)
            return plan_refuse(p, "%s: \"%.*s\" is not known here.", path,
                               STR_ARG(plan_shown(p, str_of(key))));
    }
    return true;
}

/* ---- names -------------------------------------------------------------- */

static void put_field(struct buf *out, const struct field *f)
{
    if (f->column.len)
        buf_quoted(out, f->column, '\"');
    else
        buf_printf(out, "(%.*s)", STR_ARG(f->expression));
}

static struct str nearest(struct plan_writer *p, struct str name)
{
    struct str_list near = ontology_nearest_columns(p->arena, p->ontology,
                                                    p->dataset_index, name, 3);
    struct buf out;
    buf_init(&out, p->arena);
    for (size_t i = 0; i < near.n; i++)
        buf_printf(&out, "%s%.*s%s", i ? ", " : " Did you mean ",
                   STR_ARG(near.items[i]), i + 1 == near.n ? "?" : "");
    return buf_finish(&out);
}

/* The column that `v` names; NULL after noting that there is none. */
static const struct field *plan_field(struct plan_writer *p, const json_t *v,
                                      struct str path)
{
    struct str name = json_text(v);
    const struct dataset *d = p->dataset;
    if (!name.len) {
        plan_refuse(p, "%.*s: Give the name of a column.", STR_ARG(path));
        return NULL;
    }
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq(d->fields[i].name, name))
            return &d->fields[i];
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq_nocase(d->fields[i].name, name) ||
            str_eq_nocase(d->fields[i].column, name))
            return &d->fields[i];
    plan_refuse(p, "%.*s: %.*s has no column \"%.*s\".%.*s", STR_ARG(path),
                STR_ARG(d->name), STR_ARG(plan_shown(p, name)),
                STR_ARG(nearest(p, name)));
    return NULL;
}

static bool read_table(struct plan_writer *p, const json_t *plan)
{
    struct str name = json_get_text(plan, "table");
    const struct ontology *o = p->ontology;
    if (!name.len)
        return plan_refuse(p, "plan.table: Give the name of a table.");
    p->dataset = ontology_dataset(o, name);
    for (size_t i = 0; !p->dataset && i < o->n_datasets; i++)
        if (str_eq_nocase(o->datasets[i].name, name) ||
            str_eq_nocase(o->datasets[i].table, name))
            p->dataset = &o->datasets[i];
    if (p->dataset) {
        p->dataset_index = dataset_index(o, p->dataset);
        return true;
    }
    struct str_list near = ontology_nearest_datasets(p->arena, o, name, 1);
    return plan_refuse(
        p, "plan.table: There is no table \"%.*s\".%s%.*s%s",
        STR_ARG(plan_shown(p, name)), near.n ? " Did you mean " : "",
        STR_ARG(near.n ? near.items[0] : STR("")), near.n ? "?" : "");
}

/* ---- lists -------------------------------------------------------------- */

/* A list of the plan that may be absent. False: it is no list, or too long. */
static bool read_list(struct plan_writer *p, const json_t *plan,
                      const char *key, const json_t **list)
{
    const json_t *v = *list = json_object_get(plan, key);
    if (json_is_null(v))
        v = *list = NULL;
    if (v && !json_is_array(v))
        return plan_refuse(p, "plan.%s: It must be a list.", key);
    if (json_array_size(v) > QUERY_PLAN_ITEMS)
        return plan_refuse(p, "plan.%s: It may have %d entries at most.", key,
                           QUERY_PLAN_ITEMS);
    return true;
}

/* ---- select ------------------------------------------------------------- */

static const struct plan_function {
    const char *name;
    const char *before, *after; /* around the column */
    bool numeric;               /* takes numbers only */
    bool whole;                 /* takes "*", too */
} functions[] = {
    {"count", "count(", ")", false, true},
    {"count distinct", "count(distinct ", ")", false, false},
    {"sum", "sum(", ")", true, false},
    {"avg", "avg(", ")", true, false},
    {"min", "min(", ")", false, false},
    {"max", "max(", ")", false, false},
    {"median", "percentile_cont(0.5) within group (order by ", ")", true,
     false},
    {"stddev", "stddev_samp(", ")", true, false},
    {"variance", "var_samp(", ")", true, false},
};

/* "COUNT_DISTINCT" is "count distinct". */
static bool is_word(struct str text, const char *word)
{
    size_t i = 0;
    for (; i < text.len && word[i]; i++) {
        char c = text.ptr[i] == '_' ? ' ' : text.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        if (c != word[i])
            return false;
    }
    return i == text.len && !word[i];
}

static const struct plan_function *function_of(struct str name)
{
    static const struct {
        const char *also, *name;
    } others[] = {{"average", "avg"}, {"mean", "avg"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_word(name, others[i].also))
            name = str_of(others[i].name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_word(name, functions[i].name))
            return &functions[i];
    return NULL;
}

static bool read_alias(struct plan_writer *p, const json_t *item, size_t at,
                       struct str usual, struct plan_output *out)
{
    const json_t *v = json_object_get(item, "alias");
    out->name = v && !json_is_null(v) ? json_text(v) : usual;
    bool good = out->name.len > 0 && out->name.len <= ALIAS_BYTES &&
                (!v || json_is_null(v) || json_is_string(v)) &&
                !str_has_control(out->name);
    if (!good)
        return plan_refuse(
            p, "plan.select[%zu].alias: It must be a name of 1 to %d bytes.",
            at, ALIAS_BYTES);
    for (size_t i = 0; i < p->n_outputs; i++)
        if (str_eq_nocase(p->outputs[i].name, out->name))
            return plan_refuse(
                p,
                "plan.select[%zu]: There is a column \"%.*s\" already; give "
                "another alias.",
                at, STR_ARG(plan_shown(p, out->name)));
    return true;
}

/* "sum_amount" */
static struct str usual_alias(struct plan_writer *p,
                              const struct plan_function *function,
                              const struct field *field)
{
    struct buf out;
    buf_init(&out, p->arena);
    for (const char *c = function->name; *c; c++)
        buf_char(&out, *c == ' ' ? '_' : *c);
    if (field)
        buf_printf(&out, "_%.*s", STR_ARG(field->name));
    return utf8_cut(buf_finish(&out), ALIAS_BYTES);
}

static bool read_function(struct plan_writer *p, const json_t *item, size_t at,
                          struct str path, struct plan_output *out)
{
    const json_t *named = json_object_get(item, "function");
    const json_t *column = json_object_get(item, "column");
    out->function = function_of(json_text(named));
    if (!out->function)
        return plan_refuse(
            p,
            "plan.select[%zu].function: It must be count, count distinct, sum, "
            "avg, min, max, median, stddev or variance.",
            at);
    p->groups = true;
    if (str_is(json_text(column), "*")) {
        if (!out->function->whole)
            return plan_refuse(p, "%.*s: Only count takes \"*\".",
                               STR_ARG(path));
        return read_alias(p, item, at, usual_alias(p, out->function, NULL),
                          out);
    }
    out->field = plan_field(p, column, path);
    if (!out->field)
        return false;
    enum plan_kind kind = plan_kind_of(out->field->datatype);
    if (out->function->numeric && kind != PLAN_NUMBER && kind != PLAN_UNKNOWN)
        return plan_refuse(p, "%.*s: %s takes numbers, and %.*s has none.",
                           STR_ARG(path), out->function->name,
                           STR_ARG(out->field->name));
    return read_alias(p, item, at, usual_alias(p, out->function, out->field),
                      out);
}

static bool read_output(struct plan_writer *p, const json_t *item, size_t at)
{
    static const char *const known[] = {"column", "function", "alias", NULL};
    struct plan_output *out = &p->outputs[p->n_outputs];
    struct str place = arena_printf(p->arena, "plan.select[%zu]", at);
    struct str path = arena_printf(p->arena, "%.*s.column", STR_ARG(place));
    const json_t *function = json_object_get(item, "function");
    if (!json_is_object(item))
        return plan_refuse(p, "%.*s: It must be an object.", STR_ARG(place));
    if (!only_known(p, item, place.ptr, known))
        return false;
    if (function && !json_is_null(function)) {
        if (!read_function(p, item, at, path, out))
            return false;
    } else {
        out->field = plan_field(p, json_object_get(item, "column"), path);
        if (!out->field || !read_alias(p, item, at, out->field->name, out))
            return false;
    }
    p->n_outputs++;
    return true;
}

static bool read_select(struct plan_writer *p, const json_t *plan)
{
    const json_t *list;
    if (!read_list(p, plan, "select", &list))
        return false;
    size_t n = json_array_size(list);
    if (!n)
        return plan_refuse(p, "plan.select: Give at least one column.");
    p->outputs = arena_new_array(p->arena, struct plan_output, n);
    for (size_t i = 0; i < n; i++)
        if (!read_output(p, json_array_get(list, i), i))
            return false;
    return true;
}

static void put_output(struct plan_writer *p, const struct plan_output *o)
{
    if (o->function)
        buf_text(&p->sql, o->function->before);
    if (o->field)
        put_field(&p->sql, o->field);
    else
        buf_char(&p->sql, '*');
    if (o->function)
        buf_text(&p->sql, o->function->after);
    if (o->function || (o->field && !str_eq(o->field->column, o->name))) {
        buf_text(&p->sql, " as ");
        buf_quoted(&p->sql, o->name, '\"');
    }
}

static void put_select(struct plan_writer *p)
{
    buf_text(&p->sql, "select ");
    for (size_t i = 0; i < p->n_outputs; i++) {
        buf_text(&p->sql, i ? ", " : "");
        put_output(p, &p->outputs[i]);
    }
    buf_printf(&p->sql, " from %.*s as t",
               STR_ARG(dataset_relation(p->arena, p->dataset)));
}

/* ---- where -------------------------------------------------------------- */

static bool put_filter(struct plan_writer *p, const json_t *item, size_t at)
{
    static const char *const known[] = {"column", "operator", "value", NULL};
    struct str place = arena_printf(p->arena, "plan.filters[%zu]", at);
    if (!json_is_object(item))
        return plan_refuse(p, "%.*s: It must be an object.", STR_ARG(place));
    if (!only_known(p, item, place.ptr, known))
        return false;
    const struct field *field =
        plan_field(p, json_object_get(item, "column"),
                   arena_printf(p->arena, "%.*s.column", STR_ARG(place)));
    if (!field)
        return false;
    buf_text(&p->sql, at ? " and " : " where ");
    put_field(&p->sql, field);
    return plan_put_condition(p, field, item, place);
}

static bool put_where(struct plan_writer *p, const json_t *plan)
{
    const json_t *list;
    if (!read_list(p, plan, "filters", &list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!put_filter(p, json_array_get(list, i), i))
            return false;
    return true;
}

/* ---- group by ----------------------------------------------------------- */

static bool is_group(const struct plan_writer *p, const struct field *f)
{
    for (size_t i = 0; i < p->n_groups; i++)
        if (p->group_by[i] == f)
            return true;
    return false;
}

static bool read_groups(struct plan_writer *p, const json_t *plan)
{
    const json_t *list;
    if (!read_list(p, plan, "group_by", &list))
        return false;
    size_t n = json_array_size(list);
    p->group_by = arena_new_array(p->arena, const struct field *, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct str path = arena_printf(p->arena, "plan.group_by[%zu]", i);
        const struct field *f = plan_field(p, json_array_get(list, i), path);
        if (!f)
            return false;
        if (!is_group(p, f))
            p->group_by[p->n_groups++] = f;
    }
    p->groups = p->groups || n > 0;
    for (size_t i = 0; p->groups && i < p->n_outputs; i++)
        if (!p->outputs[i].function && !is_group(p, p->outputs[i].field))
            return plan_refuse(
                p,
                "plan.select[%zu]: %.*s must be in group_by, or have a "
                "function.",
                i, STR_ARG(p->outputs[i].field->name));
    return true;
}

static void put_groups(struct plan_writer *p)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        buf_text(&p->sql, i ? ", " : " group by ");
        put_field(&p->sql, p->group_by[i]);
    }
}

/* ---- order by ----------------------------------------------------------- */

/* A column of the result goes before one of the table. */
static bool put_ordered(struct plan_writer *p, const json_t *column,
                        struct str path)
{
    struct str name = json_text(column);
    for (size_t i = 0; i < p->n_outputs; i++)
        if (name.len && str_eq_nocase(p->outputs[i].name, name)) {
            buf_quoted(&p->sql, p->outputs[i].name, '\"');
            return true;
        }
    const struct field *f = plan_field(p, column, path);
    if (!f)
        return false;
    if (p->groups && !is_group(p, f))
        return plan_refuse(p, "%.*s: %.*s is neither selected nor in group_by.",
                           STR_ARG(path), STR_ARG(f->name));
    buf_text(&p->sql, "t.");
    if (!f->column.len)
        return plan_refuse(p, "%.*s: %.*s must be selected.", STR_ARG(path),
                           STR_ARG(f->name));
    buf_quoted(&p->sql, f->column, '\"');
    return true;
}

static bool put_order(struct plan_writer *p, const json_t *item, size_t at)
{
    static const char *const known[] = {"column", "direction", NULL};
    struct str place = arena_printf(p->arena, "plan.order_by[%zu]", at);
    struct str path = arena_printf(p->arena, "%.*s.column", STR_ARG(place));
    const json_t *column = item, *way = NULL;
    if (json_is_object(item)) {
        if (!only_known(p, item, place.ptr, known))
            return false;
        column = json_object_get(item, "column");
        way = json_object_get(item, "direction");
    } else if (!json_is_string(item)) {
        return plan_refuse(p, "%.*s: It must be an object.", STR_ARG(place));
    }
    bool down = str_eq_nocase(json_text(way), STR("desc"));
    if (way && !json_is_null(way) && !down &&
        !str_eq_nocase(json_text(way), STR("asc")))
        return plan_refuse(p, "%.*s.direction: It must be asc or desc.",
                           STR_ARG(place));
    buf_text(&p->sql, at ? ", " : " order by ");
    if (!put_ordered(p, column, path))
        return false;
    buf_text(&p->sql, down ? " desc" : " asc");
    return true;
}

static bool put_orders(struct plan_writer *p, const json_t *plan)
{
    const json_t *list;
    if (!read_list(p, plan, "order_by", &list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!put_order(p, json_array_get(list, i), i))
            return false;
    return true;
}

/* ---- the whole ---------------------------------------------------------- */

static bool put_limit(struct plan_writer *p, const json_t *plan)
{
    const json_t *v = json_object_get(plan, "limit");
    json_int_t n = json_is_integer(v) ? json_integer_value(v) : 0;
    if (!v || json_is_null(v))
        n = QUERY_PLAN_LIMIT;
    if (n < 1 || n > LIMIT_MOST)
        return plan_refuse(
            p, "plan.limit: It must be a whole number from 1 to %d.",
            LIMIT_MOST);
    buf_printf(&p->sql, " limit %d", (int)n);
    return true;
}

static bool write_plan(struct plan_writer *p, const json_t *plan)
{
    static const char *const known[] = {"dataset_id", "table",    "select",
                                        "filters",    "group_by", "order_by",
                                        "limit",      NULL};
    if (!json_is_object(plan))
        return plan_refuse(p, "plan: It must be an object.");
    if (!only_known(p, plan, "plan", known) || !read_table(p, plan) ||
        !read_select(p, plan) || !read_groups(p, plan))
        return false;
    put_select(p);
    if (!put_where(p, plan))
        return false;
    put_groups(p);
    return put_orders(p, plan) && put_limit(p, plan);
}

bool query_plan_compile(struct query_plan *q)
{
    struct plan_writer p = {.ontology = q->ontology, .arena = q->arena};
    buf_init(&p.sql, q->arena);
    bool good = write_plan(&p, q->plan);
    q->problem = p.problem;
    q->sql = good ? buf_finish(&p.sql) : STR("");
    return good;
}
