/* reader.h - the parts of question_read, which share one position in the words.
 *
 * Each `…_read` looks at the word at reader->at. When a phrase of its kind begins
 * there, it adds it to the question, moves `at` past it and returns true; else it
 * changes nothing. reader.c tries them in a fixed order, and the first that matches
 * wins. `…_at` functions only look, and return how many words matched. */
#pragma once
#include "question.h"

enum { READER_GAPS = 16, ATTRIBUTES = QUESTION_DIMENSIONS - 1 };

/* What is asked of things besides their name. */
struct attributes {
    struct choice what[ATTRIBUTES];
    size_t n;
    bool keys;   /* their ids, too */
    bool beside; /* a figure: what may be one is none of them, */
    size_t of;   /* unless this dataset has it itself */
};

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
    enum function function; /* read; its noun is still to come */
    int superlative;        /* 1 highest, -1 lowest: its noun is to come */
    bool superlative_said;
    bool ranked;        /* by an adjective, "oldest" */
    bool joined;        /* "and" or a comma came just before */
    bool filtered;      /* what was read last is a filter */
    bool compare;       /* values are to be compared */
    bool begun;         /* something that has a meaning was read */
    bool who;           /* a person is asked for */
    bool shows;         /* "show" and the like: perhaps rows are wanted */
    bool overview;      /* "how are we doing": what of a number, is not said */
    bool averaged;      /* "on average": of one measure over some things */
    size_t passive;     /* the word after a verb of verbs.def, or 0 */
    size_t share_from;  /* the word "share", or "percent" */
    size_t share_at;    /* the word after "share of", or 0 */
    size_t measured_to; /* the word after the last measure, or 0 */
    size_t function_to; /* the word after the last function, or 0 */
    struct choice counted; /* the things after "how many" */
    size_t near;           /* the dataset named last, SIZE_MAX */
    enum time_unit subject_grain;
    enum date_part subject_part;
    /* Fields named without "by"; ranked: a top n may rank them. */
    struct asked_dimension loose[QUESTION_DIMENSIONS];
    size_t n_loose;
    struct gap gaps[READER_GAPS]; /* runs of words that no reader took */
    size_t n_gaps;
    struct attributes beside; /* what is asked of the things next to figures */
    struct list_reader *list; /* of a question for things; NULL: for figures */
};

/* reader.c */
void reader_init(struct question_reader *reader, const struct lexicon *lexicon,
                 struct str text, const struct question *before,
                 struct question *question);
/* Reads the words from reader->at to the end, and what came to nothing as values. */
void reader_words(struct question_reader *reader);
/* Words by index; past the end there is an empty mark. */
const struct question_word *reader_word(const struct question_reader *reader,
                                        size_t at);
bool reader_is(const struct question_reader *reader, size_t at,
               const char *lower);
bool reader_in(const struct question_reader *reader, size_t at,
               const char *list);
/* How many words the first of the phrases has that begins at the word; 0: none
 * does. Phrases are separated by "|", their words by a space. */
size_t reader_phrase(const struct question_reader *reader, size_t at,
                     const char *phrases);
struct choice reader_match(const struct question_reader *reader, size_t at);
struct str reader_span(const struct question_reader *reader, size_t from,
                       size_t to);
/* A word without meaning for the query; in a why-question, also "falling". */
bool reader_noise(const struct question_reader *reader, size_t at);
/* A verb that is also a name in the ontology: "what did Dallas make". */
bool reader_verb(const struct question_reader *reader, size_t at);
/* A word that may be part of a value, because it has no other meaning. */
bool reader_unknown(const struct question_reader *reader, size_t at);
/* A period begins at the word. */
bool reader_window(const struct question_reader *reader, size_t at);
/* Records that the question names these datasets. */
void reader_mention(struct question_reader *reader, struct choice what);
/* Sets question->problem, unless there is one. */
void reader_object(struct question_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* reader_measure.c */
bool function_read(struct question_reader *reader);
/* "number of", "average". Returns how many words. */
size_t function_at(const struct question_reader *reader, size_t at,
                   enum function *function);
bool superlative_read(struct question_reader *reader);
/* Whether the noun is what a superlative before it is about. */
bool superlative_applied(struct question_reader *reader, struct choice what);
bool phrase_read(struct question_reader *reader);
/* A measure of the function and the noun; false: they do not fit. */
bool measure_make(struct question_reader *reader, enum function function,
                  struct choice what, struct asked_measure *measure);
void measure_add(struct question_reader *reader, struct asked_measure measure);
/* "Who scored the most goals": who is ranked, and nothing else was named. */
bool ranks_who(const struct question_reader *reader);

/* reader_rows.c */
/* "Rows", where there are several datasets to have them. */
bool rows_read(struct question_reader *reader);
/* "In the file", "table" after the name of one: words that add nothing. */
bool whole_read(struct question_reader *reader);

/* reader_done.c */
/* What persons did, or did not: "who ordered in 2025", "have never ordered". */
bool acted_read(struct question_reader *reader);
/* "Products that were never ordered". */
bool undealt_read(struct question_reader *reader);
/* Adds a filter for each of the periods at `to`, in which there are such rows or are
 * none; `nouns` are those of a verb that may be said again. */
bool rows_held(struct question_reader *reader, struct choice rows, bool negated,
               size_t from, size_t to, const char *nouns);

/* reader_verb.c */
/* The nouns of the verb at the word (verbs.def); NULL: it is no verb of the list. */
const char *verb_nouns(const struct question_reader *reader, size_t at);
/* A verb that says nothing beyond its noun: "orders that were placed". */
bool verb_read(struct question_reader *reader);
/* What things have, or have not: "with a coupon", "have no orders". */
bool holding_read(struct question_reader *reader);

/* "How much did we sell": the metric that is called sales. */
bool sold_read(struct question_reader *reader);

/* "is", "=", "is not", "in". Returns how many words. */
size_t equals_at(const struct question_reader *reader, size_t at,
                 bool *negated);
/* After the field: "is missing", "is not known", "unknown". Returns how many words;
 * *negated: it is not missing. */
size_t missing_at(const struct question_reader *reader, size_t at,
                  const struct field *field, bool *negated);

/* reader_deed.c */
/* A verb that the model has a name for: "who cleaned the most rooms", by cleaned_by;
 * "vets who attended Ethics", by attendances; "how many tracks were sold". */
bool deed_read(struct question_reader *reader);
/* The word may be such a verb, which is no part of a value. */
bool deed_named(const struct question_reader *reader, size_t at);
/* Refuses a period that may be of what was done or of the things. */
void deeds_settle(struct question_reader *reader);

/* reader_adjective.c */
/* "The most expensive product", "which club is the oldest": ranks by what the things
 * have. */
bool adjective_read(struct question_reader *reader);
/* Refuses what cannot go with such a ranking. */
void adjective_settle(struct question_reader *reader);
/* An adjective that ranks begins at the word, which is no part of a value then. */
bool adjective_begins(const struct question_reader *reader, size_t at);
/* "Taller than 200": a filter on the height that the things have. */
bool comparative_read(struct question_reader *reader);

/* reader_list.c */
/* The things that a list is of, what is asked of them, and their order. */
bool list_read(struct question_reader *reader);
/* The things; n is 0 when different values are listed. */
struct choice list_things(const struct question_reader *reader);
/* A word without meaning in a question for things. */
bool list_noise(const struct question_reader *reader);

/* reader_attribute.c */
/* A name or a field. Returns how many words; 0: neither. `what` stays empty for the
 * name, by which the things are shown anyway; *key: their id. */
size_t attribute_at(const struct question_reader *reader, size_t at,
                    const struct attributes *all, struct choice *what,
                    bool *key);
/* "Name, height and club". Returns how many words; 0: not all are known. */
size_t attributes_at(const struct question_reader *reader, size_t at,
                     struct attributes *all);
/* Those of the fields that the dataset has; all of them, if it has none. */
struct choice own_fields(const struct question_reader *reader,
                         struct choice fields, size_t dataset);
/* Of the choice, what the things have themselves, else the datasets. The number of
 * a club is not its name. */
struct choice attribute_own(const struct question_reader *reader,
                            struct choice what, size_t dataset);
struct choice field_choice(const struct question_reader *reader, size_t dataset,
                           size_t field);
/* The field of the dataset's only key; SIZE_MAX: there is none. */
size_t key_field(const struct dataset *dataset);
/* "Name and city of the store with the most orders", at the beginning. */
bool attributes_read(struct question_reader *reader);
/* "Two stores with …", at the beginning. */
bool some_read(struct question_reader *reader);
/* "With their city": what is asked of the things next to their figure. */
bool its_read(struct question_reader *reader);
/* Makes columns of what was asked so. */
void attributes_settle(struct question_reader *reader);

/* reader_average.c */
/* "With a price above the average": a filter on what the things have. */
bool average_read(struct question_reader *reader);
/* Other conditions may limit the average, too, or not. */
void average_doubt(struct question_reader *reader);

/* reader_share.c */
bool share_read(struct question_reader *reader);
/* A share without a breakdown: "what share of orders was online". */
void share_settle(struct question_reader *reader);

/* reader_ratio.c */
/* "The ratio of orders to customers". */
bool ratio_read(struct question_reader *reader);
/* Several functions of one noun: "lowest, average and highest price". */
bool functions_read(struct question_reader *reader);
/* "Average number of tracks per album": one figure divided by another. */
void average_settle(struct question_reader *reader);

/* reader_group.c */
bool group_read(struct question_reader *reader);
/* A breakdown by a grain of time begins at the word: "each year". */
bool grain_follows(struct question_reader *reader, size_t at);
bool grain_read(struct question_reader *reader); /* monthly, over time */
bool top_read(struct question_reader *reader);
bool sort_read(struct question_reader *reader);
bool subject_read(struct question_reader *reader);
bool common_read(struct question_reader *reader);
bool chart_read(struct question_reader *reader);
void dimension_add(struct question_reader *reader,
                   struct asked_dimension dimension);

/* reader_filter.c */
bool filter_read(struct question_reader *reader);
/* "By doctor Smith", with the things at `at`: those of one doctor, and no breakdown. */
bool by_thing_read(struct question_reader *reader, struct choice things,
                   size_t at);
/* A value that the ontology names, without a preposition before it. */
bool sample_read(struct question_reader *reader);

/* reader_value.c */
/* Adds a filter to the question. */
struct asked_filter *filter_new(struct question_reader *reader,
                                enum filter_kind kind, bool negated);
/* How many words the value at `at` has; *loose: only its place suggests that it is
 * one. */
size_t value_length(const struct question_reader *reader, size_t at,
                    bool *loose);
/* Adds the n words at `at` to the filter's values. */
void value_add(struct question_reader *reader, struct asked_filter *filter,
               size_t at, size_t n);
/* A list of values, "Houston, Dallas and Austin". Returns how many words. */
size_t values_at(struct question_reader *reader, size_t at, bool numbers,
                 struct asked_filter *filter);
/* "With both online and phone orders": a row of each. */
bool both_read(struct question_reader *reader);
/* The first field among what a phrase may mean, or NULL. */
const struct field *first_field(const struct question_reader *reader,
                                const struct choice *what);
/* The word names a flag of others, and is a value of the things that it is said of:
 * "active policies", where only agents have a flag of that name. */
bool flag_is_value(const struct question_reader *reader, size_t at,
                   const struct choice *what);
/* The field is a flag, and the filter has no code of it: "smoker is Y" has. */
bool is_flag_alone(const struct field *field,
                   const struct asked_filter *filter);
/* The sign at the word is a code of the field: "rhesus factor -". */
bool is_sign_of(const struct question_reader *reader, size_t at,
                const struct field *field);
/* The noun after a value: "orders" of "Houston orders". */
struct choice noun_after(const struct question_reader *reader, size_t at);
/* Gaps that can be values become filters; the others are unknown words. */
void gaps_settle(struct question_reader *reader);

/* reader_doubt.c */
/* What is left in doubt becomes the question's problem. */
void doubts_settle(struct question_reader *reader);

/* reader_time.c */
/* The dates among what a phrase may mean. */
struct choice dates_of(const struct question_reader *reader,
                       struct choice what);
bool period_read(struct question_reader *reader);
/* A date with its period: "joined in 2025", "order date after 2024". */
bool dated_read(struct question_reader *reader);
/* "Born", "hired" and the like: says when, and is no name. */
bool participle_at(const struct question_reader *reader, size_t at);
/* The date of the dataset whose name is the participle at the word, "returned" of
 * returned_on; n is 0 when there is none, or several. */
struct choice date_of_deed(const struct question_reader *reader, size_t dataset,
                           size_t at);
/* "Loans that have not been returned": whether a date is set. */
/* "Unpaid invoices": those whose paid_on is empty. */
bool undone_read(struct question_reader *reader);
bool done_read(struct question_reader *reader);
/* The same for what happened to the things named last: "born after 2000". */
bool participle_read(struct question_reader *reader);
/* A year of theirs: "opened before 1950", "where the model year is after 2010". */
bool year_read(struct question_reader *reader);

/* reader_settle.c: decides what only the whole question can tell, after its last
 * word. */
void question_settle(struct question_reader *reader);

/* reader_compare.c */
/* "over", "at least", ">". Returns how many words. */
size_t comparison_at(const struct question_reader *reader, size_t at,
                     enum filter_comparison *comparison);
/* "between 5 and 10" and the like, both numbers. */
size_t amount_at(const struct question_reader *reader, size_t at,
                 enum filter_comparison *comparison, struct str *number,
                 struct str *number2);
