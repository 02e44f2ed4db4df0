/* place.h - names and codes of places: "Texas" may stand as "TX". */
#pragma once
#include "base/str.h"
#include "ontology/model.h"

/* The other names, up to two, of a place called `value` in such a field; the
 * list ends in NULL and is empty when there is none. */
const char *const *place_aliases(const struct field *field, struct str value);
/* The field is of places of the kind that `value` names. */
bool place_named(const struct field *field, struct str value);
