/* asked_ends.c - the end of an order that a question asks for. */
#include "asked.h"
#include "../words.h"
#include "base/banned.h"

/* "most" and "least" of a quality tell no direction: the most efficient vehicle
 * uses the least fuel. Of some, more is always more, and "most monthly revenue"
 * is about the revenue. */
static bool is_quality(struct str word)
{
    static const char *const more[] = {
        "profitable", "valuable", "frequently", "commonly",  "regularly",
        "expensive",  "active",   "actively",   "lucrative", "productive",
        "extensive",  "heavily",  "hourly",     "daily",     "weekly",
        "monthly",    "yearly",   "quarterly",  "family",    "supply",
        "billable",   "taxable",  "available",  NULL};
    static const char *const words[] = {"efficient", "difficult",  "economical",
                                        "punctual",  "accurate",   "critical",
                                        "senior",    "junior",     "secure",
                                        "urgent",    "consistent", NULL};
    static const char *const endings[] = {"able", "ible", "ly",
                                          "ive",  "ful",  NULL};
    if (word_among(word, words))
        return true;
    for (const char *const *e = endings; *e; e++)
        if (word.len > 5 && str_ends(word, str_of(*e)))
            return !word_among(word, more);
    return false;
}

/* The word after "most" or "least" at `i` is a quality. */
static bool is_of_quality(const struct asked_words *q, size_t i)
{
    return i + 1 < q->n && is_quality(q->items[i + 1]);
}

/* "best-selling" is the most, "slowest-moving" the least: the words from `i` on.
 * 0: neither. */
static int compound_at(const struct asked_words *q, size_t i)
{
    static const char *const up[] = {"best",    "top",     "highest",
                                     "fastest", "hottest", NULL};
    static const char *const down[] = {"worst",   "slowest", "lowest",
                                       "poorest", "weakest", NULL};
    static const char *const what[] = {
        "selling",    "seller",   "sellers",  "performing", "performer",
        "performers", "earning",  "earner",   "earners",    "paying",
        "paid",       "rated",    "scoring",  "grossing",   "attended",
        "growing",    "reviewed", "moving",   "turning",    "trading",
        "converting", "funded",   "yielding", "utilised",   "utilized",
        "booked",     "visited",  NULL};
    static const char *const whole[] = {"bestselling", "bestseller",
                                        "bestsellers", NULL};
    if (word_among(q->items[i], whole))
        return 1;
    if (i + 1 >= q->n || !word_among(q->items[i + 1], what))
        return 0;
    return word_among(q->items[i], up)     ? 1
           : word_among(q->items[i], down) ? -1
                                           : 0;
}

static bool has_compound(const struct asked_words *q, int direction)
{
    for (size_t i = 0; i < q->n; i++)
        if (compound_at(q, i) == direction)
            return true;
    return false;
}

/* Of this less is better, so that the best-performing has the least of it. */
static bool is_burden(struct arena *arena, struct str name)
{
    static const char *const burdens[] = {
        "delay",        "cost",     "defect",   "complaint", "refund",
        "return",       "churn",    "time",     "day",       "hour",
        "minute",       "second",   "wait",     "age",       "late",
        "cancellation", "loss",     "downtime", "outage",    "expense",
        "risk",         "rank",     "place",    "stock",     "failure",
        "duration",     "incident", NULL};
    struct name_words w = name_words(arena, name);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.one[i], burdens))
            return true;
    return false;
}

/* "most" of "most recent" and of "at most" says nothing of a measure. */
static bool has_most(const struct asked_words *q)
{
    static const char *const list[] = {
        "highest",    "largest",  "biggest",  "top",       "greatest",
        "maximum",    "longest",  "priciest", "heaviest",  "wettest",
        "fullest",    "busiest",  "tallest",  "hottest",   "warmest",
        "widest",     "broadest", "thickest", "loudest",   "richest",
        "costliest",  "dearest",  "steepest", "strongest", "densest",
        "brightest",  "windiest", "rainiest", "sunniest",  "snowiest",
        "lengthiest", "bulkiest", "roomiest", "fattest",   "saltiest",
        "commonest",  "furthest", "farthest", NULL};
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list) && !compound_at(q, i))
            return true;
    for (size_t i = 0; i < q->n; i++)
        if (str_is(q->items[i], "most") &&
            !(i > 0 && str_is(q->items[i - 1], "at")) &&
            !(i + 1 < q->n && (str_is(q->items[i + 1], "recent") ||
                               str_is(q->items[i + 1], "recently") ||
                               str_is(q->items[i + 1], "of"))) &&
            !is_of_quality(q, i))
            return true;
    return false;
}

/* "at least" says nothing of an order. */
static bool has_least(const struct asked_words *q)
{
    static const char *const list[] = {
        "lowest",    "smallest", "fewest",    "bottom",   "minimum",
        "cheapest",  "shortest", "slightest", "driest",   "emptiest",
        "quietest",  "coldest",  "coolest",   "lightest", "thinnest",
        "narrowest", "darkest",  "sparsest",  "tiniest",  "briefest",
        "slimmest",  NULL};
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list) && !compound_at(q, i))
            return true;
    for (size_t i = 0; i < q->n; i++)
        if (str_is(q->items[i], "least") &&
            !(i > 0 && str_is(q->items[i - 1], "at")) && !is_of_quality(q, i))
            return true;
    return false;
}

/* Of the fullest there is least of this. */
static bool is_room(struct arena *arena, struct str name)
{
    static const char *const room[] = {"free",      "empty",  "spare",
                                       "available", "unused", "idle",
                                       "remaining", "vacant", NULL};
    struct name_words w = name_words(arena, name);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.items[i], room))
            return true;
    return false;
}

/* Superlatives that tell the end only of what has one of these names: the
 * fastest has the most speed and the least time. */
static const struct {
    const char *word;
    int direction;
    const char *names[8];
} superlatives[] = {
#define SPEEDS {"speed", "velocity", "kmh", "mph", "knot", "pace", NULL}
#define TIMES \
    {"time", "duration", "minute", "second", "hour", "day", "lap", NULL}
#define AGES {"age", NULL}
#define DEPTHS {"depth", NULL}
    {"fastest", 1, SPEEDS},  {"fastest", -1, TIMES}, {"quickest", -1, TIMES},
    {"slowest", -1, SPEEDS}, {"slowest", 1, TIMES},  {"oldest", 1, AGES},
    {"youngest", -1, AGES},  {"deepest", 1, DEPTHS}, {"shallowest", -1, DEPTHS},
#undef SPEEDS
#undef TIMES
#undef AGES
#undef DEPTHS
};

/* The end that the word names of a measure of this name, or 0. */
static int superlative_end(struct arena *arena, struct str word,
                           struct str name)
{
    struct name_words w = name_words(arena, name);
    for (size_t i = 0; i < sizeof superlatives / sizeof *superlatives; i++)
        for (size_t k = 0; str_is(word, superlatives[i].word) && k < w.n; k++)
            if (word_among(w.one[k], superlatives[i].names))
                return superlatives[i].direction;
    return 0;
}

/* A superlative names this end of what has this name. */
static bool has_superlative(struct arena *arena, const struct asked_words *q,
                            int direction, struct str name)
{
    for (size_t i = 0; i < q->n; i++)
        if (!compound_at(q, i) &&
            superlative_end(arena, q->items[i], name) == direction)
            return true;
    return false;
}

/* Words of an order that is neither of the two for certain. */
static bool has_other_order(struct arena *arena, const struct asked_words *q,
                            struct str name)
{
    static const char *const list[] = {
        "fastest", "slowest",   "quickest",   "deepest",      "shallowest",
        "closest", "nearest",   "soonest",    "youngest",     "worst",
        "best",    "rarest",    "earliest",   "oldest",       "latest",
        "newest",  "ascending", "descending", "alphabetical", "alphabetically",
        NULL};
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list) && !compound_at(q, i) &&
            !superlative_end(arena, q->items[i], name))
            return true;
    return false;
}

/* The question asks for the most, or the least, of what has this name. */
bool asked_end(struct arena *arena, const struct asked_words *q, bool most,
               struct str name)
{
    bool up = has_most(q) || has_superlative(arena, q, 1, name);
    bool down = has_least(q) || has_superlative(arena, q, -1, name);
    if (is_room(arena, name) &&
        asked_phrase(q, STR("fullest|emptiest|busiest")))
        return false;
    if (!is_burden(arena, name)) {
        up = up || has_compound(q, 1);
        down = down || has_compound(q, -1);
    } else if (has_compound(q, 1) || has_compound(q, -1)) {
        return false;
    }
    return (most ? up && !down : down && !up) &&
           !has_other_order(arena, q, name);
}

/* "hired first", "who joined last at each branch", but not "hired last month":
 * the column's own verb next to `which`. */
static bool has_verb_end(struct arena *arena, const struct asked_words *q,
                         struct str column, const char *which)
{
    static const char *const ends[] = {"at",  "in",  "of", "by", "per", "on",
                                       "for", "and", "to", "or", NULL};
    struct name_words w = name_words(arena, column);
    for (size_t i = 0; i < q->n; i++) {
        if (!str_is(q->items[i], which))
            continue;
        bool open = i + 1 == q->n || word_among(q->items[i + 1], ends);
        for (size_t k = 0; k < w.n; k++) {
            struct str verb = w.items[k];
            if (verb.len < 5 || !str_ends(verb, STR("ed")))
                continue;
            struct str said = i > 0 ? q->items[i - 1] : STR("");
            bool same = said.len + 2 >= verb.len && str_starts(verb, said);
            if ((open && same) ||
                (i + 1 < q->n && str_eq(q->items[i + 1], verb)))
                return true;
        }
    }
    return false;
}

/* What lasts since this time, or who is of that age: the longest has the
 * earliest. */
static bool begins(struct arena *arena, struct str column)
{
    static const char *const starts[] = {
        "hired",    "hire",        "joined",    "join",     "start",
        "started",  "starts",      "begin",     "began",    "since",
        "opened",   "registered",  "founded",   "created",  "entered",
        "enrolled", "established", "employed",  "signed",   "opening",
        "signup",   "joining",     "appointed", "launched", NULL};
    struct name_words w = name_words(arena, column);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.items[i], starts))
            return true;
    return false;
}

static bool is_birth(struct arena *arena, struct str column)
{
    static const char *const births[] = {"born",     "birth",     "dob",
                                         "birthday", "birthdate", NULL};
    struct name_words w = name_words(arena, column);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.items[i], births))
            return true;
    return false;
}

/* The earliest or the latest of this column. */
bool asked_time_end(struct arena *arena, const struct asked_words *q,
                    bool latest, struct str column)
{
    static const char *const late[] = {"latest", "newest", NULL};
    static const char *const early[] = {"earliest", "oldest", NULL};
    static const char *const young[] = {"youngest", NULL};
    bool l = asked_any(q, late) ||
             asked_phrase(q, STR("most recent|most recently")) ||
             has_verb_end(arena, q, column, "last");
    bool e = asked_any(q, early) || has_verb_end(arena, q, column, "first");
    if (begins(arena, column)) {
        e = e || asked_phrase(q, STR("longest serving|longest standing|"
                                     "longest tenure|longest employed|"
                                     "longest established|longest running|"
                                     "longest membership|been * longest|"
                                     "served * longest|worked * longest|"
                                     "with us * longest|longest been"));
        l = l || asked_phrase(q, STR("shortest serving|shortest tenure|"
                                     "been * shortest|served * shortest|"
                                     "worked * shortest|with us * shortest"));
    }
    l = l || (is_birth(arena, column) && asked_any(q, young));
    return latest ? l && !e : e && !l;
}
