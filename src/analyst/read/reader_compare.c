/* reader_compare.c - amounts: "over 100", "at least 3", "between 5 and 10". */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

static const struct {
    const char *phrases;
    enum filter_comparison comparison;
} comparisons[] = {
    {"no less than|not less than|no fewer than|at least|>=", IS_AT_LEAST},
    {"no more than|not more than|at most|up to|<=", IS_AT_MOST},
    {"more than|greater than|larger than|higher than|bigger than|longer than|"
     "over|above|exceeding|exceeds|exceeded|>",
     IS_OVER},
    {"less than|fewer than|lower than|smaller than|shorter than|under|below|<",
     IS_UNDER},
};

size_t comparison_at(const struct question_reader *reader, size_t at,
                     enum filter_comparison *comparison)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons && !n;
         i++) {
        n = reader_phrase(reader, at, comparisons[i].phrases);
        *comparison = n ? comparisons[i].comparison : *comparison;
    }
    return n;
}

/* A minus sign is not a word; it comes right before the digits. */
static bool is_negative(const struct question_reader *reader,
                        const struct question_word *word)
{
    struct str text = reader->words.text;
    return word->from && text.ptr[word->from - 1] == '-' &&
           (word->from == 1 || text.ptr[word->from - 2] == ' ');
}

/* A number with its sign and unit. */
static size_t number_at(const struct question_reader *reader, size_t at,
                        struct str *number)
{
    static const char units[] =
        "% dollars dollar usd eur euros percent $ euro pounds";
    size_t n = reader_is(reader, at, "$") ? 1 : 0;
    const struct question_word *word = reader_word(reader, at + n);
    if (word->kind == WORD_NUMBER)
        *number = word->number;
    else if (word_count(word))
        *number = arena_printf(reader->arena, "%zu", word_count(word));
    else
        return 0;
    if (word->kind == WORD_NUMBER && is_negative(reader, word))
        *number = arena_printf(reader->arena, "-%.*s", STR_ARG(*number));
    n++;
    return n + reader_in(reader, at + n, units);
}

static size_t open_amount(const struct question_reader *reader, size_t at,
                          enum filter_comparison *comparison,
                          struct str *number)
{
    size_t n = number_at(reader, at, number);
    if (!n || !reader_is(reader, at + n, "or"))
        return 0;
    static const char more[] = "more higher above over";
    static const char less[] = "less fewer lower below";
    if (!reader_in(reader, at + n + 1, more) &&
        !reader_in(reader, at + n + 1, less))
        return 0;
    *comparison =
        reader_in(reader, at + n + 1, more) ? IS_AT_LEAST : IS_AT_MOST;
    return n + 2;
}

size_t amount_at(const struct question_reader *reader, size_t at,
                 enum filter_comparison *comparison, struct str *number,
                 struct str *number2)
{
    size_t n = comparison_at(reader, at, comparison);
    if (n) {
        size_t digits = number_at(reader, at + n, number);
        return digits ? n + digits : 0;
    }
    if (!reader_is(reader, at, "between"))
        return open_amount(reader, at, comparison, number);
    size_t first = number_at(reader, at + 1, number);
    if (!first || !reader_is(reader, at + 1 + first, "and"))
        return 0;
    size_t second = number_at(reader, at + 2 + first, number2);
    *comparison = IS_BETWEEN;
    return second ? 2 + first + second : 0;
}

size_t equals_at(const struct question_reader *reader, size_t at, bool *negated)
{
    static const char is[] = "is are was were = == equals equal : being != <>";
    size_t n = 0;
    *negated = reader_in(reader, at, "!= <>");
    if (reader_in(reader, at, is))
        n++;
    if (reader_is(reader, at + n, "not")) {
        *negated = true;
        n++;
    }
    if (n &&
        (reader_is(reader, at + n, "in") || reader_is(reader, at + n, "to") ||
         reader_is(reader, at + n, "either")))
        n++;
    else if (!n && reader_is(reader, at, "in") && !reader_window(reader, at))
        n++;
    return n;
}

size_t missing_at(const struct question_reader *reader, size_t at,
                  const struct field *field, bool *negated)
{
    static const char words[] = "null missing empty unknown blank unset";
    static const char bare[] = "missing unknown";
    static const char known[] = "known recorded given specified set";
    size_t n = equals_at(reader, at, negated), sampled = 0;
    /* A text may be one of the words: a status that is given. */
    bool sure = field && (field_is_number(field) || field_is_date(field));
    if (samples_match(&reader->lexicon->samples, &reader->words, at + n,
                      at + n + 1, &sampled))
        return 0;
    if (reader_in(reader, at + n, n ? words : bare) && (n || sure))
        return n + 1;
    /* "Is not known", "not recorded" */
    if (!n || !reader_in(reader, at + n, known) ||
        (!sure && !reader_is(reader, at + n, "known")))
        return 0;
    *negated = !*negated;
    return n + 1;
}
