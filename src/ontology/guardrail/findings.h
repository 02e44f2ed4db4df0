/* findings.h - between the files that judge a query. */
#pragma once
#include "grain.h"
#include "ontology/guardrail.h"

struct judging {
    struct arena *arena;
    const struct ontology *o;
    struct model_tables catalog;
    struct shape shape;
    struct query_findings *findings;
    bool *joined; /* the relationships that it joins along */
};

enum { FINDINGS_MOST = 20 };

/* Each message once, FINDINGS_MOST at most. */
void finding_add(struct judging *j, enum finding_kind kind, bool grave,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* What the model, or the query, calls it. */
struct str source_label(const struct judging *j,
                        const struct shape_source *source);

/* A column of a table of the model, through derived tables that pass it on. */
struct origin {
    const struct shape_source *source; /* NULL: it is made of something */
    size_t column;
};
struct origin origin_of(const struct shape_value *value);
bool stands_for(struct origin origin, size_t dataset);
/* Is the column of the origin among these? */
bool origin_within(struct origin origin, struct str_list columns);

/* Fills in an outline of zeros. */
void outline_tell(const struct judging *j, struct query_outline *out);

void judge_names(struct judging *j);
void judge_joins(struct judging *j, struct shape_select *select);
void judge_measures(struct judging *j, struct shape_select *select);
