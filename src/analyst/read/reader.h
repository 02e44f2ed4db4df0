/* reader.h - the parts of question_read, which walk over the words together.
 *
 * Each `…_read` looks at the word at `at`. When what stands there is its own, it
 * takes it into the question, moves `at` behind it and answers true; else it
 * changes nothing. The order in which reader.c asks them decides. */
#pragma once
#include "question.h"

enum { READER_GAPS = 16 };

struct gap {
    size_t from, to;
};

struct question_reader {
    const struct lexicon *lexicon;
    struct arena *arena;
    struct question_words words;
    size_t at;
    const struct question *before;
    struct question *question;
    enum function function; /* said, its noun is still to come */
    int superlative;        /* 1 highest, -1 lowest: its noun is to come */
    bool superlative_said;
    bool joined;   /* "and" or a comma stands before */
    bool filtered; /* what was read last is a filter */
    bool compare;  /* values are to stand side by side */
    size_t near;   /* the dataset named last, SIZE_MAX */
    enum time_unit subject_grain;
    /* Fields said without "by"; ranked: it may be what a top n is of. */
    struct asked_dimension loose[QUESTION_DIMENSIONS];
    size_t n_loose;
    struct gap gaps[READER_GAPS]; /* runs of words nobody took */
    size_t n_gaps;
};

/* reader.c */
const struct question_word *reader_word(const struct question_reader *reader,
                                        size_t at);
bool reader_is(const struct question_reader *reader, size_t at,
               const char *lower);
bool reader_in(const struct question_reader *reader, size_t at,
               const char *list);
struct choice reader_match(const struct question_reader *reader, size_t at);
struct str reader_span(const struct question_reader *reader, size_t from,
                       size_t to);
/* Words that carry no meaning here; after "why", judgements too. */
bool reader_noise(const struct question_reader *reader, size_t at);
/* A verb that is also a name here, used as a verb: "what did Dallas make". */
bool reader_verb(const struct question_reader *reader, size_t at);
/* A word that may be part of a value: known to nobody. */
bool reader_unknown(const struct question_reader *reader, size_t at);
bool reader_window(const struct question_reader *reader, size_t at);
void reader_mention(struct question_reader *reader, struct choice what);
void reader_object(struct question_reader *reader, struct str sentence);

/* reader_measure.c */
bool function_read(struct question_reader *reader);
bool superlative_read(struct question_reader *reader);
bool share_read(struct question_reader *reader);
bool phrase_read(struct question_reader *reader);
/* "number of orders" from "number of" and `what`. */
bool measure_make(struct question_reader *reader, enum function function,
                  struct choice what, struct asked_measure *measure);
void measure_add(struct question_reader *reader, struct asked_measure measure);

/* reader_group.c */
bool group_read(struct question_reader *reader);
bool grain_read(struct question_reader *reader); /* monthly, over time */
bool top_read(struct question_reader *reader);
bool sort_read(struct question_reader *reader);
bool subject_read(struct question_reader *reader);
bool chart_read(struct question_reader *reader);
void dimension_add(struct question_reader *reader,
                   struct asked_dimension dimension);
/* Roles, then a field or a dataset, at `at`; answers how many words. */
size_t noun_at(struct question_reader *reader, size_t at, struct choice *what);

/* reader_filter.c */
bool filter_read(struct question_reader *reader);
/* A value that the model knows of, wherever it stands. */
bool sample_read(struct question_reader *reader);

/* reader_value.c */
struct asked_filter *filter_new(struct question_reader *reader,
                                enum filter_kind kind, bool negated);
/* How many words the value at `at` has; *loose: it has no sign of being one. */
size_t value_length(const struct question_reader *reader, size_t at,
                    bool *loose);
void value_add(struct question_reader *reader, struct asked_filter *filter,
               size_t at, size_t n);
/* A list of values, "Houston, Dallas and Austin": answers how many words. */
size_t values_at(struct question_reader *reader, size_t at, bool numbers,
                 struct asked_filter *filter);
/* The first field among what a phrase may mean, or NULL. */
const struct field *first_field(const struct question_reader *reader,
                                const struct choice *what);
/* The phrase behind a value, when it is a noun. */
struct choice noun_behind(const struct question_reader *reader, size_t at);
/* Makes values of the gaps that can be values; the others are unknown. */
void gaps_settle(struct question_reader *reader);

/* reader_time.c */
bool period_read(struct question_reader *reader);
/* A date with its period: "joined in 2025", "order date after 2024". */
bool dated_read(struct question_reader *reader);

/* reader_settle.c: decides what only the whole question can tell, after its last
 * word. */
void question_settle(struct question_reader *reader);

/* reader_compare.c */
/* "over", "at least", ">": answers how many words. */
size_t comparison_at(const struct question_reader *reader, size_t at,
                     enum filter_comparison *comparison);
/* A number with its sign and unit. */
size_t number_at(const struct question_reader *reader, size_t at,
                 struct str *number);
/* "between 5 and 10" and the like, both numbers. */
size_t amount_at(const struct question_reader *reader, size_t at,
                 enum filter_comparison *comparison, struct str *number,
                 struct str *number2);
