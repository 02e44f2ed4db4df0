/* analyst.c - the requests of uploads and of the CSV analyst, with every trouble at
 * every place where it can come: whatever happens, each is answered once, with
 * its own status or one that says whose fault it is; a failed upload removes
 * what it has stored; nothing is left.
 *
 *   analyst [CASE]
 *
 * A run that is started takes place elsewhere: its log is read from the
 * table. */
#include "../../src/agent/agent_state.h"
#include "../../src/api/auth/access.h"
#include "../../src/api/request.h"
#include "api/api.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "db/script.h"
#include "drive.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_server.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "loop/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"
#define CHAT "22222222-2222-4222-8222-222222222222"
#define SET "55555555-5555-4555-8555-555555555555"
#define SECRET "the secret of the sweep, long enough to be one"
#define NOW "2026-11-22T12:00:00.000Z"

enum {
    MOST_MS = 7200000,
    IDLE_MS = 100,
    TOKEN_S = 900,
    FILE_BYTES = 1300000, /* more than a chunk */
};

/* ---- what other processes and threads do --------------------------------- */

void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what);
void __wrap_agent_start_run(struct agent *a, struct str message_id,
                            struct str chat_id, struct ticket *ticket,
                            const struct trace *trace);
step_fn __wrap_file_model_begin;

static void never(struct op *op)
{
    (void)op;
}

/* At once. */
void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what)
{
    begin(f, &w->op, "work", never);
    job(what);
    op_complete(&w->op, OK);
}

/* files.c sweeps this. */
struct next __wrap_file_model_begin(struct flow *f)
{
    return back(f);
}

/* No source can be reached. */
void script_begin(struct flow *f, struct script *s)
{
    begin(f, &s->op, "script", NULL);
    op_complete(&s->op, ERR_DATABASE_UNAVAILABLE);
}

/* The process has the run no more. */
void __wrap_agent_start_run(struct agent *a, struct str message_id,
                            struct str chat_id, struct ticket *ticket,
                            const struct trace *trace)
{
    (void)a;
    (void)message_id;
    (void)chat_id;
    (void)trace;
    ticket_leave(&ticket);
}

/* ---- what the database says --------------------------------------------- */

#define ALLOWED FAKE_ROWS("users.of_token", 2, "contributor", "t")
#define SHOWN \
    FAKE_ROWS("file_sets.page", 17, SET, "orders", NULL, "[]", "abc", "ready", \
              NULL, ID, NULL, NULL, CHAT, "[]", "9", "3", NOW, NOW, "1")
#define LISTED \
    FAKE_ROWS( \
        "files.list", 8, SET, "orders.csv", "csv", "abc", "0", "9", "3", \
        "[{\"name\":\"orders\",\"columns\":[{\"name\":\"city\",\"type\":" \
        "\"text\"}],\"sample\":[[\"Rome\"]],\"rows\":3}]")
#define UPLOADED \
    FAKE_ROWS("file_sets.add", 1, SET), FAKE_ROWS("files.add", 1, CHAT), \
        FAKE_ROWS("file_chunks.append", 2, "t", "t"), \
        FAKE_ROWS("files.end", 1, SET), \
        FAKE_ROWS("file_sets.profile", 1, SET), SHOWN
#define IN_THREAD(outcome) FAKE_ROWS("threads.ask", 4, outcome, CHAT, ID, "")
#define CLAIM(outcome) FAKE_ROWS("runs.claim", 2, outcome, NULL)
#define LOGGED \
    FAKE_ROWS("runs.frames", 9, NULL, "3", NULL, "t", "complete", "done", \
              "{}", NULL, "0", "1", "3", \
              "id: 1\nevent: message_start\ndata: {}\n\n" \
              "id: 2\nevent: tool_call\ndata: {\"name\":\"execute_sql\"," \
              "\"args\":{}}\n\n" \
              "id: 3\nevent: message_chunk\ndata: {\"chunk\":\"three\"}\n\n", \
              NULL, NULL, NULL, NULL, NULL, NULL)
#define KEPT \
    FAKE_ROWS("capsules.one", 16, ID, NOW, SET, "SQL: select 1", "sql", NULL, \
              "select 1", NULL, "succeeded", \
              "{\"columns\":[\"one\"],\"rows\":[[1]],\"row_count\":1}", NULL, \
              "3", "It is three.", "thread-1", NULL, "f")
#define CANCELLED FAKE_ROWS("runs.cancel", 4, "t", "f", "t", "failed")

enum { MOST_ROWS = 7 };

struct analyst_case {
    const char *name, *method, *path, *body;
    const char *type; /* of an upload; NULL: it is none */
    size_t cut;       /* the client leaves an upload there */
    int status;
    const char *sends; /* in the header lines or the body */
    struct fake_rows rows[MOST_ROWS + 1];
};

#define FORM \
    "--edge\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nSales\r\n" \
    "--edge\r\nContent-Disposition: form-data; name=\"file\"; " \
    "filename=\"orders.csv\"\r\n\r\ncity\nRome\n\r\n--edge--\r\n"
#define ASKED "{\"dataset_id\":\"" SET "\",\"message\":\"SQL: select 1\"}"

static const struct analyst_case cases[] = {
    {"a file",
     "POST",
     "/datasets?name=orders.csv",
     NULL,
     "text/csv",
     0,
     201,
     "\"problems\":[]",
     {ALLOWED, UPLOADED}},
    {"a form",
     "POST",
     "/datasets",
     FORM,
     "multipart/form-data; boundary=edge",
     0,
     201,
     "\"version_hash\":\"abc\"",
     {ALLOWED, UPLOADED}},
    {"a form that is cut",
     "POST",
     "/datasets",
     "--edge\r\nContent-Disposition: form-data; name=\"file\"; "
     "filename=\"orders.csv\"\r\n\r\ncity",
     "multipart/form-data; boundary=edge",
     0,
     400,
     "ended before",
     {ALLOWED, UPLOADED}},
    {"an upload whose client leaves",
     "POST",
     "/datasets?name=orders.csv",
     NULL,
     "text/csv",
     1200000,
     500,
     "",
     {ALLOWED, UPLOADED}},
    {"datasets",
     "GET",
     "/datasets",
     NULL,
     NULL,
     0,
     200,
     "\"total\":1",
     {ALLOWED, SHOWN}},
    {"a dataset",
     "GET",
     "/datasets/" SET,
     NULL,
     NULL,
     0,
     200,
     "\"name\":\"orders\"",
     {ALLOWED, SHOWN}},
    {"the tables of a dataset",
     "GET",
     "/datasets/" SET "/schema",
     NULL,
     NULL,
     0,
     200,
     "\"table_name\":\"orders\"",
     {ALLOWED, SHOWN, LISTED}},
    {"a dataset is removed",
     "DELETE",
     "/datasets/" SET,
     NULL,
     NULL,
     0,
     204,
     "",
     {ALLOWED, SHOWN, FAKE_ROWS("file_sets.remove", 2, SET, NULL)}},
    {"a dataset comes back",
     "POST",
     "/datasets/" SET "/restore",
     NULL,
     NULL,
     0,
     200,
     "\"name\":\"orders\"",
     {ALLOWED, SHOWN, FAKE_ROWS("file_sets.restore", 1, SET)}},
    {"a question",
     "POST",
     "/chat",
     ASKED,
     NULL,
     0,
     200,
     "\"rows\":[[1]]",
     {ALLOWED, IN_THREAD("made"), CLAIM("claimed"), LOGGED, KEPT}},
    {"a question, streamed",
     "POST",
     "/chat/stream",
     ASKED,
     NULL,
     0,
     200,
     "event: done\n",
     {ALLOWED, IN_THREAD("made"), CLAIM("claimed"), LOGGED, KEPT}},
    {"an exploration",
     "POST",
     "/api/agentic-explore",
     "{\"question\":\"What is in it?\",\"datasetId\":\"" SET "\"}",
     NULL,
     0,
     200,
     "\"runId\":",
     {ALLOWED, IN_THREAD("made"), CLAIM("claimed"), LOGGED, KEPT}},
    {"a report of nothing",
     "POST",
     "/api/report",
     "{}",
     NULL,
     0,
     400,
     "not valid",
     {ALLOWED}},
    {"a query",
     "POST",
     "/runs",
     "{\"dataset_id\":\"" SET "\",\"sql\":\"select 1\"}",
     NULL,
     0,
     200,
     "\"status\":\"succeeded\"",
     {ALLOWED, IN_THREAD("made"), CLAIM("claimed"), LOGGED, KEPT}},
    {"a turn that never comes",
     "POST",
     "/chat",
     ASKED,
     NULL,
     0,
     429,
     "Retry-After",
     {ALLOWED, IN_THREAD("made"), CLAIM("busy"), CANCELLED}},
    {"a question in a thread that is busy",
     "POST",
     "/chat",
     ASKED,
     NULL,
     0,
     409,
     "",
     {ALLOWED, IN_THREAD("busy")}},
    {"what is kept of a run",
     "GET",
     "/runs/" ID,
     NULL,
     NULL,
     0,
     200,
     "\"query_mode\":\"sql\"",
     {ALLOWED, KEPT}},
    {"the status of a run",
     "GET",
     "/runs/" ID "/status",
     NULL,
     NULL,
     0,
     200,
     "\"status\":\"succeeded\"",
     {ALLOWED, KEPT}},
    {"the rows of a run",
     "GET",
     "/runs/" ID "/export",
     NULL,
     NULL,
     0,
     200,
     "one\r\n1\r\n",
     {ALLOWED, KEPT}},
    {"a thread",
     "GET",
     "/threads/x/messages",
     NULL,
     NULL,
     0,
     200,
     "\"content\":\"hello\"",
     {ALLOWED,
      FAKE_ROWS("threads.messages", 6, ID, "user", "hello", SET, ID, NOW)}},
    {0}};

/* ---- one server for all ------------------------------------------------- */

static struct pool *pool;
static struct store *store;
static struct agent agent;
static struct api *api;
static struct arena memory;
static struct str file; /* of an upload without a form */
static unsigned idle_flows;
static bool added, settled; /* the upload of this case */

static struct fake_exchange script[] = {{.has = "/tables", .form = FORM_RAW},
                                        {0}};

static void stop_request(void)
{
    if (api->live)
        flow_stop(api->live->flow, ERR_UNAVAILABLE);
}

static void nothing(void)
{
}

static void on_query(const struct query *q)
{
    const char *name = q->statement->name;
    added = added || !strcmp(name, "file_sets.add");
    settled = settled || !strcmp(name, "file_sets.profile") ||
              !strcmp(name, "file_sets.drop");
}

static bool is_asked(void)
{
    return api_requests(api) > 0;
}

static bool is_busy(void)
{
    return world.in_flight > 0 || flow_count() != idle_flows;
}

static struct str hash_of(struct str bytes)
{
    uint8_t digest[SHA256_SIZE];
    struct sha256_run hash;
    sha256_begin(&hash);
    sha256_add(&hash, bytes);
    sha256_done(&hash, digest);
    return hex_encode(&memory, digest, sizeof digest);
}

/* What the sandbox finds in a file with these bytes. */
static const char *tables_of(struct str bytes)
{
    struct str hash = hash_of(bytes);
    return arena_printf(
               &memory,
               "{\"tables\":[{\"name\":\"orders\",\"sha256\":\"%.*s\","
               "\"filename\":\"orders.csv\",\"sheet\":null,\"format\":\"csv\","
               "\"read\":{},\"rows\":1,\"columns\":[{\"name\":\"city\","
               "\"type\":\"text\"}],\"sample\":[],\"notes\":[]}],"
               "\"problems\":[]}",
               STR_ARG(hash))
        .ptr;
}

static void open_agent(void)
{
    agent.store = store;
    agent.settings =
        (struct agent_settings){.sandbox = {.url = STR("http://sandbox.test")},
                                .file_limits = {.file_bytes = 1 << 24,
                                                .user_bytes = 1 << 26,
                                                .files = 4},
                                .runs_per_user = 4};
}

static void open_all(void)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    struct str why;
    loop_open();
    fake_db_open();
    fake_http_open(script);
    fake_db.on_query = on_query;
    world.cancel = stop_request;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    world_begin(TROUBLE_NONE, 0);
    pool = pool_open(&(struct pool_options){.name = "system"});
    store = store_open(&(struct store_options){
        .system = pool, .key = key, .lease_ms = 30000, .source_most = 4});
    store_listen(store, "host=nowhere");
    open_agent();
    api = api_open(&(struct api_options){.agent = &agent,
                                         .figures_fd = -1,
                                         .jwt_secret = STR(SECRET),
                                         .access_ms = 900000,
                                         .refresh_ms = 86400000},
                   &why);
    if (!api) {
        printf("Bail out! the API does not open\n");
        exit(1);
    }
    static const bool no;
    fake_time_until(&no, IDLE_MS); /* its services have begun */
    idle_flows = flow_count();
    char *bytes = arena_alloc(&memory, FILE_BYTES);
    memset(bytes, 'x', FILE_BYTES);
    file = (struct str){bytes, FILE_BYTES};
}

static void close_all(void)
{
    static const bool no;
    api_close(&api);
    fake_time_until(&no, IDLE_MS);
    store_close(&store);
    fake_time_settle(MOST_MS);
    pool_close(&pool);
    fake_db_close();
    arena_done(&memory);
    loop_close();
}

/* ---- one case ----------------------------------------------------------- */

static struct fake_request *ask(const struct analyst_case *c)
{
    struct str signed_one =
        jwt_sign(&memory, &(struct jwt_grant){.secret = STR(SECRET),
                                              .user_id = STR(ID),
                                              .email = STR("ann@example.org"),
                                              .lifetime_s = TOKEN_S});
    const char *token =
        arena_printf(&memory, "Bearer %.*s", STR_ARG(signed_one)).ptr;
    struct str body = c->body ? str_of(c->body) : file;
    if (!c->type)
        return fake_request(c->method, c->path, "Authorization", token,
                            c->body);
    script[0].reply = tables_of(c->body ? STR("city\nRome\n") : file);
    return fake_upload(c->path, c->type, token, body, c->cut);
}

/* An event stream has its status before it ends. */
static bool is_sound(const struct analyst_case *c, enum trouble t,
                     const struct fake_request *r, const char **what)
{
    bool own = r->status == c->status, told = !t;
    bool said = str_find(buf_view(&r->sent), str_of(c->sends)) >= 0 ||
                str_find(buf_view(&r->body), str_of(c->sends)) >= 0;
    if (r->answers != 1)
        *what = "it was not answered once";
    else if (!own && (told || (r->status != 500 && r->status != 503)))
        *what = "it has another status";
    else if (told && !said)
        *what = "it does not say what it should";
    else if (t <= TROUBLE_FAILS && added && !settled &&
             (!world.hit || strcmp(world.hit, "file_sets.drop")))
        *what = "an upload was left behind";
    return !*what;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct analyst_case *c = one;
    const char *what = NULL;
    struct arena_mark mark = arena_mark(&memory);
    fake_db.rows = c->rows;
    fake_http_open(script);
    added = settled = false;
    user_cache_drop(STR(ID));
    world_begin(t, k);
    struct fake_request *r = ask(c);
    fake_time_while(is_asked, MOST_MS);
    *counts = world_counts();
    fake_time_while(is_busy, MOST_MS);
    if (is_sound(c, t, r, &what) && is_busy())
        what = "an op or a flow is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %d %.*s\n", c->name, trouble_word(t),
               k, world.hit ? world.hit : "", what, r->status,
               STR_ARG(buf_view(&r->body)));
    fake_request_free(r);
    world_end();
    world_begin(TROUBLE_NONE, 0);
    arena_reset(&memory, mark);
    return !what;
}

/* There is no run here that could be taken over. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t != TROUBLE_LONG_OUTAGE && t != TROUBLE_RELEASE &&
           (t < TROUBLE_TAKEN || t == TROUBLE_MEMORY);
}

/* Handlers are called through their table, without a name. */
static bool is_handler(const char *step)
{
    static const char *const handlers[] = {
        "datasets_create", "datasets_list",   "datasets_get",
        "datasets_schema", "datasets_remove", "datasets_restore",
        "agentic_explore", "chat_ask",        "chat_stream",
        "runs_submit",     "runs_get",        "runs_status",
        "runs_export",     "threads_messages"};
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (!strcmp(step, handlers[i]))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    drive_begin();
    open_all();
    for (const struct analyst_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(is_handler);
    close_all();
    return drive_end();
}
