/* window.h - periods of time in a question.
 *
 *   range   whole days, from `from` until before `to`; either may be open
 *   window  one or more ranges, or a relative period, which is counted from
 *           today (analyst/period.h) or from the latest date in the data; or some
 *           days of each week, "on weekends", alone or of such a period */
#pragma once
#include "analyst/period.h"
#include "vocabulary.h"
#include "words.h"
#include <stdint.h>

struct range {
    bool has_from, has_to;
    int64_t from, to;
    enum time_unit unit; /* of a whole period named as one */
};

enum relative {
    RELATIVE_NONE,
    RELATIVE_LAST,   /* the `count` units that end with today's */
    RELATIVE_BEFORE, /* the unit before today's */
    RELATIVE_THIS,   /* today's own */
    RELATIVE_LATEST  /* the `count` units that end with that of the latest date
                        in the data up to today; 0: one */
};

enum { WINDOW_RANGES = 4 };

struct window {
    struct range ranges[WINDOW_RANGES];
    size_t n;
    bool versus; /* 2024 vs 2025: to be compared */
    enum relative relative;
    enum time_unit unit;
    size_t count;
    bool to_date;      /* of today's own: only the days up to today */
    unsigned weekdays; /* only these: 1 is Monday, 2 Tuesday, 4 Wednesday, …;
                            0: all */
    struct str words;  /* as written */
    struct str yearless; /* "Q1", when its year is not known */
};

/* "Monday", … "Sunday". */
extern const char *const weekday_names[7];

/* The window limits time at all. */
bool window_is_set(const struct window *window);
/* It consists of whole years, which a column of years can match. */
bool window_is_years(const struct window *window);

/* The unit of "month", "months", "monthly"; UNIT_NONE. */
enum time_unit unit_of(const struct question_word *word);
enum time_unit unit_of_adverb(const struct question_word *word); /* "monthly" */

/* Reads a window at word `at`, with its preposition. Returns how many words it
 * has, 0 when there is none. A period without a year takes the year of `before`,
 * the window of the question before; without that, *problem says so. */
size_t window_read(struct arena *arena, const struct question_words *words,
                   size_t at, const struct window *before,
                   struct window *window, struct str *problem);
