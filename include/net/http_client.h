/* http_client.h - the HTTP client, on curl's multi socket interface.
 *
 *   call    one request and its response, as an op: HTTP(S) only, no redirects,
 *           no content coding. The client never retries, except for what curl
 *           does by itself when a kept connection is dead before it is used
 *   origin  scheme, host and port, or a unix socket: the unit of limits
 *   permit  the right to have a call in flight at an origin; further calls wait
 *           in a queue, within their total deadline
 *   useful  bytes that show that the server is working on this request
 *
 * A call has four timeouts: connect (name lookup, TCP, TLS); first useful byte,
 * after that; idle, between useful bytes; total, from the beginning. Every byte
 * of the body is useful, unless the caller sets `explicit_progress` and says so
 * itself. Name lookups do not block the loop and are cached. HTTPS uses HTTP/2
 * where the server supports it. The environment's proxies and .netrc are
 * ignored. */
#pragma once
#include "base/address.h"
#include "base/buf.h"
#include "loop/flow.h"

struct http_client_options {
    unsigned permits;    /* calls in flight at one origin; 0: 512 */
    unsigned connects;   /* handshakes at a time; 0: 8 */
    const char *ca_file; /* NULL: the system's */
    const char *proxy;   /* "http://host:port"; NULL: none */
};
/* Must be called once before the first call. The strings are kept, not
 * copied. */
void http_client_open(const struct http_client_options *options);
/* Asserts that no call is in flight. */
void http_client_close(void);

/* TLS of a server that has trust settings of its own. Such a call does not use
 * the proxy. The texts live until the call completes. */
struct http_trust {
    const char *ca_file; /* NULL: the system's */
    struct str pem;      /* certificates instead of those; may be empty */
    bool any_issuer;     /* its certificate is not verified at all */
    bool any_host;       /* the name in it is not verified */
};

/* Zeroed, then filled in. May be used again once it has completed. */
struct http_call {
    struct op op;

    /* In; slices must live until the call completes. */
    const char *method;        /* NULL: GET */
    struct str url;            /* without user information */
    const char *unix_socket;   /* NULL: TCP */
    const struct str *headers; /* "Name: value" */
    size_t n_headers;
    struct str body;
    /* Instead of body: slices that are sent one after the other, without a
     * copy. */
    const struct str *parts;
    size_t n_parts;
    /* Instead of both: writes the body into the empty buf when the request is
     * about to be sent, and a second time, with the same bytes, if a kept
     * connection turns out to be dead. The buf is freed once it is sent. May be
     * called inside curl. */
    void (*write_body)(struct http_call *c, struct buf *body);
    /* Instead of all these: writes the next bytes of a body of body_size bytes
     * to `to`, and returns how many, at most `room`; 0: none are there yet, and
     * http_call_resume will be called when they are. Called inside curl. The
     * call uses no kept connection, so that it never has to begin again. */
    size_t (*read_body)(struct http_call *c, char *to, size_t room);
    uint64_t body_size;
    /* Timeouts; 0: 5 s, 30 s, 30 s, 300 s. */
    unsigned connect_ms, first_ms, idle_ms, total_ms;
    /* How the server is verified; NULL: as the client's options say. */
    const struct http_trust *trust;
    size_t max_bytes; /* of the response's body; 0: 32 MiB */
    /* For addresses that users write: connects only to public addresses, and to
     * those in these networks. The address is judged when curl is about to
     * connect to it, so a name cannot change in between. Uses no kept connection
     * and no proxy. A refused one is ERR_BAD_GATEWAY. */
    bool public_only;
    const struct network *networks;
    size_t n_networks;
    bool explicit_progress; /* bytes are useful only by http_call_useful */
    /* If set, gets the body as it arrives, instead of `reply`. False ends the
     * call with ERR_BAD_REPLY. The status is known by then.
     * Called inside curl: it may only take the bytes. */
    bool (*on_body)(struct http_call *c, struct str bytes);
    void *who;

    /* Out */
    int status;             /* 0: no response */
    struct buf reply;       /* heap; freed when the frame that began it ends */
    int64_t retry_after_ms; /* Retry-After(-Ms), -1: absent or malformed */
    int should_retry;       /* X-Should-Retry: 1, 0, -1 absent */
    char detail[160]; /* why it failed, for logs; never a header's value */
    uint64_t first_byte_ms; /* since the beginning */
    struct transfer *state; /* private; NULL once the call has completed */
};

/* Begins the call. Its status is OK if a whole response arrived, whatever its
 * HTTP status; ERR_TIMEOUT; ERR_BAD_GATEWAY (no connection, or a broken one);
 * ERR_BAD_REPLY (too large, with a content coding, or refused by on_body);
 * ERR_CANCELLED. It never completes before this function returns, so
 * op_tolerate may follow. */
void http_call_begin(struct flow *f, struct http_call *c);
/* From on_body: these bytes were useful. Restarts the idle timeout; a lower
 * idle_ms set before takes effect now. */
void http_call_useful(struct http_call *c);
/* Stops or resumes the reading of the body, for a caller of on_body that cannot
 * take more now. A few kilobytes may still come, and resuming may call on_body
 * at once. The timeouts go on. */
void http_call_hold(struct http_call *c, bool held);

/* read_body has bytes again. Does nothing if the call has completed. */
void http_call_resume(struct http_call *c);

/* For metrics and tests. */
struct http_client_counts {
    unsigned in_flight; /* begun and not completed */
    unsigned waiting;   /* of these, for a permit */
    uint64_t started, connections;
};
struct http_client_counts http_client_count(void);
