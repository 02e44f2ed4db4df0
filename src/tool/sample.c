/* sample.c - see sample.h. */
#include "sample.h"
#include "base/one_line.h"
#include "base/banned.h"

enum {
    WINDOW_LEAST = 60,
    WINDOW_MOST = 200,
    COMPARED_COLUMNS = 32, /* more would take long and tell little */
    VARIED = 10            /* rows; the others follow as they come */
};

int sample_window(int wanted)
{
    int window = 3 * wanted < WINDOW_LEAST ? WINDOW_LEAST : 3 * wanted;
    return window > WINDOW_MOST ? WINDOW_MOST : window;
}

/* The numbers of the rows, hashed, are an order that is neither the table's nor
 * another one each time. */
struct str sample_sql(struct arena *arena, enum source_dialect dialect,
                      struct str relation, int wanted)
{
    const char *hash = dialect == DIALECT_DUCKDB ? "hash" : "hashtext";
    return arena_printf(
        arena,
        "select sample.* from (select * from %.*s as sample limit %d) as "
        "sample order by %s((row_number() over ())::text) limit %d",
        STR_ARG(relation), SAMPLE_READ, hash, sample_window(wanted));
}

static const struct str *row_of(const struct query_tool *q, int row)
{
    return &q->cells[(size_t)row * (size_t)q->n_columns];
}

static bool is_new(const struct query_tool *q, const int *chosen, int n,
                   int row, int column)
{
    struct str cell = row_of(q, row)[column];
    for (int i = 0; i < n; i++)
        if (str_eq(row_of(q, chosen[i])[column], cell))
            return false;
    return true;
}

/* The values of the row that no chosen row has. */
static int news_of(const struct query_tool *q, const int *chosen, int n,
                   int row)
{
    int news = 0;
    for (int c = 0; c < q->n_columns && c < COMPARED_COLUMNS; c++)
        news += row_of(q, row)[c].ptr && is_new(q, chosen, n, row, c);
    return news;
}

static bool is_among(const int *chosen, int n, int row)
{
    for (int i = 0; i < n; i++)
        if (chosen[i] == row)
            return true;
    return false;
}

/* The row to choose next; the first one of equals. */
static int next_row(const struct query_tool *q, const int *chosen, int n)
{
    int best = -1, most = -1;
    for (int row = 0; row < q->n_shown; row++) {
        if (is_among(chosen, n, row))
            continue;
        int news = n < VARIED ? news_of(q, chosen, n, row) : 0;
        if (news > most) {
            most = news;
            best = row;
        }
    }
    return best;
}

static void copy_row(struct arena *arena, const struct query_tool *q, int row,
                     struct str *to)
{
    for (int c = 0; c < q->n_columns; c++) {
        struct str cell = row_of(q, row)[c];
        struct buf line;
        if (!cell.ptr)
            continue; /* NULL */
        buf_init(&line, arena);
        one_line_put(&line, cell, SAMPLE_CELL);
        buf_cstr(&line);
        to[c] = buf_view(&line);
    }
}

const struct query_tool *sample_choose(struct arena *arena,
                                       const struct query_tool *q, int wanted)
{
    struct query_tool *out = arena_new(arena, struct query_tool);
    int n = q->n_shown < wanted ? q->n_shown : wanted;
    int *chosen = arena_new_array(arena, int, (size_t)n + 1);
    *out = *q;
    out->cells = arena_new_array(arena, struct str,
                                 (size_t)n * (size_t)q->n_columns + 1);
    for (int i = 0; i < n; i++) {
        chosen[i] = next_row(q, chosen, i);
        copy_row(arena, q, chosen[i],
                 &out->cells[(size_t)i * (size_t)q->n_columns]);
    }
    out->n_rows = out->n_shown = n;
    out->more_rows = false;
    return out;
}
