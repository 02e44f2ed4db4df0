/* users.h - who may do what. */
#pragma once
#include "store/store.h"
#include "db/query.h"

/* PERMISSION(name, word, viewer, contributor, admin) */
#define PERMISSIONS(X)                                                         \
    X(DATA_AGENT_READ, "data_agent:read", 1, 1, 1)                             \
    X(DATA_AGENT_WRITE, "data_agent:write", 0, 1, 1)                           \
    X(DATA_AGENT_DELETE, "data_agent:delete", 0, 1, 1)                         \
    X(ONTOLOGIES_READ, "ontologies:read", 1, 1, 1)                             \
    X(ONTOLOGIES_WRITE, "ontologies:write", 0, 1, 1)                           \
    X(CONNECTIONS_READ, "connections:read", 1, 1, 1)                           \
    X(CONNECTIONS_WRITE, "connections:write", 0, 1, 1)                         \
    X(ADMIN, "admin:all", 0, 0, 1)

enum permission {
#define X(name, word, viewer, contributor, admin) MAY_##name,
    PERMISSIONS(X)
#undef X
    PERMISSION_COUNT
};

/* Bits of the permissions of a role word ("viewer", any case); 0: unknown. */
unsigned role_permissions(struct str role);
/* The bit of a permission word; 0: unknown. */
unsigned permission_bit(struct str word);

/* A user of a valid token: found, or made when unknown. */
struct user_of_token {
    struct store *store;
    struct str id, email;
    unsigned claimed; /* permission bits the token itself claims */
    struct str first_roles; /* for a new row: PostgreSQL array text, "{viewer}" */
    /* Out */
    unsigned permissions;
    bool active;
    struct query *query;
};
/* Stored roles are cached for at most 5 s. */
struct next user_of_token_begin(struct flow *f);

/* For the CLI: the user of that e-mail address, made if absent. */
struct user_ensure {
    struct store *store;
    struct str email, role;
    struct str id; /* out */
    struct query *query;
};
struct next user_ensure_begin(struct flow *f);
