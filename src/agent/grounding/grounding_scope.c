/* grounding_scope.c - the rows that a figure of a sentence is about: those that
 * the sentence names before it, or right after it; see grounding_walk.h. */
#include "grounding_walk.h"
#include "grounding_above.h"
#include "grounding_owner.h"
#include "column_name.h"
#include "compare_clause.h"
#include "prose.h"
#include "base/banned.h"

const struct wording_word *walk_words(const struct grounding_walk *w)
{
    return w->wording.words + w->now.sentence->word;
}

bool walk_says(const struct grounding_walk *w, uint32_t roles)
{
    uint32_t says = 0;
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        says |= walk_words(w)[i].says;
    return says & roles;
}

bool walk_has(const struct grounding_walk *w, const char *list)
{
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        if (wording_among(walk_words(w)[i].lower, list))
            return true;
    return false;
}

bool walk_in_mention(const struct grounding_walk *w, size_t from, size_t to)
{
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (w->mentions[i].place && w->mentions[i].from <= from &&
            w->mentions[i].to >= to)
            return true;
    return false;
}

static struct scope_rows joined(struct arena *arena, const struct scope_rows *a,
                                const struct scope_rows *b, bool both)
{
    struct scope_rows out = {
        .rows = arena_new_array(arena, size_t, a->n + b->n + 1)};
    size_t i = 0, k = 0;
    while (i < a->n || k < b->n) {
        bool left = k == b->n || (i < a->n && a->rows[i] < b->rows[k]);
        bool same = i < a->n && k < b->n && a->rows[i] == b->rows[k];
        size_t row = left || same ? a->rows[i] : b->rows[k];
        if (same || !both)
            out.rows[out.n++] = row;
        i += left || same;
        k += !left || same;
    }
    return out;
}

static bool is_of_column(const struct row_mention *m,
                         const struct fact_place *place)
{
    return m->place && m->place->column == place->column &&
           m->place->table == place->table;
}

/* A mention before is of the same column. */
static bool is_column_before(const struct grounding_walk *w, const bool *of,
                             size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (of[k] && is_of_column(&w->mentions[k], w->mentions[i].place))
            return true;
    return false;
}

/* Rows with one of the texts that are in one column; with all texts of several
 * columns, if there are such rows. */
static void scope_texts(struct grounding_walk *w, const bool *of,
                        struct scope_rows *rows)
{
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct fact_place *place = w->mentions[i].place;
        if (!of[i] || !place || is_column_before(w, of, i))
            continue;
        for (size_t t = 0; t < w->facts.n_tables; t++) {
            struct scope_rows more = w->tone.of[i][t];
            for (size_t k = i + 1; k < w->now.n_mentions; k++)
                if (of[k] && is_of_column(&w->mentions[k], place) &&
                    facts_work(&w->facts, more.n + w->tone.of[k][t].n))
                    more = joined(w->arena, &more, &w->tone.of[k][t], false);
            if (!more.n || !facts_work(&w->facts, rows[t].n + more.n))
                continue;
            struct scope_rows all =
                joined(w->arena, &rows[t], &more, rows[t].n > 0);
            rows[t] = all.n ? all : joined(w->arena, &rows[t], &more, false);
        }
    }
}

static void scope_periods(struct grounding_walk *w, const bool *of,
                          const struct scope_rows *named,
                          struct scope_rows *rows)
{
    size_t n = w->facts.n_tables;
    struct scope_rows *one =
        arena_new_array(w->arena, struct scope_rows, n + 1);
    bool any = false;
    for (size_t t = 0; t < n; t++)
        rows[t] = named[t];
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        if (!of[i] || w->mentions[i].place)
            continue;
        for (size_t t = 0; t < n; t++)
            one[t] = named[t];
        scope_of_period(&w->facts, &w->mentions[i].period, one);
        for (size_t t = 0; t < n; t++)
            rows[t] = any && one[t].n != named[t].n
                          ? joined(w->arena, &rows[t], &one[t], false)
                          : one[t];
        any = true;
    }
}

/* Which mentions a figure is of: those since the figure before it; else those
 * of that figure; in a row of a table, all. Returns how many. */
static size_t owners(const struct grounding_walk *w, size_t figure, bool *of)
{
    bool row = w->now.sentence->kind == SENTENCE_ROW;
    size_t from, n = 0, end;
    for (size_t i = figure + 1; i-- > 0 && !n;) {
        const struct figure *f = &w->now.figures[i];
        if (i != figure &&
            (f->kind == FIGURE_PERIOD || f->kind == FIGURE_MONTH ||
             walk_in_mention(w, f->from, f->to)))
            continue;
        end = f->from;
        from = w->now.sentence->from;
        for (size_t k = i; k-- > 0;) {
            const struct figure *g = &w->now.figures[k];
            if (g->kind != FIGURE_PERIOD && g->kind != FIGURE_MONTH &&
                !walk_in_mention(w, g->from, g->to)) {
                from = g->to;
                break;
            }
        }
        for (size_t k = 0; k < w->now.n_mentions; k++)
            if (row ||
                (w->mentions[k].from >= from && w->mentions[k].to <= end &&
                 !mention_is_compared(w, &w->mentions[k], end)))
                n += of[k] = true;
    }
    return n;
}

/* "77 orders were returned and 42 cancelled": a word of rows that follows its
 * figure. */
static bool follows_figure(const struct grounding_walk *w,
                           const struct figure *f, const struct row_mention *m)
{
    static const char states[] = " were was are is been being got the ";
    if (!w->english || !m->place || !m->place->weak || m->from <= f->to ||
        str_is(walk_word_beside(w, f->from, -1), "in")) /* "1 in 15 orders" */
        return false;
    if (m->from - f->to == 1)
        return true;
    return m->from - f->to < 40 &&
           only_between(&w->now, f->to, m->from, states);
}

/* A period and a text, or texts of two columns. */
static bool differs_in_kind(const struct row_mention *a,
                            const struct row_mention *b)
{
    return !a->place || !b->place ? !a->place != !b->place
                                  : a->place->table == b->place->table &&
                                        a->place->column != b->place->column;
}

/* What is left of the words after a figure without those of its column or unit:
 * "in" of "kWh in", or of "minutes in the". */
static struct str after_unit(const struct grounding_walk *w,
                             const struct figure *f, struct str gap)
{
    static const char *const tails[] = {
        " the week of",       " the month of",       " the quarter of",
        " the week starting", " the week beginning", " the"};
    struct str unit = walk_word_beside(w, f->to, 1);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (str_ends(gap, str_of(tails[i]))) {
            gap.len -= strlen(tails[i]);
            break;
        }
    ptrdiff_t space = str_find_char(gap, ' ');
    bool known = prose_says(unit, PROSE_TIME_UNIT);
    for (size_t t = 0; t < w->facts.n_tables && !known; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns && !known; i++)
            known = column_name_has(w->facts.tables[t].columns[i].name, unit);
    if (space < 0 || !known || (size_t)space != unit.len)
        return gap;
    return str_trim(str_from(gap, unit.len));
}

/* "200,000 in June 2025": a mention right after a figure owns it, together
 * with what is named before it of the other kind. */
static bool owned_from_behind(const struct grounding_walk *w,
                              const struct figure *f, bool *of)
{
    static const char links[] = " in for on at from during by of auf ";
    /* "Half of all orders come from" */
    static const char parts[] =
        " of all the our total overall come comes came are is was were go goes "
        "went fall falls fell sold made generated from to in on at by through via ";
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        bool state = follows_figure(w, f, m);
        size_t most = f->kind == FIGURE_PERCENT ? 48 : 24;
        if (m->from <= f->to || (m->from - f->to > most && !state))
            continue;
        struct str gap = after_unit(
            w, f, str_trim(str_cut(w->wording.text, f->to, m->from - f->to)));
        bool part = f->kind == FIGURE_PERCENT && !state &&
                    only_between(&w->now, f->to, m->from, parts);
        /* "1,310 students took the exam in English" */
        bool did = w->english && m->place && !f->spelled && f->value > 20 &&
                   wording_among(gap, " took visited chose attended joined "
                                      "bought used ordered preferred ");
        bool counted = !gap.len && m->place && !f->spelled && f->value > 20;
        /* "Visitors to Rome" */
        bool to = str_is(gap, "to") && m->from - f->to > strlen(" to ");
        if (!wording_among(gap, links) && !to && !str_is(gap, "(") &&
            !str_is(gap, "of all") && !state && !counted && !part &&
            !did) /* "150 desk lamps" */
            return false;
        for (size_t k = 0; k < w->now.n_mentions; k++)
            of[k] = k == i || (of[k] && differs_in_kind(&w->mentions[k], m));
        /* "1,420 listings of apartments in Leipzig" */
        const struct row_mention *next = m + 1;
        if (w->english && i + 1 < w->now.n_mentions && m->place &&
            next->place && differs_in_kind(m, next) &&
            only_between(&w->now, m->to, next->from,
                         f->kind == FIGURE_PERCENT ? parts
                                                   : " in at on for the "))
            for (size_t k = 0; k < w->now.n_mentions; k++)
                of[k] = k == i + 1 ||
                        (of[k] &&
                         (k == i || differs_in_kind(&w->mentions[k], next)));
        return true;
    }
    return false;
}

/* No two texts are of one column: together they name rows, not several. */
static bool owners_agree(const struct grounding_walk *w, const bool *of)
{
    for (size_t i = 0; i < w->now.n_mentions; i++)
        for (size_t k = i + 1; k < w->now.n_mentions; k++) {
            const struct fact_place *a = w->mentions[i].place,
                                    *b = w->mentions[k].place;
            if (of[i] && of[k] && a && b && a != b && a->table == b->table &&
                a->column == b->column)
                return false;
        }
    return true;
}

bool walk_compares(const struct grounding_walk *w)
{
    bool all[MENTIONS_MOST];
    size_t periods = 0;
    memset(all, true, sizeof all);
    for (size_t i = 0; i < w->now.n_mentions; i++)
        periods += !w->mentions[i].place;
    return periods > 1 || !owners_agree(w, all);
}

static size_t texts_of(const struct grounding_walk *w, const bool *of)
{
    size_t n = 0;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        n += of[i] && w->mentions[i].place;
    return n;
}

struct str walk_word_beside(const struct grounding_walk *w, size_t place,
                            int step)
{
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words;
    for (size_t i = 0; i < n; i++)
        if (step > 0 ? words[i].from >= place
                     : words[i].to <= place &&
                           (i + 1 == n || words[i + 1].to > place))
            return words[i].lower;
    return STR("");
}

/* The rows of the mentions, and of all of them together. A text that is named
 * again has the rows that it had. */
void walk_tone_rows(struct grounding_walk *w)
{
    struct sentence_tone *tone = &w->tone;
    size_t n_tables = w->facts.n_tables;
    bool all[MENTIONS_MOST];
    memset(all, true, sizeof all);
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct fact_place *place = w->mentions[i].place;
        tone->of[i] = NULL;
        for (size_t k = 0; k < i && place && !tone->of[i]; k++)
            if (w->mentions[k].place == place)
                tone->of[i] = tone->of[k];
        if (!place || tone->of[i])
            continue;
        tone->of[i] =
            arena_new_array(w->arena, struct scope_rows, n_tables + 1);
        for (size_t t = 0; t < n_tables; t++)
            tone->of[i][t] = scope_of_place(&w->facts, place, t);
    }
    struct scope_rows *texts =
        arena_new_array(w->arena, struct scope_rows, n_tables + 1);
    tone->all = arena_new_array(w->arena, struct scope_rows, n_tables + 1);
    scope_texts(w, all, texts);
    scope_periods(w, all, texts, tone->all);
}

/* The figure is of one period that the sentence speaks of as "in March". */
static bool is_into(const struct grounding_walk *w, const bool *of)
{
    const struct row_mention *only = NULL;
    size_t n = 0;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (!w->mentions[i].place) {
            n++;
            only = of[i] ? &w->mentions[i] : only;
        }
    return n == 1 && only &&
           wording_among(walk_word_beside(w, only->from, -1), " in during ");
}

/* "Half of the workforce", with one text only: it is of everything. */
static bool is_part_of_whole(const struct grounding_walk *w,
                             const struct figure *f)
{
    struct str after = str_from(w->wording.text, f->to);
    bool all[MENTIONS_MOST];
    memset(all, true, sizeof all);
    return f->kind == FIGURE_PERCENT && f->fraction && w->english &&
           texts_of(w, all) == 1 &&
           (str_starts(after, STR(" of the ")) ||
            str_starts(after, STR(" of all ")));
}

/* Which mentions the figure is of; returns how many. */
static size_t all_owners(const struct grounding_walk *w, size_t figure,
                         bool of[MENTIONS_MOST])
{
    size_t n = figure_pair_owners(w, figure, of);
    if (n)
        return n;
    n = owners(w, figure, of);
    if (figure_begins_change(w, figure)) /* it may be of the period before */
        for (size_t i = n = 0; i < w->now.n_mentions; i++)
            n += of[i] = of[i] && w->mentions[i].place;
    if (w->now.sentence->kind != SENTENCE_ROW &&
        owned_from_behind(w, &w->now.figures[figure], of))
        for (size_t i = n = 0; i < w->now.n_mentions; i++)
            n += of[i];
    return n;
}

/* `n` of the mentions are the owners. */
static void scope_of_owners(struct grounding_walk *w, size_t figure,
                            bool of[MENTIONS_MOST], size_t n,
                            struct grounding_scope *scope)
{
    const struct figure *f = &w->now.figures[figure];
    enum sentence_kind kind = w->now.sentence->kind;
    size_t n_tables = w->facts.n_tables;
    const struct scope_rows *none =
        arena_new_array(w->arena, struct scope_rows, n_tables + 1);
    const struct sentence_tone *tone = &w->tone;
    size_t texts = texts_of(w, of);
    struct str above = walk_name_above(w, f->from);
    /* "-6 degrees" is a level, "(-6)" a change. */
    bool apart = kind == SENTENCE_ROW || kind == SENTENCE_ITEM ||
                 (f->from && w->wording.text.ptr[f->from - 1] == '(');
    bool shift = f->plus || above_says_change(above) ||
                 (f->minus && (apart || f->kind != FIGURE_NUMBER));
    bool changes = tone->changes || shift;
    bool one_row = texts && owners_agree(w, of);
    bool released = tone->released < f->from || figure_is_whole(w, figure) ||
                    figure_of_all(w, f);
    if (!n)
        for (size_t i = 0; i < w->now.n_mentions; i++)
            of[i] = true;
    *scope = (struct grounding_scope){
        .facts = &w->facts,
        .named = arena_new_array(w->arena, struct scope_rows, n_tables + 1),
        .rows = arena_new_array(w->arena, struct scope_rows, n_tables + 1),
        .all = tone->all,
        .strict = n && !released &&
                  (one_row || (texts == 0 && n == 1) ||
                   (kind == SENTENCE_ROW && texts)),
        .own = n && !released && one_row &&
               !(f->bound != FIGURE_ABOVE &&
                 wording_among(walk_word_beside(w, f->from, -1),
                               " of the all these those other last next first "
                               "top leads tops heads ")),
        .periods = arena_new_array(w->arena, struct scope_rows, n_tables + 1),
        .counts = f->spelled && f->whole &&
                  str_is(walk_word_beside(w, f->to, 1), "of"),
        .weekdays = tone->weekdays,
        .window = tone->window,
        .average = tone->average,
        .signs = tone->signs,
        .negative = tone->negative,
        .ratio = tone->ratio || above_says_rate(above),
        .percent = above_says_percent(above),
        .shown = tone->shown,
        .ranked = tone->ranked,
        .changes = changes,
        .into = changes && is_into(w, of),
        .differs = tone->differs || shift,
        .of_whole = tone->of_whole || is_part_of_whole(w, f),
        .rest = tone->rest,
        .denied = tone->denied,
        .of_those = tone->of_those,
        .target = tone->target,
        .combined = tone->combined,
        .each = tone->of,
        .n_each = w->now.n_mentions,
        .adds_up = tone->adds_up,
        .present = tone->present,
        .losers = tone->losers,
        .winners = tone->winners,
        .rises = tone->rises,
        .falls = tone->falls,
        .concerned = tone->concerned,
        .flagged = tone->flagged,
        .unflagged = tone->unflagged,
        .others = w->now.figures,
        .n_others = w->now.n_figures < 8 ? w->now.n_figures : 8,
        .listed = tone->listed};
    scope_texts(w, of, scope->named);
    scope_periods(w, of, scope->named, scope->rows);
    scope_periods(w, of, none, scope->periods);
}

bool walk_names_no_row(struct grounding_walk *w, size_t figure)
{
    bool of[MENTIONS_MOST] = {false};
    const struct fact_place *a = NULL, *b = NULL;
    size_t n, at[2] = {0, 0};
    const struct figure *f = &w->now.figures[figure];
    if (!w->english || f->kind != FIGURE_NUMBER || f->spelled ||
        w->now.sentence->kind == SENTENCE_ROW || w->facts.n_tables != 1 ||
        walk_tone_says(w, PROSE_NEGATION))
        return false;
    owners(w, figure, of);
    if (!owned_from_behind(w, f, of))
        return false;
    for (size_t i = n = 0; i < w->now.n_mentions; i++)
        if (of[i] && n < 2)
            at[n++] = i;
        else if (of[i])
            return false;
    a = n == 2 ? w->mentions[at[0]].place : NULL;
    b = n == 2 ? w->mentions[at[1]].place : NULL;
    if (!a || !b || a->column == b->column || !w->facts.tables[0].whole)
        return false;
    struct scope_rows *first = w->tone.of[at[0]], *second = w->tone.of[at[1]];
    return first->n && second->n && !joined(w->arena, first, second, true).n;
}

void walk_scope(struct grounding_walk *w, size_t figure,
                struct grounding_scope *scope)
{
    bool of[MENTIONS_MOST] = {false};
    size_t n = all_owners(w, figure, of);
    scope_of_owners(w, figure, of, n, scope);
}

bool walk_shows_one(struct grounding_walk *w, size_t figure)
{
    bool of[MENTIONS_MOST] = {false};
    if (all_owners(w, figure, of) < 2)
        return false;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        for (size_t k = i + 1; k < w->now.n_mentions; k++)
            if (of[i] && of[k] &&
                differs_in_kind(&w->mentions[i], &w->mentions[k]))
                return false;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        bool one[MENTIONS_MOST] = {false};
        struct grounding_scope scope;
        one[i] = true;
        if (!of[i] || !facts_work(&w->facts, w->facts.n_tables + 1))
            continue;
        scope_of_owners(w, figure, one, 1, &scope);
        scope.strict = true;
        if (scope_shows(&scope, &w->now.figures[figure]))
            return true;
    }
    return false;
}

bool walk_shows_carried(struct grounding_walk *w, size_t figure)
{
    bool of[MENTIONS_MOST] = {false};
    const struct row_mention *last = NULL;
    size_t n = all_owners(w, figure, of);
    struct grounding_scope scope;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (of[i] && (last || !w->mentions[i].place))
            return false;
        else if (of[i])
            last = &w->mentions[i];
    if (!last || !facts_work(&w->facts, w->facts.n_tables + 1))
        return false;
    for (size_t i = (size_t)(last - w->mentions); i-- > 0;)
        if (w->mentions[i].place && differs_in_kind(&w->mentions[i], last)) {
            of[i] = true;
            scope_of_owners(w, figure, of, n + 1, &scope);
            scope.strict = true;
            return scope_shows(&scope, &w->now.figures[figure]);
        }
    return false;
}

bool walk_shows_group(struct grounding_walk *w, size_t figure)
{
    enum { GAP_MOST = 48 };
    static const char links[] = " by in at of for from to with ";
    const struct figure *f = &w->now.figures[figure];
    const struct row_mention *first = NULL;
    bool of[MENTIONS_MOST] = {false};
    size_t n = 0, end = w->now.sentence->to;
    struct grounding_scope scope;
    if (figure + 1 < w->now.n_figures)
        end = f[1].from;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        if (m->from < f->to || m->from > end)
            continue;
        if (!m->place || (first && !is_of_column(m, first->place)))
            return false;
        first = first ? first : m;
        n += of[i] = true;
    }
    if (n < 2 || first->from - f->to > GAP_MOST ||
        !wording_among(walk_word_beside(w, first->from, -1), links) ||
        !facts_work(&w->facts, w->facts.n_tables + 1))
        return false;
    scope_of_owners(w, figure, of, n, &scope);
    scope.strict = true;
    return scope_shows(&scope, f);
}

/* ---- periods ------------------------------------------------------------- */

bool walk_is_of_column(const struct grounding_walk *w,
                       const struct figure *period)
{
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++)
            if (fact_is_of(&w->facts.tables[t].columns[i], period))
                return true;
    return false;
}

bool walk_has_rows_of(struct grounding_walk *w, const struct figure *period)
{
    struct scope_rows *rows =
        arena_new_array(w->arena, struct scope_rows, w->facts.n_tables + 1);
    scope_of_period(&w->facts, period, rows);
    for (size_t i = 0; i < w->facts.n_tables; i++)
        if (rows[i].n)
            return true;
    return false;
}
