/* field.h - what kind of value a field holds: by its datatype, else by its name,
 * because an ontology need not give types. */
#pragma once
#include "ontology/model.h"

/* Text that people ask for by value; not ids. */
bool field_is_text(const struct field *field);
bool field_is_number(const struct field *field);
bool field_is_boolean(const struct field *field);
/* A column of years, as numbers or text. */
bool field_is_year(const struct field *field);
/* A date or a timestamp, not a year or the name of a month. */
bool field_is_date(const struct field *field);
/* A key, an id or a code of this or another dataset. */
bool field_is_id(const struct field *field);
/* A number that does not add up: a price, a rate, an age. */
bool field_is_level(const struct field *field);
/* Says where something is: city, country, region. */
bool field_is_place(const struct field *field);

/* How well it groups rows: 3 for a category or a status, 2 for a place, 1 for
 * other short text, 0 for names, keys and long text. */
int field_grouping(const struct dataset *dataset, const struct field *field);

/* A part of the name ("order", "date") is in the word list (words.h). */
bool name_has(struct str name, const char *words);

/* The field that names the rows of a dataset; SIZE_MAX: none. */
size_t dataset_label(const struct dataset *dataset);
/* `column` alone is a key of the dataset. */
bool dataset_unique(const struct dataset *dataset, const struct field *field);
