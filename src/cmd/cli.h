/* cli.h - a command that works on the system database.
 *
 *   join   a server runs in $SEXTANT_HOME: its sockets are used
 *   start  none does: PostgreSQL (and for questions the sandbox) run for the
 *          command's own time
 *
 * With DATABASE_URL nothing need run but, for questions, the sandbox. */
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
    const char *name;  /* of the command */
    bool any_schema;   /* it does not mind an old schema: migrate */
    bool asks;         /* it needs the sandbox, models and the agent */
    const char *plays; /* a model of its own, beside the settings'; or NULL */
    step_fn *begin;    /* the command's own story, once all is open */
    void *locals;

    struct home home;
    struct engine engine;
    const char *joined; /* URL of the server; NULL: none */
    int status;         /* to exit with; the story may set it */

    /* private */
    struct flow *story;
    struct migrate *schema;
    struct flow *cluster;
    struct process *process;
    struct pause pause;
    uv_signal_t signals[2];
    const char *log_path;
    int ready;   /* reading end */
    int heard;   /* bytes on it */
    bool ended;  /* the cluster */
    bool outrun; /* because another has the lock */
    uint64_t since;
    bool waited;
    bool engine_open;
    unsigned stops;
};

/* Before options_read: the arena. */
void cli_init(struct cli *c, const char *name);
/* Opens, runs the story, closes; answers the exit status. */
int cli_run(struct cli *c);

/* cluster.c: subflows with the cli as locals. */
struct next cluster_begin(struct flow *f);
/* Once the sandbox can be asked, or never will. */
struct next cluster_sandbox_begin(struct flow *f);
void cluster_stop(struct cli *c);

/* The user that the command line stands for: cli@localhost, an admin, without an
 * address; the user of that address, who must be there, without a role; else
 * that user with that role, made if absent. */
struct cli_user {
    struct cli *cli;
    struct str email, role;
    struct str id;              /* out; lives as long as the flow */
    struct user_ensure *ensure; /* private */
    struct query *query;        /* private */
};
struct next cli_user_begin(struct flow *f);

/* What a command asks about: fails with ERR_NOT_FOUND, saying why, when there is
 * none that is ready. */
struct cli_ontology {
    struct cli *cli;
    struct str wanted;                  /* a name or an id; empty: the latest */
    struct str id, name, connection_id; /* out; live as long as the cli */
    int n;                              /* out: how many fit */
    struct query *query;                /* private */
};
struct next cli_ontology_begin(struct flow *f);
