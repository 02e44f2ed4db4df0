/* connection.h - one connection to PostgreSQL on the loop.
 *
 *   new        nothing has happened yet
 *   resolving  its host name is being looked up
 *   connecting libpq performs the handshake, within connect_ms
 *   idle       ready; nothing was sent
 *   busy       statements were sent, results are coming
 *   resting    the results that come are not needed; lost if that takes long
 *   closing    its memory is freed when libuv has closed its handles
 *
 * Nothing here blocks. Events are called from the loop, never from inside a
 * function of this header. A lost connection stays lost; its owner opens
 * another. It knows nothing of pools, flows or SQL. */
#pragma once
#include "endpoint.h"
#include "loop/timer.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <uv.h>

enum pg_connection_state {
    CONNECTION_NEW,
    CONNECTION_RESOLVING,
    CONNECTION_CONNECTING,
    CONNECTION_IDLE,
    CONNECTION_BUSY,
    CONNECTION_RESTING,
    CONNECTION_CLOSING,
    CONNECTION_STATES
};

struct pg_connection;

struct connection_events {
    void (*up)(struct pg_connection *c); /* it is idle now */
    /* The callee owns the result. NULL ends the results of a statement; no NULL
     * follows a PGRES_PIPELINE_SYNC. */
    void (*result)(struct pg_connection *c, PGresult *result);
    void (*notified)(struct pg_connection *c, const char *channel,
                     const char *payload); /* may be NULL */
    void (*lost)(struct pg_connection *c); /* the last event; c->why says why */
};

struct connection_options {
    const char *name;     /* for logs */
    const char *conninfo; /* secret */
    unsigned connect_ms;
    bool pipeline;     /* in pipeline mode; else the simple protocol */
    bool no_superuser; /* it is lost at once when its role is a superuser */
    bool address_from_user; /* as in pool.h */
    const struct connection_events *events;
    void *who;
};

struct pg_connection {
    enum pg_connection_state state;
    PGconn *pg; /* from connecting on */
    void *who;
    unsigned syncs;         /* sent and not yet answered */
    char why[256];          /* why it was lost: one line, no secret */
    bool refused_by_server; /* the server itself said so: it is alive */
    /* waiting does not help: a wrong password or an unknown host, but not a
     * server that restarts */
    bool permanent;
    /* private */
    const struct connection_events *events;
    bool pipeline, no_superuser, failing, held;
    struct timer timer; /* for connecting, for resting, or for a failure */
    struct endpoint endpoint;
    uv_poll_t *poll; /* replaced when libpq changes its socket */
    int watched;
    uv_prepare_t anchor; /* never started; closing it frees the memory */
    bool anchored;
    char name[32];
};

/* Starts to connect; `up` or `lost` follows. It never fails here. */
struct pg_connection *connection_open(const struct connection_options *options);
/* Closes it without further events; c may not be used afterwards. */
void connection_close(struct pg_connection *c);

/* Call after PQsend…: appends a Sync in pipeline mode, and starts to send. */
void connection_send(struct pg_connection *c);
/* Sends SQL in the simple protocol; a failure loses the connection. */
void connection_query(struct pg_connection *c, const char *sql);
/* All statements are answered: it is idle again. */
void connection_settle(struct pg_connection *c);
/* While held it reads nothing from the socket and passes on no results. When it
 * is released, results that libpq has already are passed on from the loop. */
void connection_hold(struct pg_connection *c, bool held);
/* The results are not needed: it is lost unless it settles or resumes within
 * ms. */
void connection_rest(struct pg_connection *c, unsigned ms);
/* Its results are needed again: busy. */
void connection_resume(struct pg_connection *c);
/* Loses it from the loop, soon. */
void connection_fail(struct pg_connection *c, const char *why);
/* True when the peer of an idle connection is gone, although the loop has not
 * noticed yet. */
bool connection_stale(const struct pg_connection *c);

/* The state in lower case, for logs. */
const char *connection_state_name(enum pg_connection_state state);
/* For tests: called on every change of state. */
extern void (*connection_on_move)(enum pg_connection_state from,
                                  enum pg_connection_state to);
