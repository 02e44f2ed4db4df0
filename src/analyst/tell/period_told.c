/* period_told.c - the days of a period that counts from today or is open, in
 * words; the last step of a plan looks them up (sql/period_sql.c). */
#include "lookup.h"
#include "narrative.h"
#include "sql/compose.h"
#include "base/banned.h"

struct str window_days(const struct bound_query *query)
{
    const struct window *w = &query->question.window;
    struct arena *a = query->arena;
    if (!w->relative || w->relative == RELATIVE_LATEST)
        return window_words(query);
    return arena_printf(a,
                        "%.*s: %.*s, or the data's last complete one if they "
                        "end before %.*s",
                        STR_ARG(w->words),
                        STR_ARG(period_days_text(a, window_calendar(query, w))),
                        STR_ARG(period_day_text(a, window_limit(query, w))));
}

static const struct cell *cell_named(const struct data_frame *f, size_t row,
                                     const char *column)
{
    return data_frame_cell(f, row, data_frame_column(f, str_of(column)));
}

/* The window whose words the row has; NULL: none. */
static const struct window *window_said(const struct bound_query *query,
                                        struct str words)
{
    if (str_eq(query->question.window.words, words))
        return &query->question.window;
    for (size_t i = 0; i < query->n_conditions; i++)
        if (str_eq(query->conditions[i].asked->window.words, words))
            return &query->conditions[i].asked->window;
    return NULL;
}

/* Why the period is not that of the calendar, or has no rows. */
static void tell_data_end(const struct bound_query *query,
                          const struct data_frame *f, size_t row,
                          struct buf *out)
{
    struct str end = cell_named(f, row, "data_end")->text;
    struct str field = cell_named(f, row, "field")->text;
    struct str first = cell_named(f, row, "first_day")->text;
    const struct window *w =
        window_said(query, cell_named(f, row, "period")->text);
    bool moved = str_is(cell_named(f, row, "moved")->text, "true") ||
                 str_is(cell_named(f, row, "moved")->text, "t");
    if (moved && w) {
        buf_text(out, ". The data end on ");
        buf_printf(out, "%.*s (", STR_ARG(end));
        put_escaped(out, field);
        buf_printf(
            out,
            "), so this is their last complete period instead of "
            "%.*s",
            STR_ARG(period_days_text(query->arena, window_calendar(query, w))));
    } else if (str_cmp(end, first) < 0) {
        buf_printf(out, ". The data end before it, on %.*s (", STR_ARG(end));
        put_escaped(out, field);
        buf_char(out, ')');
    }
}

struct str period_problem(struct bound_query *query,
                          const struct data_frame *periods)
{
    for (size_t i = 0; i < periods->n_rows; i++) {
        struct str period = cell_named(periods, i, "period")->text;
        struct str begin = cell_named(periods, i, "data_begin")->text;
        struct str end = cell_named(periods, i, "data_end")->text;
        struct str first = cell_named(periods, i, "first_day")->text;
        struct str last = cell_named(periods, i, "last_day")->text;
        const struct window *w = window_said(query, period);
        bool before = begin.len && str_cmp(last, begin) < 0;
        bool after = end.len && str_cmp(end, first) < 0;
        if (w && window_is_closed(w) && (before || after))
            return arena_printf(
                query->arena,
                "The data %s on %.*s (%.*s), so they have no figure for “%.*s”.",
                before ? "begin" : "end", STR_ARG(before ? begin : end),
                STR_ARG(cell_named(periods, i, "field")->text),
                STR_ARG(period));
    }
    return STR("");
}

void tell_periods(const struct bound_query *query, int64_t step,
                  const struct step_results *results, struct buf *out)
{
    struct data_frame f = data_frame_read(query->arena, results, step);
    for (size_t i = 0; i < f.n_rows; i++) {
        const struct window *w =
            window_said(query, cell_named(&f, i, "period")->text);
        if (w && window_is_closed(w)) /* its days are shown with the figure */
            continue;
        const struct cell *first = cell_named(&f, i, "first_day");
        const struct cell *last = cell_named(&f, i, "last_day");
        buf_text(out, "\n\nThe period “");
        put_escaped(out, cell_named(&f, i, "period")->text);
        if (first->null || last->null || cell_named(&f, i, "data_end")->null) {
            buf_text(out, "”: ");
            put_escaped(out, cell_named(&f, i, "field")->text);
            buf_text(out, " has no date up to today");
        } else {
            buf_printf(out, "” is %.*s to %.*s", STR_ARG(first->text),
                       STR_ARG(last->text));
            tell_data_end(query, &f, i, out);
        }
        buf_char(out, '.');
    }
}
