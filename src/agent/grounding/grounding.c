/* grounding.c - walks the sentences of a narrative and collects what nothing
 * shows; see grounding.h. */
#include "grounding_figure.h"
#include "column_name.h"
#include "grounding_name.h"
#include "grounding_unit.h"
#include "prose.h"
#include "base/clock.h"
#include "base/banned.h"

enum {
    WORDS_MOST = 1000, /* of a sentence */
    SLICE_US = 4000,   /* of work before the loop turns */
    WORDS_AT_ONCE = 2000,
    BYTES_AT_ONCE = 8 * 1024,
};

static void add_claim(struct grounding_walk *w, size_t from, size_t to,
                      const char *why)
{
    struct grounding *g = w->out;
    const struct wording_sentence *s = w->now.sentence;
    const struct emphasis *e = &w->emphasis;
    if (g->n_claims < GROUNDING_CLAIMS_MOST)
        g->claims[g->n_claims++] = (struct grounding_claim){
            emphasis_place(e, from), emphasis_place(e, to),
            emphasis_place(e, s->from), emphasis_place(e, s->to), why};
}

/* ---- figures ------------------------------------------------------------ */

/* The number of a heading, and places, which comparisons check. */
static bool is_no_claim(const struct grounding_walk *w, const struct figure *f)
{
    const struct wording_sentence *s = w->now.sentence;
    return f->kind == FIGURE_PLACE || walk_in_mention(w, f->from, f->to) ||
           (s->kind == SENTENCE_HEADING && s->n_words &&
            f->from == walk_words(w)->from && f->to < w->wording.text.len &&
            strchr(".)", w->wording.text.ptr[f->to]));
}

/* 1e6 of a column "Revenue ($M)", or "Revenue (in millions)"; 1: it has no
 * scale. */
static double scale_above(const struct grounding_walk *w, size_t place)
{
    static const struct {
        const char *words;
        double by;
    } scales[] = {{" m mn mm million millions mio ", 1e6},
                  {" k thousand thousands tsd ", 1e3},
                  {" b bn billion billions mrd ", 1e9}};
    static const char silent[] = " in of usd eur gbp chf jpy ";
    struct str name = walk_name_above(w, place);
    ptrdiff_t open = str_find_char(name, '(');
    size_t at = open < 0 ? name.len : (size_t)open, end;
    double by = 1;
    for (; wording_next(name, &at, &end); at = end) {
        char lower[12];
        struct str word = str_cut(name, at, end - at);
        bool known = false;
        if (word.len > sizeof lower)
            return 1;
        wording_lower(lower, word);
        word.ptr = lower;
        for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
            if (wording_among(word, scales[i].words)) {
                by = scales[i].by;
                known = true;
            }
        if (!known && !wording_among(word, silent))
            return 1;
    }
    return by;
}

/* "84.5", under "Revenue ($M)", is 84,500,000. */
static bool shows_scaled(struct grounding_walk *w, size_t i, bool *elsewhere)
{
    struct figure *f =
        &w->figures.items[(size_t)(w->now.figures - w->figures.items) + i];
    double by =
        w->now.sentence->kind == SENTENCE_ROW ? scale_above(w, f->from) : 1;
    struct figure plain = *f;
    if (by == 1 || f->kind != FIGURE_NUMBER)
        return false;
    f->value *= by;
    f->unit *= by;
    f->other *= by;
    f->other_unit *= by;
    f->whole = false;
    bool shown = walk_shows(w, i, elsewhere);
    *f = plain;
    return shown;
}

static void check_figure(struct grounding_walk *w, size_t i)
{
    const struct figure *f = &w->now.figures[i];
    if (is_no_claim(w, f))
        return;
    bool elsewhere = false,
         shown = walk_shows(w, i, &elsewhere) || shows_scaled(w, i, &elsewhere);
    w->out->n_figures++;
    if (!shown)
        add_claim(w, f->from, f->to,
                  elsewhere ? "is in another column of the results than the "
                              "sentence says"
                  : f->kind == FIGURE_PERIOD || f->kind == FIGURE_MONTH
                      ? "is a date that is not in the results"
                      : "is not in the results, nor follows from them");
}

/* ---- sentences ---------------------------------------------------------- */

/* An answer that has no finding compares nothing. */
static void check_no_finding(struct grounding_walk *w)
{
    const struct wording_sentence *s = w->now.sentence;
    if (w->wording.text.ptr[s->to - 1] == '?' || walk_says(w, PROSE_EXCUSE))
        return;
    for (size_t i = 0; i < s->n_words; i++)
        if (walk_words(w)[i].says & PROSE_FINDING) {
            add_claim(w, walk_words(w)[i].from, walk_words(w)[i].to,
                      "states a finding, although nothing was found out");
            return;
        }
}

static void begin_sentence(struct grounding_walk *w)
{
    const struct wording_sentence *s = &w->wording.sentences[w->sentence];
    size_t first;
    w->claims = w->out->n_claims;
    while (w->figure < w->figures.n &&
           w->figures.items[w->figure].from < s->from)
        w->figure++;
    first = w->figure;
    while (w->figure < w->figures.n && w->figures.items[w->figure].from < s->to)
        w->figure++;
    w->sentence++;
    w->mark = arena_mark(w->arena);
    w->now = (struct grounding_sentence){.facts = &w->facts,
                                         .wording = &w->wording,
                                         .sentence = s,
                                         .mentions = w->mentions,
                                         .subjects = w->subjects,
                                         .n_figures = w->figure - first};
    if (w->now.n_figures)
        w->now.figures = w->figures.items + first;
    w->compare = compare_begin(&w->now);
    w->next_figure = 0;
    if (!s->n_words)
        return;
    if (s->n_words > WORDS_MOST) {
        w->facts.spent = true;
        return;
    }
    walk_read_units(w);
    walk_find_mentions(w);
    if (w->english)
        w->now.n_subjects = compare_subjects(&w->now, w->subjects);
    if (w->now.n_figures)
        walk_tone(w);
    w->stage = WALK_FIGURES;
}

static void end_sentence(struct grounding_walk *w)
{
    struct grounding *g = w->out;
    enum sentence_kind kind = w->now.sentence->kind;
    bool bad = g->n_claims > w->claims;
    bool says = kind == SENTENCE_PROSE || kind == SENTENCE_ITEM;
    if (bad && says && !g->n_sentences)
        g->first_bad = true;
    g->n_sentences += kind != SENTENCE_HEADING && kind != SENTENCE_TABLE_TOP;
    g->n_bad += bad;
    arena_reset(w->arena, w->mark);
    w->stage = WALK_SENTENCES;
}

static void next_figure(struct grounding_walk *w)
{
    struct arena_mark mark = arena_mark(w->arena);
    if (w->next_figure < w->now.n_figures) {
        check_figure(w, w->next_figure++);
        arena_reset(w->arena, mark);
        return;
    }
    if (!w->english) {
        end_sentence(w);
        return;
    }
    const struct wording_word *name = walk_unknown_name(w);
    if (name)
        add_claim(w, name->from, name->to, "is a name that is not in the data");
    w->stage = WALK_WORDS;
}

static void next_word(struct grounding_walk *w)
{
    struct arena_mark mark = arena_mark(w->arena);
    struct compare_finding found;
    bool more = compare_word(&w->now, &w->compare, &found);
    arena_reset(w->arena, mark);
    if (more)
        return;
    if (found.why)
        add_claim(w, found.from, found.to, found.why);
    if (w->facts.of->no_finding)
        check_no_finding(w);
    end_sentence(w);
}

/* ---- the whole ---------------------------------------------------------- */

/* Counts some words. */
static void read_language(struct grounding_walk *w)
{
    const struct wording *p = &w->wording;
    struct language_count *l = &w->language;
    size_t end = w->read + WORDS_AT_ONCE;
    for (; w->read < p->n_words && w->read < end; w->read++) {
        struct str word = p->words[w->read].lower;
        uint32_t says = prose_of(word);
        if (p->words[w->read].capital && str_is(word, "may"))
            says &= ~(uint32_t)PROSE_NEGATION; /* the month */
        if (str_is(word, "no") && p->text.ptr[p->words[w->read].to] == '-')
            says = PROSE_COMMON; /* "no-shows" */
        if ((says & PROSE_DOWN) && w->read + 1 < p->n_words &&
            str_is(p->words[w->read + 1].lower, "due"))
            says = PROSE_COMMON; /* "fell due" */
        p->words[w->read].says = says;
        l->n += word.len > 1 && word.ptr[0] > '9';
        l->common += (says & PROSE_FUNCTION) != 0;
        l->foreign += (says & PROSE_FOREIGN) != 0;
    }
    if (w->read < p->n_words)
        return;
    w->english = l->foreign ? l->foreign < l->common
                            : l->n < 12 || l->common * 10 >= l->n;
    w->read = 0;
    w->stage = WALK_SEEK;
}

/* Finds the figures in some of the text. */
static void seek_figures(struct grounding_walk *w)
{
    struct figure f;
    struct str text = w->emphasis.plain;
    size_t end = w->read + BYTES_AT_ONCE;
    if (end > text.len)
        end = text.len;
    while (figure_next_before(text, end, &w->read, &f)) {
        if (w->english && f.kind != FIGURE_PERIOD)
            f.other_unit = 0; /* "1,234" is no decimal in English */
        if (!fact_figures_add(w->arena, &w->figures, &f))
            w->facts.spent = true;
    }
    if (w->read >= text.len)
        w->stage = WALK_FACTS;
}

/* A claim that is not reported ends the walk: such a text is not grounded. */
static bool is_over(const struct grounding_walk *w)
{
    return w->out->n_claims == GROUNDING_CLAIMS_MOST || w->facts.spent ||
           (w->stage == WALK_SENTENCES &&
            w->sentence == w->wording.n_sentences);
}

/* "In thousand euros", "k\xe2\x82\xac": figures may be in what columns are in. */
static bool says_scale(struct str text)
{
    static const char *const scales[] = {"in thousand",
                                         "in million",
                                         "in billion",
                                         "thousands of",
                                         "millions of",
                                         "k\xe2\x82\xac",
                                         "\xe2\x82\xack",
                                         "keur",
                                         "kusd",
                                         "teur",
                                         "m\xe2\x82\xac",
                                         "\xe2\x82\xacm",
                                         "meur",
                                         "musd",
                                         "$k",
                                         "$m",
                                         "k$"};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (str_find_nocase(text, str_of(scales[i])) >= 0)
            return true;
    return false;
}

static void read_words(struct grounding_walk *w)
{
    struct wording *p = &w->wording;
    emphasis_read(w->arena, w->text, &w->emphasis);
    wording_read(w->arena, w->emphasis.plain, p);
    for (size_t i = 0; i < p->n_words; i++) {
        p->words[i].bold = emphasis_opens(&w->emphasis, p->words[i].from);
        p->words[i].first = p->words[i].first || p->words[i].bold;
    }
    w->facts.scale_said = says_scale(w->emphasis.plain);
}

static void go_on(struct grounding_walk *w)
{
    facts_unit(&w->facts);
    switch (w->stage) {
    case WALK_TEXT:
        read_words(w);
        w->stage = WALK_LANGUAGE;
        break;
    case WALK_LANGUAGE:
        read_language(w);
        break;
    case WALK_SEEK:
        seek_figures(w);
        break;
    case WALK_FACTS:
        if (!facts_read_on(&w->facts))
            w->stage = WALK_SENTENCES;
        break;
    case WALK_SENTENCES:
        facts_work(&w->facts, 1);
        begin_sentence(w);
        break;
    case WALK_FIGURES:
        next_figure(w);
        break;
    case WALK_WORDS:
        next_word(w);
        break;
    case WALK_OVER:
        break;
    }
    if (is_over(w)) {
        w->out->whole =
            w->out->n_claims < GROUNDING_CLAIMS_MOST && !w->facts.spent;
        w->stage = WALK_OVER;
    }
}

struct grounding_walk *grounding_begin(struct arena *arena,
                                       const struct grounding_of *of,
                                       struct str text, struct grounding *out)
{
    struct grounding_walk *w = arena_new(arena, struct grounding_walk);
    w->arena = arena;
    w->text = text;
    w->out = out;
    *out = (struct grounding){.claims =
                                  arena_new_array(arena, struct grounding_claim,
                                                  GROUNDING_CLAIMS_MOST)};
    facts_begin(arena, of, &w->facts);
    if (text.len > GROUNDING_TEXT_MOST)
        w->stage = WALK_OVER;
    return w;
}

bool grounding_go_on(struct grounding_walk *w)
{
    uint64_t until = clock_us() + SLICE_US;
    while (w->stage != WALK_OVER && clock_us() < until)
        go_on(w);
    return w->stage != WALK_OVER;
}
