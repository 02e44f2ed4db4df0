/* account.c - an answer from the results alone, for plans that the analyst
 * did not make. It knows no meaning of a column, so it shows the first rows
 * of each step. */
#include "narrative.h"
#include "analyst/analyst.h"
#include "base/utf8.h"
#include "base/banned.h"

enum {
    ROWS_SHOWN = 20,
    COLUMNS_SHOWN = 12,
    CELL_CHARACTERS = 80,
    LINES_SHOWN = 20, /* of what Python printed */
    LINE_CHARACTERS = 200,
};

static void put_short(struct buf *out, struct str text, size_t most)
{
    struct str first = utf8_first(text, most);
    put_escaped(out, first);
    if (first.len < text.len)
        buf_text(out, "…");
}

static void put_cell(struct buf *out, const struct cell *cell)
{
    put_short(out, cell->null ? STR("(none)") : cell->text, CELL_CHARACTERS);
}

static void put_table(const struct data_frame *f, size_t columns,
                      struct buf *out)
{
    buf_text(out, "\n\n|");
    for (size_t c = 0; c < columns; c++) {
        buf_char(out, ' ');
        put_short(out, f->columns[c], CELL_CHARACTERS);
        buf_text(out, " |");
    }
    buf_text(out, "\n|");
    for (size_t c = 0; c < columns; c++)
        buf_text(out, "---|");
    for (size_t r = 0; r < f->n_rows && r < ROWS_SHOWN; r++) {
        buf_text(out, "\n|");
        for (size_t c = 0; c < columns; c++) {
            buf_char(out, ' ');
            put_cell(out, data_frame_cell(f, r, c));
            buf_text(out, " |");
        }
    }
}

static void tell_rows(const struct data_frame *f, struct buf *out)
{
    size_t rows = f->n_rows < ROWS_SHOWN ? f->n_rows : ROWS_SHOWN;
    size_t columns =
        f->n_columns < COLUMNS_SHOWN ? f->n_columns : COLUMNS_SHOWN;
    if (rows == 0) {
        buf_text(out, "\n\nNo row was found.");
        return;
    }
    if (f->row_count == 1 && f->n_columns == 1) {
        buf_text(out, "\n\n");
        put_short(out, f->columns[0], CELL_CHARACTERS);
        buf_text(out, ": **");
        put_cell(out, data_frame_cell(f, 0, 0));
        buf_text(out, "**");
        return;
    }
    put_table(f, columns, out);
    if (f->row_count > rows || f->truncated)
        buf_printf(out, "\n\nThese are the first %zu of %s%zu rows.", rows,
                   f->truncated ? "more than " : "", f->row_count);
    if (f->n_columns > columns)
        buf_printf(out, "\n\n%zu more columns are not shown.",
                   f->n_columns - columns);
}

/* Indents what Python printed, so that nothing in it is markup. */
static void tell_printed(struct str printed, struct buf *out)
{
    struct str line;
    printed = str_trim(printed);
    if (!printed.len)
        return;
    buf_char(out, '\n');
    for (int i = 0; i < LINES_SHOWN && str_split(&printed, '\n', &line); i++)
        buf_printf(out, "\n    %.*s",
                   STR_ARG(utf8_first(line, LINE_CHARACTERS)));
    if (printed.len)
        buf_text(out, "\n    …");
}

static void tell_step(struct arena *arena, const struct step_results *results,
                      const struct step_result *step, struct buf *out)
{
    buf_text(out, out->len ? "\n\n**" : "**");
    put_escaped(out, str_trim(step->description));
    buf_text(out, "**");
    if (step->sql_result) {
        struct data_frame frame =
            data_frame_read(arena, results, step->step_id);
        tell_rows(&frame, out);
    }
    if (step->python_result && !step->error.len)
        tell_printed(step->python_result->out, out);
    if (!step->error.len)
        return;
    buf_text(out, step->sql_result ? "\n\nIts analysis failed: "
                                   : "\n\nThis step failed: ");
    put_escaped(out, step->error);
}

struct str analyst_results_narrative(struct arena *arena,
                                     const struct analyst_findings *findings)
{
    const struct step_results *results = findings->results;
    struct buf out;
    buf_init(&out, arena);
    if (findings->cannot)
        tell_cannot(findings->cannot, &out);
    for (size_t i = 0; results && i < results->n_results; i++)
        if (!findings->cannot)
            tell_step(arena, results, &results->results[i], &out);
    if (!findings->cannot)
        tell_verification(findings->report, &out);
    buf_char(&out, '\n');
    return buf_view(&out);
}
