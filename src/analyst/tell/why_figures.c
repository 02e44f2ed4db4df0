/* why_figures.c - the answer to a why-question: where a change is, in words.
 *
 * A group's gap is its figure minus what it would be, had it changed since
 * a year before like the same group of all others (without a side: had it
 * not changed). The gaps of groups need not add up to that of the whole,
 * because the groups of the others changed differently; each row shows its
 * own figures. */
#include "sql/compose.h"
#include "data_frame.h"
#include "bind/why.h"
#include <stdlib.h>
#include "base/banned.h"

enum { GROUPS_TOLD = 5, GROUPS_MOST = 200 };
/* A breakdown is worth a table when its largest group has at least this
 * much more of the gap than of the figures. */
static const double FOCUS_LEAST = 0.15;

/* Figures of one group: [now or before][of the side or of all others]. */
struct group {
    struct str name;
    double figure[2][2];
    double gap;
};

struct why_telling {
    struct arena *arena;
    struct why *why;
    const struct step_results *results;
    struct buf *out;
};

static struct str amount_text(struct arena *arena, double number)
{
    double size = number < 0 ? -number : number;
    double off = size < 1e15 ? size - (double)(int64_t)(size + 0.5) : 0;
    bool whole = size >= 1000 || (off < 1e-6 && off > -1e-6);
    struct cell cell = {
        .text = arena_printf(arena, whole ? "%.0f" : "%.2f", number)};
    return number_text(arena, &cell);
}

static void put_change(struct why_telling *t, double now, double before)
{
    if (before > 0)
        buf_str(t->out, percent_text(t->arena, (now / before - 1) * 100, true));
    else
        buf_text(t->out, "not known");
}

/* ---- reading ------------------------------------------------------------ */

static size_t row_side(const struct why_telling *t, const struct data_frame *f,
                       size_t row)
{
    if (!t->why->sided)
        return 0;
    struct str side =
        data_frame_cell(f, row, data_frame_column(f, STR("side")))->text;
    return str_eq(side, t->why->value) ? 0 : 1;
}

static size_t row_period(const struct data_frame *f, size_t row)
{
    struct str period =
        data_frame_cell(f, row, data_frame_column(f, STR("period")))->text;
    return str_is(period, "now") ? 0 : 1;
}

static struct group *group_named(struct group *groups, size_t *n,
                                 struct str name)
{
    for (size_t i = 0; i < *n; i++)
        if (str_eq(groups[i].name, name))
            return &groups[i];
    if (*n == GROUPS_MOST)
        return NULL;
    groups[*n] = (struct group){.name = name};
    return &groups[(*n)++];
}

static size_t read_groups(const struct why_telling *t,
                          const struct data_frame *f, size_t name,
                          size_t figure, struct group *groups)
{
    size_t n = 0;
    for (size_t r = 0; r < f->n_rows; r++) {
        struct str key =
            name == SIZE_MAX
                ? STR("")
                : group_text(t->arena, data_frame_cell(f, r, name), UNIT_NONE);
        struct group *g = group_named(groups, &n, key);
        double number;
        if (g && cell_number(data_frame_cell(f, r, figure), &number))
            g->figure[row_period(f, r)][row_side(t, f, r)] += number;
    }
    for (size_t i = 0; i < n; i++) {
        const struct group *g = &groups[i];
        double like = t->why->sided && g->figure[1][1] > 0
                          ? g->figure[0][1] / g->figure[1][1]
                          : 1;
        groups[i].gap = g->figure[0][0] - g->figure[1][0] * like;
    }
    return n;
}

static int by_size(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    double sizes[] = {x->gap < 0 ? -x->gap : x->gap,
                      y->gap < 0 ? -y->gap : y->gap};
    if (sizes[0] != sizes[1])
        return sizes[0] < sizes[1] ? 1 : -1;
    return str_cmp(x->name, y->name);
}

/* ---- telling ------------------------------------------------------------ */

static struct str period_text(const struct why_telling *t)
{
    return window_words(t->why->metrics);
}

/* Says so when the question's claim (it rises, it falls) is wrong. */
static void tell_judgement(struct why_telling *t, const struct group *whole)
{
    int judged = t->why->series->question.judged;
    double change =
        t->why->sided ? whole->gap : whole->figure[0][0] - whole->figure[1][0];
    if ((judged > 0 && change < 0) || (judged < 0 && change > 0))
        buf_printf(t->out, " So it did %s%s.",
                   judged > 0 ? "not rise" : "not fall",
                   t->why->sided ? " against them" : "");
}

static bool tell_whole(struct why_telling *t, struct group *whole)
{
    struct why *why = t->why;
    struct data_frame f = data_frame_read(t->arena, t->results, 2);
    struct str metric = why->series->measures[0].formula.words;
    size_t figure = data_frame_column(&f, query_output(why->metrics, 0));
    size_t n = read_groups(t, &f, SIZE_MAX, figure, whole);
    if (!n || !(whole->figure[1][0] > 0)) {
        buf_printf(t->out,
                   "There is nothing to compare: %.*s%s%.*s has no rows a "
                   "year before (%.*s)%s.",
                   STR_ARG(metric), why->sided ? " of " : "",
                   STR_ARG(why->value), STR_ARG(period_text(t)),
                   why->sided ? ", or no field holds that value" : "");
        return false;
    }
    buf_printf(t->out, why->sided ? "%.*s of %.*s" : "%.*s%.*s",
               STR_ARG(capitalized(t->arena, metric)), STR_ARG(why->value));
    buf_printf(t->out, " is **%.*s** (%.*s), a year before it was **%.*s**: **",
               STR_ARG(amount_text(t->arena, whole->figure[0][0])),
               STR_ARG(period_text(t)),
               STR_ARG(amount_text(t->arena, whole->figure[1][0])));
    put_change(t, whole->figure[0][0], whole->figure[1][0]);
    buf_text(t->out, "**.");
    if (why->sided) {
        buf_text(t->out, " All others moved by ");
        put_change(t, whole->figure[0][1], whole->figure[1][1]);
        buf_printf(t->out, ". Had %.*s moved like them, it would be %.*s %s.",
                   STR_ARG(why->value),
                   STR_ARG(amount_text(t->arena, whole->gap < 0 ? -whole->gap
                                                                : whole->gap)),
                   whole->gap < 0 ? "higher" : "lower");
    }
    tell_judgement(t, whole);
    return true;
}

/* A breakdown: its groups, largest gap first, and by how much the first
 * group's share of the gap is more than its share of the figures a year
 * before. */
struct breakdown {
    struct bound_query *query;
    struct group *groups;
    size_t n;
    double focus;
};

static void read_breakdown(struct why_telling *t, size_t part,
                           const struct group *whole, struct breakdown *b)
{
    struct bound_query *query = t->why->parts[part];
    struct data_frame f =
        data_frame_read(t->arena, t->results, (int64_t)part + 3);
    b->query = query;
    b->groups = arena_new_array(t->arena, struct group, GROUPS_MOST);
    b->n =
        read_groups(t, &f, data_frame_column(&f, query->dimensions[0].name),
                    data_frame_column(&f, query_output(query, 0)), b->groups);
    b->focus = -1;
    if (!b->n || whole->gap == 0)
        return;
    qsort(b->groups, b->n, sizeof *b->groups, by_size);
    b->focus = b->groups[0].gap / whole->gap -
               b->groups[0].figure[1][0] / whole->figure[1][0];
}

static int by_focus(const void *a, const void *b)
{
    const struct breakdown *x = a, *y = b;
    return x->focus < y->focus ? 1 : x->focus > y->focus ? -1 : 0;
}

/* The cells next to the name: now, before, the change. */
static void put_amounts(struct why_telling *t, const struct group *g)
{
    buf_printf(t->out, " | %.*s | %.*s | ",
               STR_ARG(amount_text(t->arena, g->figure[1][0])),
               STR_ARG(amount_text(t->arena, g->figure[0][0])));
    put_change(t, g->figure[0][0], g->figure[1][0]);
    buf_text(t->out, " |");
    if (t->why->sided) {
        buf_char(t->out, ' ');
        put_change(t, g->figure[0][1], g->figure[1][1]);
        buf_text(t->out, " |");
    }
}

static void tell_group(struct why_telling *t, const struct group *g)
{
    buf_text(t->out, "\n| ");
    put_escaped(t->out, g->name);
    put_amounts(t, g);
    buf_printf(t->out, " %.*s |", STR_ARG(amount_text(t->arena, g->gap)));
}

static void tell_breakdown(struct why_telling *t, const struct breakdown *b,
                           const struct group *whole)
{
    struct str words = dimension_words(b->query, 0);
    if (b->focus < FOCUS_LEAST) {
        buf_printf(
            t->out, "\n\n**By %.*s** it is spread much as %.*s itself is.",
            STR_ARG(words), STR_ARG(t->why->series->measures[0].formula.words));
        return;
    }
    bool within = b->groups[0].gap / whole->gap <= 1;
    buf_printf(t->out,
               within ? "\n\n**By %.*s** most of it lies in **%.*s**: %.*s "
                        "of %.*s."
                      : "\n\n**By %.*s** the largest part is **%.*s**: %.*s, "
                        "of which others make up for some (%.*s in all).",
               STR_ARG(words), STR_ARG(b->groups[0].name),
               STR_ARG(amount_text(t->arena, b->groups[0].gap)),
               STR_ARG(amount_text(t->arena, whole->gap)));
    buf_printf(t->out,
               "\n\n| %.*s | a year before | now | change |%s gap |"
               "\n|---|---:|---:|---:|---:|%s",
               STR_ARG(words), t->why->sided ? " all others |" : "",
               t->why->sided ? "---:|" : "");
    for (size_t i = 0; i < b->n && i < GROUPS_TOLD; i++)
        tell_group(t, &b->groups[i]);
}

static void tell_breakdowns(struct why_telling *t, const struct group *whole)
{
    struct breakdown b[WHY_PARTS];
    for (size_t i = 0; i < t->why->n_parts; i++)
        read_breakdown(t, i, whole, &b[i]);
    qsort(b, t->why->n_parts, sizeof *b, by_focus);
    for (size_t i = 0; i < t->why->n_parts; i++)
        if (b[i].n)
            tell_breakdown(t, &b[i], whole);
}

/* ---- other metrics ------------------------------------------------------ */

struct metric_change {
    size_t measure;
    struct group figures;
    double apart; /* how far its change is from that of all others */
};

static double ratio(double now, double before)
{
    return before > 0 ? now / before : 1;
}

static int by_apart(const void *a, const void *b)
{
    const struct metric_change *x = a, *y = b;
    if (x->apart != y->apart)
        return x->apart < y->apart ? 1 : -1;
    return x->measure < y->measure ? -1 : 1;
}

static size_t read_changes(struct why_telling *t, struct metric_change *changes)
{
    struct data_frame f = data_frame_read(t->arena, t->results, 2);
    struct bound_query *query = t->why->metrics;
    struct group *g = arena_new_array(t->arena, struct group, GROUPS_MOST);
    size_t n = 0;
    for (size_t i = 0; i < query->n_measures && f.n_rows; i++) {
        size_t column = data_frame_column(&f, query_output(query, i));
        if (!read_groups(t, &f, SIZE_MAX, column, g) ||
            (g->figure[0][0] == 0 && g->figure[1][0] == 0))
            continue;
        double own = ratio(g->figure[0][0], g->figure[1][0]);
        double others = ratio(g->figure[0][1], g->figure[1][1]);
        double apart = own - (t->why->sided ? others : 1);
        changes[n++] =
            (struct metric_change){i, *g, apart < 0 ? -apart : apart};
    }
    qsort(changes, n, sizeof *changes, by_apart);
    return n;
}

static void tell_metric(struct why_telling *t, const struct metric_change *m)
{
    const struct group *g = &m->figures;
    buf_printf(t->out, "\n| %.*s",
               STR_ARG(t->why->metrics->measures[m->measure].formula.words));
    put_amounts(t, g);
}

static void tell_metrics(struct why_telling *t)
{
    struct metric_change changes[QUESTION_MEASURES + QUESTION_HAVINGS];
    size_t n = read_changes(t, changes);
    if (n < 2)
        return;
    buf_printf(t->out,
               "\n\n**What changed with it**, %s first\n\n"
               "| metric | a year before | now | change |%s\n"
               "|---|---:|---:|---:|%s",
               t->why->sided ? "the largest difference from all others"
                             : "the largest change",
               t->why->sided ? " all others |" : "",
               t->why->sided ? "---:|" : "");
    for (size_t i = 0; i < n; i++)
        tell_metric(t, &changes[i]);
}

void why_tell(struct arena *arena, struct why *why,
              const struct analyst_findings *findings, struct buf *out)
{
    struct why_telling t = {arena, why, findings->results, out};
    struct group *whole = arena_new_array(arena, struct group, GROUPS_MOST);
    if (!tell_whole(&t, whole))
        return;
    tell_breakdowns(&t, whole);
    tell_metrics(&t);
    buf_text(out,
             "\n\nThis shows where the difference lies and what moved with it; "
             "whether one made the other, these figures alone do not say.");
}
