/* query_json.c - the rows of a query as JSON text. Encodes a slice in each turn
 * of the loop, so that a large result does not block others.
 *
 *   query_json_begin   prepares the keys
 *   rows_measure_on    computes the size of the text, slice by slice
 *   rows_encode_on     writes the text, slice by slice */
#include "tool/tool.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* In one turn. */
enum { MEASURED_BYTES = 1024 * 1024, ENCODED_BYTES = 512 * 1024 };

static struct next rows_measure_on(struct flow *f),
    rows_encode_on(struct flow *f);

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_LARGE, CELL_REAL, CELL_BOOL };

static enum cell_kind cell_kind_of(struct str type)
{
    static const struct {
        const char *type;
        enum cell_kind kind;
    } kinds[] = {{"int2", CELL_NUMBER},
                 {"smallint", CELL_NUMBER},
                 {"int4", CELL_NUMBER},
                 {"integer", CELL_NUMBER},
                 {"oid", CELL_NUMBER},
                 {"int8", CELL_LARGE},
                 {"bigint", CELL_LARGE},
                 {"float4", CELL_REAL},
                 {"real", CELL_REAL},
                 {"float8", CELL_REAL},
                 {"bool", CELL_BOOL},
                 {"boolean", CELL_BOOL},
                 {"double precision", CELL_REAL}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_is(type, kinds[i].type))
            return kinds[i].kind;
    return CELL_TEXT;
}

static bool beyond_double(struct str digits)
{
    int64_t n;
    return !str_to_int64(digits, &n) || n > (1LL << 53) || n < -(1LL << 53);
}

static double cell_real(struct str cell)
{
    char text[64]; /* PostgreSQL's are shorter */
    str_copy(text, sizeof text, cell);
    return strtod(text, NULL);
}

static void put_json_cell(struct json_writer *w, enum cell_kind kind,
                          struct str cell)
{
    if (!cell.ptr)
        json_put_null(w);
    else if (kind == CELL_BOOL)
        json_put_bool(w, cell.len && cell.ptr[0] == 't');
    else if (kind == CELL_REAL)
        json_put_real(w, cell_real(cell)); /* NaN becomes null */
    else if (kind == CELL_NUMBER ||
             (kind == CELL_LARGE && !beyond_double(cell)))
        json_put_raw(w, cell);
    else
        json_put_str(w, cell);
}

/* A column, with its key as it is written before each value. */
struct json_column {
    struct str key; /* with its colon */
    enum cell_kind kind;
};

static struct json_column *json_columns(struct arena *arena,
                                        const struct query_tool *q)
{
    struct json_column *columns =
        arena_new_array(arena, struct json_column, (size_t)q->n_columns + 1);
    for (int c = 0; c < q->n_columns; c++) {
        struct buf key;
        buf_init(&key, arena);
        json_quote(&key, q->columns[c].name);
        buf_char(&key, ':');
        columns[c] = (struct json_column){buf_finish(&key),
                                          cell_kind_of(q->columns[c].type)};
    }
    return columns;
}

/* ---- the size ----------------------------------------------------------- */

struct rows_encoding {
    struct buf out;
    struct json_writer w;
    const struct json_column *columns;
    int row;
    size_t size, longest; /* upper bound of the text; the longest cell */
    size_t first;         /* bytes of the first rows */
};

/* How many bytes escapes add to s. */
static size_t escape_bytes(struct str s)
{
    static const unsigned char more[256] = {
        [0 ... 0x08] = 5,    ['\t'] = 1, ['\n'] = 1,
        [0x0b ... 0x0c] = 5, ['\r'] = 1, [0x0e ... 0x1f] = 5,
        ['"'] = 1,           ['\\'] = 1, [0x7f] = 5};
    size_t sum = 0;
    for (size_t i = 0; i < s.len; i++)
        sum += more[(unsigned char)s.ptr[i]];
    return sum;
}

/* Adds the size of a row; returns the bytes of cells that were read. */
static size_t measure_row(struct rows_encoding *e, const struct query_tool *q)
{
    enum { LEAST = 24 }; /* a double with all its digits */
    size_t columns = (size_t)q->n_columns, seen = 0;
    for (size_t c = 0; c < columns; c++) {
        struct str cell = read_cell(q->read, (size_t)e->row * columns + c);
        size_t len = cell.len + 2 + escape_bytes(cell);
        e->size += e->columns[c].key.len + 1 + (len > LEAST ? len : LEAST);
        e->longest = cell.len > e->longest ? cell.len : e->longest;
        seen += cell.len + 1;
    }
    e->size += 3;
    e->row++;
    return seen;
}

struct next query_json_begin(struct flow *f)
{
    struct query_tool *q = locals(f, struct query_tool);
    struct rows_encoding *e = q->encoding = here(f, struct rows_encoding);
    *e = (struct rows_encoding){.columns = json_columns(flow_here(f), q)};
    return go(f, rows_measure_on);
}

/* The buffer gets all its room at once, because in an arena growing leaves
 * copies behind. json_quote reserves a sixteenth more than a cell has. */
static struct next rows_measure_on(struct flow *f)
{
    struct query_tool *q = locals(f, struct query_tool);
    struct rows_encoding *e = q->encoding;
    size_t seen = 0;
    while (e->row < q->n_rows && seen < MEASURED_BYTES)
        seen += measure_row(e, q);
    if (e->row < q->n_rows)
        return await(f, rows_measure_on); /* in the next turn */
    e->row = 0;
    buf_init(&e->out, q->json_memory);
    buf_reserve(&e->out, e->size + e->longest / 16 + 64);
    json_writer_init(&e->w, &e->out);
    json_put_array(&e->w);
    e->first = e->out.len; /* no rows yet */
    return go(f, rows_encode_on);
}

/* ---- the text ----------------------------------------------------------- */

static void put_json_row(struct rows_encoding *e, const struct query_tool *q)
{
    struct json_writer *w = &e->w;
    size_t columns = (size_t)q->n_columns;
    json_put_object(w);
    for (size_t c = 0; c < columns; c++) {
        json_put_raw(w, e->columns[c].key);
        w->comma = false; /* a value follows */
        put_json_cell(w, e->columns[c].kind,
                      read_cell(q->read, (size_t)e->row * columns + c));
    }
    json_put_object_end(w);
    e->row++;
    if (e->row == 1 ||
        (e->row <= QUERY_FIRST_ROWS && e->out.len <= QUERY_FIRST_BYTES))
        e->first = e->out.len;
}

/* The first rows: a prefix of the whole text, and a bracket. */
static struct str first_rows(const struct query_tool *q, size_t len)
{
    struct buf out;
    if (len + 1 >= q->json.len)
        return q->json;
    buf_init(&out, q->json_memory);
    buf_reserve(&out, len + 1);
    buf_str(&out, str_cut(q->json, 0, len));
    buf_char(&out, ']');
    return buf_finish(&out);
}

static struct next rows_encode_on(struct flow *f)
{
    struct query_tool *q = locals(f, struct query_tool);
    struct rows_encoding *e = q->encoding;
    size_t most = e->out.len + ENCODED_BYTES;
    while (e->row < q->n_rows && e->out.len < most)
        put_json_row(e, q);
    if (e->row < q->n_rows)
        return await(f, rows_encode_on); /* in the next turn */
    json_put_array_end(&e->w);
    q->json = buf_finish(&e->out);
    q->json_first = first_rows(q, e->first);
    return back(f);
}
