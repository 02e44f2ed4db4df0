/* engine.h - what a process needs to answer questions, opened from the settings:
 * keys, HTTP client, pool of the system database, store, agent. For workers and
 * for commands that do a server's work in a process of their own. */
#pragma once
#include "agent/agent.h"
#include "config/config.h"
#include "config/home.h"
#include "loop/wait.h"

struct engine {
    struct arena *arena;
    const struct config *config;
    const struct home *home;
    struct pool *pool;
    struct store *store;
    struct agent *agent; /* NULL until engine_open_agent */
    struct agent_models models;
    struct llm_model embedding;
    bool embeds;       /* `embedding` is a model; false: lexical alone */
    const char *plays; /* a model that the process registered itself; or NULL */
    unsigned others; /* flows that outlive it, beside the one that closes it */

    /* private */
    struct pause pause;
    uint64_t since;
    bool http;
};

/* libpq's words for the system database, as its owner. */
struct str engine_conninfo(struct arena *arena, const struct config *c,
                           const struct home *home);
/* The same past a pooler, for what belongs to one session: LISTEN, migrations. */
struct str engine_direct_conninfo(struct arena *arena, const struct config *c,
                                  const struct home *home);
/* Pool and store. False with *why. The loop is open. */
bool engine_open(struct engine *e, struct arena *arena, const struct config *c,
                 const struct home *home, struct str *why);
/* HTTP client and models; for those that call models without an agent. */
void engine_open_models(struct engine *e);
void engine_open_agent(struct engine *e);
/* Subflow (locals: the engine): cancels what runs, waits until it is over, closes
 * all. Never fails. */
struct next engine_close_begin(struct flow *f);
