/* facts.h - what a narrative may state: the cells of the results, indexed, and
 * the figures and names of the question, the queries and the plan.
 *
 *   table    the rows of one result
 *   place    a cell whose text a narrative can name
 *   context  figures that limit or order what was asked (the literals of the
 *            queries, the period and the filters of the plan): they count
 *            where a sentence says what it is about, and are no findings */
#pragma once
#include "base/map.h"
#include "figure.h"
#include "grounding.h"
#include "unit.h"

enum { FACT_NAME_WORDS = 8 }; /* longer texts of cells name nothing */
/* The days of "revenue_previous" and "revenue", of which the text of an answer
 * says no date. */
enum { FACT_EARLIER = -20, FACT_LATER = -10 };

struct fact_value {
    double value;
    size_t row;
};

enum fact_grain { GRAIN_DAY, GRAIN_MONTH, GRAIN_QUARTER, GRAIN_YEAR };

struct fact_column {
    struct str name;
    bool adds;          /* numbers that may be added, averaged and compared */
    bool percent;       /* its name says so, or its cells do */
    bool named_percent; /* "pct": it has no shares of one */
    bool averages;      /* or prices and such: their sum says nothing */
    bool takes;         /* of times that something takes: less is faster */
    bool change;        /* of changes, as its name says */
    size_t changes;     /* the column whose changes they are: `margin`, of
                     * `margin_change`; SIZE_MAX: none */
    bool whole;         /* all numbers are integers */
    enum unit measure;  /* of its numbers, as its name says */
    enum currency currency; /* likewise */
    double scale;           /* likewise: 1000 of `revenue_keur` */
    bool dated;
    bool periods; /* dated by texts: "2025-Q4", "Q4", "March" */
    bool no_year; /* likewise, and the texts name no year */
    /* The period that its name has, "revenue_2024", and where; first > last:
     * none. */
    int64_t first, last;
    size_t period_from, period_to;
    int month;  /* that its name has without a year, or that begins a quarter;
                 * 0: none */
    int months; /* 3 of a quarter, else 1 */
    enum fact_grain grain;
    double *values; /* of each row; NAN: none */
    int64_t *days;  /* of each row; INT64_MIN: none; NULL: not dated */
    unsigned char *row_months; /* of the days */
    signed char *flags; /* of each row: 1 true, 0 false, -1 none; NULL: it has
                         * no truths */
    struct fact_value *sorted; /* numbers by value */
    size_t n_sorted;
    size_t distinct;
    double sum, mean;
};

struct fact_table {
    struct fact_column *columns;
    size_t n_columns, n_rows;
    size_t row_count; /* of the result */
    bool whole;       /* all of its rows are here, and the query read all */
    size_t period;    /* its dated column; n_columns: none */
};

struct fact_place {
    size_t table, column, row;
    bool weak;   /* an ordinary word, perhaps */
    bool number; /* "bus 415", of a number in `bus_no` */
    struct fact_place *next, *last;
};

struct fact_figures {
    struct figure *items;
    size_t n, cap;
};

struct facts {
    struct arena *arena;
    const struct grounding_of *of;
    struct fact_table *tables;
    size_t n_tables;
    struct map places;         /* words of a text cell, joined -> fact_place */
    struct map stems;          /* of texts that are ordinary words, likewise */
    struct map words;          /* every word that may be used in a name */
    struct fact_figures asked; /* in the question */
    struct fact_figures context; /* see above */
    struct fact_figures said;    /* by earlier answers, or printed */
    struct fact_reader *reader;  /* see facts_read_on */
    size_t work, unit;           /* done in all, and in the unit */
    bool flags;                  /* some column is of true and false */
    bool
        scale_said; /* the text says what its figures are in: "in thousand euros" */
    bool spent;     /* it was more than the check is worth */
};

/* Adds a figure. False: there are as many as a list may have. */
bool fact_figures_add(struct arena *arena, struct fact_figures *to,
                      const struct figure *f);
/* Begins an index of all of it. What is beyond the bounds is left out, and its
 * tables are not `whole`. */
void facts_begin(struct arena *arena, const struct grounding_of *of,
                 struct facts *out);
/* Indexes a part that takes a millisecond or so: some rows, the end of a
 * column, a text. False: all is indexed. */
bool facts_read_on(struct facts *facts);
/* The rows whose cell in some text column is these words; NULL: none. */
const struct fact_place *facts_find(const struct facts *facts, struct str key);
/* The rows whose cell is another form of this word. NULL: none, or several
 * texts are. */
const struct fact_place *facts_find_stem(const struct facts *facts,
                                         struct str word);
/* Counts work. False, from then on: it is more than one narrative, or one unit
 * of it, is worth. */
bool facts_work(struct facts *facts, size_t steps);
/* Begins a unit: what is done without a look at the time. */
void facts_unit(struct facts *facts);
/* By what a figure is multiplied in the column, whose name says its unit and its
 * scale: by 1000 for "18.4 t" in `kg_bought`; 1: by nothing. */
double fact_factor(const struct fact_column *c, const struct figure *f);
/* The bound that a figure is in the column: 0.45 of "45 %", when it has shares
 * of one, and 18,400 of "18.4 t", when it has kilograms. */
double fact_bound(const struct fact_column *c, const struct figure *f);
/* How many of the column's numbers are less than x; with `same`, or equal. */
size_t fact_count_below(const struct fact_column *c, double x, bool same);
/* Whether the column's name has the period, or its month. */
bool fact_is_of(const struct fact_column *c, const struct figure *period);
/* Whether the names of two columns differ only in their periods. */
bool fact_same_series(const struct fact_column *a, const struct fact_column *b);
/* The last day of the period that a cell of the column begins. */
int64_t fact_last_day(const struct fact_column *c, int64_t first);
