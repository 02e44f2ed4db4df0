/* docs_html.c - converts Markdown line by line; a blank line ends a block. */
#include "docs_html.h"
#include <stdbool.h>
#include "base/banned.h"

enum block { NO_BLOCK, PARAGRAPH, TABLE, CODE };

struct html_page {
    struct buf *out;
    enum block open;
    bool body; /* past the table's header row */
};

static const char page_head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Sextant: the API</title>\n<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
    "padding:0 1rem}\n"
    "h2{margin-top:3rem}h3{margin-top:2rem}\n"
    "code{font-size:.9em;overflow-wrap:anywhere}\n"
    "pre{overflow-x:auto;padding:1rem;border:1px solid "
    "#8888;border-radius:4px}\n"
    "pre code{overflow-wrap:normal}\n"
    "table{border-collapse:collapse;width:100%}\n"
    "th,td{border:1px solid #8888;padding:.25rem .5rem;text-align:left;"
    "vertical-align:top}\n"
    "</style>\n</head>\n<body>\n";

/* ---- inline text --------------------------------------------------------- */

static void put_html_char(struct buf *out, char c)
{
    switch (c) {
    case '<':
        buf_text(out, "&lt;");
        break;
    case '>':
        buf_text(out, "&gt;");
        break;
    case '&':
        buf_text(out, "&amp;");
        break;
    case '"':
        buf_text(out, "&quot;");
        break;
    default:
        buf_char(out, c);
    }
}

static void put_html_text(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        put_html_char(out, s.ptr[i]);
}

/* `s` begins with a backquote. Returns the length consumed; 0: not code. */
static size_t put_html_code(struct buf *out, struct str s)
{
    ptrdiff_t end = str_find_char(str_from(s, 1), '`');
    if (end < 0)
        return 0;
    buf_text(out, "<code>");
    put_html_text(out, str_cut(s, 1, (size_t)end));
    buf_text(out, "</code>");
    return (size_t)end + 2;
}

/* `s` begins with a bracket. Returns the length consumed; 0: not a link. */
static size_t put_html_link(struct buf *out, struct str s)
{
    ptrdiff_t middle = str_find(s, STR("]("));
    if (middle < 0)
        return 0;
    struct str to = str_from(s, (size_t)middle + 2);
    ptrdiff_t end = str_find_char(to, ')');
    if (end < 0)
        return 0;
    buf_text(out, "<a href=\"");
    put_html_text(out, str_cut(to, 0, (size_t)end));
    buf_text(out, "\">");
    put_html_text(out, str_cut(s, 1, (size_t)middle - 1));
    buf_text(out, "</a>");
    return (size_t)middle + 2 + (size_t)end + 1;
}

static void put_html_line(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len;) {
        char c = s.ptr[i];
        size_t taken = c == '`'   ? put_html_code(out, str_from(s, i))
                       : c == '[' ? put_html_link(out, str_from(s, i))
                                  : 0;
        if (!taken && c == '\\' && i + 1 < s.len)
            c = s.ptr[++i];
        if (!taken)
            put_html_char(out, c);
        i += taken ? taken : 1;
    }
}

/* ---- blocks -------------------------------------------------------------- */

static void close_block(struct html_page *p)
{
    static const char *const ends[] = {"", "</p>\n", "</tbody></table>\n",
                                       "</code></pre>\n"};
    buf_text(p->out, ends[p->open]);
    p->open = NO_BLOCK;
}

static void open_block(struct html_page *p, enum block block)
{
    static const char *const begins[] = {"", "<p>", "<table><thead>\n",
                                         "<pre><code>"};
    if (p->open == block)
        return;
    close_block(p);
    buf_text(p->out, begins[block]);
    p->open = block;
    p->body = false;
}

static void put_heading_id(struct buf *out, struct str title)
{
    for (size_t i = 0; i < title.len; i++) {
        char c = title.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        put_html_char(out, c == ' ' ? '-' : c);
    }
}

static void put_html_heading(struct html_page *p, struct str line)
{
    int level = 0;
    while ((size_t)level < line.len && line.ptr[level] == '#')
        level++;
    struct str title = str_trim(str_from(line, (size_t)level));
    close_block(p);
    buf_printf(p->out, "<h%d id=\"", level);
    put_heading_id(p->out, title);
    buf_text(p->out, "\">");
    put_html_line(p->out, title);
    buf_printf(p->out, "</h%d>\n", level);
}

/* Cuts off the text up to the next bar that is not escaped. */
static struct str cut_cell(struct str *row)
{
    size_t i = 0;
    while (i < row->len && row->ptr[i] != '|')
        i += row->ptr[i] == '\\' ? 2 : 1;
    i = i < row->len ? i : row->len;
    struct str cell = str_trim(str_cut(*row, 0, i));
    *row = str_from(*row, i < row->len ? i + 1 : i);
    return cell;
}

static void put_html_row(struct html_page *p, struct str line)
{
    open_block(p, TABLE);
    if (str_starts(line, STR("|---"))) {
        buf_text(p->out, "</thead><tbody>\n");
        p->body = true;
        return;
    }
    struct str row = str_from(line, 1);
    buf_text(p->out, "<tr>");
    while (row.len) {
        buf_text(p->out, p->body ? "<td>" : "<th>");
        put_html_line(p->out, cut_cell(&row));
        buf_text(p->out, p->body ? "</td>" : "</th>");
    }
    buf_text(p->out, "</tr>\n");
}

static void put_block_line(struct html_page *p, struct str line)
{
    bool fence = str_starts(line, STR("```"));
    if (fence && p->open == CODE) {
        close_block(p);
    } else if (fence) {
        open_block(p, CODE);
    } else if (p->open == CODE) {
        put_html_text(p->out, line);
        buf_char(p->out, '\n');
    } else if (!line.len) {
        close_block(p);
    } else if (line.ptr[0] == '#') {
        put_html_heading(p, line);
    } else if (line.ptr[0] == '|') {
        put_html_row(p, line);
    } else {
        open_block(p, PARAGRAPH);
        put_html_line(p->out, line);
        buf_char(p->out, '\n');
    }
}

void docs_html(struct buf *out, struct str markdown)
{
    struct html_page p = {.out = out};
    struct str line;
    buf_text(out, page_head);
    while (str_split(&markdown, '\n', &line))
        put_block_line(&p, line);
    close_block(&p);
    buf_text(out, "</body>\n</html>\n");
}
