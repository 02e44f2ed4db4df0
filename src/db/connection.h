/* connection.h - one connection to PostgreSQL on the loop.
 *
 *   new        nothing yet
 *   resolving  its host name is being looked up
 *   connecting libpq talks; within connect_ms
 *   idle       ready, nothing sent
 *   busy       statements are out, results are coming
 *   resting    nobody wants what is coming; it is lost if that takes too long
 *   closing    its memory goes when libuv lets go of its handles
 *
 * Nothing here blocks, and no event is called from inside a function of this
 * header: always from the loop. A connection does not come back: whoever lost
 * one opens another. It knows nothing of pools, flows or SQL. */
#pragma once
#include "endpoint.h"
#include "loop/timer.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <uv.h>

enum connection_state {
    CONNECTION_NEW,
    CONNECTION_RESOLVING,
    CONNECTION_CONNECTING,
    CONNECTION_IDLE,
    CONNECTION_BUSY,
    CONNECTION_RESTING,
    CONNECTION_CLOSING,
    CONNECTION_STATES
};

struct connection;

struct connection_events {
    void (*up)(struct connection *c); /* idle now */
    /* The callee owns the result. NULL ends the results of one statement; a
     * PGRES_PIPELINE_SYNC has no NULL after it. */
    void (*result)(struct connection *c, PGresult *result);
    void (*notified)(struct connection *c, const char *channel,
                     const char *payload); /* may be NULL */
    void (*lost)(struct connection *c);    /* c->why; the last one */
};

struct connection_options {
    const char *name;     /* for logs */
    const char *conninfo; /* secret */
    unsigned connect_ms;
    bool pipeline;     /* in pipeline mode; else the simple protocol */
    bool no_superuser; /* lost at once when its role is one */
    bool of_a_user;    /* as in pool.h */
    const struct connection_events *events;
    void *who;
};

struct connection {
    enum connection_state state;
    PGconn *pg; /* once connecting */
    void *who;
    unsigned syncs; /* sent and not yet answered */
    char why[256];  /* why it was lost: one line, no secret */
    bool spoken;    /* the server refused it with a word of its own */
    bool lasting;   /* … and waiting does not help: a wrong password, a name
                       that is not known; not a server that restarts */
    /* private */
    const struct connection_events *events;
    bool pipeline, no_superuser, failing, held;
    struct timer timer; /* of connecting, of resting, or of a failure */
    struct endpoint endpoint;
    uv_poll_t *poll; /* renewed when libpq changes its socket */
    int watched;
    uv_prepare_t anchor; /* never started; its close frees the memory */
    bool anchored;
    char name[32];
};

struct connection *connection_open(const struct connection_options *options);
/* The owner hears nothing more; c may not be used after. */
void connection_close(struct connection *c);

/* After PQsend…: in pipeline mode puts a Sync behind it; starts to send. */
void connection_send(struct connection *c);
/* Everything is answered: idle again. */
void connection_settle(struct connection *c);
/* Takes no more results, and reads no more from the socket, until it is let go;
 * what has come goes on from the loop then. */
void connection_hold(struct connection *c, bool held);
/* Nobody wants the answer: lost unless it settles or resumes within ms. */
void connection_rest(struct connection *c, unsigned ms);
void connection_resume(struct connection *c);
/* Loses it, soon, from the loop. */
void connection_fail(struct connection *c, const char *why);
/* An idle connection whose peer is gone, though the loop has not seen it yet. */
bool connection_stale(const struct connection *c);

const char *connection_state_name(enum connection_state state);
/* Test seam: told every move. */
extern void (*connection_on_move)(enum connection_state from,
                                  enum connection_state to);
