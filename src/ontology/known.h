/* known.h - lookups of columns and keys that also work while the model is still
 * being built. */
#pragma once
#include "ontology/model.h"

/* The column is a field, the column of a field, or part of a key. */
bool dataset_has_column(const struct dataset *dataset, struct str column);
/* `columns` contain all columns of a key of the dataset. */
bool dataset_key_within(const struct dataset *dataset, struct str_list columns);
bool str_list_contains(struct str_list list,
                       struct str name); /* without case */
