/* grounding_clock.c - times of the day, and spans of time in two units; see
 * grounding_clock.h. */
#include "grounding_clock.h"
#include "base/banned.h"

/* ---- times of the day ---------------------------------------------------- */

struct clock {
    int hour, minute;
};

static bool digit_at(struct str text, size_t at)
{
    return at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9';
}

/* Reads "7:15", "07:15" and "07:15:30" at a place where no digit, letter or sign
 * is before it. *end: after it. */
static bool read_clock(struct str text, size_t at, struct clock *out,
                       size_t *end)
{
    size_t n = digit_at(text, at + 1) ? 2 : 1, minute = at + n + 1;
    if (!digit_at(text, at) || at + n >= text.len || text.ptr[at + n] != ':' ||
        !digit_at(text, minute) || !digit_at(text, minute + 1) ||
        digit_at(text, minute + 2))
        return false;
    if (at && (digit_at(text, at - 1) || strchr("+-:.", text.ptr[at - 1])))
        return false;
    out->hour = text.ptr[at] - '0';
    if (n == 2)
        out->hour = 10 * out->hour + text.ptr[at + 1] - '0';
    out->minute = 10 * (text.ptr[minute] - '0') + text.ptr[minute + 1] - '0';
    *end = minute + 2;
    return out->hour <= 24 && out->minute < 60;
}

/* "3:15 pm" */
static void read_half_of_day(struct str rest, struct clock *c)
{
    while (rest.len && rest.ptr[0] == ' ')
        rest = str_from(rest, 1);
    struct str half = str_cut(rest, 0, 2), dotted = str_cut(rest, 0, 4);
    if ((str_eq_nocase(half, STR("pm")) ||
         str_eq_nocase(dotted, STR("p.m."))) &&
        c->hour < 12)
        c->hour += 12;
    if ((str_eq_nocase(half, STR("am")) ||
         str_eq_nocase(dotted, STR("a.m."))) &&
        c->hour == 12)
        c->hour = 0;
}

/* Whether the text has the time; *any: it has one that is not midnight. */
static bool has_clock(struct facts *facts, struct str text, struct clock of,
                      bool *any)
{
    for (long at = 0, next;
         (next = str_find_char(str_from(text, (size_t)at), ':')) >= 0;) {
        size_t colon = (size_t)(at + next), from = colon, end;
        struct clock c;
        for (int i = 0; i < 2 && from && digit_at(text, from - 1); i++)
            from--;
        at = (long)colon + 1;
        if (!facts_work(facts, (size_t)next / 16 + 1))
            return true;
        if (from == colon || !read_clock(text, from, &c, &end))
            continue;
        *any = *any || c.hour || c.minute;
        if (c.minute == of.minute && c.hour % 24 == of.hour % 24)
            return true;
    }
    return false;
}

bool clock_is_unknown(struct grounding_walk *w, const struct figure *f)
{
    const struct grounding_of *of = w->facts.of;
    struct str text = w->wording.text;
    struct clock c;
    size_t end, n = of->results ? of->results->n_results : 0;
    bool any = false, unused = false;
    if (!w->english || f->kind != FIGURE_MONTH || f->month ||
        !read_clock(text, f->from, &c, &end) || (!c.hour && !c.minute))
        return false;
    read_half_of_day(str_from(text, end), &c);
    for (size_t i = 0; i < n; i++)
        if (of->results->results[i].python_result ||
            has_clock(&w->facts, of->full_data[i], c, &any))
            return false;
    for (size_t i = 0; i < of->n_said; i++)
        if (has_clock(&w->facts, of->said[i], c, &unused))
            return false;
    for (size_t i = 0; i < n; i++)
        if (of->results->results[i].sql_result &&
            has_clock(&w->facts, of->results->results[i].sql_result->sql, c,
                      &unused))
            return false;
    return any && !has_clock(&w->facts, of->question, c, &unused);
}

/* ---- spans ---------------------------------------------------------------- */

/* Seconds in the unit that the word says; 0: none. */
static double seconds_of(struct str word)
{
    static const struct {
        const char *words;
        double seconds;
    } units[] = {{" second seconds sec secs s ", 1},
                 {" minute minutes min mins m ", 60},
                 {" hour hours hr hrs h ", 3600},
                 {" day days d ", 86400},
                 {" week weeks ", 604800}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (wording_among(word, units[i].words))
            return units[i].seconds;
    return 0;
}

/* Whether two figures are next to each other, with the first one's unit and
 * nothing else between: "3 hours and 15". */
static bool is_joined(const struct grounding_walk *w, const struct figure *a,
                      const struct figure *b)
{
    struct str gap = str_trim(str_cut(w->wording.text, a->to, b->from - a->to));
    struct str unit = walk_word_beside(w, a->to, 1);
    if (!str_starts(gap, unit))
        return false;
    gap = str_trim(str_from(gap, unit.len));
    return !gap.len || str_is(gap, "and") || str_is(gap, ",");
}

bool is_span(struct grounding_walk *w, size_t figure)
{
    static const double units[] = {1, 60, 3600, 86400};
    for (size_t first = figure ? figure - 1 : 0;
         first <= figure && first + 1 < w->now.n_figures; first++) {
        const struct figure *a = &w->now.figures[first], *b = a + 1;
        double of_a = seconds_of(walk_word_beside(w, a->to, 1)),
               of_b = seconds_of(walk_word_beside(w, b->to, 1));
        if (a->kind != FIGURE_NUMBER || b->kind != FIGURE_NUMBER ||
            a->value != (double)(int64_t)a->value || of_b <= 0 ||
            of_a <= of_b || b->value * of_b >= of_a || !is_joined(w, a, b))
            continue;
        struct grounding_scope scope;
        walk_scope(w, first, &scope);
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            struct figure whole = *a;
            whole.value = (a->value * of_a + b->value * of_b) / units[i];
            whole.unit = b->unit * of_b / units[i];
            whole.whole = false;
            whole.other_unit = 0;
            if (scope_shows(&scope, &whole))
                return true;
        }
    }
    return false;
}
