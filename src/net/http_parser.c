/* http_parser.c - scan, head and body in order, for one connection. */
#include "http_parser.h"
#include "base/banned.h"

/* The reader of a streamed body counts its bytes; only the size of a chunk has
 * a limit here. */
static const struct http_limits streamed_limits = {.body_bytes = UINT32_MAX};

static const struct http_refusal too_large = {413, "PAYLOAD_TOO_LARGE",
                                              "The body is too large."};

void http_parser_init(struct http_parser *p, const struct http_limits *limits)
{
    *p = (struct http_parser){.limits = limits};
    buf_init(&p->held, NULL);
}

void http_parser_done(struct http_parser *p)
{
    buf_done(&p->held);
}

static enum http_parsed parser_refuse(struct http_parser *p,
                                      const struct http_refusal *why)
{
    p->refusal = why;
    return PARSED_REFUSED;
}

/* Checks the request line once it is complete, so that a bad one is refused at
 * once, and before other errors. `bytes` come after those that are held. */
static const struct http_refusal *check_line(struct http_parser *p,
                                             struct str bytes)
{
    size_t ends = p->scan.line_ends, from = p->scan.skipped;
    if (!ends || p->line_checked)
        return NULL;
    struct buf line;
    buf_init(&line, NULL);
    buf_str(&line, buf_view(&p->held));
    buf_str(&line, str_cut(bytes, 0, ends - line.len));
    const struct http_refusal *why =
        http_line_check(str_cut(buf_view(&line), from, ends - 2 - from));
    buf_done(&line);
    p->line_checked = true;
    return why;
}

static enum http_parsed feed_head(struct http_parser *p, struct str *bytes)
{
    const struct http_refusal *why;
    struct str before = *bytes;
    bool whole = http_scan_feed(&p->scan, p->limits, bytes, &why);
    if (!whole) {
        const struct http_refusal *first = check_line(p, before);
        if (first || why)
            return parser_refuse(p, first ? first : why);
    }
    struct str taken = str_cut(before, 0, before.len - bytes->len);
    if (!whole || p->held.len) {
        buf_str(&p->held, taken);
        taken = buf_view(&p->held);
    }
    if (!whole)
        return PARSED_MORE;
    p->head = str_from(taken, p->scan.skipped);
    return PARSED_HEAD;
}

enum http_parsed http_parser_feed(struct http_parser *p, struct str *bytes)
{
    const struct http_refusal *why;
    if (!p->out)
        return feed_head(p, bytes);
    bool whole =
        http_body_feed(&p->body, p->streams ? &streamed_limits : p->limits,
                       bytes, p->out, &why);
    if (why)
        return parser_refuse(p, why);
    if (!whole)
        return PARSED_MORE;
    p->out = NULL;
    return PARSED_WHOLE;
}

enum http_parsed http_parser_head(struct http_parser *p,
                                  struct http_exchange *x, struct buf *body)
{
    struct http_head head;
    x->names_under = p->limits->names_under;
    const struct http_refusal *why =
        http_head_read(p->head, p->scan.fields, x, &head);
    buf_done(&p->held);
    p->head = (struct str){0};
    p->scan = (struct http_scan){0};
    p->line_checked = false;
    p->minor = head.minor;
    p->keep_alive = head.keep_alive;
    p->expects = head.expects;
    if (why)
        return parser_refuse(p, why);
    p->streams = false;
    if (head.framing == FRAMING_NONE)
        return PARSED_WHOLE;
    p->streams = p->streams_body && p->streams_body(x, p->who);
    if (head.content_length > p->limits->body_bytes && !p->streams)
        return parser_refuse(p, &too_large);
    p->body = (struct http_body){.framing = (uint8_t)head.framing,
                                 .left = head.content_length};
    p->out = body;
    return PARSED_BODY;
}
