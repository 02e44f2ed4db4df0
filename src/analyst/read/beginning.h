/* beginning.h - since when things are there, and when events took place: the field
 * that "oldest club" and "latest order" rank by. Where several fields fit, or none,
 * there is no such field, SIZE_MAX. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include <stddef.h>

/* The day or year in which the things came into being: founded_yr of clubs,
 * opened_on of stores, release_date of films; for persons the day on which they
 * joined. */
size_t beginning_field(struct arena *arena, const struct dataset *dataset);
/* The day on which the events took place: order_date of orders, else the only date
 * that the model marks as time, else the only date. */
size_t event_field(struct arena *arena, const struct dataset *dataset);
