/* estimate.h - how much a piece of a query can make, judged from its text.
 *
 * The guard knows no data, so a column's value is a guess (32 bytes, a number
 * up to 1000). Literals are known, and arithmetic on them is done. Functions
 * that grow a value (repeat, lpad, ||, replace, string_agg, …) multiply or add.
 * An estimate bounds what the query itself makes, not what a table holds: time
 * and memory limits cover that. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

struct estimate {
    double bytes; /* of the value as text */
    double made;  /* of these, made by repeat and its like */
    double value; /* of the number; a magnitude unless exact */
    double rows;  /* made by series and VALUES; a table counts as 1 */
    /* bytes that come from literals or functions, not from data */
    double text;
    double tables; /* in FROM: how many tables no condition joins */
    double digits; /* of `text`, those that may be digits of a number */
    double
        /* rows that a plan may process: those made, and a guess for each
         * table */
        many;
    double held; /* such rows collected into the value */
    bool exact;  /* value is the number itself */
};

#define ESTIMATE_COLUMN_BYTES 32.0
#define ESTIMATE_COLUMN_VALUE 1000.0
/* Rows that an aggregate collects per group of a table: of data, and of what
 * the query makes. */
#define ESTIMATE_GROUP_DATA 16.0
#define ESTIMATE_GROUP_MADE 1000.0

/* Guesses for the rows of a table and the distinct values of one column, used
 * when rows are multiplied and collected. */
#define ESTIMATE_TABLE_ROWS 1e4
#define ESTIMATE_DISTINCT_ROWS 40.0

/* A recursive term sees itself as a text of this length, to tell a term that
 * doubles its text with each step from one that appends to it. */
#define ESTIMATE_SELF_BYTES 1e6

/* Digits of a number calculated from literals. */
#define ESTIMATE_FRACTION 20.0

/* Parts of a date other than seconds and days. */
#define ESTIMATE_MAX_YEAR 1e4

/* Days from 1970 to the last date with a year of four digits, and to the last
 * date that PostgreSQL has. */
#define ESTIMATE_DAYS 3e6
#define ESTIMATE_ALL_DAYS 2.2e9

/* Limits: more is refused. */
#define ESTIMATE_MAX_MADE 262144.0 /* repeat, lpad, array_fill, ... */
/* the same, when the count is not known */
#define ESTIMATE_MAX_GUESSED 4194304.0
#define ESTIMATE_MAX_BYTES (64.0 * 1048576) /* anything */
#define ESTIMATE_MAX_SERIES 100000.0        /* numbers */
#define ESTIMATE_MAX_DATES 1000000.0        /* dates and times */
#define ESTIMATE_MAX_ROWS 1e7               /* series times series */
#define ESTIMATE_MAX_HELD 5e5   /* rows collected into one value, in memory */
#define ESTIMATE_MAX_SORTED 5e7 /* rows that an aggregate sorts, on disk */
/* of one call, which PostgreSQL does not interrupt */
#define ESTIMATE_MAX_STEPS 5e7

struct estimate estimate_none(void); /* a small fixed value */
/* a boolean, which counts as the number 1 */
struct estimate estimate_truth(double rows);
struct estimate estimate_column(void); /* the guess for a column */
struct estimate estimate_number(double exact);
/* The estimate of a literal: a number, a date or an interval when it reads as
 * one. */
struct estimate estimate_text(const char *text, size_t len);

/* The larger of each field; never exact. */
struct estimate estimate_worse(struct estimate a, struct estimate b);
/* Adds up bytes, text and digits; the rest as estimate_worse. */
struct estimate estimate_sum(struct estimate a, struct estimate b);
/* All rows of a group in one value; `rows` is what literals show of them. */
struct estimate estimate_collected(struct estimate m, double rows);
/* How many elements an array or a document of this size may have. */
double estimate_elements(struct estimate m);
/* Text that a function has rearranged: any character may now be a digit. */
struct estimate estimate_rewritten(struct estimate m);
/* A part of the text `whole`, with the other fields of `m`. */
struct estimate estimate_part(struct estimate whole, struct estimate m);
/* A number that may have more digits after the point than any literal. */
struct estimate estimate_fraction(struct estimate m);
/* Text read as a number: as large as the digits that the query assembles.
 * Literals are known already, and data has been guessed. */
struct estimate estimate_read(struct estimate m);
/* The same for a date: its distance from 1970 in days. */
struct estimate estimate_read_day(struct estimate m);
/* A binary operator on numbers, by its symbol. */
struct estimate estimate_arithmetic(const char *symbol, size_t len,
                                    struct estimate a, struct estimate b);
/* The magnitude of an exponent. One that comes from data, such as a year,
 * counts as small. */
double estimate_exponent(struct estimate m);
/* The magnitude of the number, at least 0. */
double estimate_size(struct estimate m);
