/* trino.c - queries of a Trino cluster, with every trouble at every place where it
 * can come: whatever happens, the read is answered once, within its time, with
 * each row once or with a failure; and a query whose address is known is read to
 * its end or deleted.
 *
 *   trino [CASE] */
#include "base/clock.h"
#include "base/mem.h"
#include "db/read.h"
#include "drive.h"
#include "engine/trino.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum {
    TIMEOUT_MS = 20000,
    AFTER_MS = 1000,   /* that the op has beyond the query's own time */
    DELETE_MS = 10000, /* two tries */
    ROOM = 3,          /* rows that a read wants */
    HELD_MS = 300,
};

/* ---- the cluster --------------------------------------------------------- */

#define URI(path) ",\"nextUri\":\"http://trino.test:8080" path "\""
#define NEXT(path) URI("/v1/statement/" path)
#define ROWS(rows) \
    ",\"columns\":[{\"name\":\"n\",\"type\":\"bigint\",\"typeSignature\":" \
    "{\"rawType\":\"bigint\",\"arguments\":[]}}],\"data\":[" rows "]"
#define PAGE(what) "{\"id\":\"q\"" what ",\"stats\":{}}"
#define FAILS(name, type) \
    ",\"error\":{\"message\":\"it went wrong\",\"errorCode\":1," \
    "\"errorName\":\"" name "\",\"errorType\":\"" type "\"}"
#define AT(path, body) {.has = path, .form = FORM_RAW, .reply = PAGE(body)}
#define BEGINS AT("/v1/statement", NEXT("queued/q/y/1"))

/* The fake takes the first line that fits: the address that all have is last. */
static const struct fake_exchange pages[] = {
    AT("queued/q/y/1", NEXT("executing/q/y/2")),
    AT("executing/q/y/2", NEXT("executing/q/y/3") ROWS("[1]")),
    AT("executing/q/y/3", NEXT("executing/q/y/4") ROWS("[2],[3]")),
    AT("executing/q/y/4", ""),
    BEGINS,
    {0}};
static const struct fake_exchange too_many[] = {
    AT("queued/q/y/1", NEXT("executing/q/y/2") ROWS("[1],[2],[3],[4]")),
    AT("executing/q/y/2", NEXT("executing/q/y/3") ROWS("[5]")),
    BEGINS,
    {0}};
static const struct fake_exchange busy[] = {{.has = "queued/q/y/1",
                                             .form = FORM_RAW,
                                             .times = 1,
                                             .status = 503,
                                             .reply = ""},
                                            AT("queued/q/y/1", ROWS("[1]")),
                                            {.has = "/v1/statement",
                                             .form = FORM_RAW,
                                             .times = 2,
                                             .status = 429,
                                             .reply = ""},
                                            BEGINS,
                                            {0}};
static const struct fake_exchange breaks[] = {
    AT("queued/q/y/1", NEXT("executing/q/y/2") ROWS("[1]")),
    AT("executing/q/y/2", FAILS("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR")),
    BEGINS,
    {0}};
static const struct fake_exchange leads_away[] = {
    {.has = "/v1/statement",
     .form = FORM_RAW,
     .reply = "{\"id\":\"q\",\"nextUri\":\"http://other.test/v1/statement/q\","
              "\"stats\":{}}"},
    {0}};
static const struct fake_exchange garbled[] = {
    {.has = "queued/q/y/1", .form = FORM_RAW, .reply = "<html>no page</html>"},
    BEGINS,
    {0}};

static const struct trino_case {
    const char *name;
    const struct fake_exchange *script;
    const char *sql; /* NULL: one that can be written for Trino */
    enum err ends;
    int n_rows;
    bool handed; /* rows are handed out as they come, and held once */
    bool patient;
} cases[] = {
    {"pages", pages, NULL, OK, 3, false, false},
    {"rows that are handed out", pages, NULL, OK, 3, true, true},
    {"more rows than wanted", too_many, NULL, OK, ROOM, false, false},
    {"a busy cluster", busy, NULL, OK, 1, false, false},
    {"an error behind a page", breaks, NULL, ERR_SQL_FAILED, 0, false, true},
    {"a page that leads elsewhere", leads_away, NULL, ERR_DATABASE_UNAVAILABLE,
     0, false, false},
    {"a page that is none", garbled, NULL, ERR_DATABASE_UNAVAILABLE, 0, false,
     true},
    {"a query that Trino cannot have", pages, "select distinct on (a) a from t",
     ERR_SQL_FAILED, 0, false, false},
    {0}};

/* What the cluster knows of the query. */
static struct {
    bool known;     /* it runs, and its next address was sent to us */
    unsigned begun; /* requests that began a query */
    unsigned deletes;
} cluster;

/* The page that was answered, by the script. */
static void on_call(const struct http_call *c, const char *reply)
{
    bool deletes = !strcmp(c->method, "DELETE");
    if (!reply) { /* it begins */
        cluster.begun += !strcmp(c->method, "POST");
        cluster.deletes += deletes;
        cluster.known = cluster.known && !deletes;
    } else if (!deletes && (!c->status || c->status == 200)) {
        cluster.known = strstr(reply, "http://trino.test:8080") != NULL;
    }
}

/* ---- one case ------------------------------------------------------------ */

struct reading {
    const struct trino_case *one;
    struct source *source;
    struct read *read;
    struct timer timer;
    int handed, answers;
    int64_t sum; /* of the rows */
    enum err ended;
};

static struct flow *reader;
static struct reading reading;

static void on_held(struct timer *t)
{
    (void)t;
    if (reading.read)
        read_hold(reading.read, false);
}

static void on_row(struct read *r, const struct str *cells, int n)
{
    int64_t value = 0;
    (void)n;
    if (str_to_int64(cells[0], &value))
        reading.sum += value;
    if (++reading.handed == 1) {
        read_hold(r, true);
        timer_start(&reading.timer, HELD_MS, on_held);
    }
}

static struct next read_over(struct flow *f)
{
    struct reading *x = locals(f, struct reading);
    struct read *r = x->read;
    x->answers++;
    x->read = NULL;
    if (x->one->handed)
        return back(f);
    x->handed = r->n_rows;
    for (int i = 0; i < r->n_rows; i++) {
        int64_t value = 0;
        if (str_to_int64(read_cell(r, (size_t)i), &value))
            x->sum += value;
    }
    return back(f);
}

static struct next read_due(struct flow *f)
{
    struct reading *x = locals(f, struct reading);
    struct read *r = x->read = here(f, struct read);
    r->options = (struct read_options){
        .source = x->source,
        .sql = str_of(x->one->sql ? x->one->sql : "select n::bigint from t"),
        .own = true,
        .max_rows = ROOM,
        .timeout_ms = TIMEOUT_MS,
        .patient = x->one->patient,
        .on_row = x->one->handed ? on_row : NULL};
    read_begin(f, r);
    return await(f, read_over);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    struct reading *x = who;
    (void)f;
    x->ended = how;
    x->answers += how != OK;
    x->read = NULL;
    timer_stop(&x->timer);
    reader = NULL;
}

static void open_case(const struct trino_case *c, enum trouble t, unsigned k)
{
    loop_open();
    fake_http_open(c->script);
    fake_http.on_call = on_call;
    memset(&cluster, 0, sizeof cluster);
    reading = (struct reading){.one = c};
    reading.source =
        trino_open(&(struct trino_options){.host = STR("trino.test"),
                                           .port = 8080,
                                           .user = STR("ann"),
                                           .catalog = STR("tpch"),
                                           .schema = STR("tiny")});
    world_begin(t, k);
    reader = flow_start(read_due, &reading,
                        &(struct flow_options){.kind = "reader",
                                               .memory_limit = 8 << 20,
                                               .on_end = on_end,
                                               .who = &reading});
}

/* Until no flow is left; true: within that time. */
static bool run_for(bool (*goes_on)(void), uint64_t ms)
{
    uint64_t begun = clock_ms();
    do {
        while (flow_any_ready())
            loop_turn(false);
    } while (goes_on() && clock_ms() - begun <= ms && fake_time_step());
    return !goes_on();
}

static bool is_read(void)
{
    return reader != NULL;
}

static bool is_alive(void)
{
    return flow_count() > 0;
}

static int64_t sum_of(int n)
{
    return (int64_t)n * (n + 1) / 2;
}

static const char *fault(const struct trino_case *c, enum trouble t)
{
    const struct reading *x = &reading;
    if (x->answers != 1)
        return "it was not answered once";
    if (t == TROUBLE_NONE && x->ended != c->ends)
        return "it ended otherwise";
    if (t == TROUBLE_NONE && fake_http.unknown)
        return "the cluster was asked something else";
    if (x->ended == OK && c->ends != OK)
        return "it has an answer that it cannot have";
    if (x->ended == OK &&
        (x->handed != c->n_rows || x->sum != sum_of(c->n_rows)))
        return "a row is missing, or came twice";
    if (x->ended != OK && x->handed && x->sum != sum_of(x->handed))
        return "rows were handed out in another order, or twice";
    if ((t == TROUBLE_OUTAGE || t == TROUBLE_LONG_OUTAGE) &&
        x->ended == ERR_TIMEOUT)
        return "a cluster that was away is told as a slow query";
    if (cluster.known && t != TROUBLE_MEMORY)
        return "the cluster still has the query";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct trino_case *c = one;
    open_case(c, t, k);
    const char *what = NULL;
    if (!run_for(is_read, TIMEOUT_MS + AFTER_MS))
        what = "the read is late";
    *counts = world_counts();
    if (!what && !run_for(is_alive, DELETE_MS + AFTER_MS))
        what = "the query is not let go";
    char hit[64];
    snprintf(hit, sizeof hit, "%s", world.hit ? world.hit : "");
    if (what) { /* its memory cannot be freed */
        printf("Bail out! %s: %s, at %u (%s): %s\n", c->name, trouble_word(t),
               k, hit, what);
        exit(1);
    }
    *counts = world_counts();
    what = fault(c, t);
    trino_close(&reading.source);
    http_client_close();
    world_end();
    if (!what && (world.in_flight || fake_time_timers()))
        what = "an op or a timer is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %s, %d rows, %u deletes\n", c->name,
               trouble_word(t), k, hit, what, err_name(reading.ended),
               reading.handed, cluster.deletes);
    loop_close();
    return !what;
}

/* It is no run: it is stopped, but not taken over. */
static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t <= TROUBLE_FAILS_CANCEL || t == TROUBLE_MEMORY;
}

static void cancel_read(void)
{
    if (reader)
        flow_cancel(reader);
}

static void nothing(void)
{
}

/* Its name is not known where the flow begins. */
static bool is_first(const char *step)
{
    return !strcmp(step, "query_unwritable");
}

int main(int argc, char **argv)
{
    drive_begin();
    world.cancel = cancel_read;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    for (const struct trino_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(is_first);
    return drive_end();
}
