/* model_runs.h - runs that build semantic models from live databases.
 *
 * The row is authoritative: the process that builds the model writes its
 * progress, readers read that, and a cancel marks the row. The model is stored
 * together with the end of its run (ontology_import), and only while the run
 * has not ended. */
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
    MODEL_RUN_MISSING, /* the user can see no such connection */
    MODEL_RUN_BUSY,  /* another run reads the same schemas, or makes a model of
                       that name */
    MODEL_RUN_TAKEN, /* a model of another database has the name */
    MODEL_RUN_FULL,  /* the user or this process has too many runs */
};

/* Starts a run. */
struct model_run_start {
    struct store *store;
    struct str owner_id, connection_id;
    struct str database; /* of that server; empty: the connection's own */
    struct str name;
    struct str schemas, tables; /* JSON arrays of names; "[]": all */
    struct str instructions;    /* may be empty */
    bool shared;
    bool all; /* the user is an admin */
    /* Out */
    enum model_run_outcome outcome;
    struct str
        id; /* of the new run; busy: of the other, if the user may see it */
    bool replaces;            /* a model of that name exists */
    struct str database_name; /* the one to read */
    struct query *query;
};
struct next model_run_start_begin(struct flow *f);

/* Stores the progress, and renews the lease. */
struct model_run_renewal {
    struct store *store;
    struct str id;
    const char *stage;
    size_t done, total;
    bool news; /* the stage or the numbers have changed */
    /* Out: it has ended: it was cancelled, its user was disabled, or its lease
     * has expired. */
    bool lost;
    struct query *query;
};
struct next model_run_renewal_begin(struct flow *f);

/* Ends a run, unless it has ended. */
struct model_run_end {
    struct store *store;
    struct str id;
    bool own;           /* only if this process builds it */
    const char *status; /* "failed", "cancelled" */
    const char *code;
    struct str error;
    bool ended; /* out: by this call */
    struct query *query;
};
struct next model_run_end_begin(struct flow *f);

/* Counts tokens that its language model used for the user's daily limit. */
struct model_run_tokens {
    struct store *store;
    struct str user_id;
    int64_t tokens;
    struct query *query;
};
struct next model_run_tokens_begin(struct flow *f);

/* A page of a user's runs, the newest first; or one run. */
struct model_run_page {
    struct store *store;
    struct str user_id;
    struct str run_id;        /* not empty: only this one, with what it found */
    struct str connection_id; /* may be empty */
    bool all;                 /* the user is an admin */
    int page, page_size;
    /* Out: rows for model_run_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
};
struct next model_run_page_begin(struct flow *f);
/* Writes the members of a run's object. */
void model_run_write(struct json_writer *w, const struct query *q, int row);

/* The state of a run as an event of its stream. */
struct model_run_event {
    bool ended;
    int64_t id;       /* counts up, from 1 */
    const char *type; /* "run_progress", "run_complete", "run_error" */
};
void model_run_event(const struct query *q, int row,
                     struct model_run_event *out);
/* Writes the members of the event's data. */
void model_run_event_write(struct json_writer *w, const struct query *q,
                           int row);
