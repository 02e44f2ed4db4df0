/* functions.h - the functions that the guard allows, for those who write SQL. */
#pragma once
#include "base/buf.h"

/* Appends a line for each group of functions that analyses need: "dates: age,
 * date_trunc, …", and a last line that names the other groups. All of them are
 * in functions.def, so the guard allows each. */
void guard_functions_put(struct buf *out);

/* The names of all functions that the guard allows; NULL is at the end. */
extern const char *const guard_function_names[];
