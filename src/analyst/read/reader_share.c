/* reader_share.c - shares: "share of revenue by city" is each group's part of the
 * total. Without a breakdown, "what share of orders was online", it is the part that
 * one condition leaves: the condition after the verb, the one before the word, "online
 * share of revenue", or the one that comes with the noun, "percentage of cancelled
 * orders". */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

/* "share of revenue", "what percent of revenue", "revenue share". */
bool share_read(struct question_reader *reader)
{
    static const char words[] = "share percent percentage proportion";
    size_t n = reader_is(reader, reader->at, "in") &&
                       reader_in(reader, reader->at + 1, words)
                   ? 2
               : reader_in(reader, reader->at, words) ? 1
                                                      : 0;
    if (!n || reader_match(reader, reader->at).n_words > 1)
        return false;
    if (reader_is(reader, reader->at + n, "share"))
        n++;
    if (reader_is(reader, reader->at + n, "of") &&
        reader_is(reader, reader->at + n + 1, "total") &&
        !reader_match(reader, reader->at + n + 1).n)
        n += 2;
    reader->question->share = true;
    reader->share_from = reader->at;
    reader->at += n;
    reader->share_at = reader->at;
    return true;
}

/* ---- the part that a condition leaves ---------------------------------------- */

/* The first verb after "share of …", which parts what is divided from the
 * condition; SIZE_MAX: none. */
static size_t verb_after(const struct question_reader *reader)
{
    static const char verbs[] =
        "is are was were has have had come comes came live lives";
    for (size_t i = reader->share_at; i < reader->words.n; i++)
        if (reader_in(reader, i, verbs))
            return i;
    return SIZE_MAX;
}

static bool is_after(const struct question_reader *reader,
                     const struct asked_filter *filter, size_t word)
{
    const char *text = reader->words.text.ptr;
    return word < reader->words.n && filter->words.ptr >= text &&
           (size_t)(filter->words.ptr - text) + filter->words.len >
               reader_word(reader, word)->from;
}

/* A condition in the noun itself: "cancelled orders". */
static bool is_of_noun(const struct question_reader *reader,
                       const struct asked_filter *filter)
{
    const char *text = reader->words.text.ptr;
    size_t first = reader->share_at;
    size_t second = first + reader_is(reader, first, "of");
    size_t at = (size_t)(filter->words.ptr - text);
    return filter->words.len && filter->words.ptr >= text &&
           at >= reader_word(reader, first)->from &&
           at <= reader_word(reader, second)->from;
}

/* A condition that says whose share it is: "online share of revenue". */
static bool is_owner(const struct question_reader *reader,
                     const struct asked_filter *filter)
{
    const char *text = reader->words.text.ptr;
    if (!reader->share_from || !filter->words.len || filter->words.ptr < text)
        return false;
    size_t end = (size_t)(filter->words.ptr - text) + filter->words.len;
    const struct question_word *before =
        reader_word(reader, reader->share_from - 1);
    return end > before->from &&
           end <= reader_word(reader, reader->share_from)->from;
}

/* The conditions that make the part, of which there must be one. *owned: it says
 * whose share it is. */
static size_t portions(struct question_reader *reader,
                       struct asked_filter **portion, bool *owned)
{
    struct question *q = reader->question;
    size_t verb = verb_after(reader), n = 0;
    for (size_t i = 0; i < q->n_filters; i++)
        if (is_after(reader, &q->filters[i], verb) ||
            is_owner(reader, &q->filters[i])) {
            *portion = &q->filters[i];
            *owned = is_owner(reader, &q->filters[i]);
            n++;
        }
    for (size_t i = 0; !n && verb == SIZE_MAX && i < q->n_filters; i++)
        if (is_of_noun(reader, &q->filters[i])) {
            *portion = &q->filters[i];
            n++;
        }
    return n;
}

/* "The share of flats with a balcony by city": within each city, or spread over the
 * cities. */
static void check_spread(struct question_reader *reader)
{
    const struct question *q = reader->question;
    for (size_t i = 0; q->n_dimensions && i < q->n_filters; i++)
        if (is_after(reader, &q->filters[i], reader->share_at) &&
            q->filters[i].words.ptr < q->dimensions[0].what.words.ptr)
            reader_object(
                reader,
                "a share with “%.*s” may be of several totals; ask for "
                "both numbers instead",
                STR_ARG(q->filters[i].words));
}

void share_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    struct asked_filter *portion = NULL;
    bool owned = false;
    size_t n =
        q->share && reader->share_at ? portions(reader, &portion, &owned) : 0;
    if (!n && q->share && reader->share_at)
        check_spread(reader);
    if (!n || q->opening != OPENS_ALONE)
        return;
    bool told = owned || verb_after(reader) != SIZE_MAX;
    /* "Returned, online and in store" may be of two fields. */
    bool mixed = portion->kind == FILTER_SEARCH && portion->n_values > 1;
    if (n > 1 || mixed || q->n_measures > 1 || (q->n_dimensions && !told) ||
        q->n_havings || q->top.ranked || q->subject.n || q->window.versus) {
        reader_object(reader,
                      "a share with “%.*s” may be of several totals; ask for "
                      "both numbers instead",
                      STR_ARG(portion->words));
        return;
    }
    if (!q->n_measures && q->n_mentions)
        measure_add(reader, (struct asked_measure){.function = FUNCTION_COUNT,
                                                   .what = q->mentions[0]});
    if (!q->n_measures || q->measures[0].over)
        return;
    struct asked_measure *whole =
        arena_new(reader->arena, struct asked_measure);
    *whole = q->measures[0];
    q->measures[0].over = whole;
    q->share = false;
    q->portion = portion->portion = true;
    question_note(q, STR("Of what is it a share?"),
                  arena_printf(reader->arena,
                               "Of the same figure, “%.*s” or not.",
                               STR_ARG(portion->words)));
}
