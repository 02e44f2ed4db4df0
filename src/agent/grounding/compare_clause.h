/* compare_clause.h - parts of a sentence that compare rows. */
#pragma once
#include "compare.h"

struct compare_clause {
    const struct grounding_sentence *s;
    size_t word, end; /* indexes into the words of the text */
};

/* Words that make a comparison no statement: "not", "would". */
extern const char clause_negations[];

/* The end of the clause that begins at a word of the sentence. */
size_t clause_end(const struct grounding_sentence *s, size_t from);
/* The i-th word of the text. */
const struct wording_word *clause_word(const struct compare_clause *c,
                                       size_t i);
/* Whether the clause has a word of the list. */
bool clause_has(const struct compare_clause *c, const char *list);
/* Whether the mention is inside the clause. */
bool clause_holds(const struct compare_clause *c, const struct row_mention *m);
/* The only text, or period, of rows that is named in the clause, or, when it
 * names none, in the sentence. NULL: none, or several. */
const struct row_mention *clause_subject(const struct compare_clause *c,
                                         bool period);
/* Whether a comparison may be about the column: one that the clause names, or,
 * when it names none, any. */
bool clause_concerns(const struct compare_clause *c, const struct fact_table *t,
                     size_t column);
/* The rows of a table that the mention names. */
struct scope_rows mention_rows(const struct grounding_sentence *s,
                               const struct row_mention *m, size_t table);

/* The sums of a column by day, in the order of time. */
struct period_sums {
    int64_t *days;
    double *sums;
    size_t n;
};
/* Of a table with dates; `base` with n 0: all rows. */
struct period_sums period_sums_of(struct facts *facts,
                                  const struct fact_table *t,
                                  const struct fact_column *c,
                                  const struct scope_rows *base);
/* Whether the second value is greater, or with `up` false, less. */
bool value_goes(double from, double to, bool up);

/* Whether the rows contradict that something grew, or fell, or cannot show
 * any change at all. */
bool clause_wrong_change(const struct compare_clause *c, bool up);
