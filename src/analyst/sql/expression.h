/* expression.h - the ontology's expressions as SQL in which every column is
 * qualified by its dataset's name, which is also its alias in each query.
 *
 *   aggregate  one call of an aggregate function
 *   grain      the dataset whose rows an aggregate reads once each
 *   harmless   an aggregate that duplicated rows do not change: COUNT(DISTINCT
 *              x), MIN, MAX */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

/* The alias of a dataset, quoted if need be. */
struct str dataset_alias(struct arena *arena, const struct ontology *o,
                         size_t dataset);
/* A field as SQL; empty with *problem when its expression cannot be used. */
struct str field_sql(struct arena *arena, const struct ontology *o,
                     size_t dataset, size_t field, struct str *problem);
/* A column of a key or of a relationship, as SQL. */
struct str column_sql(struct arena *arena, const struct ontology *o,
                      size_t dataset, struct str name);
/* The field of that column, or of that name; SIZE_MAX: none. */
size_t field_of_column(const struct dataset *dataset, struct str name);
/* The field says which row of a dataset is meant: referred_by of customers. */
bool field_refers(const struct ontology *o, size_t dataset, size_t field);

/* An expression with every column qualified. Bare columns are those of `home`,
 * else of the only dataset that has them; `of_field`: names are columns, never
 * fields or metrics. *problem says what cannot be used. */
struct str expression_sql(struct arena *arena, const struct ontology *o,
                          struct str expression, size_t home, bool of_field,
                          int depth, struct str *problem);

struct aggregate {
    struct str sql;
    bool *uses; /* by dataset */
    bool harmless;
    bool counts;    /* COUNT */
    bool adds;      /* parts of it add up to the whole: SUM, COUNT */
    bool rows;      /* COUNT(*) of the grain: may become COUNT(DISTINCT key) */
    size_t grain;   /* SIZE_MAX: not settled yet */
    struct str arg; /* of COUNT(DISTINCT arg) */
};

struct formula {
    struct str name;  /* of the output column */
    struct str words; /* for people */
    struct aggregate *aggregates;
    size_t n;
    struct str *pieces; /* n + 1 texts: before, between and after them */
    bool bare;          /* nothing but one aggregate */
    struct str problem; /* not empty: cannot be used, and why */
};

/* From an aggregate expression. A bare column is looked for in `home` first;
 * `home` is also what COUNT(*) counts; SIZE_MAX: not known. */
void formula_read(struct arena *arena, const struct ontology *o,
                  struct str expression, size_t home, struct formula *formula);
/* The model has the mean of the field and not its sum: marks, limits. */
bool formula_is_mean(struct arena *arena, const struct ontology *o,
                     size_t dataset, size_t field);
/* The expression with each aggregate written by `write`. */
struct str formula_sql(struct arena *arena, const struct formula *formula,
                       const struct str *aggregates);

/* What a metric without columns, COUNT(*), counts: the dataset its name or
 * description speaks of, or the only one no other points at. SIZE_MAX. */
size_t metric_home(struct arena *arena, const struct ontology *o,
                   const struct metric *metric);
