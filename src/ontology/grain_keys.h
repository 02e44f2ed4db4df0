/* grain_keys.h - between the files of grain. */
#pragma once
#include "grain.h"

void keys_add(struct arena *arena, struct keys *keys, const size_t *columns,
              size_t n);
/* The place of a table's column, or SIZE_MAX. */
size_t source_column(const struct shape_source *source, struct str name);
/* Fills in what the select gives out: keys and multiplied. */
void grain_tell_outputs(struct grain *g);
/* Tells them of a select that is not looked into. */
void grain_give_up(struct grain *g);
