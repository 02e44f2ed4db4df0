/* output_name.h - what PostgreSQL calls an output that has no alias. */
#pragma once
#include "base/json.h"
#include "base/str.h"
#include <stdbool.h>

/* The name of an output with this expression; ptr NULL when it depends on what
 * a star expands to. */
struct str output_name(const json_t *wrapped);
/* The alias of a ResTarget, or the name that PostgreSQL gives it, as above. */
struct str output_name_of_target(const json_t *target);
/* Is it t.* or (x).*? */
bool ends_in_star(const json_t *wrapped);
