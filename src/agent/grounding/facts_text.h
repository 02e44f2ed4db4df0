/* facts_text.h - words and figures of the texts around results: the question, the queries
 * and the plan. */
#pragma once
#include "facts.h"

enum { NAME_BYTES = 160 }; /* of a word, or of a cell that can be named */

/* Adds the words of a text to those that may be used in names. */
void facts_add_words(struct facts *facts, struct str text);
/* Reads the i-th text around the results; false: there are no more. */
bool facts_read_text(struct facts *facts, size_t i);
/* Dates cells such as "Q4" in the year that the queries and the question name, once all
 * texts have been read. */
void facts_date_periods(struct facts *facts);
