/* period_told.c - the period of an answer; see period_told.h. */
#include "period_told.h"
#include "analyst/period.h"
#include "guard/literals.h"
#include "base/banned.h"

enum { PERIODS_MOST = 4, DAY_BYTES = 10 };

/* ---- from queries -------------------------------------------------------- */

struct found_period {
    struct str column;
    bool has_from, has_to;
    int64_t from, to; /* both belong to it */
};

struct found_periods {
    struct found_period items[PERIODS_MOST];
    size_t n;
};

/* The day of "2026-10-01" and of "2026-10-01 00:00:00". */
static bool day_of(struct str text, int64_t *day)
{
    bool longer = text.len > DAY_BYTES;
    if (longer && text.ptr[DAY_BYTES] != ' ' && text.ptr[DAY_BYTES] != 'T')
        return false;
    return period_day_read(str_cut(text, 0, DAY_BYTES), day);
}

/* A time of day other than midnight. */
static bool has_time(struct str text)
{
    struct str time = str_from(text, DAY_BYTES);
    for (size_t i = 0; i < time.len; i++)
        if (time.ptr[i] >= '1' && time.ptr[i] <= '9')
            return true;
    return false;
}

static struct found_period *open_period(struct found_periods *all,
                                        struct str column, bool from)
{
    for (size_t i = all->n; i > 0; i--) {
        struct found_period *p = &all->items[i - 1];
        if (str_eq(p->column, column) && !(from ? p->has_from : p->has_to))
            return p;
    }
    if (all->n == PERIODS_MOST)
        return NULL;
    all->items[all->n] = (struct found_period){.column = column};
    return &all->items[all->n++];
}

static void add_bound(struct found_periods *all, const struct query_literal *l,
                      int64_t day)
{
    bool from = l->use == LITERAL_LEAST || l->use == LITERAL_ABOVE;
    bool whole = !has_time(l->text);
    struct found_period *p = open_period(all, l->column, from);
    if (!p)
        return;
    if (from) {
        p->has_from = true;
        p->from = day + (l->use == LITERAL_ABOVE && whole);
    } else {
        p->has_to = true;
        p->to = day - (l->use == LITERAL_BELOW && whole);
    }
}

/* Whether the text has something like "2026-10-01": parsing a query costs much
 * more, and most have none. */
static bool has_day(struct str sql)
{
    int64_t day;
    for (size_t i = 4; i + 3 < sql.len; i++)
        if (sql.ptr[i] == '-' && sql.ptr[i + 3] == '-' &&
            period_day_read(str_cut(sql, i - 4, DAY_BYTES), &day))
            return true;
    return false;
}

static void find_periods(struct arena *arena, struct str sql,
                         struct found_periods *all)
{
    struct query_literals literals = {.n = 0};
    if (has_day(sql))
        query_literals_read(arena, sql, &literals);
    for (size_t i = 0; i < literals.n; i++) {
        const struct query_literal *l = &literals.items[i];
        int64_t day;
        if (l->use >= LITERAL_LEAST && day_of(l->text, &day))
            add_bound(all, l, day);
        else if (l->use == LITERAL_EQUAL && !l->computed &&
                 day_of(l->text, &day) && all->n < PERIODS_MOST)
            all->items[all->n++] =
                (struct found_period){l->column, true, true, day, day};
    }
}

static struct str found_text(struct arena *a, const struct found_period *p)
{
    if (p->has_from && p->has_to)
        return period_days_text(a, (struct period){p->from, p->to + 1});
    if (p->has_from)
        return arena_printf(a, "from %.*s on",
                            STR_ARG(period_day_text(a, p->from)));
    return arena_printf(a, "until %.*s", STR_ARG(period_day_text(a, p->to)));
}

struct str period_of_results(struct arena *arena,
                             const struct step_results *results)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; results && i < results->n_results; i++) {
        const struct sql_result *s = results->results[i].sql_result;
        struct found_periods all = {.n = 0};
        if (s)
            find_periods(arena, s->sql, &all);
        for (size_t k = 0; k < all.n; k++) {
            struct str text = found_text(arena, &all.items[k]);
            text = arena_printf(arena, "%.*s (%.*s)", STR_ARG(text),
                                STR_ARG(all.items[k].column));
            if (str_find(buf_view(&out), text) < 0)
                buf_printf(&out, "%s%.*s", out.len ? "; " : "", STR_ARG(text));
        }
    }
    return out.len ? buf_view(&out) : STR("");
}

/* ---- the plan's in a query ------------------------------------------------ */

static bool holds(struct str sql, const char *word)
{
    return str_find_nocase(sql, str_of(word)) >= 0;
}

bool period_is_named(struct arena *arena, struct str sql,
                     const struct plan_period *p)
{
    int64_t from, to;
    if (!period_day_read(p->from, &from) || !period_day_read(p->to, &to))
        return true;
    int64_t days[] = {from, from - 1, to, to + 1};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        if (str_find(sql, period_day_text(arena, days[i])) >= 0)
            return true;
    bool parts = holds(sql, "extract") || holds(sql, "date_part") ||
                 holds(sql, "to_char") || holds(sql, "date_trunc") ||
                 holds(sql, "make_date") || holds(sql, "year");
    bool month = str_find(sql, str_cut(p->from, 0, 7)) >= 0;
    bool year = str_find(sql, str_cut(p->from, 0, 4)) >= 0;
    bool now = holds(sql, "current_date") || holds(sql, "now()") ||
               holds(sql, "current_timestamp") || holds(sql, "localtimestamp");
    return month || (parts && year) || (p->relative && !p->moved && now);
}

/* ---- in the answer --------------------------------------------------------- */

/* Every day in `period` is in the text. */
static bool says_days(struct str text, struct str period)
{
    int64_t day;
    for (size_t i = 0; i + DAY_BYTES <= period.len; i++) {
        struct str at = str_cut(period, i, DAY_BYTES);
        if (period_day_read(at, &day) && str_find(text, at) < 0)
            return false;
    }
    return true;
}

struct str period_add(struct run *r, struct str text, struct str period)
{
    if (!period.len || !text.len || says_days(text, period))
        return text;
    struct str shown = buf_view(&r->visible), trimmed = str_trim(shown);
    size_t end = trimmed.len ? (size_t)(trimmed.ptr - shown.ptr) + trimmed.len
                             : shown.len;
    /* Readers have the white space after the text already. */
    struct str line =
        arena_printf(&r->arena, "\n\nPeriod: %.*s.", STR_ARG(period));
    struct str whole =
        arena_printf(&r->arena, "%.*s%.*s%.*s", STR_ARG(text),
                     STR_ARG(str_from(shown, end)), STR_ARG(line));
    run_emit_chunk(r, line);
    return whole;
}
