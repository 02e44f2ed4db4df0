/* survey.h - what bounded looks at a source have shown of its datasets: the
 * first and last date of their time fields, and values of their text fields.
 *
 *   survey   of one ontology; it is filled dataset by dataset as questions need
 *            them, and a dataset is looked at again after a while
 *   values   the most frequent ones of the first SURVEY_ROWS rows. A field is
 *            `whole` when these are all of its values
 *   words    the words of a question that may name a value
 *   hint     a value that such a word names, exactly or nearly
 *
 * Pure: it writes the queries and reads their rows; others run them. Values are
 * data: they reach a prompt only by survey_put_*, which quote and cut them. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "ontology/model.h"

enum {
    SURVEY_TIMES = 3,   /* time fields of one dataset */
    SURVEY_FIELDS = 12, /* text fields of one dataset */
    SURVEY_VALUES = 200,
    SURVEY_LETTERS = 80,    /* of one value */
    SURVEY_ROWS = 20000,    /* that values are counted in */
    SURVEY_SEARCH = 100000, /* rows that one search for words reads */
    SURVEY_WORDS = 16,
    SURVEY_FOUND = 20, /* values that one search gives for a field */
    SURVEY_FEW = 12, /* values that are shown without a word that names them */
    SURVEY_SHORT = 40, /* bytes of such a value */
    SURVEY_HINTS = 24,
    SURVEY_HINTS_A_FIELD = 5,
    SURVEY_GROUP = 5, /* rows that have a value which may be shown when only
                         groups of rows may be */
};

struct surveyed_value {
    struct str text; /* cut at SURVEY_LETTERS characters */
    int64_t rows;
};

struct surveyed_field {
    size_t field;
    struct surveyed_value *values; /* the most frequent first */
    size_t n;
    size_t distinct; /* those seen, also values without a letter */
    bool whole;
};

struct surveyed_time {
    size_t field;
    struct str first, last; /* as the source writes them; empty: no rows */
};

struct surveyed_dataset {
    struct arena memory; /* of all below */
    uint64_t at_ms;      /* monotonic; 0: never */
    bool failed;
    struct surveyed_time times[SURVEY_TIMES];
    size_t n_times;
    struct surveyed_field fields[SURVEY_FIELDS];
    size_t n_fields;
};

/* Zeroed memory is an empty survey. */
struct survey {
    struct surveyed_dataset **datasets; /* by index; NULL: never looked at */
    size_t n, bytes;
};

/* Makes the dataset's entry, or empties it: with the fields of `seen`, no values
 * yet, looked at `now_ms`. Values are added, then survey_end_dataset. */
struct surveyed_dataset *
survey_begin_dataset(struct survey *s, const struct ontology *o, size_t dataset,
                     const struct surveyed_dataset *seen, uint64_t now_ms);
/* The entry; NULL: it was never looked at. */
const struct surveyed_dataset *survey_of(const struct survey *s,
                                         size_t dataset);
/* Counts the memory of an entry that has been filled. */
void survey_end_dataset(struct survey *s, const struct surveyed_dataset *d);
void survey_free(struct survey *s);

/* ---- looks at one dataset ------------------------------------------------ */

/* A query for the first and last date, one row: first, last, first, …; empty:
 * the dataset has no time field that is a column. Sets d->times. */
struct str survey_times_sql(struct arena *arena, const struct ontology *o,
                            size_t dataset, struct surveyed_dataset *d);
/* A query for the values, rows of number of the field, value, rows; empty: the
 * dataset has no text field that is a column. Sets d->fields. */
struct str survey_values_sql(struct arena *arena, const struct ontology *o,
                             size_t dataset, struct surveyed_dataset *d);
/* What the queries gave; rows of another form are left out. */
void survey_keep_times(struct surveyed_dataset *d, const struct str *cells,
                       int n_cells);
void survey_keep_values(struct surveyed_dataset *d, const struct str *cells,
                        int n_rows, int n_columns);

/* ---- words and values ---------------------------------------------------- */

struct survey_words {
    struct str items[SURVEY_WORDS]; /* parts of the question */
    bool of_model[SURVEY_WORDS];    /* names something in the model: "city" */
    size_t n;
};

/* The words of a question, without those that every question has, each once. A
 * number counts like a word of the model. */
void survey_words_of(struct str question, struct survey_words *words);

/* What a word has in common with its singular: "categor" of "categories". */
struct str survey_stem(struct str word);
/* Marks the words that are in the name of a dataset or field. Such a word names a
 * value only together with others. */
void survey_words_mark(struct survey_words *words, const struct ontology *o,
                       const size_t *datasets, size_t n);

/* A query for values with one of the words, of the fields that are not whole,
 * with columns as survey_values_sql has; empty: there are none. */
struct str survey_search_sql(struct arena *arena, const struct ontology *o,
                             size_t dataset, const struct surveyed_dataset *d,
                             const struct survey_words *words);

struct value_hint {
    size_t dataset, field;
    struct str text;
    unsigned score; /* 1 … 1000: how much of the value the question says */
};

struct value_hints {
    struct value_hint items[SURVEY_HINTS]; /* the best first */
    size_t n;
    unsigned left; /* private: comparisons of letters that may still be made */
};

void value_hints_begin(struct value_hints *h);
/* Offers a value; it is kept (not copied) if it is among the best. */
void value_hints_offer(struct value_hints *h, const struct survey_words *words,
                       size_t dataset, size_t field, struct str text);
/* Offers the values of a dataset that are in at least `least` rows. */
void value_hints_offer_all(struct value_hints *h,
                           const struct survey_words *words, size_t dataset,
                           const struct surveyed_dataset *d, int64_t least);

/* ---- as text ------------------------------------------------------------- */

/* "- orders.ordered_on: 2022-01-03 to 2025-12-31", a line for each time
 * field. */
void survey_put_times(const struct ontology *o, size_t dataset,
                      const struct surveyed_dataset *d, struct buf *out);
/* "- customers.city: 'Austin', 'San José'", a line for each field with
 * hints. */
void survey_put_hints(const struct ontology *o, const struct value_hints *h,
                      struct buf *out);
/* "- orders.status has only: 'open', 'paid'", for fields with few short values;
 * of a field that is not whole: "has, in the rows looked at". Values that are in
 * one row each are those of names; only the dataset's first text field shows
 * them. */
void survey_put_few(const struct ontology *o, size_t dataset,
                    const struct surveyed_dataset *d, int64_t least,
                    struct buf *out);
