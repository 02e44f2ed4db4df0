/* estimate.h - how much a piece of a query may make, judged from its text.
 *
 * The guard knows no data, so a column's value is a guess (32 bytes, a number
 * up to 1000); literals are known, arithmetic on them is done. What grows a
 * value (repeat, lpad, ||, replace, string_agg, ...) multiplies or adds. A
 * estimate is a bound for what a query says by itself, not for what a table
 * holds: time limits and memory limits stand behind it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

struct estimate {
    double bytes;  /* of the value as text */
    double made;   /* of these, by repeat and its like rather than by data */
    double value;  /* of the number; a magnitude unless exact */
    double rows;   /* made by series and VALUES; tables count as one */
    double text;   /* bytes that are of literals or of functions, not of data */
    double tables; /* in FROM: how many are multiplied by no condition */
    double digits; /* of these, those that may be digits of a number */
    double
        many; /* rows that a plan may see: those made, and guesses for tables */
    double held; /* such rows that were collected into the value */
    bool exact;  /* value is the number itself */
};

#define ESTIMATE_COLUMN_BYTES 32.0
#define ESTIMATE_COLUMN_VALUE 1000.0
/* Rows that an aggregate collects from a table: of data, of what is made. */
#define ESTIMATE_GROUP_DATA 16.0
#define ESTIMATE_GROUP_MADE 1000.0

/* Rows of a table, and different values of one column, where it matters how many
 * there are: when what was read is multiplied and collected. */
#define ESTIMATE_TABLE_ROWS 1e4
#define ESTIMATE_DISTINCT_ROWS 40.0

/* A recursive term sees itself as text of this length, so that one which makes
 * it twice as long with each step can be told from one that adds to it. */
#define ESTIMATE_SELF_BYTES 1e6

/* Digits that a number calculated from literals may have. */
#define ESTIMATE_FRACTION 20.0

/* Parts of a date other than seconds and days. */
#define ESTIMATE_MAX_YEAR 1e4

/* Days from 1970 to the last one of four digits, and to the last one there is. */
#define ESTIMATE_DAYS 3e6
#define ESTIMATE_ALL_DAYS 2.2e9

/* What is refused when it is passed. */
#define ESTIMATE_MAX_MADE 262144.0          /* repeat, lpad, array_fill, ... */
#define ESTIMATE_MAX_GUESSED 4194304.0      /* the same, by a count not known */
#define ESTIMATE_MAX_BYTES (64.0 * 1048576) /* anything */
#define ESTIMATE_MAX_SERIES 100000.0        /* numbers */
#define ESTIMATE_MAX_DATES 1000000.0        /* dates and times */
#define ESTIMATE_MAX_ROWS 1e7               /* series times series */
#define ESTIMATE_MAX_HELD 5e5   /* rows collected into one value, in memory */
#define ESTIMATE_MAX_SORTED 5e7 /* rows that an aggregate sorts, on disk */
#define ESTIMATE_MAX_STEPS 5e7  /* of one call, which nothing interrupts */

struct estimate estimate_none(void);         /* nothing: a small fixed value */
struct estimate estimate_truth(double rows); /* true, which is 1 */
struct estimate estimate_column(void);       /* a guess */
struct estimate estimate_number(double exact);
struct estimate estimate_text(const char *text, size_t len);

/* The larger of each; never exact. */
struct estimate estimate_worse(struct estimate a, struct estimate b);
/* Bytes added up, the rest as above. */
struct estimate estimate_sum(struct estimate a, struct estimate b);
/* All rows of a group in one value; `rows` is what literals tell of them. */
struct estimate estimate_collected(struct estimate m, double rows);
/* The elements that a collected value has. */
double estimate_elements(struct estimate m);
/* Text that a function has made anew: any of it may be a digit now. */
struct estimate estimate_rewritten(struct estimate m);
/* The same when all of it stands in `whole`, wherever `m` found it. */
struct estimate estimate_part(struct estimate whole, struct estimate m);
/* A number that may have digits behind the point that no literal has. */
struct estimate estimate_fraction(struct estimate m);
/* Text read as a number: as large as the digits that a query puts together
 * itself make it. What is literal, or data, is known or guessed already. */
struct estimate estimate_read(struct estimate m);
/* The same as a day: its distance from 1970. */
struct estimate estimate_read_day(struct estimate m);
/* A binary operator on numbers, by its symbol. */
struct estimate estimate_arithmetic(const char *symbol, size_t len,
                                    struct estimate a, struct estimate b);
/* An exponent's magnitude. What the query does not make itself, such as a year,
 * is small. */
double estimate_exponent(struct estimate m);
/* The magnitude of the number, 0 or more. */
double estimate_size(struct estimate m);
