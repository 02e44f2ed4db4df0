/* http_server.h - an HTTP/1.1 server on the loop, strict (RFC 9110, 9112).
 *
 *   server      one or more listening sockets, which other processes may share
 *   connection  keep-alive and pipelining; one exchange at a time, in order
 *   exchange    one request and its response; lives until the response is sent,
 *               or the client has disconnected and the handler has ended it
 *
 * The handler gets a request when its body is complete; or, if it wants the body
 * streamed (net/body_stream.h), when the head is. The server itself refuses what
 * is malformed, too large or too slow, and closes the connection.
 * From then on the handler owns the exchange, and ends it exactly once: with a
 * http_reply… function, http_stream_end or http_abort. It may do so later, in
 * any callback or step. The memory of an ended exchange is freed at the end of
 * the loop turn.
 *
 * No function here sends or calls back: responses are written once a loop turn,
 * with one write a connection.
 *
 * A client that shuts down only its sending side still gets its response. The
 * first http_server_open makes the process ignore SIGPIPE. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/compiler.h"
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
    /* Decoded, without dot segments; starts with /. A slash that a name has
     * (names_under) is HTTP_SLASH_IN_NAME. */
    struct str path;
    struct str query; /* as sent, without ? */
    struct str host;  /* from an absolute target, else from Host */
    struct http_header *headers;
    size_t n_headers;
    struct str body;
    struct str peer; /* the client's IP address */
    struct str
        request_id;     /* the client's if it is well formed, else a new one */
    struct trace trace; /* our span in the client's trace, or in a new one */
    uint64_t started_ms;
    const char *names_under; /* see http_limits */

    /* For the handler: */
    void *owner;
    int route;          /* for on_ended */
    bool error_detail;  /* error objects have their message as `detail`, too */
    bool error_success; /* they have `success` (false) and `error`, too */
    /* Writes the body of an error, for a protocol that has errors of its own;
     * NULL: the error object. */
    void (*put_error)(struct buf *out, enum err e, struct str message,
                      struct str details_json, struct str request_id);
    /* The client has disconnected before the response was complete. The handler
     * still has to end the exchange. */
    void (*on_gone)(struct http_exchange *x);
    /* A client that shuts down its sending side counts as gone, too. Set it for
     * work that is worth nothing without a reader: browsers close in this way */
    bool gone_at_eof;
    /* All that was written to the stream has been sent. */
    void (*on_drained)(struct http_exchange *x);
};

/* Takes the place of an encoded slash in a path, which separates no segments. No
 * path has this byte otherwise. */
enum { HTTP_SLASH_IN_NAME = 0x7f };

struct http_limits {
    unsigned head_bytes; /* 16 KiB, 8 of them for the target; else 431, 414 */
    unsigned headers;    /* 100 */
    unsigned body_bytes; /* 1 MiB; else 413 */
    unsigned head_ms;    /* from the first byte to the last; else 408 */
    unsigned body_ms;    /* the same for the body */
    unsigned idle_ms;    /* between requests: then closed */
    unsigned write_ms;   /* closed if less than 64 KiB were sent in this time */
    unsigned connections; /* at the limit, the one that has been idle longest is
                             closed, or accepting pauses. Lowered so that some
                             descriptors always stay free */
    /* Below this path ("/threads/") a segment may be any name: it may have an
     * encoded slash or backslash. NULL: an address with one is refused. */
    const char *names_under;
};
extern const struct http_limits http_default_limits;

struct http_server_options {
    const char *host; /* address to bind; ignored with fds */
    int port;         /* 0: any */
    const int *fds;   /* inherited listening sockets; NULL: one is bound */
    int n_fds;
    /* The first n_own_fds belong to this process alone. The others belong to
     * other processes too; this one accepts from them only what has waited for
     * 100 ms. */
    int n_own_fds;
    struct http_limits limits;
    bool access_log;
    /* The part of a path after this text is not logged; NULL: all is logged. */
    const char *secret_after;
    void (*on_request)(struct http_exchange *x, void *who);
    /* Whether the body of this request is streamed. Asked when its head is
     * accepted; then on_request is called at once. NULL: none is. */
    bool (*streams_body)(const struct http_exchange *x, void *who);
    /* The handler has ended the exchange; for counting. Not called after
     * http_server_close. May be NULL. */
    void (*on_ended)(const struct http_exchange *x, int status, void *who);
    void *who;
};

/* Starts to listen. NULL on failure; *why then says why (static text). `host`
 * and `fds` are not kept. */
MUST_CHECK struct http_server *
http_server_open(const struct http_server_options *options, struct str *why);
int http_server_port(const struct http_server *s);
unsigned http_server_connections(const struct http_server *s); /* open now */

struct http_counts {
    uint64_t accepted;  /* connections */
    uint64_t requests;  /* given to the handler */
    uint64_t refused;   /* malformed, too large, too slow */
    uint64_t cut;       /* the client did not get the whole response */
    uint64_t status[6]; /* responses by class, [2] is 2xx; [0] is others */
    uint64_t bytes;     /* of responses */
    uint64_t
        unlogged; /* requests that the access log's rate limit suppressed */
};
const struct http_counts *http_server_counts(const struct http_server *s);
/* Closes connections after their current exchange (with Connection: close), and
 * idle ones if no request arrives within a second. Goes on accepting, so that
 * no client waits in vain. */
void http_server_drain(struct http_server *s);
/* Accepts the connections that wait in the kernel, closes the listening
 * sockets, and drains. */
void http_server_stop_listening(struct http_server *s);
/* Closes all connections now and sets *s to NULL. Handlers still have to end
 * the exchanges that they own (their on_gone is called). */
void http_server_close(struct http_server **s);

/* ---- reading a request -------------------------------------------------- */

/* The first header of that name, in any case; empty when absent. */
struct str http_get_header(const struct http_exchange *x, const char *name);
/* Whether the value of Accept or Accept-Encoding lists `what` without q=0. */
bool http_accepts(struct str header, struct str what);
/* A query parameter, decoded. False: absent or badly encoded. */
bool http_get_query(struct http_exchange *x, const char *name, struct str *out);

/* ---- responding --------------------------------------------------------- */

/* Adds a header to the response; copied. A line break in it ends the
 * process. */
void http_set_header(struct http_exchange *x, const char *name,
                     struct str value);
/* Sets the ETag, given with its quotes. A GET or HEAD whose If-None-Match lists
 * it is answered with 304 instead of 200. */
void http_set_etag(struct http_exchange *x, struct str tag);
/* Says that the body will have this content coding ("gzip"). The ETag becomes a
 * weak one, because it is the same for all codings. */
void http_set_coding(struct http_exchange *x, const char *coding);
/* Sends a whole response; `body` is copied. HEAD sends no body. */
void http_reply(struct http_exchange *x, int status, const char *content_type,
                struct str body);
/* The same without a copy: `body` must live as long as the server. */
void http_reply_static(struct http_exchange *x, int status,
                       const char *content_type, struct str body);
/* Sends 304 if If-None-Match of a GET or HEAD lists the ETag that was set.
 * False: it does not, and nothing was sent. For responses that are streamed;
 * http_reply… do it themselves. */
MUST_CHECK bool http_not_modified(struct http_exchange *x);
/* Sends the error object: {"statusCode","code","message","details"?,
 * "requestId"}. An empty message is replaced by the error's own sentence;
 * `details_json` is JSON or empty. 429 and 503 get Retry-After (1, unless the
 * handler set it), 401 gets WWW-Authenticate; Allow with 405 is left to the
 * handler. */
void http_reply_error(struct http_exchange *x, enum err e, struct str message,
                      struct str details_json);
/* Resets the connection without a response. */
void http_abort(struct http_exchange *x);
/* Whether the client has disconnected. */
bool http_disconnected(const struct http_exchange *x);
/* Whether a response was sent or a stream begun. */
bool http_answered(const struct http_exchange *x);
bool http_ended(const struct http_exchange *x);

/* Begins a chunked response of unknown length (to HTTP/1.0: until the
 * close). */
void http_stream_begin(struct http_exchange *x, int status,
                       const char *content_type);
/* The same for a response of `length` bytes, which has a Content-Length: exactly
 * as many must be written before http_stream_end, unless the method is HEAD. */
void http_stream_begin_sized(struct http_exchange *x, int status,
                             const char *content_type, size_t length);
/* Appends to it; copied. What is written in one loop turn is sent as one chunk.
 * The writer watches http_stream_queued for back-pressure. */
void http_stream_write(struct http_exchange *x, struct str bytes);
/* Bytes that the kernel has not taken yet. */
size_t http_stream_queued(const struct http_exchange *x);
/* Bytes that the kernel has taken so far: they grow while the client reads. */
uint64_t http_stream_sent(const struct http_exchange *x);
/* Ends the response and the exchange. */
void http_stream_end(struct http_exchange *x);
