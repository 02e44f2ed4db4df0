/* cells.h - questions about a cell that both export formats ask. */
#pragma once
#include "base/str.h"

/* Whether it is a plain number (1, -1, +2.5, -3e-7), which cannot act as a
 * formula. */
bool cell_is_number(struct str s);
/* The number of significant digits: from the first to the last that is not
 * 0. */
int cell_digits(struct str number);
