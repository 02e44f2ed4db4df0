/* sql_scan.c - see base/sql_scan.h. */
#include "base/sql_scan.h"
#include "base/buf.h"
#include <ctype.h>
#include "base/banned.h"

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Each function skips what begins at `at` and answers the offset after it. */

static size_t skip_line(struct str s, size_t at)
{
    while (at < s.len && s.ptr[at] != '\n' && s.ptr[at] != '\r')
        at++;
    return at;
}

static bool scan_begins(struct str s, size_t at, const char *two)
{
    return at + 1 < s.len && s.ptr[at] == two[0] && s.ptr[at + 1] == two[1];
}

static size_t skip_comment(struct str s, size_t at)
{
    for (int depth = 0; at < s.len;) {
        if (scan_begins(s, at, "/*")) {
            depth++;
            at += 2;
        } else if (scan_begins(s, at, "*/")) {
            at += 2;
            if (--depth == 0)
                return at;
        } else {
            at++;
        }
    }
    return at;
}

static size_t skip_quoted(struct str s, size_t at, bool backslashes)
{
    char quote = s.ptr[at++];
    for (; at < s.len; at++) {
        if (backslashes && s.ptr[at] == '\\')
            at++;
        else if (s.ptr[at] == quote)
            return at + 1; /* a doubled one begins the next piece */
    }
    return s.len;
}

/* $tag$ … $tag$; a lone dollar is one character. */
static size_t skip_dollar(struct str s, size_t at)
{
    size_t end = at + 1;
    while (end < s.len && is_name_char(s.ptr[end]) && s.ptr[end] != '$')
        end++;
    bool tag = end < s.len && s.ptr[end] == '$' &&
               !isdigit((unsigned char)s.ptr[at + 1]);
    if (!tag)
        return at + 1;
    struct str mark = str_cut(s, at, end + 1 - at);
    ptrdiff_t close = str_find(str_from(s, end + 1), mark);
    return close < 0 ? s.len : end + 1 + (size_t)close + mark.len;
}

/* e'…' and its continuations on later lines, in which a backslash escapes
 * too. */
static size_t skip_escaped(struct str s, size_t at)
{
    for (;;) {
        size_t end = skip_quoted(s, at, true);
        bool line = false;
        for (at = end; at < s.len && isspace((unsigned char)s.ptr[at]); at++)
            line |= s.ptr[at] == '\n' || s.ptr[at] == '\r';
        bool doubled = at == end && at < s.len && s.ptr[at] == '\'';
        if (!doubled && !(line && at < s.len && s.ptr[at] == '\''))
            return end;
    }
}

/* A name, or a string whose prefix says that backslashes escape. */
static size_t skip_name(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && is_name_char(s.ptr[end]))
        end++;
    bool escapes = end - at == 1 && (s.ptr[at] == 'e' || s.ptr[at] == 'E') &&
                   end < s.len && s.ptr[end] == '\'';
    return escapes ? skip_escaped(s, end) : end;
}

/* 12, 1.5, .5, 1e-9, and letters that follow without a space. */
static size_t skip_number(struct str s, size_t at)
{
    for (; at < s.len; at++) {
        char c = s.ptr[at], before = s.ptr[at - (at > 0)];
        bool sign = (c == '-' || c == '+') &&
                    (before == 'e' || before == 'E') && at + 1 < s.len &&
                    isdigit((unsigned char)s.ptr[at + 1]);
        if (!is_name_char(c) && c != '.' && !sign)
            break;
    }
    return at;
}

static bool number_begins(struct str s, size_t at)
{
    if (s.ptr[at] == '.')
        at++;
    return at < s.len && isdigit((unsigned char)s.ptr[at]);
}

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.len && isspace((unsigned char)s.ptr[at]))
        at++;
    return at;
}

struct str sql_scan_next(struct str s, size_t *at, enum sql_piece *kind)
{
    size_t from = *at, to = from + 1;
    *kind = SQL_OTHER;
    if (from >= s.len)
        return (struct str){s.ptr + s.len, 0};
    char c = s.ptr[from];
    if (isspace((unsigned char)c)) {
        *kind = SQL_SPACE;
        to = skip_space(s, from);
    } else if (scan_begins(s, from, "--") || scan_begins(s, from, "/*")) {
        *kind = SQL_COMMENT;
        to = c == '-' ? skip_line(s, from) : skip_comment(s, from);
    } else if (c == '\'' || c == '"') {
        *kind = c == '"' ? SQL_QUOTED_NAME : SQL_STRING;
        to = skip_quoted(s, from, false);
    } else if (c == '$') {
        to = skip_dollar(s, from);
        *kind = to > from + 1 ? SQL_STRING : SQL_OTHER;
    } else if (number_begins(s, from)) {
        *kind = SQL_NUMBER;
        to = skip_number(s, from);
    } else if (is_name_char(c)) {
        to = skip_name(s, from);
        *kind =
            s.ptr[to - 1] == '\'' || (to - from > 1 && s.ptr[from + 1] == '\'')
                ? SQL_STRING
                : SQL_WORD;
    }
    *at = to;
    return str_cut(s, from, to - from);
}

struct str sql_without_literals(struct arena *arena, struct str sql,
                                size_t most)
{
    struct buf out;
    struct str piece;
    enum sql_piece kind;
    bool gap = false, string = false;
    buf_init(&out, arena);
    for (size_t at = 0; (piece = sql_scan_next(sql, &at, &kind)).len;) {
        if (kind == SQL_SPACE || kind == SQL_COMMENT) {
            gap = true;
            continue;
        }
        bool doubled = string && !gap && kind == SQL_STRING; /* 'a''b' */
        string = kind == SQL_STRING;
        if (doubled)
            continue;
        if (kind == SQL_STRING || kind == SQL_NUMBER)
            piece = STR("?");
        if (out.len + piece.len + 4 > most) {
            buf_text(&out, "…");
            break;
        }
        if (gap && out.len)
            buf_char(&out, ' ');
        gap = false;
        buf_str(&out, piece);
    }
    return buf_finish(&out);
}
