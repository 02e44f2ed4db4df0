/* grounding_unit.h - what the words around a figure say of its unit, its
 * currency and its sign. */
#pragma once
#include "grounding_walk.h"

/* Whether the rows show the figure only in another unit than the word after it
 * says ("3 hours", of `wait_minutes`), in another currency ("$5", of
 * `price_eur`) or scale ("$5", of `price_keur`), or as a profit where the words say that
 * it was lost. */
bool unit_contradicts(const struct grounding_walk *w, size_t figure,
                      const struct grounding_scope *scope);
/* Reads the units of the sentence's figures: what they are in the unit or the scale of a
 * column becomes their other reading. */
void walk_read_units(struct grounding_walk *w);
