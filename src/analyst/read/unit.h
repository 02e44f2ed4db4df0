/* unit.h - units of measure: at the end of a field's name, weight_kg, and after a
 * number of the question, "over 90 kg".
 *
 * What the name says without its unit is what people call it. A last part is a unit
 * only where it cannot well be anything else: "min" after a duration, and not after
 * a temperature. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include <stdbool.h>
#include <stddef.h>

/* The words of a number's name without its unit: "weight" of weight_kg, "distance"
 * of dist_km. How many; 0 when it has no unit. */
size_t unit_less(struct arena *arena, const struct field *field,
                 struct str *words, size_t most);
/* The field's name ends with a unit: it is an amount, and counts nothing. */
bool has_unit(struct arena *arena, const struct field *field);
/* The word is a unit, of whatever. */
bool is_unit_word(struct str word);
/* The word is the unit that the field's name ends with: kg, "kilograms". */
bool unit_is(struct arena *arena, const struct field *field, struct str word);
