/* sessions.c - sign-ins: lookup of the account, sessions, and their refresh
 * tokens. */
#include "store/sessions.h"
#include "rows.h"
#include "store/audit.h"
#include <string.h>
#include "base/banned.h"

static step_fn login_looked_up, session_rotated;

/* ---- tokens ------------------------------------------------------------- */

bool refresh_token_read(struct arena *arena, struct str text,
                        struct refresh_token *out)
{
    struct str bytes;
    uint8_t hash[SHA256_SIZE];
    if (text.len > 2 * REFRESH_TOKEN_BYTES ||
        !base64url_decode(arena, text, &bytes) ||
        bytes.len != REFRESH_TOKEN_BYTES)
        return false;
    sha256(bytes, hash);
    out->text = arena_str(arena, text);
    out->hash = hex_encode(arena, hash, sizeof hash);
    return true;
}

struct refresh_token refresh_token_new(struct arena *arena)
{
    char bytes[REFRESH_TOKEN_BYTES];
    struct refresh_token t = {0};
    random_bytes(bytes, sizeof bytes);
    refresh_token_read(
        arena, base64url_encode(arena, (struct str){bytes, sizeof bytes}), &t);
    return t;
}

/* The key of login_failures: a hash, so that the table holds no addresses. */
static struct str account_hash(struct flow *f, struct str email)
{
    uint8_t hash[SHA256_SIZE];
    char *lower = arena_cstr(flow_here(f), email);
    for (size_t i = 0; i < email.len; i++)
        if (lower[i] >= 'A' && lower[i] <= 'Z')
            lower[i] += 'a' - 'A';
    sha256((struct str){lower, email.len}, hash);
    return hex_encode(flow_here(f), hash, sizeof hash);
}

/* ---- signing in --------------------------------------------------------- */

#define LOGIN_ROW(FIRST, X) \
    FIRST(uuid, user_id, "u.id") \
    X(text, password_hash, "u.password_hash") \
    X(boolean, active, "u.is_active") \
    X(int64, failures, "l.failures") \
    X(int64, forgotten_s, \
      "ceil(extract(epoch from l.since - now()) + $3::int)::int")
#define LOGIN_COLUMNS ROW_SQL(LOGIN_ROW)

static const struct statement lookup_statement = {
    .name = "sessions.lookup",
    .again = true,
    .sql = "select " LOGIN_COLUMNS " from (select 1) one"
           " left join users u on lower(u.email) = lower($1)"
           " left join login_failures l on l.account = decode($2, 'hex')"
           "   and l.since > now() - $3::int * interval '1 second'",
};

struct next login_lookup_begin(struct flow *f)
{
    struct login_lookup *l = locals(f, struct login_lookup);
    struct query *q = l->query =
        query_new(f, l->store->system, &lookup_statement);
    query_str(f, q, l->email);
    query_str(f, q, account_hash(f, l->email));
    query_int(f, q, LOGIN_WINDOW_S);
    query_begin(f, q);
    return await(f, login_looked_up);
}

static struct next login_looked_up(struct flow *f)
{
    struct login_lookup *l = locals(f, struct login_lookup);
    ROW_READ(LOGIN_ROW, l, row_copies(l->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement failure_statement = {
    .name = "sessions.failure",
    .sql =
        "with old as (delete from login_failures"
        "   where since < now() - $2::int * interval '1 second'"
        "     and account <> decode($1, 'hex')),"
        " noted as (" SQL_AUDIT " select null::uuid, 'login.failed', 'user',"
        "   $3, jsonb_build_object('address', $4::text), $5 where $3 <> '')"
        " insert into login_failures as l (account)"
        " values (decode($1, 'hex')) on conflict (account) do update set"
        "   failures = case when l.since"
        "       > now() - $2::int * interval '1 second'"
        "     then l.failures + 1 else 1 end,"
        "   since = case when l.since > now() - $2::int * interval '1 second'"
        "     then l.since else now() end",
};

struct next login_failure_begin(struct flow *f)
{
    struct login_failure *l = locals(f, struct login_failure);
    struct query *q = query_new(f, l->store->system, &failure_statement);
    query_str(f, q, account_hash(f, l->email));
    query_int(f, q, LOGIN_WINDOW_S);
    query_str(f, q, l->user_id);
    query_str(f, q, l->address);
    query_str(f, q, l->request_id);
    query_begin(f, q);
    return await(f, row_none);
}

static const struct statement open_statement = {
    .name = "sessions.open",
    .sql = "with forgiven as (delete from login_failures"
           "   where account = decode($4, 'hex')),"
           " noted as (" SQL_AUDIT " values ($1::uuid, 'session.opened',"
           "   'user', $1, jsonb_build_object('address', $5::text), $6))"
           " select open_session($1::uuid, decode($2, 'hex'), $3::bigint)",
};

struct next session_open_begin(struct flow *f)
{
    struct session_open *s = locals(f, struct session_open);
    struct query *q = query_new(f, s->store->system, &open_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->hash);
    query_int(f, q, s->lifetime_ms);
    query_str(f, q, account_hash(f, s->email));
    query_str(f, q, s->address);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- rotation and end
 * ---------------------------------------------------------- */

static enum session_outcome row_session_outcome(struct row_cursor *at)
{
    struct str word = row_text(at);
    return str_is(word, "rotated")  ? SESSION_ROTATED
           : str_is(word, "stolen") ? SESSION_STOLEN
           : str_is(word, "often")  ? SESSION_OFTEN
                                    : SESSION_ENDED;
}

#define ROTATED_ROW(FIRST, X) \
    FIRST(session_outcome, outcome, "outcome") \
    X(uuid, user_id, "user_id") \
    X(text, email, "email")
#define ROTATED_COLUMNS ROW_SQL(ROTATED_ROW)

static const struct statement rotate_statement = {
    .name = "sessions.rotate",
    .sql = "select " ROTATED_COLUMNS " from rotate_session("
           " decode($1, 'hex'), decode($2, 'hex'), $3::bigint, $4)",
};

struct next session_rotate_begin(struct flow *f)
{
    struct session_rotate *s = locals(f, struct session_rotate);
    struct query *q = s->query =
        query_new(f, s->store->system, &rotate_statement);
    query_str(f, q, s->hash);
    query_str(f, q, s->next_hash);
    query_int(f, q, s->lifetime_ms);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, session_rotated);
}

static struct next session_rotated(struct flow *f)
{
    struct session_rotate *s = locals(f, struct session_rotate);
    ROW_READ(ROTATED_ROW, s, row_copies(s->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement end_statement = {
    .name = "sessions.end",
    .sql = "with ended as (update refresh_families set revoked_at = now()"
           "   where id = (select family_id from refresh_tokens"
           "     where hash = decode($1, 'hex')) and revoked_at is null"
           "   returning id, user_id)"
           " " SQL_AUDIT " select user_id, 'session.ended', 'session',"
           "   id::text, '{}', $2 from ended",
};

struct next session_end_begin(struct flow *f)
{
    struct session_end *s = locals(f, struct session_end);
    s->query = query_new(f, s->store->system, &end_statement);
    query_str(f, s->query, s->hash);
    query_str(f, s->query, s->request_id);
    query_begin(f, s->query);
    return await(f, row_none);
}
