/* json_read.c - jansson with limits, and a second attempt for what models
 * write.
 *
 * jansson's own depth limit (2048) allows trees that are too deep for recursive
 * walks, so nesting is checked first. Its lexer drops a NUL after a number or a
 * literal, so NUL is refused first, too. */
#include "base/json.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

static void set_problem(struct json_problem *p, int line, const char *text)
{
    if (!p)
        return;
    p->line = line;
    str_copy(p->text, sizeof p->text, str_of(text));
}

/* Offset after the string literal whose opening quote is at `at`. */
static size_t string_end(struct str s, size_t at)
{
    for (at++; at < s.len && s.ptr[at] != '"'; at++)
        at += s.ptr[at] == '\\';
    return at < s.len ? at + 1 : s.len;
}

static bool nested_too_deeply(struct str s)
{
    int depth = 0;
    for (size_t at = 0; at < s.len;) {
        char c = s.ptr[at];
        if (c == '"') {
            at = string_end(s, at);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth > JSON_MAX_NESTING)
            return true;
        at++;
    }
    return false;
}

static json_t *parse_text(struct str text, size_t flags,
                          struct json_problem *problem)
{
    json_error_t e;
    if (str_find_char(text, '\0') >= 0) {
        set_problem(problem, 0, "it holds a NUL byte");
        return NULL;
    }
    json_t *v = json_loadb(text.ptr ? text.ptr : "", text.len, flags, &e);
    /* jansson's own message names one of its flags. */
    bool nul = !v && json_error_code(&e) == json_error_null_character;
    if (!v)
        set_problem(problem, e.line, nul ? "a text holds \\u0000" : e.text);
    return v;
}

json_t *json_read(struct str text, struct json_problem *problem)
{
    if (nested_too_deeply(text)) {
        set_problem(problem, 0, "nested too deeply");
        return NULL;
    }
    return parse_text(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, problem);
}

/* The content of the first ``` fence, or the text itself. */
static struct str strip_fence(struct str s)
{
    ptrdiff_t open = str_find(s, STR("```"));
    if (open < 0)
        return s;
    struct str inside = str_from(s, (size_t)open + 3);
    ptrdiff_t line = str_find_char(inside, '\n');
    if (line < 0)
        return s;
    inside = str_from(inside, (size_t)line + 1);
    ptrdiff_t close = str_find(inside, STR("```"));
    return close < 0 ? inside : str_cut(inside, 0, (size_t)close);
}

/* From the first { or [ to the bracket that closes it; if there is none, the
 * whole text. */
static struct str outermost_value(struct str s)
{
    size_t start = 0;
    while (start < s.len && s.ptr[start] != '{' && s.ptr[start] != '[')
        start++;
    int depth = 0;
    for (size_t at = start; at < s.len;) {
        char c = s.ptr[at];
        if (c == '"') {
            at = string_end(s, at);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
        if (depth == 0)
            return str_cut(s, start, at - start);
    }
    return str_from(s, start < s.len ? start : 0);
}

/* Length of the escape at `at` if it can be copied; 0: it must become U+FFFD (a
 * lone surrogate, or NUL, which jansson refuses). */
static size_t escape_length(struct str s, size_t at)
{
    if (s.len - at < 6 || s.ptr[at + 1] != 'u')
        return s.len - at < 2 ? 1 : 2;
    int code = str_hex4(str_from(s, at + 2));
    if (code == 0 || (code >= 0xdc00 && code <= 0xdfff))
        return 0;
    if (code < 0xd800 || code > 0xdbff)
        return 2;
    bool pair =
        s.len - at >= 12 && s.ptr[at + 6] == '\\' && s.ptr[at + 7] == 'u';
    int low = pair ? str_hex4(str_from(s, at + 8)) : -1;
    return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

static size_t repair_string(struct buf *out, struct str s, size_t at)
{
    buf_char(out, s.ptr[at++]);
    while (at < s.len) {
        char c = s.ptr[at];
        if (c == '\\') {
            size_t n = escape_length(s, at);
            if (n)
                buf_bytes(out, s.ptr + at, n);
            else
                buf_text(out, "\\ufffd");
            at += n ? n : 6;
            continue;
        }
        if ((unsigned char)c < 0x20)
            buf_printf(out, "\\u%04x", c ? c : 0xfffd);
        else
            buf_char(out, c);
        at++;
        if (c == '"')
            break;
    }
    return at;
}

/* A number that overflows a double becomes null; an integer that overflows an
 * int64 becomes a real. */
static size_t repair_number(struct buf *out, struct str s, size_t at)
{
    size_t end = at;
    bool whole = true;
    while (end < s.len && s.ptr[end] && strchr("0123456789+-.eE", s.ptr[end]))
        whole = whole && !strchr(".eE", s.ptr[end]), end++;
    struct str number = str_cut(s, at, end - at);
    char text[64];
    int64_t n;
    if (number.len >= sizeof text) {
        buf_text(out, "null");
        return end;
    }
    str_copy(text, sizeof text, number);
    double d = strtod(text, NULL);
    if (d > 1e308 || d < -1e308)
        buf_text(out, "null");
    else if (whole && !str_to_int64(number, &n))
        buf_printf(out, "%.17g", d);
    else
        buf_str(out, number);
    return end;
}

static void repair_text(struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.len;) {
        char c = s.ptr[at];
        if (c == '"')
            at = repair_string(out, s, at);
        else if (c == '-' || (c >= '0' && c <= '9'))
            at = repair_number(out, s, at);
        else
            buf_char(out, s.ptr[at++]);
    }
}

json_t *json_read_lenient(struct str text, struct json_problem *problem)
{
    text = str_trim(text);
    json_t *v = json_read(text, problem);
    if (v)
        return v;
    struct str inside = text.len && *text.ptr != '{' && *text.ptr != '['
                            ? outermost_value(strip_fence(text))
                            : outermost_value(text);
    if (nested_too_deeply(inside))
        return NULL;
    struct buf repaired;
    buf_init(&repaired, NULL);
    repair_text(&repaired, inside);
    v = parse_text(buf_view(&repaired), 0, problem);
    buf_done(&repaired);
    return v;
}

void json_drop(void *value)
{
    json_decref(value);
}

struct str json_text(const json_t *v)
{
    if (!json_is_string(v))
        return (struct str){NULL, 0};
    return (struct str){json_string_value(v), json_string_length(v)};
}

struct str json_get_text(const json_t *object, const char *key)
{
    return json_text(json_object_get(object, key));
}

int64_t json_get_int(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *v = json_object_get(object, key);
    return json_is_integer(v) ? json_integer_value(v) : otherwise;
}

bool json_get_bool(const json_t *object, const char *key, bool otherwise)
{
    const json_t *v = json_object_get(object, key);
    return json_is_boolean(v) ? json_is_true(v) : otherwise;
}

static void print_value(struct json_writer *w, const json_t *v)
{
    const char *key;
    size_t key_len, i;
    json_t *child;
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        json_put_object(w);
        json_object_keylen_foreach((json_t *)v, key, key_len, child)
        {
            json_put_key_str(w, (struct str){key, key_len});
            print_value(w, child);
        }
        json_put_object_end(w);
        break;
    case JSON_ARRAY:
        json_put_array(w);
        json_array_foreach(v, i, child) print_value(w, child);
        json_put_array_end(w);
        break;
    case JSON_STRING:
        json_put_str(w, json_text(v));
        break;
    case JSON_INTEGER:
        json_put_int(w, json_integer_value(v));
        break;
    case JSON_REAL:
        json_put_real(w, json_real_value(v));
        break;
    case JSON_NULL:
        json_put_null(w);
        break;
    default:
        json_put_bool(w, json_is_true(v));
    }
}

void json_print_into(struct buf *out, const json_t *v)
{
    struct json_writer w;
    json_writer_init(&w, out);
    if (v)
        print_value(&w, v);
    else
        json_put_null(&w);
}

struct str json_print(struct arena *arena, const json_t *v)
{
    struct buf out;
    buf_init(&out, arena);
    json_print_into(&out, v);
    return buf_finish(&out);
}
