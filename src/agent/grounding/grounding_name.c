/* grounding_name.c - names that no text knows; see grounding_name.h. */
#include "grounding_name.h"
#include "grounding_unit.h"
#include "prose.h"
#include "base/banned.h"

struct str walk_resembled(struct grounding_walk *w, struct str word)
{
    if (word.len < 5 || !facts_work(&w->facts, w->facts.words.count))
        return STR("");
    for (struct map_entry *e = NULL; (e = map_next(&w->facts.words, e));) {
        struct str a = e->key, b = word;
        size_t n = 0;
        while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
            n++;
        if (n >= 5 && a.len - n <= 3 && b.len - n <= 2)
            return a;
    }
    return STR("");
}

static bool is_known(struct grounding_walk *w, const struct wording_word *word)
{
    struct str lower = word->lower;
    if (map_get(&w->facts.words, lower) || prose_says(lower, PROSE_COMMON) ||
        lower.len < 3)
        return true;
    if (walk_resembled(w, lower).len)
        return true;
    /* a plural, or the singular of one */
    if (lower.ptr[lower.len - 1] == 's')
        return map_get(&w->facts.words, str_cut(lower, 0, lower.len - 1)) ||
               prose_says(str_cut(lower, 0, lower.len - 1), PROSE_COMMON);
    return false;
}

static bool all_capitals(const struct grounding_walk *w,
                         const struct wording_word *word)
{
    for (size_t i = word->from; i < word->to; i++) {
        char c = w->wording.text.ptr[i];
        if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9'))
            return false;
    }
    return word->to - word->from <= 5;
}

/* "one_click_pay" is a name, too, and no text knows one of its parts. */
static bool is_identifier(struct grounding_walk *w, size_t i)
{
    const struct wording_sentence *s = w->now.sentence;
    const struct wording_word *word = &walk_words(w)[i];
    const char *text = w->wording.text.ptr;
    bool joined = (word->from > s->from && text[word->from - 1] == '_' && i &&
                   word[-1].to + 1 == word->from) ||
                  (i + 1 < s->n_words && text[word->to] == '_' &&
                   word[1].from == word->to + 1);
    return joined && word->lower.ptr[0] > '9' && !is_known(w, word);
}

/* "Web-03", where texts are "web-01" and "web-02". */
static bool is_numbered(struct grounding_walk *w, size_t i)
{
    const struct wording_word *word = &walk_words(w)[i];
    struct map_entry *e = NULL;
    if (i + 1 == w->now.sentence->n_words || word->lower.ptr[0] <= '9' ||
        w->wording.text.ptr[word->to] != '-' || word[1].from != word->to + 1 ||
        word[1].lower.ptr[0] > '9' || !map_get(&w->facts.words, word->lower) ||
        !facts_work(&w->facts, w->facts.places.count))
        return false;
    while ((e = map_next(&w->facts.places, e))) {
        size_t n = word->lower.len;
        if (e->key.len > n + 1 && str_starts(e->key, word->lower) &&
            e->key.ptr[n] == ' ' && e->key.ptr[n + 1] <= '9' &&
            str_find_char(str_from(e->key, n + 1), ' ') < 0)
            return true;
    }
    return false;
}

/* "Consumption": formed like a noun for what is measured. */
static bool is_formed_as_noun(struct str word)
{
    static const struct {
        const char *end;
        size_t least; /* of letters: "France" is a name */
    } ends[] = {{"tion", 7},  {"tions", 8}, {"sion", 7},  {"sions", 8},
                {"ment", 7},  {"ments", 8}, {"ness", 7},  {"ance", 8},
                {"ances", 9}, {"ship", 8},  {"ships", 9}, {"ity", 7},
                {"ities", 8}, {"ure", 8},   {"ures", 9},  {"age", 5}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (word.len >= ends[i].least && str_ends(word, str_of(ends[i].end)))
            return true;
    return false;
}

/* A word with a capital that no text knows. At the start of a sentence it is a
 * name only where a verb or a number of a table follows. */
static bool is_name(struct grounding_walk *w, size_t i)
{
    const struct wording_sentence *s = w->now.sentence;
    const struct wording_word *word = &walk_words(w)[i];
    struct str next = i + 1 < s->n_words ? word[1].lower : STR("");
    if (!word->capital || all_capitals(w, word) || is_known(w, word))
        return false;
    /* "Blue Monday" is a name, and "Popular" songs are none. */
    bool quoted = word->from && i + 1 < s->n_words && word[1].capital &&
                  w->wording.text.ptr[word->from - 1] == '"';
    if (!word->first || quoted)
        return true;
    return (prose_says(next, PROSE_NAME_VERB) &&
            !is_formed_as_noun(word->lower)) ||
           (s->kind == SENTENCE_ROW && next.len &&
            ((next.ptr[0] >= '0' && next.ptr[0] <= '9') || word[1].first));
}

const struct wording_word *walk_unknown_name(struct grounding_walk *w)
{
    const struct wording_sentence *s = w->now.sentence;
    if (s->kind == SENTENCE_HEADING || s->kind == SENTENCE_TABLE_TOP ||
        s->kind == SENTENCE_CODE)
        return NULL;
    for (size_t i = 0; i < s->n_words; i++) {
        const struct wording_word *word = &walk_words(w)[i];
        bool inside = false;
        for (size_t k = 0; k < w->now.n_figures; k++)
            inside = inside ||
                     (word->from >= w->now.figures[k].from &&
                      word->to <= w->now.figures[k].to) ||
                     (word->capital && /* "5 GWh" */
                      word->from == w->now.figures[k].to + 1 &&
                      unit_of_word(word->lower) != UNIT_NONE);
        if (!inside && !walk_in_mention(w, word->from, word->to) &&
            (is_name(w, i) || is_identifier(w, i) || is_numbered(w, i)))
            return word;
    }
    return NULL;
}
