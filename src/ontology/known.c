/* known.c - looks up the columns and keys of a dataset. */
#include "known.h"
#include "base/banned.h"

bool str_list_contains(struct str_list list, struct str name)
{
    for (size_t i = 0; i < list.n; i++)
        if (str_eq_nocase(list.items[i], name))
            return true;
    return false;
}

static bool all_within(struct str_list key, struct str_list columns)
{
    for (size_t i = 0; i < key.n; i++)
        if (!str_list_contains(columns, key.items[i]))
            return false;
    return key.n > 0;
}

bool dataset_key_within(const struct dataset *dataset, struct str_list columns)
{
    if (all_within(dataset->primary_key, columns))
        return true;
    for (size_t i = 0; i < dataset->n_unique_keys; i++)
        if (all_within(dataset->unique_keys[i], columns))
            return true;
    return false;
}

bool dataset_has_column(const struct dataset *dataset, struct str column)
{
    for (size_t i = 0; i < dataset->n_fields; i++) {
        const struct field *field = &dataset->fields[i];
        if (str_eq_nocase(field->name, column) ||
            (field->column.len && str_eq_nocase(field->column, column)))
            return true;
    }
    if (str_list_contains(dataset->primary_key, column))
        return true;
    for (size_t i = 0; i < dataset->n_unique_keys; i++)
        if (str_list_contains(dataset->unique_keys[i], column))
            return true;
    return false;
}
