/* settings.c - settings of the system and of users, and this process's cache of
 * the data agent's. */
#include "store/settings.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "rows.h"
#include "store/audit.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static step_fn agent_config_read, config_known, system_settings_read,
    system_settings_written, user_settings_read, user_settings_written;

/* The cache is valid for CACHE_MS. After FRESH_MS one run reads the table
 * again, while the others use the cache. */
enum {
    FRESH_MS = 4000,
    CACHE_MS = 5000,
    PROVIDERS = 4,
    MODEL_BYTES = 204,
    REASONING_BYTES = 16
};

static const char *const providers[PROVIDERS] = {"openai", "anthropic", "azure",
                                                 "builtin"};

struct settings_cache {
    bool known;
    uint64_t fresh, until;
    int64_t version;
    struct cached_config {
        char model[MODEL_BYTES], reasoning[REASONING_BYTES];
        double temperature;
    } configs[PROVIDERS];
};

struct settings_cache *settings_cache_new(void)
{
    return mem_new(struct settings_cache);
}

void settings_cache_free(struct settings_cache *c)
{
    mem_free(c);
}

void settings_cache_invalidate(struct store *s)
{
    s->settings->until = 0;
}

/* ---- the data agent's ---------------------------------------------------- */

#define SYSTEM_ROW(FIRST, X) \
    FIRST(json, features, "features::text") \
    X(json, agent_configs, "agent_configs::text") \
    X(int64, version, "version") \
    X(time, updated_at, "rfc3339(updated_at)") \
    X(uuid, updated_by, "updated_by")
#define SYSTEM_COLUMNS ROW_SQL(SYSTEM_ROW)
ROW_STRUCT(system_settings_row, SYSTEM_ROW);

static const struct statement system_statement = {
    .name = "settings.system",
    .again = true,
    .sql = "select " SYSTEM_COLUMNS " from system_settings",
};

static void config_copy(char *out, size_t size, struct str text)
{
    snprintf(out, size, "%.*s", STR_ARG(text));
}

static void cache_read_config(struct cached_config *c, const json_t *v)
{
    const json_t *temperature = json_object_get(v, "temperature");
    const json_t *level = json_object_get(v, "reasoningLevel");
    c->temperature =
        json_is_number(temperature) ? json_number_value(temperature) : -1;
    config_copy(c->model, sizeof c->model, json_get_text(v, "model"));
    if (json_is_integer(level))
        snprintf(c->reasoning, sizeof c->reasoning, "%lld",
                 (long long)json_integer_value(level));
    else
        config_copy(c->reasoning, sizeof c->reasoning, json_text(level));
}

static void cache_read_configs(struct settings_cache *c, struct str text)
{
    json_t *all = json_read(text, NULL);
    const json_t *agent = json_object_get(all, "dataAgent");
    for (int i = 0; i < PROVIDERS; i++)
        cache_read_config(&c->configs[i], json_object_get(agent, providers[i]));
    json_decref(all);
}

struct next settings_agent_config_begin(struct flow *f)
{
    struct settings_agent_config *s = locals(f, struct settings_agent_config);
    struct settings_cache *c = s->store->settings;
    uint64_t now = clock_ms();
    if (c->known && now < c->until && now < c->fresh)
        return go(f, config_known);
    if (now < c->until)
        c->fresh = c->until;
    s->query = query_new(f, s->store->system, &system_statement);
    query_begin(f, s->query);
    if (c->known)
        op_tolerate(&s->query->op);
    return await(f, agent_config_read);
}

static struct next agent_config_read(struct flow *f)
{
    struct settings_agent_config *s = locals(f, struct settings_agent_config);
    struct settings_cache *c = s->store->settings;
    if (s->query->op.status != OK) {
        log_line(LOG_WARN, "settings not read",
                 "%s; the cached ones stay in use",
                 err_name(s->query->op.status));
        return go(f, config_known);
    }
    struct system_settings_row row = {.agent_configs = STR("{}")};
    if (s->query->n_rows)
        row = system_settings_row_at(s->query, 0);
    cache_read_configs(c, row.agent_configs);
    c->version = row.version;
    c->known = true;
    c->fresh = clock_ms() + FRESH_MS;
    c->until = clock_ms() + CACHE_MS;
    return go(f, config_known);
}

static struct next config_known(struct flow *f)
{
    struct settings_agent_config *s = locals(f, struct settings_agent_config);
    const struct settings_cache *c = s->store->settings;
    s->temperature = -1;
    s->version = c->version;
    for (int i = 0; i < PROVIDERS; i++) {
        if (!str_is(s->provider, providers[i]))
            continue;
        s->model = arena_str(flow_keep(f), str_of(c->configs[i].model));
        s->reasoning = arena_str(flow_keep(f), str_of(c->configs[i].reasoning));
        s->temperature = c->configs[i].temperature;
    }
    return back(f);
}

/* ---- the system's -------------------------------------------------------- */

struct next system_settings_begin(struct flow *f)
{
    struct system_settings *s = locals(f, struct system_settings);
    s->query = query_new(f, s->store->system, &system_statement);
    query_begin(f, s->query);
    return await(f, system_settings_read);
}

static struct next system_settings_read(struct flow *f)
{
    struct system_settings *s = locals(f, struct system_settings);
    ROW_READ(SYSTEM_ROW, s, row_copies(s->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement system_put_statement = {
    .name = "settings.put_system",
    .sql = "with old as (select * from system_settings"
           "   where $3::int < 0 or version = $3::int for update),"
           " new as (update system_settings s set features = $1::jsonb,"
           "   agent_configs = $2::jsonb, version = s.version + 1,"
           "   updated_at = now(), updated_by = nullif($4, '')::uuid"
           "   from old returning s.*),"
           " noted as (" SQL_AUDIT
           "   select new.updated_by, 'system_settings.changed',"
           "     'system_settings', new.version::text, jsonb_build_object("
           "       'before', jsonb_build_object('features', old.features,"
           "         'agentConfigs', old.agent_configs),"
           "       'after', jsonb_build_object('features', new.features,"
           "         'agentConfigs', new.agent_configs)), $5 from old, new)"
           " select version from new",
};

struct next system_settings_put_begin(struct flow *f)
{
    struct system_settings_put *s = locals(f, struct system_settings_put);
    struct query *q = s->query =
        query_new(f, s->store->system, &system_put_statement);
    query_str(f, q, s->features);
    query_str(f, q, s->agent_configs);
    query_int(f, q, s->expected);
    query_str(f, q, s->actor_id);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, system_settings_written);
}

static struct next system_settings_written(struct flow *f)
{
    struct system_settings_put *s = locals(f, struct system_settings_put);
    s->changed = s->query->n_rows > 0;
    settings_cache_invalidate(s->store);
    return back(f);
}

/* ---- a user's ------------------------------------------------------------ */

#define USER_SETTINGS_ROW(FIRST, X) \
    FIRST(text, theme, "theme") \
    X(text, default_provider, "default_provider") \
    X(json, profile, "profile::text") \
    X(json, notifications, "notifications::text") \
    X(int64, version, "version") \
    X(time, updated_at, "rfc3339(updated_at)")
#define USER_SETTINGS_COLUMNS ROW_SQL(USER_SETTINGS_ROW)

static const struct statement user_statement = {
    .name = "settings.user",
    .again = true,
    .sql = "select " USER_SETTINGS_COLUMNS
           " from user_settings where user_id = $1::uuid",
};

struct next user_settings_begin(struct flow *f)
{
    struct user_settings *s = locals(f, struct user_settings);
    s->query = query_new(f, s->store->system, &user_statement);
    query_str(f, s->query, s->user_id);
    query_begin(f, s->query);
    return await(f, user_settings_read);
}

static struct next user_settings_read(struct flow *f)
{
    struct user_settings *s = locals(f, struct user_settings);
    s->theme = STR("system");
    s->profile = s->notifications = STR("{}");
    s->default_provider = s->updated_at = STR("");
    s->version = 0;
    if (s->query->n_rows)
        ROW_READ(USER_SETTINGS_ROW, s, row_copies(s->query, 0, flow_keep(f)));
    return back(f);
}

/* A missing row counts as version 0. */
static const struct statement user_put_statement = {
    .name = "settings.put_user",
    .sql = "insert into user_settings as s (user_id, theme, default_provider,"
           "   profile, notifications)"
           " values ($1::uuid, $2, nullif($3, ''), $4::jsonb, $5::jsonb)"
           " on conflict (user_id) do update set theme = excluded.theme,"
           "   default_provider = excluded.default_provider,"
           "   profile = excluded.profile,"
           "   notifications = excluded.notifications,"
           "   version = s.version + 1, updated_at = now()"
           "   where $6::int < 0 or s.version = $6::int"
           " returning version",
};

struct next user_settings_put_begin(struct flow *f)
{
    struct user_settings_put *s = locals(f, struct user_settings_put);
    struct query *q = s->query =
        query_new(f, s->store->system, &user_put_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->theme);
    query_str(f, q, s->default_provider);
    query_str(f, q, s->profile);
    query_str(f, q, s->notifications);
    query_int(f, q, s->expected);
    query_begin(f, q);
    return await(f, user_settings_written);
}

static struct next user_settings_written(struct flow *f)
{
    struct user_settings_put *s = locals(f, struct user_settings_put);
    s->changed = s->query->n_rows > 0;
    return back(f);
}
