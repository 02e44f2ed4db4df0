/* model_runs.h - models being built from live databases, as rows.
 *
 * The row is the truth: who builds it writes how far it is, who follows it reads
 * that, and whoever stops it marks it stopped. The model is stored together with
 * the end of its run (ontology_import), and only while the run still runs. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    MODEL_RUNS_OF_USER = 2,    /* at once */
    MODEL_RUNS_OF_PROCESS = 4, /* likewise */
};

enum model_run_outcome {
    MODEL_RUN_STARTED,
    MODEL_RUN_MISSING, /* no such connection that the user may see */
    MODEL_RUN_BUSY,  /* another reads the same, or makes a model of that name */
    MODEL_RUN_TAKEN, /* the name is of a model of another database */
    MODEL_RUN_FULL,  /* of the user, or of this process */
};

struct model_run_start {
    struct store *store;
    struct str owner_id, connection_id;
    struct str database; /* of that server; empty: the connection's own */
    struct str name;
    struct str schemas, tables; /* JSON arrays of names; "[]": all */
    struct str instructions;    /* may be empty */
    bool shared;
    bool all; /* an admin sees all connections */
    /* Out */
    enum model_run_outcome outcome;
    struct str id; /* started: its own; busy: of the other one, if it is seen */
    bool replaces; /* there is a model of that name */
    struct str database_name; /* the one to be read */
    struct query *query;
};
struct next model_run_start_begin(struct flow *f);

/* How far it is, from whoever builds it; keeps the lease. */
struct model_run_beat {
    struct store *store;
    struct str id;
    const char *stage;
    size_t done, total;
    bool news; /* the stage or the numbers are others than last time */
    /* Out: it does not run any more: it was stopped, or its user was disabled, or
     * its lease is over. */
    bool lost;
    struct query *query;
};
struct next model_run_beat_begin(struct flow *f);

/* Ends one that runs: `ended` says whether it did. */
struct model_run_end {
    struct store *store;
    struct str id;
    bool own;           /* by whoever builds it: only if it is this process */
    const char *status; /* "failed", "cancelled" */
    const char *code;
    struct str error;
    bool ended; /* out */
    struct query *query;
};
struct next model_run_end_begin(struct flow *f);

/* What its language model took, as tokens of its user's day. */
struct model_run_tokens {
    struct store *store;
    struct str user_id;
    int64_t tokens;
    struct query *query;
};
struct next model_run_tokens_begin(struct flow *f);

/* A page of a user's runs, the newest first; or one of them. */
struct model_run_page {
    struct store *store;
    struct str user_id;
    struct str run_id;        /* not empty: only that one, with what it found */
    struct str connection_id; /* may be empty */
    bool all;                 /* an admin sees all */
    int page, page_size;
    /* Out: rows for model_run_write, kept, and how many in all */
    struct query *query;
    int64_t total;
};
struct next model_run_page_begin(struct flow *f);
/* The members of one run's object. */
void model_run_write(struct json_writer *w, const struct query *q, int row);

/* The latest of a run as an event of its stream, in the order of its changes. */
struct model_run_news {
    bool ended;
    int64_t id;       /* counts up, from 1 */
    const char *type; /* "run_progress", "run_complete", "run_error" */
};
void model_run_news(const struct query *q, int row, struct model_run_news *out);
/* The members of that event's data. */
void model_run_news_write(struct json_writer *w, const struct query *q,
                          int row);
