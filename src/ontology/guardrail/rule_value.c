/* rule_value.c - what the rules ask of a value: its type, its columns, and
 * whether two values compute the same.
 *
 * A column of a derived table is what the derived table computes. Tables that
 * build on each other could make this exponential, so each step counts against
 * the budget of the query. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

static bool spend(struct guardrail_check *j)
{
    return j->looked++ < RULE_STEPS;
}

/* ---- where a value comes from -------------------------------------------- */

const struct shape_value *rule_resolve(const struct shape_value *value)
{
    while (value && value->kind == SHAPE_COLUMN &&
           value->source->kind == SHAPE_QUERY) {
        const struct shape_select *query = value->source->query;
        while (query->n_arms)
            query = query->arms[0];
        if (value->column >= query->n_outputs || query->opaque)
            return value;
        value = query->outputs[value->column].value;
    }
    return value;
}

const struct shape_value *rule_peel(const struct shape_value *value)
{
    static const char *const wraps[] = {"round", "trunc", "nullif",  "ceil",
                                        "floor", "abs",   "to_char", NULL};
    for (;;) {
        const struct shape_value *inner = rule_resolve(value);
        bool call = inner && inner->form == SHAPE_FORM_CALL &&
                    inner->kind == SHAPE_OTHER &&
                    word_among(inner->word, wraps);
        bool first = inner && inner->form == SHAPE_FORM_COALESCE;
        bool cast = inner && inner->kind == SHAPE_OTHER &&
                    inner->form == SHAPE_FORM_NONE && inner->cast.len;
        if (!inner || !(call || first || cast) || !inner->n_parts)
            return inner;
        value = inner->parts[0];
    }
}

const struct shape_value *rule_column(const struct shape_value *value)
{
    if (value->kind == SHAPE_COLUMN)
        return value->column == SHAPE_WHOLE_ROW ? NULL : value;
    if (value->query)
        return NULL;
    for (size_t i = 0; i < value->n_parts; i++) {
        const struct shape_value *found = rule_column(value->parts[i]);
        if (found)
            return found;
    }
    return NULL;
}

bool rule_holds(const struct shape_value *value, const char *const *functions)
{
    if (value->kind == SHAPE_AGGREGATE && !value->windowed && !functions)
        return true;
    if (functions && value->form == SHAPE_FORM_CALL &&
        word_among(value->word, functions))
        return true;
    for (size_t i = 0; i < value->n_parts; i++)
        if (rule_holds(value->parts[i], functions))
            return true;
    return false;
}

struct str rule_column_name(struct column_origin origin)
{
    return origin.source->table->columns[origin.column];
}

const struct dataset *rule_dataset(const struct guardrail_check *j,
                                   struct column_origin origin)
{
    return origin.source ? model_table_dataset(&j->catalog, origin.source)
                         : NULL;
}

const struct field *rule_field(const struct guardrail_check *j,
                               struct column_origin origin)
{
    const struct dataset *d = rule_dataset(j, origin);
    for (size_t i = 0; d && i < d->n_fields; i++)
        if (str_eq_nocase(d->fields[i].column, rule_column_name(origin)))
            return &d->fields[i];
    return NULL;
}

bool rule_is_key(const struct guardrail_check *j, struct column_origin origin)
{
    const struct dataset *d = rule_dataset(j, origin);
    if (!d)
        return false;
    if (d->primary_key.n == 1 && origin_within(origin, d->primary_key))
        return true;
    for (size_t i = 0; i < d->n_unique_keys; i++)
        if (d->unique_keys[i].n == 1 &&
            origin_within(origin, d->unique_keys[i]))
            return true;
    return false;
}

const struct dataset *rule_target(const struct guardrail_check *j,
                                  struct column_origin origin)
{
    for (size_t i = 0; origin.source && i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (r->from_columns.n == 1 && origin_in_dataset(origin, r->from) &&
            origin_within(origin, r->from_columns))
            return &j->o->datasets[r->to];
    }
    return NULL;
}

/* ---- types --------------------------------------------------------------- */

struct type_word {
    const char *word;
    enum value_type type;
};

static enum value_type type_named(struct str name)
{
    static const struct type_word types[] = {
        {"int4", TYPE_INTEGER},
        {"int2", TYPE_INTEGER},
        {"int", TYPE_INTEGER},
        {"integer", TYPE_INTEGER},
        {"smallint", TYPE_INTEGER},
        {"serial", TYPE_INTEGER},
        {"int8", TYPE_BIGINT},
        {"bigint", TYPE_BIGINT},
        {"bigserial", TYPE_BIGINT},
        {"numeric", TYPE_NUMBER},
        {"decimal", TYPE_NUMBER},
        {"float", TYPE_NUMBER},
        {"float4", TYPE_NUMBER},
        {"float8", TYPE_NUMBER},
        {"double", TYPE_NUMBER},
        {"double precision", TYPE_NUMBER},
        {"real", TYPE_NUMBER},
        {"number", TYPE_NUMBER},
        {"text", TYPE_TEXT},
        {"varchar", TYPE_TEXT},
        {"string", TYPE_TEXT},
        {"bpchar", TYPE_TEXT},
        {"char", TYPE_TEXT},
        {"bool", TYPE_BOOLEAN},
        {"boolean", TYPE_BOOLEAN},
        {"date", TYPE_DATE},
        {"timestamp", TYPE_TIMESTAMP},
        {"datetime", TYPE_TIMESTAMP},
        {"timestamp without time zone", TYPE_TIMESTAMP},
        {"timestamptz", TYPE_TIMESTAMPTZ},
        {"datetimetz", TYPE_TIMESTAMPTZ},
        {"timestamp with time zone", TYPE_TIMESTAMPTZ},
        {"interval", TYPE_INTERVAL},
    };
    ptrdiff_t bracket = str_find_char(name, '(');
    if (bracket >= 0)
        name = str_trim(str_cut(name, 0, (size_t)bracket));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq_nocase(name, str_of(types[i].word)))
            return types[i].type;
    return TYPE_UNKNOWN;
}

static enum value_type type_of_call(struct guardrail_check *j,
                                    const struct shape_value *v)
{
    static const struct type_word fixed[] = {
        {"length", TYPE_INTEGER},
        {"char_length", TYPE_INTEGER},
        {"position", TYPE_INTEGER},
        {"rank", TYPE_BIGINT},
        {"dense_rank", TYPE_BIGINT},
        {"ntile", TYPE_INTEGER},
        {"row_number", TYPE_BIGINT},
        {"extract", TYPE_NUMBER},
        {"date_part", TYPE_NUMBER},
        {"percent_rank", TYPE_NUMBER},
        {"to_timestamp", TYPE_TIMESTAMPTZ},
        {"now", TYPE_TIMESTAMPTZ},
        {"make_date", TYPE_DATE},
        {"date", TYPE_DATE},
        {"to_date", TYPE_DATE},
        {"age", TYPE_INTERVAL},
        {"cardinality", TYPE_INTEGER},
        {"array_length", TYPE_INTEGER},
        {"sqrt", TYPE_NUMBER},
        {"power", TYPE_NUMBER},
        {"div", TYPE_NUMBER},
    };
    static const char *const same[] = {"abs",        "nullif", "mod",
                                       "lag",        "lead",   "first_value",
                                       "last_value", NULL};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (str_is(v->word, fixed[i].word))
            return fixed[i].type;
    if (word_among(v->word, same) && v->n_parts)
        return rule_type(j, v->parts[0]);
    if (str_is(v->word, "date_trunc") && v->n_parts > 1) {
        enum value_type of = rule_type(j, v->parts[1]);
        return of == TYPE_DATE ? TYPE_TIMESTAMPTZ : of;
    }
    if (str_is(v->word, "timezone") && v->n_parts > 1) {
        enum value_type of = rule_type(j, v->parts[1]);
        return of == TYPE_TIMESTAMPTZ ? TYPE_TIMESTAMP
               : of == TYPE_TIMESTAMP ? TYPE_TIMESTAMPTZ
                                      : TYPE_UNKNOWN;
    }
    return TYPE_UNKNOWN;
}

static enum value_type type_of_aggregate(struct guardrail_check *j,
                                         const struct shape_value *v)
{
    if (str_is(v->function, "count"))
        return TYPE_BIGINT;
    if (str_is(v->function, "avg"))
        return TYPE_NUMBER;
    if (!v->n_parts)
        return TYPE_UNKNOWN;
    enum value_type of = rule_type(j, v->parts[0]);
    if (str_is(v->function, "min") || str_is(v->function, "max"))
        return of;
    if (str_is(v->function, "sum"))
        return of == TYPE_INTEGER  ? TYPE_BIGINT
               : of == TYPE_BIGINT ? TYPE_NUMBER
                                   : of;
    return TYPE_UNKNOWN;
}

/* Of the parts together, as arithmetic and CASE combine them. */
static enum value_type type_of_all(struct guardrail_check *j,
                                   const struct shape_value *v)
{
    enum value_type all = TYPE_UNKNOWN;
    for (size_t i = 0; i < v->n_parts; i++) {
        if (v->parts[i]->form == SHAPE_FORM_NULL)
            continue;
        enum value_type one = rule_type(j, v->parts[i]);
        if (one == TYPE_UNKNOWN)
            return TYPE_UNKNOWN;
        if (all == TYPE_UNKNOWN || (one > all && one <= TYPE_NUMBER))
            all = one;
        else if (one != all && (one > TYPE_NUMBER || all > TYPE_NUMBER))
            return TYPE_UNKNOWN;
    }
    return all;
}

static enum value_type type_of_sum(struct guardrail_check *j,
                                   const struct shape_value *v)
{
    if (v->n_parts != 2)
        return type_of_all(j, v);
    enum value_type left = rule_type(j, v->parts[0]);
    enum value_type right = rule_type(j, v->parts[1]);
    if (left == TYPE_DATE && right == TYPE_DATE)
        return TYPE_INTEGER;
    if (left == TYPE_DATE && type_is_integer(right))
        return TYPE_DATE;
    if (type_is_time(left) && right == TYPE_INTERVAL)
        return left == TYPE_DATE ? TYPE_TIMESTAMP : left;
    if (type_is_time(left) || type_is_time(right))
        return type_is_time(left) && type_is_time(right) ? TYPE_INTERVAL
                                                         : TYPE_UNKNOWN;
    return type_of_all(j, v);
}

static enum value_type type_of_constant(const struct shape_value *v)
{
    if (v->form == SHAPE_FORM_INTEGER)
        return TYPE_INTEGER;
    if (v->form == SHAPE_FORM_DECIMAL)
        return TYPE_NUMBER;
    if (v->form == SHAPE_FORM_NOW)
        return str_is(v->word, "SVFOP_CURRENT_DATE") ? TYPE_DATE
                                                     : TYPE_TIMESTAMPTZ;
    return TYPE_UNKNOWN;
}

static enum value_type type_of_column(struct guardrail_check *j,
                                      const struct shape_value *v)
{
    const struct shape_value *inner = rule_resolve(v);
    struct column_origin origin = origin_of(v);
    const struct field *field = rule_field(j, origin);
    if (inner && inner->kind != SHAPE_COLUMN)
        return rule_type(j, inner);
    return field ? type_named(field->datatype) : TYPE_UNKNOWN;
}

enum value_type rule_type(struct guardrail_check *j,
                          const struct shape_value *v)
{
    if (!spend(j))
        return TYPE_UNKNOWN;
    if (v->cast.len)
        return type_named(v->cast);
    switch (v->kind) {
    case SHAPE_COLUMN:
        return type_of_column(j, v);
    case SHAPE_CONSTANT:
        return type_of_constant(v);
    case SHAPE_AGGREGATE:
        return type_of_aggregate(j, v);
    case SHAPE_SUM:
        return type_of_sum(j, v);
    case SHAPE_CHOICE:
        return type_of_all(j, v);
    case SHAPE_ROW_NUMBER:
        return TYPE_BIGINT;
    case SHAPE_SUBQUERY:
        return v->query && v->query->n_outputs
                   ? rule_type(j, v->query->outputs[0].value)
                   : TYPE_UNKNOWN;
    case SHAPE_OTHER:
        break;
    default:
        return TYPE_BOOLEAN;
    }
    if (v->form == SHAPE_FORM_CALL)
        return type_of_call(j, v);
    if (v->form == SHAPE_FORM_OPERATOR &&
        (str_is(v->word, "*") || str_is(v->word, "/") || str_is(v->word, "%")))
        return type_of_all(j, v);
    return TYPE_UNKNOWN;
}

/* ---- comparing ----------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15u;
    return a ^ (a >> 29);
}

static uint64_t print_of(struct guardrail_check *j, const struct shape_value *v)
{
    const struct shape_value *inner = rule_resolve(v);
    struct column_origin origin = origin_of(v);
    if (inner && inner->kind != SHAPE_COLUMN)
        return rule_print(j, inner);
    if (origin.source)
        return mix((uint64_t)(uintptr_t)origin.source->table, origin.column);
    return mix((uint64_t)(uintptr_t)v->source, v->column);
}

/* Two queries over the same tables with the same outputs and conditions compute the
 * same; of others, each is its own. */
static uint64_t print_of_query(struct guardrail_check *j,
                               const struct shape_select *s)
{
    uint64_t conditions = 0, sum = s->distinct;
    bool plain = !s->n_arms && !s->opaque && !s->grouped && !s->trimmed &&
                 !s->having && !s->open && !s->n_distinct_on;
    for (size_t i = 0; plain && i < s->n_sources; i++) {
        plain = s->sources[i]->kind == SHAPE_TABLE;
        sum = mix(sum, (uint64_t)(uintptr_t)s->sources[i]->table);
    }
    if (!plain)
        return (uint64_t)(uintptr_t)s;
    for (size_t i = 0; i < s->n_conditions; i++)
        conditions += rule_print(j, s->conditions[i]);
    for (size_t i = 0; i < s->n_outputs; i++)
        sum = mix(sum, rule_print(j, s->outputs[i].value));
    return mix(sum, conditions);
}

uint64_t rule_print(struct guardrail_check *j, const struct shape_value *v)
{
    bool turns = v->kind == SHAPE_EQUAL ||
                 (v->kind == SHAPE_SUM && str_is(v->word, "+")) ||
                 str_is(v->word, "*");
    uint64_t sum = mix((uint64_t)v->kind + 1, (uint64_t)v->form);
    uint64_t parts = 0;
    if (!spend(j))
        return j->looked;
    if (v->kind == SHAPE_COLUMN)
        return print_of(j, v);
    if (v->query)
        sum = mix(sum, print_of_query(j, v->query));
    sum = mix(sum, str_hash(v->word) + v->distinct);
    for (size_t i = 0; i < v->n_parts; i++) {
        uint64_t one = rule_print(j, v->parts[i]);
        parts = turns ? parts + one : mix(parts, one);
    }
    for (size_t i = 0; i < v->n_aside; i++)
        parts = mix(parts, rule_print(j, v->aside[i]));
    return mix(sum, parts);
}

bool rule_comes_from(const struct shape_value *v,
                     const struct shape_source *source)
{
    while (v->kind == SHAPE_COLUMN && v->source != source &&
           rule_passes_rows(v->source) &&
           v->column < v->source->query->n_outputs)
        v = v->source->query->outputs[v->column].value;
    return v->kind == SHAPE_COLUMN && v->source == source;
}

static bool all_reject(const struct shape_value *v,
                       const struct shape_source *source)
{
    for (size_t i = 0; i < v->n_parts; i++)
        if (!rule_rejects_null(v->parts[i], source))
            return false;
    return v->n_parts > 0;
}

bool rule_rejects_null(const struct shape_value *v,
                       const struct shape_source *source)
{
    static const char *const total[] = {"concat",    "concat_ws",    "format",
                                        "num_nulls", "num_nonnulls", NULL};
    if (v->kind == SHAPE_COLUMN)
        return rule_comes_from(v, source);
    if (v->kind == SHAPE_CHOICE || v->kind == SHAPE_NULL ||
        v->kind == SHAPE_AGGREGATE || v->kind == SHAPE_SUBQUERY ||
        v->form == SHAPE_FORM_NOT_NULL || v->form == SHAPE_FORM_TEST ||
        v->form == SHAPE_FORM_EXISTS)
        return false;
    if (v->form == SHAPE_FORM_OR)
        return all_reject(v, source);
    if (v->form == SHAPE_FORM_CALL && word_among(v->word, total))
        return false;
    size_t first = v->form == SHAPE_FORM_IN && v->n_parts ? v->n_parts - 1 : 0;
    for (size_t i = first; i < v->n_parts; i++)
        if (rule_rejects_null(v->parts[i], source))
            return true;
    return false;
}
