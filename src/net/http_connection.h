/* http_connection.h - what the files of the HTTP server share.
 *
 *   turn       the server's work once a loop turn, before the poll: it writes
 *              responses (one write a connection), parses pipelined requests,
 *              frees ended exchanges and flushes the log
 *   touched    a connection that has something to do in the next turn
 *   flight     bytes that the kernel did not take at once; checks that the
 *              client keeps reading them
 *   lingering  our side is shut down; what the client still sends is read and
 *              dropped, so that no reset destroys the last response (RFC 9112,
 *              9.6)
 *
 * Only http_connection_move changes the state of a connection; it knows the
 * allowed transitions. */
#pragma once
#include "base/buf.h"
#include "http_parser.h"
#include "loop/timer.h"
#include "loop/wait.h"
#include "net/body_stream.h"
#include "net/http_server.h"
#include "ring.h"
#include <uv.h>

enum http_connection_state {
    CONNECTION_IDLE,      /* between requests */
    CONNECTION_HEAD,      /* reading a head */
    CONNECTION_BODY,      /* reading a body */
    CONNECTION_BUSY,      /* the handler has an exchange */
    CONNECTION_ENDING,    /* sending the last response */
    CONNECTION_LINGERING, /* … which has been sent */
    CONNECTION_CLOSED,
    CONNECTION_STATES
};

enum {
    LINGER_MS = 1000,
    LAST_REQUEST_MS = 1000, /* idle timeout while the server drains */
    UNREAD_MS = 100,        /* for reading what arrived before a timeout */
    LINGER_BYTES = 256 * 1024,
    STREAM_LINGER_MS = 30 * 1000, /* the same after a streamed body: a client
                                     may read its answer only after it has sent
                                     all of it */
    STREAM_LINGER_BYTES = 1024 * 1024 * 1024,
    STREAM_BYTES = 64 * 1024,   /* of a streamed body that were not taken: no
                                 more are parsed */
    PENDING_BYTES = 64 * 1024,  /* read ahead while an exchange is open */
    BACKLOG_BYTES = 256 * 1024, /* unsent: no further request is parsed */
    PROGRESS_BYTES = 64 * 1024, /* that must be sent within write_ms */
    REQUESTS_A_TURN = 32,       /* of one connection */
    ADDRESS_SIZE = 46,
};

struct http_connection;

struct exchange {
    struct http_exchange face; /* what the handler sees */
    struct http_server *server;
    struct http_connection *connection; /* NULL: disconnected, or ended */
    struct exchange *next; /* in the list of ended or of spare ones */
    struct buf body;
    struct body_stream {
        int64_t length;   /* as body_stream_length */
        size_t taken;     /* bytes at the front of `body` */
        size_t arrived;   /* bytes since the last check of its speed */
        struct wake wake; /* something below or in `body` changed */
        enum err broken;  /* OK: it is not */
        struct str why;   /* static text */
    } stream;
    struct buf headers; /* set by the handler, as sent; in the arena */
    struct str etag;    /* set by the handler; empty: none */
    bool etag_is_weak;
    size_t sent;     /* bytes of the response, for the access log */
    size_t chunk_at; /* in connection->out: the open chunk, if chunk_open */
    int status;
    bool handed;     /* the handler has it */
    bool body_comes; /* its body is streamed, and not whole */
    bool cut;        /* the client did not get the whole response */
    bool answered, ended;
    bool streaming, chunked, chunk_open;
    bool head_only; /* HEAD */
    bool has_retry_after;
};

struct flight {
    uv_write_t request;
    struct http_connection *connection;
    struct timer timer;
    struct buf bytes;
    size_t waiting; /* bytes, at the last check */
};

struct http_connection {
    uv_tcp_t tcp;
    struct http_server *server;
    struct ring_link place;   /* in the server's idle or active ring */
    struct ring_link touched; /* in its ring of touched connections */
    struct timer timer;
    uint64_t deadline; /* 0: none; the timer may fire earlier */
    struct http_parser parser;
    struct buf in;    /* read ahead */
    size_t in_at;     /* … and parsed up to here */
    struct buf out;   /* responses not yet written */
    struct str fixed; /* then these bytes, of http_reply_static */
    struct flight *flight;
    struct exchange *exchange;
    uint64_t turn; /* of the server, in which `requests` were handled */
    uint16_t requests;
    uint8_t state;
    bool read_paused, read_ended;
    bool drain_due;   /* something was sent since on_drained */
    bool streams;     /* a body was streamed */
    uint32_t drained; /* while lingering */
    char peer[ADDRESS_SIZE];
};

/* The access log's rate limit: in a second, at most ACCESS_KIND_LINES of a kind
 * (route and status) and ACCESS_LINES in all; the first of each kind always. */
enum {
    ACCESS_KINDS = 512,
    ACCESS_KIND_LINES = 50,
    ACCESS_LINES = 500,
    ACCESS_WINDOW_MS = 1000,
};
struct access_window {
    uint64_t second;
    unsigned lines;
    uint64_t held; /* suppressed lines, of all kinds */
    struct access_kind {
        int route, status; /* status 0: unused */
        unsigned lines;
        unsigned held;
    } kinds[ACCESS_KINDS];
    struct timer end; /* runs if lines were suppressed */
};

struct http_listener {
    uv_poll_t poll;
    int fd;
};

struct http_server {
    struct http_server_options options;
    struct http_listener *listeners;
    int n_listeners, n_own; /* our own come first */
    uv_prepare_t prepare;
    uv_idle_t wake;           /* runs while the next poll must not sleep */
    struct timer retry, look; /* see http_server.c */
    int port;
    bool listening, accept_paused, draining, closing;
    unsigned handles; /* open libuv handles of the server */
    unsigned connections, exchanges;
    unsigned most_connections;
    uint64_t turn;
    struct http_counts counts;
    struct access_window access;
    struct ring_link idle, active; /* all connections; idle: longest first */
    struct ring_link touched;
    struct exchange *ended, *spare;
    unsigned spares;
};

/* ---- http_server.c ------------------------------------------------------ */

/* To be called when a connection has closed, and when an exchange is freed. */
void http_server_connection_closed(struct http_server *s);
void http_server_exchange_freed(struct http_server *s);
/* Makes sure that there is another turn, and that its poll does not sleep. */
void http_server_wake(struct http_server *s);

/* ---- http_connection.c -------------------------------------------------- */

/* Takes over an accepted socket. */
void http_connection_open(struct http_server *s, int fd, const char *peer);
/* Puts the connection into the next turn. */
void http_connection_touch(struct http_connection *c);
/* The turn: parses what was read ahead, writes what is queued. */
void http_connection_turn(struct http_connection *c);
/* The response of its exchange is complete in `out` and `fixed`. */
void http_connection_answered(struct http_connection *c, bool keep_alive);
/* Tells a client that waits for it to send the body of its request. */
void http_connection_continue(struct http_connection *c);
/* Shortens the idle timeout, because the server drains. A request may be on its
 * way already, so an idle connection is not closed at once. */
void http_connection_drain(struct http_connection *c);
/* The last response has been written: shuts down our side. */
void http_connection_linger(struct http_connection *c);
/* Closes it now; if it has an exchange, calls its on_gone. */
void http_connection_close(struct http_connection *c);
/* The same with a reset, which drops what the kernel still holds. */
void http_connection_reset(struct http_connection *c);

/* ---- http_write.c ------------------------------------------------------- */

/* Writes what is queued; what the kernel does not take becomes a flight. */
void http_connection_flush(struct http_connection *c);
/* Bytes that the kernel has not taken. */
size_t http_connection_queued(const struct http_connection *c);

/* ---- http_exchange.c ---------------------------------------------------- */

struct exchange *http_exchange_new(struct http_connection *c);
/* Frees an exchange that the handler never got. */
void http_exchange_free(struct exchange *e);
/* Calls the handler. */
void http_exchange_hand_over(struct exchange *e);
/* The client has disconnected: calls on_gone, or frees the exchange if the
 * handler does not have it. */
void http_exchange_disconnected(struct exchange *e);
/* The handler has ended it: counts and logs it; it is freed at the end of the
 * turn. */
void http_exchange_end(struct exchange *e);
void http_exchange_free_ended(struct http_server *s);
/* Completes the open chunk of a stream, if any. */
void http_exchange_close_chunk(struct exchange *e);
/* The client's X-Request-Id if it is well formed, else a new UUID. */
struct str http_exchange_request_id(struct exchange *e);

/* ---- body_stream.c ------------------------------------------------------ */

/* More of a streamed body has been parsed. */
void body_stream_arrived(struct exchange *e, size_t bytes);
/* It is whole. */
void body_stream_whole(struct exchange *e);
/* The rest of it will not come. */
void body_stream_break(struct exchange *e, enum err how, struct str why);
/* Whether more of it may be parsed. */
bool body_stream_takes(const struct exchange *e);

/* ---- http_reply.c ------------------------------------------------------- */

/* Responds to a request that the parser or a timeout refused, and ends the
 * connection. */
void http_connection_refuse(struct http_connection *c,
                            const struct http_refusal *why);

/* ---- http_access.c ------------------------------------------------------ */

/* Logs the request, unless the rate limit suppresses the line. */
void http_access_log(const struct exchange *e);
/* Logs how many lines were suppressed so far; for the end of the server. */
void http_access_end(struct http_server *s);
