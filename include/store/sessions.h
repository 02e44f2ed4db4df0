/* sessions.h - sign-ins: by password, and kept by refresh tokens.
 *
 * A session is a family of refresh tokens that follow one another; the table
 * has their hashes alone. Rotation and the judgement of reuse are one function in
 * the database (sql/003_accounts.sql). */
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
/* The hash of a text that came; false: it cannot be one of ours. */
bool refresh_token_read(struct arena *arena, struct str text,
                        struct refresh_token *out);

/* Who has that address, and how often its password was wrong of late. */
struct login_lookup {
    struct store *store;
    struct str email;
    /* Out, in the flow's keep */
    struct str user_id, password_hash; /* empty: no such user, no password */
    bool active;
    int64_t failures;    /* in the last LOGIN_WINDOW_S */
    int64_t forgotten_s; /* until they are forgotten */
    struct query *query; /* private */
};
struct next login_lookup_begin(struct flow *f);

/* Counts a failure of that address and leaves an audit event. */
struct login_failure {
    struct store *store;
    struct str email, user_id; /* the latter may be empty */
    struct str address, request_id;
    struct query *query; /* private */
};
struct next login_failure_begin(struct flow *f);

struct session_open {
    struct store *store;
    struct str user_id, email;
    struct str hash; /* of its first token */
    int64_t lifetime_ms;
    struct str address, request_id;
    struct query *query; /* private */
};
/* Forgets the failures of the address too. */
struct next session_open_begin(struct flow *f);

enum session_outcome {
    SESSION_ROTATED,
    SESSION_ENDED,  /* unknown, run out, revoked, or its user is disabled */
    SESSION_STOLEN, /* used again too late: all of it is revoked now */
    SESSION_OFTEN,  /* too many siblings at once */
};
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

struct session_end {
    struct store *store;
    struct str hash; /* of any token of it */
    struct str request_id;
    struct query *query; /* private */
};
struct next session_end_begin(struct flow *f);
