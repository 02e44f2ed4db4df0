/* schedules.h - questions that are asked at times, and the webhooks of their
 * results.
 *
 *   schedule  a question, its times (base/cron.h), and perhaps a condition and a
 *             webhook. It is active, paused by its owner, or stopped by Sextant
 *             with a reason
 *   run       one time of a schedule: open until its answer was judged, then
 *             done, failed or skipped
 *   delivery  one webhook: waiting, delivered or failed
 *
 * Times are judged by the database's clock, so that several processes agree. */
#pragma once
#include "base/cron.h"
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    SCHEDULES_MOST = 20, /* of one user */
    SCHEDULE_NAME_MOST = 200,
    SCHEDULE_QUESTION_MOST = 2000,
    SCHEDULE_URL_MOST = 2000,
    SCHEDULE_PER_HOUR_MOST = 12,
    SCHEDULE_RUNS_KEPT = 100,
};

/* ---- for their owners ------------------------------------------------------ */

/* What an owner may set. */
struct schedule_fields {
    struct str ontology_id, name, question, llm_provider;
    struct str cron, time_zone, state;
    struct str condition; /* JSON; empty: none */
    struct str webhook_url, webhook_on, webhook_sends;
};

struct schedule_query {
    struct store *store;
    struct str user_id, id, request_id;
    struct schedule_fields set; /* put; out: read */
    int64_t next_ms;            /* put; less than 0: none */
    struct str secret;          /* put: sealed; empty: as before */
    int page, page_size;
    /* Out */
    bool found;
    struct str made_id;
    int64_t total;
    struct query *query; /* rows, kept */
};

/* Subflows; their locals are a struct schedule_query. */

/* The user's schedules: page, page_size. */
step_fn schedule_list_begin;
/* One schedule: id. Its fields go to `set`. */
step_fn schedule_read_begin;
/* Adds a schedule, or changes that of `id`. found: there was room, or it is
 * there. */
step_fn schedule_put_begin;
step_fn schedule_remove_begin;
/* The runs of a schedule, and its deliveries: id, page, page_size. */
step_fn schedule_runs_begin;
step_fn schedule_deliveries_begin;

void schedule_write(struct json_writer *w, const struct query *q, int row);
void schedule_run_write(struct json_writer *w, const struct query *q, int row);
void schedule_delivery_write(struct json_writer *w, const struct query *q,
                             int row);

/* Reads the database's clock and the offsets of a time zone that exists. */
struct zone_read {
    struct store *store;
    struct str time_zone;
    /* Out, in the flow's keep */
    int64_t now_s;
    struct cron_offset *offsets;
    size_t n;
    struct query *query;
};
struct next zone_read_begin(struct flow *f);
/* Reads what zone_offsets of the database says into the arena. */
size_t zone_offsets_read(struct arena *arena, struct str json,
                         struct cron_offset **out);

/* ---- for the scheduler ----------------------------------------------------- */

enum { SCHEDULE_BATCH = 16 };

struct schedules_due {
    struct store *store;
    int64_t now_s; /* out */
    struct schedule_due {
        struct str id, cron, offsets;
        int64_t due_ms;
    } *items; /* out, kept */
    size_t n;
    struct query *query;
};
struct next schedules_due_begin(struct flow *f);

struct schedule_fire {
    struct store *store;
    struct str id;
    int64_t due_ms, next_ms; /* next_ms less than 0: none */
    bool fired;              /* out: this caller has fired it */
    struct query *query;
};
struct next schedule_fire_begin(struct flow *f);

/* Reads open runs whose answer no process has begun, or has ended. */
struct schedule_open_runs {
    struct store *store;
    struct schedule_open_run {
        struct str id, user_id, message_id, chat_id;
        struct str status; /* of the message; empty: it is gone */
        struct str error;
        struct str condition;
        struct str results; /* of the steps, JSON; empty: none */
        struct str previous;
    } *items; /* out, kept */
    size_t n;
    struct query *query;
};
struct next schedule_open_runs_begin(struct flow *f);

struct schedule_settle {
    struct store *store;
    struct str run_id;
    const char *state;
    struct str reason, value, previous; /* empty: null */
    bool judged, held;
    struct str rows; /* JSON, for webhooks that want it; empty: none */
};
struct next schedule_settle_begin(struct flow *f);

/* Takes deliveries that are due; each for a minute. */
struct webhooks_take {
    struct store *store;
    struct webhook_due {
        struct str id, url, secret /* sealed, hex */, event, body;
        int attempts; /* this one included */
    } *items;         /* out, kept */
    size_t n;
    struct query *query;
};
struct next webhooks_take_begin(struct flow *f);

struct webhook_done {
    struct store *store;
    struct str id;
    const char *state; /* "delivered", "failed", "waiting" */
    int status;        /* HTTP; 0: none */
    struct str error;  /* empty: none */
    int64_t again_ms;  /* waiting: after this time */
};
struct next webhook_done_begin(struct flow *f);

/* How long the scheduler may sleep: until the next time or delivery. */
struct schedule_sleep {
    struct store *store;
    int64_t ms; /* out; less than 0: nothing is planned */
    bool open;  /* out: runs are open */
    struct query *query;
};
struct next schedule_sleep_begin(struct flow *f);
