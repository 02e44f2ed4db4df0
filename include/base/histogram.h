/* histogram.h - durations, counted in buckets from 1 ms to 5 min.
 *
 * Holds nothing but 64-bit counters, so the metrics of several processes are
 * summed word by word. */
#pragma once
#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 16 };
/* Upper bounds in seconds, ascending; the last bucket has none. */
extern const double histogram_bounds_s[HISTOGRAM_BOUNDS];

struct histogram {
    uint64_t counts[HISTOGRAM_BOUNDS + 1];
    uint64_t sum_us;
};

/* Counts one duration. */
void histogram_add(struct histogram *h, uint64_t us);
