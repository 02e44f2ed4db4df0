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
    KEY_BYTES = 200,
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

/* ---- the rows that a sentence names ------------------------------------- */

/* "40 high and 90 low" */
static bool follows_digit(const struct grounding_walk *w, size_t at)
{
    const char *text = w->wording.text.ptr;
    return at > 1 && text[at - 1] == ' ' && text[at - 2] >= '0' &&
           text[at - 2] <= '9';
}

/* "Low-priority": the name of the column is after the text. */
static bool column_follows(const struct grounding_walk *w,
                           const struct fact_place *place, size_t next)
{
    const struct fact_table *t = &w->facts.tables[place->table];
    return next < w->now.sentence->n_words &&
           str_eq_nocase(walk_words(w)[next].lower,
                         t->columns[place->column].name);
}

/* "Among freelancers", "in the morning": after a preposition, a text is named in
 * small letters too. */
static bool is_said_small(const struct grounding_walk *w,
                          const struct wording_word *word, size_t n)
{
    static const char prepositions[] =
        " among average for in of by from with than between to versus vs on at during "
        "and ";
    const struct wording_word *words = walk_words(w);
    size_t at = (size_t)(word - words);
    bool article = at && wording_among(words[at - 1].lower, " the a an ");
    at -= article;
    /* "Orange juice is in 8 %, a newspaper in 3 %" */
    bool listed = article && at && words[at].from > words[at - 1].to &&
                  w->wording.text.ptr[words[at].from - 2] == ',';
    return at && (listed || wording_among(words[at - 1].lower, prepositions)) &&
           word->lower.len > 3 &&
           (n > 1 || !prose_says(word->lower, PROSE_COMMON));
}

/* A cell that begins with a capital is named with one; an ordinary word only
 * where it is apart, in a table, a list or marks, or of its column. */
static bool names_here(const struct grounding_walk *w,
                       const struct fact_place *place,
                       const struct wording_word *word, size_t n)
{
    enum sentence_kind kind = w->now.sentence->kind;
    char before = word->from ? w->wording.text.ptr[word->from - 1] : ' ';
    bool apart = kind == SENTENCE_ROW || word->bold ||
                 strchr("\"'`|", before) || (unsigned char)before >= 0x80;
    if (place->weak)
        return apart || n > 1 || follows_digit(w, word->from) ||
               column_follows(w, place, (size_t)(word - walk_words(w)) + n) ||
               (word->lower.len > 3 && !prose_says(word->lower, PROSE_COMMON));
    bool joined =
        n > 1 && w->wording.text.ptr[word->to] == '-'; /* "check-up" */
    return word->capital || apart || joined || is_said_small(w, word, n) ||
           (unsigned char)word->lower.ptr[0] >= 0x80 ||
           (word->lower.ptr[0] >= '0' && word->lower.ptr[0] <= '9');
}

/* "Returns", where a text is "returned": such a text is no name but a word, so
 * its forms say the same. NULL: none. */
static const struct fact_place *same_stem(const struct grounding_walk *w,
                                          struct str word)
{
    static const uint32_t compares =
        PROSE_MORE | PROSE_LESS | PROSE_HIGH | PROSE_LOW | PROSE_EXTREME;
    if (word.len < 5 || prose_says(word, compares) ||
        map_get(&w->facts.words, word))
        return NULL;
    return facts_find_stem(&w->facts, word);
}

/* "Dutch", where a text is "Netherlands". */
static const struct fact_place *of_country(const struct grounding_walk *w,
                                           struct str word)
{
    static const char *const demonyms[][2] = {
#define DEMONYM(word, country) {word, country},
#include "demonyms.def"
#undef DEMONYM
    };
    for (size_t i = 0; i < sizeof demonyms / sizeof *demonyms; i++) {
        const struct fact_place *place =
            str_is(word, demonyms[i][0])
                ? facts_find(&w->facts, str_of(demonyms[i][1]))
                : NULL;
        if (place)
            return place;
    }
    return NULL;
}

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* The row that a number is of: 507, of "buses 411 and 507". */
static const struct fact_place *numbered_at(const struct grounding_walk *w,
                                            size_t at)
{
    enum { LIST_MOST = 12 };
    static const char links[] = " and or no nr number vs ";
    const struct wording_word *words = walk_words(w);
    size_t noun = at;
    char key[KEY_BYTES];
    if (!is_digits(words[at].lower))
        return NULL;
    while (noun && at - noun < LIST_MOST &&
           (noun == at || is_digits(words[noun].lower) ||
            wording_among(words[noun].lower, links)))
        noun--;
    struct str name = words[noun].lower, number = words[at].lower;
    if (name.len + number.len + 2 > sizeof key)
        return NULL;
    /* "bus", "buses", "trams" */
    for (size_t less = 0; less < 3 && name.len > less + 1; less++) {
        size_t n = name.len - less;
        if (less && name.ptr[name.len - 1] != 's')
            break;
        memcpy(key, name.ptr, n);
        key[n] = ' ';
        memcpy(key + n + 1, number.ptr, number.len);
        const struct fact_place *place =
            facts_find(&w->facts, (struct str){key, n + 1 + number.len});
        if (place)
            return place;
    }
    return NULL;
}

/* The number of a row is no figure of it. */
static void hide_number(struct grounding_walk *w, size_t from, size_t to)
{
    struct figure *all =
        w->figures.items + (size_t)(w->now.figures - w->figures.items);
    for (size_t i = 0; i < w->now.n_figures; i++)
        if (all[i].from >= from && all[i].to <= to)
            all[i].kind = FIGURE_PLACE;
}

/* The longest run of words from `at` that is a cell; 0: none. */
static size_t mention_at(struct grounding_walk *w, size_t at,
                         const struct fact_place **place)
{
    char key[KEY_BYTES];
    size_t len = 0, found = 0;
    const struct wording_word *words = walk_words(w);
    for (size_t n = 0; n < FACT_NAME_WORDS && at + n < w->now.sentence->n_words;
         n++) {
        struct str word = words[at + n].lower;
        if (len + word.len + 1 > sizeof key)
            break;
        if (n)
            key[len++] = ' ';
        memcpy(key + len, word.ptr, word.len);
        len += word.len;
        const struct fact_place *p =
            facts_find(&w->facts, (struct str){key, len});
        if (!p && word.len > (n ? 1 : 3) &&
            key[len - 1] == 's') /* "desk lamps" */
            p = facts_find(&w->facts, (struct str){key, len - 1});
        if (p && names_here(w, p, &words[at], n + 1)) {
            *place = p;
            found = n + 1;
        }
    }
    if (found)
        return found;
    *place = numbered_at(w, at);
    if (*place || map_get(&w->facts.words, words[at].lower))
        return *place != NULL;
    *place = same_stem(w, words[at].lower);
    if (!*place && words[at].capital)
        *place = of_country(w, words[at].lower);
    if (!*place && words[at].capital && !words[at].first)
        *place = facts_find(&w->facts, walk_resembled(w, words[at].lower));
    return *place != NULL;
}

static void find_mentions(struct grounding_walk *w)
{
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words;
    for (size_t i = 0; i < n && w->now.n_mentions < MENTIONS_MOST; i++) {
        const struct fact_place *place = NULL;
        size_t len = mention_at(w, i, &place);
        if (!len)
            continue;
        w->mentions[w->now.n_mentions++] = (struct row_mention){
            .from = words[i].from, .to = words[i + len - 1].to, .place = place};
        if (place->number)
            hide_number(w, words[i].from, words[i + len - 1].to);
        i += len - 1;
    }
}

static void insert_mention(struct grounding_walk *w, struct row_mention m)
{
    size_t at = w->now.n_mentions++;
    for (; at && w->mentions[at - 1].from > m.from; at--)
        w->mentions[at] = w->mentions[at - 1];
    w->mentions[at] = m;
}

/* The text that a word in small letters may be: "wind", of "Wind"; an ordinary
 * word only right after a text: "West store". */
static const struct fact_place *small_text(const struct grounding_walk *w,
                                           const struct wording_word *word,
                                           const struct fact_place *after)
{
    struct str key = word->lower;
    char more[32];
    if (word->capital || key.len < 3 ||
        (!after && prose_says(key, PROSE_COMMON)))
        return NULL;
    const struct fact_place *place = facts_find(&w->facts, key);
    if (!place && key.ptr[key.len - 1] == 's')
        place = facts_find(&w->facts, str_cut(key, 0, key.len - 1));
    if (!place && key.len < sizeof more) { /* "pretzel", of "Pretzels" */
        memcpy(more, key.ptr, key.len);
        more[key.len] = 's';
        place = facts_find(&w->facts, (struct str){more, key.len + 1});
    }
    return place;
}

/* The text that ends right before the word; NULL: none. */
static const struct fact_place *text_before(const struct grounding_walk *w,
                                            const struct wording_word *word)
{
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (w->mentions[i].place && w->mentions[i].to + 1 == word->from)
            return w->mentions[i].place;
    return NULL;
}

/* The two texts are of different columns of a table. */
static bool are_of_row(const struct fact_place *a, const struct fact_place *b)
{
    return a && b && a->table == b->table && a->column != b->column;
}

/* The sentence names another text of the same column. */
static bool has_other_text(const struct grounding_walk *w,
                           const struct fact_place *place)
{
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct fact_place *other = w->mentions[i].place;
        if (other && other != place && other->table == place->table &&
            other->column == place->column)
            return true;
    }
    return false;
}

/* "Wind generation", of `generation_mwh`; ", wind accounts for". */
static bool stands_for_rows(const struct grounding_walk *w,
                            const struct fact_place *place, size_t i)
{
    const struct wording_word *words = walk_words(w);
    const struct fact_table *t = &w->facts.tables[place->table];
    struct str text = w->wording.text;
    if (i + 1 >= w->now.sentence->n_words || words[i].lower.len < 4)
        return false;
    bool begins = !i || wording_among(words[i - 1].lower, " the a an ") ||
                  text.ptr[words[i].from - 2] == ',';
    /* "A third of all apartments" */
    if (i && str_is(words[i - 1].lower, "all"))
        return true;
    if (begins &&
        (words[i + 1].says & (PROSE_NAME_VERB | PROSE_MORE | PROSE_LESS)))
        return true;
    for (size_t k = 0; k < t->n_columns; k++)
        if (t->columns[k].adds &&
            column_name_has(t->columns[k].name, words[i + 1].lower))
            return true;
    return false;
}

/* Texts in small letters, next to others of their column or to what columns
 * count. */
static void find_small_mentions(struct grounding_walk *w)
{
    const struct wording_word *words = walk_words(w);
    bool more = true;
    while (more) { /* in a list, one shows what the next is */
        more = false;
        for (size_t i = 0;
             i < w->now.sentence->n_words && w->now.n_mentions < MENTIONS_MOST;
             i++) {
            const struct fact_place *after = text_before(w, &words[i]);
            const struct fact_place *place =
                walk_in_mention(w, words[i].from, words[i].to)
                    ? NULL
                    : small_text(w, &words[i], after);
            if (!place || !facts_work(&w->facts, 10) ||
                !(has_other_text(w, place) || are_of_row(after, place) ||
                  (!place->weak && !after && stands_for_rows(w, place, i))))
                continue;
            insert_mention(w, (struct row_mention){.from = words[i].from,
                                                   .to = words[i].to,
                                                   .place = place});
            more = true;
        }
    }
}

/* Puts the periods among the texts, in the order of the text. */
static void find_periods(struct grounding_walk *w)
{
    for (size_t i = 0;
         i < w->now.n_figures && w->now.n_mentions < MENTIONS_MOST; i++) {
        const struct figure *f = &w->now.figures[i];
        bool period =
            f->kind == FIGURE_PERIOD || (f->kind == FIGURE_MONTH && f->month);
        if (!period || walk_in_mention(w, f->from, f->to) ||
            walk_is_of_column(w, f) || !walk_has_rows_of(w, f))
            continue;
        insert_mention(w, (struct row_mention){
                              .from = f->from, .to = f->to, .period = *f});
    }
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
    find_mentions(w);
    if (w->english)
        find_small_mentions(w);
    find_periods(w);
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
