/* question_set.c - writes a set of questions; see ontology/question_set.h. */
#include "ontology/question_set.h"
#include "base/json.h"
#include "base/utf8.h"
#include <stdio.h>
#include "base/banned.h"

/* A text in quotes. YAML reads those of JSON, if terminal controls are
 * escaped. */
static void put_quoted(struct buf *out, const char *key, struct str text)
{
    struct buf quoted;
    buf_init(&quoted, NULL);
    json_quote(&quoted, text);
    buf_text(out, key);
    utf8_put_json(out, buf_view(&quoted));
    buf_char(out, '\n');
    buf_done(&quoted);
}

void question_set_begin(struct buf *out, struct str name, struct str ontology)
{
    put_quoted(out, "name: ", name);
    put_quoted(out, "ontology: ", ontology);
    buf_text(out, "questions:\n");
}

/* As it is, line by line: a block keeps every character. */
static void put_sql(struct buf *out, struct str sql)
{
    struct str line;
    buf_text(out, "    sql: |-\n");
    while (str_split(&sql, '\n', &line)) {
        if (line.len)
            buf_printf(out, "      %.*s", STR_ARG(line));
        buf_char(out, '\n');
    }
}

void question_set_add(struct buf *out, const struct question_set_item *item)
{
    put_quoted(out, "  - id: ", item->id);
    put_quoted(out, "    question: ", item->question);
    put_quoted(out, "    category: ", item->category);
    if (item->asked.len)
        put_quoted(out, "    asked: ", item->asked);
    put_sql(out, item->sql);
}

void question_set_day(struct str period, char out[11])
{
    int quarter =
        period.len == 7 && period.ptr[5] == 'Q' ? period.ptr[6] - '0' : 0;
    struct str year = str_cut(period, 0, 4);
    if (quarter)
        snprintf(out, 11, "%.*s-%02u-01", STR_ARG(year),
                 (unsigned)(quarter - 1) % 4 * 3 + 1);
    else
        snprintf(out, 11, "%.*s%s", STR_ARG(period),
                 period.len == 4   ? "-01-01"
                 : period.len == 7 ? "-01"
                                   : "");
}
