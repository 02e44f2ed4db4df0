/* back_off.c - see back_off.h. */
#include "back_off.h"
#include "base/random.h"
#include "base/banned.h"

enum { FIRST_MS = 100, MOST_DOUBLINGS = 6 };

unsigned back_off_ms(unsigned *failures, unsigned most)
{
    unsigned shift = *failures < MOST_DOUBLINGS ? *failures : MOST_DOUBLINGS;
    unsigned ms = FIRST_MS << shift;
    if (ms > most)
        ms = most;
    ++*failures;
    return ms / 2 + (unsigned)random_below(ms / 2 + 1);
}
