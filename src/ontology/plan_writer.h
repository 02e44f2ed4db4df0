/* plan_writer.h - what the parts of the QueryPlan compiler share: the SQL so
 * far, and the first problem. */
#pragma once
#include "ontology/query_plan.h"

struct plan_function;

/* A column of the result. */
struct plan_output {
    const struct plan_function *function; /* NULL: the field as it is */
    const struct field *field;            /* NULL: "*" */
    struct str name;
};

struct plan_writer {
    const struct ontology *ontology;
    struct arena *arena;
    const struct dataset *dataset;
    size_t dataset_index;
    struct plan_output *outputs;
    size_t n_outputs;
    const struct field **group_by;
    size_t n_groups;
    bool groups; /* one row of the result is a group */
    struct buf sql;
    struct str problem;
};

/* Notes a problem, if it is the first; returns false. */
__attribute__((format(printf, 2, 3))) bool plan_refuse(struct plan_writer *p,
                                                       const char *format, ...);
/* Writes what follows the column of a filter: operator and value
 * (query_plan_value.c). False after noting what is wrong with them. */
bool plan_put_condition(struct plan_writer *p, const struct field *field,
                        const json_t *filter, struct str place);
