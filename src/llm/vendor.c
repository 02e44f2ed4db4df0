/* vendor.c - finds the message in the body of an error response, and removes
 * credentials from it, word by word. */
#include "vendor.h"
#include "base/json.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

enum { LEAST_SECRET = 8, LONG_SECRET = 32, MOST_READ = 4096 };

/* ---- finding it --------------------------------------------------------- */

/* {"error": {"message"}}, {"error": "text"}, {"message"}, {"detail": "text"} or
 * {"detail": [{"msg"}]}. */
static struct str message_of(const json_t *reply)
{
    const json_t *error = json_object_get(reply, "error");
    const json_t *detail = json_object_get(reply, "detail");
    struct str found = json_get_text(error, "message");
    if (!found.len)
        found = json_text(error);
    if (!found.len)
        found = json_get_text(reply, "message");
    if (!found.len)
        found = json_text(detail);
    if (!found.len)
        found = json_get_text(json_array_get(detail, 0), "msg");
    return found;
}

/* ---- hiding secrets ----------------------------------------------------- */

static bool is_word_end(unsigned char c)
{
    return c <= ' ' || c == 0x7f || c == '"' || c == '\'' || c == '`' ||
           c == ',' || c == ';' || c == '<' || c == '>' || c == '(' || c == ')';
}

/* Keys are long runs of letters and digits; names of models contain hyphens. */
static bool is_long_and_random(struct str word)
{
    size_t run = 0;
    for (size_t i = 0; i < word.len; i++) {
        run = str_is_alnum(word.ptr[i]) ? run + 1 : 0;
        if (run >= LONG_SECRET)
            return true;
    }
    return false;
}

static bool looks_like_a_key(struct str word)
{
    static const char *const begins[] = {"sk-",  "pk-",  "key-", "eyJ",
                                         "xai-", "gsk_", "AIza", "AKIA"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (word.len >= LEAST_SECRET && str_starts(word, str_of(begins[i])))
            return true;
    return is_long_and_random(word);
}

static bool holds_a_header(struct str word, const struct llm_model *m)
{
    struct str rest = m->extra_headers, line;
    while (str_split(&rest, '\n', &line)) {
        ptrdiff_t colon = str_find_char(line, ':');
        struct str value =
            str_trim(str_from(line, colon < 0 ? line.len : (size_t)colon + 1));
        if (value.len >= LEAST_SECRET && str_find(word, value) >= 0)
            return true;
    }
    return false;
}

/* "Authorization: Bearer <this>", "x-api-key: <this>", "password=…" */
static bool announces_a_secret(struct str word)
{
    static const char *const names[] = {"authorization", "bearer",  "api-key",
                                        "apikey",        "api_key", "password",
                                        "secret",        "token"};
    while (word.len &&
           (word.ptr[word.len - 1] == ':' || word.ptr[word.len - 1] == '='))
        word.len--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str name = str_of(names[i]);
        if (word.len >= name.len &&
            str_eq_nocase(str_from(word, word.len - name.len), name))
            return true;
    }
    return false;
}

static bool is_secret(struct str word, const struct llm_model *m)
{
    ptrdiff_t sign = str_find_char(word, '=');
    if (sign < 0)
        sign = str_find_char(word, ':');
    bool named = sign > 0 && (size_t)sign + 1 < word.len &&
                 announces_a_secret(str_cut(word, 0, (size_t)sign));
    return named || looks_like_a_key(word) || holds_a_header(word, m) ||
           (m->key.len >= LEAST_SECRET && str_find(word, m->key) >= 0);
}

/* Appends a URL without its user information and its query. */
static void put_url(struct buf *out, struct str word, size_t host)
{
    struct str rest = str_from(word, host);
    ptrdiff_t query = str_find_char(rest, '?');
    if (query >= 0)
        rest = str_cut(rest, 0, (size_t)query);
    for (ptrdiff_t at; (at = str_find_char(rest, '@')) >= 0;)
        rest = str_from(rest, (size_t)at + 1);
    buf_str(out, str_cut(word, 0, host));
    buf_str(out, rest);
}

static void put_word(struct buf *out, struct str word,
                     const struct llm_model *m, bool announced)
{
    ptrdiff_t scheme = str_find(word, STR("://"));
    bool name = announces_a_secret(word);
    if ((announced && !name) || (scheme < 0 && is_secret(word, m)) ||
        (m->key.len >= LEAST_SECRET && str_find(word, m->key) >= 0))
        buf_text(out, "[hidden]");
    else if (scheme >= 0)
        put_url(out, word, (size_t)scheme + 3);
    else
        buf_str(out, word);
}

/* A secret follows "Bearer" and "token:", but not "token" alone. */
static bool announces_the_next(struct str word, struct str between)
{
    bool sign = str_find_char(between, ':') >= 0 ||
                str_find_char(between, '=') >= 0 || str_ends(word, STR(":")) ||
                str_ends(word, STR("="));
    return announces_a_secret(word) &&
           (sign || str_eq_nocase(word, STR("bearer")));
}

static void put_clean(struct buf *out, struct str text,
                      const struct llm_model *m)
{
    bool announced = false;
    for (size_t at = 0; at < text.len && out->len <= VENDOR_WORDS;) {
        size_t end = at;
        while (end < text.len && !is_word_end((unsigned char)text.ptr[end]))
            end++;
        size_t next = end;
        while (next < text.len && is_word_end((unsigned char)text.ptr[next]))
            next++;
        struct str word = str_cut(text, at, end - at);
        struct str between = str_cut(text, end, next - end);
        if (word.len) {
            put_word(out, word, m, announced);
            announced = announces_the_next(word, between);
        }
        bool space = false;
        for (size_t i = 0; i < between.len; i++) {
            unsigned char c = (unsigned char)between.ptr[i];
            bool blank = c <= ' ' || c == 0x7f;
            if (!blank || !space)
                buf_char(out, blank ? ' ' : (char)c);
            space = blank;
        }
        at = next;
    }
}

void vendor_take(struct vendor_error *e, struct str code, struct str message,
                 const struct llm_model *m)
{
    struct buf plain, out, name;
    buf_init(&plain, NULL);
    buf_init(&out, NULL);
    buf_init(&name, NULL);
    utf8_put_plain(&plain, utf8_cut(message, MOST_READ));
    put_clean(&out, utf8_trim(buf_view(&plain)), m);
    struct str words = utf8_trim(buf_view(&out));
    str_copy(e->words, sizeof e->words, utf8_cut(words, VENDOR_WORDS));
    if (words.len > VENDOR_WORDS)
        memcpy(e->words + strlen(e->words), "…", sizeof "…");
    put_clean(&name, utf8_cut(code, VENDOR_CODE), m);
    str_copy(e->code, sizeof e->code, utf8_cut(buf_view(&name), VENDOR_CODE));
    buf_done(&plain);
    buf_done(&out);
    buf_done(&name);
}

/* Whether it is a plain sentence, and not the HTML page of a proxy. */
static bool is_plain_sentence(struct str text)
{
    return text.len && *text.ptr != '<' && *text.ptr != '{' &&
           *text.ptr != '[' && utf8_valid(text);
}

void vendor_read(struct vendor_error *e, struct str body,
                 const struct llm_model *m)
{
    json_t *reply = json_read(body, NULL);
    const json_t *error = json_object_get(reply, "error");
    struct str code = json_get_text(error, "code");
    struct str message = message_of(reply);
    if (!code.len)
        code = json_get_text(error, "type");
    if (!reply && is_plain_sentence(str_trim(body)))
        message = str_trim(body);
    vendor_take(e, code, message, m);
    json_decref(reply);
}
