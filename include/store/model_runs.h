/* model_runs.h - what was asked of a run that builds a semantic model from a
 * live database, and what came of it.
 *
 * Lease, epoch, events and checkpoints are those of any run (store/runs.h,
 * store/journal.h); its id is that of its row here. The model is stored together
 * with the end of its run (ontology_import), and only if the run still has the
 * epoch of its owner. */
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

struct model_run_start {
    struct store *store;
    struct str owner_id, connection_id;
    struct str database; /* of that server; empty: the connection's own */
    struct str name;
    struct str schemas, tables; /* JSON arrays of names; "[]": all */
    struct str instructions;    /* may be empty */
    bool shared;
    bool describe; /* by the language model, where one is configured */
    bool all;      /* the user is an admin */
    /* Out */
    enum model_run_outcome outcome;
    struct str
        id; /* of the new run; busy: of the other, if the user may see it */
    struct query *query;
};
/* Starts a run, which this process owns. Fails as queries do. */
struct next model_run_start_begin(struct flow *f);

struct model_run_load {
    struct store *store;
    struct str id;
    struct arena *memory; /* of what comes out */
    /* Out: what was asked for */
    struct str owner_id, connection_id;
    struct str database;        /* of that server; empty: the connection's */
    struct str database_name;   /* never empty */
    struct str name;            /* of the model */
    struct str schemas, tables; /* JSON arrays of names; "[]": all */
    struct str instructions;    /* may be empty */
    bool shared, describe;
    bool replaces; /* a model of that name, whose ontologies need vectors */
    int64_t tokens_today, cost_today; /* that its user has used */
    bool cancelled;                   /* private, like what follows */
    struct query *query;
};
/* Reads what a run is to do. Fails with ERR_CANCELLED when it is to end: its
 * user was disabled, or its connection is gone. */
struct next model_run_load_begin(struct flow *f);

struct model_run_cancel {
    struct store *store;
    struct str id;
};
/* Ends a run for its user, whichever process owns it; does nothing when it has
 * ended. */
struct next model_run_cancel_begin(struct flow *f);

/* Counts what a language model used for the user's daily limits. */
struct model_run_tokens {
    struct store *store;
    struct str user_id;
    int64_t tokens, cost;
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
