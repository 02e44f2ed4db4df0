/* made_up_value.h - shared by the files of made_up. */
#pragma once
#include "made_up.h"

enum { MADE_UP_POINTS = 12 };

struct made_number {
    double x; /* of a condition: 1 or 0 */
    bool null;
};

struct made_column {
    struct column_origin origin;
    uint64_t hash; /* of its names */
    enum value_type type;
    bool nullable;
    bool unique;                   /* its values do not repeat */
    bool of_model;                 /* a definition takes it */
    double points[MADE_UP_POINTS]; /* that it is compared with */
    size_t n_points;
};

/* The column that is taken, or NULL. */
struct made_column *made_column_of(const struct made_up *m,
                                   struct column_origin o);
struct made_number made_column_value(const struct made_up *m,
                                     const struct made_column *c, size_t row);
/* A number that depends on both alone. */
double made_up_number(uint64_t hash, size_t row);
/* The number that stands for a constant; of a date its day. False: it is none. */
bool made_constant(const struct shape_value *v, struct made_number *x);
/* The right side of IN or BETWEEN. */
bool made_is_list(const struct shape_value *v);
