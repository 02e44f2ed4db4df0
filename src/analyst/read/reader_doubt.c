/* reader_doubt.c - what can be doubted only when all words have been read: two lists
 * at once, what is said of all rows or denied of a noun, and words for what is so now
 * that may be for what was done. */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

/* "Which houses have only online bookings", "with all bookings online". */
static bool says_each(const struct question_reader *reader)
{
    static const char only[] = "only exclusively solely always";
    static const char all[] = "all every each nothing";
    static const char holds[] = "have has had having with whose that who sell "
                                "sells sold use uses used play plays played";
    static const char requests[] = "list show me us give find display";
    for (size_t i = 1; i < reader->words.n; i++)
        if ((reader_in(reader, i, only) &&
             !reader_in(reader, i - 1, requests)) ||
            (reader_in(reader, i, all) && reader_in(reader, i - 1, holds)))
            return true;
    return false;
}

/* A dataset and nothing else is named by the words from `at` to before `to`. */
static bool names_dataset(const struct question_reader *reader, size_t at,
                          size_t to)
{
    struct choice what = reader_match(reader, at);
    return what.n && at + what.n_words == to &&
           choice_has(&what, TERM_DATASET) && !choice_has(&what, TERM_METRIC);
}

/* "Museums and artists from Spain" are two lists, and what follows may be of the
 * second alone. */
static void check_pairs(struct question_reader *reader)
{
    static const char groups[] = "by per each every their its between";
    enum { NOUN_WORDS = 2 };
    for (size_t i = 1; i + 1 < reader->words.n; i++) {
        struct choice second = reader_match(reader, i + 1);
        size_t n = names_dataset(reader, i - 1, i) ? 1 : 0;
        if (!n && i >= NOUN_WORDS && names_dataset(reader, i - NOUN_WORDS, i))
            n = NOUN_WORDS;
        bool grouped = i > n && reader_in(reader, i - n - 1, groups);
        if (reader_is(reader, i, "and") && n && !grouped &&
            names_dataset(reader, i + 1, i + 1 + second.n_words))
            reader_object(
                reader, "“%.*s” are two things; ask for one at a time",
                STR_ARG(reader_span(reader, i - n, i + 1 + second.n_words)));
    }
}

/* The filter on a single value; its words end before *end. Returns the word at which
 * the value begins; SIZE_MAX: it is none of the question's words. */
static size_t value_place(const struct question_reader *reader,
                          const struct asked_filter *filter, size_t *end)
{
    if (filter->kind != FILTER_SEARCH || filter->n_values != 1)
        return SIZE_MAX;
    struct str text = filter->values[0].text;
    for (size_t i = 0; i < reader->words.n; i++) {
        if (reader_word(reader, i)->text.ptr != text.ptr)
            continue;
        for (*end = i;
             *end < reader->words.n &&
             reader_word(reader, *end)->text.ptr < text.ptr + text.len;)
            ++*end;
        return i;
    }
    return SIZE_MAX;
}

/* "Exhibitions about Paris": what they are about, which only a subject or a text can
 * say. */
static void check_about(struct question_reader *reader,
                        const struct asked_filter *filter)
{
    static const char subjects[] =
        "topic subject theme title description category genre keyword tag";
    size_t end, at = value_place(reader, filter, &end);
    const struct sample_list *known =
        filter->n_values ? filter->values[0].samples : NULL;
    const struct ontology *o = reader->lexicon->ontology;
    if (at == SIZE_MAX || at < 2 || !reader_is(reader, at - 1, "about") ||
        reader_in(reader, at - 2, "what how"))
        return;
    for (size_t i = 0; known && i < known->n; i++)
        if (name_has(o->datasets[known->items[i].dataset]
                         .fields[known->items[i].field]
                         .name,
                     subjects))
            return;
    reader_object(reader,
                  "“about %.*s” is what they are about, and I see no "
                  "field that says so",
                  STR_ARG(filter->values[0].text));
}

/* The rows that are made by what the participle says: rentals by "rented". */
static const struct dataset *deeds_of(const struct question_reader *reader,
                                      struct str participle)
{
    enum { ROOT_LETTERS = 4 };
    const struct ontology *o = reader->lexicon->ontology;
    if (!str_ends(participle, STR("ed")))
        return NULL;
    struct str root = str_cut(participle, 0, participle.len - 2);
    for (size_t i = 0; i < o->n_datasets && root.len >= ROOT_LETTERS; i++)
        if (str_find_nocase(o->datasets[i].name, root) == 0)
            return &o->datasets[i];
    return NULL;
}

/* "Bikes rented in 2024", "that have been rented": a status says what is so now, and
 * there are rentals that say what was done. */
static void check_deed(struct question_reader *reader,
                       const struct asked_filter *filter)
{
    static const char before[] = "been was were ever already had";
    static const char after[] =
        "in on at from to by since until before after during between within "
        "over for last this";
    size_t end, at = value_place(reader, filter, &end);
    if (at == SIZE_MAX || end != at + 1)
        return;
    const struct dataset *deeds =
        deeds_of(reader, reader_word(reader, at)->lower);
    bool done = (at && reader_in(reader, at - 1, before)) ||
                reader_in(reader, end, after) ||
                window_is_set(&reader->question->window);
    if (deeds && done)
        reader_object(reader,
                      "“%.*s” may be what they are now or what was done with "
                      "them; ask for the %.*s in the second case",
                      STR_ARG(filter->words), STR_ARG(deeds->name));
}

/* "Leases without a paid deposit": the noun belongs to what they are without. */
static void check_without(struct question_reader *reader,
                          const struct asked_filter *filter)
{
    static const char before[] = "a an any the";
    const struct question *q = reader->question;
    const char *end = filter->words.ptr + filter->words.len;
    size_t from = 0, to;
    while (from < reader->words.n &&
           reader_word(reader, from)->text.ptr < filter->words.ptr)
        from++;
    for (to = from; to < reader->words.n; to++)
        if (reader_word(reader, to)->text.ptr >= end)
            break;
    while (from && reader_in(reader, from - 1, before))
        from--;
    bool without = reader_is(reader, from, "without") ||
                   (from && reader_is(reader, from - 1, "without"));
    for (size_t i = 0; without && i < q->n_measures; i++)
        if (q->measures[i].what.words.ptr == reader_word(reader, to)->text.ptr)
            reader_object(reader,
                          "I do not see what “%.*s %.*s” is; say it in two "
                          "parts",
                          STR_ARG(filter->words),
                          STR_ARG(q->measures[i].what.words));
}

/* "Members with a loan in Harbour": the loan is there, or the member. */
static void check_held(struct question_reader *reader,
                       const struct asked_filter *held,
                       const struct asked_filter *next)
{
    static const char leads[] = "in at from";
    const char *end = held->words.ptr + held->words.len;
    struct str first, rest = next->words;
    bool led = str_split(&rest, ' ', &first) &&
               list_has(leads, lower_case(reader->arena, first));
    if (held->kind == FILTER_EXISTS && next->kind == FILTER_SEARCH && led &&
        next->words.ptr > end && next->words.ptr <= end + 1)
        reader_object(reader,
                      "“%.*s” may be said of the “%.*s” or of what has them",
                      STR_ARG(next->words), STR_ARG(held->what.words));
}

void doubts_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    q->each = says_each(reader);
    average_doubt(reader);
    if (reader->list || q->n_filters)
        check_pairs(reader);
    for (size_t i = 0; i < q->n_filters; i++) {
        check_about(reader, &q->filters[i]);
        check_deed(reader, &q->filters[i]);
        check_without(reader, &q->filters[i]);
        for (size_t k = 0; k < q->n_filters; k++)
            check_held(reader, &q->filters[i], &q->filters[k]);
    }
}
