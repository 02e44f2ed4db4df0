/* figures.c - counts, and shares the counts with other workers (see
 * figures.h). */
#include "figures.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/span.h"
#include "loop/timer.h"
#include "net/http_client.h"
#include "net/sse.h"
#include "request.h"
#include "store/connections.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum { SLOTS = 130, PUBLISH_MS = 1000 };

struct figures_slot {
    _Atomic(int32_t) owner;   /* a process id; 0: free */
    _Atomic(uint64_t) layout; /* identifies the program's structs */
    struct figures figures;
};

struct figures_share {
    struct api *api;
    struct figures_slot *slots; /* NULL: nothing is shared */
    struct figures_slot *mine;
    struct figures before; /* what the slot held when this worker took it */
    struct figures own;    /* counters kept in this file */
    struct timer publish;
};

/* ---- counters of this file ----------------------------------------------- */

static const int statuses[FIGURE_STATUSES - 1] = {
    200, 201, 202, 204, 206, 302, 304, 400, 401, 403,
    404, 405, 409, 412, 413, 415, 429, 500, 503};

int figure_status(int column)
{
    return column < FIGURE_STATUSES - 1 ? statuses[column] : 0;
}

void figures_count(struct figures_share *s, int route, int status, uint64_t us)
{
    struct route_figures *r = &s->own.counts.routes[route];
    int column = 0;
    while (column < FIGURE_STATUSES - 1 && statuses[column] != status)
        column++;
    r->answers[column]++;
    histogram_add(&r->durations, us);
}

void figures_first_event(struct figures_share *s, uint64_t us)
{
    histogram_add(&s->own.counts.first_events, us);
}

/* ---- counters of other modules ------------------------------------------- */

static void collect_agent(struct figures *f, struct agent *a)
{
    const struct agent_counters *c = agent_counters(a);
    f->counts.runs_started = c->runs_started;
    memcpy(f->counts.runs, c->runs, sizeof c->runs);
    memcpy(f->counts.phases, c->phases, sizeof c->phases);
    f->counts.run_durations = c->run_durations;
    memcpy(f->counts.phase_durations, c->phase_durations,
           sizeof c->phase_durations);
    memcpy(f->models, c->models, sizeof c->models);
    f->levels.runs = agent_runs(a);
    f->levels.waiting = agent_waiting(a);
}

static void collect_store(struct figures *f, const struct store *store)
{
    struct pool_stats system = pool_stats(store->system);
    struct pool_stats sources = sources_stats(store);
    struct journal_stats j = journal_stats(store->journal);
    struct notice_stats n = notice_stats(store->notices);
    f->counts.queries = system.queries;
    f->counts.query_failures = system.failures;
    f->counts.reconnects = system.reconnects;
    f->levels.system_open = (uint64_t)system.open;
    f->levels.system_busy = (uint64_t)system.busy;
    f->levels.system_waiting = (uint64_t)system.waiting;
    f->levels.source_open = (uint64_t)sources.open;
    f->levels.source_busy = (uint64_t)sources.busy;
    f->levels.source_waiting = (uint64_t)sources.waiting;
    f->counts.commits = j.commits;
    f->counts.events = j.events;
    f->counts.journal_failures = j.failures;
    f->counts.journal_bytes = j.bytes;
    f->counts.flushes = j.flushes;
    f->counts.notices_said = n.said;
    f->counts.notices_sent = n.sent;
    f->counts.notices_heard = n.heard;
    f->counts.notices_dropped = n.dropped;
    f->levels.listening = notices_up(store->notices);
}

static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void collect_process(struct figures *f)
{
    const struct python_counts *python = python_counts();
    const struct loop_lag *lag = loop_lag();
    f->counts.executions = python->executions;
    f->counts.execution_failures = python->failures;
    f->counts.sandbox_unavailable = python->unavailable;
    f->counts.execution_durations = python->durations;
    memcpy(f->counts.lag, lag->counts, sizeof lag->counts);
    f->counts.lag_sum_us = lag->sum_us;
    f->counts.log_dropped = log_dropped();
    const struct span_counts spans = span_counts();
    f->counts.spans_exported = spans.exported;
    f->counts.spans_failed = spans.failed;
    f->counts.spans_dropped = spans.dropped;
    f->levels.spans_waiting = spans.waiting;
    f->levels.loop_worst_us = lag->worst_us;
    f->levels.model_calls = http_client_count().in_flight;
    llm_servers(f->servers, FIGURE_SERVERS);
    f->levels.resident_bytes = resident_bytes();
}

static void collect_all(struct figures_share *s, struct figures *f)
{
    const struct http_counts *http = http_server_counts(s->api->server);
    *f = s->own;
    f->counts.refused = http->refused;
    f->counts.cut = http->cut;
    f->counts.response_bytes = http->bytes;
    f->counts.requests_unlogged = http->unlogged;
    f->levels.workers = 1;
    f->levels.connections = http_server_connections(s->api->server);
    f->levels.streams = sse_count();
    f->levels.stream_bytes = sse_queued_total();
    f->counts.slow_streams = sse_slow_count();
    collect_agent(f, s->api->options.agent);
    collect_store(f, request_store(&(struct request){.api = s->api}));
    collect_process(f);
}

/* ---- adding up ----------------------------------------------------------- */

static void add_words(void *to, const void *from, size_t bytes)
{
    uint64_t *sum = to;
    const uint64_t *more = from;
    for (size_t i = 0; i < bytes / sizeof *sum; i++)
        sum[i] += more[i];
}

static void add_model(struct model_counters *sum,
                      const struct model_counters *m)
{
    int i = 0;
    while (i < AGENT_COUNTED_MODELS - 1 && *sum[i].provider &&
           (strncmp(sum[i].provider, m->provider, sizeof m->provider) != 0 ||
            strncmp(sum[i].model, m->model, sizeof m->model) != 0))
        i++;
    memcpy(sum[i].provider, m->provider, sizeof m->provider);
    memcpy(sum[i].model, m->model, sizeof m->model);
    sum[i].calls += m->calls;
    sum[i].failures += m->failures;
    sum[i].prompt_tokens += m->prompt_tokens;
    sum[i].completion_tokens += m->completion_tokens;
    sum[i].cached_tokens += m->cached_tokens;
    sum[i].reasoning_tokens += m->reasoning_tokens;
    sum[i].cost += m->cost;
    add_words(&sum[i].durations, &m->durations, sizeof m->durations);
}

/* Returns the server of that name or a free entry; NULL: the table is full. */
static struct llm_server *server_entry(struct figures *sum,
                                       const struct llm_server *s)
{
    for (int i = 0; i < FIGURE_SERVERS; i++) {
        struct llm_server *at = &sum->servers[i];
        if (!*at->provider) {
            memcpy(at->provider, s->provider, sizeof at->provider);
            memcpy(at->address, s->address, sizeof at->address);
            return at;
        }
        if (!strncmp(at->provider, s->provider, sizeof at->provider) &&
            !strncmp(at->address, s->address, sizeof at->address))
            return at;
    }
    return NULL;
}

/* Adds the counters of model servers; their states only count for live
 * workers. */
static void add_servers(struct figures *sum, const struct figures *more,
                        bool live)
{
    for (int i = 0; i < FIGURE_SERVERS && *more->servers[i].provider; i++) {
        const struct llm_server *s = &more->servers[i];
        struct llm_server *at = server_entry(sum, s);
        if (!at)
            return;
        at->opens += live ? 0 : s->opens;
        at->waiting += live ? s->waiting : 0;
        if (live)
            add_words(at->states, s->states, sizeof s->states);
    }
}

static void add_counts(struct figures *sum, const struct figures *more)
{
    add_words(&sum->counts, &more->counts, sizeof more->counts);
    for (int i = 0; i < AGENT_COUNTED_MODELS && *more->models[i].provider; i++)
        add_model(sum->models, &more->models[i]);
    add_servers(sum, more, false);
}

static void add_levels(struct figures *all, const struct figures *more)
{
    struct levels *sum = &all->levels;
    uint64_t worst = sum->loop_worst_us > more->levels.loop_worst_us
                         ? sum->loop_worst_us
                         : more->levels.loop_worst_us;
    add_words(sum, &more->levels, sizeof *sum);
    sum->loop_worst_us = worst;
    add_servers(all, more, true);
}

/* ---- the slots ----------------------------------------------------------- */

/* Identifies the layout of the figures. During a reload, workers of two builds
 * may share the memory; each ignores figures with another layout. */
static uint64_t figures_layout(void)
{
    return str_hash(STR(SEXTANT_VERSION)) ^ sizeof(struct figures);
}

static bool process_lives(int32_t pid)
{
    return pid && (kill(pid, 0) == 0 || errno == EPERM);
}

static struct figures_slot *claim_slot(struct figures_slot *slots)
{
    for (int i = 0; i < SLOTS; i++) {
        int32_t owner = atomic_load(&slots[i].owner);
        if (!process_lives(owner) &&
            atomic_compare_exchange_strong(&slots[i].owner, &owner, getpid()))
            return &slots[i];
    }
    return NULL;
}

static struct figures_slot *map_slots(int fd)
{
    struct stat about;
    size_t bytes = SLOTS * sizeof(struct figures_slot);
    if (fd < 0 || fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &about) != 0)
        return NULL; /* not our memory file */
    if ((size_t)about.st_size < bytes && ftruncate(fd, (off_t)bytes) != 0)
        return NULL;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* What this worker and the earlier ones in its slot have counted. */
static void collect_worker(struct figures_share *s, struct figures *out)
{
    collect_all(s, out);
    add_counts(out, &s->before);
}

static void on_publish(struct timer *t)
{
    struct figures_share *s = container_of(t, struct figures_share, publish);
    collect_worker(s, &s->mine->figures);
    sse_trim_memory();
    timer_start(t, PUBLISH_MS, on_publish);
}

struct figures_share *figures_open(struct api *api, int fd)
{
    struct figures_share *s = mem_new(struct figures_share);
    s->api = api;
    s->slots = map_slots(fd);
    s->mine = s->slots ? claim_slot(s->slots) : NULL;
    if (!s->mine)
        return s;
    if (atomic_load(&s->mine->layout) == figures_layout())
        s->before = s->mine->figures;
    s->before.levels = (struct levels){0};
    atomic_store(&s->mine->layout, figures_layout());
    on_publish(&s->publish);
    return s;
}

/* The counts stay in the slot for the next worker. */
void figures_stop(struct figures_share *s)
{
    if (s->mine)
        collect_worker(s, &s->mine->figures);
    timer_stop(&s->publish);
}

void figures_close(struct figures_share **at)
{
    struct figures_share *s = *at;
    *at = NULL;
    if (!s)
        return;
    if (s->slots)
        munmap(s->slots, SLOTS * sizeof(struct figures_slot));
    mem_free(s);
}

void figures_add_up(struct figures_share *s, struct figures *out)
{
    collect_worker(s, out);
    if (s->mine)
        s->mine->figures = *out; /* counters must never decrease */
    for (int i = 0; s->mine && i < SLOTS; i++) {
        const struct figures_slot *other = &s->slots[i];
        if (other == s->mine || atomic_load(&other->layout) != figures_layout())
            continue;
        add_counts(out, &other->figures);
        if (process_lives(atomic_load(&other->owner)))
            add_levels(out, &other->figures);
    }
}
