/* sessions.h - sign-ins with a password, continued with refresh tokens.
 *
 * A session is a family of refresh tokens, each of which replaces the one
 * before; the table has only their hashes. The function rotate_session
 * (sql/001_core.sql) rotates tokens and detects reuse. */
#pragma once
#include "base/crypto.h"
#include "base/random.h"
#include "db/query.h"
#include "store/store.h"

enum { REFRESH_TOKEN_BYTES = 32, LOGIN_WINDOW_S = 300 };

/* A new token (text for the cookie) and its hash, both in the arena. */
struct refresh_token {
    struct str text;
    struct str hash; /* hexadecimal */
};
struct refresh_token refresh_token_new(struct arena *arena);
/* Hashes the text of a request; false: it cannot be a token. */
bool refresh_token_read(struct arena *arena, struct str text,
                        struct refresh_token *out);

/* Finds the user of an address, and its recent failures. */
struct login_lookup {
    struct store *store;
    struct str email;
    /* Out, in the flow's keep */
    struct str user_id, password_hash; /* empty: no such user, no password */
    bool active;
    int64_t failures;    /* in the last LOGIN_WINDOW_S */
    int64_t forgotten_s; /* until they expire */
    struct query *query; /* private */
};
struct next login_lookup_begin(struct flow *f);

/* Counts a failure of that address and writes an audit event. */
struct login_failure {
    struct store *store;
    struct str email, user_id; /* user_id may be empty */
    struct str address, request_id;
};
struct next login_failure_begin(struct flow *f);

/* Begins a session, and deletes the failures of the address. */
struct session_open {
    struct store *store;
    struct str user_id, email;
    struct str hash; /* of its first token */
    int64_t lifetime_ms;
    struct str address, request_id;
};
struct next session_open_begin(struct flow *f);

enum session_outcome {
    SESSION_ROTATED,
    SESSION_ENDED,  /* unknown, expired, revoked, or its user is disabled */
    SESSION_STOLEN, /* reused: the whole session is revoked */
    SESSION_OFTEN,  /* too many rotations at once */
};
/* Exchanges a token for the next one. */
struct session_rotate {
    struct store *store;
    struct str hash, next_hash;
    int64_t lifetime_ms;
    struct str request_id;
    /* Out, in the flow's keep */
    enum session_outcome outcome;
    struct str user_id, email;
    struct query *query; /* private */
};
struct next session_rotate_begin(struct flow *f);

/* Ends a session. */
struct session_end {
    struct store *store;
    struct str hash; /* of any token of it */
    struct str request_id;
    struct query *query; /* private */
};
struct next session_end_begin(struct flow *f);
