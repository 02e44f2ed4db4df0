/* settings.h - what admins have set for everybody, and users for themselves.
 *
 * Rows as JSON texts; the api floor checks what goes in. Both have a version that
 * counts up with each change, so that two who change at once are told. */
#pragma once
#include "db/query.h"
#include "store/store.h"

enum { SETTINGS_ANY_VERSION = -1 };

/* How a provider's models are to be used by the data agent, as an admin has set
 * it. Cached by each process for at most 5 s; while the database is away, what
 * was known goes on. */
struct settings_agent_config {
    struct store *store;
    struct str provider; /* "openai", "anthropic", "azure", "builtin" */
    /* Out, in the flow's keep */
    struct str model;     /* empty: the operator's */
    double temperature;   /* < 0: not set */
    struct str reasoning; /* "low", "adaptive", "4096"; empty: not set */
    int64_t version;      /* of the system's settings */
    struct query *query;  /* private */
};
struct next settings_agent_config_begin(struct flow *f);
/* After a change made here: the next look is at the table. */
void settings_forget(struct store *s);

struct system_settings {
    struct store *store;
    /* Out, as JSON texts, in the flow's keep */
    struct str features, agent_configs; /* objects */
    int64_t version;
    struct str updated_at, updated_by; /* the latter may be empty */
    struct query *query;               /* private */
};
struct next system_settings_begin(struct flow *f);

/* Replaces both; leaves an audit event with the values before and after. */
struct system_settings_put {
    struct store *store;
    struct str features, agent_configs;
    int64_t expected; /* version, or SETTINGS_ANY_VERSION */
    struct str actor_id, request_id;
    bool changed;        /* out; false: it has another version by now */
    struct query *query; /* private */
};
struct next system_settings_put_begin(struct flow *f);

struct user_settings {
    struct store *store;
    struct str user_id;
    /* Out; defaults with version 0 when nothing was ever set */
    struct str theme, default_provider; /* the latter empty: none */
    struct str profile, notifications;  /* JSON objects */
    int64_t version;
    struct str updated_at; /* empty: never */
    struct query *query;   /* private */
};
struct next user_settings_begin(struct flow *f);

struct user_settings_put {
    struct store *store;
    struct str user_id;
    struct str theme, default_provider, profile, notifications;
    int64_t expected;
    bool changed;        /* out */
    struct query *query; /* private */
};
struct next user_settings_put_begin(struct flow *f);

/* For store.c. */
struct settings_cache;
struct settings_cache *settings_cache_new(void);
void settings_cache_free(struct settings_cache *c);
