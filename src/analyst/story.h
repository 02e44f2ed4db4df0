/* story.h - what an answer tells of the figures themselves. */
#pragma once
#include "analysis.h"
#include "frame.h"

struct story {
    struct arena *arena;
    struct query *query;
    struct step_ids ids;
    struct frame frame; /* of the answer */
    struct frame total, ties;
    struct buf *out;
};

/* A sentence that answers, a table, what stands out. */
void story_tell(const struct story *story);
/* " where …, … (2025-01-01 to 2025-12-31)": the filters and the period. */
struct str story_scope(const struct story *story);
/* Whether the result was checked, and which checks failed. */
void tell_verification(const struct verification_report *report,
                       struct buf *out);
/* Why there is no answer, and what there is instead. */
void tell_cannot(const struct cannot_answer *cannot, struct buf *out);
/* The column of a measure. */
size_t story_column(const struct story *story, size_t measure);
