/* requests.c - requests to the API, with every trouble at every place where it
 * can come: whatever happens, each is answered once, with its own status or one
 * that says whose fault it is, and leaves nothing behind.
 *
 *   requests [CASE [TROUBLE [K]]] */
#include "../../src/agent/agent_state.h"
#include "../../src/api/auth/access.h"
#include "../../src/api/request.h"
#include "../../src/api/auth/hashing.h"
#include "api/api.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "db/script.h"
#include "drive.h"
#include "fake_db.h"
#include "fake_server.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "store/sessions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"
#define CHAT "22222222-2222-4222-8222-222222222222"
#define TOKEN "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define SECRET "the secret of the sweep, long enough to be one"
#define NOW "2026-11-22T12:00:00.000Z"

enum { MOST_MS = 60000, IDLE_MS = 100 };

/* ---- password hashes, as deeds ------------------------------------------ */

struct hash_deed {
    struct deed deed;
    struct hashing *hashing;
};

static void hash_effect(struct deed *d)
{
    struct hashing *h = ((struct hash_deed *)d)->hashing;
    h->matches = h->compare && !strcmp(h->compare, "good");
    snprintf(h->made, sizeof h->made, "made");
}

static enum err hash_failure(struct deed *d)
{
    ((struct hash_deed *)d)->hashing->made[0] = '\0';
    return ERR_INTERNAL;
}

static void hash_cancel(struct op *op)
{
    deed_cancel((struct deed *)((struct hashing *)op)->request.data);
}

bool hashing_begin(struct flow *f, struct hashing *h)
{
    struct hash_deed *d = mem_new(struct hash_deed);
    d->deed = (struct deed){.op = &h->op,
                            .kind = DEED_READ,
                            .name = "hashing",
                            .ms = 50,
                            .effect = hash_effect,
                            .failure = hash_failure};
    d->hashing = h;
    h->request.data = d;
    begin(f, &h->op, "hashing", hash_cancel);
    op_deadline(&h->op, 30000); /* a thread always ends */
    deed_begin(&d->deed);
    return true;
}

/* No source can be reached. */
void script_begin(struct flow *f, struct script *s)
{
    begin(f, &s->op, "script", NULL);
    op_complete(&s->op, ERR_DATABASE_UNAVAILABLE);
}

/* ---- what the database says --------------------------------------------- */

#define ACCOUNT \
    FAKE_ROWS("accounts.page", 11, "1", ID, "ann@example.org", NULL, NULL, \
              "contributor", "t", "t", NOW, NOW, NULL)
#define KNOWN(hash, active, failures) \
    FAKE_ROWS("sessions.lookup", 5, ID, hash, active, failures, "30")
#define ALLOWED(role) FAKE_ROWS("users.of_token", 2, role, "t")
#define ROTATION(outcome) \
    FAKE_ROWS("sessions.rotate", 3, outcome, ID, "ann@example.org")

struct request_case {
    const char *name;
    const char *method, *path, *header, *value, *body;
    int status;        /* value NULL: a good token */
    const char *sends; /* in the header lines or the body */
    struct fake_rows rows[4];
};

#define LOGIN \
    "POST", "/api/auth/login", NULL, NULL, \
        "{\"email\":\"Ann@example.org\",\"password\":\"secret word\"}"
#define REFRESH \
    "POST", "/api/auth/refresh", "Cookie", "sextant_refresh=" TOKEN, NULL

#define RUNS_LIST "GET", "/api/admin/runs", "Authorization", NULL, NULL
#define LIVE \
    FAKE_ROWS("runs.live", 15, "1", ID, CHAT, ID, "ann@example.org", \
              "another process", "planner", NOW, NOW, "1", "0", "5", "f", "f", \
              NOW)

static const struct request_case cases[] = {
    {"sign in",
     LOGIN,
     200,
     "Set-Cookie: sextant_refresh=",
     {KNOWN("good", "t", "0"), ACCOUNT}},
    {"a wrong password",
     LOGIN,
     401,
     "password is wrong",
     {KNOWN("bad", "t", "0")}},
    {"nobody of that address",
     LOGIN,
     401,
     "password is wrong",
     {KNOWN(NULL, "f", "0")}},
    {"a disabled account",
     LOGIN,
     401,
     "is disabled",
     {KNOWN("good", "f", "0")}},
    {"too many failures",
     LOGIN,
     429,
     "Retry-After: 30",
     {KNOWN("good", "t", "10")}},
    {"refresh", REFRESH, 200, "accessToken", {ROTATION("rotated")}},
    {"a token that was stolen",
     REFRESH,
     401,
     "Max-Age=0",
     {ROTATION("stolen")}},
    {"two tabs at once, and many more",
     REFRESH,
     429,
     "Retry-After",
     {ROTATION("often")}},
    {"a page that is opened",
     "POST",
     "/api/auth/session",
     "Cookie",
     "sextant_refresh=" TOKEN,
     NULL,
     200,
     "\"signedIn\":true",
     {ROTATION("rotated")}},
    {"a page that is opened without a session",
     "POST",
     "/api/auth/session",
     NULL,
     NULL,
     NULL,
     200,
     "\"signedIn\":false",
     {{0}}},
    {"no session",
     "POST",
     "/api/auth/refresh",
     NULL,
     NULL,
     NULL,
     401,
     "Max-Age=0",
     {{0}}},
    {"sign out",
     "POST",
     "/api/auth/logout",
     "Cookie",
     "sextant_refresh=" TOKEN,
     NULL,
     204,
     "Max-Age=0",
     {{0}}},
    {"who am I",
     "GET",
     "/api/auth/me",
     "Authorization",
     NULL,
     NULL,
     200,
     "user_settings:write",
     {ALLOWED("contributor"), ACCOUNT}},
    {"somebody who is disabled",
     "GET",
     "/api/auth/me",
     "Authorization",
     NULL,
     NULL,
     401,
     "is disabled",
     {FAKE_ROWS("users.of_token", 2, "viewer", "f")}},
    {"a new account",
     "POST",
     "/api/users",
     "Authorization",
     NULL,
     "{\"email\":\"bob@example.org\",\"password\":\"secret word\"}",
     201,
     "ann@example.org",
     {ALLOWED("admin"), FAKE_ROWS("accounts.add", 1, ID), ACCOUNT}},
    {"a new account of an address that is taken",
     "POST",
     "/api/users",
     "Authorization",
     NULL,
     "{\"email\":\"bob@example.org\"}",
     409,
     "has this address",
     {ALLOWED("admin")}},
    {"a link to a chat",
     "POST",
     "/api/data-agent/chats/" CHAT "/share",
     "Authorization",
     NULL,
     "{\"includeSql\":true}",
     201,
     "/share/",
     {ALLOWED("contributor"),
      FAKE_ROWS("shares.make", 6, NOW, NULL, "t", "t", "t", CHAT)}},
    {"the links of a chat that has none",
     "GET",
     "/api/data-agent/chats/" CHAT "/shares",
     "Authorization",
     NULL,
     NULL,
     200,
     "[]",
     {ALLOWED("contributor"),
      FAKE_ROWS("shares.read", 6, NULL, NULL, NULL, NULL, "t", NULL)}},
    {"the end of a link",
     "DELETE",
     "/api/data-agent/chats/" CHAT "/share",
     "Authorization",
     NULL,
     NULL,
     204,
     "",
     {ALLOWED("contributor"), FAKE_ROWS("shares.end", 1, CHAT)}},
    {"runs of another process",
     RUNS_LIST,
     200,
     "in sql_builder_begin",
     {ALLOWED("admin"), LIVE,
      FAKE_ROWS("runs.trails", 3, ID, "[\"in sql_builder_begin\"]", "f")}},
    {"runs of one that does not tell",
     RUNS_LIST,
     200,
     "\"trail\":[]",
     {ALLOWED("admin"), LIVE, FAKE_ROWS("runs.trails", 3, ID, NULL, "t")}},
    {"a run that is cancelled by an admin",
     "POST",
     "/api/admin/runs/" ID "/cancel",
     "Authorization",
     NULL,
     NULL,
     200,
     "\"cancelled\":true",
     {ALLOWED("admin"), FAKE_ROWS("runs.owner", 1, ID),
      FAKE_ROWS("runs.cancel", 4, "t", "f", "t", "failed")}},
    {0}};

/* ---- one server for all ------------------------------------------------- */

static struct pool *pool;
static struct store *store;
static struct agent agent;
static struct api *api;
static struct arena memory;
static const char *token; /* "Bearer …" */

/* The process stops during the request. */
static void stop_request(void)
{
    if (api->live)
        flow_stop(api->live->flow, ERR_UNAVAILABLE);
}

static void nothing(void)
{
}

static void run_for(uint64_t ms)
{
    static const bool never;
    fake_time_until(&never, ms);
}

static bool is_asked(void)
{
    return api_requests(api) > 0;
}

/* The services are at other addresses than before. */
static unsigned idle_flows;
static bool is_busy(void)
{
    return world.in_flight > 0 || flow_count() != idle_flows;
}

static void open_all(void)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    struct str why;
    loop_open();
    fake_db_open();
    world.cancel = stop_request;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    world_begin(TROUBLE_NONE, 0);
    pool = pool_open(&(struct pool_options){.name = "system"});
    store = store_open(&(struct store_options){
        .system = pool, .key = key, .lease_ms = 30000, .source_most = 4});
    agent.store = store;
    store_listen(store, "host=nowhere");
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
    struct str signed_one =
        jwt_sign(&memory, &(struct jwt_grant){.secret = STR(SECRET),
                                              .user_id = STR(ID),
                                              .email = STR("ann@example.org"),
                                              .lifetime_s = 86400});
    idle_flows = flow_count();
    token = arena_printf(&memory, "Bearer %.*s", STR_ARG(signed_one)).ptr;
}

static void close_all(void)
{
    api_close(&api);
    run_for(IDLE_MS);
    store_close(&store);
    fake_time_settle(MOST_MS);
    pool_close(&pool);
    fake_db_close();
    arena_done(&memory);
    loop_close();
}

/* ---- one case ----------------------------------------------------------- */

static bool is_sound(const struct request_case *c, enum trouble t,
                     const struct fake_request *r, const char **what)
{
    bool own = r->status == c->status, told = !t;
    if (r->answers != 1)
        *what = "it was not answered once";
    else if (!own && (told || (r->status != 500 && r->status != 503)))
        *what = "it has another status";
    else if (told && str_find(buf_view(&r->sent), str_of(c->sends)) < 0 &&
             str_find(buf_view(&r->body), str_of(c->sends)) < 0)
        *what = "it does not say what it should";
    else if (!own && str_find(buf_view(&r->body), STR("accessToken")) >= 0)
        *what = "it failed, and gave a session";
    return !*what;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct request_case *c = one;
    const char *what = NULL;
    struct access *access = api->access;
    fake_db.rows = c->rows;
    user_cache_drop(STR(ID));
    limiter_free(&access->limiter);
    access->limiter = limiter_new(LOGIN_WINDOW_S * 1000);
    world_begin(t, k);
    struct fake_request *r = fake_request(c->method, c->path, c->header,
                                          c->value ? c->value : token, c->body);
    fake_time_while(is_asked, MOST_MS);
    *counts = world_counts();
    fake_time_while(is_busy, MOST_MS);
    if (is_sound(c, t, r, &what) && is_busy())
        what = "an op or a flow is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %d %.*s\n", c->name, trouble_word(t),
               k, world.hit, what, r->status, STR_ARG(buf_view(&r->body)));
    fake_request_free(r);
    world_end();
    world_begin(TROUBLE_NONE, 0);
    return !what;
}

static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t != TROUBLE_LONG_OUTAGE && t != TROUBLE_RELEASE &&
           (t < TROUBLE_TAKEN || t == TROUBLE_MEMORY);
}

/* Handlers are called through their table, without a name. */
static bool is_handler(const char *step)
{
    return str_starts(str_of(step), STR("auth_")) ||
           str_starts(str_of(step), STR("live_runs_"));
}

int main(int argc, char **argv)
{
    drive_begin();
    open_all();
    for (const struct request_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(is_handler);
    close_all();
    return drive_end();
}
