/* models.c - models built from a live database, with every trouble at every
 * place where it can come: whatever happens, the run ends once, a model is
 * stored with that end or not at all, and nothing is left. A run that is taken
 * over after a checkpoint reads nothing again.
 *
 *   models [CASE] */
#include "../../src/llm/breaker.h"
#include "../../src/llm/quirks.h"
#include "agent/agent.h"
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

enum { MOST_MS = 7200000, SETTLE_MS = 60000, AWAY_MS = 20000 };

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

enum { LOAD, IMPORT, SOURCE };
static const char *const id_cell[] = {ID, ID, "f", "1", ""};
static const char *load_cells[] = {ID,   CONNECTION, NULL, "shop", "Shop",
                                   "[]", "[]",       NULL, "f",    "t",
                                   "f",  "0",        "0",  "f"};
static const char *source_cells[] = {
    "db.test",    "5432", "shop", "reader", "",        "disable",    "f",
    "2026-11-21", NULL,   NULL,   "all",    NULL,      "postgresql", NULL,
    NULL,         "user", "shop", NULL,     "private", NULL,         NULL};
static struct fake_rows rows[] = {[LOAD] = {.statement = "model_runs.load",
                                            .n_columns = 14,
                                            .n_rows = 1,
                                            .cells = load_cells},
                                  [IMPORT] = {.statement = "ontologies.import",
                                              .n_columns = 5,
                                              .cells = id_cell},
                                  [SOURCE] = {.statement = "connections.source",
                                              .n_columns = 21,
                                              .n_rows = 1,
                                              .cells = source_cells},
                                  {0}};

static struct fake_run *row;
static bool stored, described;

static void end_row(const char *status)
{
    row->ended = true;
    row->closings++;
    snprintf(row->status, sizeof row->status, "%s", status);
}

/* Does to the row what the import would. */
static void on_query(const struct query *q)
{
    enum { SOURCE_TEXT = 6, EPOCH = 21 };
    int64_t epoch = 0;
    if (strcmp(q->statement->name, "ontologies.import"))
        return;
    str_to_int64(str_of(q->params[EPOCH]), &epoch);
    rows[IMPORT].n_rows = !row->ended && row->epoch == epoch;
    if (!rows[IMPORT].n_rows)
        return;
    stored = true;
    described = str_find(str_of(q->params[SOURCE_TEXT]), STR("Who buys.")) >= 0;
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
    const char *stage; /* of the checkpoint that it is taken over with */
} cases[] = {
    {"a model with samples", "all", sees_samples, false, NULL},
    {"names alone are shown, and a model replaced", "none", sees_names, true,
     NULL},
    {"taken over after the samples", "all", sees_samples, false, "samples"},
    {"taken over after the links", "all", sees_samples, false, "links"},
    {"taken over after the descriptions", "all", NULL, true, "descriptions"},
    {"taken over with a damaged record", "all", sees_samples, false, "none"},
    {0}};

/* The last checkpoint of the first case. */
static struct buf checkpoint;
static struct agent *agent;
static struct store *store;
static struct llm_model language;

/* Its user cancels it: the row ends at once, then the owner hears of it. */
static void cancel_run(void)
{
    if (!row->ended) {
        end_row("cancelled");
        row->epoch++;
    }
    if (agent)
        agent_cancel_run(agent, STR(ID));
}

static void take_row(void)
{
    fake_db_take(row, AWAY_MS);
}

static void release(void)
{
    if (agent)
        agent_release(agent);
}

static void nothing(void)
{
}

/* As if another process had written that checkpoint, and died. */
static void leave_checkpoint(const char *stage)
{
    static const char mark[] = "\"descriptions\"";
    struct str all = buf_view(&checkpoint);
    ptrdiff_t at = str_find(all, STR(mark));
    struct buf body;
    buf_init(&body, NULL);
    buf_str(&body, str_cut(all, 0, (size_t)at));
    buf_printf(&body, "\"%s\"", stage);
    buf_str(&body, str_from(all, (size_t)at + sizeof mark - 1));
    fake_db_put_artifact(row, "modeler", buf_view(&body));
    buf_done(&body);
    row->ours = false;
    row->lease_until = 0;
    row->last = 3;
}

static void make_row(const struct model_case *c)
{
    row = fake_db_run(ID, 1);
    row->is_build = true;
    stored = described = false;
    load_cells[10] = c->replaces ? "t" : "f";
    source_cells[10] = c->share;
    if (c->stage)
        leave_checkpoint(c->stage);
}

static void open_case(const struct model_case *c, enum trouble t, unsigned k)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    static const struct fake_exchange silent[] = {{0}};
    breakers_reset();
    quirks_reset();
    loop_open();
    fake_db_open();
    fake_http_open(c->script ? c->script : silent);
    fake_http.secret = strcmp(c->share, "all") ? FAKE_VALUE : NULL;
    fake_db.rows = rows;
    fake_db.on_read = on_read;
    fake_db.on_query = on_query;
    make_row(c);
    world_begin(t, k);
    store = store_open(&(struct store_options){
        .system = pool_open(&(struct pool_options){.name = "system"}),
        .key = key,
        .lease_ms = 30000,
        .source_most = 4});
    struct agent_settings settings = {.run_deadline_ms = 600000,
                                      .run_max_attempts = 5,
                                      .claim_timeout_ms = 60000};
    struct agent_models models = {.n = 1};
    models.items[0] = (struct agent_provider){
        .model = language, .id = "openai", .name = "OpenAI", .enabled = true};
    store_listen(store, "host=nowhere");
    agent = agent_open(store, &settings, &models);
    if (!c->stage)
        agent_start_build(agent, STR(ID), NULL);
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

static bool is_over(enum trouble t)
{
    return !agent_runs(agent) &&
           (row->ended || (t == TROUBLE_RELEASE && world.struck));
}

static bool run_to_the_end(enum trouble t)
{
    uint64_t begun = clock_ms();
    bool moves = true;
    while (!is_over(t) && moves) {
        while (flow_any_ready())
            loop_turn(false);
        if (!is_over(t))
            moves = fake_time_step() && clock_ms() - begun < MOST_MS;
    }
    return moves;
}

/* A run after its links needs no read of the source. */
static bool read_again(const struct model_case *c)
{
    bool links =
        c->stage && strcmp(c->stage, "samples") && strcmp(c->stage, "none");
    return links && fake_db.reads;
}

/* Trouble with one call of the language model costs nothing. */
static const char *fault(const struct model_case *c, enum trouble t)
{
    bool complete = !strcmp(row->status, "complete");
    bool model = t == TROUBLE_FAILS && !strcmp(world.hit, "http");
    if (!row->ended)
        return t == TROUBLE_RELEASE ? NULL : "its row was not ended";
    if (row->closings != 1 || stored != complete)
        return "its row was ended otherwise than its model was stored";
    if (row->torn)
        return "a batch does not follow the one before";
    if (fake_http.betrayals)
        return "a model saw what it may not see";
    if (read_again(c))
        return "it read again what it knew";
    if ((t == TROUBLE_NONE || t == TROUBLE_TAKEN || model) && !complete)
        return "it failed";
    if (t == TROUBLE_NONE && (!described || fake_http.unknown))
        return "it does not say what it should";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct model_case *c = one;
    open_case(c, t, k);
    if (!run_to_the_end(t)) { /* its memory cannot be freed */
        printf("Bail out! %s: %s, at %u (%s): the run never ends\n", c->name,
               trouble_word(t), k, world.hit ? world.hit : "");
        exit(1);
    }
    *counts = world_counts();
    const char *what = fault(c, t);
    if (t == TROUBLE_NONE && !checkpoint.len)
        buf_str(&checkpoint, fake_db_artifact(row, "modeler"));
    char status[sizeof row->status];
    memcpy(status, row->status, sizeof status);
    char hit[64];
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    close_case();
    if (!what && (world.in_flight || flow_count() || fake_time_timers()))
        what = "an op, a flow or a timer is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %s\n", c->name, trouble_word(t), k,
               hit, what, status);
    loop_close();
    return !what;
}

/* The other troubles are about messages and their readers. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t != TROUBLE_TAKEN_CANCELLED && t != TROUBLE_CANCEL_ELSEWHERE &&
           t != TROUBLE_CANCEL_HEARD;
}

int main(int argc, char **argv)
{
    drive_begin();
    if (!llm_model_init(&language, STR("openai"), STR("gpt-4o")))
        abort();
    language.base_url = STR("http://model.test/v1");
    world.cancel = cancel_run;
    world.taken = take_row;
    world.release = release;
    world.ask_cancel = world.tell_cancel = nothing;
    for (const struct model_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(NULL);
    breakers_reset();
    quirks_reset();
    buf_done(&checkpoint);
    return drive_end();
}
