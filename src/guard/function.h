/* function.h - what is known of PostgreSQL's functions by their names: the list
 * in functions.def. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

/* How large the answer may get, given the arguments a, b, c, … */
enum growth {
    PLAIN,          /* as large as the largest argument */
    FRACTION,       /* PLAIN, a number with digits after the point */
    KEEP,           /* the number of a */
    NUMBER,         /* KEEP, and a may be text that is read as one */
    READ,           /* PLAIN, and a is text that numbers are read from */
    DAY,            /* PLAIN, and a is text that a day is read from */
    YEARS,          /* days of a years */
    INSTANT,        /* a moment, by the last argument */
    CUT,            /* text that was in the text of a */
    ENCODE,         /* the same, two letters for a byte */
    TEMPLATE,       /* to_char */
    HASH,           /* 128 digits at most */
    OVERLAY,        /* SUM, and CUT */
    HUGE,           /* a number that may be large whatever a is */
    CODE,           /* of a character */
    DEGREES,        /* 57 times a */
    PRODUCT,        /* a times b */
    QUOTIENT,       /* a by b */
    LOGARITHM,      /* of a; of b to the base a */
    ROWS,           /* as many rows as a has elements */
    RANK,           /* a number up to the rows */
    COUNT,          /* of rows */
    TOTAL,          /* of rows */
    ABS,            /* the number of a without its sign */
    SLICE,          /* a part of a, b or c long */
    UNIT,           /* a small number */
    LENGTH,         /* a number up to the bytes of a */
    PART,           /* a part of a date; epoch is large */
    SUM,            /* all of them in a row */
    DOUBLE,         /* may escape each byte */
    QUOTE,          /* SUM and DOUBLE */
    JOIN,           /* each element of one with all of another */
    REPEAT,         /* a, b times */
    PAD,            /* a, made b long */
    FILL,           /* a, in an array of dimensions b */
    POLYGON,        /* a points */
    FORMAT,         /* a is a format with widths */
    REPLACE,        /* each b in a becomes c */
    REGEXP,         /* b is a pattern */
    REGEXP_ROWS,    /* REGEXP and ROWS */
    READ_ROWS,      /* READ and ROWS */
    REGEXP_REPLACE, /* REGEXP and REPLACE */
    SUBSTRING,      /* b is a pattern when it is text */
    POWER,          /* a to the b */
    EXP,
    FACTORIAL,
    SERIES,    /* rows from a to b by c */
    AGGREGATE, /* one value of a group */
    MEAN,      /* AGGREGATE, and FRACTION */
    COLLECT,   /* all values of a group */
};

/* False: the function is not on the list, and may not be called. */
bool function_find(struct str name, enum growth *growth);
/* The same for the functions that only Trino has. */
bool function_find_trino(struct str name, enum growth *growth);

/* What a call with constant arguments gives. */
enum function_answer {
    FUNCTION_FIXED,   /* the same value each time */
    FUNCTION_VARIES,  /* rows, another value each time, or it is not listed */
    FUNCTION_OF_GROUP /* one value of many rows: it is an aggregate */
};
/* What a call of that function gives. */
enum function_answer function_answer_of(struct str name);
/* True for functions that make rows when they are called in a list of
 * outputs, such as unnest. */
bool function_makes_rows(struct str name);
/* True for the growths of aggregates. */
bool function_is_aggregate(enum growth growth);
