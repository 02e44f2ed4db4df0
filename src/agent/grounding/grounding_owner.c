/* grounding_owner.c - what the words around a figure say of the rows that it is of;
 * see grounding_owner.h. */
#include "grounding_owner.h"
#include "compare_clause.h"
#include "base/banned.h"

/* "825 more than in November, although it fell to 87.5": what something was compared
 * with is not what the next part of the sentence is about. */
bool mention_is_compared(const struct grounding_walk *w,
                         const struct row_mention *m, size_t end)
{
    static const char links[] = " over than versus vs against ";
    return wording_among(walk_word_beside(w, m->from, -1), links) &&
           str_find_char(str_cut(w->wording.text, m->to, end - m->to), ',') >=
               0;
}

/* "From 96 to 90" */
bool figure_begins_change(const struct grounding_walk *w, size_t figure)
{
    const struct figure *f = &w->now.figures[figure];
    return w->tone.changes && figure + 1 < w->now.n_figures &&
           str_is(walk_word_beside(w, f->from, -1), "from") &&
           str_is(str_trim(str_cut(w->wording.text, f->to, f[1].from - f->to)),
                  "to");
}

/* "910 of 1,600": the second one is of the whole. */
bool figure_is_whole(const struct grounding_walk *w, size_t figure)
{
    if (!figure)
        return false;
    const struct figure *f = &w->now.figures[figure], *part = f - 1;
    struct str gap =
        str_trim(str_cut(w->wording.text, part->to, f->from - part->to));
    return (part->kind == FIGURE_NUMBER || part->kind == FIGURE_PERCENT) &&
           f->kind == FIGURE_NUMBER &&
           (str_is(gap, "of") || str_is(gap, "out of") ||
            str_is(gap, "of the") || str_is(gap, "out of the"));
}

/* "The year's 8,400", "the net increase of 500", "an average of 4.1 across": it is of
 * all rows, although the sentence names one before. */
bool figure_of_all(const struct grounding_walk *w, const struct figure *f)
{
    static const char changes[] =
        " increase decrease gain loss change growth decline drop rise ";
    static const char sums[] = " net overall total combined ";
    const struct wording_word *words = walk_words(w);
    struct str before = str_cut(w->wording.text, 0, f->from);
    size_t at = 0;
    if (!w->english)
        return false;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    return str_ends(before, STR("year's ")) ||
           str_ends(before, STR("year\xe2\x80\x99s ")) ||
           str_is(walk_word_beside(w, f->to, 1), "across") ||
           (at > 2 && str_is(words[at - 1].lower, "of") &&
            wording_among(words[at - 2].lower, changes) &&
            wording_among(words[at - 3].lower, sums));
}

/* "Three times as much as Oslo (60 vs. 20)": whether the figure is the first, or the
 * second, of two in brackets that compare. */
static bool is_in_pair(const struct grounding_walk *w, size_t figure,
                       bool second)
{
    static const char *const links[] = {
        "vs.", "vs", "versus", "against", "compared to", "compared with"};
    struct str text = w->wording.text;
    size_t first = figure - second;
    if (figure < second || first + 1 >= w->now.n_figures)
        return false;
    const struct figure *a = &w->now.figures[first], *b = a + 1;
    struct str gap = str_trim(str_cut(text, a->to, b->from - a->to));
    if (!a->from || text.ptr[a->from - 1] != '(' ||
        str_find_char(gap, ')') >= 0)
        return false;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (str_ends(gap, str_of(links[i])))
            return true;
    return false;
}

bool walk_compares_pair(const struct grounding_walk *w, size_t figure)
{
    return figure + 2 < w->now.n_figures && is_in_pair(w, figure + 1, false);
}

/* Of such a pair, the first figure is of the texts that the sentence names first, "A
 * and B", and the second of the others. Returns how many; 0: it is none. */
size_t figure_pair_owners(const struct grounding_walk *w, size_t figure,
                          bool of[MENTIONS_MOST])
{
    bool second = is_in_pair(w, figure, true), run = true;
    size_t n = 0;
    if (!second && !is_in_pair(w, figure, false))
        return 0;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        bool before = m->to <= w->now.figures[figure - second].from;
        run = run && (!i || only_between(&w->now, m[-1].to, m->from, " and "));
        of[i] = before && m->place && run != second;
        n += of[i];
    }
    return n;
}
