/* Any narrative about any rows: the check ends, its claims are parts of the
 * text in their order, and what is cut is gone. The first line of the input
 * names the columns ("city:text revenue:numeric"), those up to an empty line
 * are rows, the next is the question, and the rest is the text. */
#include "artifact/artifact.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "grounding/grounding.h"
#include <stdint.h>
#include <stdlib.h>
#include "base/banned.h"

enum { COLUMNS_MOST = 12, ROWS_MOST = 200, TODAY = 20780 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_columns(struct arena *arena, struct sql_result *out,
                         struct str line)
{
    struct str word, name;
    out->columns = arena_new_array(arena, struct str, COLUMNS_MOST);
    out->column_types = arena_new_array(arena, struct str, COLUMNS_MOST);
    while (out->n_columns < COLUMNS_MOST && str_split(&line, ' ', &word)) {
        str_split(&word, ':', &name);
        out->columns[out->n_columns] = name;
        out->column_types[out->n_columns++] = word;
    }
    out->n_column_types = out->n_columns;
}

/* Cells are texts, or, after a "=", JSON of any kind. */
static void put_row(struct buf *out, const struct sql_result *of,
                    struct str line)
{
    struct str cell;
    buf_text(out, of->row_count > 1 ? ",{" : "{");
    for (size_t i = 0; i < of->n_columns && str_split(&line, '|', &cell); i++) {
        buf_text(out, i ? "," : "");
        json_quote(out, of->columns[i]);
        buf_char(out, ':');
        if (cell.len && cell.ptr[0] == '=')
            buf_str(out, str_from(cell, 1));
        else
            json_quote(out, cell);
    }
    buf_char(out, '}');
}

static void check(struct arena *arena, const struct grounding_of *of,
                  struct str text)
{
    struct grounding found;
    size_t before = 0;
    struct grounding_walk *w = grounding_begin(arena, of, text, &found);
    while (grounding_go_on(w))
        ;
    for (size_t i = 0; i < found.n_claims; i++) {
        const struct grounding_claim *c = &found.claims[i];
        if (c->sentence_from > c->from || c->from >= c->to ||
            c->to > c->sentence_to || c->sentence_to > text.len ||
            c->sentence_from < before || !c->why)
            abort();
        before = c->sentence_from;
    }
    if (found.n_bad > found.n_claims ||
        (found.whole && (found.n_claims > 0) != (found.n_bad > 0)))
        abort();
    grounding_list(arena, text, &found);
    if (grounding_cut(arena, text, &found).len > text.len)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, line, question = STR("");
    struct sql_result result = {.sql = STR("select 1")};
    struct step_result step = {.step_id = 1, .sql_result = &result};
    struct step_results results = {&step, 1};
    struct arena arena;
    struct buf json;
    arena_init(&arena, 0);
    buf_init(&json, &arena);
    if (str_split(&text, '\n', &line))
        read_columns(&arena, &result, line);
    buf_char(&json, '[');
    while (str_split(&text, '\n', &line) && line.len)
        if (result.row_count < ROWS_MOST) {
            result.row_count++;
            put_row(&json, &result, line);
        }
    buf_char(&json, ']');
    str_split(&text, '\n', &question);
    struct str rows = buf_finish(&json);
    check(&arena,
          &(struct grounding_of){.results = &results,
                                 .full_data = &rows,
                                 .question = question,
                                 .today = TODAY},
          text);
    check(&arena,
          &(struct grounding_of){
              .question = question, .today = TODAY, .no_finding = true},
          text);
    arena_done(&arena);
    return 0;
}
