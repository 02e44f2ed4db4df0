/* llm.h - one call to a language model, whoever serves it.
 *
 *   provider  how to speak to a kind of server (openai, azure, anthropic), or a
 *             function in this process (builtin); see provider.h
 *   model     a provider with its address, key, name and what it can do
 *   call      a subflow: request, streamed reply, the one retry loop
 *   try       one exchange with the server
 *
 *     struct llm_call *c = here(f, struct llm_call);
 *     c->model = …; c->messages = …;
 *     return call(f, llm_begin, c, reply_heard);
 *
 * Within total_ms a try is repeated, with growing, jittered waits or when the
 * server says so (Retry-After, X-Should-Retry): after a rate limit (429) or an
 * overload (503, 529) as often as there is time for, after any other failure
 * that may pass (408, 409, 5xx, a broken connection, a reply that was cut) up to
 * three times. A 400 that names an optional parameter of ours is asked again
 * without it, and that is remembered for the process. While a server keeps
 * failing, calls to it wait (src/llm/breaker.h). What a server says about a
 * request that it refused is part of `problem`, but for credentials. Keys appear
 * in no log, sentence or detail. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/trace.h"
#include "loop/flow.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum llm_role { LLM_SYSTEM, LLM_USER, LLM_ASSISTANT, LLM_TOOL };

struct llm_tool_call {
    struct str id, name;
    struct str
        arguments; /* JSON text as the model wrote it; may be cut or bad */
};

struct llm_message {
    enum llm_role role;
    struct str content;
    struct llm_tool_call *tool_calls; /* of an assistant message */
    size_t n_tool_calls;
    struct str tool_call_id; /* of a tool message */
    bool is_error;           /* of a tool message */
    struct str
        raw; /* an assistant message as its provider wants it back (JSON),
                       only to that provider; empty: rebuilt from the above */
};

struct llm_tool {
    struct str name, description;
    struct str parameters; /* JSON Schema text */
};

struct llm_usage {
    int64_t prompt, completion, total, cached, reasoning;
    bool estimated; /* at least a part of it, from bytes: it was not told */
};

enum llm_finish {
    LLM_STOP,
    LLM_TOOL_CALLS,
    LLM_LENGTH,     /* the reply reached its largest size */
    LLM_FILTERED,   /* the provider or the model declined; content says why */
    LLM_INCOMPLETE, /* never in a call that ended OK: the stream was cut */
};

/* Efforts a model takes, as bits of llm_capabilities.efforts, least first. */
enum llm_effort {
    LLM_EFFORT_NONE = 1 << 0,
    LLM_EFFORT_MINIMAL = 1 << 1,
    LLM_EFFORT_LOW = 1 << 2,
    LLM_EFFORT_MEDIUM = 1 << 3,
    LLM_EFFORT_HIGH = 1 << 4,
    LLM_EFFORT_XHIGH = 1 << 5,
    LLM_EFFORT_MAX = 1 << 6,
};

/* What a model can do; from models.def by its name, overridable. */
struct llm_capabilities {
    bool sampling;    /* temperature is accepted */
    bool json_schema; /* structured output natively */
    bool tools;
    bool thinks;          /* may be silent for long before its first word */
    bool thinks_unasked;  /* also when nothing is said about it */
    bool thinks_apart;    /* not in a request with tools */
    bool max_completion;  /* the limit is max_completion_tokens */
    bool thinking_budget; /* thinking in so many tokens */
    bool thinking_adaptive;
    unsigned efforts; /* LLM_EFFORT_…; 0: takes no effort */
    int max_output;   /* tokens for an answer unless the call says less */
    int most_output;  /* that the server takes, with thoughts; 0: unknown */
    int context;      /* tokens */
};

struct llm_provider;

/* Immutable while a call uses it. */
struct llm_model {
    const struct llm_provider *provider;
    struct str name; /* "gpt-4o" */
    struct str
        base_url;   /* without a trailing slash; empty: the provider's own */
    struct str key; /* secret; may be empty */
    struct str api_version, deployment; /* azure's classic form */
    struct str extra_headers;           /* lines "Name: value", parted by LF */
    struct str extra_body; /* members for the request: "\"a\":1,\"b\":2" */
    struct llm_capabilities can;
    double temperature;   /* < 0: not sent */
    struct str reasoning; /* "", "none".."max", "adaptive" or a token budget */
};

struct llm_work;

struct llm_call {
    /* In. All slices live until the subflow ends, but for the messages when there
     * is a `compose`: it sets them, before the request of each try is written,
     * and `let_go` is called behind it; neither in a step. A model thinks for
     * seconds about a text that it has, and so long nobody else needs to. */
    const struct llm_model *model;
    const struct llm_message *messages;
    size_t n_messages;
    void (*compose)(void *who);
    void (*let_go)(void *who);
    const struct llm_tool *tools;
    size_t n_tools;
    bool no_tool_calls;     /* the conversation has used them; now it may not */
    struct str schema_name; /* structured output when not empty: a-z A-Z 0-9 _ -
                               and at most 64 bytes */
    struct str schema;      /* JSON Schema text: a root object, all required */
    int max_output;         /* tokens; 0: the model's */
    unsigned total_ms;      /* LLM_CALL_TIMEOUT_MS or what the run has left, all
                               tries together; 0: 300 s */
    /* Hooks; each may be NULL. on_text is called inside curl: only take bytes.
     * The others are called in a step. */
    void (*on_text)(void *who, struct str piece);
    /* Visible text of a failed try is void; without this hook there is no retry
     * after visible text. */
    void (*on_restart)(void *who);
    /* "model_rate_limited", "model_unavailable", "model_reply_incomplete" */
    void (*on_wait)(void *who, const char *reason, unsigned ms);
    void *who;
    const struct trace *trace; /* each try is a child of it; NULL: none */
    const void *inputs;        /* what builtin reads instead of messages */

    /* Out, in the arena `memory` (the caller's: keep or here of an outer frame;
     * NULL: the flow's keep). usage, tries and problem are also set when the
     * call failed, unless its flow was stopped. */
    struct arena *memory;
    struct str content;
    struct llm_tool_call *tool_calls;
    size_t n_tool_calls;
    struct str raw;
    enum llm_finish finish;
    struct llm_usage usage; /* of all tries */
    bool usage_known;
    bool overran; /* with LLM_LENGTH: the server did not keep to the limit that
                     it was sent, so we hung up */
    unsigned tries;
    unsigned first_ms, took_ms; /* to the first useful event; in all */
    double temperature_sent;    /* < 0: none; for the trace */
    struct str problem;         /* when it failed: safe for logs and users */
    struct llm_work *work;      /* private */
};

/* Ends OK with finish STOP or TOOL_CALLS (LENGTH and FILTERED also end OK: the
 * caller decides); else fails with ERR_MODEL_UNAVAILABLE, ERR_MODEL_REFUSED,
 * ERR_TIMEOUT, ERR_BAD_REPLY, ERR_CANCELLED, and `problem` as failure_text. */
struct next llm_begin(struct flow *f);

/* A model of that provider ("openai", "azure", "anthropic", or a registered
 * one) with capabilities looked up by name, no temperature and no reasoning;
 * false: no such provider. */
bool llm_model_init(struct llm_model *m, struct str provider, struct str name);
struct str llm_provider_id(const struct llm_model *m);

/* Providers that answer in this process. `answer` fills the Out fields. */
struct llm_local {
    const char *id; /* "builtin" */
    enum err (*answer)(struct llm_call *c, struct arena *memory);
};
void llm_register_local(const struct llm_local *local); /* kept, not copied */

/* Embeddings: n texts to n vectors of `dimensions` floats, as a subflow. */
struct llm_embedding {
    const struct llm_model *model; /* openai or azure */
    const struct str *texts;
    size_t n_texts;
    int dimensions; /* as the model gives: 1536 */
    unsigned total_ms;
    const struct trace *trace; /* each try is a child of it; NULL: none */
    struct arena *memory;      /* NULL: the flow's keep */
    float *vectors; /* out: n_texts * dimensions, in the texts' order */
    struct llm_usage usage;
    struct str problem;
    struct batch *work; /* private */
};
/* Fails as llm_begin does; ERR_BAD_REPLY also for other dimensions. */
struct next llm_embed_begin(struct flow *f);

/* The servers that were called, for metrics: one per provider and address. Words
 * of 64 bits but for the names, so that processes can add them up. */
enum llm_server_state {
    LLM_SERVER_CLOSED, /* its breaker lets calls through */
    LLM_SERVER_HALF_OPEN,
    LLM_SERVER_OPEN,
};
enum { LLM_SERVER_STATES = 3 };
struct llm_server {
    char provider[16], address[112];    /* without credentials */
    uint64_t opens;                     /* since the start */
    uint64_t waiting;                   /* calls, now */
    uint64_t states[LLM_SERVER_STATES]; /* 1: it is in this state */
};
/* Fills up to `room` of them in; answers how many. */
size_t llm_servers(struct llm_server *out, size_t room);
