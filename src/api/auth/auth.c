/* auth.c - signing in with a password, and staying signed in.
 *
 *   POST login    limit attempts -> find the user -> check the hash -> session
 *   POST refresh  exchange the session's refresh token for the next one
 *   POST session  the same; without a session it answers, and does not refuse
 *   POST logout   end the session
 *
 * The refresh token is in a cookie that scripts cannot read and that browsers
 * send to these addresses only. An account that does not exist, has no password
 * or gets a wrong one takes the same time and gets the same answer. */
#include "access.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "browser.h"
#include "hashing.h"
#include "store/accounts.h"
#include "store/sessions.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

#define COOKIE "sextant_refresh"

struct login {
    struct login_lookup lookup;
    struct login_failure failure;
    struct session_open open;
    struct session_rotate rotate;
    struct session_end end;
    struct user_page page;
    struct hashing hashing;
    struct refresh_token token;
    /* from: the client's address, as counted */
    struct str email, password, from;
    struct str account;
    bool probe; /* no session is an answer, not a refusal */
};

static struct next account_known(struct flow *f),
    password_checked(struct flow *f), failure_noted(struct flow *f),
    session_opened(struct flow *f), session_user_read(struct flow *f),
    token_rotated(struct flow *f), session_ended(struct flow *f),
    account_read(struct flow *f);

static struct login *login_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = keep(f, struct login);
    l->lookup.store = l->failure.store = l->open.store = l->rotate.store =
        l->end.store = l->page.store = request_store(q);
    l->page.page = l->page.page_size = 1;
    q->state = l;
    return l;
}

/* ---- cookies and origins ------------------------------------------------- */

/* A page of another site may make a browser send requests here, and an old
 * browser would add the cookie. The Origin header shows where they come
 * from. */
static bool origin_refused(struct request *q)
{
    struct str origin = http_get_header(q->x, "Origin");
    if (!origin.len || origin_is_of(origin, q->x->host))
        return false;
    for (const char *const *o = q->api->options.cors_origins; o && *o; o++)
        if (str_is(origin, *o))
            return false;
    reply_error(q, ERR_FORBIDDEN, "Pages of this origin may not sign in here.");
    return true;
}

static bool elsewhere_refused(struct request *q)
{
    if (!access_is_elsewhere(q->api))
        return false;
    reply_error(
        q, ERR_FORBIDDEN,
        "This server accepts the tokens of another issuer; sign in there.");
    return true;
}

/* The Secure attribute is left out for clients on this machine, which use plain
 * HTTP. Behind a trusted proxy the client's address decides. */
static void set_cookie(struct request *q, struct str value, int64_t lifetime_s)
{
    struct address from = request_address(q);
    http_set_header(
        q->x, "Set-Cookie",
        cookie_write(&q->memory,
                     &(struct cookie){.name = COOKIE,
                                      .path = "/api/auth",
                                      .value = value,
                                      .lifetime_s = lifetime_s,
                                      .secure = !address_is_loopback(&from)}));
}

static bool token_of_cookie(struct request *q, struct refresh_token *out)
{
    struct str text;
    for (size_t i = 0; i < q->x->n_headers; i++) {
        const struct http_header *h = &q->x->headers[i];
        if (str_eq_nocase(h->name, STR("Cookie")) &&
            cookie_find(h->value, COOKIE, &text))
            return refresh_token_read(&q->memory, text, out);
    }
    return false;
}

/* ---- answers ------------------------------------------------------------- */

static struct str access_token(struct request *q, struct str id,
                               struct str email)
{
    const struct api_options *o = &q->api->options;
    return jwt_sign(&q->memory,
                    &(struct jwt_grant){.secret = o->jwt_secret,
                                        .user_id = id,
                                        .email = email,
                                        .issuer = o->jwt_issuer,
                                        .audience = o->jwt_audience,
                                        .lifetime_s = o->access_ms / 1000});
}

static void reply_open_tokens(struct request *q, struct api_reply *r,
                              struct str id, struct str email)
{
    const struct login *l = q->state;
    set_cookie(q, l->token.text, q->api->options.refresh_ms / 1000);
    reply_open(q, r);
    json_put_object(&r->w);
    if (l->probe)
        json_field_bool(&r->w, "signedIn", true);
    json_field_str(&r->w, "accessToken", access_token(q, id, email));
    json_field_int(&r->w, "expiresIn", q->api->options.access_ms / 1000);
}

static void put_account(struct json_writer *w, const struct query *rows,
                        unsigned permissions)
{
    json_put_object(w);
    user_write(w, rows, 0);
    json_field_array(w, "permissions");
    for (int p = 0; p < PERMISSION_COUNT; p++)
        if (permissions >> p & 1)
            json_put_text(w, permission_word((enum permission)p));
    json_put_array_end(w);
    json_put_object_end(w);
}

static struct next too_often(struct flow *f, int64_t retry_s)
{
    struct request *q = REQUEST(f);
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)(retry_s > 0 ? retry_s : 1));
    http_set_header(q->x, "Retry-After", str_of(text));
    return reply_refusal(f, ERR_RATE_LIMITED,
                         "Too many attempts. Try again later.");
}

/* ---- POST /api/auth/login ------------------------------------------------ */

static bool read_credentials(struct request *q, struct login *l)
{
    const json_t *email = json_object_get(q->body, "email");
    const json_t *password = json_object_get(q->body, "password");
    l->email = str_trim(json_text(email));
    l->password = arena_str(&q->memory, json_text(password));
    if (!json_is_string(email) || !email_valid(l->email))
        request_invalid(q, "email", "must be an e-mail address");
    if (!json_is_string(password) || !l->password.len ||
        l->password.len > PASSWORD_MOST)
        request_invalid(q, "password", "must be 1 to 1024 bytes of text");
    return !request_refused(q);
}

/* Counts the attempt before anything is looked up or hashed. */
static bool login_admitted(struct request *q, struct login *l,
                           unsigned *retry_s)
{
    struct limiter *a = q->api->access->limiter;
    struct address from = request_address(q);
    uint64_t now = clock_ms();
    char *lower = arena_cstr(&q->memory, l->email);
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c += 'a' - 'A';
    l->from = address_name(&q->memory, &from);
    l->account = str_of(lower);
    if (!limiter_acquire(a, l->from, LOGIN_PER_ADDRESS, now, retry_s))
        return false;
    return limiter_acquire(a, l->account, LOGIN_PER_ACCOUNT, now, retry_s);
}

struct next auth_login(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = login_new(f);
    unsigned retry_s;
    if (elsewhere_refused(q) || origin_refused(q) || !request_body(q) ||
        !read_credentials(q, l))
        return back(f);
    if (!login_admitted(q, l, &retry_s))
        return too_often(f, retry_s);
    l->lookup.email = l->email;
    return call(f, login_lookup_begin, &l->lookup, account_known);
}

static struct next account_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = q->state;
    if (l->lookup.failures >= LOGIN_PER_ACCOUNT)
        return too_often(f, l->lookup.forgotten_s);
    l->hashing.password = l->password;
    l->hashing.compare = l->lookup.password_hash.ptr;
    if (!l->lookup.password_hash.len)
        l->hashing.compare = "";
    if (!hashing_begin(f, &l->hashing))
        return too_often(f, 1);
    return await(f, password_checked);
}

static struct next password_checked(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = q->state;
    password_wipe((char *)l->password.ptr, l->password.len);
    if (!l->hashing.matches || !l->lookup.active) {
        l->failure.email = l->email;
        l->failure.user_id = l->lookup.user_id;
        l->failure.address = l->from;
        l->failure.request_id = q->x->request_id;
        return call(f, login_failure_begin, &l->failure, failure_noted);
    }
    limiter_refund(q->api->access->limiter, l->from, clock_ms());
    limiter_refund(q->api->access->limiter, l->account, clock_ms());
    l->token = refresh_token_new(&q->memory);
    l->open.user_id = l->lookup.user_id;
    l->open.email = l->email;
    l->open.hash = l->token.hash;
    l->open.lifetime_ms = q->api->options.refresh_ms;
    l->open.address = l->from;
    l->open.request_id = q->x->request_id;
    return call(f, session_open_begin, &l->open, session_opened);
}

static struct next failure_noted(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct login *l = q->state;
    return reply_refusal(f, ERR_UNAUTHORIZED,
                         l->hashing.matches
                             ? "This account is disabled."
                             : "The address or the password is wrong.");
}

static struct next session_opened(struct flow *f)
{
    struct login *l = REQUEST(f)->state;
    l->page.user_id = l->lookup.user_id;
    return call(f, user_page_begin, &l->page, session_user_read);
}

static struct next session_user_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct login *l = q->state;
    struct api_reply r;
    if (!l->page.query->n_rows) /* deleted in the meantime */
        return fail(f, ERR_UNAUTHORIZED);
    struct user_row user = user_row_of(l->page.query, 0);
    reply_open_tokens(q, &r, user.id, user.email);
    json_put_key(&r.w, "user");
    put_account(&r.w, l->page.query, roles_permissions(user.roles));
    json_put_object_end(&r.w);
    reply_send_secret(q, &r, 200);
    return back(f);
}

/* ---- POST /api/auth/refresh, session ------------------------------------- */

static struct next signed_out(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct login *l = q->state;
    struct api_reply r;
    set_cookie(q, STR(""), 0);
    if (l->probe) {
        reply_open(q, &r);
        json_put_object(&r.w);
        json_field_bool(&r.w, "signedIn", false);
        json_field_null(&r.w, "accessToken");
        json_field_null(&r.w, "expiresIn");
        json_put_object_end(&r.w);
        reply_send_secret(q, &r, 200);
        return back(f);
    }
    return reply_refusal(f, ERR_UNAUTHORIZED,
                         "The session has ended. Sign in.");
}

static struct next rotate_begin(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = q->state;
    struct refresh_token old;
    if (elsewhere_refused(q) || origin_refused(q))
        return back(f);
    if (!token_of_cookie(q, &old))
        return signed_out(f);
    l->token = refresh_token_new(&q->memory);
    l->rotate.hash = old.hash;
    l->rotate.next_hash = l->token.hash;
    l->rotate.lifetime_ms = q->api->options.refresh_ms;
    l->rotate.request_id = q->x->request_id;
    return call(f, session_rotate_begin, &l->rotate, token_rotated);
}

struct next auth_refresh(struct flow *f)
{
    login_new(f);
    return go(f, rotate_begin);
}

/* A page asks this when it is opened. */
struct next auth_session(struct flow *f)
{
    login_new(f)->probe = true;
    return go(f, rotate_begin);
}

static struct next token_rotated(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct login *l = q->state;
    struct api_reply r;
    if (l->rotate.outcome == SESSION_OFTEN)
        return too_often(f, 20);
    if (l->rotate.outcome != SESSION_ROTATED)
        return signed_out(f);
    reply_open_tokens(q, &r, l->rotate.user_id, l->rotate.email);
    json_put_object_end(&r.w);
    reply_send_secret(q, &r, 200);
    return back(f);
}

/* ---- POST /api/auth/logout ----------------------------------------------- */

struct next auth_logout(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct login *l = login_new(f);
    struct refresh_token old;
    if (origin_refused(q))
        return back(f);
    set_cookie(q, STR(""), 0);
    if (!token_of_cookie(q, &old))
        return go(f, session_ended);
    l->end.hash = old.hash;
    l->end.request_id = q->x->request_id;
    return call(f, session_end_begin, &l->end, session_ended);
}

static struct next session_ended(struct flow *f)
{
    reply_empty(REQUEST(f), 204);
    return back(f);
}

/* ---- GET /api/auth/me, providers ----------------------------------------- */

struct next auth_me(struct flow *f)
{
    struct login *l = login_new(f);
    l->page.user_id = REQUEST(f)->user.id;
    return call(f, user_page_begin, &l->page, account_read);
}

static struct next account_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct login *l = q->state;
    struct api_reply r;
    if (!l->page.query->n_rows)
        return fail(f, ERR_UNAUTHORIZED);
    reply_open(q, &r);
    put_account(&r.w, l->page.query, q->user.permissions);
    reply_send(q, &r, 200);
    return back(f);
}

struct next auth_providers(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct api_options *o = &q->api->options;
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_array(&r.w, "providers");
    if (access_is_elsewhere(q->api) && o->login_url) {
        json_put_object(&r.w);
        json_field_text(&r.w, "name", o->login_name);
        json_field_text(&r.w, "authUrl", o->login_url);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}
