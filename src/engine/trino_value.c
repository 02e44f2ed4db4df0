/* trino_value.c - see trino_value.h. One row for each type: our word for it, and
 * what its text needs. */
#include "trino_value.h"
#include "engine/trino.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

typedef void put_value_fn(struct buf *out, const json_t *signature,
                          struct str text);

static void put_text(struct buf *out, const json_t *signature, struct str text)
{
    (void)signature;
    buf_str(out, text);
}

/* char(n) comes without its padding. */
static void put_padded(struct buf *out, const json_t *signature,
                       struct str text)
{
    while (text.len && text.ptr[text.len - 1] == ' ')
        text.len--;
    put_text(out, signature, text);
}

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Base64 as "\x…". */
static void put_bytes(struct buf *out, const json_t *signature, struct str text)
{
    static const char hex[] = "0123456789abcdef";
    unsigned bits = 0, held = 0;
    (void)signature;
    buf_text(out, "\\x");
    for (size_t i = 0; i < text.len; i++) {
        int digit = sextet(text.ptr[i]);
        if (digit < 0)
            continue;
        bits = (bits << 6 | (unsigned)digit) & 0xffff;
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        unsigned byte = bits >> held & 0xff;
        buf_char(out, hex[byte >> 4]);
        buf_char(out, hex[byte & 15]);
    }
}

/* ---- times --------------------------------------------------------------- */

/* "10:00:00.500" without the zeros at its end. */
static struct str short_fraction(struct str time)
{
    if (str_find_char(time, '.') < 0)
        return time;
    while (time.len && time.ptr[time.len - 1] == '0')
        time.len--;
    if (time.len && time.ptr[time.len - 1] == '.')
        time.len--;
    return time;
}

static void put_time(struct buf *out, const json_t *signature, struct str text)
{
    (void)signature;
    buf_str(out, short_fraction(text));
}

/* "+02:00" as "+02"; "UTC" as "+00"; another name stays. */
static void put_zone(struct buf *out, struct str zone)
{
    if (str_is(zone, "UTC") || str_is(zone, "Z")) {
        buf_text(out, "+00");
        return;
    }
    bool offset = zone.len == 6 && strchr("+-", zone.ptr[0]);
    if (!offset)
        buf_char(out, ' ');
    if (offset && str_ends(zone, STR(":00")))
        zone.len = 3;
    buf_str(out, zone);
}

/* "2024-05-01 10:00:00.000 Europe/Berlin"; the zone follows a space. */
static void put_moment(struct buf *out, const json_t *signature,
                       struct str text)
{
    size_t at = text.len;
    (void)signature;
    while (at && text.ptr[at - 1] != ' ')
        at--;
    if (!at) {
        buf_str(out, text);
        return;
    }
    buf_str(out, short_fraction(str_cut(text, 0, at - 1)));
    put_zone(out, str_from(text, at));
}

/* "10:00:00.000+02:00" */
static void put_zoned_time(struct buf *out, const json_t *signature,
                           struct str text)
{
    (void)signature;
    if (text.len < 6) {
        buf_str(out, text);
        return;
    }
    buf_str(out, short_fraction(str_cut(text, 0, text.len - 6)));
    put_zone(out, str_from(text, text.len - 6));
}

static void put_count(struct buf *out, int64_t n, const char *unit)
{
    if (n)
        buf_printf(out, "%lld %s%s ", (long long)n, unit, n == 1 ? "" : "s");
}

/* "-1-3": years and months. */
static void put_months(struct buf *out, const json_t *signature,
                       struct str text)
{
    bool minus = text.len && text.ptr[0] == '-';
    struct str rest = str_from(text, minus), years;
    int64_t y, m;
    (void)signature;
    str_split(&rest, '-', &years);
    if (!str_to_int64(years, &y) || !str_to_int64(rest, &m)) {
        buf_str(out, text);
        return;
    }
    size_t before = out->len;
    put_count(out, minus ? -y : y, "year");
    put_count(out, minus ? -m : m, "mon");
    if (out->len > before)
        out->len--;
    else
        buf_text(out, "00:00:00");
}

/* "-2 03:04:05.500": days, and a time. */
static void put_days(struct buf *out, const json_t *signature, struct str text)
{
    bool minus = text.len && text.ptr[0] == '-';
    struct str rest = str_from(text, minus), days;
    int64_t n;
    (void)signature;
    str_split(&rest, ' ', &days);
    if (!rest.len || !str_to_int64(days, &n)) {
        buf_str(out, text);
        return;
    }
    struct str time = short_fraction(rest);
    put_count(out, minus ? -n : n, "day");
    if (n && str_is(time, "00:00:00")) {
        out->len--;
        return;
    }
    if (minus && !str_is(time, "00:00:00"))
        buf_char(out, '-');
    buf_str(out, time);
}

/* ---- types --------------------------------------------------------------- */

static const struct trino_type_row {
    const char *raw, *word;
    put_value_fn *put;
    bool nested; /* written as JSON */
} rows[] = {
    {"boolean", "bool", put_text, false},
    {"tinyint", "int2", put_text, false},
    {"smallint", "int2", put_text, false},
    {"integer", "int4", put_text, false},
    {"bigint", "int8", put_text, false},
    {"real", "float4", put_text, false},
    {"double", "float8", put_text, false},
    {"decimal", "numeric", put_text, false},
    {"varchar", "text", put_text, false},
    {"char", "bpchar", put_padded, false},
    {"varbinary", "bytea", put_bytes, false},
    {"json", "json", put_text, false},
    {"date", "date", put_text, false},
    {"time", "time", put_time, false},
    {"time with time zone", "timetz", put_zoned_time, false},
    {"timestamp", "timestamp", put_time, false},
    {"timestamp with time zone", "timestamptz", put_moment, false},
    {"interval year to month", "interval", put_months, false},
    {"interval day to second", "interval", put_days, false},
    {"uuid", "uuid", put_text, false},
    {"ipaddress", "inet", put_text, false},
    {"array", "json", put_text, true},
    {"map", "json", put_text, true},
    {"row", "json", put_text, true},
};

static const struct trino_type_row *type_row(const json_t *signature)
{
    static const struct trino_type_row unknown = {"", "text", put_text, false};
    struct str raw = json_get_text(signature, "rawType");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(raw, rows[i].raw))
            return &rows[i];
    return &unknown;
}

const char *trino_type(const json_t *signature)
{
    return type_row(signature)->word;
}

/* "timestamp(3) with time zone": the parentheses are left out. */
const char *trino_type_word(struct str type)
{
    struct buf raw = {0};
    const char *word = "text";
    int depth = 0;
    for (size_t i = 0; i < type.len; i++) {
        depth += type.ptr[i] == '(';
        if (!depth)
            buf_char(&raw, type.ptr[i]);
        depth -= type.ptr[i] == ')';
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq_nocase(buf_view(&raw), str_of(rows[i].raw)))
            word = rows[i].word;
    buf_done(&raw);
    return word;
}

/* The fewest digits that give the same number again. */
static void put_real(struct buf *out, double value, bool single)
{
    char text[40] = "";
    for (int digits = single ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value
                   : strtod(text, NULL) == value)
            break;
    }
    buf_text(out, text);
}

static const json_t *argument(const json_t *signature, size_t i)
{
    return json_object_get(
        json_array_get(json_object_get(signature, "arguments"), i), "value");
}

static void put_json(struct buf *out, const json_t *signature,
                     const json_t *value);

static void put_list(struct buf *out, const json_t *signature,
                     const json_t *value)
{
    buf_char(out, '[');
    for (size_t i = 0; i < json_array_size(value); i++) {
        buf_text(out, i ? ", " : "");
        put_json(out, argument(signature, 0), json_array_get(value, i));
    }
    buf_char(out, ']');
}

static void put_map(struct buf *out, const json_t *signature,
                    const json_t *value)
{
    const char *between = "";
    buf_char(out, '{');
    for (void *at = json_object_iter((json_t *)value); at;
         at = json_object_iter_next((json_t *)value, at)) {
        buf_text(out, between);
        json_quote(out, str_of(json_object_iter_key(at)));
        buf_text(out, ": ");
        put_json(out, argument(signature, 1), json_object_iter_value(at));
        between = ", ";
    }
    buf_char(out, '}');
}

/* The fields of a row by their names; one without a name by its number. */
static void put_row(struct buf *out, const json_t *signature,
                    const json_t *value)
{
    buf_char(out, '{');
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *field = argument(signature, i);
        struct str name =
            json_get_text(json_object_get(field, "fieldName"), "name");
        buf_text(out, i ? ", " : "");
        if (name.len)
            json_quote(out, name);
        else
            buf_printf(out, "\"field%zu\"", i);
        buf_text(out, ": ");
        put_json(out, json_object_get(field, "typeSignature"),
                 json_array_get(value, i));
    }
    buf_char(out, '}');
}

/* Numbers stay numbers; a decimal, too, which Trino sends as text. */
static void put_scalar(struct buf *out, const json_t *signature,
                       const json_t *value)
{
    struct str raw = json_get_text(signature, "rawType");
    bool is_json = str_is(raw, "json") && json_is_string(value);
    if (str_is(raw, "decimal") || is_json || json_is_number(value)) {
        trino_value_put(out, signature, value);
        return;
    }
    if (json_is_boolean(value)) {
        buf_text(out, json_is_true(value) ? "true" : "false");
        return;
    }
    struct buf text;
    buf_init(&text, NULL);
    trino_value_put(&text, signature, value);
    json_quote(out, buf_view(&text));
    buf_done(&text);
}

static void put_json(struct buf *out, const json_t *signature,
                     const json_t *value)
{
    struct str raw = json_get_text(signature, "rawType");
    if (!value || json_is_null(value))
        buf_text(out, "null");
    else if (str_is(raw, "array") && json_is_array(value))
        put_list(out, signature, value);
    else if (str_is(raw, "map") && json_is_object(value))
        put_map(out, signature, value);
    else if (str_is(raw, "row") && json_is_array(value))
        put_row(out, signature, value);
    else if (json_is_array(value) || json_is_object(value))
        json_print_into(out, value);
    else
        put_scalar(out, signature, value);
}

void trino_value_put(struct buf *out, const json_t *signature,
                     const json_t *value)
{
    const struct trino_type_row *row = type_row(signature);
    if (row->nested || json_is_array(value) || json_is_object(value))
        put_json(out, signature, value);
    else if (json_is_string(value))
        row->put(out, signature, json_text(value));
    else if (json_is_boolean(value))
        buf_char(out, json_is_true(value) ? 't' : 'f');
    else if (json_is_integer(value))
        buf_printf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        put_real(out, json_real_value(value), str_is(str_of(row->raw), "real"));
}
