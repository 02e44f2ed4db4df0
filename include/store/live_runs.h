/* live_runs.h - runs that have not ended, in all processes: for admins. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of the runs that have not ended, the oldest first. */
struct live_run_page {
    struct store *store;
    int page, page_size;
    struct query *query; /* rows, in the flow's keep */
    int64_t total;
    struct str at; /* the database's clock */
};
struct next live_run_page_begin(struct flow *f);
/* Writes the members of a run's object. */
void live_run_write(struct json_writer *w, const struct query *q, int row);
/* The id of its message. */
struct str live_run_id(const struct query *q, int row);
/* Is its owner another process with a valid lease? */
bool live_run_is_elsewhere(const struct store *s, const struct query *q,
                           int row);

/* Stores the trails of runs of this process, which an admin has asked for. */
struct run_trails {
    struct store *store;
    struct str trails;    /* JSON: {"<message id>":["line", …], …} */
    uint64_t deadline_ms; /* of the query */
    struct query *query;  /* private */
};
struct next run_trails_write_begin(struct flow *f);

/* Reads the trails that owners have stored since then. */
struct run_trails_read {
    struct store *store;
    struct str ids;      /* message ids as PostgreSQL array text: "{…,…}" */
    struct str since;    /* of live_run_page */
    struct query *query; /* kept: see run_trail_of */
    bool waits;          /* an owner has not stored its trail yet */
};
struct next run_trails_read_begin(struct flow *f);
/* A JSON array of lines; empty when it was not stored. */
struct str run_trail_of(const struct run_trails_read *r, struct str message_id);

/* Finds the user of a run. */
struct run_owner {
    struct store *store;
    struct str message_id;
    bool found;
    struct str user_id;  /* out */
    struct query *query; /* private */
};
struct next run_owner_begin(struct flow *f);
