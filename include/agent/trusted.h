/* trusted.h - judges the queries of trusted answers (store/trusted_answers.h):
 * each must pass the guard and the guardrails of its ontology, when it is added
 * and again when the semantic model has changed. */
#pragma once
#include "base/map.h"
#include "loop/wait.h"
#include "db/source.h"
#include "store/ontologies.h"
#include "store/trusted_answers.h"

/* Why the query may not be trusted, a sentence in `arena`; empty: it may. It is
 * judged as Trino's with `trino`, whose catalog is `catalog`; else as
 * PostgreSQL's, also over files: of DuckDB's own syntax only DuckDB knows whether
 * it is right. */
struct str trusted_problem(struct arena *arena, struct cached_ontology *held,
                           bool trino, struct str catalog, struct str sql);
/* The same for a query over an opened source. */
struct str trusted_source_problem(struct arena *arena,
                                  struct cached_ontology *held,
                                  const struct source *source, struct str sql);
/* For a query of any engine: why it does not fit the semantic model.
 * `catalog` is Trino's. */
struct str query_problem(struct arena *arena, struct cached_ontology *held,
                         enum source_dialect dialect, struct str catalog,
                         struct str sql);

/* A question to be trusted. */
struct trusted_candidate {
    struct str question, sql;
    int64_t day; /* on which the query was written, since 1970-01-01; less than
                    0: not known */
    struct str message_id; /* the answer that is marked; may be empty */
    int step_id;
    int line; /* in a file; 0: none */
    /* Out: why it may not be trusted, and whether "question" or "sql" is the
     * reason; empty: it is added */
    struct str problem;
    const char *field;
};

/* Judges questions and adds those that may be trusted. The caller has checked
 * that the user may. A subflow; locals are the struct. It pauses often, so that
 * no other flow waits for it. */
struct trusted_add {
    struct store *store;
    struct cached_ontology *held;
    struct str user_id, request_id;
    struct trusted_candidate *items;
    size_t n;
    struct arena *memory; /* of what comes out, without a limit */
    /* Out */
    struct trusted_put put; /* unless all were refused */
    size_t n_refused;
    /* private */
    struct trusted_engine engine;
    struct arena judging;
    size_t at;
    uint64_t since_ms;
    struct map seen;
    struct buf text;
    struct json_writer out;
    struct pause pause;
};
struct next trusted_add_begin(struct flow *f);

/* Checks again what was checked against an older version of this ontology. A
 * subflow; locals are the struct. It reads, judges and stores a batch at a time,
 * and pauses often, so that no other flow waits for it. */
struct trusted_version {
    struct store *store;
    struct cached_ontology *held;
    /* private */
    struct trusted_engine engine;
    struct arena memory, judging; /* of a batch; of one query */
    struct trusted_due due;
    size_t at;
    uint64_t since_ms;
    struct buf found;
    struct json_writer out;
    struct trusted_checked checked;
    struct pause pause;
};
struct next trusted_version_begin(struct flow *f);

/* The same for all ontologies that the user may see, or one of them. An
 * ontology that cannot be read is left for the next time. */
struct trusted_recheck {
    struct store *store;
    struct str user_id, ontology_id; /* ontology_id may be empty */
    bool all;                        /* the user is an admin */
    /* private */
    struct trusted_stale_ontologies which;
    size_t at;
    struct ontology_acquire hold;
    struct trusted_version version;
};
struct next trusted_recheck_begin(struct flow *f);
