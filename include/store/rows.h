/* rows.h - rows of queries as structs with named fields.
 *
 * The columns of a query are one list. The select list of the SQL, the struct,
 * and the code that fills it are expanded from it, so they cannot disagree:
 *
 *     #define OWNER_ROW(FIRST, X) \
 *         FIRST(uuid, id, "u.id", "id") \
 *         X(text, email, "u.email", "email") \
 *         X(boolean, admin, "'admin' = any (u.roles)")
 *     ROW_STRUCT(owner_row, OWNER_ROW);
 *
 *     #define OWNER_COLUMNS ROW_SQL(OWNER_ROW)
 *     .sql = "select " OWNER_COLUMNS " from users u where …"
 *
 *     struct owner_row row = owner_row_at(query, 0);
 *     ROW_WRITE(OWNER_ROW, w, &row);   // "id" and "email" as JSON
 *
 * (SQL text uses no macros with parameters: clang-format breaks lines in them.)
 *
 * An entry is (type, field, SQL[, JSON name]). FIRST is the first column: it
 * has no comma before it. A select list that follows by hand, in a union, has
 * to have the same order.
 *
 * A query may also fill the fields of a struct that exists already; the
 * compiler checks the names:
 *
 *     ROW_READ(OWNER_ROW, o, row_copies(query, 0, flow_keep(f)));
 *
 * Types, and what SQL's NULL becomes:
 *
 *     text, uuid, time   struct str; NULL: ptr is NULL, len is 0
 *     json               the same; written to JSON as it is
 *     hex                bytes as hexadecimal digits (SQL: encode(…, 'hex'))
 *     int32, int64       int, int64_t; NULL: 0
 *     real               double; NULL: 0
 *     boolean            bool; NULL: false
 *
 * A file may add a type of its own, for the words of an enum say, by defining
 * `row_<type>` (and ROW_C_<type>, when it uses ROW_STRUCT). */
#pragma once
#include "base/json.h"
#include "db/query.h"

/* ---- the expansions of a list ------------------------------------------- */

/* The select list: string literals. */
#define ROW_SQL(COLUMNS) COLUMNS(ROW_SQL_FIRST, ROW_SQL_NEXT)
#define ROW_SQL_FIRST(type, field, ...) ROW_ARG_1(__VA_ARGS__, 0)
#define ROW_SQL_NEXT(type, field, ...) ", " ROW_ARG_1(__VA_ARGS__, 0)

/* `struct tag`, and `struct tag tag_at(query, row)`, whose texts are slices of
 * the query's result. */
#define ROW_STRUCT(tag, COLUMNS) \
    struct tag { \
        COLUMNS(ROW_FIELD, ROW_FIELD) \
    }; \
    __attribute__((unused)) static struct tag tag##_at(const struct query *q, \
                                                       int row) \
    { \
        struct tag value; \
        ROW_READ(COLUMNS, &value, row_slices(q, row)); \
        return value; \
    } \
    struct tag

/* Fills *out, which has the list's fields, from where the cursor is. */
#define ROW_READ(COLUMNS, out, cursor) \
    do { \
        __typeof__(out) row_out = (out); \
        struct row_cursor row_from = (cursor); \
        COLUMNS(ROW_ASSIGN, ROW_ASSIGN) \
        row_end(&row_from); \
    } while (0)

/* The only cell of a row: ROW_VALUE(boolean, row_slices(q, 0)). */
#define ROW_VALUE(type, cursor) row_##type((struct row_cursor[]){cursor})

/* The fields that have a JSON name, as members of the object that is open. */
#define ROW_WRITE(COLUMNS, writer, value) \
    do { \
        struct json_writer *row_to = (writer); \
        __typeof__(value) row_value = (value); \
        COLUMNS(ROW_PUT, ROW_PUT) \
    } while (0)

#define ROW_FIELD(type, field, ...) ROW_C_##type field;
#define ROW_ASSIGN(type, field, ...) row_out->field = row_##type(&row_from);
#define ROW_PUT(type, field, ...) \
    row_put_##type(row_to, ROW_ARG_2(__VA_ARGS__, NULL, 0), row_value->field);
#define ROW_ARG_1(one, ...) one
#define ROW_ARG_2(one, two, ...) two

#define ROW_C_text struct str
#define ROW_C_uuid struct str
#define ROW_C_time struct str
#define ROW_C_json struct str
#define ROW_C_hex struct str
#define ROW_C_int32 int
#define ROW_C_int64 int64_t
#define ROW_C_real double
#define ROW_C_boolean bool

/* ---- what the expansions call ------------------------------------------- */

/* Takes the cells of one row in the order of its columns. */
struct row_cursor {
    const PGresult *result;
    int row, column;
    struct arena *memory; /* of texts; NULL: slices of the result */
};
/* Texts live as long as the query's result. */
struct row_cursor row_slices(const struct query *q, int row);
/* Texts are copied into `memory` and end with a NUL; NULL becomes "". */
struct row_cursor row_copies(const struct query *q, int row,
                             struct arena *memory);
/* Asserts that the list has as many columns as the result. */
void row_end(const struct row_cursor *at);

struct str row_text(struct row_cursor *at);
int row_int32(struct row_cursor *at);
int64_t row_int64(struct row_cursor *at);
double row_real(struct row_cursor *at);
bool row_boolean(struct row_cursor *at);
#define row_uuid row_text
#define row_time row_text
#define row_json row_text
#define row_hex row_text

/* A member of a JSON object; key NULL: none. A str without ptr becomes null. */
void row_put_text(struct json_writer *w, const char *key, struct str value);
void row_put_json(struct json_writer *w, const char *key, struct str value);
void row_put_int64(struct json_writer *w, const char *key, int64_t value);
void row_put_boolean(struct json_writer *w, const char *key, bool value);
#define row_put_uuid row_put_text
#define row_put_time row_put_text
#define row_put_hex row_put_text
#define row_put_int32 row_put_int64

/* ---- queries ------------------------------------------------------------ */

/* Moves the result of an answered query into the flow's keep: its slices live
 * until the flow ends. */
struct query *rows_keep(struct flow *f, struct query *q);
/* The same for a page. `id`, of its first row: empty when the page is past the
 * end and the row has only the total; then n_rows becomes 0. */
struct query *rows_keep_page(struct flow *f, struct query *q, struct str id);
/* The parameters LIMIT and OFFSET of a page; pages count from 1. */
void query_page(struct flow *f, struct query *q, int page, int page_size);
/* The step after a query that gives no rows. */
struct next row_none(struct flow *f);
