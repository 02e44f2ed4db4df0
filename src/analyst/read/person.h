/* person.h - which datasets are of persons, by their fields and their name. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include <stdbool.h>
#include <stddef.h>

/* The rows are persons: they have first or last names or a date of birth, or are
 * called by what persons are called. */
bool is_persons(struct arena *arena, const struct dataset *dataset);
/* They are persons, or firms, that buy something. */
bool is_buyers(struct arena *arena, const struct dataset *dataset);
/* They are called by what persons are called, whatever fields they have. */
bool is_called_persons(struct arena *arena, const struct dataset *dataset);
/* They may be persons, because their name ends like a trade: referee, wrestler. */
bool may_be_persons(struct arena *arena, const struct dataset *dataset);
/* The fields with their first and last names; false: there are not both. */
bool name_fields(const struct dataset *dataset, size_t *first, size_t *last);
/* The day of birth, else the year of birth; SIZE_MAX: there is none, or several. */
size_t birth_field(struct arena *arena, const struct dataset *dataset);
