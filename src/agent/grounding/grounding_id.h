/* grounding_id.h - numbers that name rows: "trams 2021 and 3011", of `tram_id`. */
#pragma once
#include "grounding_walk.h"

/* Whether the figure is the number of a row, as the word before it or before its list
 * says; the row also has the number of another column that the sentence names before,
 * "line 7", and a date that is as late as the sentence says, "since 2020". */
bool is_id_of_row(struct grounding_walk *w, size_t figure);
