/* supervisor.h - what the supervisor's files share. */
#pragma once
#include "config/config.h"
#include "config/home.h"
#include "config/options.h"
#include "supervisor/listener.h"
#include "postgres.h"
#include "sandbox_service.h"

enum { SUPERVISOR_READY_FD = 3 }; /* of `cluster` */

struct supervisor;
struct generation;

struct worker_service {
    struct service service;
    struct generation *generation;
    int hearing, telling; /* ends of its pipe; -1: none */
    bool serves;
    int silences; /* looks in a row at which nothing was heard of it */
    char name[16];
};

/* Workers of the same settings. A reload starts another generation on the same
 * sockets, and ends the one before when the new one serves. */
struct generation {
    struct supervisor *supervisor;
    struct arena arena; /* of its settings */
    struct config config;
    const char **environment;
    struct worker_service workers[LISTENER_MOST];
    int n; /* 0: there is none */
};

struct supervisor {
    struct arena arena;
    int argc;
    char **argv;
    struct config config; /* as it was started */
    struct home home;
    int lock;
    bool only_cluster;
    const char *program;      /* sextant: prepares and works */
    const char **environment; /* of those */

    bool has_postgres, has_sandbox;
    struct postgres postgres;
    struct sandbox_service sandbox;
    struct listeners listeners;
    int figures; /* a memory file of the workers; -1: none */
    struct generation generations[2], *now;
    struct timer watch; /* of workers that stand still */

    struct flow *story; /* up to being up, and then waiting */
    bool up;
    struct flow *reload; /* NULL: none under way */
    bool reload_again;
    struct flow *ending; /* set once */
    struct wake over;    /* a service has ended */
    unsigned stops;      /* signals heard */
    int status;          /* to exit with */
};

/* supervisor_story.c */
void supervisor_start(struct supervisor *s);
/* What `serve` takes beside settings. */
extern const struct option serve_options[];
/* supervisor_reload.c: reads the settings anew; workers of the new ones take the
 * place of those there are. */
void supervisor_reload(struct supervisor *s);

/* supervisor_workers.c */
/* The workers of g's settings, started. */
void workers_start(struct supervisor *s, struct generation *g);
bool workers_serve(struct generation *g);      /* all have said so */
bool workers_died(const struct generation *g); /* one of them, at least once */
void workers_stop(struct generation *g);
void workers_replaced(
    struct generation *g); /* the same; others serve already */
bool workers_over(const struct generation *g);
void workers_forget(struct generation *g); /* after that: there are none */
void workers_signal(struct supervisor *s, int signal_number); /* to all */
/* supervisor_end.c: stops all in order; calls loop_stop when nothing is left. */
void supervisor_end(struct supervisor *s);
void supervisor_hurry(struct supervisor *s);
