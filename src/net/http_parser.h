/* http_parser.h - bytes to requests, strictly (RFC 9112). Pure: no socket, no
 * clock, so that it can be tested and fuzzed as it is.
 *
 *   scan     the gate in front of llhttp: goes over the bytes of a head once,
 *            in pieces of any size, and lets only clean lines pass (no bare CR
 *            or LF, no folded line, no control character, tokens as names)
 *   head     a whole head that passed the scan, read by llhttp in strict mode
 *            and then judged: version, method, target, Host, framing
 *   body     Content-Length or chunked; decoded into a buf with a limit
 *   parser   the three in order for one connection
 *   refusal  why a request is not taken: after one the connection is done for,
 *            nothing behind it is read as a request
 *
 * llhttp alone lets through what smuggles requests past a proxy (folded lines,
 * no Host or two, version 0.9, absolute targets); hence scan and judge. */
#pragma once
#include "base/buf.h"
#include "net/http_server.h"

struct http_refusal {
    int status;
    const char *code; /* of the error object */
    const char *text;
};

/* ---- scan --------------------------------------------------------------- */

struct http_scan {
    uint32_t bytes;     /* seen of this head */
    uint32_t line_ends; /* bytes up to the end of the request line, or 0 */
    uint16_t fields;
    uint8_t skipped; /* bytes of the one empty line before it (RFC 9112, 2.2) */
    uint8_t at;      /* enum scan_state */
};

/* Takes bytes off the front of *bytes. True: the head ends where *bytes now
 * begins. False with *refusal NULL: all were taken, more are needed. */
bool http_scan_feed(struct http_scan *s, const struct http_limits *limits,
                    struct str *bytes, const struct http_refusal **refusal);

/* ---- body --------------------------------------------------------------- */

enum http_framing { FRAMING_NONE, FRAMING_LENGTH, FRAMING_CHUNKED };

struct http_body {
    uint64_t left;   /* of the body, or of the chunk */
    uint32_t extras; /* bytes of chunk extensions and trailers so far */
    uint8_t framing; /* enum http_framing */
    uint8_t at;      /* enum chunk_state */
    uint8_t digits;  /* of the chunk's size; bytes of a trailer's name */
    uint8_t maybe;   /* the forbidden trailers it may still be */
};

/* Like http_scan_feed; what is body goes to `out`. */
bool http_body_feed(struct http_body *b, const struct http_limits *limits,
                    struct str *bytes, struct buf *out,
                    const struct http_refusal **refusal);

/* ---- target ------------------------------------------------------------- */

/* Reads x->target into x->path and x->query, and of one in absolute form the host
 * into x->host. NULL when all is well. */
const struct http_refusal *http_target_read(struct http_exchange *x);
/* A name or an address, perhaps with a port (RFC 9110, 7.2). */
bool http_host_good(struct str s);
/* %XX (and + as a space, for queries) to bytes; false when badly encoded, not
 * UTF-8 or with control characters. */
bool http_percent_decode(struct arena *arena, struct str s, bool plus,
                         struct str *out);

/* ---- head --------------------------------------------------------------- */

struct http_head {
    uint64_t content_length;
    enum http_framing framing;
    bool minor; /* HTTP/1.1 */
    bool keep_alive;
    bool expects; /* waits for "100 Continue" */
};

/* Is this a request line we take? For heads that are not whole yet, so that
 * what can never become a request is answered at once. */
const struct http_refusal *http_line_check(struct str line);
/* Reads `text` (what the scan let pass) into x; the slices of x are copies in
 * x->arena. NULL when all is well. */
const struct http_refusal *http_head_read(struct str text, unsigned fields,
                                          const struct http_limits *limits,
                                          struct http_exchange *x,
                                          struct http_head *head);

/* ---- parser ------------------------------------------------------------- */

enum http_parsed {
    PARSED_MORE,    /* all bytes were taken */
    PARSED_HEAD,    /* a whole head waits: call http_parser_head */
    PARSED_BODY,    /* from http_parser_head: it is good, a body follows */
    PARSED_WHOLE,   /* the request is complete */
    PARSED_REFUSED, /* see refusal */
};

struct http_parser {
    const struct http_limits *limits;
    const struct http_refusal *refusal;
    struct buf held; /* an incomplete head */
    struct str head; /* a whole one, until http_parser_head */
    struct buf *out; /* the body's, while one is read */
    struct http_scan scan;
    struct http_body body;
    bool line_checked;
    bool minor, keep_alive, expects;
};

void http_parser_init(struct http_parser *p, const struct http_limits *limits);
void http_parser_done(struct http_parser *p);
/* Takes bytes off the front of *bytes, to the end of one head or body at most. */
enum http_parsed http_parser_feed(struct http_parser *p, struct str *bytes);
/* Reads the head into x; a body will go to `body`. */
enum http_parsed http_parser_head(struct http_parser *p,
                                  struct http_exchange *x, struct buf *body);
bool http_parser_idle(const struct http_parser *p); /* between two requests */
