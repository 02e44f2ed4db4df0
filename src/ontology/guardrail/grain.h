/* grain.h - the grain of a SELECT: what one row of its result means.
 *
 *   column id   a column of a source, numbered through the whole SELECT
 *   class       columns that the conditions make equal; named by one column id
 *   reached     a source with one row for each row of other sources, because a
 *               key of it is equal to columns of theirs
 *   key         outputs (or columns of a source) whose values no two rows share
 *   multiplied  a value that occurs in several rows for one row of its table
 * */
#pragma once
#include "model_tables.h"

struct grain_key {
    size_t *columns;
    size_t n;
};

struct grain_keys {
    struct grain_key *items;
    size_t n;
    bool known; /* the list is complete */
};

enum multiplied {
    MULTIPLIED_NOT,
    MULTIPLIED_OVERLAPS, /* once in each group, but in several groups */
    MULTIPLIED_PERHAPS,
    MULTIPLIED_SURELY,
};

struct grain {
    struct arena *arena;
    const struct model_tables *catalog;
    const struct shape_select *select;
    size_t *offsets; /* by source: id of its first column; then their count */
    size_t *classes; /* by id */
    bool *constant;  /* by class: one value in all rows */
    struct grain_keys *source_keys;
    bool *vague;  /* by source: joined only by a range, if at all */
    bool *absent; /* by source: an anti-join (IS NULL) */
    /* Of its outputs */
    struct grain_keys keys;
    enum multiplied *multiplied; /* by output, for its values */
    enum multiplied *counted;    /* by output, for the number of its values */
};

/* A SELECT with more sources is not analyzed: its keys are unknown and all
 * values may be multiplied. */
enum { GRAIN_SOURCES = 40 };
/* Further keys of one result are left out; then not all are known. */
enum { GRAIN_KEYS = 64 };

/* The grain of a SELECT, computed once and kept in select->judged. */
struct grain *grain_of(struct arena *arena, const struct model_tables *catalog,
                       struct shape_select *select);

/* The id of a column, or SIZE_MAX if the value is no column of this SELECT. */
size_t grain_column(const struct grain *g, const struct shape_value *value);
/* Marks the sources of this SELECT that the value is computed from. */
void grain_sources(const struct grain *g, const struct shape_value *value,
                   bool *sources);
/* A mark for each source, none set. */
bool *grain_no_sources(const struct grain *g);
/* Marks by class the constants and those of `values` that are columns. */
bool *grain_constant_classes(const struct grain *g,
                             struct shape_value *const *values, size_t n);
/* Adds to `reached` the sources that are reached from it if each class in
 * `fixed` has one value. True if all sources are reached. */
bool grain_reach(const struct grain *g, bool *reached, const bool *fixed);

/* How often a row of the sources in `from` occurs among rows that share the
 * values of `groups`. If it is multiplied, *culprit is a source that causes
 * it. */
enum multiplied grain_multiplies(const struct grain *g, const bool *from,
                                 struct shape_value *const *groups,
                                 size_t n_groups,
                                 const struct shape_source **culprit);

/* The same for a measure: the worst of its addends, including what derived
 * tables have multiplied before. `counted`: the number of values matters,
 * not the values. */
struct measure_grain {
    enum multiplied multiplied;
    const struct shape_source *of, *culprit; /* of the worst addend, or NULL */
    bool counts_rows;                        /* an addend uses no column */
};
struct measure_grain grain_measure(const struct grain *g,
                                   const struct shape_value *measure,
                                   struct shape_value *const *groups,
                                   size_t n_groups, bool counted);
/* The same for a value that a SELECT with groups computes for each group, among
 * the groups that share `values`. */
enum multiplied grain_group_multiplied(const struct grain *g,
                                       const struct shape_value *value,
                                       struct shape_value *const *values,
                                       size_t n);
/* How often a derived table repeats the values of its `column`, among its rows
 * that share the values of `groups`, which are values of `g`. */
enum multiplied grain_of_derived_column(const struct grain *g,
                                        const struct shape_source *source,
                                        size_t column,
                                        struct shape_value *const *groups,
                                        size_t n, bool counted);
/* One of the conditions keeps only the first of numbered rows (row_number). */
bool grain_keeps_first(const struct grain *g,
                       struct shape_value *const *conditions, size_t n);
