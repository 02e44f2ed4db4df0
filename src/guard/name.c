/* name.c - visitors of columns, types and casts. */
#include "walk.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

static const char *const types[] = {
#define TYPE(name) #name,
#include "types.def"
#undef TYPE
    NULL,
};

/* Those of Trino that the grammar takes for names of other types. */
static const char *const trino_types[] = {"double",    "real",      "tinyint",
                                          "varbinary", "ipaddress", NULL};

static const char *const system_columns[] = {
    "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", NULL,
};

/* Columns */

/* In PostgreSQL 16 and later this bare word is a function that answers the
 * user's identity. */
static void identity_check(struct walk *walk, struct str name, int location)
{
    if (str_is(name, "system_user"))
        walk_refuse(walk, "function", location, "system_user is not allowed.");
}

static struct walk_source *source_find(const struct walk *walk, struct str name)
{
    for (struct scope *scope = walk->scope; scope; scope = scope->outer)
        for (struct walk_source *s = scope->sources; s; s = s->next)
            if (str_eq(s->name, name))
                return s;
    return NULL;
}

static bool any_relation_in_sight(const struct walk *walk)
{
    for (struct scope *scope = walk->scope; scope; scope = scope->outer)
        for (struct walk_source *s = scope->sources; s; s = s->next)
            if (s->relation)
                return true;
    return false;
}

/* Only tables have system columns; in a subquery xmin may be the name of
 * min(x). */
static void system_column_check(struct walk *walk, struct str qualifier,
                                struct str name, int location)
{
    if (!str_is_one_of(name, system_columns))
        return;
    struct walk_source *source = source_find(walk, qualifier);
    bool of_table = qualifier.len ? !source || source->relation
                                  : any_relation_in_sight(walk);
    if (of_table)
        walk_refuse(walk, "column", location,
                    "%.*s is a system column; only the data's own columns are "
                    "allowed.",
                    STR_ARG(name));
}

static bool may_come_from(struct walk *walk, const struct walk_source *source,
                          struct str qualifier, struct str name)
{
    if (qualifier.len && !str_eq(source->name, qualifier))
        return false;
    return !name.ptr ||
           query_may_output(walk, source->query, source->columns, name);
}

static struct estimate column_estimate(struct walk *walk, struct str qualifier,
                                       struct str name)
{
    struct estimate m = estimate_column();
    for (struct scope *scope = walk->scope; scope; scope = scope->outer)
        for (struct walk_source *s = scope->sources; s; s = s->next)
            if (may_come_from(walk, s, qualifier, name))
                m = estimate_worse(m, s->estimate);
    m.rows = m.many = 1;
    return m;
}

struct estimate visit_column(struct walk *walk, enum node_kind kind,
                             const json_t *node)
{
    const json_t *fields = json_object_get(node, "fields");
    int location = node_location(node);
    struct str name = node_last_name(fields);
    struct str qualifier = node_qualifier(fields);
    walk_plain(walk, kind, node);
    system_column_check(walk, qualifier, name, location);
    column_check(walk, fields, location);
    if (json_array_size(fields) == 1)
        identity_check(walk, name, location);
    mention_add(walk, &walk->columns, qualifier, name.ptr ? name : STR("*"),
                location);
    return column_estimate(walk, qualifier, name);
}

/* (o).xmin means o.xmin when o is a table. */
void field_of_table_check(struct walk *walk, const json_t *arg, struct str name)
{
    const json_t *column = node_inside(arg, "ColumnRef");
    const json_t *fields = json_object_get(column, "fields");
    if (json_array_size(fields) == 1)
        system_column_check(walk, node_name(fields, 0), name,
                            node_location(column));
}

/* Types */

bool type_is_listed(struct str name)
{
    return str_is_one_of(name, types);
}

static void type_refuse(struct walk *walk, const json_t *node, struct str name)
{
    const char *instead = "text, numeric, integer, date, timestamp or jsonb";
    if (str_is(name, "string") || str_is(name, "nvarchar"))
        instead = "text";
    else if (str_is(name, "datetime"))
        instead = "timestamp";
    else if (str_is(name, "double") || str_is(name, "number"))
        instead = "double precision or numeric";
    walk_refuse(walk, "type", node_location(node),
                "The type %.*s is not on the list of allowed types. Use %s.",
                STR_ARG(name), instead);
}

/* The length to which char(n) and bit(n) pad a value. */
static double padded_length(const json_t *node, struct str name)
{
    const json_t *first = json_array_get(json_object_get(node, "typmods"), 0);
    bool pads =
        str_is(name, "bpchar") || str_is(name, "bit") || str_is(name, "char");
    return pads ? (double)json_get_int(node_integer(first), "ival", 0) : 0;
}

struct estimate visit_type(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    const json_t *names = json_object_get(node, "names");
    struct str name = node_last_name(names);
    walk_plain(walk, kind, node);
    if (!node_is_built_in(names) ||
        !(type_is_listed(name) ||
          (walk->policy->trino && str_is_one_of(name, trino_types))) ||
        json_object_get(node, "setof") || json_object_get(node, "pct_type"))
        type_refuse(walk, node, name);
    struct estimate m = estimate_none();
    m.bytes = padded_length(node, name);
    if (!(m.bytes <= ESTIMATE_MAX_MADE))
        walk_refuse(walk, "too_costly", node_location(node),
                    "%.*s(%.0f) fills up each value to that length.",
                    STR_ARG(name), m.bytes);
    return m;
}

/* Is it an array or a row, whose text escapes quotes, again at each level? */
static bool may_escape(const json_t *arg)
{
    return !node_inside(arg, "A_Const") && !node_inside(arg, "ColumnRef") &&
           !node_inside(arg, "A_Expr");
}

static bool is_text_type(struct str name)
{
    static const char *const names[] = {"text", "varchar", "bpchar",
                                        "char", "name",    NULL};
    return str_is_one_of(name, names);
}

/* The estimate after a cast: text is read as a number, a day or neither. */
static struct estimate read_as(struct str type, struct str literal,
                               struct estimate m)
{
    static const char *const others[] = {"json",  "jsonb",    "bool",    "uuid",
                                         "bytea", "tsvector", "tsquery", NULL};
    static const char *const days[] = {"date",      "time",        "timetz",
                                       "timestamp", "timestamptz", NULL};
    bool known =
        literal.ptr && (str_is(type, "interval") || str_is_one_of(type, days));
    if (is_text_type(type) || str_is_one_of(type, others) || known)
        return m;
    if (str_is_one_of(type, days))
        return estimate_read_day(m);
    return estimate_read(m);
}

/* bit(32) of anything has 32 digits. */
static struct estimate read_as_bits(struct estimate m, double n)
{
    m.value = fmax(fabs(m.value), exp2(fmin(n, 64)));
    m.exact = false;
    return m;
}

struct estimate visit_cast(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    const json_t *arg = json_object_get(node, "arg");
    const json_t *type = json_object_get(node, "typeName");
    struct str name = node_last_name(json_object_get(type, "names"));
    struct estimate m = walk_node(walk, arg);
    double padded = walk_typed(walk, NODE_TypeName, type).bytes;
    walk_fields(walk, kind, node,
                (const char *const[]){"arg", "typeName", NULL});
    m = read_as(name, node_literal(arg), m);
    if (str_is(name, "bit") && padded > 8)
        m = read_as_bits(m, 8 * padded);
    if (padded > m.bytes)
        m.bytes = padded;
    if (is_text_type(name) && may_escape(arg))
        m.bytes *= 2;
    if (!(m.bytes <= ESTIMATE_MAX_BYTES))
        return walk_refuse(walk, "too_costly", node_location(node),
                           "This text may have too many bytes.");
    return m;
}
