/* Requests in any pieces are the same as in one; what is taken is clean; and
 * llhttp sees the same body in it. */
#include "base/utf8.h"
#include "http_parser.h"
#include <llhttp.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct http_limits limits = {
    .head_bytes = 1024, .headers = 16, .body_bytes = 4096};

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- what was taken is clean -------------------------------------------- */

static bool has_any(struct str s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_find_char(s, bytes[i]) >= 0)
            return true;
    }
    return false;
}

static void check_request(const struct http_exchange *x)
{
    must(str_is(x->path, "*") || str_starts(x->path, STR("/")));
    must(str_find(x->path, STR("/../")) < 0 && !str_ends(x->path, STR("/..")));
    must(utf8_valid(x->path) && !has_any(x->path, "\0\r\n", 3));
    must(!has_any(x->query, "\0\r\n #", 5));
    must(x->n_headers <= limits.headers && x->body.len <= limits.body_bytes);
    for (size_t i = 0; i < x->n_headers; i++) {
        must(x->headers[i].name.len > 0);
        must(!has_any(x->headers[i].name, "\0\r\n :\t", 6));
        must(!has_any(x->headers[i].value, "\0\r\n", 3));
    }
    struct http_exchange copy = *x;
    struct str value;
    arena_init(&copy.arena, 0);
    if (http_get_query(&copy, "a", &value))
        must(utf8_valid(value) && str_find_char(value, '\0') < 0);
    arena_done(&copy.arena);
}

/* ---- llhttp's view ------------------------------------------------------ */

struct seen {
    struct buf body;
    int messages;
};

static int on_body(llhttp_t *p, const char *at, size_t len)
{
    buf_bytes(&((struct seen *)p->data)->body, at, len);
    return 0;
}

static int on_message(llhttp_t *p)
{
    ((struct seen *)p->data)->messages++;
    return 0;
}

static void check_llhttp(struct str raw, struct str body)
{
    llhttp_settings_t settings;
    llhttp_t parser;
    struct seen seen = {.messages = 0};
    buf_init(&seen.body, NULL);
    llhttp_settings_init(&settings);
    settings.on_body = on_body;
    settings.on_message_complete = on_message;
    llhttp_init(&parser, HTTP_REQUEST, &settings);
    parser.data = &seen;
    llhttp_errno_t rc = llhttp_execute(&parser, raw.ptr, raw.len);
    if (rc == HPE_OK) {
        must(seen.messages == 1);
        must(str_eq(buf_view(&seen.body), body));
    } else {
        /* It knows one chunk extension with a value, and stops at upgrades. */
        must(rc == HPE_PAUSED_UPGRADE || rc == HPE_INVALID_CHUNK_SIZE ||
             rc == HPE_STRICT || rc == HPE_INVALID_HEADER_TOKEN);
    }
    buf_done(&seen.body);
}

/* ---- runs --------------------------------------------------------------- */

struct run {
    struct http_parser parser;
    struct http_exchange x;
    struct buf body, told;
    size_t start; /* of this request in the stream */
    bool over;
};

static void whole(struct run *r, struct str stream, size_t at, bool compare)
{
    r->x.body = buf_view(&r->body);
    check_request(&r->x);
    if (compare)
        check_llhttp(str_cut(stream, r->start, at - r->start), r->x.body);
    r->start = at;
    buf_printf(&r->told, "%.*s|%.*s|%.*s|%zu|%d|", STR_ARG(r->x.method),
               STR_ARG(r->x.path), STR_ARG(r->x.query), r->x.n_headers,
               r->parser.keep_alive);
    buf_str(&r->told, r->x.body);
}

static void take(struct run *r, struct str stream, size_t at, size_t size,
                 bool compare)
{
    char *copy = malloc(size);
    memcpy(copy, stream.ptr + at, size);
    struct str bytes = {copy, size};
    while (bytes.len && !r->over) {
        enum http_parsed got = http_parser_feed(&r->parser, &bytes);
        if (got == PARSED_HEAD) {
            arena_done(&r->x.arena);
            buf_done(&r->body);
            r->x = (struct http_exchange){0};
            arena_init(&r->x.arena, 0);
            got = http_parser_head(&r->parser, &r->x, &r->body);
        }
        if (got == PARSED_WHOLE)
            whole(r, stream, at + size - bytes.len, compare);
        if (got == PARSED_REFUSED) {
            buf_printf(&r->told, "refused %d", r->parser.refusal->status);
            r->over = true;
        }
    }
    free(copy);
}

/* Pieces of the sizes that `sizes` tells, over and over; none: all at once. */
static struct buf run(struct str stream, const uint8_t *sizes, size_t n)
{
    struct run r = {.over = false};
    http_parser_init(&r.parser, &limits);
    arena_init(&r.x.arena, 0);
    buf_init(&r.body, NULL);
    buf_init(&r.told, NULL);
    for (size_t i = 0, at = 0; at < stream.len; i++) {
        size_t size = n ? sizes[i % n] % 32u + 1 : stream.len;
        if (size > stream.len - at)
            size = stream.len - at;
        take(&r, stream, at, size, n == 0);
        at += size;
    }
    http_parser_done(&r.parser);
    arena_done(&r.x.arena);
    buf_done(&r.body);
    return r.told;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    struct str stream = {(const char *)data + 4, size - 4};
    struct buf at_once = run(stream, NULL, 0);
    struct buf split = run(stream, data, 4);
    must(str_eq(buf_view(&at_once), buf_view(&split)));
    buf_done(&at_once);
    buf_done(&split);
    return 0;
}
