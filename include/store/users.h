/* users.h - who may do what. */
#pragma once
#include "store/store.h"
#include "db/query.h"

/* PERMISSION(name, word, viewer, contributor, admin) */
#define PERMISSIONS(X) \
    X(DATA_AGENT_READ, "data_agent:read", 1, 1, 1) \
    X(DATA_AGENT_WRITE, "data_agent:write", 0, 1, 1) \
    X(DATA_AGENT_DELETE, "data_agent:delete", 0, 1, 1) \
    X(ONTOLOGIES_READ, "ontologies:read", 1, 1, 1) \
    X(ONTOLOGIES_WRITE, "ontologies:write", 0, 1, 1) \
    X(ONTOLOGIES_DELETE, "ontologies:delete", 0, 1, 1) \
    X(SEMANTIC_MODELS_READ, "semantic_models:read", 1, 1, 1) \
    X(SEMANTIC_MODELS_WRITE, "semantic_models:write", 0, 1, 1) \
    X(SEMANTIC_MODELS_DELETE, "semantic_models:delete", 0, 1, 1) \
    X(CONNECTIONS_READ, "connections:read", 1, 1, 1) \
    X(CONNECTIONS_WRITE, "connections:write", 0, 1, 1) \
    X(CONNECTIONS_DELETE, "connections:delete", 0, 1, 1) \
    X(USER_SETTINGS_READ, "user_settings:read", 1, 1, 1) \
    X(USER_SETTINGS_WRITE, "user_settings:write", 1, 1, 1) \
    X(SYSTEM_SETTINGS_READ, "system_settings:read", 0, 0, 1) \
    X(SYSTEM_SETTINGS_WRITE, "system_settings:write", 0, 0, 1) \
    X(USERS_READ, "users:read", 0, 0, 1) \
    X(USERS_WRITE, "users:write", 0, 0, 1) \
    X(ADMIN, "admin:all", 0, 0, 1)

enum permission {
#define X(name, word, viewer, contributor, admin) MAY_##name,
    PERMISSIONS(X)
#undef X
        PERMISSION_COUNT,
    /* What a route may say in the place of one. */
    MAY_OPEN = PERMISSION_COUNT, /* to all */
    MAY_SIGNED_IN,               /* to every account */
};

/* Bits of the permissions of a role word ("viewer", any case); 0: unknown. */
unsigned role_permissions(struct str role);
unsigned roles_permissions(struct str roles); /* of words parted by commas */
/* The bits of a permission word; "users:*" has those of both "users:…"; 0:
 * unknown. */
unsigned permission_bits(struct str word);
const char *permission_word(enum permission p);

/* A user of a valid token: found, or made when unknown. */
struct user_of_token {
    struct store *store;
    struct str id, email;
    unsigned claimed; /* permission bits the token itself claims */
    struct str
        first_roles; /* for a new row: PostgreSQL array text, "{viewer}" */
    bool provision;  /* an unknown one becomes a user; else ERR_UNAUTHORIZED */
    /* Out */
    unsigned permissions;
    bool active;
    struct query *query;
};
/* Stored roles are cached for at most 5 s. */
struct next user_of_token_begin(struct flow *f);
/* After a change made here, or heard of: the next look is at the table. */
void user_forget(struct str id);

/* Users that were changed in the last seconds by anybody. Those who are disabled
 * have their runs marked cancelled; the rows name each user's live runs. */
struct user_changes {
    struct store *store;
    struct user_change_seen {
        struct str id; /* in the flow's keep */
        bool active;
        struct str runs; /* message ids parted by commas */
    } *rows;
    size_t n;
    struct query *query; /* private */
};
enum { USER_CHANGES_MS = 15000 }; /* how far back it looks */
struct next user_changes_begin(struct flow *f);

/* For the CLI: the user of that e-mail address, made if absent. */
struct user_ensure {
    struct store *store;
    struct str email, role;
    struct str id; /* out */
    struct query *query;
};
struct next user_ensure_begin(struct flow *f);
