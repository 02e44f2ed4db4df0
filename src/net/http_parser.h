/* http_parser.h - parses requests, strictly (RFC 9112). Pure: no socket and no
 * clock, so it can be tested and fuzzed alone.
 *
 *   scan     checks the bytes of a head before llhttp sees them, in pieces of
 *            any size: no bare CR or LF, no folded line, no control character,
 *            only tokens as names
 *   head     parses a whole head that passed the scan with llhttp in strict
 *            mode, then checks version, method, target, Host and framing
 *   body     decodes Content-Length or chunked bodies into a buf, with a limit
 *   parser   the three in order, for one connection
 *   refusal  why a request is not accepted. Nothing after it on the connection
 *            is parsed as a request
 *
 * llhttp alone accepts what can smuggle requests past a proxy (folded lines, no
 * Host or two of them, version 0.9, absolute targets); hence the checks before
 * and after it. */
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
    uint8_t skipped; /* bytes of an empty line before it (RFC 9112, 2.2) */
    uint8_t at;      /* enum scan_state */
};

/* Consumes bytes from the front of *bytes. True: the head is complete, and
 * *bytes begins after it. False with *refusal NULL: all were consumed, more are
 * needed. */
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
    uint8_t maybe;   /* bits: forbidden trailers that still match */
};

/* Like http_scan_feed; appends the body to `out`. */
bool http_body_feed(struct http_body *b, const struct http_limits *limits,
                    struct str *bytes, struct buf *out,
                    const struct http_refusal **refusal);

/* ---- target ------------------------------------------------------------- */

/* Parses x->target into x->path and x->query, with x->names_under; the host of an
 * absolute target goes to x->host. NULL: accepted. */
const struct http_refusal *http_target_read(struct http_exchange *x);
/* Whether s is a name or an address, with or without a port (RFC 9110, 7.2). */
bool http_host_good(struct str s);
/* Decodes %XX, and + as a space if `plus` (for queries). False: badly encoded,
 * not UTF-8, or with control characters. */
bool http_percent_decode(struct arena *arena, struct str s, bool plus,
                         struct str *out);

/* ---- head --------------------------------------------------------------- */

struct http_head {
    uint64_t content_length;
    enum http_framing framing;
    bool minor; /* of the version: true is 1.1, false is 1.0 */
    bool keep_alive;
    bool expects; /* waits for "100 Continue" */
};

/* Checks a request line. For heads that are not complete yet, so that a bad
 * request is refused at once. NULL: accepted. */
const struct http_refusal *http_line_check(struct str line);
/* Parses `text` (which passed the scan) into x; the slices of x are copies in
 * x->arena. NULL: accepted. */
const struct http_refusal *http_head_read(struct str text, unsigned fields,
                                          struct http_exchange *x,
                                          struct http_head *head);

/* ---- parser ------------------------------------------------------------- */

enum http_parsed {
    PARSED_MORE,    /* all bytes were consumed */
    PARSED_HEAD,    /* a head is complete: call http_parser_head */
    PARSED_BODY,    /* from http_parser_head: accepted, a body follows */
    PARSED_WHOLE,   /* the request is complete */
    PARSED_REFUSED, /* see refusal */
};

struct http_parser {
    const struct http_limits *limits;
    const struct http_refusal *refusal;
    struct buf held; /* an incomplete head */
    struct str head; /* a complete one, until http_parser_head */
    struct buf *out; /* where the body goes, while one is read */
    struct http_scan scan;
    struct http_body body;
    bool line_checked;
    bool minor, keep_alive, expects;
    /* Whether a body is streamed, without a limit of its own; NULL: none is. */
    bool (*streams_body)(const struct http_exchange *x, void *who);
    void *who;
    bool streams; /* this one is */
};

void http_parser_init(struct http_parser *p, const struct http_limits *limits);
void http_parser_done(struct http_parser *p);
/* Consumes bytes from the front of *bytes, up to the end of a head or a
 * body. */
enum http_parsed http_parser_feed(struct http_parser *p, struct str *bytes);
/* Parses the complete head into x; a body will go to `body`. */
enum http_parsed http_parser_head(struct http_parser *p,
                                  struct http_exchange *x, struct buf *body);
