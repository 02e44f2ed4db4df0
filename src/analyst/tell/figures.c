/* figures.c - the figures of an answer: the sentence that answers, the
 * table, and what stands out (totals, ties, extremes). */
#include "narrative.h"
#include "sql/compose.h"
#include "base/banned.h"

enum { TABLE_ROWS = 20 };

/* ---- cells -------------------------------------------------------------- */

size_t figures_column(const struct narrative *s, size_t measure)
{
    return data_frame_column(&s->frame, query_output(s->query, measure));
}

static struct str measure_words(const struct narrative *s)
{
    struct str words = s->query->measures[0].formula.words;
    if (!s->query->question.share)
        return words;
    return arena_printf(s->arena, "share of %.*s in percent", STR_ARG(words));
}

static struct str value_text(const struct narrative *s, size_t row)
{
    const struct cell *cell =
        data_frame_cell(&s->frame, row, figures_column(s, 0));
    return s->query->measures[0].when ? group_text(s->arena, cell, UNIT_DAY)
                                      : number_text(s->arena, cell);
}

static bool figure_at(const struct narrative *s, size_t row, double *number)
{
    return cell_number(data_frame_cell(&s->frame, row, figures_column(s, 0)),
                       number);
}

static void put_group(const struct narrative *s, struct buf *out, size_t row,
                      const struct dimension *d)
{
    size_t column = data_frame_column(&s->frame, d->name);
    buf_text(out, out->len ? ", " : "");
    put_escaped(out,
                group_text(s->arena, data_frame_cell(&s->frame, row, column),
                           d->grain));
}

/* "Houston, 2025-07" */
static struct str group_at(const struct narrative *s, size_t row)
{
    struct buf out;
    buf_init(&out, s->arena);
    for (size_t i = 0; i < s->query->n_dimensions; i++)
        if (!s->query->dimensions[i].beside)
            put_group(s, &out, row, &s->query->dimensions[i]);
    return buf_view(&out);
}

/* Of a top n within groups: the ranked part of the row's group, or the
 * rest. */
static struct str part_at(const struct narrative *s, size_t row, bool ranked)
{
    struct buf out;
    buf_init(&out, s->arena);
    for (size_t i = 0; i < s->query->n_dimensions; i++)
        if (s->query->dimensions[i].ranked == ranked &&
            !s->query->dimensions[i].beside)
            put_group(s, &out, row, &s->query->dimensions[i]);
    return buf_view(&out);
}

struct str figures_scope(const struct narrative *s)
{
    struct bound_query *query = s->query;
    struct str window = window_words(query);
    struct buf out;
    buf_init(&out, s->arena);
    for (size_t i = 0; i < query->n_conditions; i++) {
        struct str words = condition_words(query, i);
        bool with = str_starts(words, STR("with"));
        buf_text(&out, i ? ", " : with ? " " : " where ");
        put_escaped(&out, words);
    }
    if (window.len)
        buf_printf(&out, " (%.*s)", STR_ARG(window));
    return buf_view(&out);
}

/* ---- the first sentence ------------------------------------------------- */

/* An average over those that have any row, and over all of them. */
static void tell_over(const struct narrative *s)
{
    const struct data_frame *f = &s->over;
    const struct cell *average =
        data_frame_cell(f, 0, data_frame_column(f, STR("over_all")));
    const struct cell *all =
        data_frame_cell(f, 0, data_frame_column(f, STR("of_all")));
    const struct cell *these =
        data_frame_cell(f, 0, data_frame_column(f, STR("of_these")));
    double n, of_all, of_these;
    if (!s->ids.over || !cell_number(average, &n) ||
        !cell_number(all, &of_all) || !cell_number(these, &of_these) ||
        of_all <= of_these)
        return;
    buf_printf(s->out,
               " That is over the %.*s %.*s that have any; over all %.*s of "
               "them, it is **%.*s**.",
               STR_ARG(number_text(s->arena, these)),
               STR_ARG(spoken(
                   s->arena, s->query->o->datasets[query_over(s->query)].name)),
               STR_ARG(number_text(s->arena, all)),
               STR_ARG(number_text(s->arena, average)));
}

static void tell_one(const struct narrative *s)
{
    buf_printf(s->out, "%.*s%.*s is **%.*s**.",
               STR_ARG(capitalized(s->arena, measure_words(s))),
               STR_ARG(figures_scope(s)), STR_ARG(value_text(s, 0)));
    tell_over(s);
}

/* "The highest revenue for each region: **West**: Tablet with **12**; …":
 * the first row of the first three groups. Rows are sorted by group. */
static void tell_parted(const struct narrative *s)
{
    enum { GROUPS_TOLD = 3 };
    struct str group = STR("");
    size_t told = 0;
    buf_printf(s->out, "The %.*s%.*s for each %.*s:",
               STR_ARG(ranked_words(s->query, measure_words(s))),
               STR_ARG(figures_scope(s)), STR_ARG(groups_words(s->query)));
    for (size_t i = 0; i < s->frame.n_rows && told <= GROUPS_TOLD; i++) {
        struct str next = part_at(s, i, false);
        if (told && str_eq(next, group))
            continue;
        if (told < GROUPS_TOLD)
            buf_printf(s->out, "%s **%.*s**: %.*s with **%.*s**",
                       told ? ";" : "", STR_ARG(next),
                       STR_ARG(part_at(s, i, true)), STR_ARG(value_text(s, i)));
        group = next;
        told++;
    }
    buf_text(s->out, told > GROUPS_TOLD ? "; …" : ".");
}

/* How many more groups equal the last one shown; NULL: none. */
static const struct cell *ties_of(const struct narrative *s)
{
    size_t column = data_frame_column(&s->ties, STR("ties"));
    const struct cell *cell = data_frame_cell(&s->ties, 0, column);
    double n;
    return cell_number(cell, &n) && n > 0 ? cell : NULL;
}

/* One of several that are equal does not have the highest figure alone. */
static void tell_first_of_all(const struct narrative *s)
{
    const struct cell *ties = ties_of(s);
    buf_printf(s->out, "**%.*s**", STR_ARG(group_at(s, 0)));
    if (ties)
        buf_printf(s->out, " and %.*s more share",
                   STR_ARG(number_text(s->arena, ties)));
    else
        buf_text(s->out, " has");
    buf_printf(s->out, " the %.*s%.*s: **%.*s**.",
               STR_ARG(ranked_words(s->query, measure_words(s))),
               STR_ARG(figures_scope(s)), STR_ARG(value_text(s, 0)));
}

static void tell_top(const struct narrative *s)
{
    const struct top *top = &s->query->question.top;
    if (query_is_parted(s->query)) {
        tell_parted(s);
        return;
    }
    if (top->n == 1 && s->frame.n_rows == 1) {
        tell_first_of_all(s);
        return;
    }
    buf_printf(s->out, "The %.*s%.*s: **%.*s** with **%.*s**",
               STR_ARG(ranked_words(s->query, measure_words(s))),
               STR_ARG(figures_scope(s)), STR_ARG(group_at(s, 0)),
               STR_ARG(value_text(s, 0)));
    for (size_t i = 1; i < s->frame.n_rows && i < 3; i++)
        buf_printf(s->out, ", then %.*s (%.*s)", STR_ARG(group_at(s, i)),
                   STR_ARG(value_text(s, i)));
    buf_char(s->out, '.');
}

/* The last row that has a date: those without one come after it. */
static size_t last_dated(const struct narrative *s)
{
    size_t end = s->frame.n_rows - 1;
    while (end && str_is(group_at(s, end), "(none)"))
        end--;
    return end;
}

static void tell_change(const struct narrative *s)
{
    double first, last;
    size_t end = last_dated(s);
    buf_printf(s->out,
               "%.*s%.*s went from **%.*s** in %.*s to **%.*s** in %.*s",
               STR_ARG(capitalized(s->arena, measure_words(s))),
               STR_ARG(figures_scope(s)), STR_ARG(value_text(s, 0)),
               STR_ARG(group_at(s, 0)), STR_ARG(value_text(s, end)),
               STR_ARG(group_at(s, end)));
    if (figure_at(s, 0, &first) && figure_at(s, end, &last) && first > 0)
        buf_printf(
            s->out, " (%.*s)",
            STR_ARG(percent_text(s->arena, (last / first - 1) * 100, true)));
    buf_char(s->out, '.');
}

/* The row belongs to none of a dimension's groups. */
static bool is_of_none(const struct narrative *s, size_t row)
{
    for (size_t i = 0; i < s->query->n_dimensions; i++) {
        size_t column =
            data_frame_column(&s->frame, s->query->dimensions[i].name);
        if (!s->query->dimensions[i].beside &&
            data_frame_cell(&s->frame, row, column)->null)
            return true;
    }
    return false;
}

/* The rows with the largest and the smallest number, of those in groups or of
 * those in none; false: there is none. */
static bool find_extremes(const struct narrative *s, bool of_none,
                          size_t *largest, size_t *smallest)
{
    double number, most = 0, least = 0;
    bool any = false;
    for (size_t i = 0; i < s->frame.n_rows; i++) {
        if (is_of_none(s, i) != of_none || !figure_at(s, i, &number))
            continue;
        if (!any || number > most) {
            most = number;
            *largest = i;
        }
        if (!any || number < least) {
            least = number;
            *smallest = i;
        }
        any = true;
    }
    return any;
}

static bool total_of_first(const struct narrative *s, double *total,
                           struct str *text)
{
    size_t column =
        data_frame_column(&s->total, s->query->measures[0].formula.name);
    const struct cell *cell = data_frame_cell(&s->total, 0, column);
    if (!s->query->measures[0].adds || !cell_number(cell, total))
        return false;
    *text = number_text(s->arena, cell);
    return true;
}

static void put_share(const struct narrative *s, size_t row)
{
    double total, number;
    struct str text;
    if (total_of_first(s, &total, &text) && total > 0 &&
        figure_at(s, row, &number) && number >= 0)
        buf_printf(
            s->out, " (%.*s of the total)",
            STR_ARG(percent_text(s->arena, number / total * 100, false)));
}

/* What is in no group is not the first of the groups, and not kept from the
 * reader. */
static void tell_none(const struct narrative *s, size_t largest,
                      size_t smallest)
{
    size_t high = 0, low = 0;
    double most, least, above, below;
    if (!find_extremes(s, true, &high, &low) || !figure_at(s, largest, &most) ||
        !figure_at(s, smallest, &least) || !figure_at(s, high, &above) ||
        !figure_at(s, low, &below) || (above <= most && below >= least))
        return;
    bool higher = above > most;
    buf_printf(s->out, " For rows without one%s it is %s, %.*s.",
               query_groups(s->query) > 1 ? " of these" : "",
               higher ? "higher" : "lower",
               STR_ARG(value_text(s, higher ? high : low)));
}

/* Rows are missing that may have the lowest figure, or the last day. */
static bool is_partial(const struct narrative *s)
{
    return s->frame.truncated || s->frame.n_rows < s->frame.row_count;
}

/* How many other groups have the same figure as that of the row. */
static size_t others_like(const struct narrative *s, size_t row)
{
    double number, figure;
    size_t n = 0;
    if (!figure_at(s, row, &figure))
        return 0;
    for (size_t i = 0; i < s->frame.n_rows; i++)
        n += i != row && is_of_none(s, i) == is_of_none(s, row) &&
             figure_at(s, i, &number) && number == figure;
    return n;
}

/* "**Oslo** has", "**Oslo** and 2 more share" */
static void put_first_of(const struct narrative *s, size_t row,
                         const char *emphasis)
{
    size_t others = others_like(s, row);
    buf_printf(s->out, "%s%.*s%s", emphasis, STR_ARG(group_at(s, row)),
               emphasis);
    if (others)
        buf_printf(s->out, " and %zu more share", others);
    else
        buf_text(s->out, " has");
}

static const char of_some[] = " of those that have any";

/* A group of which there is nothing to count would have less. */
static bool may_have_less(const struct narrative *s)
{
    bool less = false;
    for (size_t i = 0; i < s->query->n_dimensions; i++)
        less = less || (!s->query->dimensions[i].beside &&
                        !query_has_each(s->query, i));
    return less && s->query->measures[0].counts &&
           !s->query->question.n_havings;
}

static void tell_groups(const struct narrative *s)
{
    size_t largest = 0, smallest = 0;
    struct str measure = measure_words(s);
    bool grouped = find_extremes(s, false, &largest, &smallest);
    if (!grouped && !find_extremes(s, true, &largest, &smallest)) {
        buf_printf(s->out, "%.*s%.*s has no value in any group.",
                   STR_ARG(capitalized(s->arena, measure)),
                   STR_ARG(figures_scope(s)));
        return;
    }
    put_first_of(s, largest, "**");
    buf_printf(s->out, " the highest %.*s%.*s: **%.*s**", STR_ARG(measure),
               STR_ARG(figures_scope(s)), STR_ARG(value_text(s, largest)));
    if (!others_like(s, largest))
        put_share(s, largest);
    if (is_partial(s))
        buf_text(s->out, ", among the rows that were fetched");
    else if (largest != smallest) {
        buf_text(s->out, "; ");
        put_first_of(s, smallest, "");
        buf_printf(s->out, " the lowest%s, %.*s",
                   may_have_less(s) ? of_some : "",
                   STR_ARG(value_text(s, smallest)));
    }
    buf_char(s->out, '.');
    if (grouped)
        tell_none(s, largest, smallest);
}

static bool is_series(const struct bound_query *query)
{
    return query->n_dimensions == 1 && query->dimensions[0].is_time &&
           !query->question.top.ranked;
}

/* How many there are, then the things themselves. */
static void tell_list(const struct narrative *s)
{
    size_t column =
        data_frame_column(&s->total, s->query->measures[0].formula.name);
    struct str words = measures_words(s->query);
    buf_printf(
        s->out, "%.*s%.*s: **%.*s**.", STR_ARG(capitalized(s->arena, words)),
        STR_ARG(figures_scope(s)),
        STR_ARG(number_text(s->arena, data_frame_cell(&s->total, 0, column))));
}

static void tell_first(const struct narrative *s)
{
    if (s->query->question.lists)
        tell_list(s);
    else if (!s->query->n_dimensions)
        tell_one(s);
    else if (s->query->question.top.n)
        tell_top(s);
    else if (is_series(s->query) && s->frame.n_rows > 1 && last_dated(s) > 0 &&
             !is_partial(s))
        tell_change(s);
    else
        tell_groups(s);
}

/* ---- the table ---------------------------------------------------------- */

static enum time_unit grain_of_column(const struct narrative *s, size_t column,
                                      bool *number)
{
    *number = true;
    for (size_t i = 0; i < s->query->n_dimensions; i++)
        if (str_eq(s->query->dimensions[i].name, s->frame.columns[column])) {
            *number = false;
            return s->query->dimensions[i].grain;
        }
    for (size_t i = 0; i < s->query->n_measures; i++)
        if (s->query->measures[i].when && figures_column(s, i) == column)
            *number = false;
    return UNIT_NONE;
}

static void put_row(const struct narrative *s, size_t row)
{
    buf_text(s->out, "\n|");
    for (size_t c = 0; c < s->frame.n_columns; c++) {
        bool number;
        enum time_unit grain = grain_of_column(s, c, &number);
        const struct cell *cell = data_frame_cell(&s->frame, row, c);
        buf_char(s->out, ' ');
        put_escaped(s->out, number ? number_text(s->arena, cell)
                                   : group_text(s->arena, cell, grain));
        buf_text(s->out, " |");
    }
}

static void tell_table(const struct narrative *s)
{
    const struct data_frame *f = &s->frame;
    bool told = f->n_columns < 2 || (f->n_rows < 2 && f->n_columns < 3);
    if (told && !s->query->question.lists)
        return;
    buf_text(s->out, "\n\n|");
    for (size_t c = 0; c < f->n_columns; c++) {
        buf_char(s->out, ' ');
        put_escaped(s->out, f->columns[c]);
        buf_text(s->out, " |");
    }
    buf_text(s->out, "\n|");
    for (size_t c = 0; c < f->n_columns; c++) {
        bool number;
        grain_of_column(s, c, &number);
        buf_text(s->out, number ? "---:|" : "---|");
    }
    for (size_t r = 0; r < f->n_rows && r < TABLE_ROWS; r++)
        put_row(s, r);
    size_t shown = f->n_rows < TABLE_ROWS ? f->n_rows : TABLE_ROWS;
    if (f->row_count > shown)
        buf_printf(s->out, "\n\n… and %zu more row%s.", f->row_count - shown,
                   f->row_count - shown == 1 ? "" : "s");
    if (f->truncated)
        buf_printf(s->out,
                   "\n\nThere are more than the %zu rows fetched; this answer "
                   "leaves out the rest.",
                   f->row_count);
}

/* ---- what stands out ---------------------------------------------------- */

static void tell_total(const struct narrative *s)
{
    double total, number, sum = 0;
    struct str text;
    if (!total_of_first(s, &total, &text))
        return;
    buf_printf(s->out, "\n- In total, over all groups: %.*s.", STR_ARG(text));
    bool some = s->query->question.top.n && s->frame.n_rows > 1;
    for (size_t i = 0; some && i < s->frame.n_rows; i++) {
        if (!figure_at(s, i, &number) || number < 0)
            return;
        sum += number;
    }
    if (some && total > 0 && !query_is_parted(s->query))
        buf_printf(s->out, "\n- The rows shown make up %.*s of it.",
                   STR_ARG(percent_text(s->arena, sum / total * 100, false)));
}

static void tell_ties(const struct narrative *s)
{
    const struct cell *cell = ties_of(s);
    if (!cell)
        return;
    struct str place = STR("");
    if (query_is_parted(s->query))
        place = arena_printf(s->arena, " for its %.*s",
                             STR_ARG(groups_words(s->query)));
    buf_printf(s->out,
               "\n- Not shown: %.*s more with the same %.*s as the last one "
               "shown%.*s.",
               STR_ARG(number_text(s->arena, cell)), STR_ARG(measure_words(s)),
               STR_ARG(place));
}

static void tell_series(const struct narrative *s)
{
    size_t largest, smallest;
    if (!is_series(s->query) || is_partial(s) ||
        !find_extremes(s, false, &largest, &smallest) || s->frame.n_rows < 3)
        return;
    buf_printf(s->out,
               "\n- Highest in %.*s with %.*s, lowest%s in %.*s with %.*s.",
               STR_ARG(group_at(s, largest)), STR_ARG(value_text(s, largest)),
               may_have_less(s) ? of_some : "", STR_ARG(group_at(s, smallest)),
               STR_ARG(value_text(s, smallest)));
}

static void tell_size(const struct narrative *s)
{
    if (s->query->n_dimensions && s->frame.row_count > 3 && !s->frame.truncated)
        buf_printf(s->out, "\n- %zu rows, %.*s.", s->frame.row_count,
                   STR_ARG(grain_words(s->query)));
}

static void tell_highlights(const struct narrative *s)
{
    struct buf *out = s->out;
    size_t before = out->len;
    buf_char(out, '\n');
    tell_ties(s);
    tell_total(s);
    tell_series(s);
    tell_size(s);
    if (out->len == before + 1)
        out->len = before;
}

void figures_tell(const struct narrative *s)
{
    tell_first(s);
    tell_table(s);
    if (!s->query->question.lists)
        tell_highlights(s);
}
