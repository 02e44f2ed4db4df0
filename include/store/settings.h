/* settings.h - settings of the system, by admins, and of users, by themselves.
 *
 * Rows contain JSON texts, which the api floor has checked. Their version
 * counts changes, so that of two concurrent changes the second is refused. */
#pragma once
#include "db/query.h"
#include "store/store.h"

enum { SETTINGS_ANY_VERSION = -1 };

/* Reads an admin's settings for a provider's models. Each process caches them
 * for at most 5 s; while the database is away, it uses what it has. */
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
/* After a change in this process: the next call reads the table. */
void settings_cache_invalidate(struct store *s);

/* Reads the settings of the system. */
struct system_settings {
    struct store *store;
    /* Out, as JSON texts, in the flow's keep */
    struct str features, agent_configs; /* objects */
    int64_t version;
    struct str updated_at, updated_by; /* the latter may be empty */
    struct query *query;               /* private */
};
struct next system_settings_begin(struct flow *f);

/* Replaces both; writes an audit event with the values before and after. */
struct system_settings_put {
    struct store *store;
    struct str features, agent_configs;
    int64_t expected; /* version, or SETTINGS_ANY_VERSION */
    struct str actor_id, request_id;
    bool changed;        /* out; false: the version was another */
    struct query *query; /* private */
};
struct next system_settings_put_begin(struct flow *f);

/* Reads the settings of a user. */
struct user_settings {
    struct store *store;
    struct str user_id;
    /* Out; defaults with version 0 when nothing was set */
    struct str theme, default_provider; /* the latter empty: none */
    struct str profile, notifications;  /* JSON objects */
    int64_t version;
    struct str updated_at; /* empty: never */
    struct query *query;   /* private */
};
struct next user_settings_begin(struct flow *f);

/* Replaces the settings of a user. */
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
