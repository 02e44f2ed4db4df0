/* bind_code.h - conditions on fields that hold codes: a flag, "female" for the code F,
 * and the plural of a value. */
#pragma once
#include "query.h"

/* A condition whose field is named and chosen: its values become what the field
 * holds. False with query->problem. */
bool code_bind_field(struct bound_query *query, struct condition *c);
/* A condition on values without a field, whose places are chosen: where they stand for
 * codes, it becomes one on the field that has the codes. False with query->problem. */
bool code_bind_search(struct bound_query *query, struct condition *c);
/* False with query->problem when the value is what a code means, of a field that the
 * question cannot mean: the data need not be searched for it. */
bool code_may_be_sought(struct bound_query *query,
                        const struct filter_value *value);
