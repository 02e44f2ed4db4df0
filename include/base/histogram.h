/* histogram.h - how long things took, counted in buckets from 1 ms to 5 min.
 *
 * Counters alone, so that histograms of one kind are added word by word. */
#pragma once
#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 16 };
/* Upper bounds in seconds, ascending; the last bucket is beyond them. */
extern const double histogram_bounds_s[HISTOGRAM_BOUNDS];

struct histogram {
    uint64_t counts[HISTOGRAM_BOUNDS + 1];
    uint64_t sum_us;
};

void histogram_add(struct histogram *h, uint64_t us);
