/* engine.c - opens and closes the parts of a process that answers questions. */
#include "engine.h"
#include "base/clock.h"
#include "base/log.h"
#include "config/places.h"
#include "models.h"
#include "net/http_client.h"
#include "net/otlp.h"
#include "store/connections.h"
#include "store/graph_search.h"
#include "tool/cluster_source.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    SOURCE_IDLE_MS = 60000,
    PIPELINE = 16,
    WAITING_MOST =
        16384, /* a thousand runs send several queries each when they start */
    PATIENCE_MS = 30000, /* of a query; in a burst most of it is waiting */
    SILENCE_MS = 2500,   /* then requests are refused, within 3 s */
    LOOK_MS = 5,
    LONGEST_CLOSE_MS = 5000,
    FLUSH_MS = 2000, /* for spans, at the end */
};

struct str engine_conninfo(struct arena *arena, const struct config *c,
                           const struct home *home)
{
    if (c->database_url)
        return arena_str(arena, str_of(c->database_url));
    return home_conninfo(home, POSTGRES_OWNER, POSTGRES_DATABASE);
}

struct str engine_direct_conninfo(struct arena *arena, const struct config *c,
                                  const struct home *home)
{
    if (c->database_direct_url)
        return arena_str(arena, str_of(c->database_direct_url));
    return engine_conninfo(arena, c, home);
}

static bool decode_key(const struct engine *e, const char *hex,
                       uint8_t key[SEAL_KEY_SIZE], struct str *why)
{
    struct str bytes;
    if (hex_decode(e->arena, str_of(hex), &bytes) &&
        bytes.len == SEAL_KEY_SIZE) {
        memcpy(key, bytes.ptr, SEAL_KEY_SIZE);
        return true;
    }
    *why = STR("CREDENTIALS_KEY is not 64 hexadecimal digits");
    return false;
}

static bool find_keys(const struct engine *e, uint8_t key[SEAL_KEY_SIZE],
                      uint8_t old_key[SEAL_KEY_SIZE], struct str *why)
{
    const struct config *c = e->config;
    if (c->credentials_key ? !decode_key(e, c->credentials_key, key, why)
                           : !home_key(e->home, key, why))
        return false;
    memcpy(old_key, key, SEAL_KEY_SIZE);
    return !c->credentials_key_previous ||
           decode_key(e, c->credentials_key_previous, old_key, why);
}

static struct sandbox sandbox_of(const struct engine *e)
{
    const char *url = e->config->sandbox_url;
    if (url && !strcmp(url, "off"))
        return (struct sandbox){.off = true};
    if (url)
        return (struct sandbox){.url = str_of(url),
                                .token = str_of(e->config->sandbox_token)};
    return (struct sandbox){.unix_socket = e->home->sandbox_socket};
}

bool engine_open(struct engine *e, struct arena *arena, const struct config *c,
                 const struct home *home, struct str *why)
{
    uint8_t key[SEAL_KEY_SIZE], old_key[SEAL_KEY_SIZE];
    *e = (struct engine){.arena = arena, .config = c, .home = home};
    if (!find_keys(e, key, old_key, why))
        return false;
    bool pooled = c->database_direct_url != NULL;
    e->pool = pool_open(
        &(struct pool_options){.name = "system",
                               .conninfo = engine_conninfo(arena, c, home).ptr,
                               .most = (int)c->system_connections,
                               .pipeline = pooled ? 1 : PIPELINE,
                               .unprepared = pooled,
                               .queue_most = WAITING_MOST,
                               .deadline_ms = PATIENCE_MS,
                               .silence_ms = SILENCE_MS});
    e->store = store_open(&(struct store_options){
        .system = e->pool,
        .key = key,
        .old_key = old_key,
        .source_hosts = c->connection_hosts,
        .lease_ms = (unsigned)c->lease_ms,
        .embedded_socket =
            c->database_url ? STR("") : str_of(home->postgres_socket),
        .source_most = (unsigned)c->source_connections,
        .source_idle_ms = SOURCE_IDLE_MS,
        .ca_file = c->ca_file,
        .neo4j = &(struct neo4j_options){.url = c->neo4j_uri,
                                         .user = c->neo4j_user,
                                         .password = c->neo4j_password,
                                         .database = c->neo4j_database}});
    /* for sources, too */
    http_client_open(&(struct http_client_options){.ca_file = c->ca_file,
                                                   .proxy = c->proxy});
    e->http = true;
    struct sandbox sandbox = sandbox_of(e);
    file_source_opener_init(&e->files, e->store, &sandbox);
    e->store->clusters = &cluster_sources;
    return true;
}

/* ---- models and agent ---------------------------------------------------- */

/* config_check has read them once. */
static const struct network *webhook_networks(const struct engine *e, size_t *n)
{
    const char *const *words = e->config->webhook_networks;
    for (*n = 0; words && words[*n];)
        ++*n;
    struct network *all = arena_new_array(e->arena, struct network, *n + 1);
    for (size_t i = 0; i < *n; i++)
        if (!network_parse(str_of(words[i]), &all[i]))
            *n = i;
    return all;
}

/* The settings were checked when they were read. */
static int64_t amount_of(const char *text)
{
    int64_t amount;
    return amount_read(str_of(text), &amount) ? amount : 0;
}

static struct prices prices_of_config(const struct config *c)
{
    struct prices prices;
    return prices_read(str_of(c->model_prices), &prices) ? prices
                                                         : (struct prices){0};
}

static struct agent_settings settings_of(const struct engine *e)
{
    const struct config *c = e->config;
    size_t n_networks;
    const struct network *networks = webhook_networks(e, &n_networks);
    return (struct agent_settings){
        .schedules = e->serves,
        .webhook_networks = networks,
        .n_webhook_networks = n_networks,
        .webhook_retry_ms = (unsigned)c->webhook_retry_ms,
        .without_trusted = e->measures,
        .sql_timeout_ms = (unsigned)c->sql_query_timeout_ms,
        .python_timeout_ms = (unsigned)c->python_timeout_ms,
        .sql_max_rows = (int)c->sql_max_rows,
        .export_max_rows = (int)c->export_max_rows,
        .export_timeout_ms = (unsigned)c->export_timeout_ms,
        .sql_max_bytes = (size_t)c->sql_max_bytes,
        .file_limits = {.file_bytes = c->file_max_bytes,
                        .user_bytes = c->files_user_bytes,
                        .files = (int)c->dataset_max_files},
        .vector_top_k = (int)c->vector_search_top_k,
        .history_limit = (int)c->conversation_history_limit,
        .llm_call_timeout_ms = (unsigned)c->llm_call_timeout_ms,
        .run_deadline_ms = (unsigned)c->run_deadline_ms,
        .run_max_attempts = (int)c->run_max_attempts,
        .run_max_calls = (int)c->run_max_calls,
        .run_max_tokens = c->run_max_tokens,
        .runs_per_user = (int)c->runs_per_user,
        .tokens_per_day = c->tokens_per_day,
        .cost_per_day = amount_of(c->cost_per_day),
        .run_max_cost = amount_of(c->run_max_cost),
        .prices = prices_of_config(c),
        .max_runs = (unsigned)c->max_runs,
        .queue_max = (unsigned)c->queue_max,
        .claim_timeout_ms = (unsigned)c->claim_timeout_ms,
        .events_days = (int)c->events_days,
        .traces_days = (int)c->traces_days,
        .charts_days = (int)c->charts_days,
        .audit_days = (int)c->audit_days,
        .prompt_budget = (size_t)c->prompt_budget,
        .sandbox = sandbox_of(e),
        .embedding = e->embeds ? &e->embedding : NULL,
    };
}

static void open_traces(const struct config *c)
{
    otlp_open(
        &(struct otlp_options){.endpoint = c->otlp_endpoint,
                               .traces_endpoint = c->otlp_traces_endpoint,
                               .headers = c->otlp_headers,
                               .service = c->otel_service_name,
                               .attributes = c->otel_resource_attributes,
                               .version = SEXTANT_VERSION,
                               .timeout_ms = (unsigned)c->otlp_timeout_ms,
                               .delay_ms = (unsigned)c->otel_schedule_delay_ms,
                               .queue_most = (size_t)c->otel_queue_size,
                               .batch_most = (size_t)c->otel_batch_size,
                               .content = c->otel_capture_content});
}

void engine_open_models(struct engine *e)
{
    open_traces(e->config);
    agent_register_builtin();
    models_init(&e->models, e->config, e->plays);
    e->embeds = models_embedding(&e->embedding, e->config);
}

void engine_open_agent(struct engine *e)
{
    engine_open_models(e);
    struct agent_settings settings = settings_of(e);
    store_listen(e->store,
                 engine_direct_conninfo(e->arena, e->config, e->home).ptr);
    e->agent = agent_open(e->store, &settings, &e->models);
}

/* ---- the end ------------------------------------------------------------- */

static struct next runs_over(struct flow *f), spans_sent(struct flow *f),
    store_written(struct flow *f);

/* Waits while more than `most` flows are live; gives up on them after a
 * while. */
static bool still_flows(const struct engine *e, unsigned most)
{
    most += e->others;
    bool late = clock_ms() - e->since > LONGEST_CLOSE_MS;
    if (late && flow_count() > most)
        log_line(LOG_WARN, "closed too early", "%u flows still live",
                 flow_count() - most);
    return flow_count() > most && !late;
}

struct next engine_close_begin(struct flow *f)
{
    struct engine *e = locals(f, struct engine);
    agent_close(&e->agent);
    e->since = clock_ms();
    return go(f, runs_over);
}

/* What remains is the flow that waits, the store's and the exporter's. */
static struct next runs_over(struct flow *f)
{
    struct engine *e = locals(f, struct engine);
    if (still_flows(e, 1 + STORE_FLOWS + otlp_runs())) {
        pause_begin(f, &e->pause, LOOK_MS);
        return await(f, runs_over);
    }
    otlp_stop(FLUSH_MS);
    return go(f, spans_sent);
}

/* The exporter ends by its deadline. */
static struct next spans_sent(struct flow *f)
{
    struct engine *e = locals(f, struct engine);
    if (otlp_runs()) {
        pause_begin(f, &e->pause, LOOK_MS);
        return await(f, spans_sent);
    }
    store_close(&e->store);
    e->since = clock_ms();
    return go(f, store_written);
}

static struct next store_written(struct flow *f)
{
    struct engine *e = locals(f, struct engine);
    if (still_flows(e, 1)) {
        pause_begin(f, &e->pause, LOOK_MS);
        return await(f, store_written);
    }
    pool_close(&e->pool);
    if (e->http)
        http_client_close();
    return back(f);
}
