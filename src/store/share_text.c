/* share_text.c - finds tables in Markdown line by line.
 *
 *   | city   | revenue |     a line before a delimiter row begins a table
 *   |--------|--------:|
 *   | Dallas |    4.20 |     it ends at an empty line or a fence of code
 *
 * A line that begins with a bar is a row in any case. */
#include "store/share_text.h"
#include "base/buf.h"
#include "base/banned.h"

static const char gap[] = "\n*The table is not shared.*\n\n";

struct table_cut {
    struct buf out;
    bool inside;  /* a table */
    bool cut_any; /* lines were left out */
};

/* Takes the next line, without its end. */
static struct str take_line(struct str *rest)
{
    size_t n = 0;
    while (n < rest->len && rest->ptr[n] != '\n' && rest->ptr[n] != '\r')
        n++;
    struct str line = {rest->ptr, n};
    n += str_starts((struct str){rest->ptr + n, rest->len - n}, STR("\r\n"));
    n += n < rest->len;
    *rest = (struct str){rest->ptr + n, rest->len - n};
    return line;
}

static bool is_one_of(struct str line, size_t at, struct str set)
{
    return at < line.len && str_find_char(set, line.ptr[at]) >= 0;
}

/* The length of "- " or "12. " at that place, or 0. */
static size_t list_mark(struct str line, size_t at)
{
    size_t n = at;
    if (is_one_of(line, n, STR("-*+")))
        n++;
    else {
        while (is_one_of(line, n, STR("0123456789")))
            n++;
        if (n == at || !is_one_of(line, n, STR(".)")))
            return 0;
        n++;
    }
    return is_one_of(line, n, STR(" \t")) ? n - at : 0;
}

/* Without the marks of quotes and lists, in which tables may be. */
static struct str line_body(struct str line)
{
    size_t n = 0, mark;
    while ((mark = is_one_of(line, n, STR(" \t>")) ? 1 : list_mark(line, n)))
        n += mark;
    return (struct str){line.ptr + n, line.len - n};
}

/* "|---|:--:|": the line below the names of the columns. */
static bool is_delimiter(struct str line)
{
    struct str body = line_body(line);
    for (size_t i = 0; i < body.len; i++)
        if (!is_one_of(body, i, STR(" \t|:-")))
            return false;
    return str_find_char(body, '-') >= 0 &&
           (str_find_char(body, '|') >= 0 || str_find_char(body, ':') >= 0);
}

static bool is_fence(struct str line)
{
    struct str s = str_trim(line);
    return str_starts(s, STR("```")) || str_starts(s, STR("~~~"));
}

/* Whether the line is of a table. `rest` is what follows. */
static bool in_table(struct table_cut *c, struct str line, struct str rest)
{
    if (!str_trim(line).len || is_fence(line))
        c->inside = false;
    else if (str_starts(line_body(line), STR("|")) || is_delimiter(line) ||
             is_delimiter(take_line(&rest)))
        c->inside = true;
    return c->inside;
}

struct str text_without_tables(struct arena *arena, struct str text)
{
    struct table_cut c = {0};
    struct str rest = text;
    buf_init(&c.out, arena);
    while (rest.len) {
        struct str line = take_line(&rest);
        bool was_inside = c.inside;
        if (in_table(&c, line, rest)) {
            c.cut_any = true;
            if (!was_inside)
                buf_text(&c.out, gap);
            continue;
        }
        buf_str(&c.out, line);
        buf_char(&c.out, '\n');
    }
    return c.cut_any ? str_trim(buf_view(&c.out)) : text;
}
