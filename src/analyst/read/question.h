/* question.h - what a question asks for, in terms of the ontology's vocabulary but
 * not yet bound to its datasets.
 *
 *   measure    a metric, a count, or a field with a function over it
 *   dimension  what the measures are broken down by: a field, the things of a
 *              dataset, or a grain of time
 *   filter     which rows count
 *   having     which groups count
 *
 * A phrase that may mean several things keeps all of them (struct choice); binding
 * picks by what can be joined. A question with `unknown` words is not answered. */
#pragma once
#include "base/arena.h"
#include "sample.h"
#include "vocabulary.h"
#include "window.h"

enum {
    QUESTION_MEASURES = 8,
    QUESTION_DIMENSIONS = 5,
    QUESTION_FILTERS = 12,
    QUESTION_HAVINGS = 3,
    QUESTION_MENTIONS = 12,
    QUESTION_NOTES = 16,
    FILTER_VALUES = 12
};

enum function {
    FUNCTION_NONE, /* not named: a metric as it is, the sum of a number */
    FUNCTION_COUNT,
    FUNCTION_DISTINCT,
    FUNCTION_SUM,
    FUNCTION_AVERAGE,
    FUNCTION_MINIMUM,
    FUNCTION_MAXIMUM,
    FUNCTION_MEDIAN
};

struct asked_measure {
    enum function function;
    struct choice what;
    const struct asked_measure *over; /* what it is divided by, or NULL */
    enum time_unit
        grain; /* with FUNCTION_DISTINCT: the number of its periods */
};

/* What dates of many periods share: all Mondays, each hour of the day. */
enum date_part { PART_NONE, PART_WEEKDAY, PART_HOUR };

struct asked_dimension {
    enum time_unit grain; /* or UNIT_NONE and a choice */
    enum date_part part;  /* of the grain UNIT_DAY */
    struct choice what;
    bool ranked; /* what a top n ranks; the others divide it into groups */
    bool per;    /* after "per" */
    bool beside; /* said of the things of dimension `owner`; groups nothing */
    size_t owner;
    bool sorts;   /* a list is sorted by it, */
    bool falling; /* from high to low */
};

enum filter_comparison {
    IS,
    IS_OVER,
    IS_AT_LEAST,
    IS_UNDER,
    IS_AT_MOST,
    IS_BETWEEN,
    IS_LIKE, /* holds the text */
    IS_BEGINS,
    IS_ENDS,
    IS_MISSING,
    IS_TRUE
};

enum filter_kind {
    FILTER_FIELD,  /* `what` compared with `values` */
    FILTER_SEARCH, /* a value whose field is not named */
    FILTER_TIME,   /* `what` lies in `window` */
    FILTER_EXISTS  /* there is a row of a dataset for it; with values: the
                      number of its rows compares with them */
};

/* A value that did something, or to which it was done (reader_deed.c): where it is
 * looked up. */
enum deed {
    DEED_NONE,
    DEED_DATED,  /* by a reference: the field is known */
    DEED_LINKED, /* through a dataset, in what is at its other end */
    DEED_SOLD,   /* in the goods and what they belong to */
    DEED_BOUGHT  /* in those who buy */
};

struct filter_value {
    struct str text;
    bool number;
    bool average; /* the average of the field over all rows */
    const struct sample_list *samples; /* fields known to hold it, or NULL */
};

struct asked_filter {
    enum filter_kind kind;
    bool negated;
    enum filter_comparison comparison;
    struct choice what;
    struct filter_value values[FILTER_VALUES];
    size_t n_values;
    struct window window;
    struct choice when; /* the date of FILTER_EXISTS; n is 0 when not said */
    size_t near;        /* the dataset named next to the value, or SIZE_MAX */
    enum deed deed;
    size_t through; /* of DEED_LINKED: the dataset between */
    bool place;     /* after "in": a place is likely */
    bool named;     /* after "by": a name is likely */
    bool apart;     /* one of "both … and …": another row may meet the other */
    bool each;    /* "online and phone orders": of each value its own figure */
    bool portion; /* limits what is divided, not what it is divided by */
    struct str words;
};

struct asked_having {
    struct asked_measure measure;
    enum filter_comparison comparison;
    struct str number, number2;
    struct str words;
    struct choice rows; /* the dataset that it counts; n is 0 when none */
};

/* What was assumed, as the question that it answers and its answer. */
struct assumption {
    struct str question, assumption;
};

struct top {
    size_t n; /* 0: all */
    bool lowest;
    bool ranked; /* by a measure at all, even without n */
};

enum chart { CHART_NONE, CHART_ANY, CHART_LINE, CHART_BAR, CHART_PIE };

/* How a follow-up begins: "and by month", "what about Dallas". */
enum opening { OPENS_ALONE, OPENS_ADDING, OPENS_CHANGING };

struct question {
    struct asked_measure measures[QUESTION_MEASURES];
    size_t n_measures;
    struct asked_dimension dimensions[QUESTION_DIMENSIONS];
    size_t n_dimensions;
    struct asked_filter filters[QUESTION_FILTERS];
    size_t n_filters;
    struct asked_having havings[QUESTION_HAVINGS];
    size_t n_havings;
    struct window window;
    struct choice window_field; /* n is 0 when not said */
    struct top top;
    bool share; /* of the total, in percent */
    bool
        portion; /* the measure with its filters, in percent of the same without
                     those that are portions */
    bool compare; /* the groups of several values are to be compared */
    bool why;     /* the reasons of a change are asked for */
    bool who;     /* "who" is ranked: binding finds the persons */
    bool held;    /* "did we have": things may have been there all the time */
    bool
        each; /* "only online bookings": something is said of each of their rows */
    int judged; /* why: 1, the question says that it rises; -1: falls */
    enum chart chart;
    struct choice roles[QUESTION_MENTIONS];
    size_t n_roles;
    struct term picked[4]; /* by the user, in answers to clarifications */
    size_t n_picked;
    struct choice mentions[QUESTION_MENTIONS]; /* datasets only named */
    size_t n_mentions;
    struct assumption notes[QUESTION_NOTES];
    size_t n_notes;
    enum opening opening;
    bool instead;            /* "by month instead" */
    struct str sort_by_name; /* words, when rows are to be sorted by name */
    struct str unknown[12];  /* words that were not understood */
    size_t n_unknown;
    struct str problem; /* a sentence: why it cannot be answered */
    struct str year_of; /* the words that lack a year, when that is why */
    bool listing;       /* "list": asks for rows, not for figures */
    bool
        lists; /* the things themselves are wanted: the first dimension, with what
                   the others say of them; the measure counts them */
    struct choice subject; /* of "which city": the city */
    bool subject_one;      /* in the singular */
    bool subject_all;      /* each of them is wanted */
};

/* What words can mean for one ontology. It and all it holds are of its arena. */
struct lexicon {
    struct arena *arena;
    const struct ontology *ontology;
    struct vocabulary vocabulary;
    struct samples samples;
};

void lexicon_init(struct arena *arena, const struct ontology *ontology,
                  struct lexicon *lexicon);

/* Reads one question by itself; `before` is the earlier one, or NULL: a period
 * without a year takes its year. */
void question_read(const struct lexicon *lexicon, struct str text,
                   const struct question *before, struct question *question);

/* Whether it is one for things instead of figures: it says that it wants a list, or
 * "show", which it may say of figures, too. */
enum list_request { LIST_NONE, LIST_PERHAPS, LIST_ASKED };

/* Reads it as one for things. */
enum list_request question_read_list(const struct lexicon *lexicon,
                                     struct str text,
                                     struct question *question);

/* Whether it is a follow-up; question_follow takes over from `before` what the
 * follow-up does not say. */
bool question_leans(const struct question *question);
void question_follow(const struct question *before, struct question *question);

/* Adds an assumption, once. */
void question_note(struct question *question, struct str about,
                   struct str assumption);
