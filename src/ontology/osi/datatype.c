/* datatype.c - which datatypes are known: those of OSI, and types of SQL as
 * people write them in models. */
#include "datatype.h"
#include "base/banned.h"

static const char *const known[] = {
    /* OSI */
    "String", "Integer", "Decimal", "Float", "Boolean", "Date", "Time",
    "DateTime", "DateTimeTz", "Opaque",
    /* SQL */
    "text", "varchar", "char", "character", "character varying", "nvarchar",
    "nchar", "bpchar", "citext", "name", "clob", "int", "int2", "int4", "int8",
    "smallint", "bigint", "tinyint", "mediumint", "serial", "bigserial",
    "smallserial", "oid", "numeric", "number", "real", "double",
    "double precision", "float4", "float8", "float64", "int64", "int32",
    "money", "bool", "bit", "bit varying", "varbit", "timestamp", "timestamptz",
    "timestamp with time zone", "timestamp without time zone", "timetz",
    "time with time zone", "time without time zone", "timestamp_ntz",
    "timestamp_tz", "timestamp_ltz", "datetime2", "interval", "uuid", "json",
    "jsonb", "xml", "bytea", "blob", "binary", "varbinary", "bytes", "inet",
    "cidr", "macaddr", "enum", "array", "object", "variant", "map", "struct",
    "record", "hstore", "vector", "tsvector", "point", "polygon", "line",
    "geometry", "geography", "int4range", "int8range", "numrange", "daterange",
    "tsrange", "tstzrange",
    /* roles that some models write as types */
    "categorical", "dimension", "measure", "identifier", NULL};

static bool is_listed(struct str text)
{
    for (size_t i = 0; known[i]; i++)
        if (str_eq_nocase(text, str_of(known[i])))
            return true;
    return false;
}

/* The first word, and the rest after what is in parentheses: "timestamp(3)
 * with time zone". */
static bool is_known_around(struct str text, ptrdiff_t open)
{
    struct str head = str_trim(str_cut(text, 0, (size_t)open));
    ptrdiff_t close = str_find_char(text, ')');
    if (close < open || !is_listed(head))
        return false;
    struct str rest = str_trim(str_from(text, (size_t)close + 1));
    return !rest.len || str_eq_nocase(rest, STR("with time zone")) ||
           str_eq_nocase(rest, STR("without time zone")) ||
           str_eq_nocase(rest, STR("unsigned"));
}

bool datatype_is_known(struct str text)
{
    text = str_trim(text);
    while (str_ends(text, STR("[]")))
        text = str_trim(str_cut(text, 0, text.len - 2));
    ptrdiff_t open = str_find_char(text, '(');
    if (open < 0)
        open = str_find_char(text, '<'); /* array<string> */
    if (open > 0 && text.ptr[open] == '<')
        return is_listed(str_trim(str_cut(text, 0, (size_t)open)));
    return open > 0 ? is_known_around(text, open) : is_listed(text);
}
