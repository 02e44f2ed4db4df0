/* figure.h - numbers, shares, ratios and dates as people write them:
 * "1,234.50", "1.234,56", "1.2 million", "12 %", "two thirds", "doubled",
 * "Q3 2025", "14 March 2025". Digits of all scripts count, and marks between
 * digits that a reader does not see do not. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum figure_kind {
    FIGURE_NUMBER,
    FIGURE_PERCENT,
    FIGURE_POINTS, /* percentage points */
    FIGURE_TIMES,  /* a ratio: "1.4 times", "doubled" */
    FIGURE_PLACE,  /* "2nd", "third": a place in an order */
    FIGURE_PERIOD, /* a day, a month, a quarter, half a year; or a year, which
                    * has a value, too, because it may be a count */
    FIGURE_MONTH,  /* of no year */
};

enum figure_bound { FIGURE_EXACT, FIGURE_ABOUT, FIGURE_ABOVE, FIGURE_BELOW };

struct figure {
    size_t from, to; /* in the text */
    enum figure_kind kind;
    enum figure_bound bound;
    double value;
    double unit; /* of the last digit that is meant */
    /* The value and unit when "." and "," are read the other way round; 0: there
     * is no other reading. */
    double other, other_unit;
    bool whole; /* written without decimals, percent, scale or currency */
    bool money;
    bool scaled;         /* written with "k", "million" and the like */
    int measure;         /* the unit that the word after it says; see unit.h */
    bool minus;          /* with a minus: the value is negative */
    bool plus;           /* with a plus: it is a change, upwards */
    bool spelled;        /* in words */
    bool fraction;       /* "half", "two thirds" */
    bool nearly;         /* "nearly", "almost": a FIGURE_BELOW close to it */
    bool change;         /* "doubled": it grew to that, it is not that */
    int64_t first, last; /* days since 1970 of a period; both included */
    int month;           /* 1 to 12 */
    int day;             /* of a FIGURE_MONTH; 0: the whole month */
};

/* Finds the next figure at or after *at and moves *at past it. False: there
 * are no more. */
bool figure_next(struct str text, size_t *at, struct figure *out);
/* The same for a figure that begins before `end`; *at may then be after it. */
bool figure_next_before(struct str text, size_t end, size_t *at,
                        struct figure *out);
/* The number that the whole of a cell is, with its sign. */
bool figure_of_cell(struct str cell, double *value);
/* Days since 1970 of a date, or of a time, as PostgreSQL writes it. */
bool figure_day_of_cell(struct str cell, int64_t *day);
/* The quarter or month that the whole of a cell is, "2025-Q4", "Q4", "March 2025". */
bool figure_period_of_cell(struct str cell, struct figure *period);
/* Days since 1970; months 1 to 12. */
int64_t figure_day(int64_t year, int month, int day);
void figure_date(int64_t day, int64_t *year, int *month, int *of_month);
