/* http_server.h - HTTP/1.1 on the loop, strict (RFC 9110, 9112).
 *
 *   server      one or more listening sockets, which other processes may share
 *   connection  keep-alive and pipelining; one exchange at a time, in order
 *   exchange    one request and its answer; lives until its answer is sent, or
 *               until the client is gone and its owner has let go
 *
 * A request is handed over when its body is complete (within limits); what is
 * malformed, too large or too slow is answered here, and the connection closes.
 * The handler owns the exchange from then on and ends it once: a http_reply…,
 * http_stream_end or http_abort. It may do so later, from any callback or step.
 * After the end its memory stays until the loop's turn is over, not longer.
 *
 * Nothing is sent and no callback runs from inside the functions here: answers
 * go out once a loop turn, one write a connection.
 *
 * A client that shuts only its sending side is not gone. The process ignores
 * SIGPIPE from the first http_server_open on. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/trace.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_server;

struct http_header {
    struct str name; /* as sent */
    struct str value;
};

struct http_param {
    struct str name, value; /* decoded */
};

struct http_exchange {
    struct arena arena; /* of this request */
    struct str method;
    struct str target; /* as sent */
    struct str path;   /* decoded, without dot segments; starts with / */
    struct str query;  /* raw, without ? */
    struct str host;   /* whom it was sent to: of the target, else of Host */
    struct http_header *headers;
    size_t n_headers;
    struct str body;
    struct str peer;       /* address of the other end */
    struct str request_id; /* the client's when it is sane, else ours */
    struct trace trace; /* our span of the client's traceparent, or a new one */
    uint64_t started_ms;

    /* The owner's: */
    void *owner;
    int route; /* for on_ended */
    /* The client has gone away before the answer was complete. The exchange
     * stays until it is ended. */
    void (*on_gone)(struct http_exchange *x);
    /* All that was written to the stream has gone out. */
    void (*on_drained)(struct http_exchange *x);
};

struct http_limits {
    unsigned head_bytes; /* 16 KiB, 8 of them for the address; 431, 414 */
    unsigned headers;    /* 100 */
    unsigned body_bytes; /* 1 MiB; beyond: 413 */
    unsigned head_ms;    /* from the first byte; 408. Bytes do not reset it */
    unsigned body_ms;
    unsigned idle_ms;     /* between requests: close */
    unsigned write_ms;    /* less than 64 KiB of an answer gone out: close */
    unsigned connections; /* beyond: the longest idle is closed, or accept
                              waits; some descriptors are always left free */
};
extern const struct http_limits http_default_limits;

struct http_server_options {
    const char *host; /* address to bind; ignored with fds */
    int port;         /* 0: any */
    const int *fds;   /* inherited sockets; NULL: one is bound */
    int n_fds;
    /* The first of them are this process's own. From the rest, which other
     * processes accept from, what they leave for 100 ms is accepted. */
    int n_own_fds;
    struct http_limits limits;
    bool access_log;
    const char
        *secret_after; /* what follows this in a path is not logged; NULL:
                                 all may be */
    void (*on_request)(struct http_exchange *x, void *who);
    /* Its owner has ended it; for counting. Not after http_server_close. May be
     * NULL. */
    void (*on_ended)(const struct http_exchange *x, int status, void *who);
    void *who;
};

/* NULL when it cannot listen; *why says so. `host` and `fds` are not kept. */
struct http_server *http_server_open(const struct http_server_options *options,
                                     struct str *why);
int http_server_port(const struct http_server *s);
unsigned http_server_connections(const struct http_server *s);

struct http_counts {
    uint64_t accepted;  /* connections */
    uint64_t requests;  /* handed over */
    uint64_t refused;   /* malformed, too large, too slow: answered here */
    uint64_t cut;       /* the client did not get the whole answer */
    uint64_t status[6]; /* answers by hundreds, [2] is 2xx; [0] is others */
    uint64_t bytes;     /* of answers */
    uint64_t unlogged;  /* too many like them: counted in place of a line */
};
const struct http_counts *http_server_counts(const struct http_server *s);
/* Connections close after their exchange (with Connection: close), idle ones
 * when no request has come for a second. New ones are accepted as before, so
 * that no client waits for an answer that never comes. */
void http_server_drain(struct http_server *s);
/* Accepts the connections that wait, closes the listening sockets, and drains.
 * A socket that no other process holds refuses connections from then on. */
void http_server_retire(struct http_server *s);
/* Closes everything now; *s is NULL after. Exchanges still owned must be ended
 * by their owners (their on_gone is called). */
void http_server_close(struct http_server **s);

/* ---- reading a request -------------------------------------------------- */

/* The first of that name, in any case; empty when absent. */
struct str http_get_header(const struct http_exchange *x, const char *name);
/* Whether the value of Accept or Accept-Encoding has `what`, not with q=0. */
bool http_accepts(struct str header, struct str what);
/* A query parameter, decoded; false when absent or badly encoded. */
bool http_get_query(struct http_exchange *x, const char *name, struct str *out);

/* ---- answering ---------------------------------------------------------- */

/* Adds a header to the answer; copied. Line breaks end the process (a bug). */
void http_set_header(struct http_exchange *x, const char *name,
                     struct str value);
/* The answer's ETag, with its quotes: a GET or HEAD whose If-None-Match has it is
 * answered 304 in the place of 200. */
void http_set_etag(struct http_exchange *x, struct str tag);
/* The body that will be given is in this content coding ("gzip"). The answer's tag
 * becomes a weak one, for it names the content in every coding. */
void http_set_coding(struct http_exchange *x, const char *coding);
/* The whole answer. `body` is copied unless it is empty. HEAD sends no body. */
void http_reply(struct http_exchange *x, int status, const char *content_type,
                struct str body);
/* The same with bytes that stay valid for the life of the server (a mapped
 * file): sent without a copy. */
void http_reply_static(struct http_exchange *x, int status,
                       const char *content_type, struct str body);
/* The error object: {"statusCode","code","message","details"?,"requestId"}. An
 * empty message becomes the error's own sentence; `details_json` is the JSON of
 * "details" or empty. 429 and 503 get Retry-After (1, or what the owner set),
 * 401 gets WWW-Authenticate; Allow with 405 is the owner's. */
void http_reply_error(struct http_exchange *x, enum err e, struct str message,
                      struct str details_json);
/* Cuts the connection without an answer. */
void http_abort(struct http_exchange *x);
bool http_gone(const struct http_exchange *x);
bool http_answered(const struct http_exchange *x); /* or a stream has begun */
bool http_ended(const struct http_exchange *x);

/* A chunked answer of unknown length (to HTTP/1.0: until the close). Bytes are
 * copied; they leave in batches, once a loop turn, and what was written in one
 * turn is one chunk. The writer watches http_stream_queued. */
void http_stream_begin(struct http_exchange *x, int status,
                       const char *content_type);
void http_stream_write(struct http_exchange *x, struct str bytes);
size_t http_stream_queued(const struct http_exchange *x); /* bytes not sent */
/* Bytes given to the kernel so far; two looks tell whether the reader reads. */
uint64_t http_stream_sent(const struct http_exchange *x);
void http_stream_end(struct http_exchange *x); /* ends the exchange */
