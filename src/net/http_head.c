/* http_head.c - parses a complete head with llhttp and checks the result.
 *
 * The checks follow the order of RFC 9112: the request line, then the fields,
 * then what they mean together (Host, framing). */
#include "http_chars.h"
#include "http_parser.h"
#include <llhttp.h>
#include <string.h>
#include "base/banned.h"

#define REFUSAL(name, status, code, text) \
    static const struct http_refusal name = {status, code, text}

REFUSAL(bad_line, 400, "VALIDATION_ERROR", "The request line is malformed.");
REFUSAL(bad_version, 505, "HTTP_VERSION_NOT_SUPPORTED",
        "This server supports HTTP/1.1 and HTTP/1.0.");
REFUSAL(no_method, 501, "NOT_IMPLEMENTED", "This method is not supported.");
REFUSAL(not_allowed, 405, "METHOD_NOT_ALLOWED",
        "This server does not support that method.");
REFUSAL(bad_head, 400, "VALIDATION_ERROR", "The request's head is malformed.");
REFUSAL(bad_host, 400, "VALIDATION_ERROR",
        "The request needs one valid Host header.");
REFUSAL(repeated, 400, "VALIDATION_ERROR", "A header is given twice.");
REFUSAL(bad_framing, 400, "VALIDATION_ERROR",
        "The length of the body is ambiguous.");
REFUSAL(bad_coding, 501, "NOT_IMPLEMENTED",
        "This transfer coding is not supported.");
REFUSAL(bad_expect, 417, "EXPECTATION_FAILED",
        "This expectation is not supported.");

/* ---- the request line --------------------------------------------------- */

static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!http_is_token((unsigned char)s.ptr[i]))
            return false;
    }
    return s.len > 0;
}

static const struct http_refusal *check_version(struct str s)
{
    bool shaped = s.len == 8 && memcmp(s.ptr, "HTTP/", 5) == 0 &&
                  s.ptr[5] >= '0' && s.ptr[5] <= '9' && s.ptr[6] == '.' &&
                  s.ptr[7] >= '0' && s.ptr[7] <= '9';
    if (!shaped)
        return &bad_line;
    return str_is(s, "HTTP/1.1") || str_is(s, "HTTP/1.0") ? NULL : &bad_version;
}

static const struct http_refusal *check_method(struct str s)
{
    static const char *const taken[] = {"GET",   "HEAD",   "POST",    "PUT",
                                        "PATCH", "DELETE", "OPTIONS", NULL};
    static const char *const known[] = {"CONNECT", "TRACE", NULL};
    if (str_is_one_of(s, taken))
        return NULL;
    return str_is_one_of(s, known) ? &not_allowed : &no_method;
}

static const struct http_refusal *line_read(struct str line, struct str *method,
                                            struct str *target, bool *minor)
{
    struct str version;
    if (!str_split(&line, ' ', method) || !str_split(&line, ' ', target) ||
        !str_split(&line, ' ', &version) || line.ptr)
        return &bad_line;
    if (!is_token(*method) || target->len == 0)
        return &bad_line;
    const struct http_refusal *why = check_version(version);
    *minor = !why && version.ptr[7] == '1';
    return why ? why : check_method(*method);
}

const struct http_refusal *http_line_check(struct str line)
{
    struct str method, target;
    bool minor;
    return line_read(line, &method, &target, &minor);
}

/* ---- the fields, by llhttp ---------------------------------------------- */

struct field_list {
    struct http_header *at;
    size_t count, room;
    bool in_value, complete, minor;
};

static int on_field(llhttp_t *parser, const char *at, size_t length)
{
    struct field_list *f = parser->data;
    if (f->in_value || f->count == 0) {
        if (f->count == f->room)
            return HPE_USER;
        f->at[f->count++].name = (struct str){at, 0};
        f->in_value = false;
    }
    f->at[f->count - 1].name.len += length;
    return HPE_OK;
}

static int on_value(llhttp_t *parser, const char *at, size_t length)
{
    struct field_list *f = parser->data;
    if (f->count == 0)
        return HPE_USER;
    struct str *value = &f->at[f->count - 1].value;
    if (!f->in_value)
        *value = (struct str){at, 0};
    if (value->ptr + value->len != at)
        return HPE_USER; /* not contiguous */
    value->len += length;
    f->in_value = true;
    return HPE_OK;
}

/* Also called for fields without a value, unlike on_value. */
static int on_value_end(llhttp_t *parser)
{
    struct field_list *f = parser->data;
    f->in_value = true;
    return HPE_OK;
}

static int on_headers_complete(llhttp_t *parser)
{
    struct field_list *f = parser->data;
    f->complete = true;
    f->minor = parser->http_major == 1 && parser->http_minor == 1;
    return HPE_OK;
}

static bool fields_read(struct str text, struct field_list *f)
{
    static llhttp_settings_t settings;
    if (!settings.on_header_field) {
        llhttp_settings_init(&settings);
        settings.on_header_field = on_field;
        settings.on_header_value = on_value;
        settings.on_header_value_complete = on_value_end;
        settings.on_headers_complete = on_headers_complete;
    }
    llhttp_t parser;
    llhttp_init(&parser, HTTP_REQUEST, &settings);
    parser.data = f;
    llhttp_errno_t rc = llhttp_execute(&parser, text.ptr, text.len);
    for (size_t i = 0; i < f->count; i++)
        f->at[i].value = str_trim(f->at[i].value);
    return (rc == HPE_OK || rc == HPE_PAUSED_UPGRADE) && f->complete &&
           f->count == f->room;
}

/* ---- what they mean ----------------------------------------------------- */

/* The fields that matter here; each may occur once. */
struct head_meaning {
    struct str host, length, coding, expect;
    struct str authorization, type;
    bool close, keep;
};

static bool port_good(struct str s)
{
    int64_t port = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    }
    return s.len == 0 || (s.len <= 5 && str_to_int64(s, &port) && port < 65536);
}

bool http_host_good(struct str s)
{
    bool bracket = s.len && s.ptr[0] == '[';
    size_t i = bracket ? 1 : 0;
    for (; i < s.len; i++) {
        char c = s.ptr[i];
        bool word = str_is_alnum(c) || c == '.';
        if (bracket ? str_hex_digit(c) < 0 && c != ':' && c != '.'
                    : !word && c != '-' && c != '_')
            break;
    }
    if (i == (bracket ? 1u : 0u))
        return false;
    if (bracket && (i == s.len || s.ptr[i++] != ']'))
        return false;
    return i == s.len || (s.ptr[i] == ':' && port_good(str_from(s, i + 1)));
}

/* Whether the parameters contain "q=0", with any number of decimals. */
static bool has_zero_weight(struct str parameters)
{
    ptrdiff_t at = str_find_nocase(parameters, STR("q="));
    if (at < 0)
        return false;
    struct str q = str_trim(str_from(parameters, (size_t)at + 2));
    for (size_t i = 0; i < q.len; i++) {
        if (q.ptr[i] != '0' && q.ptr[i] != '.')
            return false;
    }
    return q.len > 0;
}

bool http_accepts(struct str header, struct str what)
{
    struct str item;
    while (str_split(&header, ',', &item)) {
        struct str name, rest = item;
        str_split(&rest, ';', &name);
        if (str_eq_nocase(str_trim(name), what))
            return !has_zero_weight(rest);
    }
    return false;
}

static void connection_read(struct head_meaning *m, struct str value)
{
    struct str token;
    while (str_split(&value, ',', &token)) {
        token = str_trim(token);
        m->close |= str_eq_nocase(token, STR("close"));
        m->keep |= str_eq_nocase(token, STR("keep-alive"));
    }
}

/* False: a field that may occur once is there twice. */
static bool meaning_read(struct head_meaning *m, const struct http_exchange *x)
{
    const struct {
        struct str name;
        struct str *value;
    } once[] = {
        {STR("host"), &m->host},
        {STR("content-length"), &m->length},
        {STR("transfer-encoding"), &m->coding},
        {STR("expect"), &m->expect},
        {STR("authorization"), &m->authorization},
        {STR("content-type"), &m->type},
    };
    for (size_t i = 0; i < x->n_headers; i++) {
        const struct http_header *h = &x->headers[i];
        if (str_eq_nocase(h->name, STR("connection")))
            connection_read(m, h->value);
        for (size_t k = 0; k < sizeof once / sizeof *once; k++) {
            if (!str_eq_nocase(h->name, once[k].name))
                continue;
            if (once[k].value->ptr)
                return false;
            *once[k].value = h->value.ptr ? h->value : STR("");
        }
    }
    return true;
}

static const struct http_refusal *length_read(struct str s, uint64_t *length)
{
    *length = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return &bad_framing;
        *length = *length * 10 + (uint64_t)(s.ptr[i] - '0');
    }
    return s.len > 0 && s.len <= 18 ? NULL : &bad_framing;
}

static const struct http_refusal *framing_read(const struct head_meaning *m,
                                               struct http_head *head)
{
    if (m->coding.ptr) {
        if (m->length.ptr || !head->minor || m->coding.len == 0)
            return &bad_framing;
        head->framing = FRAMING_CHUNKED;
        return str_eq_nocase(m->coding, STR("chunked")) ? NULL : &bad_coding;
    }
    if (!m->length.ptr)
        return NULL;
    const struct http_refusal *why =
        length_read(m->length, &head->content_length);
    if (why)
        return why;
    head->framing = head->content_length ? FRAMING_LENGTH : FRAMING_NONE;
    return NULL;
}

static const struct http_refusal *check_meaning(const struct head_meaning *m,
                                                struct http_head *head)
{
    if (m->host.ptr ? !http_host_good(m->host) : head->minor)
        return &bad_host;
    const struct http_refusal *why = framing_read(m, head);
    if (why)
        return why;
    head->keep_alive = head->minor ? !m->close : m->keep && !m->close;
    if (!m->expect.ptr || !head->minor)
        return NULL;
    head->expects = head->framing != FRAMING_NONE;
    return str_eq_nocase(m->expect, STR("100-continue")) ? NULL : &bad_expect;
}

const struct http_refusal *http_head_read(struct str text, unsigned fields,
                                          struct http_exchange *x,
                                          struct http_head *head)
{
    *head = (struct http_head){0};
    text = arena_str(&x->arena, text);
    ptrdiff_t end = str_find(text, STR("\r\n"));
    if (end < 0)
        return &bad_line;
    const struct http_refusal *why = line_read(
        str_cut(text, 0, (size_t)end), &x->method, &x->target, &head->minor);
    if (why)
        return why;
    struct field_list f = {.room = fields};
    f.at = arena_new_array(&x->arena, struct http_header, fields);
    if (!fields_read(text, &f) || f.minor != head->minor)
        return &bad_head;
    x->headers = f.at;
    x->n_headers = f.count;
    struct head_meaning m = {0};
    if (!meaning_read(&m, x))
        return &repeated;
    why = check_meaning(&m, head);
    x->host = m.host;
    return why ? why : http_target_read(x);
}
