/* supervisor.h - what the supervisor's files share. */
#pragma once
#include "config/config.h"
#include "config/home.h"
#include "config/options.h"
#include "supervisor/listener.h"
#include "postgres.h"
#include "sandbox_service.h"

enum { SUPERVISOR_READY_FD = 3 }; /* descriptor of `cluster` */

struct supervisor;
struct generation;

struct worker_service {
    struct service service;
    struct generation *generation;
    int hearing, telling; /* ends of the worker's pipe; -1: none */
    bool serves;
    int silences; /* looks in a row without a sign of life */
    char name[16];
};

/* The workers of one set of settings. A reload starts another generation on the
 * same sockets, and ends the old one when the new one serves. */
struct generation {
    struct supervisor *supervisor;
    struct arena arena; /* for its settings */
    struct config config;
    const char **environment;
    struct worker_service workers[LISTENER_MOST];
    int n; /* 0: no workers */
};

struct supervisor {
    struct arena arena;
    int argc;
    char **argv;
    struct config config; /* as at the start */
    struct home home;
    int lock;
    bool only_cluster;
    const char *program;      /* path of sextant, which prepares and works */
    const char **environment; /* for those processes */

    bool has_postgres, has_sandbox;
    struct postgres postgres;
    struct sandbox_service sandbox;
    struct listeners listeners;
    int figures; /* memory shared by the workers; -1: none */
    struct generation generations[2], *now;
    struct timer watch; /* looks for workers that hang */

    struct flow *story; /* from the start until it is cancelled */
    bool up;
    struct flow *reload; /* NULL: no reload in progress */
    bool reload_again;
    struct wake over; /* a service has ended */
    unsigned stops;   /* stop signals received */
    int status;       /* exit status */
};

/* supervisor_story.c: starts the server. */
void supervisor_start(struct supervisor *s);
/* The options of `serve`. */
extern const struct option serve_options[];
/* supervisor_reload.c: reads the settings again; workers with the new ones
 * replace the old workers. */
void supervisor_reload(struct supervisor *s);

/* supervisor_workers.c: the environment of processes of `sextant`. */
const char **server_environment(struct arena *arena, const struct config *c);
/* Starts the workers of a generation. */
void workers_start(struct supervisor *s, struct generation *g);
bool workers_serve(struct generation *g); /* all of them have reported so */
/* one of them ended at least once */
bool workers_died(const struct generation *g);
void workers_stop(struct generation *g);
void workers_replaced(
    struct generation *g); /* the same; others serve already */
bool workers_over(const struct generation *g);
void workers_forget(struct generation *g); /* frees them once they have ended */
/* sends it to all */
void workers_signal(struct supervisor *s, int signal_number);
/* supervisor_end.c: stops everything in order, then calls loop_stop. */
void supervisor_end(struct supervisor *s);
/* Stops without waiting (second signal). */
void supervisor_hurry(struct supervisor *s);
