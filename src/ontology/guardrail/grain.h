/* grain.h - what one row of a SELECT stands for.
 *
 *   column id  a column of a source, numbered through the select
 *   class      columns that are equal by the conditions, by the id of one
 *   reached    a source of which there is one row for each row of others: a key
 *              of it is equal to columns of theirs
 *   key        outputs (or columns of a source) that no two rows share
 *   multiplied a value that stands in several rows for one row of its own table
 */
#pragma once
#include "model_tables.h"

struct key {
    size_t *columns;
    size_t n;
};

struct keys {
    struct key *items;
    size_t n;
    bool known; /* there are no others */
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
    bool *constant;  /* by class: the same in all rows */
    struct keys *source_keys;
    bool *vague;  /* by source: joined by a range, or by nothing but one */
    bool *absent; /* by source: only rows without a partner (IS NULL) */
    /* of its outputs */
    struct keys keys;
    enum multiplied *multiplied; /* their values */
    enum multiplied *counted; /* the same when rows with a value are counted */
};

/* More sources than this are not looked into: keys are not known, and all may
 * be multiplied. */
enum { GRAIN_SOURCES = 40 };

/* Made once for each select. */
struct grain *grain_of(struct arena *arena, const struct model_tables *catalog,
                       struct shape_select *select);

/* The id, or SIZE_MAX when it is no column of this select. */
size_t grain_column(const struct grain *g, const struct shape_value *value);
/* Marks the sources of this select that the value is made of. */
void grain_sources(const struct grain *g, const struct shape_value *value,
                   bool *sources);
bool *grain_none(const struct grain *g); /* a mark for each source, none set */
/* Marks by class those of `values` that are columns, over the constants. */
bool *grain_fixed(const struct grain *g, struct shape_value *const *values,
                  size_t n);
/* Adds to `reached` what is reached from it when `fixed` classes have one
 * value. True when that is all. */
bool grain_reach(const struct grain *g, bool *reached, const bool *fixed);

/* How often do rows of the sources in `from` come, among rows that share the
 * values of `groups`? *culprit, if they are multiplied, is a source that does
 * it. */
enum multiplied grain_multiplies(const struct grain *g, const bool *from,
                                 struct shape_value *const *groups,
                                 size_t n_groups,
                                 const struct shape_source **culprit);

/* The same of a measure: the worst of its addends, and what its sources bring
 * along. `counted`: not the values matter, but how many there are. */
struct measured {
    enum multiplied multiplied;
    const struct shape_source *of, *culprit; /* of the worst; or NULL */
    bool counts_rows; /* an addend is made of no column */
};
struct measured grain_measure(const struct grain *g,
                              const struct shape_value *measure,
                              struct shape_value *const *groups,
                              size_t n_groups, bool counted);
/* Of a value that a SELECT with groups makes of each of them, among the groups
 * that share `values`. */
enum multiplied grain_group_multiplied(const struct grain *g,
                                       const struct shape_value *value,
                                       struct shape_value *const *values,
                                       size_t n);
/* How often does a derived table bring the values of its `column`, among its rows
 * that share the values of `groups`, which are of g? */
enum multiplied grain_brought(const struct grain *g,
                              const struct shape_source *source, size_t column,
                              struct shape_value *const *groups, size_t n,
                              bool counted);
/* Does one of these conditions keep the first of numbered rows alone? */
bool grain_numbers(const struct grain *g, struct shape_value *const *conditions,
                   size_t n);
