/* request.c - reads and validates requests, and writes replies. */
#include "request.h"
#include "base/utf8.h"
#include "gzip.h"
#include "loop/wait.h"
#include "base/banned.h"

enum { SEARCH_MOST = 255 };

struct store *request_store(struct request *q)
{
    return agent_store(q->api->options.agent);
}

bool request_may(const struct request *q, enum permission p)
{
    return q->user.permissions >> p & 1;
}

static struct str lower_case(struct arena *arena, struct str s)
{
    char *text = arena_cstr(arena, s);
    for (size_t i = 0; i < s.len; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            text[i] += 'a' - 'A';
    return (struct str){text, s.len};
}

struct str request_param(const struct request *q, const char *name)
{
    struct str value = {"", 0};
    for (size_t i = 0; i < q->match.n_params; i++)
        if (str_is(q->match.params[i].name, name))
            value = q->match.params[i].value;
    return value;
}

struct str request_name(struct request *q, const char *name)
{
    struct str value = request_param(q, name);
    char *text = arena_cstr(&q->memory, value);
    for (size_t i = 0; i < value.len; i++)
        if (text[i] == HTTP_SLASH_IN_NAME)
            text[i] = '/';
    return (struct str){text, value.len};
}

bool request_uuid(struct request *q, const char *name, struct str *out)
{
    struct str value = request_param(q, name);
    if (uuid_valid(value)) {
        *out = lower_case(&q->memory, value);
        return true;
    }
    request_invalid(q, name, "must be a UUID");
    request_refused(q);
    return false;
}

void request_uuid_query(struct request *q, const char *name, struct str *out)
{
    if (http_get_query(q->x, name, out) && !uuid_valid(*out))
        request_invalid(q, name, "must be a UUID");
}

bool request_bool_given(struct request *q, const char *field, bool *out)
{
    const json_t *v = json_object_get(q->body, field);
    if (json_is_boolean(v))
        *out = json_is_true(v);
    else if (v)
        request_invalid(q, field, "must be true or false");
    return json_is_boolean(v);
}

bool request_index(struct request *q, const char *name, int most, int *out)
{
    int64_t n;
    if (str_to_int64(request_param(q, name), &n) && n >= 0 && n <= most) {
        *out = (int)n;
        return true;
    }
    reply_error(q, ERR_NOT_FOUND, NULL);
    return false;
}

void request_provider(struct request *q, struct str *out)
{
    static const char *const ids[] = {"openai", "anthropic", "azure",
                                      "builtin"};
    const json_t *v = json_object_get(q->body, "llmProvider");
    bool known = false;
    *out = json_text(v);
    if (!v || json_is_null(v))
        return;
    for (int i = 0; i < 4; i++)
        known = known || str_is(*out, ids[i]);
    if (!known)
        request_invalid(q, "llmProvider",
                        "must be openai, anthropic, azure, builtin or null");
    else if (!agent_provider(q->api->options.agent, *out))
        request_invalid(q, "llmProvider", "is not enabled on this server");
}

bool request_is_json(const struct request *q)
{
    struct str media, type = http_get_header(q->x, "Content-Type");
    return str_split(&type, ';', &media) &&
           str_eq_nocase(str_trim(media), STR("application/json"));
}

bool request_body_if_any(struct request *q)
{
    if (q->x->body.len == 0 && !http_get_header(q->x, "Content-Type").len)
        return q->body = NULL, true;
    return request_body(q);
}

bool request_body(struct request *q)
{
    struct json_problem problem = {0};
    if (q->x->body.len == 0) {
        reply_error(q, ERR_VALIDATION, "The body must be a JSON object.");
        return false;
    }
    if (!request_is_json(q)) {
        reply_error(q, ERR_MEDIA_TYPE, NULL);
        return false;
    }
    struct str coding = http_get_header(q->x, "Content-Encoding");
    if (coding.len && !str_eq_nocase(coding, STR("identity"))) {
        http_set_header(q->x, "Accept-Encoding", STR("identity"));
        reply_error(q, ERR_MEDIA_TYPE, "The body must not be compressed.");
        return false;
    }
    q->body = json_read(q->x->body, &problem);
    if (json_is_object(q->body))
        return true;
    reply_error(q, ERR_VALIDATION,
                q->body ? "The body must be a JSON object."
                        : arena_printf(&q->memory,
                                       "The body is not JSON: %s (line %d).",
                                       problem.text, problem.line)
                              .ptr);
    return false;
}

bool request_number(struct request *q, const char *name, int64_t most,
                    int usual, int *out)
{
    struct str text;
    int64_t n = usual;
    if (http_get_query(q->x, name, &text) &&
        (!str_to_int64(text, &n) || n < 1 || n > most)) {
        request_invalid(q, name,
                        arena_printf(&q->memory,
                                     "must be a number from 1 to %lld",
                                     (long long)most)
                            .ptr);
        return false;
    }
    *out = (int)n;
    return true;
}

bool request_paging(struct request *q, int *page, int *page_size, int usual)
{
    request_number(q, "page", 1000000, 1, page);
    request_number(q, "pageSize", 100, usual, page_size);
    return !request_refused(q);
}

bool request_position(struct request *q, int64_t *after)
{
    struct str text = http_get_header(q->x, "Last-Event-ID"), query;
    const char *field = "Last-Event-ID";
    *after = 0;
    if (!text.len && http_get_query(q->x, "after", &query)) {
        text = query;
        field = "after";
    }
    if (!text.len || (str_to_int64(text, after) && *after >= 0))
        return true;
    request_invalid(q, field, "must be a number");
    request_refused(q);
    return false;
}

void request_search(struct request *q, struct str *out)
{
    if (http_get_query(q->x, "search", out) &&
        (!utf8_valid(*out) || utf8_count(*out) > SEARCH_MOST ||
         str_find_char(*out, '\0') >= 0))
        request_invalid(q, "search", "must be at most 255 characters");
}

void request_invalid(struct request *q, const char *field, const char *message)
{
    struct json_writer w;
    if (!q->errors.arena)
        buf_init(&q->errors, &q->memory);
    json_writer_init(&w, &q->errors);
    w.comma = q->errors.len > 0;
    json_put_object(&w);
    json_field_text(&w, "field", field);
    json_field_text(&w, "message", message);
    json_put_object_end(&w);
}

static void wrong_length(struct request *q, const char *field, size_t least,
                         size_t most)
{
    request_invalid(
        q, field,
        arena_printf(&q->memory, "must be %zu to %zu characters", least, most)
            .ptr);
}

bool request_text_given(struct request *q, const char *field, size_t least,
                        size_t most, struct str *out)
{
    const json_t *v = json_object_get(q->body, field);
    struct str text = utf8_trim(json_text(v));
    size_t n = utf8_count(text);
    bool null = json_is_null(v) && least == 0;
    bool good = null || (json_is_string(v) && n >= least && n <= most);
    if (good)
        *out = text;
    else if (v)
        wrong_length(q, field, least, most);
    return good;
}

void request_text(struct request *q, const char *field, size_t least,
                  size_t most, struct str *out)
{
    *out = STR("");
    if (json_object_get(q->body, field))
        request_text_given(q, field, least, most, out);
    else if (least)
        wrong_length(q, field, least, most);
}

void request_uuid_given(struct request *q, const char *field, struct str *out)
{
    *out = json_get_text(q->body, field);
    if (uuid_valid(*out))
        *out = lower_case(&q->memory, *out);
    else
        request_invalid(q, field, "must be a UUID");
}

bool request_visibility(struct request *q, bool *shared)
{
    const json_t *v = json_object_get(q->body, "visibility");
    bool is_shared = str_is(json_text(v), "shared");
    bool good = is_shared || str_is(json_text(v), "private");
    if (good)
        *shared = is_shared;
    else if (v)
        request_invalid(q, "visibility", "must be private or shared");
    return good;
}

bool request_for_owner(struct request *q, bool found, struct str owner_id,
                       const char *missing)
{
    if (!found)
        reply_error(q, ERR_NOT_FOUND, missing);
    else if (!request_may(q, MAY_ADMIN) && !str_eq(owner_id, q->user.id))
        reply_error(q, ERR_FORBIDDEN, "It belongs to another user.");
    else
        return true;
    return false;
}

bool request_removed(struct request *q, const struct removal *r,
                     const char *missing)
{
    if (!r->found)
        reply_error(q, ERR_NOT_FOUND, missing);
    for (size_t i = 0; i < r->n_runs; i++)
        agent_cancel_anywhere(q->api->options.agent, r->runs[i], true);
    return r->found;
}

bool request_refused(struct request *q)
{
    if (!q->errors.len)
        return false;
    struct str details =
        arena_printf(&q->memory, "[%.*s]", STR_ARG(buf_view(&q->errors)));
    reply_error_with(q, ERR_VALIDATION, NULL, details);
    return true;
}

void reply_open_bare(struct request *q, struct api_reply *r)
{
    buf_init(&r->out, &q->memory);
    json_writer_init(&r->w, &r->out);
    json_put_object(&r->w);
}

void reply_open(struct request *q, struct api_reply *r)
{
    reply_open_bare(q, r);
    json_put_key(&r->w, "data");
}

void reply_open_object(struct request *q, struct api_reply *r)
{
    reply_open(q, r);
    json_put_object(&r->w);
}

/* Answers to one user must not be cached, neither by proxies nor by a browser
 * that another user may open later. */
static void keep_private(struct request *q)
{
    q->answered = true;
    http_set_header(q->x, "Cache-Control", STR("no-store"));
}

static const char json_media[] = "application/json";

static void send_packed(struct request *q, int status, struct str packed)
{
    http_set_coding(q->x, "gzip");
    http_reply(q->x, status, json_media, packed);
}

static struct str pack(struct request *q, struct str body)
{
    char *out = arena_alloc(&q->memory, gzip_room(body.len));
    return (struct str){out, gzip_pack(out, body)};
}

void reply_send(struct request *q, struct api_reply *r, int status)
{
    json_put_object_end(&r->w);
    struct str body = buf_view(&r->out);
    keep_private(q);
    if (!gzip_wanted(q->x, body))
        http_reply(q->x, status, json_media, body);
    else if (body.len <= GZIP_LARGE)
        send_packed(q, status, pack(q, body));
    else
        q->large = (struct large_reply){.body = body, .status = status};
}

void reply_send_object(struct request *q, struct api_reply *r, int status)
{
    json_put_object_end(&r->w);
    reply_send(q, r, status);
}

struct next reply_row(struct flow *f, const struct query *rows,
                      void (*put)(struct json_writer *w, const struct query *q,
                                  int row),
                      int status)
{
    struct api_reply r;
    reply_open_object(REQUEST(f), &r);
    put(&r.w, rows, 0);
    reply_send_object(REQUEST(f), &r, status);
    return back(f);
}

void reply_send_secret(struct request *q, struct api_reply *r, int status)
{
    json_put_object_end(&r->w);
    keep_private(q);
    http_reply(q->x, status, json_media, buf_view(&r->out));
}

/* Runs on another thread; the buffer was allocated before. */
static void pack_large(void *what)
{
    struct large_reply *l = what;
    l->packed.len = gzip_pack((char *)l->packed.ptr, l->body);
}

static struct next large_packed(struct flow *f);

struct next reply_finish_begin(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct large_reply *l = &q->large;
    l->packed.ptr = arena_alloc(&q->memory, gzip_room(l->body.len));
    work_begin(f, here(f, struct work), pack_large, l);
    return await(f, large_packed);
}

static struct next large_packed(struct flow *f)
{
    struct request *q = REQUEST(f);
    send_packed(q, q->large.status, q->large.packed);
    q->large.status = 0;
    return back(f);
}

void reply_finish_now(struct request *q)
{
    http_reply(q->x, q->large.status, json_media, q->large.body);
    q->large.status = 0;
}

void reply_empty(struct request *q, int status)
{
    q->answered = true;
    http_reply(q->x, status, NULL, STR(""));
}

void reply_bytes(struct request *q, const char *media_type, struct str bytes)
{
    q->answered = true;
    http_set_header(q->x, "X-Content-Type-Options", STR("nosniff"));
    http_reply(q->x, 200, media_type, bytes);
}

/* The code that the API shows; a run's own codes appear only in events. */
static enum err face_of(enum err e)
{
    switch (e) {
    case ERR_DATABASE_UNAVAILABLE:
    case ERR_MODEL_UNAVAILABLE:
    case ERR_SANDBOX_UNAVAILABLE:
    case ERR_TIMEOUT:
        return ERR_UNAVAILABLE;
    case ERR_NO_MEMORY:
    case ERR_CANCELLED:
        return ERR_INTERNAL;
    default:
        return e;
    }
}

void reply_error_with(struct request *q, enum err e, const char *message,
                      struct str details)
{
    e = face_of(e);
    keep_private(q);
    http_reply_error(q->x, e, str_of(message ? message : err_sentence(e)),
                     details);
}

void reply_error(struct request *q, enum err e, const char *message)
{
    reply_error_with(q, e, message, STR(""));
}

struct next reply_refusal(struct flow *f, enum err e, const char *message)
{
    reply_error(REQUEST(f), e, message);
    return back(f);
}

void reply_page_open(struct request *q, struct api_reply *r)
{
    reply_open(q, r);
    json_put_object(&r->w);
    json_field_array(&r->w, "items");
}

void reply_page(struct request *q, const struct query *rows,
                void (*put)(struct json_writer *w, const struct query *q,
                            int row),
                int page, int page_size, int64_t total)
{
    struct api_reply r;
    reply_page_open(q, &r);
    for (int i = 0; i < rows->n_rows; i++) {
        json_put_object(&r.w);
        put(&r.w, rows, i);
        json_put_object_end(&r.w);
    }
    reply_page_send(q, &r, page, page_size, total);
}

void reply_page_send(struct request *q, struct api_reply *r, int page,
                     int page_size, int64_t total)
{
    struct json_writer *w = &r->w;
    int64_t pages = (total + page_size - 1) / page_size;
    json_put_array_end(w);
    json_field_object(w, "pagination");
    json_field_int(w, "page", page);
    json_field_int(w, "pageSize", page_size);
    json_field_int(w, "totalItems", total);
    json_field_int(w, "totalPages", pages);
    json_put_object_end(w);
    json_field_int(w, "total", total);
    json_field_int(w, "page", page);
    json_field_int(w, "pageSize", page_size);
    json_field_int(w, "totalPages", pages);
    json_put_object_end(w);
    reply_send(q, r, 200);
}
