/* mcp_session.c - sessions of the MCP server without a memory of them, and which
 * pages may use it.
 *
 * A session id is a random number, signed for its user. The id of an answer is
 * made of the session's and the request's id, so that a notification that
 * another process gets finds the run that it cancels. */
#include "base/crypto.h"
#include "base/random.h"
#include "mcp.h"
#include <string.h>
#include "base/banned.h"

enum {
    SESSION_RANDOM = 16,
    SESSION_HEX = 2 * SESSION_RANDOM,
    SIGNATURE_HEX = 32,
};

/* ---- sessions ------------------------------------------------------------ */

static struct str signature_of(struct request *q, struct str random)
{
    uint8_t hash[SHA256_SIZE];
    struct str key = q->api->options.jwt_secret;
    hmac_sha256(key.len ? key : STR("mcp"),
                arena_printf(&q->memory, "mcp session %.*s %.*s",
                             STR_ARG(q->user.id), STR_ARG(random)),
                hash);
    return str_cut(hex_encode(&q->memory, hash, sizeof hash), 0, SIGNATURE_HEX);
}

struct str mcp_new_session(struct request *q)
{
    uint8_t bytes[SESSION_RANDOM];
    random_bytes(bytes, sizeof bytes);
    struct str random = hex_encode(&q->memory, bytes, sizeof bytes);
    return arena_printf(&q->memory, "%.*s%.*s", STR_ARG(random),
                        STR_ARG(signature_of(q, random)));
}

bool mcp_session_valid(struct request *q, struct str session)
{
    if (session.len != SESSION_HEX + SIGNATURE_HEX)
        return false;
    struct str is = signature_of(q, str_cut(session, 0, SESSION_HEX));
    return crypto_equal(is.ptr, session.ptr + SESSION_HEX, SIGNATURE_HEX);
}

struct str mcp_answer_id(struct mcp *m, struct str request_id)
{
    struct request *q = m->request;
    uint8_t hash[SHA256_SIZE];
    if (!m->session.len)
        return STR("");
    sha256(arena_printf(&q->memory, "mcp %.*s %.*s %.*s", STR_ARG(q->user.id),
                        STR_ARG(m->session), STR_ARG(request_id)),
           hash);
    hash[6] = (uint8_t)((hash[6] & 0x0f) | 0x80); /* RFC 9562: version 8 */
    hash[8] = (uint8_t)((hash[8] & 0x3f) | 0x80);
    struct str hex = hex_encode(&q->memory, hash, 16);
    return arena_printf(&q->memory, "%.8s-%.4s-%.4s-%.4s-%.12s", hex.ptr,
                        hex.ptr + 8, hex.ptr + 12, hex.ptr + 16, hex.ptr + 20);
}

/* ---- origins -------------------------------------------------------------- */

/* A page of another site may reach a server on its visitor's machine. */
static bool origin_is_local(const struct request *q, struct str origin)
{
    static const char *const hosts[] = {"http://localhost", "http://127.0.0.1",
                                        "http://[::1]", "https://localhost"};
    const char *bound = q->api->options.host;
    if (!bound || (strcmp(bound, "127.0.0.1") && strcmp(bound, "::1") &&
                   strcmp(bound, "localhost")))
        return false;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        struct str rest = str_from(origin, strlen(hosts[i]));
        if (str_starts(origin, str_of(hosts[i])) &&
            (!rest.len || rest.ptr[0] == ':'))
            return true;
    }
    return false;
}

bool mcp_origin_fits(const struct request *q)
{
    struct str origin = http_get_header(q->x, "Origin");
    const char *const *o = q->api->options.cors_origins;
    for (; o && *o; o++)
        if (str_is(origin, *o))
            return true;
    return !origin.len || origin_is_local(q, origin);
}
