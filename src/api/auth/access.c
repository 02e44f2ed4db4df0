/* access.c - authenticates a request.
 *
 *   bearer token -> jwt_verify (keys may be fetched first) -> load the user and
 *   their permissions -> q->user
 *
 * It also finds the client's address when requests come through trusted
 * proxies. */
#include "access.h"
#include "base/clock.h"
#include "base/mem.h"
#include "jwt.h"
#include "store/sessions.h"
#include "base/banned.h"

enum { V6_NETWORK_BYTES = 8 };

/* ---- addresses ----------------------------------------------------------- */

static bool is_proxy(const struct access *c, const struct address *a)
{
    for (size_t i = 0; i < c->n_proxies; i++)
        if (network_has(&c->proxies[i], a))
            return true;
    return false;
}

/* Cuts the last item off a comma-separated list. */
static bool cut_last_item(struct str *list, struct str *item)
{
    size_t at = list->len;
    if (!list->len)
        return false;
    while (at && list->ptr[at - 1] != ',')
        at--;
    *item = str_trim(str_from(*list, at));
    *list = str_cut(*list, 0, at ? at - 1 : 0);
    return true;
}

/* All X-Forwarded-For headers form one list, in their order (RFC 9110, 5.3). */
static struct str forwarded_for(struct request *q)
{
    struct buf out;
    buf_init(&out, &q->memory);
    for (size_t i = 0; i < q->x->n_headers; i++) {
        const struct http_header *h = &q->x->headers[i];
        if (!str_eq_nocase(h->name, STR("X-Forwarded-For")))
            continue;
        if (out.len)
            buf_char(&out, ',');
        buf_str(&out, h->value);
    }
    return buf_view(&out);
}

struct address request_address(struct request *q)
{
    const struct access *c = q->api->access;
    struct address at = {{0}}, before;
    if (!address_parse(q->x->peer, &at) || !is_proxy(c, &at))
        return at;
    struct str list = forwarded_for(q), item;
    while (is_proxy(c, &at) && cut_last_item(&list, &item) &&
           address_parse(item, &before))
        at = before;
    return at;
}

struct str address_name(struct arena *arena, const struct address *a)
{
    struct address network = *a;
    char text[ADDRESS_TEXT_SIZE];
    bool v4 = a->bytes[10] == 0xff && a->bytes[11] == 0xff && !a->bytes[0];
    for (int i = V6_NETWORK_BYTES; i < 16 && !v4; i++)
        network.bytes[i] = 0;
    address_print(&network, text);
    return arena_str(arena, str_of(text));
}

/* ---- tokens -------------------------------------------------------------- */

static const char NO_KEYS[] =
    "The keys that check tokens are not available at the moment.";

static struct next keys_fetched(struct flow *f),
    token_user_loaded(struct flow *f);

bool access_is_elsewhere(const struct api *a)
{
    return a->access->pem || a->access->source;
}

static const struct jwk_set *known_keys(const struct access *c)
{
    return c->source ? key_source_keys(c->source) : c->pem;
}

static struct jwt_rules token_rules(const struct api *a)
{
    const struct api_options *o = &a->options;
    return (struct jwt_rules){.keys = known_keys(a->access),
                              .secret = access_is_elsewhere(a) ? STR("")
                                                               : o->jwt_secret,
                              .issuer = o->jwt_issuer,
                              .audience = o->jwt_audience,
                              .roles_claim = o->jwt_roles_claim,
                              .email_claim = o->jwt_email_claim};
}

static bool find_bearer_token(const struct http_exchange *x, struct str *token)
{
    struct str value = http_get_header(x, "Authorization");
    if (value.len < 7 || !str_eq_nocase(str_cut(value, 0, 7), STR("Bearer ")))
        return false;
    *token = str_trim(str_from(value, 7));
    return true;
}

/* A stream ends when its token expires. A stream that began within the leeway
 * ends when the leeway is over. */
static int64_t streams_until(int64_t expires_s, int64_t now_ms)
{
    return expires_s * 1000 > now_ms ? expires_s * 1000
                                     : (expires_s + JWT_LEEWAY_S) * 1000;
}

static struct next load_token_user(struct flow *f, const struct jwt_claims *c)
{
    struct request *q = REQUEST(f);
    struct str email = c->email.len ? c->email : c->subject;
    q->until_ms = streams_until(c->expires, clock_wall_ms());
    q->user =
        (struct user_of_token){/* the other claims are not needed any more */
                               .store = request_store(q),
                               .id = arena_str(&q->memory, c->subject),
                               .email = arena_str(&q->memory, email),
                               .claimed = c->permissions,
                               .first_roles = arena_str(&q->memory, c->roles),
                               .provision = q->api->options.jwt_provision};
    return call(f, user_of_token_begin, &q->user, token_user_loaded);
}

/* The result is valid until the next call. */
static bool verify_token(struct request *q, struct str token,
                         struct jwt_claims *out, const char **why)
{
    struct arena *scratch = &q->api->access->scratch;
    struct jwt_rules rules = token_rules(q->api);
    arena_reset(scratch, (struct arena_mark){0});
    return jwt_verify(scratch, token, &rules, clock_wall_ms() / 1000, out, why);
}

struct next authenticate_begin(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct key_source *source = q->api->access->source;
    struct jwt_claims claims;
    const char *why;
    struct str token;
    if (!find_bearer_token(q->x, &token))
        return reply_refusal(f, ERR_UNAUTHORIZED, "Sign in first.");
    if (verify_token(q, token, &claims, &why))
        return load_token_user(f, &claims);
    if (claims.unknown_key && source &&
        key_news_begin(f, here(f, struct key_news), source))
        return await(f, keys_fetched);
    if (claims.unknown_key && source && !known_keys(q->api->access))
        return reply_refusal(f, ERR_UNAVAILABLE, NO_KEYS);
    return reply_refusal(f, ERR_UNAUTHORIZED, why);
}

static struct next keys_fetched(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct jwt_claims claims;
    const char *why = "Sign in first.";
    struct str token;
    if (!known_keys(q->api->access))
        return reply_refusal(f, ERR_UNAVAILABLE, NO_KEYS);
    if (!find_bearer_token(q->x, &token) ||
        !verify_token(q, token, &claims, &why))
        return reply_refusal(f, ERR_UNAUTHORIZED, why);
    return load_token_user(f, &claims);
}

static struct next token_user_loaded(struct flow *f)
{
    if (!REQUEST(f)->user.active)
        return reply_refusal(f, ERR_UNAUTHORIZED, "This account is disabled.");
    return back(f);
}

/* ---- open and close ------------------------------------------------------ */

static bool read_proxies(struct access *c, const char *const *texts,
                         struct str *why)
{
    size_t n = 0;
    while (texts && texts[n])
        n++;
    c->proxies = mem_new_array(struct network, n + 1);
    for (; c->n_proxies < n; c->n_proxies++)
        if (!network_parse(str_of(texts[c->n_proxies]),
                           &c->proxies[c->n_proxies])) {
            *why = STR("TRUSTED_PROXIES must be addresses or networks such as "
                       "10.0.0.0/8");
            return false;
        }
    return true;
}

const char *api_key_problem(struct str pem)
{
    const char *problem = NULL;
    struct jwk_set *set = jwk_set_of_pem(pem, &problem);
    jwk_set_free(&set);
    return problem;
}

static void free_access(struct access *c)
{
    limiter_free(&c->limiter);
    jwk_set_free(&c->pem);
    key_source_close(&c->source);
    mem_free(c->proxies);
    arena_done(&c->scratch);
    mem_free(c);
}

bool access_open(struct api *a, struct str *why)
{
    const struct api_options *o = &a->options;
    const char *problem = NULL;
    struct access *c = mem_new(struct access);
    arena_init(&c->scratch, 0);
    c->limiter = limiter_new(LOGIN_WINDOW_S * 1000);
    if (o->jwt_public_key.len && !o->jwt_jwks_url)
        c->pem = jwk_set_of_pem(o->jwt_public_key, &problem);
    if (problem)
        *why = str_of(problem);
    if (problem || !read_proxies(c, o->trusted_proxies, why)) {
        free_access(c);
        return false;
    }
    if (o->jwt_jwks_url)
        c->source = key_source_open(o->jwt_jwks_url);
    a->access = c;
    user_watch_open(a);
    return true;
}

void access_close(struct api *a)
{
    a->access->closing = true;
    user_watch_close(a);
}

void access_free(struct api *a)
{
    free_access(a->access);
    a->access = NULL;
}
