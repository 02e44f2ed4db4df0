/* guardrail.h - does a query fit the semantic model?
 *
 * The guardrails judge a query by its text and by the model's keys and
 * relationships, before anything runs:
 *
 *   names    the model has every table and column
 *   joins    tables are joined along relationships of the model
 *   fan-out  no measure is summed over rows that a join repeats: neither across
 *            a one-to-many join, nor where two many sides are joined through
 *            one dataset (a chasm trap). min, max and DISTINCT are immune;
 *            EXISTS and IN repeat nothing; a derived table is as unique as its
 *            GROUP BY, DISTINCT, LIMIT 1 or row_number() make it
 *
 *   rules    mistakes that the text shows (ontology/rules.h)
 *
 * A correct query has no findings. FINDING_NOT_JUDGED means that the text
 * and the model are not enough to decide. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include "ontology/rules.h"

enum finding_kind {
    FINDING_UNKNOWN_TABLE,  /* the guard refuses the query */
    FINDING_UNKNOWN_COLUMN, /* the query cannot run */
    FINDING_UNRELATED_JOIN, /* along no relationship, or only part of one */
    FINDING_FAN_OUT,        /* sums rows that a join repeats */
    FINDING_NOT_JUDGED,     /* perhaps fan-out; the model does not say */
    FINDING_RULE,           /* breaks a rule */
};

struct query_finding {
    enum finding_kind kind;
    bool grave;         /* the result is wrong; else worth a caveat */
    struct str message; /* what is wrong, and what to write instead */
    const struct query_rule *rule; /* of FINDING_RULE */
    enum asked_for
        asked;           /* what the question must ask for it to be a mistake */
    struct str asked_of; /* the words that this is about */
};

struct query_findings {
    struct query_finding *items; /* in the order above */
    size_t n;
    bool read; /* false: the query could not be read, nothing was judged */
};

/* The number of findings of one kind. */
size_t findings_count(const struct query_findings *findings,
                      enum finding_kind kind);
/* Removes the findings that are no mistakes for this question. An empty
 * question is not known: those that depend on one are removed. */
void findings_for_question(struct arena *arena, struct query_findings *findings,
                           struct str question);
/* What a language model must repair: unknown names, fan-out and broken rules,
 * one line each, in `arena`; empty if there is nothing. */
struct str findings_to_repair(struct arena *arena,
                              const struct query_findings *findings);

/* What the text of a query says about its result. */
struct outline_output {
    struct str name;
    bool key;       /* a key column of the model, or a foreign key */
    bool aggregate; /* computed over rows; else a dimension */
    bool
        additive; /* sum or count: those of the groups make that of the whole */
    uint64_t print; /* fingerprint: equal for equal text */
};

struct query_outline {
    bool read; /* false: unknown, the rest is empty */
    struct outline_output
        *outputs; /* fewer than the result has, if it has a star */
    size_t n_outputs;
    bool grouped; /* one row for each group, or one in all */
    bool whole;   /* no LIMIT, OFFSET, HAVING or set operation */
    size_t
        *joins; /* the model's relationships that it joins along, once each */
    size_t n_joins;
    uint64_t from_hash, filter_hash;
};

/* Parses a query that guard_check allows, judges it into *findings and
 * describes its result in *out. Both are in `arena`. If it cannot be parsed,
 * findings->read and out->read are false. */
void query_analyze(struct arena *arena, const struct ontology *o,
                   struct str sql, struct query_findings *findings,
                   struct query_outline *out);
