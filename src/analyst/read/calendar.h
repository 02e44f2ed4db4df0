/* calendar.h - days since 1970-01-01 and dates (proleptic Gregorian). */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct date {
    int64_t year;
    int month, day; /* from 1 */
};

int64_t days_of_date(struct date date); /* months beyond 1 … 12 carry over */
struct date date_of_days(int64_t days);
bool date_exists(struct date date);
struct str date_text(struct arena *arena, int64_t days); /* 2025-03-01 */
/* 1 … 12 for "march" and "mar"; 0: no month. */
int month_of(struct str lower);
