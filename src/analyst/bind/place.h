/* place.h - names and codes of places: the data may have "TX" for "Texas". */
#pragma once
#include "base/str.h"
#include "ontology/model.h"

/* Up to two other names of the place `value` in such a field; the list ends in
 * NULL and may be empty. */
const char *const *place_aliases(const struct field *field, struct str value);
/* `value` names a place of the kind that the field holds. */
bool place_named(const struct field *field, struct str value);
