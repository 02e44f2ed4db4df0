/* worker.c - a worker process: HTTP on inherited sockets, and runs.
 *
 * The listening sockets are the descriptors from 3 on. `worker N OWN` gives
 * their number, and how many of them are this worker's own (listener.h).
 * Through the next descriptor the worker reports that it serves, and later that
 * it is alive. The one after that is the memory that all workers share for
 * metrics. All settings are in the environment.
 *
 * SIGTERM drains the worker: /readyz answers 503 and new runs are refused, but
 * everything else is still accepted and answered. Runs have DRAIN_MS to end.
 * Then their leases are released, so that another process takes them over; then
 * the sockets are closed and the process ends. A second SIGTERM ends the wait.
 * After SIGHUP, which says that another worker has replaced this one, the
 * SIGTERM that follows is not the end of the service: nothing more is accepted
 * here, and /readyz does not change. */
#include "api/api.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "config/options.h"
#include "config/places.h"
#include "engine.h"
#include "inherited.h"
#include "loop/loop.h"
#include "programs.h"
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/banned.h"

enum { SIGNALS = 4 };
enum { ACCEPT_MS = 1000, LOOK_MS = 20, RELEASE_MS = 3000, STREAMS_MS = 2000 };
enum {
    BEATS = 5
}; /* alive signs within WORKER_SILENCE_MS, more than the supervisor's looks */

struct worker {
    struct arena arena;
    struct config config;
    struct home home;
    struct inherited sockets;
    int64_t own; /* how many of them are this worker's own */
    struct engine engine;
    struct api *api;
    struct flow *serving;
    uv_signal_t signals[SIGNALS];
    uv_prepare_t flush;
    struct timer beat;
    struct pause pause;
    uint64_t since;
    unsigned stops;
    bool hurry;
    bool replaced;
};

/* ---- serving ------------------------------------------------------------- */

static struct next serving_begin(struct flow *f),
    serving_looked(struct flow *f);

static void write_sign(const struct worker *w, const char *word)
{
    if (write(w->sockets.next, word, 1) != 1)
        log_line(LOG_DEBUG, "status not written", "to this worker");
}

static void report_alive(struct timer *t)
{
    const struct worker *w = container_of(t, struct worker, beat);
    write_sign(w, ".");
    timer_start(t, (uint64_t)w->config.worker_silence_ms / BEATS, report_alive);
}

/* Reported once the database answers, not before. */
static struct next serving_begin(struct flow *f)
{
    struct worker *w = locals(f, struct worker);
    if (!pool_is_up(w->engine.pool)) {
        pause_begin(f, &w->pause, LOOK_MS);
        return await(f, serving_begin);
    }
    return go(f, serving_looked);
}

static struct next serving_looked(struct flow *f)
{
    write_sign(locals(f, struct worker), "+");
    return back(f);
}

static void serving_over(struct flow *f, enum err how, void *who)
{
    (void)f;
    (void)how;
    ((struct worker *)who)->serving = NULL;
}

/* ---- the end ------------------------------------------------------------- */

static struct next drain_begin(struct flow *f), draining(struct flow *f),
    releasing(struct flow *f), streams_end(struct flow *f),
    agent_closed(struct flow *f);

static struct next drain_look_again(struct flow *f, step_fn *step)
{
    struct worker *w = locals(f, struct worker);
    pause_begin(f, &w->pause, LOOK_MS);
    return flow_await(f, step, "look");
}

static struct next drain_begin(struct flow *f)
{
    struct worker *w = locals(f, struct worker);
    log_line(LOG_INFO, "draining", "%u runs", agent_runs(w->engine.agent));
    if (w->replaced)
        api_retire(w->api);
    else
        api_drain(w->api);
    w->since = clock_ms();
    return go(f, draining);
}

static struct next draining(struct flow *f)
{
    struct worker *w = locals(f, struct worker);
    uint64_t waited = clock_ms() - w->since;
    bool runs = agent_runs(w->engine.agent) > 0;
    if (runs && !w->hurry && waited < (uint64_t)w->config.drain_ms)
        return drain_look_again(f, draining);
    agent_release(w->engine.agent);
    w->since = clock_ms();
    return go(f, releasing);
}

static struct next releasing(struct flow *f)
{
    struct worker *w = locals(f, struct worker);
    if (agent_runs(w->engine.agent) && clock_ms() - w->since < RELEASE_MS)
        return drain_look_again(f, releasing);
    w->since = clock_ms();
    api_retire(w->api);
    api_stop(w->api);
    return go(f, streams_end);
}

/* Streams close without a terminal event, with a complete last chunk. */
static struct next streams_end(struct flow *f)
{
    struct worker *w = locals(f, struct worker);
    bool open = api_requests(w->api) || (api_connections(w->api) && !w->hurry);
    if (open && clock_ms() - w->since < STREAMS_MS)
        return drain_look_again(f, streams_end);
    api_close(&w->api);
    return call(f, engine_close_begin, &w->engine, agent_closed);
}

static struct next agent_closed(struct flow *f)
{
    return back(f);
}

static void ending_over(struct flow *f, enum err how, void *who)
{
    struct worker *w = who;
    (void)f;
    (void)how;
    for (int i = 0; i < SIGNALS; i++)
        uv_close((uv_handle_t *)&w->signals[i], NULL);
    uv_close((uv_handle_t *)&w->flush, NULL);
    timer_stop(&w->beat);
    loop_stop();
}

static void drain_worker(struct worker *w)
{
    if (w->serving)
        flow_cancel(w->serving);
    flow_start(drain_begin, w,
               &(struct flow_options){
                   .kind = "drain", .on_end = ending_over, .who = w});
}

/* ---- signals ------------------------------------------------------------- */

static void log_live_flow(struct flow *f, void *who)
{
    struct worker *w = who;
    struct buf fields;
    struct arena_mark mark = arena_mark(&w->arena);
    buf_init(&fields, &w->arena);
    buf_text(&fields, "\"flow\":");
    json_quote(&fields, flow_describe(f, &w->arena));
    log_fields(LOG_INFO, "live flow", buf_view(&fields));
    arena_reset(&w->arena, mark);
}

static void on_worker_signal(uv_signal_t *handle, int signal_number)
{
    struct worker *w = handle->data;
    if (signal_number == SIGUSR1) {
        log_line(LOG_INFO, "live flows", "%u", flow_count());
        flow_each(log_live_flow, w);
        log_flush();
    } else if (signal_number == SIGHUP) {
        w->replaced = true;
    } else if (++w->stops == 1) {
        drain_worker(w);
    } else {
        w->hurry = true;
    }
}

static void on_turn(uv_prepare_t *unused)
{
    (void)unused;
    log_flush();
}

static void watch_worker_signals(struct worker *w)
{
    static const int heard[SIGNALS] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP};
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(loop_uv(), &w->signals[i]);
        w->signals[i].data = w;
        uv_signal_start(&w->signals[i], on_worker_signal, heard[i]);
    }
    uv_prepare_init(loop_uv(), &w->flush);
    uv_prepare_start(&w->flush, on_turn);
    uv_unref((uv_handle_t *)&w->flush);
}

/* ---- opening ------------------------------------------------------------- */

static bool open_api(struct worker *w, struct str *why)
{
    const struct config *c = &w->config;
    struct str secret = str_of(c->jwt_secret);
    const char *data = places_data(&w->arena, c);
    if (!c->jwt_secret && !c->jwt_public_key && !c->jwt_jwks_url &&
        !home_jwt_secret(&w->home, &secret, why))
        return false;
    w->api = api_open(
        &(struct api_options){
            .agent = w->engine.agent,
            .program = places_program(&w->arena, "sextant"),
            .host = c->host,
            .port = (int)c->port,
            .fds = w->sockets.fds,
            .n_fds = w->sockets.n,
            .n_own_fds = (int)w->own,
            .figures_fd = w->sockets.next + 1,
            .jwt_secret = secret,
            .jwt_public_key = str_of(c->jwt_public_key),
            .jwt_jwks_url = c->jwt_jwks_url,
            .jwt_issuer = str_of(c->jwt_issuer),
            .jwt_audience = str_of(c->jwt_audience),
            .jwt_roles_claim = str_of(c->jwt_roles_claim),
            .jwt_email_claim = str_of(c->jwt_email_claim),
            .jwt_provision = c->jwt_auto_provision,
            .login_name = c->login_name,
            .login_url = c->login_url,
            .access_ms = c->access_token_ms,
            .refresh_ms = c->refresh_token_ms,
            .trusted_proxies = c->trusted_proxies,
            .metrics_token = str_of(c->metrics_token),
            .static_dir =
                data ? arena_printf(&w->arena, "%s/static", data).ptr : NULL,
            .requests_per_minute = (unsigned)c->requests_per_minute,
            .stream_bytes = (size_t)c->stream_bytes,
            .access_log = c->access_log,
            .heartbeat_ms = (unsigned)c->heartbeat_ms,
            .cors_origins = c->cors_origins},
        why);
    return w->api != NULL;
}

static bool read_worker_settings(struct worker *w)
{
    struct buf problems, warnings;
    buf_init(&problems, &w->arena);
    buf_init(&warnings, &w->arena);
    bool good =
        config_read(&w->arena,
                    &(struct config_given){.env = (const char *const *)environ,
                                           .no_file = true},
                    &w->config, &problems, &warnings);
    if (!good)
        fprintf(stderr, "sextant: %s", buf_cstr(&problems));
    return good;
}

/* Every stream needs a descriptor: allow as many as the hard limit. */
static void raise_file_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static void on_wait_end(struct timer *unused)
{
    (void)unused;
}

/* Connections accepted before the database answers would get 503, while other
 * workers may serve the same address well (a reload). If the database is
 * unreachable, serve anyway. */
static void await_database(struct worker *w)
{
    struct timer patience = {0};
    timer_start(&patience, ACCEPT_MS, on_wait_end);
    while (timer_running(&patience) && !pool_is_up(w->engine.pool))
        loop_turn(true);
    timer_stop(&patience);
}

static bool open_worker(struct worker *w, struct str *why)
{
    if (!home_open(&w->arena, w->config.home, &w->home, why))
        return false;
    if (!engine_open(&w->engine, &w->arena, &w->config, &w->home, why))
        return false;
    w->engine.serves = true;
    engine_open_agent(&w->engine);
    await_database(w);
    return open_api(w, why);
}

static void run_worker(struct worker *w)
{
    watch_worker_signals(w);
    w->serving =
        flow_start(serving_begin, w,
                   &(struct flow_options){
                       .kind = "serving", .on_end = serving_over, .who = w});
    log_buffered(true);
    loop_run();
    log_buffered(false);
    if (flow_count() == 0)
        loop_close();
}

/* Returns the memory of large results to the system when they are freed. On its
 * own, glibc raises these thresholds with the first large block, to 32 and 64
 * MB, and keeps everything below in a fragmented heap. */
static void limit_free_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 2 * 1024 * 1024);
}

int cmd_worker(int argc, char **argv)
{
    limit_free_memory();
    static struct worker w;
    struct str why;
    arena_init(&w.arena, 0);
    if (argc < 3 || !inherited_read(argv[1], &w.sockets) ||
        !str_to_int64(str_of(argv[2]), &w.own) || w.own > w.sockets.n ||
        !read_worker_settings(&w))
        return EXIT_USAGE;
    log_level_set(options_log_level(w.config.log_level));
    log_program("worker");
    crypto_init();
    raise_file_limit();
    loop_open();
    report_alive(&w.beat);
    if (!open_worker(&w, &why)) {
        fprintf(stderr, "sextant: %.*s\n", STR_ARG(why));
        return EXIT_FAILED;
    }
    run_worker(&w);
    arena_done(&w.arena);
    return EXIT_OK;
}
