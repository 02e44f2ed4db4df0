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
};
struct next live_run_page_begin(struct flow *f);
/* The members of one run's object. */
void live_run_write(struct json_writer *w, const struct query *q, int row);
struct str live_run_id(const struct query *q, int row); /* its message's */

/* Whose run that is. */
struct run_owner {
    struct store *store;
    struct str message_id;
    bool found;
    struct str user_id; /* out */
    struct query *query; /* private */
};
struct next run_owner_begin(struct flow *f);
