/* query_plan_value.c - the conditions of a QueryPlan: operators from a list, and
 * values as literals of their column's type. */
#include "plan_writer.h"
#include "base/utf8.h"
#include "words.h"
#include "base/banned.h"

/* ---- kinds of columns --------------------------------------------------- */

enum plan_kind plan_kind_of(struct str datatype)
{
    static const char *const texts[] = {
        "String", "text",     "varchar", "char",   "character",
        "bpchar", "nvarchar", "nchar",   "citext", "character varying",
        "name",   NULL};
    static const char *const numbers[] = {
        "Integer", "Decimal", "Float",     "int",         "int2",
        "int4",    "int8",    "smallint",  "bigint",      "tinyint",
        "numeric", "number",  "real",      "double",      "double precision",
        "float4",  "float8",  "float64",   "int64",       "int32",
        "serial",  "oid",     "bigserial", "smallserial", "mediumint",
        NULL};
    static const char *const bools[] = {"Boolean", "bool", NULL};
    static const char *const dates[] = {"Date", NULL};
    static const char *const stamps[] = {"DateTime",
                                         "DateTimeTz",
                                         "timestamp",
                                         "timestamptz",
                                         "timestamp with time zone",
                                         "timestamp without time zone",
                                         NULL};
    static const char *const times[] = {"Time", "time without time zone", NULL};
    ptrdiff_t open = str_find_char(datatype, '(');
    struct str word =
        str_trim(open < 0 ? datatype : str_cut(datatype, 0, (size_t)open));
    return word_among_nocase(word, texts)     ? PLAN_TEXT
           : word_among_nocase(word, numbers) ? PLAN_NUMBER
           : word_among_nocase(word, bools)   ? PLAN_BOOL
           : word_among_nocase(word, dates)   ? PLAN_DATE
           : word_among_nocase(word, stamps)  ? PLAN_TIMESTAMP
           : word_among_nocase(word, times)   ? PLAN_TIME
                                              : PLAN_UNKNOWN;
}

/* ---- the forms of values ------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Matches a pattern in which 0 is a digit; returns what is left. */
static bool take_form(struct str *text, const char *form)
{
    size_t i = 0;
    for (; form[i]; i++)
        if (i >= text->len || (form[i] == '0' ? !is_digit(text->ptr[i])
                                              : text->ptr[i] != form[i]))
            return false;
    *text = str_from(*text, i);
    return true;
}

static int two_digits(struct str s, size_t at)
{
    return (s.ptr[at] - '0') * 10 + (s.ptr[at + 1] - '0');
}

static bool take_date(struct str *text)
{
    struct str date = *text;
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!take_form(text, "0000-00-00"))
        return false;
    int year = two_digits(date, 0) * 100 + two_digits(date, 2);
    int month = two_digits(date, 5), day = two_digits(date, 8);
    bool leap = (year % 4 == 0 && year % 100) || year % 400 == 0;
    return year > 0 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] && (month != 2 || day < 29 || leap);
}

/* "10:30", "10:30:00", "10:30:00.25" */
static bool take_clock(struct str *text)
{
    struct str clock = *text;
    enum { FRACTION = 6 };
    if (!take_form(text, "00:00") || two_digits(clock, 0) > 23 ||
        two_digits(clock, 3) > 59)
        return false;
    if (!text->len || text->ptr[0] != ':')
        return true;
    if (!take_form(text, ":00") || two_digits(clock, 6) > 59)
        return false;
    if (!text->len || text->ptr[0] != '.')
        return true;
    size_t n = 1;
    while (n < text->len && n <= FRACTION && is_digit(text->ptr[n]))
        n++;
    *text = str_from(*text, n);
    return n > 1;
}

/* "", "Z", "+02", "+02:00" */
static bool take_zone(struct str *text)
{
    if (take_form(text, "Z") || !text->len)
        return true;
    struct str zone = *text;
    if (!take_form(text, "+00") && !take_form(text, "-00"))
        return false;
    if (two_digits(zone, 1) > 14)
        return false;
    return !text->len || take_form(text, ":00") || take_form(text, "00");
}

static bool is_date(struct str text)
{
    return take_date(&text) && !text.len;
}

static bool is_clock(struct str text)
{
    return take_clock(&text) && !text.len;
}

static bool is_moment(struct str text)
{
    if (!take_date(&text))
        return false;
    if (!text.len)
        return true;
    if (!take_form(&text, "T") && !take_form(&text, " "))
        return false;
    return take_clock(&text) && take_zone(&text) && !text.len;
}

/* Of a moment: whether something follows its clock. */
static bool has_zone(struct str text)
{
    text = str_trim(text);
    return take_date(&text) && text.len && (text = str_from(text, 1), true) &&
           take_clock(&text) && text.len > 0;
}

/* A decimal number as SQL and JSON both write it. */
static bool is_decimal(struct str text)
{
    enum { DIGITS = 60 };
    size_t i = text.len && text.ptr[0] == '-', whole = i, part;
    while (i < text.len && is_digit(text.ptr[i]))
        i++;
    if (i == whole || text.len > DIGITS)
        return false;
    if (i == text.len)
        return true;
    part = ++i;
    if (text.ptr[i - 1] != '.')
        return false;
    while (i < text.len && is_digit(text.ptr[i]))
        i++;
    return i == text.len && i > part;
}

/* ---- literals ----------------------------------------------------------- */

static bool put_text_literal(struct plan_writer *p, const char *type,
                             struct str text, struct str path)
{
    if (text.len > QUERY_PLAN_TEXT || str_find_char(text, '\0') >= 0)
        return plan_refuse(p, "%.*s: A text may have %d bytes at most.",
                           STR_ARG(path), QUERY_PLAN_TEXT);
    buf_text(&p->sql, type);
    buf_quoted(&p->sql, text, '\'');
    return true;
}

/* The digits of a number, or of a text that is one; empty: it is none. */
static struct str number_of(struct plan_writer *p, const json_t *v)
{
    if (json_is_number(v))
        return json_print(p->arena, v);
    struct str text = str_trim(json_text(v));
    return is_decimal(text) ? text : STR("");
}

static bool put_number(struct plan_writer *p, const json_t *v, struct str path)
{
    struct str digits = number_of(p, v);
    if (!digits.len)
        return plan_refuse(p, "%.*s: It must be a number.", STR_ARG(path));
    buf_str(&p->sql, digits);
    return true;
}

static bool put_bool(struct plan_writer *p, const json_t *v, struct str path)
{
    struct str text = json_text(v);
    bool yes = json_is_true(v) || str_eq_nocase(text, STR("true"));
    if (!yes && !json_is_false(v) && !str_eq_nocase(text, STR("false")))
        return plan_refuse(p, "%.*s: It must be true or false.", STR_ARG(path));
    buf_text(&p->sql, yes ? "true" : "false");
    return true;
}

static bool put_text(struct plan_writer *p, const json_t *v, struct str path)
{
    if (json_is_number(v))
        return put_text_literal(p, "", json_print(p->arena, v), path);
    if (!json_is_string(v))
        return plan_refuse(p, "%.*s: It must be a text.", STR_ARG(path));
    return put_text_literal(p, "", json_text(v), path);
}

static bool put_moment(struct plan_writer *p, const json_t *v, const char *type,
                       bool (*is)(struct str text), const char *form,
                       struct str path)
{
    struct str text = str_trim(json_text(v));
    if (!is(text))
        return plan_refuse(p, "%.*s: It must have the form %s.", STR_ARG(path),
                           form);
    return put_text_literal(p, type, text, path);
}

static bool put_literal(struct plan_writer *p, enum plan_kind kind,
                        const json_t *v, struct str path)
{
    if (!v || json_is_null(v))
        return plan_refuse(p,
                           "%.*s: Give a value; for NULL the operator is \"is "
                           "null\" or \"is not null\".",
                           STR_ARG(path));
    if (json_is_array(v) || json_is_object(v))
        return plan_refuse(p, "%.*s: It must be one value.", STR_ARG(path));
    switch (kind) {
    case PLAN_NUMBER:
        return put_number(p, v, path);
    case PLAN_BOOL:
        return put_bool(p, v, path);
    case PLAN_DATE:
        return put_moment(p, v, "date ", is_date, "YYYY-MM-DD", path);
    case PLAN_TIMESTAMP:
        return put_moment(
            p, v, has_zone(json_text(v)) ? "timestamptz " : "timestamp ",
            is_moment, "YYYY-MM-DD or YYYY-MM-DD HH:MM:SS", path);
    case PLAN_TIME:
        return put_moment(p, v, "time ", is_clock, "HH:MM:SS", path);
    case PLAN_TEXT:
        return put_text(p, v, path);
    case PLAN_UNKNOWN:
        break;
    }
    return json_is_number(v)    ? put_number(p, v, path)
           : json_is_boolean(v) ? put_bool(p, v, path)
                                : put_text(p, v, path);
}

/* ---- operators ---------------------------------------------------------- */

enum operands { ONE_VALUE, NO_VALUE, VALUES, TWO_VALUES, PATTERN };

static const struct plan_operator {
    const char *name, *sql;
    enum operands operands;
    bool orders; /* compares by size */
} operators[] = {
    {"=", " = ", ONE_VALUE, false},
    {"!=", " <> ", ONE_VALUE, false},
    {"<>", " <> ", ONE_VALUE, false},
    {"<", " < ", ONE_VALUE, true},
    {"<=", " <= ", ONE_VALUE, true},
    {">", " > ", ONE_VALUE, true},
    {">=", " >= ", ONE_VALUE, true},
    {"in", " in (", VALUES, false},
    {"not in", " not in (", VALUES, false},
    {"like", " like ", PATTERN, false},
    {"ilike", " ilike ", PATTERN, false},
    {"not like", " not like ", PATTERN, false},
    {"not ilike", " not ilike ", PATTERN, false},
    {"between", " between ", TWO_VALUES, true},
    {"is null", " is null", NO_VALUE, false},
    {"is not null", " is not null", NO_VALUE, false},
};

static const struct plan_operator *operator_of(struct str name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const char *word = operators[i].name;
        size_t at = 0;
        while (at < name.len && word[at] &&
               (name.ptr[at] == '_' ? ' ' : name.ptr[at] | 0x20) ==
                   (word[at] | 0x20))
            at++;
        if (at == name.len && !word[at])
            return &operators[i];
    }
    return NULL;
}

static bool put_values(struct plan_writer *p, enum plan_kind kind,
                       const json_t *list, struct str path)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n < 1 || n > QUERY_PLAN_VALUES)
        return plan_refuse(p, "%.*s: It must be a list of 1 to %d values.",
                           STR_ARG(path), QUERY_PLAN_VALUES);
    for (size_t i = 0; i < n; i++) {
        buf_text(&p->sql, i ? ", " : "");
        if (!put_literal(p, kind, json_array_get(list, i), path))
            return false;
    }
    buf_char(&p->sql, ')');
    return true;
}

static bool put_range(struct plan_writer *p, enum plan_kind kind,
                      const json_t *list, struct str path)
{
    if (!json_is_array(list) || json_array_size(list) != 2)
        return plan_refuse(p, "%.*s: It must be a list of two values.",
                           STR_ARG(path));
    if (!put_literal(p, kind, json_array_get(list, 0), path))
        return false;
    buf_text(&p->sql, " and ");
    return put_literal(p, kind, json_array_get(list, 1), path);
}

static bool put_pattern(struct plan_writer *p, const struct field *field,
                        enum plan_kind kind, const json_t *v, struct str path)
{
    if (kind != PLAN_TEXT && kind != PLAN_UNKNOWN)
        return plan_refuse(p, "%.*s: A pattern needs a text, and %.*s is none.",
                           STR_ARG(path), STR_ARG(field->name));
    if (!json_is_string(v))
        return plan_refuse(p, "%.*s: It must be a pattern.", STR_ARG(path));
    return put_text_literal(p, "", json_text(v), path);
}

bool plan_put_condition(struct plan_writer *p, const struct field *field,
                        const json_t *filter, struct str place)
{
    enum plan_kind kind = plan_kind_of(field->datatype);
    const json_t *v = json_object_get(filter, "value");
    struct str path = arena_printf(p->arena, "%.*s.value", STR_ARG(place));
    const struct plan_operator *o =
        operator_of(str_trim(json_get_text(filter, "operator")));
    if (!o)
        return plan_refuse(
            p,
            "%.*s.operator: It must be =, !=, <, <=, >, >=, in, not in, like, "
            "ilike, not like, not ilike, between, is null or is not null.",
            STR_ARG(place));
    if (o->orders && kind == PLAN_BOOL)
        return plan_refuse(p, "%.*s.operator: %.*s is true or false.",
                           STR_ARG(place), STR_ARG(field->name));
    buf_text(&p->sql, o->sql);
    switch (o->operands) {
    case NO_VALUE:
        return !v || json_is_null(v) ||
               plan_refuse(p, "%.*s: \"%s\" takes no value.", STR_ARG(path),
                           o->name);
    case VALUES:
        return put_values(p, kind, v, path);
    case TWO_VALUES:
        return put_range(p, kind, v, path);
    case PATTERN:
        return put_pattern(p, field, kind, v, path);
    case ONE_VALUE:
        break;
    }
    return put_literal(p, kind, v, path);
}
