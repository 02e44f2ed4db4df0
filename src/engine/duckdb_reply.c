/* duckdb_reply.c - see duckdb_reply.h. A state machine over bytes; the rows go
 * straight into one buffer, the other members are small and read as trees. */
#include "duckdb_reply.h"
#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

static bool reply_refuse(struct duckdb_reply *r, const char *why)
{
    r->problem = why;
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* ---- members other than rows -------------------------------------------- */

/* The type's name goes into answers and prompts. */
static bool is_type_name(struct str type)
{
    if (!type.len || type.len > 64)
        return false;
    for (size_t i = 0; i < type.len; i++)
        if (!str_is_alnum(type.ptr[i]) && !strchr("_ []", type.ptr[i]))
            return false;
    return true;
}

static bool is_integer_type(struct str type)
{
    static const char *const types[] = {"int2", "int4", "int8", "oid"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is(type, types[i]))
            return true;
    return false;
}

static bool reply_take_column(struct duckdb_reply *r, const json_t *v,
                              struct map *seen)
{
    struct str name = json_get_text(v, "name"), type = json_get_text(v, "type");
    if (!is_type_name(type) || !json_is_string(json_object_get(v, "name")))
        return reply_refuse(r, "a column has no name or no type");
    if (map_get(seen, name))
        return reply_refuse(r, "two columns have one name");
    map_put(seen, name, r);
    buf_str(&r->texts, name);
    buf_str(&r->texts, type);
    r->columns[r->n_columns++] =
        (struct duckdb_column){.name = {NULL, name.len},
                               .type = {NULL, type.len},
                               .is_integer = is_integer_type(type)};
    return true;
}

static bool reply_take_columns(struct duckdb_reply *r, const json_t *v)
{
    size_t n = json_array_size(v), before = r->texts.len;
    struct map seen;
    if (!json_is_array(v) || n > DUCKDB_COLUMNS || r->has_columns)
        return reply_refuse(r, "its columns are no list");
    r->has_columns = true;
    r->columns = mem_new_array(struct duckdb_column, n + 1);
    r->handing = mem_new_array(struct str, n + 1);
    map_init(&seen, NULL);
    for (size_t i = 0; i < n; i++)
        if (!reply_take_column(r, json_array_get(v, i), &seen))
            break;
    map_done(&seen);
    /* Only now, because the buffer moved as it grew. */
    const char *text = r->texts.ptr + before;
    for (int i = 0; i < r->n_columns; i++) {
        struct duckdb_column *c = &r->columns[i];
        c->name.ptr = text;
        c->type.ptr = text += c->name.len;
        text += c->type.len;
    }
    return !r->problem;
}

static bool reply_take_error(struct duckdb_reply *r, const json_t *v)
{
    static const char *const kinds[] = {
        [DUCKDB_FINE] = "",           [DUCKDB_POLICY] = "policy",
        [DUCKDB_SQL] = "sql",         [DUCKDB_DATA] = "data",
        [DUCKDB_TIMEOUT] = "timeout", [DUCKDB_MEMORY] = "memory"};
    struct str kind = json_get_text(v, "kind");
    int64_t position = json_get_int(v, "position", 0);
    if (json_is_null(v))
        return true;
    for (int i = 1; i <= DUCKDB_MEMORY; i++)
        if (str_is(kind, kinds[i]))
            r->fault = (enum duckdb_fault)i;
    if (!r->fault)
        return reply_refuse(r, "its error has an unknown kind");
    struct str message = json_get_text(v, "message");
    r->message = (struct str){
        mem_copy(message.ptr ? message.ptr : "", message.len), message.len};
    r->position = position > 0 && position < 1 << 24 ? (int)position : 0;
    return true;
}

static bool reply_take_member(struct duckdb_reply *r)
{
    struct str key = str_of(r->key);
    json_t *v = NULL;
    struct buf text;
    /* in an array, because a scalar is no document */
    buf_init(&text, NULL);
    buf_char(&text, '[');
    buf_str(&text, buf_view(&r->member));
    buf_char(&text, ']');
    json_t *list = json_read(buf_view(&text), NULL);
    buf_done(&text);
    buf_clear(&r->member);
    v = json_array_get(list, 0);
    bool good = v != NULL;
    if (!good)
        reply_refuse(r, "it is not JSON");
    else if (str_is(key, "columns"))
        good = reply_take_columns(r, v);
    else if (str_is(key, "error") && !r->fault)
        good = reply_take_error(r, v);
    else if (str_is(key, "moreRows"))
        r->more_rows |= json_is_true(v);
    else if (str_is(key, "cutValues"))
        r->cut_values |= json_is_true(v);
    else if (str_is(key, "executionTimeMs") && json_is_number(v) &&
             json_number_value(v) >= 0 && json_number_value(v) < 1e9)
        r->elapsed_ms = (int)json_number_value(v);
    json_decref(list);
    return good;
}

/* One byte of a member. *again: the byte follows the member. */
static bool reply_member_byte(struct duckdb_reply *r, char c, bool *again)
{
    if (r->member.len >= DUCKDB_MEMBER_BYTES)
        return reply_refuse(r, "a member of it is too large");
    if (r->in_string) {
        r->in_string = r->escaped || c != '"';
        r->escaped = !r->escaped && c == '\\';
    } else if (r->depth == 0 && (c == ',' || c == '}')) {
        *again = true;
        r->state = DUCKDB_AFTER_MEMBER;
        return reply_take_member(r);
    } else {
        r->in_string = c == '"';
        r->depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        if (r->depth < 0 || r->depth > JSON_MAX_NESTING)
            return reply_refuse(r, "it is not JSON");
    }
    buf_char(&r->member, c);
    return true;
}

/* ---- cells -------------------------------------------------------------- */

enum { REPLACEMENT = 0xfffd };

/* A half of a surrogate pair without the other becomes U+FFFD. */
static void reply_flush_half(struct duckdb_reply *r)
{
    if (r->high)
        utf8_put(&r->bytes, REPLACEMENT);
    r->high = 0;
}

static void reply_put_unit(struct duckdb_reply *r, unsigned unit)
{
    bool low = unit >= 0xdc00 && unit < 0xe000;
    if (low && r->high) {
        utf8_put(&r->bytes,
                 0x10000 + ((r->high - 0xd800) << 10) + unit - 0xdc00);
        r->high = 0;
        return;
    }
    reply_flush_half(r);
    if (unit >= 0xd800 && unit < 0xdc00)
        r->high = unit;
    else
        utf8_put(&r->bytes, low || !unit ? REPLACEMENT : unit);
}

/* One byte of an escape, which begins with a backslash. */
static bool reply_escape_byte(struct duckdb_reply *r, char c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    r->escape[r->n_escape++] = c;
    if (r->n_escape == 2 && c != 'u') {
        const char *at = c ? strchr(from, c) : NULL;
        if (!at)
            return reply_refuse(r, "it is not JSON");
        reply_flush_half(r);
        buf_char(&r->bytes, to[at - from]);
        r->n_escape = 0;
    } else if (r->n_escape == 6) {
        int unit = str_hex4((struct str){r->escape + 2, 4});
        if (unit < 0)
            return reply_refuse(r, "it is not JSON");
        reply_put_unit(r, (unsigned)unit);
        r->n_escape = 0;
    }
    return true;
}

/* Values of integer types are written into JSON as they are. */
static bool is_integer(struct str s)
{
    size_t sign = s.len && s.ptr[0] == '-', digits = s.len - sign;
    if (!digits || digits > 19 || (digits > 1 && s.ptr[sign] == '0'))
        return false;
    for (size_t i = sign; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return true;
}

static bool reply_end_cell(struct duckdb_reply *r, bool null)
{
    struct str cell = {r->bytes.ptr + r->cell_at, r->bytes.len - r->cell_at};
    if (r->n_cells >= r->n_columns)
        return reply_refuse(r, "a row has too many cells");
    if (!null && r->columns[r->n_cells].is_integer && !is_integer(cell))
        return reply_refuse(r, "a cell does not have its column's type");
    if (!r->drops) {
        if (r->n_kept == r->capacity) {
            r->capacity = r->capacity ? 2 * r->capacity : 64;
            r->cells = mem_resize(r->cells, r->capacity * sizeof *r->cells);
        }
        r->cells[r->n_kept++] =
            (struct duckdb_cell){r->cell_at, cell.len, null};
    } else {
        r->bytes.len = r->cell_at;
    }
    r->n_cells++;
    r->state = DUCKDB_AFTER_CELL;
    return true;
}

/* The part of a text before a quote, an escape, or the end of the bytes. */
static size_t plain_length(const char *at, size_t n)
{
    size_t i = 0;
    while (i < n && at[i] != '"' && at[i] != '\\')
        i++;
    return i;
}

/* Takes bytes of a text; answers how many, 0: refused. */
static size_t reply_cell_bytes(struct duckdb_reply *r, const char *at, size_t n)
{
    if (r->bytes.len - r->cell_at > DUCKDB_CELL_BYTES) {
        reply_refuse(r, "a cell is too large");
        return 0;
    }
    if (r->n_escape || *at == '\\')
        return reply_escape_byte(r, *at) ? 1 : 0;
    reply_flush_half(r);
    if (*at == '"')
        return reply_end_cell(r, false) ? 1 : 0;
    size_t plain =
        plain_length(at, n < DUCKDB_CELL_BYTES ? n : DUCKDB_CELL_BYTES);
    buf_bytes(&r->bytes, at, plain);
    return plain;
}

/* ---- rows --------------------------------------------------------------- */

static void reply_begin_row(struct duckdb_reply *r)
{
    r->n_cells = 0;
    r->row_at = r->bytes.len;
    r->drops = r->n_rows >= r->max_rows || r->more_rows;
    r->state = DUCKDB_AT_CELL;
}

static void reply_hand_row(struct duckdb_reply *r)
{
    for (int i = 0; i < r->n_columns; i++)
        r->handing[i] = duckdb_reply_cell(r, (size_t)i);
    r->handed += r->bytes.len;
    r->on_row(r->who, r->handing, r->n_columns);
    r->n_kept = 0;
    buf_clear(&r->bytes);
}

static bool reply_end_row(struct duckdb_reply *r)
{
    r->state = DUCKDB_AFTER_ROW;
    if (r->n_cells != r->n_columns)
        return reply_refuse(r, "a row has too few cells");
    bool fits = r->n_rows == 0 || r->handed + r->bytes.len <= r->max_bytes;
    if (!r->drops && !fits) {
        r->n_kept -= (size_t)r->n_columns;
        r->bytes.len = r->row_at;
    }
    if (r->drops || !fits) {
        r->more_rows = true;
        return true;
    }
    r->n_rows++;
    if (r->on_row)
        reply_hand_row(r);
    return true;
}

/* ---- the machine -------------------------------------------------------- */

static bool reply_begin_value(struct duckdb_reply *r, char c, bool *again)
{
    if (strcmp(r->key, "rows") != 0) {
        *again = true;
        r->depth = 0;
        r->in_string = r->escaped = false;
        r->state = DUCKDB_IN_MEMBER;
        return true;
    }
    if (c != '[' || !r->has_columns || r->seen_rows)
        return reply_refuse(r, "its rows are no list after the columns");
    r->seen_rows = true;
    r->state = DUCKDB_AT_ROW;
    return true;
}

static bool reply_key_byte(struct duckdb_reply *r, char c)
{
    if (c == '"') {
        r->key[r->n_key] = 0;
        r->state = DUCKDB_AT_COLON;
        return true;
    }
    if (c == '\\' || r->n_key + 1 >= sizeof r->key)
        return reply_refuse(r, "it has an unknown member");
    r->key[r->n_key++] = c;
    return true;
}

static bool reply_begin_cell(struct duckdb_reply *r, char c)
{
    r->cell_at = r->bytes.len;
    r->n_escape = 0;
    r->high = 0;
    if (c == '"')
        r->state = DUCKDB_IN_CELL;
    else if (c == 'n')
        r->state = DUCKDB_IN_NULL, r->n_null = 1;
    else if (c == ']' && r->state == DUCKDB_AT_CELL)
        return reply_end_row(r);
    else
        return reply_refuse(r, "a cell is neither a text nor null");
    return true;
}

static bool reply_null_byte(struct duckdb_reply *r, char c)
{
    if (c != "null"[r->n_null++])
        return reply_refuse(r, "a cell is neither a text nor null");
    return r->n_null < 4 || reply_end_cell(r, true);
}

/* Takes `yes` to the state `to`, or `end` to the state `after`. */
static bool reply_expect(struct duckdb_reply *r, char c, char yes, int to,
                         char end, int after)
{
    if (c == yes)
        r->state = to;
    else if (c == end)
        r->state = after;
    else
        return reply_refuse(r, "it is not JSON");
    if (c == yes && to == DUCKDB_IN_KEY)
        r->n_key = 0;
    return true;
}

/* One byte; *again: it belongs to the next state. */
static bool reply_byte(struct duckdb_reply *r, char c, bool *again)
{
    bool inside = r->state == DUCKDB_IN_KEY || r->state == DUCKDB_IN_MEMBER ||
                  r->state == DUCKDB_IN_NULL;
    if (!inside && is_space(c))
        return true;
    switch (r->state) {
    case DUCKDB_AT_START:
        return reply_expect(r, c, '{', DUCKDB_AT_KEY, '{', DUCKDB_AT_KEY);
    case DUCKDB_AT_KEY:
        return reply_expect(r, c, '"', DUCKDB_IN_KEY, '}', DUCKDB_AT_END);
    case DUCKDB_AT_NEXT_KEY:
        return reply_expect(r, c, '"', DUCKDB_IN_KEY, '"', DUCKDB_IN_KEY);
    case DUCKDB_IN_KEY:
        return reply_key_byte(r, c);
    case DUCKDB_AT_COLON:
        return reply_expect(r, c, ':', DUCKDB_AT_VALUE, ':', DUCKDB_AT_VALUE);
    case DUCKDB_AT_VALUE:
        return reply_begin_value(r, c, again);
    case DUCKDB_IN_MEMBER:
        return reply_member_byte(r, c, again);
    case DUCKDB_AFTER_MEMBER:
        return reply_expect(r, c, ',', DUCKDB_AT_NEXT_KEY, '}', DUCKDB_AT_END);
    case DUCKDB_AT_ROW:
    case DUCKDB_AT_NEXT_ROW:
        if (c == ']' && r->state == DUCKDB_AT_ROW)
            r->state = DUCKDB_AFTER_MEMBER;
        else if (c == '[')
            reply_begin_row(r);
        else
            return reply_refuse(r, "a row is no list");
        return true;
    case DUCKDB_AT_CELL:
    case DUCKDB_AT_NEXT_CELL:
        return reply_begin_cell(r, c);
    case DUCKDB_IN_NULL:
        return reply_null_byte(r, c);
    case DUCKDB_AFTER_CELL:
        if (c == ']')
            return reply_end_row(r);
        return reply_expect(r, c, ',', DUCKDB_AT_NEXT_CELL, ',',
                            DUCKDB_AT_NEXT_CELL);
    case DUCKDB_AFTER_ROW:
        return reply_expect(r, c, ',', DUCKDB_AT_NEXT_ROW, ']',
                            DUCKDB_AFTER_MEMBER);
    default:
        return reply_refuse(r, "something follows it");
    }
}

bool duckdb_reply_take(struct duckdb_reply *r, struct str bytes)
{
    size_t i = 0;
    while (i < bytes.len && !r->problem) {
        if (r->state == DUCKDB_IN_CELL) {
            i += reply_cell_bytes(r, bytes.ptr + i, bytes.len - i);
            continue;
        }
        bool again = false;
        reply_byte(r, bytes.ptr[i], &again);
        i += !again;
    }
    return !r->problem;
}

bool duckdb_reply_is_whole(const struct duckdb_reply *r)
{
    return !r->problem && r->state == DUCKDB_AT_END &&
           (r->fault || (r->has_columns && r->seen_rows));
}

struct str duckdb_reply_cell(const struct duckdb_reply *r, size_t i)
{
    const struct duckdb_cell *cell = &r->cells[i];
    if (cell->null)
        return (struct str){NULL, 0};
    return cell->len ? (struct str){r->bytes.ptr + cell->at, cell->len}
                     : STR("");
}

void duckdb_reply_done(struct duckdb_reply *r)
{
    mem_free(r->columns);
    mem_free(r->handing);
    mem_free(r->cells);
    mem_free((char *)r->message.ptr);
    buf_done(&r->member);
    buf_done(&r->bytes);
    buf_done(&r->texts);
    *r = (struct duckdb_reply){.max_rows = r->max_rows,
                               .max_bytes = r->max_bytes,
                               .on_row = r->on_row,
                               .who = r->who};
}
