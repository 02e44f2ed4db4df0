/* cli.h - the frame of a command that works on the system database.
 *
 *   join   a server runs in $SEXTANT_HOME: use its sockets
 *   start  none does: run PostgreSQL (and for questions the sandbox) while the
 *          command runs
 *
 * With DATABASE_URL only the sandbox is started, and only for questions. */
#pragma once
#include "config/config.h"
#include "config/home.h"
#include "config/options.h"
#include "engine.h"
#include "loop/process.h"
#include <signal.h>

struct cli {
    /* In */
    struct arena arena;
    struct config config;
    const char *name;  /* the command's name */
    bool any_schema;   /* accepts an old schema: migrate */
    bool asks;         /* needs the sandbox, models and the agent */
    const char *plays; /* a model that the command registers; or NULL */
    bool measures;     /* judges models: trusted answers are not used */

    struct home home;
    struct engine engine;
    const char *joined; /* the server's URL; NULL: none was joined */
    int status;         /* exit status; the flow may set it */

    /* private */
    step_fn *begin; /* the command's first step, run once all is open */
    void *locals;
    struct flow *story;
    struct migrate *schema;
    struct flow *cluster;
    struct process *process;
    struct pause pause;
    uv_signal_t signals[2];
    const char *log_path;
    int ready;   /* reading end of the cluster's pipe */
    int heard;   /* bytes read from it */
    bool ended;  /* the cluster has ended */
    bool outrun; /* because another process has the lock */
    uint64_t since;
    bool waited;
    bool engine_open;
    unsigned stops;
};

/* Initializes *c and reads the command line, as options_read. */
bool cli_read(struct cli *c, const char *name, int argc, char **argv,
              const struct option *own, struct arguments *args);
/* Opens, runs the flow that starts with `begin`, closes. Returns the exit
 * status. */
int cli_run(struct cli *c, step_fn *begin, void *locals);

/* cluster.c: subflows with the cli as locals. Joins or starts a database. */
struct next cluster_begin(struct flow *f);
/* Waits until the sandbox answers, or never will. */
struct next cluster_sandbox_begin(struct flow *f);
/* Ends a cluster that was started. */
void cluster_stop(struct cli *c);

/* The user that a command acts for: without an email cli@localhost, an admin;
 * with an email but no role that user, who must exist; with both, that user
 * with that role, created if necessary. */
struct cli_user {
    struct cli *cli;
    struct str email, role;
    struct str id;              /* out; valid as long as the flow */
    struct user_upsert *ensure; /* private */
    struct query *query;        /* private */
};
/* Subflow (locals: struct cli_user). Fails with ERR_NOT_FOUND. */
struct next cli_user_begin(struct flow *f);

/* The ontology that a command asks about. */
struct cli_ontology {
    struct cli *cli;
    /* A name or an id, of it or of its dataset; empty: the latest */
    struct str wanted;
    struct str id, name, connection_id; /* out; valid as long as the cli */
    int n;                              /* out: how many match */
    struct query *query;                /* private */
};
/* Subflow (locals: struct cli_ontology). Fails with ERR_NOT_FOUND and a reason
 * if no ready ontology matches. */
struct next cli_ontology_begin(struct flow *f);
