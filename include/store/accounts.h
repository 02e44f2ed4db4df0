/* accounts.h - users: listed, added and changed. Each change writes an audit
 * event. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* True for a text with one @, and something on both sides of it. */
bool email_valid(struct str text);

/* A page of users, the oldest first. */
struct user_page {
    struct store *store;
    struct str user_id; /* not empty: only this user */
    struct str search;  /* part of the address or name; may be empty */
    int page, page_size;
    struct query *query; /* rows; kept */
    int64_t total;
};
struct next user_page_begin(struct flow *f);
/* Writes the members of a user's object. */
void user_write(struct json_writer *w, const struct query *q, int row);
/* Also those that only admins see. */
void user_write_for_admin(struct json_writer *w, const struct query *q,
                          int row);
struct user_row {
    struct str id, email, roles; /* roles: words separated by commas */
    bool active, has_password;
};
/* Texts live as long as the query's result. */
struct user_row user_row_of(const struct query *q, int row);

/* Adds a user. */
struct user_add {
    struct store *store;
    struct str email, name;   /* name may be empty */
    struct str password_hash; /* empty: no password */
    struct str roles;         /* PostgreSQL array text */
    struct str actor_id, request_id;
    /* Out */
    bool taken; /* another user has the address */
    struct str id;
    struct query *query; /* private */
};
struct next user_add_begin(struct flow *f);

/* Changes a user. */
enum user_outcome { USER_CHANGED, USER_MISSING, USER_LAST_ADMIN, USER_TAKEN };
struct user_change {
    struct store *store;
    struct str user_id;
    /* NULL: not changed */
    const char *email, *name, *password_hash;
    const char *roles; /* PostgreSQL array text */
    const bool *active;
    struct str actor_id, request_id;
    enum user_outcome outcome; /* out */
    struct query *query;       /* private */
};
struct next user_change_begin(struct flow *f);

/* Adds the first admin, as long as no user has a password. */
struct first_admin {
    struct store *store;
    struct str email, password_hash; /* no hash: only checks */
    bool wanted; /* out: no user has a password; with a hash: it was added */
    struct query *query; /* private */
};
struct next first_admin_begin(struct flow *f);
