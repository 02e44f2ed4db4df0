/* grounding_mention.c - the rows that a sentence names, by their texts, their numbers and
 * their dates; see grounding_walk.h. */
#include "grounding_walk.h"
#include "column_name.h"
#include "grounding_name.h"
#include "prose.h"
#include "base/banned.h"

enum { KEY_BYTES = 200 };

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

/* "Store orders", of `orders`, next to a text of another column: "North store orders",
 * "store orders in the North"; or "gas plants", of `plant`. */
static bool is_kind_of(const struct grounding_walk *w,
                       const struct fact_place *place, size_t next)
{
    const struct wording_word *words = walk_words(w);
    const struct fact_table *t = &w->facts.tables[place->table];
    bool counted = false, things = false;
    if (next >= w->now.sentence->n_words)
        return false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct str name = t->columns[i].name;
        if (t->columns[i].adds && column_name_has(name, words[next - 1].lower))
            return false;
        things = things || (!t->columns[i].adds && !t->columns[i].dated &&
                            i != place->column &&
                            column_name_has(name, words[next].lower));
        counted = counted || (t->columns[i].adds &&
                              column_name_has(name, words[next].lower));
    }
    for (size_t i = 0; counted && !things && i < w->now.sentence->n_words;
         i++) {
        const struct fact_place *other =
            i + 1 == next ? NULL : facts_find(&w->facts, words[i].lower);
        if (other && !other->weak && other->table == place->table &&
            other->column != place->column)
            return true;
    }
    return things;
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
               is_kind_of(w, place, (size_t)(word - walk_words(w)) + n) ||
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

/* "Orion", of "10391 (Orion Textiles)" */
static bool is_in_brackets(const struct grounding_walk *w,
                           const struct wording_word *word)
{
    struct str text = w->wording.text;
    size_t at = word->to;
    while (at < w->now.sentence->to && text.ptr[at] != '(' &&
           text.ptr[at] != ')')
        at++;
    return at < w->now.sentence->to && text.ptr[at] == ')';
}

/* The row that a number is of: 507, of "buses 411 and 507". */
static const struct fact_place *of_number(const struct grounding_walk *w,
                                          struct str name, struct str number)
{
    char key[KEY_BYTES];
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

/* "Bus 411 is late and 507 is not": a number that begins a clause, after one with
 * its noun. */
static const struct fact_place *numbered_again(const struct grounding_walk *w,
                                               size_t at)
{
    static const char verbs[] = " is was has had are were remains ";
    const struct wording_word *words = walk_words(w);
    if (!at || at + 1 >= w->now.sentence->n_words ||
        !wording_among(words[at - 1].lower, " and but while whereas ") ||
        !wording_among(words[at + 1].lower, verbs))
        return NULL;
    for (size_t i = at - 1; i > 0; i--)
        if (is_digits(words[i].lower) &&
            of_number(w, words[i - 1].lower, words[i].lower))
            return of_number(w, words[i - 1].lower, words[at].lower);
    return NULL;
}

static const struct fact_place *numbered_at(const struct grounding_walk *w,
                                            size_t at)
{
    enum { LIST_MOST = 24 };
    static const char links[] = " and or no nr number vs ";
    const struct wording_word *words = walk_words(w);
    size_t noun = at;
    if (!is_digits(words[at].lower))
        return NULL;
    while (noun && at - noun < LIST_MOST &&
           (noun == at || is_digits(words[noun].lower) ||
            is_in_brackets(w, &words[noun]) ||
            wording_among(words[noun].lower, links)))
        noun--;
    const struct fact_place *place =
        of_number(w, words[noun].lower, words[at].lower);
    return place ? place : numbered_again(w, at);
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

void walk_find_mentions(struct grounding_walk *w)
{
    find_mentions(w);
    if (w->english)
        find_small_mentions(w);
    find_periods(w);
}
