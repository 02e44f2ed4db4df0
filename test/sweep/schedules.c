/* schedules.c - the scheduler, with every trouble at every place where it can
 * come: a later round does what the troubled one did not, and nothing is left
 * when the process closes.
 *
 *   schedules */
#include "../../src/agent/agent_state.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "drive.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"
#define CHAT "22222222-2222-4222-8222-222222222222"
#define USER "33333333-3333-4333-8333-333333333333"

enum { MOST_MS = 1200000, SETTLE_MS = 60000 };

/* ---- what the database has ------------------------------------------------- */

static const char *const due_cells[] = {ID, "0 8 * * 1", "[[0,3600]]",
                                        "1795939200000", "1795939201"};
static const char *const fire_cells[] = {"t"};
#define CONDITION "{\"column\":\"n\",\"test\":\"above\",\"amount\":1}"
#define RESULTS \
    "[{\"columns\":[\"n\"],\"data\":\"[{\\\"n\\\":\\\"5\\\"}]\"," \
    "\"rowCount\":1}]"
/* One that ended, one that no process has begun and whose user has no tokens
 * left, one whose answer is gone. */
static const char *const open_cells[] = {
    ID,   USER, ID,   CHAT, "complete",   NULL, CONDITION, RESULTS, NULL,
    CHAT, USER, CHAT, CHAT, "generating", NULL, NULL,      NULL,    NULL,
    USER, USER, USER, NULL, NULL,         NULL, NULL,      NULL,    NULL};
static const char *const claim_cells[] = {"spent", NULL, NULL, "0"};
static const char *const take_cells[] = {
    ID, "https://hooks.test/x", "", "schedule.done", "{}", "1"};
static const char *const cancel_cells[] = {"t", "f", "t", "failed"};
static const char *const sleep_cells[] = {"1000", "t"};

static const struct fake_rows rows[] = {{.statement = "schedules.due",
                                         .n_columns = 5,
                                         .n_rows = 1,
                                         .cells = due_cells},
                                        {.statement = "schedules.fire",
                                         .n_columns = 1,
                                         .n_rows = 1,
                                         .cells = fire_cells},
                                        {.statement = "schedules.open",
                                         .n_columns = 9,
                                         .n_rows = 3,
                                         .cells = open_cells},
                                        {.statement = "runs.claim",
                                         .n_columns = 2,
                                         .n_rows = 2,
                                         .cells = claim_cells},
                                        {.statement = "runs.cancel",
                                         .n_columns = 4,
                                         .n_rows = 1,
                                         .cells = cancel_cells},
                                        {.statement = "webhooks.take",
                                         .n_columns = 6,
                                         .n_rows = 1,
                                         .cells = take_cells},
                                        {.statement = "schedules.sleep",
                                         .n_columns = 2,
                                         .n_rows = 1,
                                         .cells = sleep_cells},
                                        {0}};

static const struct fake_exchange script[] = {
    {.has = "hooks.test", .reply = "", .form = FORM_RAW, .status = 204}, {0}};

/* ---- one case -------------------------------------------------------------- */

static struct store *store;
static struct agent *agent;
static unsigned fired, done, failed, sent, unsent;

static void on_query(const struct query *q)
{
    enum { STATE = 1 };
    const char *name = q->statement->name;
    fired += !strcmp(name, "schedules.fire");
    if (!strcmp(name, "schedules.settle")) {
        done += !strcmp(q->params[STATE], "done");
        failed += !strcmp(q->params[STATE], "failed");
    }
    if (!strcmp(name, "webhooks.done")) {
        sent += !strcmp(q->params[STATE], "delivered");
        unsent += !strcmp(q->params[STATE], "waiting");
    }
}

/* A receiver that stays away costs attempts only. */
static bool is_over(void)
{
    return fired && done && failed >= 2 && (sent || unsent > 1);
}

static void open_case(enum trouble t, unsigned k)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    loop_open();
    fake_db_open();
    fake_http_open(script);
    fake_db.rows = rows;
    fake_db.on_query = on_query;
    fired = done = failed = sent = unsent = 0;
    world_begin(t, k);
    store = store_open(&(struct store_options){
        .system = pool_open(&(struct pool_options){.name = "system"}),
        .key = key,
        .lease_ms = 30000,
        .source_most = 4});
    struct agent_settings settings = {.run_deadline_ms = 600000,
                                      .run_max_attempts = 5,
                                      .claim_timeout_ms = 60000,
                                      .webhook_retry_ms = 1000,
                                      .schedules = true};
    struct agent_models models = {0};
    agent = agent_open(store, &settings, &models);
}

static void close_case(void)
{
    struct pool *system = store->system;
    agent_close(&agent);
    fake_time_settle(SETTLE_MS);
    store_close(&store);
    fake_time_settle(SETTLE_MS);
    pool_close(&system);
    http_client_close();
    world_end();
    fake_db_close();
}

static bool run_until_done(void)
{
    uint64_t begun = clock_ms();
    bool moves = true;
    while (!is_over() && moves) {
        while (flow_any_ready())
            loop_turn(false);
        if (!is_over())
            moves = fake_time_step() && clock_ms() - begun < MOST_MS;
    }
    return moves;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    (void)one;
    char hit[64];
    open_case(t, k);
    const char *what =
        run_until_done() ? NULL : "no later round did what was left";
    if (!what && t == TROUBLE_NONE && (!sent || unsent))
        what = "it was not sent at once";
    *counts = world_counts();
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    close_case();
    if (!what && (world.in_flight || flow_count() || fake_time_timers()))
        what = "an op, a flow or a timer is left";
    if (what)
        printf("# %s, at %u (%s): %s\n", trouble_word(t), k, hit, what);
    loop_close();
    return !what;
}

/* No run of a user: it is neither cancelled nor taken over. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t <= TROUBLE_NEVER || t == TROUBLE_MEMORY;
}

static void nothing(void)
{
}

int main(void)
{
    static const int one = 1;
    drive_begin();
    world.cancel = world.taken = world.release = world.ask_cancel =
        world.tell_cancel = nothing;
    drive_sweep(&(struct sweep){"the scheduler", &one, tell, concerns});
    drive_report_steps(NULL);
    return drive_end();
}
