/* trino_token.c - see trino_token.h. Comments are dropped, and the forms of
 * strings that only PostgreSQL has become plain ones. */
#include "trino_token.h"
#include "base/buf.h"
#include <string.h>
#include "base/banned.h"

struct trino_scan {
    struct arena *arena;
    struct str sql;
    size_t at;
    struct str why;
};

static char scan_char(const struct trino_scan *s, size_t ahead)
{
    size_t at = s->at + ahead;
    return at < s->sql.len ? s->sql.ptr[at] : '\0';
}

static bool scan_refuse(struct trino_scan *s, const char *why)
{
    s->why = str_of(why);
    return false;
}

static bool is_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_inner(char c)
{
    return is_start(c) || is_digit(c) || c == '$';
}

/* ---- comments and white space -------------------------------------------- */

/* PostgreSQL's comments may lie in each other. */
static bool skip_comment(struct trino_scan *s)
{
    int depth = 0;
    while (s->at < s->sql.len) {
        if (scan_char(s, 0) == '/' && scan_char(s, 1) == '*') {
            depth++;
            s->at += 2;
        } else if (scan_char(s, 0) == '*' && scan_char(s, 1) == '/') {
            s->at += 2;
            if (--depth == 0)
                return true;
        } else {
            s->at++;
        }
    }
    return scan_refuse(s, "a comment does not end");
}

static bool skip_blank(struct trino_scan *s)
{
    while (s->at < s->sql.len) {
        if (strchr(" \t\r\n\f\v", scan_char(s, 0))) {
            s->at++;
        } else if (scan_char(s, 0) == '-' && scan_char(s, 1) == '-') {
            while (s->at < s->sql.len && scan_char(s, 0) != '\n' &&
                   scan_char(s, 0) != '\r')
                s->at++;
        } else if (scan_char(s, 0) == '/' && scan_char(s, 1) == '*') {
            if (!skip_comment(s))
                return false;
        } else {
            return true;
        }
    }
    return true;
}

/* ---- strings ------------------------------------------------------------- */

static void string_token(struct trino_scan *s, struct trino_token *t,
                         struct str value)
{
    struct buf out;
    buf_init(&out, s->arena);
    buf_quoted(&out, value, '\'');
    t->kind = TRINO_STRING;
    t->value = value;
    t->text = buf_finish(&out);
}

/* After E'…: the character that an escape means. */
static bool read_escape(struct trino_scan *s, struct buf *out)
{
    static const char names[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char c = scan_char(s, 1);
    const char *at = c ? strchr(names, c) : NULL;
    int high = str_hex_digit(scan_char(s, 2));
    int low = str_hex_digit(scan_char(s, 3));
    if (c == 'x' && high >= 0 && low >= 0 && high < 8 && (high || low)) {
        buf_char(out, (char)(16 * high + low));
        s->at += 4;
        return true;
    }
    if (!c || c == 'x' || c == 'u' || c == 'U' || is_digit(c))
        return scan_refuse(s, "Trino does not know this escape in E'…'; write "
                              "the character itself");
    buf_char(out, at ? meant[at - names] : c);
    s->at += 2;
    return true;
}

/* At the opening quote. */
static bool read_string(struct trino_scan *s, struct trino_token *t,
                        bool escapes)
{
    struct buf out;
    buf_init(&out, s->arena);
    for (s->at++; s->at < s->sql.len;) {
        char c = scan_char(s, 0);
        if (c == '\'' && scan_char(s, 1) != '\'') {
            s->at++;
            string_token(s, t, buf_finish(&out));
            return true;
        }
        if (c == '\\' && escapes) {
            if (!read_escape(s, &out))
                return false;
            continue;
        }
        s->at += c == '\'' ? 2 : 1;
        buf_char(&out, c);
    }
    return scan_refuse(s, "a text does not end");
}

/* $tag$ … $tag$ */
static bool read_dollars(struct trino_scan *s, struct trino_token *t)
{
    size_t end = s->at + 1;
    while (end < s->sql.len && is_inner(s->sql.ptr[end]) &&
           s->sql.ptr[end] != '$')
        end++;
    if (end >= s->sql.len || s->sql.ptr[end] != '$')
        return scan_refuse(s, "Trino has no parameters of the form $1");
    struct str tag = str_cut(s->sql, s->at, end + 1 - s->at);
    struct str rest = str_from(s->sql, end + 1);
    ptrdiff_t close = str_find(rest, tag);
    if (close < 0)
        return scan_refuse(s, "a text does not end");
    string_token(s, t, str_cut(rest, 0, (size_t)close));
    s->at = end + 1 + (size_t)close + tag.len;
    return true;
}

static bool read_quoted(struct trino_scan *s, struct trino_token *t)
{
    size_t from = s->at++;
    for (; s->at < s->sql.len; s->at++) {
        if (scan_char(s, 0) != '"')
            continue;
        if (scan_char(s, 1) == '"') {
            s->at++;
            continue;
        }
        s->at++;
        t->kind = TRINO_QUOTED;
        t->text = str_cut(s->sql, from, s->at - from);
        return true;
    }
    return scan_refuse(s, "a quoted name does not end");
}

/* ---- the rest ------------------------------------------------------------ */

static bool read_word(struct trino_scan *s, struct trino_token *t)
{
    size_t from = s->at;
    while (is_inner(scan_char(s, 0)))
        s->at++;
    char *text = arena_alloc(s->arena, s->at - from + 1);
    for (size_t i = from; i < s->at; i++) {
        char c = s->sql.ptr[i];
        if ((unsigned char)c >= 0x80 || c == '$')
            return scan_refuse(s, "Trino wants quotes around a name with other "
                                  "characters than a to z, 0 to 9 and _");
        text[i - from] = str_lower_char(c);
    }
    t->kind = TRINO_WORD;
    t->text = (struct str){text, s->at - from};
    return true;
}

static bool read_number(struct trino_scan *s, struct trino_token *t)
{
    size_t from = s->at;
    while (is_digit(scan_char(s, 0)) || scan_char(s, 0) == '.' ||
           ((scan_char(s, 0) | 0x20) == 'e' &&
            (is_digit(scan_char(s, 1)) ||
             (strchr("+-", scan_char(s, 1)) && scan_char(s, 1) &&
              is_digit(scan_char(s, 2))))))
        s->at += (scan_char(s, 0) | 0x20) == 'e' ? 2 : 1;
    if (is_start(scan_char(s, 0)))
        return scan_refuse(s, "a number ends in letters");
    t->kind = TRINO_NUMBER;
    t->text = str_cut(s->sql, from, s->at - from);
    return true;
}

static bool read_sign(struct trino_scan *s, struct trino_token *t)
{
    /* the longest first */
    static const char *const signs[] = {"!~~*", "!~*", "!~~", "~~*", "->>",
                                        "#>>",  "::",  "<=",  ">=",  "<>",
                                        "!=",   "||",  "!~",  "~*",  "~~",
                                        "->",   "#>",  "=>"};
    struct str rest = str_from(s->sql, s->at);
    size_t len = 1;
    for (size_t i = sizeof signs / sizeof *signs; i--;)
        if (str_starts(rest, str_of(signs[i])) && strlen(signs[i]) > len)
            len = strlen(signs[i]);
    char c = *rest.ptr;
    if (c == ';')
        return scan_refuse(s, "only one statement is allowed");
    if (len == 1 && !strchr("()[],.+-*/%<>=~:?", c))
        return scan_refuse(s, "Trino does not have this operator");
    t->text = str_cut(rest, 0, len);
    t->kind = c == '('                ? TRINO_OPEN
              : c == ')'              ? TRINO_CLOSE
              : c == ','              ? TRINO_COMMA
              : c == '.'              ? TRINO_DOT
              : str_is(t->text, "::") ? TRINO_CAST
                                      : TRINO_SIGN;
    s->at += len;
    return true;
}

static bool read_token(struct trino_scan *s, struct trino_token *t)
{
    char c = scan_char(s, 0), next = scan_char(s, 1), low = c | 0x20;
    bool number = is_digit(c) || (c == '.' && is_digit(next));
    *t = (struct trino_token){0};
    if (low == 'e' && next == '\'') {
        s->at++;
        return read_string(s, t, true);
    }
    if ((low == 'b' || low == 'x' || low == 'n') && next == '\'')
        return scan_refuse(s, "Trino has no such strings as B'…' and N'…'");
    if (low == 'u' && next == '&')
        return scan_refuse(s, "write the characters instead of U&'…'");
    if (is_start(c))
        return read_word(s, t);
    if (c == '\'')
        return read_string(s, t, false);
    if (c == '"')
        return read_quoted(s, t);
    if (c == '$')
        return read_dollars(s, t);
    return number ? read_number(s, t) : read_sign(s, t);
}

bool trino_tokens_read(struct arena *arena, struct str sql,
                       struct trino_tokens *out, struct str *why)
{
    struct trino_scan s = {.arena = arena, .sql = sql};
    out->n = 0;
    out->items = arena_new_array(arena, struct trino_token, sql.len + 2);
    bool good = (!sql.len || !memchr(sql.ptr, '\0', sql.len) ||
                 scan_refuse(&s, "a text has a NUL")) &&
                skip_blank(&s);
    while (good && s.at < sql.len) {
        good = read_token(&s, &out->items[out->n]);
        out->n += good;
        good = good && skip_blank(&s);
    }
    out->items[out->n] = (struct trino_token){0};
    *why = s.why;
    return good;
}
