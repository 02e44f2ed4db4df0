/* query.h - a question bound to the model: what will be asked of the data.
 *
 *   part       a grouped query over the rows of one root; measures of different
 *              grain make several parts, which are joined by their groups
 *   lifted     a part whose root was exchanged for a dataset below it, because a
 *              dimension is reached only from there: right for COUNT(DISTINCT)
 *              and the like, refused for sums
 *   candidate  a field in which a value of the question may be found; the query
 *              itself asks the data which one it is, in their order
 *
 * What cannot be answered rightly has a `problem`, one sentence. */
#pragma once
#include "read/clarification.h"
#include "sql/expression.h"
#include "read/question.h"
#include "reach.h"

enum { QUERY_PARTS = 8, QUERY_CANDIDATES = 8 };

struct spot {
    size_t dataset, field;
};

struct part {
    size_t root;
    bool lifted;
    struct spot time; /* for the window and grains; dataset SIZE_MAX: none */
};

struct bound_measure {
    struct formula formula;
    size_t *part; /* by aggregate */
    bool adds;    /* groups add up to the total */
    bool counts;
};

/* A dimension that is no field: the value asked about beside all others, and
 * the period asked about beside the same a year before. */
enum contrast { CONTRAST_NONE, CONTRAST_SIDE, CONTRAST_PERIOD };

struct dimension {
    enum contrast contrast;
    enum time_unit grain; /* UNIT_NONE: a field */
    struct spot spot;     /* of a field */
    bool things;   /* one row for each thing of the dataset, by its key */
    bool of_names; /* first and last name make its label */
    size_t first_name, last_name;
    bool unique; /* the label is a key */
    bool is_time;
    bool is_year; /* a column of years: sorted like time */
    bool ranked;
    struct str name; /* of the output column */
    struct str words;
};

/* One value, and where it may be found; known: one candidate, sure of it. */
struct value_search {
    struct str value;
    struct spot candidates[QUERY_CANDIDATES];
    size_t n;
    bool known;
    struct str literal; /* as the model writes it, when known */
};

struct condition {
    const struct asked_filter *asked;
    struct spot spot; /* of FILTER_FIELD and FILTER_TIME */
    size_t dataset;   /* of FILTER_EXISTS */
    struct spot time; /* of its window */
    struct value_search searches[FILTER_VALUES];
    size_t n_searches;
};

struct bound_query {
    struct arena *arena;
    const struct ontology *o;
    const struct lexicon *lexicon;
    struct question question; /* notes are added while it is bound */
    struct reaches reaches;
    struct bound_measure measures[QUESTION_MEASURES + QUESTION_HAVINGS];
    size_t n_measures;
    size_t having[QUESTION_HAVINGS]; /* their measures */
    struct dimension dimensions[QUESTION_DIMENSIONS];
    size_t n_dimensions;
    struct condition conditions[QUESTION_FILTERS];
    size_t n_conditions;
    struct part parts[QUERY_PARTS];
    size_t n_parts;
    const struct condition *side; /* of CONTRAST_SIDE */
    bool year_before; /* rows of the window and of the same a year before */
    int64_t today;
    bool from_today;
    struct str problem;
    const struct clarification
        *ask; /* what would settle the problem; NULL: nothing */
};

/* Binds q->question. False with q->problem. */
bool query_bind(struct bound_query *query);

/* Steps of query_bind, each in a file of its own; false with query->problem. */
bool bind_measures(struct bound_query *query);   /* bind_measure.c */
bool bind_dimensions(struct bound_query *query); /* bind_dimension.c */
bool bind_time(struct bound_query *query);       /* bind_time.c */
bool bind_conditions(struct bound_query *query); /* bind_condition.c */

/* For the steps. */
bool query_fails(struct bound_query *query, struct str sentence); /* false */
/* The same, where an answer of the user would help. */
bool query_asks(struct bound_query *query, const struct clarification *ask,
                struct str sentence);
/* Of the choice what was picked, when it was. */
struct choice query_picked(struct bound_query *query, struct choice what);
/* Asks which of those fields or datasets `words` mean. */
const struct clarification *ask_terms(struct bound_query *query,
                                      struct str words,
                                      const struct term *const *terms,
                                      size_t n);
void query_note(struct bound_query *query, struct str about,
                struct str assumption);
const struct field *spot_field(const struct bound_query *query,
                               struct spot spot);
struct str spot_words(const struct bound_query *query, struct spot spot);
/* Hops from the roots of all parts together; SIZE_MAX when one cannot. */
size_t query_distance(struct bound_query *query, size_t dataset);
bool query_mentions(const struct bound_query *query, size_t dataset);
/* The dataset below that reaches the root and `dataset` both, for EXISTS;
 * SIZE_MAX when there is none or more than one. */
size_t query_bridge(struct bound_query *query, size_t root, size_t dataset);
/* A field fit for the date of a root's rows; dataset SIZE_MAX: none. */
struct spot time_nearest(struct bound_query *query, size_t root,
                         const struct choice *said, bool *several);
/* A field that holds years, where there is no date. */
struct spot year_nearest(struct bound_query *query, size_t root);
/* The dataset has years itself, and `time` is another's. */
bool year_is_nearer(struct bound_query *query, size_t root, struct spot time);
/* An aggregate made of a function over a field or of the rows of a dataset. */
struct str field_aggregate(struct bound_query *query, enum function function,
                           struct spot spot, struct str *problem);
/* The name of the column and the words for people, e.g. average_unit_price. */
bool names_hold(const struct bound_query *query, struct str name);
