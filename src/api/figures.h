/* figures.h - what the workers of a machine have counted, together.
 *
 * Which worker answers a scrape is chance, so all of them share one memory file,
 * which the supervisor makes and each inherits:
 *
 *   slot    one worker's figures; a new worker goes on counting where the one
 *           before it has ended, so that no counter ever goes back
 *   counts  only grow; added word by word
 *   levels  how things stand; those of a worker that is gone count no more
 *
 * A worker counts in its own memory and copies to its slot once a second, so a
 * page shows its own worker's figures as they are and the others' of the last
 * second. Nothing here is on the way of a request but one increment. */
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

/* Answers by status; [FIGURE_ROUTES] is what no route took. */
struct route_figures {
    uint64_t answers[FIGURE_STATUSES];
    struct histogram durations;
};

/* 64-bit counters and nothing else. */
struct counts {
    struct route_figures routes[FIGURE_ROUTES + 1];
    struct histogram first_events; /* from the request to the first event */
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
};

/* Likewise. */
struct levels {
    uint64_t workers, connections, streams, stream_bytes, runs, waiting;
    uint64_t listening; /* workers that hear notices */
    uint64_t system_open, system_busy, system_waiting;
    uint64_t source_open, source_busy, source_waiting;
    uint64_t model_calls, resident_bytes, loop_worst_us;
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
/* `fd`: the memory file, or -1: alone. Never fails: what cannot be shared is
 * counted alone. */
struct figures_share *figures_open(struct api *api, int fd);
/* Copies what there is and copies no more: the server is about to close. */
void figures_stop(struct figures_share *s);
void figures_close(struct figures_share **s);
/* An answer has ended. */
void figures_count(struct figures_share *s, int route, int status, uint64_t us);
void figures_first_event(struct figures_share *s, uint64_t us);
/* All workers' together. */
void figures_add_up(struct figures_share *s, struct figures *out);
