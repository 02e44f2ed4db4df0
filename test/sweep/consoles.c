/* consoles.c - requests that ask sources without a run (the SQL console, boards and
 * their refresh) and the exploration that another process runs, with every trouble
 * at every place where it can come: whatever happens, each is answered once, with
 * its own status or one that says whose fault it is, and leaves nothing behind.
 *
 *   consoles MODEL [CASE]
 *
 * Once the process stops in the middle, and once the client leaves there. */
#include "../../src/agent/agent_state.h"
#include "../../src/api/auth/access.h"
#include "../../src/api/request.h"
#include "../../src/llm/breaker.h"
#include "../../src/llm/quirks.h"
#include "api/api.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "consoles.h"
#include "db/script.h"
#include "drive.h"
#include "engine/duckdb.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_server.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "ontology/model_json.h"
#include "ontology/osi.h"
#include "tool/cluster_source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define SECRET "the secret of the sweep, long enough to be one"

enum { MOST_MS = 7200000, IDLE_MS = 100, TOKEN_S = 900 };

static const uint8_t key[SEAL_KEY_SIZE] = {7};
static struct pool *pool;
static struct store *store;
static struct agent agent;
static struct api *api;
static struct arena memory;
static struct buf shop_json;
static unsigned idle_flows;
static struct llm_model language;
static const char *token; /* "Bearer …" */

static struct {
    const struct console_case *one;
    struct fake_request *request; /* NULL: none yet */
    bool leaves;                  /* the trouble is that the client leaves */
    struct fake_rows rows[CONSOLE_ROWS + 8];
    unsigned notes, outcomes, told, spoiled; /* statements that took effect */
    unsigned looks;                          /* for parts of the exploration */
    struct timer leaving;
    bool left;
    bool asked; /* a query was under way when the client left */
} now;

/* The documentation takes longer to make than all the rest of a case. */
void __wrap_docs_open(struct api *a);
void __wrap_docs_close(struct api *a);

void __wrap_docs_open(struct api *a)
{
    (void)a;
}

void __wrap_docs_close(struct api *a)
{
    (void)a;
}

/* No connection is tested here. */
void script_begin(struct flow *f, struct script *s)
{
    begin(f, &s->op, "script", NULL);
    op_complete(&s->op, ERR_DATABASE_UNAVAILABLE);
}

/* ---- what the database says ---------------------------------------------- */

static const char *hold_cells[] = {NULL, "lexical:1", "0", NULL, "1", "f"};
static const char *source_cells[] = {
    "db.test",    "5432", "shop", "reader", "",   "disable", "f",
    "2026-11-21", NULL,   NULL,   NULL,     NULL, NULL,      NULL,
    NULL,         "user", "shop", NULL,     NULL, NULL,      NULL};
static const char *ontology_cells[] = {"t",    "f",  "f",          "1",
                                       "shop", CHAT, "2026-11-21", "shop"};
/* Two cards: of one ontology, and one whose data the user may not see. */
static const char *card_cells[] = {
    ID,   GOOD_SQL, SET,  CHAT, "2026-11-21", "shop", "postgresql", "2", "1",
    CHAT, GOOD_SQL, NULL, NULL, NULL,         NULL,   NULL,         "0", "0"};
static const char *part_cells[2];
static const struct fake_rows common[] = {
    {"users.of_token", 2, 1, (const char *const[]){"contributor", "t"}, NULL,
     NULL, NULL},
    {"ontologies.hold", 6, 1, hold_cells, NULL, NULL, NULL},
    {"connections.source", 21, 1, source_cells, NULL, NULL, NULL},
    {"sql.ontology", 8, 1, ontology_cells, NULL, NULL, NULL},
    {"boards.sources", 9, 2, card_cells, NULL, NULL, NULL},
    {"explorer.read", 2, 0, part_cells, NULL, NULL, NULL},
};
enum { N_COMMON = sizeof common / sizeof *common, PARTS = N_COMMON - 1 };

static void fill_source(enum console_source source)
{
    static const char *const types[] = {"postgresql", "duckdb", "trino"};
    enum { TYPE = 12, FILE_SET = 19, TABLES = 20, OF_FILES = 1, OF_TRINO };
    bool files = source == OVER_FILES;
    hold_cells[0] = buf_cstr(&shop_json);
    source_cells[0] = source == OVER_TRINO ? "trino.test" : "db.test";
    source_cells[TYPE] = types[source];
    source_cells[FILE_SET] = files ? SET : NULL;
    source_cells[TABLES] = files ? "[{\"name\":\"customers\"}]" : NULL;
    ontology_cells[OF_FILES] = files ? "t" : "f";
    ontology_cells[OF_TRINO] = source == OVER_TRINO ? "t" : "f";
    card_cells[6] = types[source];
}

static void fill_rows(const struct console_case *c)
{
    size_t n = 0;
    fill_source(c->source);
    for (size_t i = 0; i < N_COMMON; i++)
        now.rows[n++] = common[i];
    for (size_t i = 0; i < CONSOLE_ROWS && c->rows[i].statement; i++)
        now.rows[n++] = c->rows[i];
    now.rows[n] = (struct fake_rows){0};
    fake_db.rows = now.rows;
}

/* The part that is asked for, sealed; none: it is not written yet. */
static void find_part(const struct query *q)
{
    static char sealed[2048];
    int64_t number = 0;
    const struct console_part *p = now.one->parts;
    now.looks++;
    now.rows[PARTS].n_rows = 0;
    if (!p || !str_to_int64(str_of(q->params[1]), &number))
        return;
    while (p->frames && (p->number != number || p->from_look > now.looks ||
                         now.looks > p->to_look))
        p++;
    if (!p->frames)
        return;
    struct arena scratch;
    arena_init(&scratch, 0);
    struct str text = seal(&scratch, key, str_of(p->frames));
    str_copy(sealed, sizeof sealed, hex_encode(&scratch, text.ptr, text.len));
    arena_done(&scratch);
    part_cells[0] = p->is_last ? "t" : "f";
    part_cells[1] = sealed;
    now.rows[PARTS].n_rows = 1;
}

static void on_query(const struct query *q)
{
    enum { ERROR = 4, RESULT = 5 };
    const char *name = q->statement->name;
    now.notes += !strcmp(name, "sql.note");
    if (!strcmp(name, "boards.outcome")) {
        now.outcomes++;
        now.told += *q->params[ERROR] != 0;
        now.spoiled += *q->params[ERROR] && q->params[RESULT];
    }
    if (!strcmp(name, "explorer.read"))
        find_part(q);
}

/* ---- the server, a new one for each case ---------------------------- */

static const struct duckdb_options files_options = {
    .url = {"http://sandbox.test", 19}};

static struct source *open_files(const void *who, struct str tables,
                                 struct str time_zone)
{
    return duckdb_open(who, tables, time_zone);
}

static const struct file_sources files = {
    .open = open_files, .close = duckdb_close, .who = &files_options};

static bool is_querying(void)
{
    return fake_db.reads > 0 || fake_http.exchanges > 0 || world.in_flight > 0;
}

static void on_leaving(struct timer *t)
{
    (void)t;
    if (!now.request || now.request->answers)
        return;
    now.left = true;
    now.asked = is_querying();
    fake_request_leave(now.request);
}

/* The process stops during the request, or its client leaves: at the same time,
 * but not in the middle of a step. */
static void disturb(void)
{
    if (now.leaves && now.request && !now.left) {
        timer_start(&now.leaving, 0, on_leaving);
    } else if (!now.leaves && api->live) {
        flow_stop(api->live->flow, ERR_UNAVAILABLE);
    }
}

static void nothing(void)
{
}

static bool is_asked(void)
{
    return api_requests(api) > 0;
}

static bool is_in_flight(void)
{
    return world.in_flight > 0;
}

static bool is_busy(void)
{
    return is_in_flight() || flow_count() != idle_flows;
}

static void run_for(uint64_t ms)
{
    static const bool no;
    fake_time_until(&no, ms);
}

static void open_server(const struct console_case *c)
{
    struct str why;
    breakers_reset();
    quirks_reset();
    loop_open();
    fake_db_open();
    fake_http_open(c->script ? c->script : (const struct fake_exchange[]){{0}});
    fake_db.on_query = on_query;
    fake_db.on_read = c->on_read;
    fill_rows(c);
    world_begin(TROUBLE_NONE, 0);
    pool = pool_open(&(struct pool_options){.name = "system"});
    store = store_open(&(struct store_options){
        .system = pool, .key = key, .lease_ms = 30000, .source_most = 4});
    store->files = &files;
    store->clusters = &cluster_sources;
    store_listen(store, "host=nowhere");
    agent = (struct agent){
        .store = store,
        .settings = {.sandbox = {.url = STR("http://sandbox.test")},
                     .sql_timeout_ms = 20000,
                     .sql_max_rows = 1000,
                     .sql_max_bytes = 1 << 20,
                     .llm_call_timeout_ms = 60000,
                     .runs_per_user = 4}};
    agent.models.n = 1;
    agent.models.items[0] = (struct agent_provider){
        .model = language, .id = "openai", .name = "OpenAI", .enabled = true};
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
    run_for(IDLE_MS); /* its services have begun */
    fake_time_while(is_in_flight, MOST_MS);
    idle_flows = flow_count();
    struct str signed_one =
        jwt_sign(&memory, &(struct jwt_grant){.secret = STR(SECRET),
                                              .user_id = STR(ID),
                                              .email = STR("ann@example.org"),
                                              .lifetime_s = TOKEN_S});
    token = arena_printf(&memory, "Bearer %.*s", STR_ARG(signed_one)).ptr;
}

static bool close_server(void)
{
    api_close(&api);
    run_for(IDLE_MS);
    store_close(&store);
    bool settled = fake_time_settle(MOST_MS);
    pool_close(&pool);
    http_client_close();
    world_end();
    settled =
        settled && !flow_count() && !world.in_flight && !fake_time_timers();
    fake_db_close();
    loop_close();
    return settled;
}

/* ---- one case -------------------------------------------------------------- */

static bool has(const struct fake_request *r, const char *text)
{
    return str_find(buf_view(&r->sent), str_of(text)) >= 0 ||
           str_find(buf_view(&r->body), str_of(text)) >= 0;
}

/* Frames are numbered from 1, without a gap. */
static bool is_contiguous(struct str body)
{
    int64_t next = 1, n;
    for (ptrdiff_t at; (at = str_find(body, STR("id: "))) >= 0; next++) {
        struct str line;
        body = str_from(body, (size_t)at + 4);
        if (!str_split(&body, '\n', &line) || !str_to_int64(line, &n) ||
            n != next)
            return false;
    }
    return true;
}

static const char *fault(const struct console_case *c, enum trouble t,
                         const struct fake_request *r)
{
    bool own = r->status == c->status;
    bool in_source =
        world.hit && (!strcmp(world.hit, "read") || !strcmp(world.hit, "http"));
    if (r->answers != 1)
        return "it was not answered once";
    if (t == TROUBLE_NONE && !own)
        return "it has another status";
    if (t == TROUBLE_NONE && !has(r, c->sends))
        return "it does not say what it should";
    if (t == TROUBLE_NONE && fake_http.unknown)
        return "something else was asked";
    if (!own && !now.left && r->status < 400)
        return "it has another status than it may";
    if (!own && !now.left && r->status != 500 && r->status != 503 &&
        !(in_source && r->status == c->failed))
        return "it has another status, and it is not its fault";
    if (c->notes && own && r->status == 200 && now.notes != 1)
        return "it was not noted once";
    if (c->notes && now.left && now.asked && t == TROUBLE_CANCEL && !now.notes)
        return "it was not noted that it was cancelled";
    if (c->cards && own && now.outcomes < c->cards)
        return "a card has no outcome";
    if (c->cards && t == TROUBLE_FAILS && !strcmp(world.hit, "read") &&
        now.told < c->cards)
        return "a card does not say that it failed";
    if (now.spoiled)
        return "a card that failed lost its rows";
    if (c->cards && t == TROUBLE_FAILS && in_source && !own)
        return "a card that failed was the end of the others";
    if (c->parts && !is_contiguous(buf_view(&r->body)))
        return "a frame is missing, or came twice";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct console_case *c = one;
    struct arena_mark mark = arena_mark(&memory);
    memset(&now, 0, sizeof now);
    now.one = c;
    now.leaves = c->leaves;
    user_cache_drop(STR(ID));
    open_server(c);
    world_begin(t, k);
    struct fake_request *r =
        fake_request_new(c->method, c->path, "Authorization", token, c->body);
    now.request = r;
    fake_request_send(r);
    fake_time_while(is_asked, MOST_MS);
    *counts = world_counts();
    fake_time_while(is_busy, MOST_MS);
    const char *what = fault(c, t, r);
    char hit[64];
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    if (!what && is_busy())
        what = "an op or a flow is left";
    now.request = NULL;
    timer_stop(&now.leaving);
    if (!close_server() && !what)
        what = "the server does not end";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %d %.*s\n", c->name, trouble_word(t),
               k, hit, what, r->status, STR_ARG(buf_view(&r->body)));
    fake_request_free(r);
    arena_reset(&memory, mark);
    return !what;
}

/* There is no run here that could be taken over. A client can leave only where
 * the sweep cancels. */
static bool concerns(const void *one, enum trouble t)
{
    const struct console_case *c = one;
    if (c->leaves)
        return t >= TROUBLE_CANCEL && t <= TROUBLE_SUCCEEDS_LATE;
    return t != TROUBLE_LONG_OUTAGE && t != TROUBLE_RELEASE &&
           (t < TROUBLE_TAKEN || t == TROUBLE_MEMORY);
}

/* Called through the table of routes, or as the end of a step. */
static bool is_elsewhere(const char *step)
{
    static const char *const names[] = {"sql_run",
                                        "sql_explain",
                                        "sql_queries_list",
                                        "sql_queries_add",
                                        "sql_queries_change",
                                        "sql_queries_remove",
                                        "sql_functions",
                                        "sql_history_list",
                                        "sql_history_clear",
                                        "sql_history_remove",
                                        "boards_list",
                                        "boards_add",
                                        "boards_get",
                                        "boards_change",
                                        "boards_remove",
                                        "boards_refresh",
                                        "board_cards_pin",
                                        "board_cards_change",
                                        "board_cards_remove",
                                        "board_cards_refresh",
                                        "show_board",
                                        "refresh_cards",
                                        "refuse_statement",
                                        "answer_plan",
                                        "forget_run",
                                        "report_write",
                                        "refuse_report"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(step, names[i]))
            return true;
    return false;
}

static void read_model(const char *path)
{
    static char text[64 * 1024];
    struct ontology *shop;
    struct osi_report report;
    FILE *file = fopen(path, "re");
    size_t len = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    arena_init(&memory, 0);
    if (!osi_read(&memory, (struct str){text, len}, &shop, &report)) {
        printf("Bail out! %s cannot be read\n", path);
        exit(1);
    }
    ontology_to_json(shop, &shop_json);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    drive_begin();
    read_model(argv[1]);
    if (!llm_model_init(&language, STR("openai"), STR("gpt-4o")))
        abort();
    language.base_url = STR("http://model.test/v1");
    world.cancel = disturb;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    for (const struct console_case *c = console_cases; c->name; c++)
        if (argc < 3 || !strcmp(c->name, argv[2]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 3)
        drive_report_steps(is_elsewhere);
    breakers_reset();
    quirks_reset();
    buf_done(&shop_json);
    arena_done(&memory);
    return drive_end();
}
