/* users.h - permissions: of roles, and of the user of a token. */
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
    /* What a route may require instead. */
    MAY_OPEN = PERMISSION_COUNT, /* to all */
    MAY_SIGNED_IN,               /* to every account */
};

/* Bits of the permissions of a role word ("viewer", any case); 0: unknown. */
unsigned role_permissions(struct str role);
unsigned roles_permissions(struct str roles); /* words separated by commas */
/* The bits of a permission word; "users:*" means all "users:…"; 0: unknown. */
unsigned permission_bits(struct str word);
const char *permission_word(enum permission p);

/* Finds the user of a valid token, or adds one. */
struct user_of_token {
    struct store *store;
    struct str id, email;
    unsigned claimed; /* permission bits the token itself claims */
    struct str
        first_roles; /* for a new row: PostgreSQL array text, "{viewer}" */
    bool provision;  /* adds an unknown user; else ERR_UNAUTHORIZED */
    /* Out */
    unsigned permissions;
    bool active;
    struct query *query;
};
/* Stored roles are cached for at most 5 s. */
struct next user_of_token_begin(struct flow *f);
/* Drops a user from the cache, after a change or a notice. */
void user_cache_drop(struct str id);

/* Finds users that have changed in the last USER_CHANGES_MS, and requests the
 * end of the runs of those that are disabled. */
struct user_changes {
    struct store *store;
    struct user_change_seen {
        struct str id; /* in the flow's keep */
        bool active;
        struct str
            runs; /* of a disabled user: message ids, separated by commas */
    } *rows;
    size_t n;
    struct query *query; /* private */
};
enum { USER_CHANGES_MS = 15000 };
struct next user_changes_begin(struct flow *f);

/* For the command line: finds the user of an address, or adds one; sets the
 * role. */
struct user_upsert {
    struct store *store;
    struct str email, role;
    struct str id; /* out */
    struct query *query;
};
struct next user_upsert_begin(struct flow *f);
