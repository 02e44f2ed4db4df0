/* narrative.h - the text of an answer: its parts, which narrative.c puts together
 * and account.c uses for plans of other origin. */
#pragma once
#include "analysis.h"
#include "data_frame.h"

struct narrative {
    struct arena *arena;
    struct bound_query *query;
    struct step_ids ids;
    struct data_frame frame; /* of the answer */
    struct data_frame total, ties, over;
    struct buf *out;
};

/* figures.c: a sentence that answers, a table, and what stands out. */
void figures_tell(const struct narrative *n);
/* " where …, … (2025-01-01 to 2025-12-31)": the filters and the period. */
struct str figures_scope(const struct narrative *n);
/* The column of a measure in the answer's rows. */
size_t figures_column(const struct narrative *n, size_t measure);

/* period_told.c: the days of each period that the step has looked up; nothing
 * when `step` is 0 or has no result. */
void tell_periods(const struct bound_query *query, int64_t step,
                  const struct step_results *results, struct buf *out);

/* narrative.c: whether the result was verified, and which checks failed; `report`
 * may be NULL. */
void tell_verification(const struct verification_report *report,
                       struct buf *out);
/* Why there is no answer, and which datasets there are. */
void tell_cannot(const struct cannot_answer *cannot, struct buf *out);
/* Up to three questions that can be answered, after the title; nothing when there
 * are none. */
void put_examples(struct arena *arena, const struct ontology *o,
                  const char *title, struct buf *out);
