/* http_body.c - decodes bodies, by length and chunked (RFC 9112, 6 and 7.1).
 *
 * Chunk extensions and trailers are checked and counted against a limit, then
 * dropped. */
#include "http_chars.h"
#include "http_parser.h"
#include "base/banned.h"

enum chunk_state {
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    CHUNK_TRAILER_START,
    CHUNK_TRAILER_NAME,
    CHUNK_TRAILER_VALUE,
    CHUNK_TRAILER_LF,
    CHUNK_END_LF,
    CHUNK_OVER,
};

enum { SIZE_DIGITS = 15, EXTRA_BYTES = 4096 };

static const struct http_refusal bad_chunk = {
    400, "VALIDATION_ERROR", "The body's chunks are malformed."};
static const struct http_refusal too_large = {413, "PAYLOAD_TOO_LARGE",
                                              "The body is too large."};
static const struct http_refusal extras_too_large = {
    431, "HEADERS_TOO_LARGE", "The body's extensions are too large."};

static const struct http_refusal *size_digit(struct http_body *b,
                                             unsigned char c)
{
    int value = str_hex_digit((char)c);
    if (value >= 0) {
        if (++b->digits > SIZE_DIGITS)
            return &bad_chunk;
        b->left = b->left * 16 + (uint64_t)value;
        return NULL;
    }
    if (b->digits == 0 || (c != '\r' && c != ';'))
        return &bad_chunk;
    b->at = c == ';' ? CHUNK_EXTENSION : CHUNK_SIZE_LF;
    return NULL;
}

static const struct http_refusal *
line_byte(struct http_body *b, unsigned char c, enum chunk_state after)
{
    if (c == '\r')
        b->at = (uint8_t)after;
    else if (!http_is_value(c))
        return &bad_chunk;
    return ++b->extras > EXTRA_BYTES ? &extras_too_large : NULL;
}

/* Fields that a trailer must not contain (RFC 9110, 6.5.1): another parser
 * might take them for the framing of the next request. `maybe` has a bit for
 * each name that the first `digits` bytes of the trailer's name match. */
static const struct str forbidden[] = {
    {"transfer-encoding", 17}, {"content-length", 14}, {"host", 4},
    {"connection", 10},        {"upgrade", 7},         {"authorization", 13},
};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden };

static void match_forbidden(struct http_body *b, unsigned char c)
{
    unsigned char lower = c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
    if (b->digits == 0)
        b->maybe = (1u << FORBIDDEN) - 1;
    for (unsigned i = 0; i < FORBIDDEN; i++) {
        bool fits = b->digits < forbidden[i].len &&
                    (unsigned char)forbidden[i].ptr[b->digits] == lower;
        if (!fits)
            b->maybe &= (uint8_t)~(1u << i);
    }
    if (b->digits < UINT8_MAX)
        b->digits++;
}

static bool is_forbidden(const struct http_body *b)
{
    for (unsigned i = 0; i < FORBIDDEN; i++) {
        if ((b->maybe & 1u << i) && forbidden[i].len == b->digits)
            return true;
    }
    return false;
}

static const struct http_refusal *trailer_byte(struct http_body *b,
                                               unsigned char c)
{
    if (b->at == CHUNK_TRAILER_START && c == '\r') {
        b->at = CHUNK_END_LF;
        return NULL;
    }
    if (b->at == CHUNK_TRAILER_NAME && c == ':') {
        if (is_forbidden(b))
            return &bad_chunk;
        b->at = CHUNK_TRAILER_VALUE;
    } else if (http_is_token(c)) {
        b->at = CHUNK_TRAILER_NAME;
        match_forbidden(b, c);
    } else {
        return &bad_chunk;
    }
    return ++b->extras > EXTRA_BYTES ? &extras_too_large : NULL;
}

static const struct http_refusal *
line_feed(struct http_body *b, unsigned char c, enum chunk_state next)
{
    if (c != '\n')
        return &bad_chunk;
    b->at = (uint8_t)next;
    b->digits = 0;
    return NULL;
}

static const struct http_refusal *chunk_step(struct http_body *b,
                                             unsigned char c)
{
    switch ((enum chunk_state)b->at) {
    case CHUNK_SIZE:
        return size_digit(b, c);
    case CHUNK_EXTENSION:
        return line_byte(b, c, CHUNK_SIZE_LF);
    case CHUNK_SIZE_LF:
        return line_feed(b, c, b->left ? CHUNK_DATA : CHUNK_TRAILER_START);
    case CHUNK_DATA_CR:
        b->at = CHUNK_DATA_LF;
        return c == '\r' ? NULL : &bad_chunk;
    case CHUNK_DATA_LF:
        return line_feed(b, c, CHUNK_SIZE);
    case CHUNK_TRAILER_START:
    case CHUNK_TRAILER_NAME:
        return trailer_byte(b, c);
    case CHUNK_TRAILER_VALUE:
        return line_byte(b, c, CHUNK_TRAILER_LF);
    case CHUNK_TRAILER_LF:
        return line_feed(b, c, CHUNK_TRAILER_START);
    case CHUNK_END_LF:
        return line_feed(b, c, CHUNK_OVER);
    case CHUNK_DATA:
    case CHUNK_OVER:
        break;
    }
    return &bad_chunk;
}

/* Moves bytes of the body from the front of *bytes to `out`. */
static void take_body(struct http_body *b, struct str *bytes, struct buf *out)
{
    size_t n = bytes->len < b->left ? bytes->len : (size_t)b->left;
    buf_bytes(out, bytes->ptr, n);
    b->left -= n;
    *bytes = str_from(*bytes, n);
}

static bool feed_chunks(struct http_body *b, unsigned max_bytes,
                        struct str *bytes, struct buf *out,
                        const struct http_refusal **refusal)
{
    while (bytes->len) {
        if (b->at == CHUNK_DATA) {
            take_body(b, bytes, out);
            if (b->left == 0)
                b->at = CHUNK_DATA_CR;
            continue;
        }
        *refusal = chunk_step(b, (unsigned char)bytes->ptr[0]);
        if (!*refusal && b->left > max_bytes - out->len)
            *refusal = &too_large;
        if (*refusal)
            return false;
        *bytes = str_from(*bytes, 1);
        if (b->at == CHUNK_OVER)
            return true;
    }
    return false;
}

bool http_body_feed(struct http_body *b, const struct http_limits *limits,
                    struct str *bytes, struct buf *out,
                    const struct http_refusal **refusal)
{
    *refusal = NULL;
    if (b->framing == FRAMING_CHUNKED)
        return feed_chunks(b, limits->body_bytes, bytes, out, refusal);
    take_body(b, bytes, out);
    return b->left == 0;
}
