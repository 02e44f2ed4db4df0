/* stored_values.h - values that a query looks for, and how the data write them.
 *
 * A query that finds nothing may only have written a value in another way:
 * 'berlin' for 'Berlin'. Its text literals are sought in the columns that it
 * compares them with: one bounded query for each, then the nearest values by
 * code. Pure. */
#pragma once
#include "base/buf.h"
#include "guard/guard.h"
#include "guard/literals.h"
#include "ontology/model.h"

enum {
    SOUGHT_MOST = 6,      /* values of one query */
    SOUGHT_BYTES = 100,   /* a longer text is not sought */
    SOUGHT_NEAREST = 5,   /* values named */
    SOUGHT_ALL_MOST = 12, /* named when none is near and there are no more */
    SOUGHT_ROWS = 1100,   /* that sought_sql finds at most */
};

struct sought_value {
    size_t dataset;
    struct str column; /* as the table has it */
    struct str name;   /* of the field, else of the column */
    struct str text;
    enum literal_use use; /* LITERAL_EQUAL, _LIKE or _ILIKE */
    bool computed;        /* compared regardless of case: lower(city) */
};

/* What the data have in its place. */
struct sought_answer {
    bool exists;
    struct str_list near; /* the nearest first */
    bool all;             /* `near` has all values of the column instead */
};

/* The values that `sql`, which guard_check has allowed, compares with text
 * columns of the model, each once. Returns how many it wrote to `out`, which
 * has room for SOUGHT_MOST. Texts are in `arena`. */
size_t sought_values(struct arena *arena, const struct ontology *o,
                     struct str sql, struct sought_value *out);
/* A query for the value and those like it, in `arena`: columns "value" (its
 * first 200 characters) and "matches" (it is the one). It reads the column
 * twice at most, and sorts nothing large. */
struct str sought_sql(struct arena *arena, const struct ontology *o,
                      const struct sought_value *value);
/* Judges the rows of that query; `matches` is "t" or "f". The lists are in
 * `arena` and point into `values`. */
void sought_judge(struct arena *arena, const struct sought_value *value,
                  const struct str *values, const struct str *matches, size_t n,
                  struct sought_answer *answer);
/* Appends "No value of customers.city is “berlin”; the nearest are “Berlin”
 * and “Bern”." on one line; each value is cut and without control characters. */
void sought_tell(const struct ontology *o, const struct sought_value *value,
                 const struct sought_answer *answer, struct buf *out);
