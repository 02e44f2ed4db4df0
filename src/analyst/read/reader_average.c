/* reader_average.c - things compared with the average of all of them: "products with a
 * price above the average", "staff who earn more than the average salary". */
#include "code.h"
#include "field.h"
#include "reader.h"
#include "base/banned.h"

/* The number that the things named last have themselves; n is 0 when it is none. */
static struct choice own_number(const struct question_reader *reader, size_t at)
{
    struct choice what = reader_match(reader, at);
    struct choice own = {.n = 0};
    if (reader->near == SIZE_MAX || choice_has(&what, TERM_DATASET))
        return own;
    struct choice fields = own_fields(reader, what, reader->near);
    const struct field *field = first_field(reader, &fields);
    bool fits =
        field && fields.n == 1 && fields.terms[0].dataset == reader->near &&
        field_is_number(field) && !field_is_id(field) && !field_is_flag(field);
    return fits ? fields : own;
}

/* "The average", "an average". Returns how many words. */
static size_t mean_at(const struct question_reader *reader, size_t at)
{
    static const char articles[] = "the an a their";
    static const char words[] = "average avg mean";
    size_t skip = reader_in(reader, at, articles);
    skip += reader_is(reader, at + skip, "overall");
    return reader_in(reader, at + skip, words) ? skip + 1 : 0;
}

/* "Of all products", which adds nothing. Returns how many words. */
static size_t all_of_them(const struct question_reader *reader, size_t at)
{
    size_t n = reader_in(reader, at, "of for among across");
    if (!n)
        return 0;
    while (reader_in(reader, at + n, "all the"))
        n++;
    struct choice what = reader_match(reader, at + n);
    struct choice rows = choice_of(reader->arena, what, TERM_DATASET);
    return rows.n && rows.terms[0].dataset == reader->near ? n + what.n_words
                                                           : 0;
}

/* Nothing follows that would say of which of them the average is. */
static bool ends(const struct question_reader *reader, size_t at)
{
    return at >= reader->words.n || reader_in(reader, at, "? . !");
}

static size_t side_of(const struct question_reader *reader, size_t at,
                      enum filter_comparison *comparison)
{
    size_t n = comparison_at(reader, at, comparison);
    return *comparison == IS_OVER || *comparison == IS_UNDER ? n : 0;
}

/* "Price above the average", "above the average price", "above-average price". */
bool average_read(struct question_reader *reader)
{
    static const char leads[] =
        "with whose having have has that which who where a an the their is are "
        "was were earn earns earning cost costs costing weigh weighs weighing";
    size_t from = reader->at, at = from;
    enum filter_comparison comparison = IS;
    while (reader_in(reader, at, leads) && !own_number(reader, at).n)
        at++;
    struct choice before = own_number(reader, at);
    at += before.n_words;
    at += before.n && reader_in(reader, at, "is are was were");
    size_t n = side_of(reader, at, &comparison);
    size_t mean = n ? mean_at(reader, at + n) : 0;
    at += n + mean;
    struct choice after = own_number(reader, at);
    at += after.n_words;
    at += all_of_them(reader, at);
    struct choice what = before.n ? before : after;
    if (!mean || !what.n || !ends(reader, at) ||
        (before.n && after.n && before.terms[0].index != after.terms[0].index))
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, false);
    filter->what = what;
    filter->comparison = comparison;
    filter->values[filter->n_values++] = (struct filter_value){
        .text = STR("the average"), .number = true, .average = true};
    filter->words = reader_span(reader, from, at);
    question_note(reader->question,
                  arena_printf(reader->arena, "Of which is “%.*s” the average?",
                               STR_ARG(what.words)),
                  STR("Of all of them."));
    reader->at = at;
    return true;
}

void average_doubt(struct question_reader *reader)
{
    const struct question *q = reader->question;
    for (size_t i = 0; i < q->n_filters; i++)
        if (q->filters[i].n_values && q->filters[i].values[0].average &&
            (q->n_filters > 1 || window_is_set(&q->window)))
            reader_object(reader,
                          "“%.*s” may be the average of all or only of those "
                          "that are asked about",
                          STR_ARG(q->filters[i].words));
}
