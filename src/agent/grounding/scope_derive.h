/* scope_derive.h - what is derived from cells, tried against one figure. */
#pragma once
#include "scope.h"

enum derived_kind {
    DERIVED_LEVEL,  /* a value of the column's own kind */
    DERIVED_LESS,   /* a difference: its sign is said in words */
    DERIVED_SHARE,  /* a percentage */
    DERIVED_CHANGE, /* likewise, with a sign that is said in words */
    DERIVED_RATIO,
    DERIVED_POINTS,
};

struct derivation {
    const struct grounding_scope *scope;
    const struct figure *figure;
    unsigned kinds; /* bits of those that may show the figure */
    bool found;
};

/* One with nothing tried yet; both outlive it. */
struct derivation derivation_of(const struct grounding_scope *s,
                                const struct figure *f);
/* Tries a value of a kind that may show the figure. */
void derivation_try(struct derivation *d, enum derived_kind kind, double x);
/* Tries a value that was derived: d->found, once one shows the figure. */
static inline void derivation_offer(struct derivation *d,
                                    enum derived_kind kind, double x)
{
    if (!d->found && (d->kinds >> kind & 1))
        derivation_try(d, kind, x);
}

/* Tries a cell of a column; a percentage may be kept as 12 or as 0.12. */
void derivation_offer_cell(struct derivation *d, const struct fact_column *c,
                           double x);
/* Tries how many rows there are, and how many do what the sentence says. */
void derivation_counts(struct derivation *d);
/* Whether the sum of this many rows at an end may be meant: as many as a number
 * in words says, "the three best", if the sentence has any. */
bool derivation_may_count(const struct derivation *d, size_t n, size_t n_rows);
/* Tries sums of a column over the rows of texts that follow each other. */
void derivation_some(struct derivation *d, const struct fact_table *t,
                     size_t table, const struct fact_column *c);
/* Tries the sum below zero, or the one above it: "the two loss makers", "without
 * them". */
void derivation_signs(struct derivation *d, const struct fact_column *c);
/* Tries what cells are above or below a target that the question names. */
void derivation_asked(struct derivation *d);
/* Tries sums of as many rows in a run as the sentence says, "the two months
 * after", and what such a sum is more than the one of a year before. */
void derivation_windows(struct derivation *d, const struct fact_table *t,
                        const struct fact_column *c, size_t most);
/* Whether the figure is a bound, and another figure of the sentence says how many
 * rows are beyond it. */
bool scope_bounds_rows(const struct grounding_scope *s, const struct figure *f);
