/* supervisor.h - what the supervisor's files share. */
#pragma once
#include "cmd/config.h"
#include "cmd/home.h"
#include "cmd/options.h"
#include "listener.h"
#include "postgres.h"
#include "sandbox_service.h"

enum { SUPERVISOR_READY_FD = 3 }; /* of `cluster` */

struct supervisor;

struct worker_service {
    struct service service;
    struct supervisor *supervisor;
    int socket;
    int ready, telling; /* ends of its pipe; -1: none */
    bool serves;
    char name[16];
};

struct supervisor {
    struct arena arena;
    struct config config;
    struct home home;
    int lock;
    bool only_cluster;
    const char *program; /* sextant: prepares and works */
    const char **environment; /* of those */

    bool has_postgres, has_sandbox;
    struct postgres postgres;
    struct sandbox_service sandbox;
    struct listeners listeners;
    struct worker_service workers[LISTENER_MOST];
    int n_workers;
    int figures; /* a memory file of theirs; -1: none */

    struct flow *story;  /* up to being up, and then waiting */
    struct flow *ending; /* set once */
    struct wake over;    /* a service has ended */
    unsigned stops;      /* signals heard */
    int status;          /* to exit with */
};

/* supervisor_story.c */
void supervisor_start(struct supervisor *s);
/* supervisor_workers.c */
void workers_init(struct supervisor *s);
/* A worker has said that it serves; forgets its pipe. */
bool workers_serve(struct supervisor *s);
/* supervisor_end.c: stops all in order; calls loop_stop when nothing is left. */
void supervisor_end(struct supervisor *s);
void supervisor_hurry(struct supervisor *s);
