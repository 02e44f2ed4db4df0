#include "base/clock.h"
#include <stdio.h>
#include <time.h>
#include "base/banned.h"

uint64_t clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

uint64_t clock_ms(void)
{
    return clock_us() / 1000;
}

int64_t clock_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void clock_rfc3339(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE])
{
    int64_t ms = wall_ms % 1000;
    if (ms < 0)
        ms += 1000;
    time_t seconds = (time_t)((wall_ms - ms) / 1000);
    struct tm t;
    gmtime_r(&seconds, &t);
    size_t n = strftime(out, CLOCK_RFC3339_SIZE, "%Y-%m-%dT%H:%M:%S", &t);
    snprintf(out + n, CLOCK_RFC3339_SIZE - n, ".%03dZ", (int)ms);
}
