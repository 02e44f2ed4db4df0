/* query.h - a question bound to the ontology: the query, before it is SQL.
 *
 *   root       the dataset whose rows a grouped query reads once each
 *   part       a grouped query over one root; measures of different grain make
 *              several parts, which are joined by their groups
 *   lifted     a part whose root was replaced by a dataset below it, because only
 *              that one reaches a dimension: correct for COUNT(DISTINCT) and the
 *              like, refused for sums
 *   candidate  a field that may hold a value of the question; the query itself
 *              looks into the candidates, in their order
 *   side       in a why-question, the value asked about; all other values are
 *              the other side
 *
 * A question that cannot be answered correctly has a `problem`, one sentence. */
#pragma once
#include "read/clarification.h"
#include "sql/expression.h"
#include "read/question.h"
#include "reach.h"

enum { QUERY_PARTS = 8, QUERY_CANDIDATES = 8 };

/* Instead of a field: the first and the last name of the dataset's persons. */
#define FULL_NAME (SIZE_MAX - 1)

struct field_ref {
    size_t dataset, field;
};

struct part {
    size_t root;
    bool whole; /* without the filters that are portions */
    struct field_ref
        time; /* for the window and grains; dataset SIZE_MAX: none */
};

struct bound_measure {
    struct formula formula;
    size_t *part; /* by aggregate */
    size_t n_top; /* of a ratio of two figures, each over its own rows: the
                     aggregates of the first; else 0 */
    bool tied;    /* an average per thing: each row belongs to one of them */
    size_t over;  /* tied: the dataset of the things; SIZE_MAX: periods */
    bool portion; /* a share: the second figure is over a whole part */
    bool adds;    /* groups add up to the total */
    bool counts;
    bool when; /* the first or last day or year, and no number */
};

/* A dimension of a why-question that is not a field: the value asked about against
 * all others, or the period asked about against the same a year before. */
enum contrast { CONTRAST_NONE, CONTRAST_SIDE, CONTRAST_PERIOD };

struct dimension {
    enum contrast contrast;
    enum time_unit grain; /* UNIT_NONE: a field */
    enum date_part part;
    struct field_ref ref; /* of a field */
    bool things;          /* one group for each row of the dataset */
    bool of_names;        /* the label is first and last name */
    bool unique;          /* the label is a key */
    bool is_time;
    bool is_year;        /* a column of years, which sorts like time */
    bool ranked;         /* a top n ranks its groups */
    bool beside;         /* said of the things of another; makes no groups */
    bool sorts, falling; /* a list is sorted by it, from high to low */
    struct str name;     /* of the output column */
    struct str words;
};

/* A value and the fields that may hold it. `known`: the ontology names the one
 * field that does. */
struct value_search {
    struct str value;
    struct field_ref candidates[QUERY_CANDIDATES];
    size_t n;
    bool cut; /* further fields may hold it */
    bool known;
    bool coded;         /* the literal is the code of what the value means */
    struct str literal; /* as the ontology writes it, when known */
};

struct condition {
    const struct asked_filter *asked;
    struct field_ref ref;  /* of FILTER_FIELD and FILTER_TIME */
    size_t dataset;        /* of FILTER_EXISTS */
    struct field_ref time; /* of its window */
    bool has_reference;    /* `ref` holds keys of rows, which have the names */
    struct field_ref referred; /* their key */
    struct str none;           /* IS_MISSING: a value that says so, or empty */
    struct value_search searches[FILTER_VALUES];
    size_t n_searches;
};

struct bound_query {
    struct arena *arena;
    const struct ontology *o;
    const struct lexicon *lexicon;
    struct question question; /* binding adds assumptions to it */
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
    bool year_before; /* reads the window and the same period a year before */
    int64_t today;
    struct str problem;
    const struct clarification
        *ask; /* what would settle the problem; NULL: nothing */
};

/* Binds query->question. False with query->problem, and with query->ask where an
 * answer of the user would help. */
bool query_bind(struct bound_query *query);

/* The steps of query_bind; false with query->problem. */
bool bind_measures(struct bound_query *query); /* bind_measure.c */
/* Of "who", the only persons that what is measured belongs to. */
bool bind_who(struct bound_query *query); /* bind_who.c */
/* Whether the name after "by", known in that place, is no name of other persons that
 * are as near. */
bool who_check_named(struct bound_query *query,
                     const struct asked_filter *asked, struct field_ref place);
bool bind_dimensions(struct bound_query *query); /* bind_dimension.c */
bool bind_time(struct bound_query *query);       /* bind_time.c */
bool bind_conditions(struct bound_query *query); /* bind_condition.c */

/* For the steps: sets the problem unless there is one, and returns false. */
bool query_fails(struct bound_query *query, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, where an answer of the user would help. */
bool query_asks(struct bound_query *query, const struct clarification *ask,
                const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The term of the choice that the user picked, else the whole choice. */
struct choice query_picked(struct bound_query *query, struct choice what);
/* Fails and asks which of two fields or datasets `words` mean. */
bool query_asks_which(struct bound_query *query, struct str words,
                      const struct term *a, const struct term *b);
/* Whether `words` surely mean the chosen field: false, and asked back, when a nearer
 * field's name ends with them too. The user's pick replaces the chosen one. */
bool query_settle_rival(struct bound_query *query, struct str words,
                        const struct term **chosen);
/* Whether each condition and the period fit all figures of each formula; fails the
 * query if not. */
bool query_check_splits(struct bound_query *query);
/* Adds an assumption: the question it answers, and what is assumed. */
void query_note(struct bound_query *query, struct str about,
                struct str assumption);
/* Adds the assumption of what `words` mean; of a field: "orders.channel." */
void query_note_meaning(struct bound_query *query, struct str words,
                        struct str meaning);
struct str term_sentence(const struct bound_query *query,
                         const struct term *field);
bool field_ref_same(struct field_ref a, struct field_ref b);
/* Of a full name, the field with the first name. */
const struct field *field_of_ref(const struct bound_query *query,
                                 struct field_ref ref);
struct str field_ref_path(const struct bound_query *query,
                          struct field_ref ref);
/* The sum of the hops from every part's root; SIZE_MAX when one cannot reach it. */
size_t query_distance(struct bound_query *query, size_t dataset);
/* The question names the dataset. */
bool query_mentions(const struct bound_query *query, size_t dataset);
/* How many dimensions make groups. */
size_t query_groups(const struct bound_query *query);
/* The dimension of which a value without any row would be among the few that the
 * question asks for: plans without members, of those with the fewest. SIZE_MAX:
 * there is none, or each value has a row. */
size_t query_absent(const struct bound_query *query);
/* The things that the only figure is an average over, where others of them may have no
 * row to count; SIZE_MAX: there are none, or a condition or a breakdown may be one of
 * the things. */
size_t query_over(struct bound_query *query);
/* Each group that there may be is in the result. Counts come from the rows that are
 * counted, so a customer without an order is in no group. */
bool query_has_each(const struct bound_query *query, size_t dimension);
/* The dataset below both that reaches the root and `dataset`, for EXISTS;
 * SIZE_MAX when there is none, or several and the question names none of them. */
size_t query_bridge(struct bound_query *query, size_t root, size_t dataset);
/* The field that dates the root's rows: the one in `said` if the question names
 * one, else the nearest. *several: others are as near. dataset SIZE_MAX: none. */
struct field_ref time_nearest(struct bound_query *query, size_t root,
                              const struct choice *said, bool *several);
/* "Customers with a coupon in 2025": the period may be of the customers or of the
 * orders that have the coupon. True: the question has no period, or a condition on
 * `dataset` leaves no doubt; else dates has both. */
bool period_is_certain(struct bound_query *query, size_t dataset,
                       struct field_ref dates[2]);
/* The nearest column of years, for roots without a date; dataset SIZE_MAX: none. */
struct field_ref year_nearest(struct bound_query *query, size_t root);
/* The root has a column of years itself, while `time` is in another dataset. */
bool year_is_nearer(struct bound_query *query, size_t root,
                    struct field_ref time);
/* A measure or dimension has this output name already. */
bool names_hold(const struct bound_query *query, struct str name);
/* Whether the bound conditions can be true as they are meant. */
bool check_conditions(struct bound_query *query); /* check_condition.c */
/* Whether a condition on what is so now is not asked of a period. */
bool check_states(struct bound_query *query); /* check_condition.c */
/* Whether nothing is added up that is the same from day to day. */
bool check_snapshots(struct bound_query *query); /* snapshot.c */
/* Fails: the words cannot be joined to what is measured. */
bool query_cannot_join(struct bound_query *query, struct str words);
/* The dataset of FILTER_EXISTS, and its date; false with query->problem. */
bool bind_existence(struct bound_query *query,
                    struct condition *c); /* bind_existence.c */
/* The field refers to rows, and the values are what rows may be called. */
bool reference_is_named(struct bound_query *query, const struct condition *c);
/* Binds it to their names; false with query->problem. */
bool bind_reference(struct bound_query *query,
                    struct condition *c); /* bind_reference.c */
/* Of the used datasets, the one that reaches all others; SIZE_MAX: none. */
size_t query_grain(struct bound_query *query, const bool *uses);
/* The formula of what is asked for, in m->formula; false with query->problem. */
bool bind_formula(struct bound_query *query, const struct asked_measure *asked,
                  struct bound_measure *m); /* bind_formula.c */
