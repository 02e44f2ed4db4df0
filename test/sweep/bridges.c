/* bridges.c - explorations whose data stays in a browser, with every trouble at
 * every place where it can come: whatever happens, the stream ends once, with a
 * result, and nothing is left.
 *
 *   bridges [CASE] */
#include "../../src/llm/breaker.h"
#include "../../src/llm/quirks.h"
#include "agent/bridge.h"
#include "base/clock.h"
#include "base/crypto.h"
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
#define USER "22222222-2222-4222-8222-222222222222"
#define ANSWER \
    "\",\"success\":true,\"result\":{\"results\":[{\"id\":\"result\"," \
    "\"columns\":[\"n\"],\"rows\":[[4711]]}]}}"

enum { MOST_MS = 7200000, SETTLE_MS = 60000, SESSION_MS = 300000 };
enum answered { HERE, ELSEWHERE, QUIETLY_ELSEWHERE, NEVER };

/* ---- the cases ---------------------------------------------------------- */

#define CALLS(n) \
    {.has = "You explore one table", \
     .form = FORM_TOOLS, \
     .times = (n), \
     .reply = "executeSQLQuery {\"query\":\"SELECT count(*) AS n FROM " \
              "t_parsed\",\"reason\":\"Size\"}"}
#define SUMS_UP {.has = "You explore one table", .reply = "It has 4711 rows."}
static const struct fake_exchange one_call[] = {CALLS(1), SUMS_UP, {0}};
static const struct fake_exchange ever_more_calls[] = {CALLS(15), SUMS_UP, {0}};
static const struct fake_exchange refused[] = {
    {.has = "You explore one table",
     .form = FORM_TOOLS,
     .times = 1,
     .reply = "executeSQLQuery {\"query\":\"DROP TABLE t_parsed\"}"},
    SUMS_UP,
    {0}};

static const struct bridge_case {
    const char *name;
    const struct fake_exchange *script;
    enum answered answered;
    const char *says; /* in the stream when nothing goes wrong */
    bool mirrored;    /* a reader at another process wants it, too */
    bool too_long;    /* its session ends first */
} cases[] = {
    {"answered in this process", one_call, HERE, "[[4711]]", false, false},
    {"answered at another process", one_call, ELSEWHERE, "[[4711]]", false,
     false},
    {"the notice was lost", one_call, QUIETLY_ELSEWHERE, "[[4711]]", false,
     false},
    {"not answered", one_call, NEVER, "Tool execution timeout after 30000ms",
     false, false},
    {"longer than a session", ever_more_calls, NEVER,
     "The exploration took too long, and was ended.", false, true},
    {"a refused call", refused, HERE, "data-refused", false, false},
    {"followed at another process", one_call, ELSEWHERE, "[[4711]]", true,
     false},
    {0}};

static struct agent *agent;
static struct store *store;
static struct llm_model language;
static struct bridge *bridge;
static struct bridge_reader reader;
static struct buf heard;
static size_t seen; /* of `heard`, by the browser */
static const uint8_t key[SEAL_KEY_SIZE] = {7};

/* ---- the browser -------------------------------------------------------- */

/* What the other process left; its row is in the table until it is taken. */
static char sealed[4096];
static const char *taken_cell[] = {sealed};
/* An earlier exploration of the chat, at another process. */
static const char *earlier_cell[] = {"33333333-3333-4333-8333-333333333333"};
static struct fake_rows rows[] = {
    {.statement = "explorer.take", .n_columns = 1, .cells = taken_cell},
    {.statement = "explorer.list",
     .n_columns = 1,
     .n_rows = 1,
     .cells = earlier_cell},
    {0}};
static unsigned parts_written;

static void on_query(const struct query *q)
{
    parts_written += !strcmp(q->statement->name, "explorer.put");
    bool takes = !strcmp(q->statement->name, "explorer.take");
    rows[0].n_rows = takes && sealed[0];
}

static void leave_answer(struct str body, struct str id, bool tells)
{
    struct arena memory;
    char payload[64];
    arena_init(&memory, 0);
    struct str text = seal(&memory, key, body);
    str_copy(sealed, sizeof sealed, hex_encode(&memory, text.ptr, text.len));
    arena_done(&memory);
    snprintf(payload, sizeof payload, "answered %.*s", STR_ARG(id));
    if (tells && fake_listening())
        fake_notify(str_of(payload));
}

static void answer(const struct bridge_case *c, struct str id)
{
    char body[512];
    int n = snprintf(body, sizeof body, "{\"toolCallId\":\"%.*s" ANSWER,
                     STR_ARG(id));
    struct str text = {body, (size_t)n};
    if (c->answered == HERE && bridge_awaits(agent, STR(USER), id))
        bridge_answer(agent, STR(USER), id, text);
    else if (c->answered != HERE && c->answered != NEVER)
        leave_answer(text, id, c->answered == ELSEWHERE);
}

/* Reads what there is, and answers new calls. */
static void browse(const struct bridge_case *c)
{
    static const char call[] = "tool-input-available\",\"toolCallId\":\"";
    struct str frames;
    while (bridge && (frames = bridge_frames(&reader, 4096)).len)
        buf_str(&heard, frames);
    for (;;) {
        struct str rest = str_from(buf_view(&heard), seen);
        ptrdiff_t at = str_find(rest, STR(call));
        if (at < 0)
            return;
        seen += (size_t)at + sizeof call - 1;
        answer(c, str_cut(buf_view(&heard), seen, UUID_SIZE - 1));
    }
}

/* ---- one case ----------------------------------------------------------- */

static void cancel_run(void)
{
    if (bridge)
        bridge_cancel(bridge);
}

static void release(void)
{
    if (agent)
        agent_release(agent);
}

static void nothing(void)
{
}

static void start(const struct bridge_case *c)
{
    static struct str names[] = {{"region", 6}}, types[] = {{"VARCHAR", 7}};
    static const struct trace no_trace;
    struct bridge_order order = {.user_id = STR(USER),
                                 .chat_id = STR("chat"),
                                 .run_id = ID,
                                 .question = STR("How many rows?"),
                                 .names = names,
                                 .types = types,
                                 .n_columns = 1,
                                 .n_rows = 4711,
                                 .max_steps = BRIDGE_STEPS,
                                 .share = 2,
                                 .provider = agent_provider(agent, STR(""))};
    bridge = bridge_start(agent, &order, &no_trace);
    reader = (struct bridge_reader){0};
    bridge_follow(bridge, &reader);
    if (c->mirrored)
        bridge_mirror(agent, STR(ID));
}

static void open_case(const struct bridge_case *c, enum trouble t, unsigned k)
{
    breakers_reset();
    quirks_reset();
    loop_open();
    fake_db_open();
    fake_http_open(c->script);
    fake_db.rows = rows;
    fake_db.on_query = on_query;
    sealed[0] = '\0';
    buf_clear(&heard);
    seen = 0;
    parts_written = 0;
    store = store_open(&(struct store_options){
        .system = pool_open(&(struct pool_options){.name = "system"}),
        .key = key,
        .lease_ms = 30000,
        .source_most = 4});
    struct agent_settings settings = {.run_deadline_ms = 600000,
                                      .run_max_attempts = 5,
                                      .run_max_calls = 50,
                                      .llm_call_timeout_ms = 60000,
                                      .claim_timeout_ms = 60000};
    struct agent_models models = {.n = 1};
    models.items[0] = (struct agent_provider){
        .model = language, .id = "openai", .name = "OpenAI", .enabled = true};
    store_listen(store, "host=nowhere");
    agent = agent_open(store, &settings, &models);
    start(c);
    world_begin(t, k);
}

static void close_case(void)
{
    struct pool *system = store->system;
    if (reader.bridge)
        bridge_unfollow(&reader);
    bridge = NULL;
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

static uint64_t lasted_ms;

static bool run_to_the_end(const struct bridge_case *c)
{
    uint64_t begun = clock_ms();
    bool moves = true;
    while (!bridge_is_read(&reader) && moves) {
        while (flow_any_ready())
            loop_turn(false);
        browse(c);
        if (!bridge_is_read(&reader) && !flow_any_ready())
            moves = fake_time_step() && clock_ms() - begun < MOST_MS;
    }
    lasted_ms = clock_ms() - begun;
    return moves;
}

static unsigned times(struct str text, const char *part)
{
    unsigned n = 0;
    for (ptrdiff_t at; (at = str_find(text, str_of(part))) >= 0; n++)
        text = str_from(text, (size_t)at + strlen(part));
    return n;
}

static const char *fault(const struct bridge_case *c, enum trouble t)
{
    struct str all = buf_view(&heard);
    unsigned finished = times(all, "{\"type\":\"finish\"}");
    if (times(all, "data: [DONE]\n\n") != 1 || !str_ends(all, STR("]\n\n")))
        return "the stream does not end once";
    if (times(all, "\"type\":\"data-exploration\"") != 1)
        return "it has not one result";
    if (finished + times(all, "\"type\":\"error\"") != 1)
        return "it neither finished nor failed";
    if (t == TROUBLE_NONE &&
        (finished == c->too_long || times(all, c->says) == 0))
        return "it does not say what it should";
    if (c->too_long && (lasted_ms < SESSION_MS || lasted_ms > SESSION_MS + 1))
        return "its session has another length";
    if (t == TROUBLE_NONE && c->mirrored != (parts_written > 0))
        return "its parts are not written when they are wanted";
    if (t == TROUBLE_NONE && fake_http.unknown)
        return "a model was asked something else";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct bridge_case *c = one;
    open_case(c, t, k);
    if (!run_to_the_end(c)) { /* its memory cannot be freed */
        printf("Bail out! %s: %s, at %u (%s): the run never ends\n", c->name,
               trouble_word(t), k, world.hit ? world.hit : "");
        exit(1);
    }
    *counts = world_counts();
    const char *what = fault(c, t);
    char hit[64];
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    close_case();
    if (!what && (world.in_flight || flow_count() || fake_time_timers()))
        what = "an op, a flow or a timer is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s\n%.*s\n", c->name, trouble_word(t), k,
               hit, what, STR_ARG(buf_view(&heard)));
    loop_close();
    return !what;
}

/* The others are about rows of runs, of which a bridge has none. A trouble within
 * a long session is one within a short one. */
static bool concerns(const void *one, enum trouble t)
{
    if (((const struct bridge_case *)one)->too_long)
        return t == TROUBLE_NONE;
    return t != TROUBLE_TAKEN && t != TROUBLE_TAKEN_CANCELLED &&
           t != TROUBLE_CANCEL_ELSEWHERE && t != TROUBLE_CANCEL_HEARD;
}

int main(int argc, char **argv)
{
    drive_begin();
    if (!llm_model_init(&language, STR("openai"), STR("gpt-4o")))
        abort();
    language.base_url = STR("http://model.test/v1");
    world.cancel = cancel_run;
    world.release = release;
    world.taken = world.ask_cancel = world.tell_cancel = nothing;
    for (const struct bridge_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(NULL);
    breakers_reset();
    quirks_reset();
    buf_done(&heard);
    return drive_end();
}
