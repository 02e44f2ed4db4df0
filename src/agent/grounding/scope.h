/* scope.h - the rows that a part of a sentence is about, and whether a figure
 * is what they show. */
#pragma once
#include "facts.h"

/* Rows of one table. */
struct scope_rows {
    size_t *rows; /* in their order in the table */
    size_t n;
};

struct grounding_scope {
    struct facts *facts;
    struct scope_rows *named; /* of each table: rows with the named texts */
    struct scope_rows *rows;  /* likewise, of the named periods only */
    struct scope_rows *all;   /* of each table: rows that the sentence names */
    bool counts;              /* the figure counts: "three of them" */
    bool weekdays;            /* of days of the week, which are rows in a run */
    size_t window;            /* periods: 3, of "the three months before" */
    bool average;             /* the sentence speaks of an average */
    bool signs;               /* of profits and losses */
    bool strict; /* the figure is of these rows, not of the whole */
    bool own;    /* a number of things is of these rows, too */
    struct scope_rows *periods; /* of each table: rows of the periods alone */
    bool negative;              /* the sentence speaks of a loss, or of less */
    bool ratio;                 /* of something per something, or of a ratio */
    bool percent;  /* a number is a percentage: its column's name says so */
    bool shown;    /* the sentence says that rows were cut */
    bool ranked;   /* "top 3", "the first two together" */
    bool changes;  /* of a change over time */
    bool into;     /* of one, in a period: from the period before it */
    bool differs;  /* of a difference between rows */
    bool of_whole; /* of a share of everything */
    bool rest;     /* of all other rows */
    bool denied;   /* it says "not", or "but" */
    bool of_those; /* "of those who", of one row among those of another */
    bool target;   /* of a target, or a limit */
    bool combined; /* rows are added up: "together", "both", "total" */
    /* Of each mention of the sentence, in its order: its rows of each table; NULL:
     * it is a period. */
    struct scope_rows *const *each;
    size_t n_each;
    bool present; /* of rows of which something is known */
    bool adds_up; /* it says that some of them are added: "combined" */
    /* It is of those with a loss, "the loss makers", or of those with a profit, "without
     * the loss makers". */
    bool losers, winners;
    bool rises, falls; /* of what went up, or down */
    /* Of each table, which columns the sentence may be about. */
    bool *const *concerned;
    /* Of each table: rows where the column of true and false that the sentence
     * names is true, and the others; NULL: it names none. */
    const struct scope_rows *flagged, *unflagged;
    const struct figure *others; /* all figures of the sentence */
    size_t n_others;
    size_t listed; /* rows that the sentence names, or the list after it has */
};

/* Narrows or empties `rows` to those of a period. */
void scope_of_period(struct facts *facts, const struct figure *period,
                     struct scope_rows *rows);
/* The same of one table. */
void scope_of_table_period(struct facts *facts, const struct figure *period,
                           size_t table, struct scope_rows *rows);
/* Whether the date of a row in the column is in the period. */
bool scope_row_is_of(const struct fact_column *c, size_t row,
                     const struct figure *period);
/* The rows of one table with a named text. */
struct scope_rows scope_of_place(struct facts *facts,
                                 const struct fact_place *place, size_t table);
/* How far above or below the figure a value may be when it is a bound. */
double figure_room(const struct figure *f, double value, double unit);
/* Whether the figure rounds to `x`. */
bool figure_near(const struct figure *f, double x);
/* Whether a figure in `list` says the same. */
bool figure_said(const struct figure *f, const struct fact_figures *list);

/* Whether cells show the figure: itself, or what is derived from them. */
bool scope_shows(const struct grounding_scope *s, const struct figure *f);
/* Whether a cell somewhere is the figure, whatever the rows. `elsewhere`: only
 * tables of which the scope names no row. */
bool scope_has_cell(const struct grounding_scope *s, const struct figure *f,
                    bool elsewhere);
/* Whether the cell of a row shows the figure. */
bool scope_cell_shows(const struct grounding_scope *s, size_t table,
                      size_t column, size_t row, const struct figure *f);
/* Whether one column shows the figure: a cell, or what is derived from its
 * cells in the scope's rows, or in all. */
bool scope_column_shows(const struct grounding_scope *s, size_t table,
                        size_t column, const struct figure *f);
/* Whether the column and another one, as a difference, a share or a ratio of
 * their sums, show the figure. */
bool scope_ratio_shows(const struct grounding_scope *s, size_t table,
                       size_t column, const struct figure *f);
/* Whether the figure is what one of the rows had before the change that another column of
 * it has: 33.4, of 31.0 and -2.4. */
bool scope_shows_earlier(const struct grounding_scope *s,
                         const struct figure *f);
/* Whether rows, or the queries' own periods, are of the period. */
bool scope_has_period(struct facts *facts, const struct figure *f);
