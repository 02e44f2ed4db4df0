/* http_scan.c - checks the bytes of a head before llhttp parses them; see
 * http_parser.h. */
#include "http_parser.h"
#include "http_chars.h"
#include "base/banned.h"

enum scan_state {
    SCAN_START,
    SCAN_START_LF,
    SCAN_LINE_FIRST,
    SCAN_LINE,
    SCAN_LINE_LF,
    SCAN_FIELD_START,
    SCAN_NAME,
    SCAN_VALUE,
    SCAN_VALUE_LF,
    SCAN_END_LF,
};

enum { TARGET_BYTES = 8192 };

static const struct http_refusal bad_line = {400, "VALIDATION_ERROR",
                                             "The request line is malformed."};
static const struct http_refusal bad_field = {400, "VALIDATION_ERROR",
                                              "A header line is malformed."};
static const struct http_refusal folded = {400, "VALIDATION_ERROR",
                                           "A header line is folded."};
static const struct http_refusal too_long = {414, "URI_TOO_LONG",
                                             "The address is too long."};
static const struct http_refusal too_large = {
    431, "HEADERS_TOO_LARGE", "The request's headers are too large."};

static const struct http_refusal *scan_start(struct http_scan *s,
                                             unsigned char c)
{
    if (c == '\r' && s->at == SCAN_START) {
        s->at = SCAN_START_LF;
        return NULL;
    }
    if (!http_is_token(c))
        return &bad_line;
    s->at = SCAN_LINE;
    return NULL;
}

static const struct http_refusal *
scan_field_start(struct http_scan *s, unsigned max_fields, unsigned char c)
{
    if (c == '\r') {
        s->at = SCAN_END_LF;
        return NULL;
    }
    if (c == ' ' || c == '\t')
        return &folded;
    if (!http_is_token(c))
        return &bad_field;
    s->at = SCAN_NAME;
    return ++s->fields > max_fields ? &too_large : NULL;
}

/* The second half of a line end: moves to `next` or refuses. */
static const struct http_refusal *
scan_line_feed(struct http_scan *s, unsigned char c, enum scan_state next)
{
    const struct http_refusal *why = s->fields ? &bad_field : &bad_line;
    if (c != '\n')
        return why;
    if (s->at == SCAN_LINE_LF)
        s->line_ends = s->bytes;
    if (s->at == SCAN_START_LF)
        s->skipped = 2;
    s->at = (uint8_t)next;
    return NULL;
}

static const struct http_refusal *
scan_step(struct http_scan *s, unsigned max_fields, unsigned char c)
{
    switch ((enum scan_state)s->at) {
    case SCAN_START:
    case SCAN_LINE_FIRST:
        return scan_start(s, c);
    case SCAN_START_LF:
        return scan_line_feed(s, c, SCAN_LINE_FIRST);
    case SCAN_LINE:
        if (c == '\r')
            s->at = SCAN_LINE_LF;
        else if (c < 0x20 || c > 0x7e)
            return &bad_line;
        return NULL;
    case SCAN_LINE_LF:
        return scan_line_feed(s, c, SCAN_FIELD_START);
    case SCAN_FIELD_START:
        return scan_field_start(s, max_fields, c);
    case SCAN_NAME:
        if (c == ':')
            s->at = SCAN_VALUE;
        else if (!http_is_token(c))
            return &bad_field;
        return NULL;
    case SCAN_VALUE:
        if (c == '\r')
            s->at = SCAN_VALUE_LF;
        else if (!http_is_value(c))
            return &bad_field;
        return NULL;
    case SCAN_VALUE_LF:
        return scan_line_feed(s, c, SCAN_FIELD_START);
    case SCAN_END_LF:
        return c == '\n' ? NULL : &bad_field;
    }
    return &bad_line;
}

/* How many bytes of a field value can be skipped at once. Values are most of a
 * head, so this is the fast path. */
static size_t skip_value(const struct http_scan *s, struct str bytes, size_t at,
                         size_t room)
{
    size_t from = at;
    if (s->at != SCAN_VALUE)
        return 0;
    while (at < bytes.len && at - from < room &&
           http_is_value((unsigned char)bytes.ptr[at]))
        at++;
    return at - from;
}

bool http_scan_feed(struct http_scan *s, const struct http_limits *limits,
                    struct str *bytes, const struct http_refusal **refusal)
{
    *refusal = NULL;
    for (size_t i = 0; i < bytes->len;) {
        size_t plain = skip_value(s, *bytes, i, limits->head_bytes - s->bytes);
        i += plain;
        s->bytes += (uint32_t)plain;
        if (i == bytes->len)
            break;
        if (s->bytes >= limits->head_bytes)
            return *refusal = s->line_ends ? &too_large : &too_long, false;
        if (!s->line_ends && s->bytes >= TARGET_BYTES)
            return *refusal = &too_long, false;
        s->bytes++;
        bool ending = s->at == SCAN_END_LF;
        *refusal =
            scan_step(s, limits->headers, (unsigned char)bytes->ptr[i++]);
        if (*refusal)
            return false;
        if (ending) {
            *bytes = str_from(*bytes, i);
            return true;
        }
    }
    *bytes = str_from(*bytes, bytes->len);
    return false;
}
