/* grain_keys.h - shared by the files of grain. */
#pragma once
#include "grain.h"

/* Adds a key of `n` columns. */
void grain_keys_add(struct arena *arena, struct grain_keys *keys,
                    const size_t *columns, size_t n);
/* The index of a column by its name, or SIZE_MAX. */
size_t grain_source_column(const struct shape_source *source, struct str name);
/* The value is determined by the reached sources: computed from them, or
 * equal to a column of theirs. */
bool grain_is_of(const struct grain *g, const struct shape_value *value,
                 const bool *reached);
/* Both have the same value in each row. */
bool grain_same(const struct grain *g, const struct shape_value *a,
                const struct shape_value *b);
/* The step of the series of moments that the value is one of, also through casts
 * and derived tables that read nothing else; or NULL. */
const struct shape_value *grain_series_step(const struct shape_value *value);
/* grain_nested.c: only nested queries compute the value, and the outer
 * columns that they use are no key of their sources. Rows that share these
 * columns repeat the value. */
bool grain_nested_repeats(const struct grain *g,
                          const struct shape_value *value);
/* The same for rows that are unique by `values`. */
bool grain_nested_spreads(const struct grain *g,
                          const struct shape_value *value,
                          struct shape_value *const *values, size_t n);
/* grain_keys.c: finds the keys of the outputs. */
void grain_find_keys(struct grain *g);
/* The values of all outputs, in the arena of `g`. */
struct shape_value **grain_output_values(const struct grain *g);
/* grain_output.c: finds keys, multiplied and counted of the outputs. */
void grain_find_outputs(struct grain *g);
/* Fills them in for a SELECT that is not analyzed. */
void grain_give_up(struct grain *g);
