/* reader_adjective.c - adjectives that name their measure: "the most expensive
 * product", "the 5 cheapest products" rank by the price that the products have.
 *
 * They are read only where the things have one price: a field that is called
 * price or fee and nothing else. Whatever has several prices, or none, is not
 * ranked, and the adjective stays an unknown word. */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

/* "most expensive", "cheapest". Returns how many words. */
static size_t adjective_at(const struct question_reader *reader, size_t at,
                           bool *lowest)
{
    static const char dear[] =
        "most expensive|most costly|priciest|costliest|dearest";
    static const char cheap[] =
        "least expensive|least costly|most affordable|cheapest";
    size_t n = reader_phrase(reader, at, cheap);
    *lowest = n > 0;
    return n ? n : reader_phrase(reader, at, dear);
}

/* The name says price or fee, and nothing that makes it another one. */
static bool is_price(const struct question_reader *reader,
                     const struct dataset *dataset, const struct field *field)
{
    static const char prices[] = "price fee";
    static const char plain[] = "unit list retail standard base catalogue";
    struct str parts[12];
    struct str own = word_stem(reader->arena, dataset->name);
    size_t n = full_words(reader->arena, field->name, parts, 12);
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool price = list_has(prices, parts[i]);
        if (!price && !list_has(plain, parts[i]) && !str_eq(parts[i], own))
            return false;
        found = found || price;
    }
    return found && field_is_number(field);
}

/* The only price of the things; n is 0 when there is none. Lines of an order
 * have a price, too, and no name to be called by. */
static struct choice price_of(const struct question_reader *reader,
                              size_t dataset)
{
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    struct choice price = {.n = 0};
    if (dataset_label(d) == SIZE_MAX)
        return price;
    for (size_t i = 0; i < d->n_fields; i++) {
        if (!is_price(reader, d, &d->fields[i]))
            continue;
        if (price.n)
            return (struct choice){.n = 0};
        price.terms = arena_new(reader->arena, struct term);
        *price.terms = (struct term){TERM_FIELD, WEIGHT_NAME, dataset, i};
        price.words = spoken(reader->arena, d->fields[i].name);
        price.n = price.n_words = 1;
    }
    return price;
}

bool adjective_read(struct question_reader *reader)
{
    struct question *q = reader->question;
    bool lowest = false;
    size_t count = word_count(reader_word(reader, reader->at));
    size_t at = reader->at + (count > 0);
    size_t n = adjective_at(reader, at, &lowest);
    size_t after = at + n;
    if (n && !count) {
        count = word_count(reader_word(reader, after));
        after += count > 0;
    }
    struct choice things =
        choice_of(reader->arena, reader_match(reader, after), TERM_DATASET);
    if (!n || !things.n || reader_match(reader, at).n || reader->function ||
        reader->superlative_said || q->n_measures || q->subject.n ||
        (q->top.n && (count || q->top.lowest)))
        return false;
    struct choice price = price_of(reader, things.terms[0].dataset);
    if (!price.n)
        return false;
    measure_add(reader,
                (struct asked_measure){
                    lowest ? FUNCTION_MINIMUM : FUNCTION_MAXIMUM, price, NULL});
    q->subject = things;
    q->subject_one =
        !word_is_plural(reader_word(reader, after + things.n_words - 1));
    q->top = (struct top){count ? count : q->top.n, lowest, true};
    reader->superlative_said = true;
    reader_mention(reader, things);
    question_note(q,
                  arena_printf(reader->arena, "What does “%.*s” mean?",
                               STR_ARG(reader_span(reader, at, at + n))),
                  arena_printf(reader->arena, "The %s %.*s.",
                               lowest ? "lowest" : "highest",
                               STR_ARG(price.words)));
    reader->at = after + things.n_words;
    return true;
}
