/* accounts.h - users as they are listed, made and changed. Each change leaves an
 * audit event. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* One @ with something on both sides; mail itself decides the rest. */
bool email_valid(struct str text);

struct user_page {
    struct store *store;
    struct str user_id; /* not empty: only that one */
    struct str search;  /* in address and name; may be empty */
    int page, page_size;
    struct query *query; /* rows; kept */
    int64_t total;
};
struct next user_page_begin(struct flow *f);
/* The members of one user's object, and those for admins alone. */
void user_write(struct json_writer *w, const struct query *q, int row);
void user_write_for_admin(struct json_writer *w, const struct query *q,
                          int row);
struct user_row {
    struct str id, email, roles; /* roles: words parted by commas */
    bool active, has_password;
};
struct user_row user_row_of(const struct query *q, int row);

struct user_add {
    struct store *store;
    struct str email, name;   /* the latter may be empty */
    struct str password_hash; /* empty: signs in elsewhere */
    struct str roles;         /* PostgreSQL array text */
    struct str actor_id, request_id;
    /* Out */
    bool taken; /* another has that address */
    struct str id;
    struct query *query; /* private */
};
struct next user_add_begin(struct flow *f);

enum user_outcome { USER_CHANGED, USER_MISSING, USER_LAST_ADMIN, USER_TAKEN };
struct user_change {
    struct store *store;
    struct str user_id;
    /* NULL: as it is */
    const char *email, *name, *password_hash;
    const char *roles; /* PostgreSQL array text */
    const bool *active;
    struct str actor_id, request_id;
    enum user_outcome outcome; /* out */
    struct query *query;       /* private */
};
struct next user_change_begin(struct flow *f);

/* The very first admin, of that address, while nobody has a password. */
struct first_admin {
    struct store *store;
    struct str email, password_hash; /* the latter empty: only asks */
    bool wanted;         /* out: nobody has one; made, when there was a hash */
    struct query *query; /* private */
};
struct next first_admin_begin(struct flow *f);
