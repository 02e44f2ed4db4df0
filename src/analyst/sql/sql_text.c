/* sql_text.c - writes names and literals of SQL, and splits SQL into
 * tokens. */
#include "sql_text.h"
#include "base/utf8.h"
#include "read/words.h"
#include <string.h>
#include "base/banned.h"

enum { COLUMN_NAME_BYTES = 63 };

/* ---- writing ------------------------------------------------------------ */

/* Reserved words of PostgreSQL, and words that cannot be a bare alias. */
static const char reserved[] =
    "all analyse analyze and any array as asc asymmetric authorization "
    "between bigint binary bit boolean both case cast char character check "
    "coalesce collate collation column concurrently constraint create cross "
    "current_catalog current_date current_role current_schema current_time "
    "current_timestamp current_user dec decimal default deferrable desc "
    "distinct do else end except exists extract false fetch filter float for "
    "foreign freeze from full grant greatest group grouping having ilike in "
    "initially inner inout int integer intersect interval into is isnull join "
    "lateral leading least left like limit localtime localtimestamp national "
    "natural nchar none normalize not notnull null nullif numeric offset on "
    "only or order out outer over overlaps overlay placing position precision "
    "primary real references returning right row select session_user setof "
    "similar smallint some substring symmetric system_user table tablesample "
    "then time timestamp to trailing treat trim true union unique user using "
    "values varchar variadic varying verbose when where window with within "
    "without xmlattributes xmlconcat xmlelement xmlexists xmlforest "
    "xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable";

static bool is_plain(struct str name)
{
    if (!name.len || (*name.ptr >= '0' && *name.ptr <= '9'))
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
            return false;
    }
    return !list_has(reserved, name);
}

static struct str in_quotes(struct arena *arena, struct str text, char quote)
{
    struct buf out;
    buf_init(&out, arena);
    buf_quoted(&out, text, quote);
    return buf_view(&out);
}

struct str sql_name(struct arena *arena, struct str name)
{
    return is_plain(name) ? name : in_quotes(arena, name, '"');
}

struct str sql_column_name(struct str name)
{
    return utf8_cut(name, COLUMN_NAME_BYTES);
}

struct str sql_literal(struct arena *arena, struct str text)
{
    return in_quotes(arena, text, '\'');
}

struct str sql_like_literal(struct arena *arena, const char *before,
                            struct str text, const char *after)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, before);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] && strchr("%_\\", text.ptr[i]))
            buf_char(&out, '\\');
        buf_char(&out, text.ptr[i]);
    }
    buf_text(&out, after);
    return sql_literal(arena, buf_view(&out));
}

/* ---- reading ------------------------------------------------------------ */

static bool is_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_inner(char c)
{
    return is_start(c) || (c >= '0' && c <= '9') || c == '$';
}

static char char_at(struct str text, size_t at)
{
    return at < text.len ? text.ptr[at] : '\0';
}

/* The byte after the closing quote; a doubled quote does not close. */
static size_t after_quote(struct str text, size_t at, bool escapes)
{
    char quote = text.ptr[at++];
    for (; at < text.len; at++) {
        if (escapes && text.ptr[at] == '\\')
            at++;
        else if (text.ptr[at] == quote && char_at(text, at + 1) == quote)
            at++;
        else if (text.ptr[at] == quote)
            return at + 1;
    }
    return text.len;
}

/* The byte after $tag$ … $tag$; 0: it is not such a string. */
static size_t after_dollars(struct str text, size_t at)
{
    size_t end = at + 1;
    while (is_inner(char_at(text, end)) && char_at(text, end) != '$')
        end++;
    if (char_at(text, end) != '$')
        return 0;
    struct str tag = str_cut(text, at, end + 1 - at);
    ptrdiff_t close = str_find(str_from(text, end + 1), tag);
    return close < 0 ? 0 : end + 1 + (size_t)close + tag.len;
}

static size_t after_comment(struct str text, size_t at)
{
    if (str_starts(str_from(text, at), STR("--"))) {
        while (at < text.len && text.ptr[at] != '\n')
            at++;
        return at;
    }
    if (!str_starts(str_from(text, at), STR("/*")))
        return 0;
    ptrdiff_t close = str_find(str_from(text, at + 2), STR("*/"));
    return close < 0 ? text.len : at + 2 + (size_t)close + 2;
}

static struct str unquoted(struct arena *arena, struct str quoted)
{
    char *copy = arena_alloc(arena, quoted.len);
    size_t len = 0;
    for (size_t i = 1; i + 1 < quoted.len; i++) {
        copy[len++] = quoted.ptr[i];
        i += quoted.ptr[i] == '"';
    }
    return (struct str){copy, len};
}

static struct sql_token token_at(struct arena *arena, struct str text,
                                 size_t at)
{
    struct sql_token token = {.kind = SQL_OTHER, .from = at, .to = at + 1};
    char c = text.ptr[at], next = char_at(text, at + 1);
    bool escaped = (c == 'e' || c == 'E') && next == '\'';
    if (escaped) {
        token.to = after_quote(text, at + 1, true);
    } else if (is_start(c)) {
        token.kind = SQL_WORD;
        while (is_inner(char_at(text, token.to)))
            token.to++;
        token.name = lower_case(arena, str_cut(text, at, token.to - at));
    } else if (c == '"') {
        token.kind = SQL_QUOTED;
        token.to = after_quote(text, at, false);
        token.name = unquoted(arena, str_cut(text, at, token.to - at));
    } else if (c == '\'') {
        token.to = after_quote(text, at, false);
    } else if (c == '$' && after_dollars(text, at)) {
        token.to = after_dollars(text, at);
    } else if (c >= '0' && c <= '9') {
        while (is_inner(char_at(text, token.to)) ||
               char_at(text, token.to) == '.')
            token.to++;
    } else if (c == '(' || c == ')') {
        token.kind = c == '(' ? SQL_OPEN : SQL_CLOSE;
    } else if (c == '.') {
        token.kind = SQL_DOT;
    } else if (c == ':' && next == ':') {
        token.to++;
    }
    return token;
}

struct sql_tokens sql_read(struct arena *arena, struct str text)
{
    struct sql_tokens tokens = {.text = text};
    tokens.items = arena_new_array(arena, struct sql_token, text.len + 1);
    for (size_t at = 0; at < text.len;) {
        size_t next = after_comment(text, at);
        if (next) {
            at = next;
        } else if (strchr(" \t\r\n\f\v", text.ptr[at])) {
            at++;
        } else {
            tokens.items[tokens.n] = token_at(arena, text, at);
            at = tokens.items[tokens.n++].to;
        }
    }
    return tokens;
}

bool sql_is_name(const struct sql_token *t)
{
    return t->kind == SQL_WORD || t->kind == SQL_QUOTED;
}

size_t sql_closing(const struct sql_tokens *tokens, size_t open)
{
    size_t depth = 0;
    for (size_t i = open; i < tokens->n; i++) {
        depth += tokens->items[i].kind == SQL_OPEN;
        if (tokens->items[i].kind == SQL_CLOSE && --depth == 0)
            return i;
    }
    return tokens->n;
}
