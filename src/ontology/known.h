/* known.h - looking up by name while the model is still being made. */
#pragma once
#include "ontology/model.h"

/* The column is a field, stands behind one, or belongs to a key. */
bool dataset_knows(const struct dataset *dataset, struct str column);
/* All columns of one key of the dataset are among `columns`. */
bool dataset_key_within(const struct dataset *dataset, struct str_list columns);
bool str_list_holds(struct str_list list, struct str name); /* without case */
