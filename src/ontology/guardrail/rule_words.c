/* rule_words.c - words of the question. */
#include "rule.h"
#include "base/plural.h"
#include "../words.h"
#include "base/banned.h"

/* ---- the question -------------------------------------------------------- */

struct asked_words {
    struct str *items; /* in lower case */
    size_t n;
};

static struct asked_words question_read(struct arena *arena,
                                        struct str question)
{
    struct asked_words q = {arena_new_array(arena, struct str, ASKS_WORDS), 0};
    size_t at = 0;
    while (at < question.len && q.n < ASKS_WORDS) {
        size_t from = at;
        while (at < question.len &&
               (str_is_alnum(question.ptr[at]) || question.ptr[at] == '_' ||
                (unsigned char)question.ptr[at] >= 0x80))
            at++;
        if (at > from) {
            struct str word =
                arena_str(arena, str_cut(question, from, at - from));
            for (size_t i = 0; i < word.len; i++) {
                char *c = (char *)word.ptr + i;
                if (*c >= 'A' && *c <= 'Z')
                    *c = (char)(*c + 32);
            }
            q.items[q.n++] = word;
        } else {
            at++;
        }
    }
    return q;
}

static bool has(const struct asked_words *q, const char *const *list)
{
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list))
            return true;
    return false;
}

/* The word at `i` begins this phrase of words separated by blanks; "*" is for up
 * to ASKS_BETWEEN words. */
enum { ASKS_BETWEEN = 5 };
static bool says(const struct asked_words *q, size_t i, struct str phrase)
{
    struct str word;
    while (str_split(&phrase, ' ', &word)) {
        if (str_is(word, "*")) {
            for (size_t k = 0; k <= ASKS_BETWEEN; k++)
                if (says(q, i + k, phrase))
                    return true;
            return false;
        }
        if (i >= q->n || !str_eq(q->items[i], word))
            return false;
        i++;
    }
    return true;
}

static bool has_phrase(const struct asked_words *q, struct str phrases)
{
    struct str phrase;
    while (str_split(&phrases, '|', &phrase))
        for (size_t i = 0; phrase.len && i < q->n; i++)
            if (says(q, i, phrase))
                return true;
    return false;
}

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
        "highest",  "largest",   "biggest",    "top",      "greatest",
        "maximum",  "longest",   "priciest",   "heaviest", "tallest",
        "widest",   "costliest", "wealthiest", "richest",  "loudest",
        "steepest", "farthest",  "furthest",   NULL};
    if (has(q, list))
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
        "lowest",   "smallest",  "fewest",    "bottom",   "minimum", "cheapest",
        "shortest", "slightest", "narrowest", "lightest", "poorest", NULL};
    if (has(q, list))
        return true;
    for (size_t i = 0; i < q->n; i++)
        if (str_is(q->items[i], "least") &&
            !(i > 0 && str_is(q->items[i - 1], "at")) && !is_of_quality(q, i))
            return true;
    return false;
}

/* Words of an order that is neither of the two for certain. */
static bool has_other_order(const struct asked_words *q)
{
    static const char *const list[] = {
        "fastest",      "slowest",        "closest", "nearest",   "soonest",
        "youngest",     "worst",          "best",    "rarest",    "earliest",
        "oldest",       "latest",         "newest",  "ascending", "descending",
        "alphabetical", "alphabetically", NULL};
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list) && !compound_at(q, i))
            return true;
    return false;
}

/* "Fullest", "driest": the most or the least, unless the column says what is not
 * there, as free seats do. */
static void find_states(struct arena *arena, const struct asked_words *q,
                        struct str name, bool *up, bool *down)
{
    static const char *const most[] = {"busiest",  "fullest",   "wettest",
                                       "hottest",  "warmest",   "windiest",
                                       "sunniest", "brightest", NULL};
    static const char *const least[] = {"quietest", "emptiest", "driest",
                                        "coldest",  "coolest",  "darkest",
                                        NULL};
    static const char *const absent[] = {
        "free",    "remaining", "left",  "available", "empty", "vacant",
        "vacancy", "spare",     "open",  "unsold",    "idle",  "unused",
        "dry",     "clear",     "cloud", "lack",      "gap",   NULL};
    struct name_words w = name_words(arena, name);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.items[i], absent) || word_among(w.one[i], absent))
            return;
    *up = *up || has(q, most);
    *down = *down || has(q, least);
}

/* The question asks for the most, or the least, of what has this name. */
static bool has_end(struct arena *arena, const struct asked_words *q, bool most,
                    struct str name)
{
    bool up = has_most(q), down = has_least(q);
    find_states(arena, q, name, &up, &down);
    if (!is_burden(arena, name)) {
        up = up || has_compound(q, 1);
        down = down || has_compound(q, -1);
    } else if (has_compound(q, 1) || has_compound(q, -1)) {
        return false;
    }
    return (most ? up && !down : down && !up) && !has_other_order(q);
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
static bool has_time_end(struct arena *arena, const struct asked_words *q,
                         bool latest, struct str column)
{
    static const char *const late[] = {"latest", "newest", NULL};
    static const char *const early[] = {"earliest", "oldest", NULL};
    static const char *const young[] = {"youngest", NULL};
    bool l = has(q, late) || has_phrase(q, STR("most recent|most recently")) ||
             has_verb_end(arena, q, column, "last");
    bool e = has(q, early) || has_verb_end(arena, q, column, "first");
    if (begins(arena, column)) {
        e = e || has_phrase(q, STR("longest serving|longest standing|"
                                   "longest tenure|longest employed|"
                                   "longest established|longest running|"
                                   "longest membership|been * longest|"
                                   "served * longest|worked * longest|"
                                   "with us * longest|longest been"));
        l = l || has_phrase(q, STR("shortest serving|shortest tenure|"
                                   "been * shortest|served * shortest|"
                                   "worked * shortest|with us * shortest"));
    }
    l = l || (is_birth(arena, column) && has(q, young));
    return latest ? l && !e : e && !l;
}

/* The words from `i` on are one of the names, the last one perhaps in the
 * plural; it must be if `several`. */
static bool names_at(struct arena *arena, const struct asked_words *q, size_t i,
                     struct str names, bool several)
{
    struct str name, part;
    while (str_split(&names, '|', &name)) {
        size_t at = i;
        bool same = name.len > 0, plural = false;
        while (same && str_split(&name, ' ', &part)) {
            struct str one =
                at < q->n ? plural_to_singular(arena, q->items[at]) : STR("");
            plural = at < q->n && one.len < q->items[at].len;
            same = at < q->n && str_eq(one, part);
            at++;
        }
        if (same && (plural || !several))
            return true;
    }
    return false;
}

/* "how many [new|different|of our …] customers": up to two words between. */
static bool counts(struct arena *arena, const struct asked_words *q,
                   struct str names)
{
    static const struct {
        const char *phrase;
        size_t words;
    } openings[] = {
        {"how many", 2}, {"number of", 2}, {"count of", 2}, {"count the", 2}};
    enum { BETWEEN = 2 };
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < sizeof openings / sizeof *openings; k++) {
            if (!says(q, i, str_of(openings[k].phrase)))
                continue;
            for (size_t s = 0; s <= BETWEEN; s++) {
                size_t at = i + openings[k].words + s;
                if (names_at(arena, q, at, names, true))
                    return true;
                /* another plural comes first: that is what is counted */
                if (at < q->n && plural_to_singular(arena, q->items[at]).len <
                                     q->items[at].len)
                    break;
            }
        }
    return false;
}

static bool names_things(struct arena *arena, const struct asked_words *q,
                         struct str names)
{
    for (size_t i = 0; i < q->n; i++)
        if (names_at(arena, q, i, names, false))
            return true;
    return false;
}

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

/* The words from `i` on begin with those of the value: "European" of Europe. A short
 * one must follow another: "silo 3". Returns how many they are, or 0. */
static size_t value_at(const struct asked_words *q, size_t i, struct str value)
{
    enum { VALUE_BYTES = 3 };
    struct str part;
    size_t n = 0;
    if (i < q->n && is_demonym(q->items[i], value))
        return 1;
    while (str_split(&value, ' ', &part)) {
        bool brief = part.len < VALUE_BYTES;
        if (i + n >= q->n || q->items[i + n].len < part.len ||
            (brief && (!n || q->items[i + n].len > part.len)) ||
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

/* "share of the online sales": the value restricts the whole. In "share of
 * online in the sales" and "share of the sales is online" it is the part. */
static bool restricts_whole(const struct asked_words *q, struct str value)
{
    static const char *const joining[] = {"in",  "of", "from",   "among", "at",
                                          "for", "by", "within", "on",    "to",
                                          "and", "or", NULL};
    for (size_t i = 0; i + 1 < q->n; i++) {
        if (!word_among(q->items[i], shares) || !str_is(q->items[i + 1], "of"))
            continue;
        for (size_t k = i + 2; k < q->n && !word_among(q->items[k], verbs);
             k++) {
            size_t n = value_at(q, k, value);
            bool after = k > i + 2 && word_among(q->items[k - 1], joining);
            if (n && (after ||
                      (k + n < q->n && !word_among(q->items[k + n], joining) &&
                       !word_among(q->items[k + n], verbs))))
                return true;
        }
    }
    return false;
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

/* "each plant's scrap is split among …" */
static bool is_split(const struct asked_words *q)
{
    static const char *const list[] = {
        "split",        "splits",      "divided", "divide", "distributed",
        "distribution", "breakdown",   "break",   "broken", "spread",
        "composed",     "composition", NULL};
    return has(q, list);
}

/* A share within each of these: "for each building, …", "of its region's …",
 * "of each region's …", "split each region's …". */
static bool divides_by(struct arena *arena, const struct asked_words *q,
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
            if (says(q, i, str_of(*o)) &&
                names_at(arena, q, i + 2, names, false))
                return true;
        for (const char *const *o = owners; *o; o++)
            if (says(q, i, str_of(*o)) &&
                names_at(arena, q, i + 2, names, false) &&
                (ends_whole(q, i) ||
                 (i + 3 < q->n && str_is(q->items[i + 3], "s"))))
                return true;
        if (is_split(q) &&
            (says(q, i, STR("each")) || says(q, i, STR("every"))) &&
            names_at(arena, q, i + 1, names, false) && i + 2 < q->n &&
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
            return k == 0 || !word_among(q->items[k - 1], whole);
        if (word_among(q->items[k], whole) || word_among(q->items[k], verbs) ||
            str_is(q->items[k], "s"))
            return false;
    }
    return false;
}

/* These are what the rows of the answer are: "each kind", "by kind"; and they are
 * named in no other way, as the whole would be: "of its category". */
static bool names_rows(struct arena *arena, const struct asked_words *q,
                       struct str names)
{
    bool any = false;
    for (size_t i = 0; i < q->n; i++) {
        if (!names_at(arena, q, i, names, false))
            continue;
        if (!begins_row(q, i) || (i + 1 < q->n && str_is(q->items[i + 1], "s")))
            return false;
        any = true;
    }
    return any;
}

bool question_asks(struct arena *arena, struct str question,
                   enum asked_for asked, struct str of)
{
    struct asked_words q = question_read(arena, question);
    const struct str within =
        STR("within|its own|of its|of their|in their|in its");
    const struct str overall =
        STR("overall|grand total|of all|of the total|of total|in total|"
            "company wide|whole");
    const struct str below =
        STR("reports to|report to|reporting to|reports of|subordinates|"
            "works under|work under|working under|under|below|"
            "direct reports|supervisees|supervised by|managed by|"
            "mentored by|mentees|led by|descendants|team of");
    const struct str above =
        STR("above|superiors|ancestors|up to the top|managers of|manager of|"
            "supervisor of|supervisors of|boss of|chain of command|"
            "management chain|mentor of|mentors of|parents of");
    switch (asked) {
    case ASKS_MOST:
        return has_end(arena, &q, true, of);
    case ASKS_LEAST:
        return has_end(arena, &q, false, of);
    case ASKS_LATEST:
        return has_time_end(arena, &q, true, of);
    case ASKS_EARLIEST:
        return has_time_end(arena, &q, false, of);
    case ASKS_COUNT_OF:
        return counts(arena, &q, of);
    case ASKS_WITHIN:
        return has_phrase(&q, within) && !has_phrase(&q, overall);
    case ASKS_OVERALL:
        return has_phrase(&q, overall) && !has_phrase(&q, within);
    case ASKS_THINGS:
        return names_things(arena, &q, of) &&
               !has_phrase(&q, str_of(RULE_BY_NAME));
    case ASKS_SHARE_OF:
        return restricts_whole(&q, of) && !has_phrase(&q, overall);
    case ASKS_SHARE_IN: {
        struct str rest = of, parts = STR("");
        (void)str_split(&rest, '>', &parts);
        return divides_by(arena, &q, parts) && names_rows(arena, &q, rest) &&
               !divides_by(arena, &q, rest) && !has_phrase(&q, overall);
    }
    case ASKS_WITHOUT:
        return !has_phrase(&q, of);
    case ASKS_BELOW:
        return has_phrase(&q, below) && !has_phrase(&q, above) &&
               !has_phrase(&q, STR("does|do|whom"));
    case ASKS_ABOVE:
        return has_phrase(&q, above) && !has_phrase(&q, below);
    case ASKS_ANYTHING:
        break;
    }
    return true;
}

/* Two sentences about one total: the one that names the part is enough. */
static bool is_said(const struct query_findings *findings, size_t n,
                    const struct query_finding *f)
{
    for (size_t i = 0; i < n; i++)
        if (f->rule && findings->items[i].rule == f->rule &&
            f->asked == ASKS_WITHIN &&
            findings->items[i].asked == ASKS_SHARE_IN)
            return true;
    return false;
}

void findings_for_question(struct arena *arena, struct query_findings *findings,
                           struct str question)
{
    size_t kept = 0;
    for (size_t i = 0; i < findings->n; i++) {
        struct query_finding *f = &findings->items[i];
        bool depends = f->asked != ASKS_ANYTHING && f->asked != ASKS_WITHOUT;
        struct arena_mark mark = arena_mark(arena);
        bool asked = question.len
                         ? question_asks(arena, question, f->asked, f->asked_of)
                         : !depends;
        if (asked && !is_said(findings, kept, f))
            findings->items[kept++] = *f;
        arena_reset(arena, mark);
    }
    findings->n = kept;
}
