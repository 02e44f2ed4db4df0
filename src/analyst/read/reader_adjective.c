/* reader_adjective.c - adjectives that name their measure: "the most expensive
 * product", "the 5 cheapest products" rank by the price that the products have, and
 * "players taller than 200" are filtered by their height.
 *
 * They are read only where the things have one such field: one that is called price
 * or fee, or height, and nothing else. Whatever has several, or none, is not ranked
 * and not compared, and the adjective stays an unknown word. */
#include "field.h"
#include "reader.h"
#include "unit.h"
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

/* ---- taller than ---------------------------------------------------------- */

static const struct {
    const char *phrases, *fields;
    enum filter_comparison comparison;
} comparatives[] = {
    {"taller than", "height", IS_OVER},
    {"heavier than", "weight mass", IS_OVER},
    {"lighter than", "weight mass", IS_UNDER},
    {"older than", "age", IS_OVER},
    {"younger than", "age", IS_UNDER},
    {"longer than", "length duration runtime", IS_OVER},
    {"shorter than", "height length duration runtime", IS_UNDER},
    {"wider than", "width", IS_OVER},
    {"narrower than", "width", IS_UNDER},
    {"deeper than", "depth", IS_OVER},
    {"faster than", "speed", IS_OVER},
    {"slower than", "speed", IS_UNDER},
    {"bigger than|larger than", "size area", IS_OVER},
    {"smaller than", "size area", IS_UNDER},
    {"more expensive than|costlier than|pricier than", "price fee", IS_OVER},
    {"less expensive than|cheaper than", "price fee", IS_UNDER},
};

/* The field's name, without its unit and its dataset, is one of the words. */
static bool is_plain(const struct question_reader *reader,
                     const struct dataset *d, const struct field *field,
                     const char *words)
{
    struct str parts[12];
    struct str own = words_key(reader->arena, d->name);
    size_t n = unit_less(reader->arena, field, parts, 12);
    if (!n)
        n = full_words(reader->arena, field->name, parts, 12);
    size_t skip = n > 1 && str_eq(word_stem(reader->arena, parts[0]), own);
    return n == skip + 1 && field_is_number(field) &&
           list_has(words, parts[skip]);
}

/* The only field of the things last named that is called so, and has the unit if
 * there is one; n is 0 when there is none. */
static struct choice plain_field(const struct question_reader *reader,
                                 const char *words, struct str unit)
{
    struct choice found = {.n = 0};
    if (reader->near == SIZE_MAX)
        return found;
    const struct dataset *d =
        &reader->lexicon->ontology->datasets[reader->near];
    for (size_t i = 0; i < d->n_fields; i++) {
        if (!is_plain(reader, d, &d->fields[i], words) ||
            (unit.len && !unit_is(reader->arena, &d->fields[i], unit)))
            continue;
        if (found.n)
            return (struct choice){.n = 0};
        found.terms = arena_new(reader->arena, struct term);
        *found.terms = (struct term){TERM_FIELD, WEIGHT_NAME, reader->near, i};
        found.words = spoken(reader->arena, d->fields[i].name);
        found.n = found.n_words = 1;
    }
    return found;
}

/* Other things may be meant than those named last: "albums with songs longer than
 * 5". */
static bool is_of_others(const struct question_reader *reader, size_t at)
{
    static const char links[] = "that which who is are was were";
    enum { NOUN_WORDS = 2 };
    const struct question *q = reader->question;
    while (at && reader_in(reader, at - 1, links))
        at--;
    for (size_t n = 1; n <= NOUN_WORDS && n <= at; n++) {
        struct choice noun = reader_match(reader, at - n);
        struct choice rows = choice_of(reader->arena, noun, TERM_DATASET);
        if (rows.n && noun.n_words == n)
            return rows.terms[0].dataset != reader->near;
    }
    for (size_t i = 0; i < q->n_filters; i++)
        if (q->filters[i].kind == FILTER_EXISTS)
            return true;
    return q->n_havings > 0;
}

bool comparative_read(struct question_reader *reader)
{
    size_t from = reader->at, n = 0, i = 0;
    for (; i < sizeof comparatives / sizeof *comparatives && !n; i++)
        n = reader_phrase(reader, from, comparatives[i].phrases);
    const struct question_word *number = reader_word(reader, from + n);
    if (!n || number->kind != WORD_NUMBER || is_of_others(reader, from))
        return false;
    size_t to = from + n + 1;
    struct str unit = reader_word(reader, to)->lower;
    if (!is_unit_word(unit))
        unit = STR("");
    struct choice fields =
        plain_field(reader, comparatives[i - 1].fields, unit);
    if (!fields.n)
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, false);
    filter->what = fields;
    filter->comparison = comparatives[i - 1].comparison;
    filter->values[filter->n_values++] =
        (struct filter_value){.text = number->number, .number = true};
    to += unit.len > 0;
    filter->words = reader_span(reader, from, to);
    question_note(
        reader->question,
        arena_printf(reader->arena, "What is “%.*s” about?",
                     STR_ARG(reader_span(reader, from, from + n))),
        arena_printf(reader->arena, "The %.*s.", STR_ARG(fields.words)));
    reader->at = to;
    return true;
}
