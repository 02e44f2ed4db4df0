/* multipart.c - see multipart.h.
 *
 * A delimiter begins with CR, and has no other CR. So when a part of it turns
 * out not to be the delimiter, the next one cannot begin inside, and each byte
 * is looked at a fixed number of times. */
#include "net/multipart.h"
#include <string.h>
#include "base/banned.h"

enum multipart_state {
    AT_DATA,  /* of a part, or before the first delimiter */
    AT_AFTER, /* a delimiter: white space, then a line's end or "--" */
    AT_AFTER_CR,
    AT_DASH, /* one of the two dashes */
    AT_HEAD, /* lines of a part's head */
    AT_END,
    AT_BAD,
};

enum { PADDING_MOST = 256 };

static enum multipart_event bad(struct multipart *m, const char *why)
{
    m->at = AT_BAD;
    m->why = why;
    return MULTIPART_BAD;
}

/* ---- parameters of a header ---------------------------------------------- */

static struct str skip_white(struct str s)
{
    while (s.len && (s.ptr[0] == ' ' || s.ptr[0] == '\t'))
        s = str_from(s, 1);
    return s;
}

static bool is_token_char(char c)
{
    return str_is_alnum(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static struct str take_token(struct str *s)
{
    size_t n = 0;
    while (n < s->len && is_token_char(s->ptr[n]))
        n++;
    struct str token = str_cut(*s, 0, n);
    *s = str_from(*s, n);
    return token;
}

/* A parameter's value: a token, or a quoted string with its quotes. A backslash
 * hides the quote after it. */
static bool take_value(struct str *s, struct str *value)
{
    if (!s->len || s->ptr[0] != '"') {
        *value = take_token(s);
        return value->len > 0;
    }
    for (size_t i = 1; i < s->len; i++) {
        if (s->ptr[i] == '\\' && i + 1 < s->len &&
            (s->ptr[i + 1] == '"' || s->ptr[i + 1] == '\\')) {
            i++;
        } else if (s->ptr[i] == '"') {
            *value = str_cut(*s, 0, i + 1);
            *s = str_from(*s, i + 1);
            return true;
        }
    }
    return false;
}

/* The next `; name=value`. False at the end, or with *broken. */
static bool take_parameter(struct str *s, struct str *name, struct str *value,
                           bool *broken)
{
    *s = skip_white(*s);
    if (!s->len)
        return false;
    *broken = true;
    if (s->ptr[0] != ';')
        return false;
    *s = skip_white(str_from(*s, 1));
    *broken = false;
    if (!s->len) /* a `;` at the end */
        return false;
    *name = take_token(s);
    *s = skip_white(*s);
    *broken = !name->len || !s->len || s->ptr[0] != '=';
    if (*broken)
        return false;
    *s = skip_white(str_from(*s, 1));
    *broken = !take_value(s, value);
    return !*broken;
}

/* The value without its quotes, at `to`. Browsers write a quote in a name as
 * %22, other tools as \". False: too long. */
static bool unquote(struct str value, char *to, struct str *out)
{
    bool quoted = value.len && value.ptr[0] == '"';
    size_t n = 0;
    if (quoted)
        value = str_cut(value, 1, value.len - 2);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        struct str rest = str_from(value, i);
        if (quoted && c == '\\' && rest.len > 1 &&
            (rest.ptr[1] == '"' || rest.ptr[1] == '\\')) {
            c = rest.ptr[1];
            i++;
        } else if (str_starts(rest, STR("%22"))) {
            c = '"';
            i += 2;
        }
        if (n == MULTIPART_NAME_BYTES)
            return false;
        to[n++] = c;
    }
    *out = (struct str){to, n};
    return true;
}

/* ---- the boundary -------------------------------------------------------- */

static bool boundary_good(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!str_is_alnum(s.ptr[i]) &&
            (!s.ptr[i] || !strchr("'()+_,-./:=? ", s.ptr[i])))
            return false;
    return s.len && s.len <= MULTIPART_BOUNDARY_MOST && s.ptr[s.len - 1] != ' ';
}

static bool set_boundary(struct multipart *m, struct str value)
{
    if (value.len >= 2 && value.ptr[0] == '"')
        value = str_cut(value, 1, value.len - 2);
    if (m->delimiter_len || !boundary_good(value))
        return false;
    memcpy(m->delimiter, "\r\n--", 4);
    memcpy(m->delimiter + 4, value.ptr, value.len);
    m->delimiter_len = value.len + 4;
    return true;
}

bool multipart_init(struct multipart *m, struct str content_type)
{
    struct str media = {0}, name, value;
    bool broken = false;
    *m = (struct multipart){.at = AT_DATA, .matched = 2};
    ptrdiff_t end = str_find_char(content_type, ';');
    if (end < 0)
        return false;
    media = str_trim(str_cut(content_type, 0, (size_t)end));
    content_type = str_from(content_type, (size_t)end);
    if (!str_eq_nocase(media, STR("multipart/form-data")))
        return false;
    while (take_parameter(&content_type, &name, &value, &broken))
        if (str_eq_nocase(name, STR("boundary")) && !set_boundary(m, value))
            return false;
    return !broken && m->delimiter_len;
}

/* ---- the head of a part -------------------------------------------------- */

static const char *read_disposition(struct multipart *m, struct str value)
{
    struct str name, text;
    bool broken = false, named = false;
    struct multipart_part *p = &m->part;
    if (!str_eq_nocase(take_token(&value), STR("form-data")))
        return "A part of the form is not \"form-data\".";
    while (take_parameter(&value, &name, &text, &broken)) {
        bool file = str_eq_nocase(name, STR("filename"));
        if (!file && !str_eq_nocase(name, STR("name")))
            continue;
        bool *had = file ? &p->has_filename : &named;
        if (*had)
            return "A part of the form has two names.";
        *had = true;
        if (!unquote(text, m->names + (file ? MULTIPART_NAME_BYTES : 0),
                     file ? &p->filename : &p->name))
            return "A name in the form is too long.";
    }
    if (broken)
        return "The head of a part of the form is malformed.";
    return named ? NULL : "A part of the form has no name.";
}

static bool is_plain(struct str encoding)
{
    return str_eq_nocase(encoding, STR("binary")) ||
           str_eq_nocase(encoding, STR("8bit")) ||
           str_eq_nocase(encoding, STR("7bit"));
}

static const char *read_line(struct multipart *m, struct str line, bool *known)
{
    struct str name = take_token(&line);
    if (!name.len || !line.len || line.ptr[0] != ':' ||
        memchr(line.ptr, '\r', line.len) || memchr(line.ptr, '\n', line.len) ||
        memchr(line.ptr, '\0', line.len))
        return "The head of a part of the form is malformed.";
    struct str value = str_trim(str_from(line, 1));
    if (str_eq_nocase(name, STR("content-transfer-encoding")) &&
        !is_plain(value))
        return "A part of the form has a transfer encoding.";
    if (!str_eq_nocase(name, STR("content-disposition")))
        return NULL;
    if (*known)
        return "A part of the form has two names.";
    *known = true;
    return read_disposition(m, value);
}

/* The head is whole; it ends with an empty line. */
static enum multipart_event read_head(struct multipart *m)
{
    struct str rest = {m->head, m->head_len - 2};
    const char *why = NULL;
    bool known = false;
    m->part = (struct multipart_part){0};
    while (rest.len && !why) {
        size_t end = (size_t)str_find(rest, STR("\r\n"));
        why = read_line(m, str_cut(rest, 0, end), &known);
        rest = str_from(rest, end + 2);
    }
    if (!why && !known)
        why = "A part of the form has no name.";
    if (why)
        return bad(m, why);
    m->at = AT_DATA;
    m->matched = 0;
    m->in_part = true;
    return MULTIPART_PART;
}

/* ---- data and delimiters ------------------------------------------------- */

static enum multipart_event give(struct multipart *m, struct str data)
{
    m->data = data;
    return MULTIPART_DATA;
}

static enum multipart_event delimiter_seen(struct multipart *m)
{
    bool ends = m->in_part;
    m->at = AT_AFTER;
    m->matched = m->padding = 0;
    m->in_part = false;
    return ends ? MULTIPART_PART_END : MULTIPART_MORE;
}

/* Goes on with a delimiter that began in an earlier piece. */
static enum multipart_event go_on_matching(struct multipart *m,
                                           struct str *bytes)
{
    while (bytes->len && m->matched < m->delimiter_len) {
        if (bytes->ptr[0] != m->delimiter[m->matched]) {
            struct str seen = {m->delimiter, m->matched};
            m->matched = 0;
            return m->in_part ? give(m, seen) : MULTIPART_MORE;
        }
        m->matched++;
        *bytes = str_from(*bytes, 1);
    }
    return m->matched == m->delimiter_len ? delimiter_seen(m) : MULTIPART_MORE;
}

/* How many bytes at the end may be the front of a delimiter. */
static size_t held_back(const struct multipart *m, struct str bytes)
{
    size_t most = m->delimiter_len - 1;
    struct str tail =
        bytes.len > most ? str_from(bytes, bytes.len - most) : bytes;
    const char *cr = tail.len ? memrchr(tail.ptr, '\r', tail.len) : NULL;
    size_t n = cr ? (size_t)(tail.ptr + tail.len - cr) : 0;
    return n && memcmp(cr, m->delimiter, n) == 0 ? n : 0;
}

static enum multipart_event feed_data(struct multipart *m, struct str *bytes)
{
    if (m->matched)
        return go_on_matching(m, bytes);
    const char *at =
        memmem(bytes->ptr, bytes->len, m->delimiter, m->delimiter_len);
    size_t n =
        at ? (size_t)(at - bytes->ptr) : bytes->len - held_back(m, *bytes);
    struct str data = str_cut(*bytes, 0, n);
    *bytes = str_from(*bytes, n);
    if (n && m->in_part)
        return give(m, data);
    return go_on_matching(m, bytes);
}

/* ---- the lines after a delimiter ----------------------------------------- */

static enum multipart_event feed_after(struct multipart *m, char c)
{
    if (m->at == AT_DASH) {
        if (c != '-')
            return bad(m, "A boundary of the form is malformed.");
        m->at = AT_END;
        return MULTIPART_END;
    }
    if (m->at == AT_AFTER_CR) {
        if (c != '\n')
            return bad(m, "A boundary of the form is malformed.");
        m->at = AT_HEAD;
        m->head_len = 0;
        return MULTIPART_MORE;
    }
    if (c == '-' && !m->padding)
        m->at = AT_DASH;
    else if (c == '\r')
        m->at = AT_AFTER_CR;
    else if ((c != ' ' && c != '\t') || ++m->padding > PADDING_MOST)
        return bad(m, "A boundary of the form is malformed.");
    return MULTIPART_MORE;
}

/* The head is whole with its first empty line, which may be its first line. */
static enum multipart_event feed_head(struct multipart *m, char c)
{
    if (m->head_len == sizeof m->head)
        return bad(m, "The head of a part of the form is too large.");
    m->head[m->head_len++] = c;
    struct str head = {m->head, m->head_len};
    if (str_is(head, "\r\n") || str_ends(head, STR("\r\n\r\n")))
        return read_head(m);
    return MULTIPART_MORE;
}

enum multipart_event multipart_feed(struct multipart *m, struct str *bytes)
{
    enum multipart_event event = MULTIPART_MORE;
    m->data = (struct str){0};
    while (bytes->len && event == MULTIPART_MORE) {
        if (m->at == AT_END) {
            *bytes = (struct str){0};
        } else if (m->at == AT_BAD) {
            return MULTIPART_BAD;
        } else if (m->at == AT_DATA) {
            event = feed_data(m, bytes);
        } else {
            char c = bytes->ptr[0];
            *bytes = str_from(*bytes, 1);
            event = m->at == AT_HEAD ? feed_head(m, c) : feed_after(m, c);
        }
    }
    return event;
}
