/* cells.h - what the forms of an exported file ask of a cell. */
#pragma once
#include "base/str.h"

/* 1, -1, +2.5, -3e-7: a plain number, of which no formula can be made. */
bool cell_is_number(struct str s);
/* Digits that count: those between the first and the last that is not 0. */
int cell_digits(struct str number);
