/* figures.h - the metrics of all workers of a machine together.
 *
 * A scrape reaches any one worker, so all workers share one memory file, which
 * the supervisor creates and each worker inherits.
 *
 *   slot    one worker's figures; a new worker continues where the previous one
 *           in its slot stopped, so that no counter ever decreases
 *   counts  counters; added up word by word
 *   levels  gauges; those of a worker that has ended are ignored
 *
 * A worker counts in its own memory and copies that to its slot once a second.
 * A scrape shows the answering worker's current figures and those of the others
 * from the last second. A request costs one increment here. */
#pragma once
#include "agent/agent.h"
#include "base/histogram.h"
#include "llm/llm.h"
#include "loop/loop.h"

struct api;

enum {
#define ROUTE(method, pattern, permission, handler, about) +1
    FIGURE_ROUTES = 0
#include "api/routes.def"
#undef ROUTE
    ,
    FIGURE_STATUSES = 20
};

/* Answers by status. Index FIGURE_ROUTES counts requests that match no
 * route. */
struct route_figures {
    uint64_t answers[FIGURE_STATUSES];
    struct histogram durations;
};

/* 64-bit counters only, because they are added up as an array. */
struct counts {
    struct route_figures routes[FIGURE_ROUTES + 1];
    struct histogram first_events; /* from the request to its first event */
    uint64_t refused, cut, response_bytes;
    uint64_t runs_started, runs[RUN_ENDINGS][PHASE_COUNT + 1];
    uint64_t phases[PHASE_COUNT];
    struct histogram run_durations, phase_durations[PHASE_COUNT];
    uint64_t queries, query_failures, reconnects;
    uint64_t commits, events, journal_failures, journal_bytes;
    uint64_t notices_said, notices_sent, notices_heard, notices_dropped;
    struct histogram flushes;
    uint64_t executions, execution_failures, sandbox_unavailable;
    struct histogram execution_durations;
    uint64_t lag[LOOP_LAG_BUCKETS], lag_sum_us;
    uint64_t log_dropped, requests_unlogged, slow_streams;
    uint64_t spans_exported, spans_failed, spans_dropped;
};

/* 64-bit gauges only. */
struct levels {
    uint64_t workers, connections, streams, stream_bytes, runs, waiting;
    uint64_t listening; /* workers that receive notices */
    uint64_t system_open, system_busy, system_waiting;
    uint64_t source_open, source_busy, source_waiting;
    uint64_t model_calls, resident_bytes, loop_worst_us, spans_waiting;
};

enum { FIGURE_SERVERS = 8 };

struct figures {
    struct counts counts;
    struct levels levels;
    struct model_counters models[AGENT_COUNTED_MODELS];
    struct llm_server servers[FIGURE_SERVERS];
};

int figure_status(int column); /* 0: any other */

struct figures_share;
/* Opens the metrics. `fd` is the shared memory file, or -1. Never fails:
 * without shared memory, this worker's figures are all there are. */
struct figures_share *figures_open(struct api *api, int fd);
/* Copies the figures one last time, before the server closes. */
void figures_stop(struct figures_share *s);
/* Frees it and sets *s to NULL. */
void figures_close(struct figures_share **s);
/* Counts an answer that has ended. */
void figures_count(struct figures_share *s, int route, int status, uint64_t us);
/* Counts the time from a request to its first event. */
void figures_first_event(struct figures_share *s, uint64_t us);
/* The sum over all workers. */
void figures_add_up(struct figures_share *s, struct figures *out);
