/* http_connection.h - what the files of the HTTP server share.
 *
 *   turn       the server's once-a-loop-turn work, before the poll: answers go
 *              out (one write a connection), pipelined requests are taken up,
 *              ended exchanges are freed, the log is flushed
 *   touched    a connection that has something to do in the coming turn
 *   flight     what the kernel did not take at once: it owns the bytes and
 *              watches that they move
 *   lingering  our side is shut, what still comes is read and dropped, so that
 *              the last answer is not lost to a reset
 *
 * A connection moves between states by http_connection_move alone, which knows
 * the allowed moves. */
#pragma once
#include "base/buf.h"
#include "http_parser.h"
#include "loop/timer.h"
#include "net/http_server.h"
#include "ring.h"
#include <uv.h>

enum connection_state {
    CONNECTION_IDLE,      /* between requests */
    CONNECTION_HEAD,      /* a head is coming */
    CONNECTION_BODY,      /* a body is coming */
    CONNECTION_BUSY,      /* an exchange is with its owner */
    CONNECTION_ENDING,    /* the last answer goes out */
    CONNECTION_LINGERING, /* … has gone out */
    CONNECTION_CLOSED,
    CONNECTION_STATES
};

enum {
    LINGER_MS = 1000,
    LAST_REQUEST_MS = 1000, /* of an idle one, while the server drains */
    LINGER_BYTES = 256 * 1024,
    PENDING_BYTES = 64 * 1024,  /* read ahead while an exchange is open */
    BACKLOG_BYTES = 256 * 1024, /* unsent: no further request is taken up */
    PROGRESS_BYTES = 64 * 1024, /* that must go out within write_ms */
    REQUESTS_A_TURN = 32,       /* of one connection */
    ADDRESS_SIZE = 46,
};

struct connection;

struct exchange {
    struct http_exchange face; /* first */
    struct http_server *server;
    struct connection *connection; /* NULL: the client is gone */
    struct exchange *next;         /* of the ended or of the spare ones */
    struct buf body;
    struct buf headers; /* set by the owner, as they go out; in the arena */
    struct str etag;    /* set by the owner; empty: none */
    bool etag_is_weak;
    size_t sent;     /* bytes of the answer, for the access log */
    size_t chunk_at; /* in connection->out: the open chunk, if chunk_open */
    int status;
    bool handed; /* to its owner */
    bool cut;    /* the client did not get the whole answer */
    bool answered, ended;
    bool streaming, chunked, chunk_open;
    bool head_only; /* HEAD */
    bool has_retry_after;
};

struct flight {
    uv_write_t request;
    struct connection *connection;
    struct timer timer;
    struct buf bytes;
    size_t waiting; /* at the last look */
};

struct connection {
    uv_tcp_t tcp; /* first */
    struct http_server *server;
    struct link place;   /* in the server's idle or active ring */
    struct link touched; /* in its touched ring */
    struct timer timer;
    uint64_t deadline; /* 0: none; the timer may fire before it */
    struct http_parser parser;
    struct buf in;    /* read ahead */
    size_t in_at;     /* … and taken up to here */
    struct buf out;   /* answers not yet given to the kernel */
    struct str fixed; /* then these, which are not ours */
    struct flight *flight;
    struct exchange *exchange;
    uint64_t turn; /* of the server, in which `requests` were taken up */
    uint16_t requests;
    uint8_t state;
    bool read_paused, read_ended;
    bool drain_due;   /* something went out since on_drained */
    uint32_t drained; /* while lingering */
    char peer[ADDRESS_SIZE];
};

/* What was logged of requests in this second: at most ACCESS_KIND_LINES of a kind
 * (route and status) and ACCESS_LINES in all, but the first of each kind always. */
enum {
    ACCESS_KINDS = 512,
    ACCESS_KIND_LINES = 50,
    ACCESS_LINES = 500,
    ACCESS_WINDOW_MS = 1000,
};
struct access_window {
    uint64_t second;
    unsigned lines;
    uint64_t held; /* lines that were not written, of all kinds */
    struct access_kind {
        int route, status; /* status 0: this place is free */
        unsigned lines;
        unsigned held;
    } kinds[ACCESS_KINDS];
    struct timer end; /* runs while lines are held */
};

struct http_listener {
    uv_poll_t poll; /* first */
    int fd;
};

struct http_server {
    struct http_server_options options;
    struct http_listener *listeners;
    int n_listeners, n_own; /* the first are our own */
    uv_prepare_t prepare;
    uv_idle_t wake; /* runs while the next turn must not wait */
    struct timer retry, look;
    int port;
    bool listening, accept_paused, draining, closing;
    unsigned handles; /* of our own that are still open */
    unsigned connections, exchanges;
    unsigned most_connections;
    uint64_t turn;
    struct http_counts counts;
    struct access_window access;
    struct link idle, active; /* all connections; idle: longest first */
    struct link touched;
    struct exchange *ended, *spare;
    unsigned spares;
};

/* ---- http_server.c ------------------------------------------------------ */

/* A connection has closed, an exchange has been freed. */
void http_server_connection_closed(struct http_server *s);
void http_server_exchange_freed(struct http_server *s);
/* Makes sure that the coming turn does not wait, and that there is one. */
void http_server_wake(struct http_server *s);

/* ---- http_connection.c -------------------------------------------------- */

void http_connection_open(struct http_server *s, int fd, const char *peer);
void http_connection_touch(struct connection *c);
/* In the turn: takes up what was read ahead, sends what there is. */
void http_connection_turn(struct connection *c);
/* The answer of its exchange is complete in `out` and `fixed`. */
void http_connection_answered(struct connection *c, bool keep_alive);
/* Ends it after its exchange, or when no request comes any more: one may be on
 * its way already. */
void http_connection_drain(struct connection *c);
/* All of the last answer has been given to the kernel. */
void http_connection_linger(struct connection *c);
/* Closes it now; an exchange in it is told that its client is gone. */
void http_connection_close(struct connection *c);
/* The same with a reset, which drops what the kernel still holds. */
void http_connection_reset(struct connection *c);
void http_connection_move(struct connection *c, enum connection_state to);

/* ---- http_write.c ------------------------------------------------------- */

void http_connection_flush(struct connection *c);
size_t http_connection_queued(const struct connection *c);

/* ---- http_exchange.c ---------------------------------------------------- */

struct exchange *http_exchange_new(struct connection *c);
/* For one that was never handed over. */
void http_exchange_free(struct exchange *e);
void http_exchange_hand_over(struct exchange *e);
/* Its client is gone: tells the owner, or frees what has none yet. */
void http_exchange_lose(struct exchange *e);
/* Its owner has ended it. */
void http_exchange_end(struct exchange *e);
void http_exchange_free_ended(struct http_server *s);
void http_exchange_close_chunk(struct exchange *e);
/* What the client sent as X-Request-Id if it is sane, else a fresh one. */
struct str http_exchange_request_id(struct exchange *e);

/* ---- http_reply.c ------------------------------------------------------- */

/* Answers what the parser or a deadline refused, and ends the connection. */
void http_connection_refuse(struct connection *c,
                            const struct http_refusal *why);

/* ---- http_access.c ------------------------------------------------------ */

/* Writes the request's line, or counts it when there were too many like it. */
void http_access_log(const struct exchange *e);
/* Tells what was held back so far; the server closes. */
void http_access_end(struct http_server *s);
