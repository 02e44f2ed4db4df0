/* files.c - the model of uploaded files, with every trouble at every place where
 * it can come: whatever happens, its flow ends, its outcome is stored, and
 * nothing is left. The sandbox lacks the files at first, and is busy once.
 *
 *   files */
#include "agent/file_model.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "drive.h"
#include "engine/duckdb.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "loop/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define SET "55555555-5555-4555-8555-555555555555"
#define HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

enum { MOST_MS = 7200000, SETTLE_MS = 60000 };

/* ---- work of other threads: at once ------------------------------------- */

void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what);

static void never(struct op *op)
{
    (void)op;
}

void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what)
{
    begin(f, &w->op, "work", never);
    job(what);
    op_complete(&w->op, OK);
}

/* ---- what the fakes answer ---------------------------------------------- */

#define COLUMN(name, type, distinct) \
    "{\"name\":\"" name "\",\"type\":\"" type \
    "\",\"nulls\":0,\"distinct\":" distinct \
    ",\"min\":\"1\",\"max\":\"9\",\"samples\":[\"a\",\"b\"]}"
static const char profile[] =
    "[{\"filename\":\"orders.csv\",\"tables\":[{\"name\":\"orders\","
    "\"rows\":300,\"columns\":[" COLUMN("id", "int8", "300") "," COLUMN(
        "customer_id", "int8",
        "7") "," COLUMN("city", "text",
                        "3") "]}]},"
                             "{\"filename\":\"customers.csv\",\"tables\":[{\"name\":\"customers\","
                             "\"rows\":7,\"columns\":[" COLUMN(
                                 "customer_id", "int8",
                                 "7") "," COLUMN("name", "text", "7") "]}]}]";
static const char *const load_cells[] = {"44444444-4444-4444-8444-444444444444",
                                         "sales", NULL, profile};
static const char *const connect_cells[] = {
    "66666666-6666-4666-8666-666666666666", "sales", "t"};
static const char *const source_cells[] = {
    "",
    "0",
    "",
    "",
    "",
    "disable",
    "f",
    "2026-11-23",
    NULL,
    NULL,
    NULL,
    "Europe/Berlin",
    "duckdb",
    NULL,
    NULL,
    "44444444-4444-4444-8444-444444444444",
    "sales",
    NULL,
    "private",
    SET,
    "[{\"name\":\"orders\",\"sha256\":\"" HASH "\"}]"};
static const char *const import_cells[] = {
    "77777777-7777-4777-8777-777777777777",
    "88888888-8888-4888-8888-888888888888", "f", "1", NULL};
static const struct fake_rows rows[] = {{.statement = "file_models.load",
                                         .n_columns = 4,
                                         .n_rows = 1,
                                         .cells = load_cells},
                                        {.statement = "file_models.connect",
                                         .n_columns = 3,
                                         .n_rows = 1,
                                         .cells = connect_cells},
                                        {.statement = "connections.source",
                                         .n_columns = 21,
                                         .n_rows = 1,
                                         .cells = source_cells},
                                        {.statement = "ontologies.import",
                                         .n_columns = 5,
                                         .n_rows = 1,
                                         .cells = import_cells},
                                        {0}};

#define ANSWER \
    "{\"columns\":[{\"name\":\"a\",\"type\":\"int8\"},{\"name\":\"b\"," \
    "\"type\":\"int8\"},{\"name\":\"c\",\"type\":\"int8\"}],\"rows\":" \
    "[[\"300\",\"300\",\"0\"]],\"moreRows\":false,\"cutValues\":false," \
    "\"executionTimeMs\":3,\"error\":null}"
static const struct fake_exchange script[] = {
    {.has = "/query",
     .reply = "{\"missing\":[\"" HASH "\"]}",
     .form = FORM_RAW,
     .status = 404,
     .times = 1},
    {.has = "/query",
     .reply = "{\"error\":\"busy\"}",
     .form = FORM_RAW,
     .status = 503,
     .times = 1},
    {.has = "/query", .reply = ANSWER, .form = FORM_RAW},
    {0}};

/* ---- one case ----------------------------------------------------------- */

static struct store *store;
static struct agent *agent;
static struct flow *making;
static struct file_model model;
static enum err ended;
static bool over;
static unsigned ready, failed, supplied;

static void on_query(const struct query *q)
{
    enum { FAILURE = 4 };
    if (strcmp(q->statement->name, "file_models.settle"))
        return;
    ready += !*q->params[FAILURE];
    failed += *q->params[FAILURE] != 0;
}

static struct next supply(struct flow *f)
{
    const struct duckdb_supply *s = locals(f, struct duckdb_supply);
    supplied += s->n_missing == 1 && str_is(s->missing[0], HASH);
    return back(f);
}

static const struct duckdb_options options = {
    .url = {"http://sandbox.test", 19}, .supply = supply};

static struct source *open_files(const void *who, struct str tables,
                                 struct str time_zone)
{
    return duckdb_open(who, tables, time_zone);
}

static const struct file_sources files = {
    .open = open_files, .close = duckdb_close, .who = &options};

static void on_end(struct flow *f, enum err how, void *who)
{
    (void)f;
    (void)who;
    ended = how;
    over = true;
    making = NULL;
}

static void open_case(enum trouble t, unsigned k)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    loop_open();
    fake_db_open();
    fake_http_open(script);
    fake_db.rows = rows;
    fake_db.on_query = on_query;
    over = false;
    ready = failed = supplied = 0;
    world_begin(t, k);
    store = store_open(&(struct store_options){
        .system = pool_open(&(struct pool_options){.name = "system"}),
        .key = key,
        .lease_ms = 30000,
        .source_most = 4});
    store->files = &files;
    struct agent_settings settings = {.run_deadline_ms = 600000,
                                      .run_max_attempts = 5,
                                      .claim_timeout_ms = 60000};
    struct agent_models models = {0};
    agent = agent_open(store, &settings, &models);
    model = (struct file_model){.agent = agent, .file_set_id = STR(SET)};
    making = flow_start(file_model_begin, &model,
                        &(struct flow_options){.kind = "upload",
                                               .memory_limit = 64 << 20,
                                               .on_end = on_end});
}

static void close_case(void)
{
    struct pool *system = store->system;
    fake_time_settle(SETTLE_MS);
    agent_close(&agent);
    fake_time_settle(SETTLE_MS);
    store_close(&store);
    fake_time_settle(SETTLE_MS);
    pool_close(&system);
    http_client_close();
    world_end();
    fake_db_close();
}

static bool run_to_the_end(void)
{
    uint64_t begun = clock_ms();
    bool moves = true;
    while (!over && moves) {
        while (flow_any_ready())
            loop_turn(false);
        if (!over)
            moves = fake_time_step() && clock_ms() - begun < MOST_MS;
    }
    return moves;
}

static const char *fault(enum trouble t)
{
    if (t == TROUBLE_NONE && (ended != OK || ready != 1 || !supplied))
        return "it failed";
    if (ended == OK && !ready)
        return "the set was not told";
    if (t == TROUBLE_FAILS && ended != OK && !failed &&
        strcmp(world.hit ? world.hit : "", "file_models.load") &&
        strcmp(world.hit ? world.hit : "", "file_models.settle"))
        return "it failed without a word";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    (void)one;
    open_case(t, k);
    if (!run_to_the_end()) { /* its memory cannot be freed */
        printf("Bail out! %s, at %u (%s): it never ends\n", trouble_word(t), k,
               world.hit ? world.hit : "");
        exit(1);
    }
    *counts = world_counts();
    const char *what = fault(t);
    char hit[64];
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    close_case();
    if (!what && (world.in_flight || flow_count() || fake_time_timers()))
        what = "an op, a flow or a timer is left";
    if (what)
        printf("# %s, at %u (%s): %s: %s\n", trouble_word(t), k, hit, what,
               err_name(ended));
    loop_close();
    return !what;
}

/* It is no run: it is stopped, but not taken over. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t <= TROUBLE_FAILS_CANCEL || t == TROUBLE_MEMORY;
}

static void cancel_making(void)
{
    if (making)
        flow_cancel(making);
}

static void nothing(void)
{
}

int main(void)
{
    static const int one = 1;
    drive_begin();
    world.cancel = cancel_making;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    drive_sweep(&(struct sweep){"the model of files", &one, tell, concerns});
    drive_report_steps(NULL);
    return drive_end();
}
