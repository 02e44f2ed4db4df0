/* facts_column.c - what the name and the cells of a column say about its
 * figures; see facts_column.h. */
#include "facts_column.h"
#include "column_name.h"
#include "wording.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

static int by_value(const void *a, const void *b)
{
    const struct fact_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static enum fact_grain grain_of(const struct fact_column *c, size_t n_rows)
{
    enum fact_grain grain = GRAIN_YEAR;
    for (size_t i = 0; i < n_rows; i++) {
        int64_t year;
        int month, day;
        if (c->days[i] == INT64_MIN)
            continue;
        figure_date(c->days[i], &year, &month, &day);
        if (day != 1)
            return GRAIN_DAY;
        if (month % 3 != 1)
            grain = GRAIN_MONTH;
        else if (month != 1 && grain == GRAIN_YEAR)
            grain = GRAIN_QUARTER;
    }
    return grain;
}

int64_t fact_last_day(const struct fact_column *c, int64_t first)
{
    static const int months[] = {0, 1, 3, 12};
    int64_t year;
    int month, day;
    if (c->grain == GRAIN_DAY)
        return first;
    figure_date(first, &year, &month, &day);
    month += months[c->grain];
    return figure_day(year + (month > 12), month > 12 ? month - 12 : month, 1) -
           1;
}

static void months_of_days(struct arena *arena, struct fact_column *c,
                           size_t n_rows)
{
    int64_t year;
    int month, day;
    c->row_months = arena_new_array(arena, unsigned char, n_rows + 1);
    for (size_t i = 0; i < n_rows; i++)
        if (c->days[i] != INT64_MIN) {
            figure_date(c->days[i], &year, &month, &day);
            c->row_months[i] = (unsigned char)month;
        }
}

/* Numbers that name years are dates. */
static void date_years(struct arena *arena, struct fact_column *c,
                       size_t n_rows)
{
    static const char names[] =
        " year yr jahr since founded established built born ";
    if (!c->n_sorted || !c->whole || !column_name_among(c->name, names) ||
        c->sorted[0].value < 1900 || c->sorted[c->n_sorted - 1].value > 2100)
        return;
    c->days = arena_new_array(arena, int64_t, n_rows + 1);
    for (size_t i = 0; i < n_rows; i++)
        c->days[i] = isnan(c->values[i])
                         ? INT64_MIN
                         : figure_day((int64_t)c->values[i], 1, 1);
    c->dated = true;
    c->adds = false;
}

/* Finds the period in a column's name. */
static void name_period(struct fact_column *c)
{
    char spaced[64];
    size_t n = str_copy(spaced, sizeof spaced, c->name), at = 0;
    struct figure f;
    c->last = c->first - 1;
    if (!c->adds || n < c->name.len)
        return;
    for (size_t i = 0; i < n; i++)
        if (spaced[i] == '_')
            spaced[i] = ' ';
    while (figure_next((struct str){spaced, n}, &at, &f))
        if (f.kind == FIGURE_PERIOD) {
            c->first = f.first;
            c->last = f.last;
            c->period_from = f.from;
            c->period_to = f.to;
            return;
        }
}

static struct str without_marks(struct str s)
{
    while (s.len && strchr("_ ", s.ptr[0]))
        s = str_from(s, 1);
    while (s.len && strchr("_ ", s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* Whether the names are equal, but for a part of each. */
static bool same_around(const struct fact_column *a,
                        const struct fact_column *b)
{
    return str_eq_nocase(without_marks(str_cut(a->name, 0, a->period_from)),
                         without_marks(str_cut(b->name, 0, b->period_from))) &&
           str_eq_nocase(without_marks(str_from(a->name, a->period_to)),
                         without_marks(str_from(b->name, b->period_to)));
}

bool fact_is_of(const struct fact_column *c, const struct figure *period)
{
    if (c->first > c->last)
        return false;
    if (c->month)
        return c->month == period->month &&
               (period->kind == FIGURE_PERIOD
                    ? period->last - period->first < 31 * c->months &&
                          period->last - period->first > 29 * (c->months - 1)
                    : period->kind == FIGURE_MONTH &&
                          period->first == c->months && !period->day);
    return period->kind == FIGURE_PERIOD && c->first == period->first &&
           c->last == period->last;
}

bool fact_same_series(const struct fact_column *a, const struct fact_column *b)
{
    return a->first <= a->last && b->first <= b->last && same_around(a, b);
}

/* Finds one of the words in the name, and the unit of time after it. */
static bool name_time(struct fact_column *c, const char *words)
{
    static const char units[] =
        " year years month months quarter week day period yr ";
    size_t at = 0, n = c->name.len, bare = 0;
    bool found = false;
    while (at < n) {
        size_t end = at;
        char lower[16];
        while (end < n && !strchr("_ ", c->name.ptr[end]))
            end++;
        struct str part = str_cut(c->name, at, end - at);
        if (part.len <= sizeof lower) {
            wording_lower(lower, part);
            part.ptr = lower;
            if (found && !wording_among(part, units))
                return c->period_to > bare;
            if (!found && wording_among(part, words)) {
                c->period_from = at;
                found = true;
                /* "last_order_value" is of the latest order. */
                bare = wording_among(part, " last before this ") ? end : 0;
            }
            if (found)
                c->period_to = end;
        }
        at = end + 1;
    }
    return found && c->period_to > bare;
}

/* "revenue_previous" and "revenue", or "revenue_current": a series of two. */
static void pair_times(struct fact_table *t, size_t earlier)
{
    static const char now[] = " current curr this now new cy ";
    static const char before[] = " previous prev prior last before py ly ";
    struct fact_column *a = &t->columns[earlier];
    if (!a->adds || a->first <= a->last || !name_time(a, before))
        return;
    for (size_t i = 0; i < t->n_columns; i++) {
        struct fact_column *b = &t->columns[i];
        if (i == earlier || !b->adds || b->first <= b->last)
            continue;
        if (!name_time(b, now))
            b->period_from = b->period_to = b->name.len;
        bool at_end = same_around(a, b);
        if (!at_end && b->period_from == b->name.len) {
            b->period_from = b->period_to = 0;
            at_end = same_around(a, b);
        }
        if (!at_end)
            continue;
        a->first = a->last = FACT_EARLIER;
        b->first = b->last = FACT_LATER;
        return;
    }
}

static int month_of_name(struct str part)
{
    static const char *const months[] = {
        "january", "february", "march",     "april",   "may",      "june",
        "july",    "august",   "september", "october", "november", "december"};
    for (int i = 0; i < 12; i++)
        if (str_eq_nocase(part, str_of(months[i])) ||
            (part.len == 3 && i != 4 &&
             str_eq_nocase(part, (struct str){months[i], 3})))
            return i + 1;
    return 0;
}

/* "Q2", of no year: the first month of the quarter; 0: it is none. */
static int quarter_of_name(struct str part)
{
    return part.len == 2 && (part.ptr[0] | 0x20) == 'q' && part.ptr[1] >= '1' &&
                   part.ptr[1] <= '4'
               ? 3 * (part.ptr[1] - '1') + 1
               : 0;
}

/* "visits_september", of no year: a day in the year after the column of its
 * series before it, if that is half a year later in the year. */
static void date_month(struct fact_table *t, size_t column)
{
    enum { YEAR = 2000 };
    struct fact_column *c = &t->columns[column];
    struct str rest = c->name, part;
    int64_t year = YEAR;
    if (!c->adds || c->first <= c->last)
        return;
    while (str_split(&rest, '_', &part) && !c->month) {
        c->month = month_of_name(part);
        c->months = c->month ? 1 : 3;
        c->month = c->month ? c->month : quarter_of_name(part);
        c->period_from = (size_t)(part.ptr - c->name.ptr);
        c->period_to = c->period_from + part.len;
    }
    if (!c->month)
        return;
    c->first = c->last = figure_day(YEAR, c->month, 1);
    for (size_t i = 0; i < column; i++) {
        const struct fact_column *before = &t->columns[i];
        int64_t of;
        int month, day;
        if (!before->month || !fact_same_series(before, c))
            continue;
        figure_date(before->first, &of, &month, &day);
        year = c->month + 6 <= month ? of + 1 : of;
    }
    c->first = c->last = figure_day(year, c->month, 1);
}

/* "Net change", of what came in and went out, is an amount of its own. */
static bool tells_change(struct str name)
{
    static const char *const words[] = {"change", "growth", "diff", "delta",
                                        "yoy",    "mom",    "trend"};
    if (str_starts(name, STR("net_change")))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find_nocase(name, str_of(words[i])) >= 0)
            return true;
    return false;
}

/* Numbers of years, months or days, and not "revenue_last_year". */
static bool numbers_periods(const struct fact_column *c)
{
    static const struct {
        const char *names;
        double least, most;
    } kinds[] = {{" year yr ", 1000, 2999},
                 {" month ", 1, 12},
                 {" quarter ", 1, 4},
                 {" week ", 0, 53},
                 {" day ", 0, 366}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (column_name_among(c->name, kinds[i].names) && c->whole &&
            (!c->n_sorted ||
             (c->sorted[0].value >= kinds[i].least &&
              c->sorted[c->n_sorted - 1].value <= kinds[i].most)))
            return true;
    return false;
}

struct str fact_column_noun(struct str name)
{
    static const char ids[] = " id no nr key code ";
    char lower[8];
    size_t end = name.len, from;
    while (end && !strchr("_ ", name.ptr[end - 1]))
        end--;
    struct str last = str_from(name, end);
    if (end < 2 || last.len > sizeof lower)
        return STR("");
    wording_lower(lower, last);
    last.ptr = lower;
    from = --end;
    while (from && !strchr("_ ", name.ptr[from - 1]))
        from--;
    return wording_among(last, ids) ? str_cut(name, from, end - from) : STR("");
}

void fact_column_end(struct arena *arena, struct fact_column *c, size_t n_rows)
{
    c->sorted = arena_new_array(arena, struct fact_value, n_rows + 1);
    c->whole = true;
    for (size_t i = 0; i < n_rows; i++)
        if (!isnan(c->values[i])) {
            c->sorted[c->n_sorted++] = (struct fact_value){c->values[i], i};
            c->sum += c->values[i];
            c->whole = c->whole && c->values[i] == floor(c->values[i]);
        }
    qsort(c->sorted, c->n_sorted, sizeof *c->sorted, by_value);
    c->mean = c->n_sorted ? c->sum / (double)c->n_sorted : 0;
    for (size_t i = 0; i < c->n_sorted && !c->distinct; i++)
        c->distinct = 1;
    for (size_t i = 1; i < c->n_sorted; i++)
        c->distinct += c->sorted[i].value != c->sorted[i - 1].value;
    c->measure = unit_of_name(c->name);
    c->currency = currency_of_name(c->name);
    c->scale = scale_of_name(c->name);
    c->named_percent = column_name_among(c->name, " pct percent percentage ");
    c->percent =
        c->percent || c->named_percent ||
        (c->currency == CURRENCY_NONE &&
         column_name_among(c->name, " share rate ratio margin growth change "
                                    "proportion yoy mom "));
    c->adds = c->adds && !column_name_among(c->name, " id ids key code zip ") &&
              !fact_column_noun(c->name).len && !numbers_periods(c);
    c->averages = column_name_among(c->name, " avg average mean median minimum "
                                             "maximum per age ");
    c->takes = column_name_among(
        c->name, " time hours minutes seconds days duration "
                 "latency wait delay response lag ms mins secs hrs weeks ");
    c->change = tells_change(c->name);
    date_years(arena, c, n_rows);
    name_period(c);
    if (!c->dated)
        return;
    if (!c->periods)
        c->grain = grain_of(c, n_rows);
    months_of_days(arena, c, n_rows);
}

/* The only column that shares a word with the name of a column of changes, or else the
 * only one that it could be of. */
static size_t changed_column(const struct fact_table *t, size_t column)
{
    static const char silent[] =
        " pct percent percentage pp points rate change growth diff delta yoy mom "
        "eur usd gbp chf ";
    struct split_name own;
    size_t shared = SIZE_MAX, any = SIZE_MAX, n_shared = 0, n = 0;
    column_name_read(t->columns[column].name, &own);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        bool same = false;
        if (!c->adds || c->change || i == column)
            continue;
        for (size_t k = 0; k < own.n; k++)
            same = same || (!wording_among(own.words[k], silent) &&
                            column_name_has(c->name, own.words[k]));
        shared = same ? i : shared;
        n_shared += same;
        any = i;
        n++;
    }
    return n_shared == 1 ? shared : n == 1 ? any : SIZE_MAX;
}

void fact_column_pair(struct fact_table *t, size_t column)
{
    struct fact_column *c = &t->columns[column];
    c->changes = c->adds && c->change ? changed_column(t, column) : SIZE_MAX;
    pair_times(t, column);
    date_month(t, column);
}
