/* models.c - models built from a live database, with every trouble at every
 * place where it can come: whatever happens, the run's row is ended once, a
 * model is stored with that end or not at all, and nothing is left.
 *
 *   models [CASE] */
#include "../../src/agent/agent_state.h"
#include "../../src/llm/breaker.h"
#include "../../src/llm/quirks.h"
#include "agent/model_runs.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "drive.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "loop/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"
#define CONNECTION "44444444-4444-4444-8444-444444444444"

enum { MOST_MS = 7200000, SETTLE_MS = 600000 };

/* ---- work of other threads, as deeds ------------------------------------ */

struct work_deed {
    struct deed deed;
    void (*job)(void *what);
    void *what;
};

static void work_effect(struct deed *d)
{
    struct work_deed *w = (struct work_deed *)d;
    w->job(w->what);
}

static enum err work_failure(struct deed *d)
{
    (void)d;
    return ERR_INTERNAL;
}

static void work_done(struct deed *d)
{
    ((struct work *)d->op)->request.data = NULL;
}

static void work_cancel(struct op *op)
{
    deed_cancel(((struct work *)op)->request.data);
}

/* The linker calls this instead of the one of loop/wait.h. */
void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what);
void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what)
{
    struct work_deed *d = mem_new(struct work_deed);
    d->deed = (struct deed){.op = &w->op,
                            .kind = DEED_READ,
                            .name = "work",
                            .ms = 400,
                            .effect = work_effect,
                            .failure = work_failure,
                            .done = work_done};
    d->job = job;
    d->what = what;
    w->request.data = d;
    begin(f, &w->op, "work", work_cancel);
    op_deadline(&w->op, 30000); /* a thread always ends */
    deed_begin(&d->deed);
}

/* ---- the database that is read ------------------------------------------ */

#define TABLE(name, n, ...) \
    static const char *const name##_cells[] = {__VA_ARGS__}; \
    static const struct fake_rows name = { \
        .n_columns = n, \
        .n_rows = (int)(sizeof name##_cells / sizeof(char *) / (n)), \
        .cells = name##_cells, \
        .names = names, \
        .types = types}

static const char *const names[9] = {"a", "b", "c", "d", "e",
                                     "f", "g", "h", "i"};
static const char *const types[9] = {"text", "text", "text", "text", "text",
                                     "text", "text", "text", "text"};
TABLE(tables, 6, "1", "public", "customers", "r", NULL, "2", "2", "public",
      "orders", "r", NULL, "2");
TABLE(columns, 9, "1", "1", "customer_id", "integer", "int4", "f", "t", NULL,
      NULL, "1", "2", "city", "text", "text", "f", "f", NULL, NULL, "2", "1",
      "order_id", "integer", "int4", "f", "t", NULL, NULL, "2", "2",
      "customer_id", "integer", "int4", "f", "t", NULL, NULL, "2", "3", "total",
      "numeric", "numeric", "f", "f", NULL, NULL);
TABLE(keys, 6, "1", "p", "1", "0", NULL, "customers_pkey");
TABLE(samples, 6, "-1", "2", "0", NULL, NULL, NULL, "1", "2", "2", NULL, NULL,
      FAKE_VALUE);
TABLE(counts, 3, "2", "2", "2");

static const struct fake_rows *on_read(struct str sql)
{
    if (str_find(sql, STR("c.reltuples")) >= 0)
        return &tables;
    if (str_find(sql, STR("a.attnum, a.attname")) >= 0)
        return &columns;
    if (str_find(sql, STR("k.conrelid, k.contype")) >= 0)
        return &keys;
    return str_find(sql, STR("true as seen")) >= 0 ? &samples : &counts;
}

/* ---- our own, and its row ----------------------------------------------- */

enum { BEAT, END, IMPORT, SOURCE };
static const char *ended_cell[1], *const id_cell[] = {ID, ID, "f", ""};
static const char *source_cells[] = {
    "db.test", "5432", "shop",       "reader", "",
    "disable", "f",    "2026-11-21", NULL,     NULL,
    "all",     "user", "shop",       NULL,     "private"};
static struct fake_rows rows[] = {
    [BEAT] = {.statement = "model_runs.beat", .n_columns = 1, .cells = id_cell},
    [END] = {.statement = "model_runs.end",
             .n_columns = 1,
             .n_rows = 1,
             .cells = ended_cell},
    [IMPORT] = {.statement = "ontologies.import",
                .n_columns = 4,
                .cells = id_cell},
    [SOURCE] = {.statement = "connections.source",
                .n_columns = 15,
                .n_rows = 1,
                .cells = source_cells},
    {0}};

static struct row {
    bool ended, stored, described;
    char status[16]; /* as it was written */
    int endings;
} row;

static void end_row(const char *status)
{
    row.endings += !row.ended;
    row.ended = true;
    snprintf(row.status, sizeof row.status, "%s", status);
}

/* Does to the row what the statements would. */
static void on_query(const struct query *q)
{
    enum { STATUS = 2, SOURCE_TEXT = 6 };
    rows[BEAT].n_rows = rows[IMPORT].n_rows = !row.ended;
    ended_cell[0] = row.ended ? "f" : "t";
    if (!strcmp(q->statement->name, "model_runs.end") && !row.ended)
        end_row(q->params[STATUS]);
    if (strcmp(q->statement->name, "ontologies.import") || row.ended)
        return;
    row.stored = true;
    row.described =
        str_find(str_of(q->params[SOURCE_TEXT]), STR("Who buys.")) >= 0;
    end_row("complete");
}

/* ---- the cases ---------------------------------------------------------- */

#define DESCRIBES \
    "{\"tables\":[{\"table\":\"public.customers\",\"description\":\"Who buys.\"," \
    "\"columns\":[{\"column\":\"city\",\"description\":\"Where he lives.\"}]}]}"
static const struct fake_exchange sees_samples[] = {
    {.has = "You are the Describer", .and_has = FAKE_VALUE, .reply = DESCRIBES},
    {0}};
static const struct fake_exchange sees_names[] = {
    {.has = "You are the Describer", .reply = DESCRIBES}, {0}};

static const struct model_case {
    const char *name, *share;
    const struct fake_exchange *script;
    bool replaces;
} cases[] = {
    {"a model with samples", "all", sees_samples, false},
    {"names alone are shown, and a model replaced", "none", sees_names, true},
    {0}};

static struct agent agent;
static struct llm_model language;
static void cancel_run(void)
{
    if (!agent_model_runs(&agent))
        return;
    if (!row.ended)
        end_row("cancelled");
    agent_stop_model_run(&agent, STR(ID));
}

static void lose_row(void)
{
    if (!row.ended)
        end_row("failed");
}

static void release(void)
{
    agent.releasing = true;
    model_runs_release(&agent);
}

static void nothing(void)
{
}

static void open_case(const struct model_case *c, enum trouble t, unsigned k)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    row = (struct row){0};
    source_cells[10] = c->share;
    breakers_reset();
    quirks_reset();
    loop_open();
    fake_db_open();
    fake_http_open(c->script);
    fake_http.secret = strcmp(c->share, "all") ? FAKE_VALUE : NULL;
    fake_db.rows = rows;
    fake_db.on_read = on_read;
    fake_db.on_query = on_query;
    agent = (struct agent){.settings = {.run_deadline_ms = 600000},
                           .models = {.n = 1}};
    agent.models.items[0] = (struct agent_provider){
        .model = language, .id = "openai", .name = "OpenAI", .enabled = true};
    agent.store = store_open(&(struct store_options){
        .system = pool_open(&(struct pool_options){.name = "system"}),
        .key = key,
        .lease_ms = 30000,
        .source_most = 4});
    agent_start_model_run(
        &agent, STR(ID),
        &(struct model_order){.owner_id = STR(ID),
                              .connection_id = STR(CONNECTION),
                              .database_name = STR("shop"),
                              .name = STR("Shop"),
                              .describe = true,
                              .replaces = c->replaces});
    world_begin(t, k); /* the request that began it is over */
}

static void close_case(void)
{
    struct pool *system = agent.store->system;
    fake_time_settle(SETTLE_MS);
    store_close(&agent.store);
    fake_time_settle(SETTLE_MS);
    pool_close(&system);
    http_client_close();
    world_end();
    fake_db_close();
}

static void run_to_the_end(void)
{
    uint64_t begun = clock_ms();
    do {
        while (flow_any_ready())
            loop_turn(false);
    } while (agent_model_runs(&agent) && clock_ms() - begun < MOST_MS &&
             fake_time_step());
}

/* An outage may be longer than the patience for the end, and there may be no
 * memory for it; then the row's lease ends it. Trouble with one call of the
 * language model costs nothing. */
static const char *fault(enum trouble t)
{
    bool complete = !strcmp(row.status, "complete");
    bool model = t == TROUBLE_FAILS && !strcmp(world.hit, "http");
    if (!row.ended && t != TROUBLE_OUTAGE && t != TROUBLE_MEMORY)
        return "its row was not ended";
    if (row.endings > 1 || row.stored != complete)
        return "its row was ended otherwise than its model was stored";
    if (fake_http.betrayals)
        return "a model saw what it may not see";
    if ((t == TROUBLE_NONE || model) && !complete)
        return "it failed";
    if (t == TROUBLE_NONE && (!row.described || fake_http.unknown))
        return "it does not say what it should";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct model_case *c = one;
    open_case(c, t, k);
    run_to_the_end();
    if (agent_model_runs(&agent)) { /* its memory cannot be freed */
        printf("Bail out! %s: %s, at %u (%s): the run never ends\n", c->name,
               trouble_word(t), k, world.hit ? world.hit : "");
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
        printf("# %s: %s, at %u (%s): %s: %s\n", c->name, trouble_word(t), k,
               hit, what, row.status);
    loop_close();
    return !what;
}

/* The other troubles are about messages and their readers. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t != TROUBLE_LONG_OUTAGE && t != TROUBLE_TAKEN_CANCELLED &&
           t != TROUBLE_CANCEL_ELSEWHERE && t != TROUBLE_CANCEL_HEARD;
}

int main(int argc, char **argv)
{
    drive_begin();
    if (!llm_model_init(&language, STR("openai"), STR("gpt-4o")))
        abort();
    language.base_url = STR("http://model.test/v1");
    world.cancel = cancel_run;
    world.taken = lose_row;
    world.release = release;
    world.ask_cancel = world.tell_cancel = nothing;
    for (const struct model_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(NULL);
    breakers_reset();
    quirks_reset();
    return drive_end();
}
