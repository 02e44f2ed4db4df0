/* edit_distance.c - optimal string alignment by dynamic programming, with
 * three rows of the table in memory. */
#include "base/edit_distance.h"
#include <string.h>
#include "base/banned.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t edit_distance(struct str a, struct str b)
{
    size_t rows[3][EDIT_DISTANCE_LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    if (a.len > EDIT_DISTANCE_LONGEST || b.len > EDIT_DISTANCE_LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.len; j++)
        last[j] = j;
    memset(rows[0], 0, sizeof rows[0]);
    for (size_t i = 1; i <= a.len; i++) {
        char x = str_lower_char(a.ptr[i - 1]);
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            char y = str_lower_char(b.ptr[j - 1]);
            row[j] =
                least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == str_lower_char(b.ptr[j - 2]) &&
                y == str_lower_char(a.ptr[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b.len];
}
