/* engine.h - what a process needs to answer questions, opened from the
 * settings: keys, HTTP client, pool of the system database, store, agent. Used
 * by workers, and by commands that work without a server. */
#pragma once
#include "agent/agent.h"
#include "config/config.h"
#include "config/home.h"
#include "loop/wait.h"
#include "tool/file_source.h"

struct engine {
    struct arena *arena;
    const struct config *config;
    const struct home *home;
    struct pool *pool;
    struct store *store;
    struct agent *agent; /* NULL until engine_open_agent */
    bool serves;         /* a worker: it asks the questions of schedules */
    struct agent_models models;
    struct llm_model embedding;
    struct file_source_opener files;
    bool embeds;       /* `embedding` is set; false: lexical embeddings */
    const char *plays; /* a model that the process itself registered; or NULL */
    bool measures;     /* models are judged: they get no trusted answers */
    /* flows that outlive the engine, not counting the one that closes it */
    unsigned others;

    /* private */
    struct pause pause;
    uint64_t since;
    bool http;
};

/* The conninfo of the system database, as its owner; in the arena. */
struct str engine_conninfo(struct arena *arena, const struct config *c,
                           const struct home *home);
/* The same without a pooler, for what needs a session: LISTEN, migrations. */
struct str engine_direct_conninfo(struct arena *arena, const struct config *c,
                                  const struct home *home);
/* Opens the pool, the store and the HTTP client; the loop is open. Returns false with *why. */
bool engine_open(struct engine *e, struct arena *arena, const struct config *c,
                 const struct home *home, struct str *why);
/* Opens the models, for those that call models without an
 * agent. */
void engine_open_models(struct engine *e);
/* Opens the agent, with everything it needs. */
void engine_open_agent(struct engine *e);
/* Subflow (locals: the engine): cancels what runs, waits for its end, closes
 * all. Never fails. */
struct next engine_close_begin(struct flow *f);
