/* grain_keys.h - between the files of grain. */
#pragma once
#include "grain.h"

void keys_add(struct arena *arena, struct keys *keys, const size_t *columns,
              size_t n);
/* The place of a table's column, or SIZE_MAX. */
size_t source_column(const struct shape_source *source, struct str name);
/* One value for each row of the reached sources: theirs, or equal to theirs. */
bool grain_is_of(const struct grain *g, const struct shape_value *value,
                 const bool *reached);
/* Do they have one value in each row? */
bool grain_same(const struct grain *g, const struct shape_value *a,
                const struct shape_value *b);
/* grain_nested.c: is the value made by nested queries alone, whose outer columns
 * are no key of where these come from? Rows that share them share it. */
bool grain_nested_repeats(const struct grain *g,
                          const struct shape_value *value);
/* The same in rows that are unique by `values`. */
bool grain_nested_spreads(const struct grain *g,
                          const struct shape_value *value,
                          struct shape_value *const *values, size_t n);
/* grain_keys.c: the keys of what the select gives out. */
void grain_tell_keys(struct grain *g);
struct shape_value **grain_output_values(const struct grain *g);
/* Fills in what the select gives out: keys, multiplied, counted. */
void grain_tell_outputs(struct grain *g);
/* Tells them of a select that is not looked into. */
void grain_give_up(struct grain *g);
