/* findings.h - shared by the files that judge a query. */
#pragma once
#include "grain.h"
#include "ontology/guardrail.h"

struct guardrail_check {
    struct arena *arena;
    const struct ontology *o;
    struct model_tables catalog;
    struct shape shape;
    struct query_findings *findings;
    bool *joined;  /* by relationship: the query joins along it */
    size_t pairs;  /* counts that were looked at for pairs of rows */
    size_t looked; /* steps of the rules so far: RULE_STEPS at most */
};

enum { FINDINGS_MOST = 20, RULE_STEPS = 100 * 1000 };

/* Adds a finding, unless its message is known already or there are
 * FINDINGS_MOST. */
void finding_add(struct guardrail_check *j, enum finding_kind kind, bool grave,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The name of the source in the model, or in the query. */
struct str source_label(const struct guardrail_check *j,
                        const struct shape_source *source);

/* The column of a table of the model that a value is, also through derived
 * tables that pass it on unchanged. */
struct column_origin {
    const struct shape_source *source; /* NULL: the value is computed */
    size_t column;
};
struct column_origin origin_of(const struct shape_value *value);
bool origin_in_dataset(struct column_origin origin, size_t dataset);
/* The column of the origin is among these. */
bool origin_within(struct column_origin origin, struct str_list columns);

/* Fills *out, which is zeroed, from the text of the query. */
void outline_fill(const struct guardrail_check *j, struct query_outline *out);

void judge_names(struct guardrail_check *j);
void judge_joins(struct guardrail_check *j, struct shape_select *select);
void judge_measures(struct guardrail_check *j, struct shape_select *select);
