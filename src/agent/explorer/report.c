/* report.c - writes the report of an exploration, or the prompt for it; see
 * agent/report.h. The results are read as slices of their text. */
#include "../context.h"
#include "agent/report.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "slice.h"
#include <string.h>
#include "base/banned.h"

enum {
    ITEMS = 60,
    ROWS = 20, /* of a table */
    COLUMNS = 20,
    CELL_CHARACTERS = 200,
    TEXT_CHARACTERS = 4000,
    SQL_BYTES = 8 * 1024,
    SCHEMA_BYTES = 8 * 1024,
    SUMMARY_BYTES = 8 * 1024,
    FINDINGS_BYTES = 8 * 1024,
    QUERIES_BYTES = 48 * 1024,
    CHARTS_BYTES = 8 * 1024,
};

/* Moves to the next element of `list`, up to ITEMS of them. */
struct report_items {
    struct scan scan;
    int n;
    bool open;
};

static struct report_items items_of(struct str list)
{
    struct report_items it = {.scan = scan_of(list)};
    it.open = slice_kind(list) == '[' && scan_array(&it.scan);
    return it;
}

static bool next_item(struct report_items *it, struct str *item)
{
    if (!it->open || it->n++ == ITEMS || !scan_element(&it->scan))
        return false;
    *item = scan_skip(&it->scan);
    return true;
}

/* ---- the prompt --------------------------------------------------------- */

static struct str list_text(struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct buf out;
    struct str item;
    buf_init(&out, a);
    while (next_item(&it, &item)) {
        struct str text = slice_text(a, item);
        if (text.len)
            buf_printf(&out, "- %.*s\n", STR_ARG(text));
    }
    return buf_view(&out);
}

static struct str queries_text(struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct buf out;
    struct str item;
    buf_init(&out, a);
    while (next_item(&it, &item)) {
        struct str result = slice_get(item, "result");
        buf_printf(
            &out, "Reason: %.*s\nSQL: %.*s\nColumns: %.*s\nRows: %.*s\n\n",
            STR_ARG(slice_get_text(a, item, "reason")),
            STR_ARG(utf8_cut(slice_get_text(a, item, "query"), SQL_BYTES)),
            STR_ARG(slice_get(result, "columns")),
            STR_ARG(slice_get(result, "rows")));
    }
    return buf_view(&out);
}

static struct str charts_text(struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct buf out;
    struct str item;
    buf_init(&out, a);
    while (next_item(&it, &item))
        buf_printf(
            &out, "- %.*s (%.*s): %.*s\n",
            STR_ARG(slice_get_text(a, item, "title")),
            STR_ARG(slice_get_text(a, item, "chartType")),
            STR_ARG(utf8_cut(slice_get_text(a, item, "sqlQuery"), SQL_BYTES)));
    return buf_view(&out);
}

struct llm_message *report_prompt(struct arena *a,
                                  const struct report_input *in)
{
    struct str r = in->results;
    const struct prompt_hole holes[] = {
        {"question", in->question, 0},
        {"schema", in->schema, SCHEMA_BYTES},
        {"summary", context_lines(a, slice_get_text(a, r, "summary")),
         SUMMARY_BYTES},
        {"findings", context_lines(a, list_text(a, slice_get(r, "insights"))),
         FINDINGS_BYTES},
        {"queries",
         context_lines(a, queries_text(a, slice_get(r, "executedQueries"))),
         QUERIES_BYTES},
        {"charts", context_lines(a, charts_text(a, slice_get(r, "charts"))),
         CHARTS_BYTES},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "report", holes);
}

/* ---- by code ------------------------------------------------------------ */

/* One line of plain text: nothing in it is Markdown. */
static void put_plain(struct buf *out, struct arena *a, struct str text,
                      size_t most)
{
    struct buf plain;
    buf_init(&plain, a);
    utf8_put_plain(&plain, utf8_first(text, most));
    struct str s = buf_view(&plain);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
        if (c && strchr("\\`*_{}[]<>()#+!|~&$", c))
            buf_char(out, '\\');
        buf_char(out, c);
    }
}

/* A cell: the text of a string, or the JSON text. */
static void put_cell(struct buf *out, struct arena *a, struct str cell)
{
    struct str text = slice_kind(cell) == '"' ? slice_text(a, cell)
                      : str_is(cell, "null")  ? STR("")
                                              : cell;
    buf_char(out, ' ');
    put_plain(out, a, text, CELL_CHARACTERS);
    buf_text(out, " |");
}

/* Returns how many cells there are. */
static int put_table_row(struct buf *out, struct arena *a, struct str row)
{
    struct scan s = scan_of(row);
    int n = 0;
    if (slice_kind(row) != '[' || !scan_array(&s))
        return 0;
    buf_char(out, '|');
    while (n < COLUMNS && scan_element(&s)) {
        put_cell(out, a, scan_skip(&s));
        n++;
    }
    buf_char(out, '\n');
    return n;
}

static void put_table(struct buf *out, struct arena *a, struct str result)
{
    struct report_items it = items_of(slice_get(result, "rows"));
    struct str row, columns = slice_get(result, "columns");
    if (!slice_count(columns) || !slice_count(slice_get(result, "rows")))
        return;
    int n = put_table_row(out, a, columns);
    buf_char(out, '|');
    for (int i = 0; i < n; i++)
        buf_text(out, "---|");
    buf_char(out, '\n');
    for (int i = 0; i < ROWS && next_item(&it, &row); i++)
        put_table_row(out, a, row);
    buf_char(out, '\n');
}

/* A block of code by indentation, which no text can end. */
static void put_code(struct buf *out, struct arena *a, struct str sql)
{
    struct buf plain;
    struct str line, rest;
    buf_init(&plain, a);
    utf8_put_plain(&plain, utf8_cut(sql, SQL_BYTES));
    rest = buf_view(&plain);
    while (str_split(&rest, '\n', &line))
        buf_printf(out, "    %.*s\n", STR_ARG(line));
    buf_char(out, '\n');
}

static void put_paragraph(struct buf *out, struct arena *a, struct str text)
{
    put_plain(out, a, text, TEXT_CHARACTERS);
    buf_text(out, "\n\n");
}

static void put_findings(struct buf *out, struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct str item;
    buf_text(out, "## Findings\n\n");
    if (!slice_count(list))
        buf_text(out, "No single findings were noted.\n");
    while (next_item(&it, &item)) {
        buf_text(out, "- ");
        put_plain(out, a, slice_text(a, item), TEXT_CHARACTERS);
        buf_char(out, '\n');
    }
    buf_char(out, '\n');
}

static void put_queries(struct buf *out, struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct str item;
    if (slice_count(list))
        buf_text(out, "## Data\n\n");
    while (next_item(&it, &item)) {
        struct str reason = slice_get_text(a, item, "reason");
        buf_text(out, "### ");
        put_paragraph(out, a, reason.len ? reason : STR("Query"));
        put_table(out, a, slice_get(item, "result"));
        put_code(out, a, slice_get_text(a, item, "query"));
    }
}

static void put_charts(struct buf *out, struct arena *a, struct str list)
{
    struct report_items it = items_of(list);
    struct str item;
    if (slice_count(list))
        buf_text(out, "## Charts\n\n");
    while (next_item(&it, &item)) {
        buf_text(out, "- ");
        put_plain(out, a, slice_get_text(a, item, "title"), TEXT_CHARACTERS);
        buf_char(out, '\n');
    }
    if (slice_count(list))
        buf_char(out, '\n');
}

struct str report_by_code(struct arena *a, const struct report_input *in)
{
    struct str r = in->results, summary = slice_get_text(a, r, "summary");
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "# Report: ");
    put_paragraph(&out, a, in->question);
    buf_text(&out, "## Executive summary\n\n");
    put_paragraph(&out, a,
                  summary.len ? summary
                              : STR("The exploration left no "
                                    "summary."));
    put_findings(&out, a, slice_get(r, "insights"));
    put_charts(&out, a, slice_get(r, "charts"));
    put_queries(&out, a, slice_get(r, "executedQueries"));
    buf_printf(
        &out,
        "## Limits\n\nThis report was put together from the results of "
        "%zu queries, without a language model. It repeats what they "
        "returned; rows beyond the first %d of a result are not shown.\n",
        slice_count(slice_get(r, "executedQueries")), ROWS);
    return buf_finish(&out);
}
