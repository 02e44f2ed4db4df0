/* state.h - fields that say in what state a thing is: status, severity, condition. */
#pragma once
#include "query.h"

/* The field says in what state another thing than these is, so that a value of it
 * right before them would be one of theirs only by chance. */
bool state_is_of_others(const struct bound_query *query, size_t things,
                        struct field_ref ref);
/* Whether a breakdown by the state of other things leaves no doubt: false, with
 * query->problem, where the rows have such a state, too. Else it is noted. */
bool state_check_group(struct bound_query *query, struct str words,
                       struct field_ref ref);
