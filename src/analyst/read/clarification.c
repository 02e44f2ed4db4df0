/* clarification.c - questions back: how they are written, how a reply to
 * them is read, and which option an answer picks. */
#include "clarification.h"
#include "base/buf.h"
#include "base/banned.h"

enum { ANSWER_WORDS = 24 };

/* ---- what is asked -------------------------------------------------------- */

struct clarification *clarification_new(struct arena *arena,
                                        struct str question, struct str about)
{
    struct clarification *ask = arena_new(arena, struct clarification);
    ask->question = question;
    ask->key = about;
    return ask;
}

void clarification_offer(struct clarification *ask, struct term option,
                         struct str label)
{
    for (size_t i = 0; i < ask->n; i++)
        if (str_eq_nocase(ask->labels[i], label))
            return;
    if (ask->n == ASK_OPTIONS)
        return;
    ask->options[ask->n] = option;
    ask->labels[ask->n++] = label;
}

struct str clarification_sentence(struct arena *arena,
                                  const struct clarification *ask)
{
    struct buf out;
    buf_init(&out, arena);
    buf_str(&out, ask->question);
    for (size_t i = 0; i < ask->n && !ask->year_of.len; i++)
        buf_printf(&out, "%s%.*s",
                   !i               ? ": "
                   : i + 1 < ask->n ? ", "
                                    : " or ",
                   STR_ARG(ask->labels[i]));
    buf_char(&out, '?');
    return buf_finish(&out);
}

/* ---- what is answered ----------------------------------------------------- */

static struct str answer_of(struct str line)
{
    ptrdiff_t mark = str_find(line, STR("?: "));
    if (!str_starts(line, STR("- ")))
        return STR("");
    if (mark >= 0)
        return str_trim(str_from(line, (size_t)mark + 3));
    mark = str_find(line, STR(": "));
    return mark < 0 ? STR("") : str_trim(str_from(line, (size_t)mark + 2));
}

struct clarification_reply clarification_reply_read(struct str text)
{
    static const struct str heading = {"\n\nClarifications:\n", 18};
    struct clarification_reply reply = {.question = text};
    ptrdiff_t at = str_find(text, heading);
    struct str rest, line;
    if (at < 0)
        return reply;
    reply.question = str_trim(str_cut(text, 0, (size_t)at));
    rest = str_from(text, (size_t)at + heading.len);
    while (rest.len && reply.n < 4 && str_split(&rest, '\n', &line)) {
        struct str answer = answer_of(line);
        if (answer.len)
            reply.answers[reply.n++] = answer;
    }
    return reply;
}

static bool is_year(struct str text)
{
    bool all = text.len == 4;
    for (size_t i = 0; i < text.len; i++)
        all = all && text.ptr[i] >= '0' && text.ptr[i] <= '9';
    return all;
}

struct str clarification_reply_sentence(struct arena *arena,
                                        const struct clarification_reply *reply,
                                        struct str year_of)
{
    struct str text = reply->question;
    ptrdiff_t at = year_of.len ? str_find(text, year_of) : -1;
    for (size_t i = 0; i < reply->n; i++) {
        size_t end = (size_t)at + year_of.len;
        if (at >= 0 && is_year(reply->answers[i]))
            text = arena_printf(
                arena, "%.*s %.*s%.*s", STR_ARG(str_cut(text, 0, end)),
                STR_ARG(reply->answers[i]), STR_ARG(str_from(text, end)));
        else
            text = arena_printf(arena, "%.*s, %.*s", STR_ARG(text),
                                STR_ARG(reply->answers[i]));
    }
    return text;
}

/* ---- which is meant ------------------------------------------------------- */

struct stems {
    struct str items[ANSWER_WORDS];
    size_t n;
};

static struct stems stems_of(struct arena *arena, struct str text)
{
    static const char empty[] =
        "the of by that those one a please is meant way";
    struct stems stems = {.n = 0};
    struct question_words words = words_read(arena, text);
    for (size_t i = 0; i < words.n && stems.n < ANSWER_WORDS; i++) {
        const struct question_word *w = &words.items[i];
        struct str parts[8];
        size_t n = w->kind == WORD_MARK || word_in(w, empty)
                       ? 0
                       : name_parts(arena, w->text, parts, 8);
        for (size_t j = 0; j < n && stems.n < ANSWER_WORDS; j++)
            stems.items[stems.n++] = word_stem(arena, parts[j]);
    }
    return stems;
}

static bool stems_within(const struct stems *some, const struct stems *all)
{
    for (size_t i = 0; i < some->n; i++) {
        bool found = false;
        for (size_t j = 0; j < all->n; j++)
            found = found || str_eq(some->items[i], all->items[j]);
        if (!found)
            return false;
    }
    return some->n > 0;
}

/* How well an answer fits an option: 2, the words are the same; 1, the
 * option has all words of the answer; 0, it does not fit. */
static int answer_fit(struct arena *arena, struct str answer, struct str label)
{
    struct stems said = stems_of(arena, answer), own = stems_of(arena, label);
    if (!stems_within(&said, &own))
        return 0;
    return stems_within(&own, &said) ? 2 : 1;
}

const struct term *clarification_pick(struct arena *arena,
                                      const struct clarification *ask,
                                      const struct clarification_reply *reply)
{
    const struct term *best = NULL;
    int most = 0;
    for (size_t a = 0; a < reply->n && !ask->year_of.len; a++)
        for (size_t i = 0; i < ask->n; i++) {
            int fits = answer_fit(arena, reply->answers[a], ask->labels[i]);
            if (fits > most)
                best = &ask->options[i];
            else if (fits && fits == most)
                best = NULL;
            most = fits > most ? fits : most;
        }
    return best;
}
