/* guardrail.h - is this query right by the model, whoever wrote it?
 *
 * Judged from the query's text and the model's keys and relationships alone,
 * before anything runs:
 *
 *   names    every table and column is the model's
 *   joins    tables are joined along relationships of the model
 *   fan-out  no measure is summed over rows that a join repeats: neither across
 *            a one-to-many join, nor where two many sides hang on one (a chasm
 *            trap). min, max and what is DISTINCT are immune; EXISTS and IN
 *            repeat nothing; a derived table is as unique as its GROUP BY,
 *            DISTINCT, LIMIT 1 or row_number() make it
 *
 * A query that is right raises nothing. Where the text does not tell, the
 * finding is FINDING_NOT_JUDGED, which is no praise. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum finding_kind {
    FINDING_UNKNOWN_TABLE,  /* the guard refuses it */
    FINDING_UNKNOWN_COLUMN, /* it cannot run */
    FINDING_UNRELATED_JOIN, /* no relationship says so, or only half of one */
    FINDING_FAN_OUT,        /* summed over what a join repeats */
    FINDING_NOT_JUDGED,     /* perhaps so; the model does not tell */
};

struct query_finding {
    enum finding_kind kind;
    bool grave;         /* the answer is wrong; else worth a caveat */
    struct str message; /* what is wrong and what to write instead */
};

struct query_findings {
    struct query_finding *items; /* in the order above */
    size_t n;
    bool read; /* false: the query could not be read, nothing was judged */
};

/* Judges a query that guard_check let through, or would for its relations. */
void query_judge(struct arena *arena, const struct ontology *o, struct str sql,
                 struct query_findings *out);

/* How many are of that kind. */
size_t findings_of(const struct query_findings *findings,
                   enum finding_kind kind);
/* What a model must mend: unknown names and fan-out, a line each; empty when
 * there is none. */
struct str findings_to_mend(struct arena *arena,
                            const struct query_findings *findings);

/* What the results of a query must look like, from its text. */
struct outline_output {
    struct str name;
    bool key;       /* a key column of the model, or one that points at a key */
    bool aggregate; /* made of rows; else what they are told apart by */
    bool
        additive; /* sum or count: those of the groups make that of the whole */
    uint64_t print; /* equal for equal text */
};

struct query_outline {
    bool read;                      /* false: not known, the rest is empty */
    struct outline_output *outputs; /* may be fewer than come back (star) */
    size_t n_outputs;
    bool grouped; /* one row a group, or one row at all */
    bool unique;  /* no two rows are alike: it says DISTINCT or the like */
    bool whole;   /* no LIMIT, OFFSET, HAVING or set operation */
    size_t
        *joins; /* the model's relationships that it joins along, once each */
    size_t n_joins;
    uint64_t from_print, filter_print;
};

/* Judges the query and tells of its results, for one reading of its text. */
void query_examine(struct arena *arena, const struct ontology *o,
                   struct str sql, struct query_findings *findings,
                   struct query_outline *out);
