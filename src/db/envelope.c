/* envelope.c - see envelope.h. The scanner of base/sql_scan.h knows PostgreSQL's
 * quotes and comments; the rest puts text together. */
#include "envelope.h"
#include "base/map.h"
#include "base/sql_scan.h"
#include "types.h"
#include <ctype.h>
#include <string.h>
#include "base/banned.h"

/* ---- the text ------------------------------------------------------------ */

void envelope_flatten(char *sql, size_t len)
{
    struct str s = {sql, len}, piece;
    enum sql_piece kind;
    for (size_t at = 0; (piece = sql_scan_next(s, &at, &kind)).len;)
        if (kind == SQL_OTHER && piece.ptr[0] == ';')
            sql[piece.ptr - sql] = ' ';
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
