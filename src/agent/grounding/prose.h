/* prose.h - lists of words that say what part of a sentence a figure or a name
 * is in. Each word has a space before and after it (wording_among). */
#pragma once

/* Frequent words of English, and of other languages: they tell which one a
 * text is in. */
extern const char prose_function_words[];
extern const char prose_foreign_words[];
/* Words that may begin with a capital and are no names. */
extern const char prose_common_words[];
/* A word before them, at the start of a sentence, is a name if it is not
 * known. */
extern const char prose_name_verbs[];
/* A figure after one of them need not be of the row that was named. */
extern const char prose_releases[];
/* Words of changes over time, and of differences: only with one of them is a
 * figure the difference or the ratio of two cells. */
extern const char prose_changes[];
extern const char prose_differences[];
/* The figure is a part of everything; what is left of everything. */
extern const char prose_wholes[];
extern const char prose_rests[];
/* They make a positive figure one of a negative cell. */
extern const char prose_losses[];
/* The figure may be one column divided by another. */
extern const char prose_ratios[];
/* The sentence says that there are more rows. */
extern const char prose_cuts[];
/* Words before a number of rows in an order, and for rows that are added up. */
extern const char prose_ranks[];
extern const char prose_sums[];
/* Words before a figure that limits what was asked, and after a span of time. */
extern const char prose_limits[];
extern const char prose_time_units[];
/* What a text counts of itself: "three points". */
extern const char prose_things[];
/* A sentence with one of them tells no finding: it says what is not possible,
 * or what might be asked. */
extern const char prose_excuses[];
/* Words of findings. */
extern const char prose_findings[];
