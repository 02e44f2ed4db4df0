/* rule_words.c - does the question ask for what makes a finding a mistake? */
#include "asked.h"
#include "base/plural.h"
#include "../words.h"
#include "base/banned.h"

/* ---- the question -------------------------------------------------------- */

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

bool asked_any(const struct asked_words *q, const char *const *list)
{
    for (size_t i = 0; i < q->n; i++)
        if (word_among(q->items[i], list))
            return true;
    return false;
}

/* The word at `i` begins this phrase of words separated by blanks; "*" is for up
 * to ASKS_BETWEEN words. */
enum { ASKS_BETWEEN = 5 };
bool asked_says(const struct asked_words *q, size_t i, struct str phrase)
{
    struct str word;
    while (str_split(&phrase, ' ', &word)) {
        if (str_is(word, "*")) {
            for (size_t k = 0; k <= ASKS_BETWEEN; k++)
                if (asked_says(q, i + k, phrase))
                    return true;
            return false;
        }
        if (i >= q->n || !str_eq(q->items[i], word))
            return false;
        i++;
    }
    return true;
}

bool asked_phrase(const struct asked_words *q, struct str phrases)
{
    struct str phrase;
    while (str_split(&phrases, '|', &phrase))
        for (size_t i = 0; phrase.len && i < q->n; i++)
            if (asked_says(q, i, phrase))
                return true;
    return false;
}

/* The words from `i` on are one of the names, the last one perhaps in the
 * plural; it must be if `several`. */
bool asked_names_at(struct arena *arena, const struct asked_words *q, size_t i,
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
            if (!asked_says(q, i, str_of(openings[k].phrase)))
                continue;
            for (size_t s = 0; s <= BETWEEN; s++) {
                size_t at = i + openings[k].words + s;
                if (asked_names_at(arena, q, at, names, true))
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
        if (asked_names_at(arena, q, i, names, false))
            return true;
    return false;
}

/* "who recruited", "which lift replaced": the verb at `i` has what is asked for
 * before it, and is not passive. */
static bool is_done_by(const struct asked_words *q, size_t i)
{
    static const char *const asking[] = {"who", "which", "what", NULL};
    static const char *const passive[] = {"was", "were", "is",   "are",
                                          "has", "been", "that", NULL};
    enum { NOUN = 2 };
    for (size_t k = i; k-- > 0 && i - k <= NOUN + 1;) {
        if (word_among(q->items[k], passive))
            return false;
        if (word_among(q->items[k], asking))
            return true;
    }
    return false;
}

/* The way along a reference that is named by a verb, recruited_by or
 * replaces_id: 1 from what refers to what it refers to, -1 back, 0 if the
 * question does not say. */
static int goes_along(struct arena *arena, const struct asked_words *q,
                      struct str column)
{
    struct name_words w = name_words(arena, column);
    bool by = w.n > 1 && str_is(w.items[w.n - 1], "by");
    if (w.n < 2 || (!by && !str_ends(w.items[0], STR("es"))))
        return 0;
    struct str verb = by ? w.items[w.n - 2] : w.items[0];
    struct str stem = str_cut(verb, 0, verb.len - (by ? 0 : 1));
    for (size_t i = 0; i < q->n; i++) {
        struct str word = q->items[i];
        bool past = by ? str_eq(word, verb)
                       : str_starts(word, stem) && word.len == stem.len + 1;
        if (past && i + 1 < q->n && str_is(q->items[i + 1], "by"))
            return by ? -1 : 1;
        if (past && is_done_by(q, i))
            return by ? 1 : -1;
    }
    return 0;
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
            "management chain|mentor of|mentors of|parents of|who supervises|"
            "who manages|who mentors|who leads");
    switch (asked) {
    case ASKS_MOST:
        return asked_end(arena, &q, true, of);
    case ASKS_LEAST:
        return asked_end(arena, &q, false, of);
    case ASKS_LATEST:
        return asked_time_end(arena, &q, true, of);
    case ASKS_EARLIEST:
        return asked_time_end(arena, &q, false, of);
    case ASKS_COUNT_OF:
        return counts(arena, &q, of);
    case ASKS_WITHIN:
        return asked_phrase(&q, within) && !asked_phrase(&q, overall);
    case ASKS_OVERALL:
        return asked_phrase(&q, overall) && !asked_phrase(&q, within);
    case ASKS_THINGS:
        return names_things(arena, &q, of) &&
               !asked_phrase(&q, str_of(RULE_BY_NAME));
    case ASKS_SHARE_OF: {
        struct str value = of, names = STR("");
        if (str_find_char(of, '>') >= 0)
            (void)str_split(&value, '>', &names);
        return asked_whole_of(arena, &q, names, value) &&
               !asked_phrase(&q, overall);
    }
    case ASKS_SHARE_IN: {
        struct str rest = of, parts = STR("");
        (void)str_split(&rest, '>', &parts);
        return asked_within_each(arena, &q, parts) &&
               asked_rows(arena, &q, rest) &&
               !asked_within_each(arena, &q, rest) &&
               !asked_phrase(&q, overall);
    }
    case ASKS_WITHOUT:
        return !asked_phrase(&q, of);
    case ASKS_BELOW:
        return (asked_phrase(&q, below) || goes_along(arena, &q, of) < 0) &&
               !asked_phrase(&q, above) &&
               !asked_phrase(&q, STR("does|do|whom"));
    case ASKS_ABOVE:
        return (asked_phrase(&q, above) || goes_along(arena, &q, of) > 0) &&
               !asked_phrase(&q, below);
    case ASKS_ANYTHING:
        break;
    }
    return true;
}

/* A total that lacks PARTITION BY is named once, whether the question says
 * "within" or names the part. */
static bool is_said_already(const struct query_findings *findings, size_t n,
                            const struct query_finding *f)
{
    for (size_t i = 0; i < n; i++)
        if (f->asked == ASKS_SHARE_IN && findings->items[i].rule == f->rule &&
            (findings->items[i].asked == ASKS_WITHIN ||
             findings->items[i].asked == ASKS_SHARE_IN))
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
        bool holds = question.len
                         ? question_asks(arena, question, f->asked, f->asked_of)
                         : !depends;
        if (holds && !is_said_already(findings, kept, f))
            findings->items[kept++] = *f;
        arena_reset(arena, mark);
    }
    findings->n = kept;
}
