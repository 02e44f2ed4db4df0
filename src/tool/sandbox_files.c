/* sandbox_files.c - see sandbox_files.h.
 *
 * While curl sends a file, a child flow reads its next piece each time that the
 * one before has been sent. So a file of any size takes the memory of one
 * piece, and a slow sandbox makes for few queries. */
#include "tool/sandbox_files.h"
#include "base/compiler.h"
#include "base/crypto.h"
#include <string.h>
#include "base/banned.h"

enum {
    LOOK_MS = 200, /* how often the feeder sees whether the call has ended */
    ANSWER_MS = 300 * 1000,
    TOTAL_MS = 600 * 1000,
    FEEDER_MEMORY = 4 * 1024 * 1024,
};

static struct next next_file_due(struct flow *f), file_located(struct flow *f),
    file_sent(struct flow *f), feed_begin(struct flow *f),
    feed_due(struct flow *f), piece_due(struct flow *f),
    piece_there(struct flow *f);

/* ---- calls --------------------------------------------------------------- */

/* A pseudonym by which the sandbox shares its slots fairly among users. */
static struct str user_header(struct arena *here, struct str user_id)
{
    enum { SHOWN_BYTES = 16 };
    uint8_t digest[SHA256_SIZE];
    sha256(arena_printf(here, "sandbox user %.*s", STR_ARG(user_id)), digest);
    return arena_printf(here, "X-Sandbox-User: %.*s",
                        STR_ARG(hex_encode(here, digest, SHOWN_BYTES)));
}

void sandbox_call(struct flow *f, const struct sandbox *s, struct str user_id,
                  const char *method, struct str path, struct http_call *call)
{
    struct arena *here = flow_here(f);
    struct str base = s->url.len ? s->url : STR("http://sandbox");
    struct str *headers = arena_new_array(here, struct str, 3);
    size_t n = 0;
    headers[n++] = strcmp(method, "PUT")
                       ? STR("Content-Type: application/json")
                       : STR("Content-Type: application/octet-stream");
    if (s->token.len)
        headers[n++] =
            arena_printf(here, "Authorization: Bearer %.*s", STR_ARG(s->token));
    if (user_id.len)
        headers[n++] = user_header(here, user_id);
    call->method = method;
    call->url = arena_printf(here, "%.*s%.*s", STR_ARG(base), STR_ARG(path));
    call->unix_socket = s->unix_socket;
    call->headers = headers;
    call->n_headers = n;
}

static bool is_hash(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (str_hex_digit(s.ptr[i]) < 0)
            return false;
    return s.len == FILE_SHA256_LEN;
}

size_t sandbox_missing(struct flow *f, struct str reply, struct str asked,
                       struct str **sha256s)
{
    enum { MISSING_MOST = 1000 };
    struct arena *arena = flow_here(f);
    json_t *v = json_read(reply, NULL);
    defer(f, json_drop, v);
    const json_t *list = json_object_get(v, "missing");
    size_t n = json_array_size(list), found = 0;
    n = n < MISSING_MOST ? n : MISSING_MOST;
    *sha256s = arena_new_array(arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct str hash = json_text(json_array_get(list, i));
        if (is_hash(hash) && str_find(asked, hash) >= 0)
            (*sha256s)[found++] = arena_str(arena, hash);
    }
    return found;
}

/* ---- one file after the other -------------------------------------------- */

struct next sandbox_supply_begin(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    if (s->sandbox->off)
        return fail(f, ERR_SANDBOX_UNAVAILABLE);
    s->at = 0;
    s->bytes = arena_alloc(flow_here(f), FILE_PIECE_BYTES);
    return go(f, next_file_due);
}

static struct next next_file_due(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    if (s->at == s->n)
        return back(f);
    s->find =
        (struct file_find){.store = s->store, .sha256 = s->sha256s[s->at]};
    return call(f, file_find_begin, &s->find, file_located);
}

/* curl asks for the next bytes of the file. */
static size_t read_file(struct http_call *c, char *to, size_t room)
{
    struct sandbox_supply *s = container_of(c, struct sandbox_supply, http);
    size_t n = s->len - s->taken;
    n = n < room ? n : room;
    if (n)
        memcpy(to, s->bytes + s->taken, n);
    s->taken += n;
    if (s->taken == s->len)
        wake_up(&s->needed);
    return n;
}

static struct next file_located(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    if (!s->find.found)
        return fail_because(f, ERR_NOT_FOUND,
                            "The file is not stored any more.");
    s->http = (struct http_call){.read_body = read_file,
                                 .body_size = (uint64_t)s->find.bytes,
                                 .first_ms = ANSWER_MS,
                                 .total_ms = TOTAL_MS,
                                 .max_bytes = FILE_PIECE_BYTES};
    s->piece = (struct file_piece){
        .store = s->store, .file_id = s->find.id, .to = s->bytes};
    s->needed = (struct wake){0};
    s->len = s->taken = 0;
    sandbox_call(
        f, s->sandbox, s->user_id, "PUT",
        arena_printf(flow_here(f), "/files/%.*s", STR_ARG(s->sha256s[s->at])),
        &s->http);
    http_call_begin(f, &s->http);
    op_tolerate(&s->http.op);
    child_begin(f, &s->feeder, feed_begin, s, "file supply", FEEDER_MEMORY);
    op_tolerate(&s->feeder.op);
    return await(f, file_sent);
}

static struct next file_sent(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    const struct http_call *h = &s->http;
    if (s->feeder.op.status != OK && s->feeder.op.status != ERR_CANCELLED)
        return fail(f, s->feeder.op.status);
    if (h->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (h->op.status != OK || (h->status != 200 && h->status != 201))
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "The sandbox did not take a file (%d%s%s).",
                            h->status, *h->detail ? ": " : "", h->detail);
    s->at++;
    return go(f, next_file_due);
}

/* ---- the feeder ---------------------------------------------------------- */

static struct next feed_begin(struct flow *f)
{
    return go(f, feed_due);
}

static struct next feed_due(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    bool sent = s->taken == s->len;
    if (!s->http.state || (sent && s->piece.offset >= s->find.bytes))
        return back(f);
    s->len = sent ? 0 : s->len;
    s->taken = sent ? 0 : s->taken;
    if (sent)
        return call(f, file_piece_begin, &s->piece, piece_there);
    wait_begin(f, &s->wait, &s->needed, LOOK_MS);
    return await(f, piece_due);
}

static struct next piece_due(struct flow *f)
{
    return go(f, feed_due);
}

/* A file that is deleted meanwhile ends the call. */
static struct next piece_there(struct flow *f)
{
    struct sandbox_supply *s = locals(f, struct sandbox_supply);
    if (!s->piece.len) {
        op_cancel(&s->http.op);
        return fail_because(f, ERR_NOT_FOUND,
                            "The file is not stored any more.");
    }
    s->piece.offset += (int64_t)s->piece.len;
    s->len = s->piece.len;
    http_call_resume(&s->http);
    return go(f, feed_due);
}
