/* story.h - what an answer tells of the figures themselves. */
#pragma once
#include "analysis.h"
#include "data_frame.h"

struct narrative {
    struct arena *arena;
    struct bound_query *query;
    struct step_ids ids;
    struct data_frame frame; /* of the answer */
    struct data_frame total, ties;
    struct buf *out;
};

/* A sentence that answers, a table, what stands out. */
void figures_tell(const struct narrative *story);
/* " where …, … (2025-01-01 to 2025-12-31)": the filters and the period. */
struct str figures_scope(const struct narrative *story);
/* Whether the result was checked, and which checks failed. */
void tell_verification(const struct verification_report *report,
                       struct buf *out);
/* Why there is no answer, and what there is instead. */
void tell_cannot(const struct cannot_answer *cannot, struct buf *out);
/* The column of a measure. */
size_t figures_column(const struct narrative *story, size_t measure);
