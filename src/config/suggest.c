/* suggest.c - edit distance over a list of words. */
#include "config/suggest.h"
#include <string.h>
#include "base/banned.h"

enum { LONGEST = 40 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, one row at a time. */
static size_t edit_distance(struct str a, struct str b)
{
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t up = row[j];
            size_t changed = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            row[j] = smaller(changed, smaller(up, row[j - 1]) + 1);
            diagonal = up;
        }
    }
    return row[b.len];
}

const char *suggest(struct str word, const char *const *known, size_t n)
{
    const char *best = NULL;
    size_t nearest = word.len / 3 + 2; /* anything farther is another word */
    if (word.len > LONGEST)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        struct str k = str_of(known[i]);
        if (k.len > LONGEST)
            continue;
        size_t far = edit_distance(word, k);
        bool begun = far == nearest && str_starts(k, word);
        if ((far < nearest || begun) && far < k.len) {
            nearest = far;
            best = known[i];
        }
    }
    return best;
}
