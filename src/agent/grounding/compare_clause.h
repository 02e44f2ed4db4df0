/* compare_clause.h - parts of a sentence that compare rows. */
#pragma once
#include "compare.h"
#include "prose.h"

struct compare_clause {
    const struct grounding_sentence *s;
    size_t word, end; /* indexes into the words of the text */
};

/* With one of these, a statement is not about all rows. */
extern const char clause_partial[];
/* What has these is less the more it is. */
extern const char clause_losses[];
/* Of what goes out, which some columns have with a minus. */
extern const char clause_outflows[];

/* The end of the clause that begins at a word of the sentence. */
size_t clause_end(const struct grounding_sentence *s, size_t from);
/* The i-th word of the text. */
const struct wording_word *clause_word(const struct compare_clause *c,
                                       size_t i);
/* The same in lower case; empty: it is outside the clause. */
struct str clause_text(const struct compare_clause *c, size_t i);
/* Whether the i-th word is a part of a subject of the sentence. */
bool clause_in_subject(const struct compare_clause *c, size_t i);
/* Whether it is about sums or some of the rows, or states nothing. */
bool clause_is_unsure(const struct compare_clause *c);
/* Whether the clause has a word of the list. */
bool clause_has(const struct compare_clause *c, const char *list);
/* Whether the clause has a word with one of the roles. */
bool clause_says(const struct compare_clause *c, uint32_t roles);
/* Whether the mention is inside the clause. */
bool clause_holds(const struct compare_clause *c, const struct row_mention *m);
/* Whether the mention is in brackets after the clause, with other words before
 * it: "rose to 9 (this includes Berlin)" is not of Berlin. */
bool clause_is_aside(const struct compare_clause *c,
                     const struct row_mention *m);
/* The only text, or period, of rows that is named in the clause, or, when it
 * names none, in the sentence. NULL: none, or several. */
const struct row_mention *clause_subject(const struct compare_clause *c,
                                         bool period);
/* Whether the i-th word of the text is part of a text of rows. */
bool clause_names_row(const struct compare_clause *c, size_t i);
/* Whether the clause has all words of a column's name that say something. */
bool clause_names(const struct compare_clause *c, struct str name);
/* Whether the clause has the words of the column's name around its period:
 * "revenue", of `revenue_2024`. */
bool clause_names_series(const struct compare_clause *c,
                         const struct fact_column *column);
/* Whether the word is a plural that the question or the queries have, but no
 * column: "critical incidents", of `critical`. */
bool facts_noun_of_none(struct facts *facts, struct str word);
/* Whether the clause names another column better than this one: one whose name
 * has all words of this one, and more, "deals won", of `deals`; or one whose
 * whole name it has, when it has no other words of this one's. */
bool clause_names_more(const struct compare_clause *c,
                       const struct fact_table *t, size_t column);
/* Whether the i-th word of the text is part of a column's name. */
bool clause_names_column(const struct compare_clause *c, size_t i);
/* Whether the figure is inside the clause. */
bool clause_has_figure(const struct compare_clause *c, const struct figure *f);
/* Whether the words between two places of the text are all of the list, or
 * parts of columns' names, and no mark parts them. */
bool only_between(const struct grounding_sentence *s, size_t from, size_t to,
                  const char *list);
/* Whether the clause names the period that the name of the column has. */
bool clause_has_period(const struct compare_clause *c,
                       const struct fact_column *column);
/* Whether a comparison may be about the column: one that the clause names; or,
 * when it names none, one of a period that it names; else any. */
bool clause_concerns(const struct compare_clause *c, const struct fact_table *t,
                     size_t column);
/* Whether the column is of numbers, and the clause names no column. */
bool clause_may_concern(const struct compare_clause *c,
                        const struct fact_table *t, size_t column);
/* 2 of "second" and "2nd"; 0: the word is no place in an order. */
unsigned clause_place_of(struct str word);
/* The clause at the start of the sentence that says of which rows the others
 * are: "Among the paid plans, ..."; false: there is none, or it is of all
 * rows. */
bool clause_part(const struct compare_clause *c, struct compare_clause *part);
/* Whether there is such a clause before this one. */
bool clause_leads_part(const struct compare_clause *c);
/* The rows of a table that such a clause names, by a text or by a column of true
 * and false; none: it cannot be read. */
struct scope_rows clause_part_rows(const struct compare_clause *part,
                                   size_t table);
/* The rows where the only column of true and false that the clause names is
 * true; with `is` false, where it is false. */
struct scope_rows clause_flag_rows(const struct compare_clause *c, size_t table,
                                   bool is);
/* The sum of the column's numbers in the rows. */
double rows_sum(const struct fact_column *c, const struct scope_rows *rows);
/* The rows that are in both. */
struct scope_rows rows_of_both(struct facts *facts, const struct scope_rows *a,
                               const struct scope_rows *b);
/* The rows of a table that the mention names. */
struct scope_rows mention_rows(const struct grounding_sentence *s,
                               const struct row_mention *m, size_t table);

/* Which of the subjects a statement about all rows leaves out: "all except
 * Rome"; SIZE_MAX: none. */
size_t clause_exception(const struct compare_clause *c);
/* The rows of a table without those of the mention. */
struct scope_rows rows_without(const struct grounding_sentence *s,
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
/* The same of the columns that differ from one in their periods only,
 * "revenue_2024": sums over the rows by period. Empty when the clause names
 * another column, or an earlier column has the same series. */
struct period_sums clause_column_sums(const struct compare_clause *c,
                                      const struct fact_table *t, size_t column,
                                      const struct scope_rows *base);
/* The earlier and the later value that a change without any other words is
 * between: of two named periods, up to the named one, or of the whole. False:
 * there are none. */
bool clause_change_ends(const struct compare_clause *c,
                        const struct period_sums *x, size_t *from, size_t *to);
/* Whether the second value is greater, or with `up` false, less. */
bool value_goes(double from, double to, bool up);

/* Whether the rows contradict that something grew, or fell, or cannot show
 * any change at all. */
bool clause_wrong_change(const struct compare_clause *c, bool up);

/* Whether the i-th word says that something of which more is better has risen. */
bool clause_improves(const struct compare_clause *c, size_t i);

/* "Grew from 5 to 3", "satisfaction improved from 5 to 3": the words contradict
 * themselves. */
bool clause_goes_back(const struct compare_clause *c, bool up);
/* Whether nothing in the rows is of several times. */
bool clause_no_series(const struct compare_clause *c);
/* The index of the last value in the period; n: none. */
size_t period_sums_index(const struct period_sums *sums,
                         const struct figure *period);
/* The figure is a period, or a month that has no year. */
bool figure_names_period(const struct figure *f);
/* The clause names texts of rows. */
bool clause_names_texts(const struct compare_clause *c);
/* Whether the figure says how many times more it is in one of two periods than
 * in the other, "tripled between May and June", and the rows contradict it. */
bool clause_wrong_multiple(const struct compare_clause *c,
                           const struct figure *f);

/* Whether "from 5 to 7" names the values of one row in two periods, the later one
 * first. */
bool clause_wrong_ends(const struct compare_clause *c, size_t word);

/* Whether "fell to 5" is of a period with that value, and none before it had a
 * greater one; `up`: "rose to 5". */
bool clause_wrong_level(const struct compare_clause *c, size_t word, bool up);

/* Whether "lost 5" contradicts columns of several periods, which show a rise. */
bool clause_wrong_loss(const struct compare_clause *c);
/* Whether columns of several periods contradict that it is more, or less, than
 * before. */
bool clause_wrong_since(const struct compare_clause *c, bool up);

/* Whether the word says that one of two things is more, or less, and the rows
 * contradict it: two texts, two periods, or two columns of the same rows. */
bool clause_wrong_pair(const struct compare_clause *c, size_t word);
/* The same of a word that means more, or less, here. */
bool clause_wrong_order(const struct compare_clause *c, size_t word, bool more);
/* Whether the figure says how much more, or less, one of two is, "5 points lower
 * than", and the rows contradict it. */
bool clause_wrong_difference(const struct compare_clause *c,
                             const struct figure *f);
/* Whether the figure says how many times one of two is the other, and the rows
 * contradict it. */
bool clause_wrong_times(const struct compare_clause *c, const struct figure *f);

/* Whether the word says that the texts of the sentence are in an order, and the
 * rows contradict it. */
bool clause_wrong_list(const struct compare_clause *c, size_t word);
/* Whether the word says between which numbers others are, and they are not. */
bool clause_wrong_range(const struct compare_clause *c, size_t word);

enum gain_verdict { GAIN_UNREAD, GAIN_RIGHT, GAIN_WRONG };
/* Whether the text changed most, in an amount or in proportion, when the word is
 * of a change between columns of two times: "gained the most". */
enum gain_verdict clause_text_gain(const struct compare_clause *c,
                                   const struct row_mention *m, size_t table,
                                   size_t word);
/* The same of the change into a period, "the strongest gain came in April". */
enum gain_verdict clause_period_gain(const struct compare_clause *c,
                                     const struct row_mention *m, size_t word);
/* Whether the word says that what the clause names has an extreme, and another
 * one has it. */
bool clause_wrong_extreme(const struct compare_clause *c, size_t word);
/* Whether less is better in a column of the table. */
bool table_has_bad(const struct fact_table *t);

/* Whether the word says that a row is the latest or the earliest, and another
 * is. */
bool clause_wrong_time(const struct compare_clause *c, size_t word);

/* Whether the clause says that a row, or the first or last of all, had something
 * done to it at a time, "was bought in 2015", and its date is another one. */
bool clause_wrong_date(const struct compare_clause *c);

/* Whether the i-th word says that a column of true and false is true, or with
 * *is false, that it is false: "enabled" and "disabled", of `is_enabled`. */
bool flag_word(const struct compare_clause *c, size_t i, bool *is);
/* Counts the rows where that column is true; n 0: of all. False: there is no
 * such column. */
bool flag_count(const struct compare_clause *c, const struct fact_table *t,
                const struct scope_rows *rows, size_t word, size_t *n);
/* Whether the word says of a text what such a column of its rows denies. */
bool clause_wrong_flag(const struct compare_clause *c, size_t word);

/* Whether the clause says that a row met, exceeded or missed its target, and it
 * did not. */
bool clause_wrong_target(const struct compare_clause *c);
/* Whether the word says that a named column of a row is negative, or positive,
 * and it is not. */
bool clause_wrong_sign(const struct compare_clause *c, size_t word);

/* Whether the name has a noun for the deed: "convert", of `conversion_pct`. */
bool column_is_of_deed(struct str name, struct str word);
/* Whether the clause's word is the deed of some column of numbers. */
bool clause_deed_of_some(const struct compare_clause *c, struct str word);
/* Whether the name has the word, or what its participle is of: "rated", of
 * `avg_rating`. */
bool column_is_done(struct str name, struct str word);
/* Whether the i-th word is such a participle of a column of numbers. */
bool clause_form_of_some(const struct compare_clause *c, size_t i);
/* Whether the words are the whole name: "open tickets" is not `tickets`. */
bool clause_names_whole(const struct compare_clause *words, struct str name);

enum count_verdict { COUNT_UNREAD, COUNT_RIGHT, COUNT_WRONG };
/* Whether this many rows do what the clause says, when the word is an amount. */
enum count_verdict clause_counts(const struct compare_clause *c, size_t word);
/* Whether the word says that a row has none of a column, and it has some. */
bool clause_wrong_none(const struct compare_clause *c, size_t word);
/* Whether the word says that a row is the only one with a value, and another one
 * has it, too. */
bool clause_wrong_only(const struct compare_clause *c, size_t word);
/* Whether the word says for how many rows a column has no value, and it is
 * another number. */
bool clause_wrong_missing(const struct compare_clause *c, size_t word);
/* Whether the noun is the time that each row of the table is of: "months". */
bool table_counts_periods(const struct fact_table *t, struct str noun);
/* Each row is of one thing that has a name or a number. */
bool table_has_things(const struct fact_table *t);
/* Whether the noun is what each row of the table is of: "cities", "months". */
bool table_counts_rows(struct facts *facts, const struct fact_table *t,
                       struct str noun);
/* Whether the word and the next one are one noun: "business units", of
 * `business_unit`. */
bool clause_one_noun(const struct compare_clause *c, size_t word);
/* Whether the word is a noun for what rows are of: "cities", "months". */
bool clause_counts_rows(const struct compare_clause *c, size_t word);
