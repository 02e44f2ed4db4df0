/* rule_nouns.c - what the name of an output counts, and what a dataset is called.
 */
#include "rule.h"
#include "base/buf.h"
#include "../words.h"
#include "base/banned.h"

static void put_noun(struct guardrail_check *j, struct buf *out,
                     struct str name, const char *const *without)
{
    struct name_words w = name_words(j->arena, name);
    size_t before = out->len;
    for (size_t i = 0; i < w.n; i++)
        if (!without || !word_among(w.items[i], without))
            buf_printf(out, "%s%.*s", out->len > before ? " " : "",
                       STR_ARG(w.one[i]));
}

struct str rule_noun(struct guardrail_check *j, struct str name)
{
    struct buf out;
    buf_init(&out, j->arena);
    put_noun(j, &out, name, NULL);
    return buf_view(&out);
}

struct str rule_counted_noun(struct guardrail_check *j, struct str name)
{
    static const char *const without[] = {
        "count",    "counts",    "number", "num",     "no",  "n",    "nr",
        "cnt",      "total",     "of",     "the",     "how", "many", "unique",
        "distinct", "different", "all",    "overall", "sum", NULL};
    static const char *const periods[] = {
        "q1",      "q2",        "q3",      "q4",       "h1",       "h2",
        "jan",     "feb",       "mar",     "apr",      "may",      "jun",
        "jul",     "aug",       "sep",     "oct",      "nov",      "dec",
        "january", "february",  "march",   "april",    "june",     "july",
        "august",  "september", "october", "november", "december", "ytd",
        "mtd",     "last",      "this",    "previous", "prior",    "current",
        NULL};
    static const char *const joining[] = {"per",   "during",  "since", "before",
                                          "after", "without", "until", NULL};
    struct name_words w = name_words(j->arena, name);
    struct buf out;
    size_t n = 0;
    buf_init(&out, j->arena);
    /* "of_shop" says what it belongs to, and not what is counted */
    if (w.n && str_is(w.items[0], "of"))
        return STR("");
    for (size_t i = 0; i < w.n; i++) {
        /* "centres_2023", "orders_in_march", "readers_of_poetry" */
        bool in = str_is(w.items[i], "in") && i + 1 < w.n;
        char c = w.items[i + in].ptr[0];
        if (n &&
            ((c >= '0' && c <= '9') || word_among(w.items[i + in], periods) ||
             (i + 1 < w.n && (word_is_preposition(w.items[i]) ||
                              word_among(w.items[i], joining)))))
            break;
        if (word_among(w.items[i], without))
            continue;
        buf_printf(&out, "%s%.*s", n++ ? " " : "", STR_ARG(w.one[i]));
    }
    return buf_view(&out);
}

struct str rule_names_of(struct guardrail_check *j, const struct dataset *d)
{
    enum { SYNONYMS = 10 };
    struct buf out;
    buf_init(&out, j->arena);
    put_noun(j, &out, d->name, NULL);
    for (size_t i = 0; i < d->hints.synonyms.n && i < SYNONYMS; i++) {
        buf_char(&out, '|');
        put_noun(j, &out, d->hints.synonyms.items[i], NULL);
    }
    return buf_view(&out);
}

/* What has happened to things: "affected", "sold". */
static bool is_participle(struct str word)
{
    static const char *const irregular[] = {
        "sold", "lost", "paid",  "sent",   "held",    "kept",  "left",  "hit",
        "hurt", "met",  "won",   "made",   "built",   "taken", "given", "seen",
        "used", "born", "flown", "driven", "written", "shown", "drawn", NULL};
    return (word.len > 4 && str_ends(word, STR("ed"))) ||
           word_among(word, irregular);
}

/* The noun is the name, perhaps with what has happened to these: "machines
 * affected". */
static bool is_name(struct str name, struct str noun)
{
    if (!noun.len || !name.len || !str_starts(noun, name))
        return false;
    struct str rest = str_from(noun, name.len);
    return !rest.len ||
           (rest.ptr[0] == ' ' && is_participle(str_from(rest, 1)));
}

bool rule_names_hold(struct str names, struct str noun)
{
    struct str name;
    while (str_split(&names, '|', &name))
        if (is_name(name, noun))
            return true;
    return false;
}

bool rule_names_end(struct str names, struct str noun)
{
    struct str name;
    while (str_split(&names, '|', &name))
        if (name.len && name.len < noun.len && str_ends(noun, name) &&
            noun.ptr[noun.len - name.len - 1] == ' ')
            return true;
    return false;
}
