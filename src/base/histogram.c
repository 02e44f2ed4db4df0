/* histogram.c - counts durations in buckets. */
#include "base/histogram.h"
#include "base/banned.h"

const double histogram_bounds_s[HISTOGRAM_BOUNDS] = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
    0.5,   1,      2.5,   5,    10,    30,   60,  300};

void histogram_add(struct histogram *h, uint64_t us)
{
    int i = 0;
    while (i < HISTOGRAM_BOUNDS && (double)us > histogram_bounds_s[i] * 1e6)
        i++;
    h->counts[i]++;
    h->sum_us += us;
}
