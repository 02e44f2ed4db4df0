/* asked_shares.c - what a question takes a share of, and within what. */
#include "asked.h"
#include "base/plural.h"
#include "../words.h"
#include "base/banned.h"

/* The adjective does not begin with the name of the country. */
static bool is_demonym(struct str word, struct str country)
{
    static const char *const pairs[][2] = {{"french", "France"},
                                           {"german", "Germany"},
                                           {"italian", "Italy"},
                                           {"spanish", "Spain"},
                                           {"dutch", "Netherlands"},
                                           {"swiss", "Switzerland"},
                                           {"belgian", "Belgium"},
                                           {"polish", "Poland"},
                                           {"danish", "Denmark"},
                                           {"swedish", "Sweden"},
                                           {"norwegian", "Norway"},
                                           {"finnish", "Finland"},
                                           {"irish", "Ireland"},
                                           {"british", "United Kingdom"},
                                           {"british", "UK"},
                                           {"greek", "Greece"},
                                           {"turkish", "Turkey"},
                                           {"hungarian", "Hungary"},
                                           {"chinese", "China"},
                                           {"canadian", "Canada"},
                                           {"mexican", "Mexico"},
                                           {"american", "USA"},
                                           {"american", "United States"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (str_is(word, pairs[i][0]) &&
            str_eq_nocase(country, str_of(pairs[i][1])))
            return true;
    return false;
}

/* The words from `i` on begin with those of the value: "European" of Europe.
 * Returns how many they are, or 0. */
static size_t value_at(const struct asked_words *q, size_t i, struct str value)
{
    enum { VALUE_BYTES = 3 };
    struct str part;
    size_t n = 0;
    if (i < q->n && is_demonym(q->items[i], value))
        return 1;
    while (str_split(&value, ' ', &part)) {
        if (part.len < VALUE_BYTES || i + n >= q->n ||
            q->items[i + n].len < part.len ||
            !str_eq_nocase(str_cut(q->items[i + n], 0, part.len), part))
            return 0;
        n++;
    }
    return n;
}

static const char *const shares[] = {"share",      "shares",     "percent",
                                     "percentage", "proportion", "fraction",
                                     "portion",    "part",       NULL};
static const char *const verbs[] = {
    "is",   "are",  "was",   "were",  "comes", "come", "came",
    "does", "do",   "did",   "has",   "have",  "had",  "goes",
    "go",   "went", "falls", "makes", "made",  "make", NULL};

/* The word at `i` ends one of the names. */
static bool ends_name(struct arena *arena, const struct asked_words *q,
                      size_t i, struct str names)
{
    struct str name, last, one = plural_to_singular(arena, q->items[i]);
    while (str_split(&names, '|', &name)) {
        while (str_split(&name, ' ', &last))
            ;
        if (one.len && str_eq(last, one))
            return true;
    }
    return false;
}

/* A value that the question says from the word `from` on, in `n` words. */
struct said_value {
    size_t from, n;
};

/* The value begins at the word `i`. A code needs its name next to it, as in
 * "valley 3", "grade A" and "5 stars"; a year needs none. */
static struct said_value said_at(struct arena *arena,
                                 const struct asked_words *q, size_t i,
                                 struct str names, struct str value)
{
    enum { YEAR_DIGITS = 4, CODE_BYTES = 3 };
    int64_t number;
    bool digits = str_to_int64(value, &number);
    if (!digits && value.len >= CODE_BYTES)
        return (struct said_value){i, value_at(q, i, value)};
    bool named = i > 0 && ends_name(arena, q, i - 1, names);
    bool counted = digits && i + 1 < q->n && ends_name(arena, q, i + 1, names);
    bool same = i < q->n && str_eq_nocase(q->items[i], value) &&
                (named || counted || (digits && value.len == YEAR_DIGITS));
    return (struct said_value){named ? i - 1 : i, same};
}

/* "Within valley 3, what share of …", but not "For lift 3, what share … is it". */
static bool opens_within(struct arena *arena, const struct asked_words *q,
                         struct str names, struct str value)
{
    static const char *const openings[] = {"in",    "within", "of", "for",
                                           "among", "inside", NULL};
    static const char *const back[] = {"it",    "its",  "they",
                                       "their", "this", NULL};
    if (!q->n || !word_among(q->items[0], openings) || asked_any(q, back))
        return false;
    for (size_t k = 1; k < q->n && !word_among(q->items[k], shares); k++)
        if (said_at(arena, q, k, names, value).n)
            return true;
    return false;
}

/* "each plant's scrap is split among …" */
static const char *const splits[] = {
    "split",        "splits",      "divided", "divide", "distributed",
    "distribution", "breakdown",   "break",   "broken", "spread",
    "composed",     "composition", NULL};

/* "How are the 5 star loans distributed over …?" */
static bool is_split_of(struct arena *arena, const struct asked_words *q,
                        struct str names, struct str value)
{
    bool said = false;
    for (size_t k = 1; k < q->n && str_is(q->items[0], "how"); k++) {
        if (word_among(q->items[k], splits))
            return said;
        said = said || said_at(arena, q, k, names, value).n;
    }
    return false;
}

/* "share of the online sales": the value restricts the whole. In "share of
 * online in the sales" and "share of the sales is online" it is the part. */
bool asked_whole_of(struct arena *arena, const struct asked_words *q,
                    struct str names, struct str value)
{
    static const char *const joining[] = {"in",  "of", "from",   "among", "at",
                                          "for", "by", "within", "on",    "to",
                                          "and", "or", NULL};
    for (size_t i = 0; i + 1 < q->n; i++) {
        if (!word_among(q->items[i], shares) || !str_is(q->items[i + 1], "of"))
            continue;
        for (size_t k = i + 2; k < q->n && !word_among(q->items[k], verbs);
             k++) {
            struct said_value said = said_at(arena, q, k, names, value);
            size_t end = k + said.n;
            bool after = said.from > i + 2 &&
                         word_among(q->items[said.from - 1], joining);
            if (said.n &&
                (after || (end < q->n && !word_among(q->items[end], joining) &&
                           !word_among(q->items[end], verbs))))
                return true;
        }
    }
    return opens_within(arena, q, names, value) ||
           is_split_of(arena, q, names, value);
}

/* "share of the flights of each origin": the words at `i` are "of each" and end
 * what a share is taken of. */
static bool ends_whole(const struct asked_words *q, size_t i)
{
    for (size_t k = i; k-- > 0 && !word_among(q->items[k], verbs);)
        if (word_among(q->items[k], shares))
            return k + 1 < i && str_is(q->items[k + 1], "of");
    return false;
}

/* A share within each of these: "for each building, …", "of its region's …",
 * "of each region's …", "split each region's …". */
bool asked_within_each(struct arena *arena, const struct asked_words *q,
                       struct str names)
{
    static const char *const openings[] = {
        "for each",     "for every",   "within each", "within every",
        "within a",     "in each",     "in every",    "within its",
        "within their", "inside each", NULL};
    static const char *const owners[] = {"of each",  "of every", "of its",
                                         "of their", "of the",   NULL};
    for (size_t i = 0; i < q->n; i++) {
        for (const char *const *o = openings; *o; o++)
            if (asked_says(q, i, str_of(*o)) &&
                asked_names_at(arena, q, i + 2, names, false))
                return true;
        for (const char *const *o = owners; *o; o++)
            if (asked_says(q, i, str_of(*o)) &&
                asked_names_at(arena, q, i + 2, names, false) &&
                (ends_whole(q, i) ||
                 (i + 3 < q->n && str_is(q->items[i + 3], "s"))))
                return true;
        if (asked_any(q, splits) &&
            (asked_says(q, i, STR("each")) || asked_says(q, i, STR("every"))) &&
            asked_names_at(arena, q, i + 1, names, false) && i + 2 < q->n &&
            str_is(q->items[i + 2], "s"))
            return true;
    }
    return false;
}

/* "each kind", "by product family", "among the families": the words before `i`
 * say that these are rows, and not "of each kind". */
static bool begins_row(const struct asked_words *q, size_t i)
{
    static const char *const before[] = {"each",  "every",   "by",     "per",
                                         "among", "between", "across", NULL};
    static const char *const whole[] = {"of", "in", "within", NULL};
    enum { MODIFIERS = 2 }; /* between "each" and its noun */
    for (size_t k = i; k-- > 0 && i - k <= MODIFIERS + 1;) {
        if (word_among(q->items[k], before))
            return k == 0 || !word_among(q->items[k - 1], whole) ||
                   (k > 1 && word_among(q->items[k - 2], shares));
        if (word_among(q->items[k], whole) || word_among(q->items[k], verbs) ||
            str_is(q->items[k], "s"))
            return false;
    }
    return false;
}

/* These are what the rows of the answer are: "each kind", "by kind"; and they are
 * named in no other way, as the whole would be: "of its category". */
bool asked_rows(struct arena *arena, const struct asked_words *q,
                struct str names)
{
    bool any = false;
    for (size_t i = 0; i < q->n; i++) {
        if (!asked_names_at(arena, q, i, names, false))
            continue;
        if (!begins_row(q, i) || (i + 1 < q->n && str_is(q->items[i + 1], "s")))
            return false;
        any = true;
    }
    return any;
}
