/* http_client.h - HTTP calls to others, on curl's multi socket interface.
 *
 *   call    one exchange, as an op: no redirects, HTTP(S) only, no content
 *           coding. Nothing is sent twice, but for what curl does by itself when
 *           a kept connection turns out to be dead before it was used
 *   origin  scheme, host and port, or a unix socket: the unit of permits
 *   permit  the right to be under way at an origin; calls beyond wait here, in
 *           order, within their total deadline
 *   useful  bytes that show the server is working for us
 *
 * Four deadlines: connect (name, TCP, TLS); first useful byte, since then; idle
 * between useful bytes; total, since begin. What is useful the caller says when
 * it set `judges`, else every body byte is. Names are looked up off the loop and
 * cached. HTTPS speaks HTTP/2 where the server does: many calls, few
 * connections. Neither the environment's proxies nor .netrc are read. */
#pragma once
#include "base/buf.h"
#include "loop/flow.h"

struct http_client_options {
    unsigned permits;    /* calls at once for one origin; 0: 512 */
    unsigned connects;   /* handshakes at once; 0: 8 */
    const char *ca_file; /* NULL: the system's */
    const char *proxy;   /* NULL: none */
};
void http_client_open(const struct http_client_options *options);
/* No call may be in flight. */
void http_client_close(void);

/* Zeroed, then filled in; may be used again after its answer. */
struct http_call {
    struct op op; /* first */

    /* In; slices live until the answer. */
    const char *method;
    struct str url;            /* without a user */
    const char *unix_socket;   /* NULL: TCP */
    const struct str *headers; /* "Name: value" */
    size_t n_headers;
    struct str body;
    /* Instead of it: one after the other, sent from where they lie. */
    const struct str *parts;
    size_t n_parts;
    /* Or: puts the body into the empty buf when its turn has come to
     * be sent, and once more, the same, if a kept connection turns out to be dead.
     * It is let go when it is sent. It may be called inside curl. */
    void (*write_body)(struct http_call *c, struct buf *body);
    /* 0: 5 s, 30 s, 30 s, 300 s */
    unsigned connect_ms, first_ms, idle_ms, total_ms;
    size_t max_bytes; /* of the reply's body; 0: 32 MiB */
    bool judges;      /* only http_call_useful says what is useful */
    /* With on_body the bytes go there as they come, and not into `reply`; false
     * ends the call with ERR_BAD_REPLY. status and content_type are known by
     * then. Called inside curl: only take bytes. */
    bool (*on_body)(struct http_call *c, struct str bytes);
    void *who;

    /* Out */
    int status;              /* 0: no answer came */
    struct buf reply;        /* heap; freed when the frame that began it ends */
    struct str content_type; /* as sent, at most 80 bytes */
    int64_t retry_after_ms;  /* Retry-After(-Ms), -1: absent or bad */
    int should_retry;        /* X-Should-Retry: 1, 0, -1 absent */
    char detail[160]; /* why it failed, for logs; never a header's value */
    uint64_t first_byte_ms, ended_ms; /* since begin */
    struct transfer *state;           /* private; NULL after the answer */
    char type_text[80];               /* private; what content_type points at */
};

/* Answers OK when a whole answer came, whatever its status; ERR_TIMEOUT,
 * ERR_BAD_GATEWAY (could not connect, broken), ERR_BAD_REPLY (too large, coded,
 * refused by on_body), ERR_CANCELLED. Never answers before it returned, so
 * op_tolerate may follow it. */
void http_call_begin(struct flow *f, struct http_call *c);
/* From on_body: this was useful; restarts the idle deadline (a lower idle_ms set
 * before counts from now). */
void http_call_useful(struct http_call *c);

/* For metrics and tests. */
struct http_client_counts {
    unsigned in_flight; /* begun and not answered */
    unsigned waiting;   /* of these, for a permit */
    uint64_t started, connections;
};
struct http_client_counts http_client_count(void);
