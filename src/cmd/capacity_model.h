/* capacity_model.h - what a load needs: cores, memory, connections, disk. See
 * docs/scale.md. */
#pragma once
#include "base/buf.h"
#include "base/json.h"
#include <stdbool.h>

/* What one run costs here; bench/run.py measures these. */
#define CAPACITY_FIGURES(X) \
    X(worker_cpu_ms, 2.6, "CPU of a worker for a run") \
    X(postgres_cpu_ms, 9.6, "CPU of PostgreSQL for a run") \
    X(python_cpu_ms, 13, "CPU of the sandbox for a run") \
    X(run_kb, 48, "memory of a run in progress") \
    X(stream_kb, 8, "memory of an idle event stream") \
    X(worker_mb, 20, "memory of an idle worker") \
    X(python_mb, 150, "memory of an execution of Python") \
    X(stored_kb, 160, "disk of a run, with events and traces") \
    X(events, 120, "events of a run") \
    X(run_s, 40, "duration of a run, with its model calls")
struct capacity_figures {
#define X(name, usual, about) double name;
    CAPACITY_FIGURES(X)
#undef X
};

struct capacity_load {
    double users, questions_per_hour; /* of each user */
};

struct capacity {
    double runs_per_s, in_progress;
    double worker_cores, postgres_cores, python_cores;
    double workers; /* processes, each at most half busy */
    double memory_mb, events_per_s, disk_gb_per_day, descriptors;
    const char *first; /* what saturates first */
};

/* The defaults, which docs/bench.md explains. */
struct capacity_figures capacity_defaults(void);
/* Replaces figures by those of an object. False: a member is unknown, not a
 * number, or not above 0; *problem names it. */
bool capacity_read(const json_t *object, struct capacity_figures *figures,
                   struct str *problem);
struct capacity capacity_of(const struct capacity_figures *f,
                            const struct capacity_load *load);
/* Writes the answer as text. */
void capacity_tell(struct buf *out, const struct capacity_figures *f,
                   const struct capacity_load *load);
