/* envelope.c - see envelope.h. A small scanner knows PostgreSQL's quotes and
 * comments; the rest puts text together. */
#include "envelope.h"
#include "base/map.h"
#include "types.h"
#include <ctype.h>
#include <string.h>
#include "base/banned.h"

/* ---- the scanner --------------------------------------------------------- */

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

void envelope_flatten(char *sql, size_t len)
{
    struct str s = {sql, len};
    for (size_t at = 0; at < len;) {
        if (sql[at] == ';')
            sql[at] = ' ';
        if (scan_begins(s, at, "--"))
            at = skip_line(s, at);
        else if (scan_begins(s, at, "/*"))
            at = skip_comment(s, at);
        else if (sql[at] == '\'' || sql[at] == '"')
            at = skip_quoted(s, at, false);
        else if (sql[at] == '$')
            at = skip_dollar(s, at);
        else if (is_name_char(sql[at]))
            at = skip_name(s, at);
        else
            at++;
    }
}

/* ---- the wrap ------------------------------------------------------------ */

size_t envelope_cell_chars(int n_columns, size_t max_bytes)
{
    enum { LEAST = 256 };
    size_t share = n_columns > 0 ? max_bytes / (size_t)n_columns : max_bytes;
    if (share > CELL_CHARS)
        return CELL_CHARS;
    return share < LEAST ? LEAST : share;
}

static void envelope_column(struct buf *out, int i, Oid type, size_t chars)
{
    if (type_is_short(type))
        buf_printf(out, "c%d", i);
    else if (type == TYPE_BYTEA) /* two digits per byte, after "\x" */
        buf_printf(out,
                   "pg_catalog.left(pg_catalog.substr(c%d,1,%zu)::text,%zu)", i,
                   chars / 2 + 1, chars + 1);
    else
        buf_printf(out, "pg_catalog.left(c%d::text,%zu)", i, chars + 1);
}

size_t envelope_wrap(struct buf *out, struct str sql, const Oid *types,
                     int n_columns, size_t cell_chars, int limit)
{
    buf_text(out, "select ");
    for (int i = 0; i < n_columns; i++) {
        buf_text(out, i ? "," : "");
        envelope_column(out, i + 1, types[i], cell_chars);
    }
    buf_text(out, " from (\n");
    size_t before = out->len;
    buf_str(out, sql);
    buf_text(out, "\n) q");
    for (int i = 0; i < n_columns; i++)
        buf_printf(out, "%sc%d", i ? "," : "(", i + 1);
    buf_printf(out, "%s limit %d", n_columns ? ")" : "", limit);
    return before;
}

/* ---- the settings -------------------------------------------------------- */

static void envelope_setting(struct buf *out, const char *name,
                             struct str value)
{
    buf_text(out, out->len ? "," : "select ");
    buf_text(out, "pg_catalog.set_config('");
    buf_text(out, name);
    buf_text(out, "', E'");
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'' || value.ptr[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, value.ptr[i]);
    }
    buf_text(out, "',true)");
}

static void envelope_setting_ms(struct buf *out, const char *name, unsigned ms)
{
    char text[16];
    snprintf(text, sizeof text, "%u", ms);
    envelope_setting(out, name, str_of(text));
}

static void envelope_search_path(struct buf *out, struct str schema)
{
    struct buf path;
    buf_init(&path, NULL);
    buf_text(&path, "pg_catalog, \"");
    if (!schema.len)
        schema = STR("public");
    for (size_t i = 0; i < schema.len; i++) {
        if (schema.ptr[i] == '"')
            buf_char(&path, '"');
        buf_char(&path, schema.ptr[i]);
    }
    buf_text(&path, "\", pg_temp");
    envelope_setting(out, "search_path", buf_view(&path));
    buf_done(&path);
}

void envelope_settings(struct buf *out, struct str schema, struct str time_zone,
                       unsigned timeout_ms, int server_version)
{
    envelope_search_path(out, schema);
    envelope_setting(out, "timezone", time_zone.len ? time_zone : STR("UTC"));
    envelope_setting(out, "datestyle", STR("ISO, YMD"));
    envelope_setting(out, "intervalstyle", STR("postgres"));
    envelope_setting(out, "extra_float_digits", STR("1"));
    envelope_setting(out, "bytea_output", STR("hex"));
    envelope_setting(out, "standard_conforming_strings", STR("on"));
    envelope_setting(out, "default_transaction_read_only", STR("on"));
    envelope_setting_ms(out, "statement_timeout", timeout_ms);
    envelope_setting_ms(out, "lock_timeout", 1000);
    envelope_setting_ms(out, "idle_in_transaction_session_timeout",
                        timeout_ms + 5000);
    if (server_version >= 110000)
        envelope_setting(out, "jit", STR("off"));
    if (server_version >= 140000)
        envelope_setting(out, "client_connection_check_interval", STR("1000"));
}

/* ---- names --------------------------------------------------------------- */

static struct str unique_name(struct map *taken, struct str name,
                              struct buf *text)
{
    struct str wanted = name;
    for (int n = 2; map_get(taken, wanted); n++) {
        buf_clear(text);
        buf_printf(text, "%.*s_%d", STR_ARG(name), n);
        wanted = buf_view(text);
    }
    return wanted;
}

void envelope_unique_names(struct arena *arena, const char *const *names, int n,
                           struct str *answer)
{
    struct map taken;
    struct buf text;
    map_init(&taken, arena);
    buf_init(&text, arena);
    for (int i = 0; i < n; i++) /* the first of each name keeps it */
        if (!map_get(&taken, str_of(names[i])))
            map_put(&taken, str_of(names[i]), answer);
    struct map used;
    map_init(&used, arena);
    for (int i = 0; i < n; i++) {
        struct str name = str_of(names[i]);
        if (map_get(&used, name))
            name = arena_str(arena, unique_name(&taken, name, &text));
        answer[i] = name;
        map_put(&taken, name, answer);
        map_put(&used, name, answer);
    }
}
