/* live_runs.h - what is being answered now, by whichever process: for admins. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of the runs that have not ended, the oldest first. */
struct live_run_page {
    struct store *store;
    int page, page_size;
    struct query *query; /* rows; kept */
    int64_t total;
    struct str at; /* the database's clock */
};
struct next live_run_page_begin(struct flow *f);
/* The members of one run's object. */
void live_run_write(struct json_writer *w, const struct query *q, int row);
struct str live_run_id(const struct query *q, int row); /* its message's */
/* Has it a living owner, and is that another process? */
bool live_run_is_elsewhere(const struct store *s, const struct query *q,
                           int row);

/* Trails of runs of this process, for whoever has asked to see them. */
struct run_trails {
    struct store *store;
    struct str trails;    /* JSON: {"<message id>":["line", …], …} */
    uint64_t deadline_ms; /* of the query */
    struct query *query;  /* private */
};
struct next run_trails_write_begin(struct flow *f);

/* Trails that owners have written since then. */
struct run_trails_read {
    struct store *store;
    struct str ids;      /* message ids as PostgreSQL array text: "{…,…}" */
    struct str since;    /* of live_run_page */
    struct query *query; /* kept: see run_trail_of */
    bool waits;          /* a living owner has not written yet */
};
struct next run_trails_read_begin(struct flow *f);
/* JSON: an array of lines; empty when it was not told. */
struct str run_trail_of(const struct run_trails_read *r, struct str message_id);

/* Whose run that is. */
struct run_owner {
    struct store *store;
    struct str message_id;
    bool found;
    struct str user_id;  /* out */
    struct query *query; /* private */
};
struct next run_owner_begin(struct flow *f);
