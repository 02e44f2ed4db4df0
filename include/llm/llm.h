/* llm.h - calls to language models, whatever server they run on.
 *
 *   provider  the protocol of a kind of server (openai, azure, anthropic), or a
 *             function in this process (builtin); see provider.h
 *   model     a provider with its address, key, model name and capabilities
 *   call      a subflow: request, streamed reply, retries
 *   try       one HTTP request of a call
 *
 *     struct llm_call *c = here(f, struct llm_call);
 *     c->model = …; c->messages = …;
 *     return call(f, llm_begin, c, reply_received);
 *
 * Retries happen within total_ms, with exponential backoff and jitter, or when
 * the server says so (Retry-After, X-Should-Retry): after a rate limit (429) or
 * an overload (503, 529) as often as time permits, after any other transient
 * failure (408, 409, 5xx, a broken connection, an incomplete reply) up to three
 * tries in all. After a 400 that names an optional parameter, the request is
 * sent again without the parameter, and the process remembers that. While a
 * server keeps failing, a circuit breaker makes calls to it wait
 * (src/llm/breaker.h). `problem` quotes what a server said about a request that
 * it refused, without credentials. Keys appear in no log line and no
 * sentence. */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
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
    struct str arguments; /* the model's JSON; may be truncated or malformed */
};

struct llm_message {
    enum llm_role role;
    struct str content;
    struct llm_tool_call *tool_calls; /* of an assistant message */
    size_t n_tool_calls;
    struct str tool_call_id; /* of a tool message */
    bool is_error;           /* of a tool message */
    /* An assistant message in the provider's own JSON, which is sent back as it
     * is, only to that provider; empty: composed from the fields above. */
    struct str raw;
};

struct llm_tool {
    struct str name, description;
    struct str parameters; /* JSON Schema text */
};

struct llm_usage {
    int64_t prompt, completion, total;
    int64_t cached, reasoning; /* parts of prompt and completion */
    int64_t cost;              /* an amount (base/prices.h); set by the agent */
    bool unpriced;  /* some of it has no price: `cost` is less than it was */
    bool estimated; /* partly computed from bytes: the server did not say */
};

void llm_usage_add(struct llm_usage *sum, const struct llm_usage *u);

enum llm_finish {
    LLM_STOP,
    LLM_TOOL_CALLS,
    LLM_LENGTH,     /* the reply reached its token limit */
    LLM_FILTERED,   /* the provider or the model declined; content says why */
    LLM_INCOMPLETE, /* the stream broke off; never in a call that ended OK */
};

/* Reasoning efforts, as bits of llm_capabilities.efforts, lowest first. */
enum llm_effort {
    LLM_EFFORT_NONE = 1 << 0,
    LLM_EFFORT_MINIMAL = 1 << 1,
    LLM_EFFORT_LOW = 1 << 2,
    LLM_EFFORT_MEDIUM = 1 << 3,
    LLM_EFFORT_HIGH = 1 << 4,
    LLM_EFFORT_XHIGH = 1 << 5,
    LLM_EFFORT_MAX = 1 << 6,
};

/* What a model can do; looked up in models.def by its name, overridable. */
struct llm_capabilities {
    bool sampling;    /* accepts a temperature */
    bool json_schema; /* supports structured output natively */
    bool tools;
    bool thinks; /* reasons, perhaps for long, before its first word */
    bool thinks_by_default; /* also if the request does not mention reasoning */
    bool thinks_without_tools; /* cannot reason in a request with tools */
    bool max_completion;       /* the limit is called max_completion_tokens */
    bool thinking_budget;      /* takes a number of tokens for reasoning */
    bool thinking_adaptive;    /* decides itself how much to reason */
    unsigned efforts;          /* LLM_EFFORT_…; 0: does not take an effort */
    int max_output;            /* default token limit of an answer */
    int total_output_limit;    /* with reasoning; 0: unknown */
};

struct llm_provider;

/* Immutable while a call uses it. */
struct llm_model {
    const struct llm_provider *provider;
    struct str name;     /* "gpt-4o" */
    struct str base_url; /* without a trailing slash; empty: the default */
    struct str key;      /* secret; may be empty */
    struct str api_version, deployment; /* for Azure's classic URLs */
    struct str extra_headers; /* lines "Name: value", separated by LF */
    struct str extra_body;    /* members of the request: "\"a\":1,\"b\":2" */
    struct llm_capabilities can;
    double temperature;   /* < 0: not sent */
    struct str reasoning; /* "", "none".."max", "adaptive" or a token budget */
};

struct llm_work;

struct llm_call {
    /* In. All slices must live until the subflow ends. Exception: if `compose`
     * is set, it is called before the request of each try is written, and sets
     * the messages; `let_go` is called when the request has been written, and
     * may free them, so that they take no memory while the model works. Neither
     * is called in a step. */
    const struct llm_model *model;
    const struct llm_message *messages;
    size_t n_messages;
    void (*compose)(void *who);
    void (*let_go)(void *who);
    const struct llm_tool *tools;
    size_t n_tools;
    bool no_tool_calls; /* tools are listed, but must not be called */
    /* Requests structured output unless empty; [a-zA-Z0-9_-], at most 64
     * bytes. */
    struct str schema_name;
    struct str schema; /* JSON Schema: an object, all properties required */
    int max_output;    /* token limit of the answer; 0: the model's default */
    unsigned total_ms; /* timeout of all tries together; 0: 300 s */
    /* Callbacks; each may be NULL. on_text is called inside curl: it may only
     * take the bytes. The others are called in a step. */
    void (*on_text)(void *who, struct str piece);
    /* A retry begins: text that on_text got is void. Without this callback
     * there is no retry after on_text was called. */
    void (*on_restart)(void *who);
    /* The call waits before a retry, or for the circuit breaker. `reason` is
     * "model_rate_limited", "model_unavailable" or "model_reply_incomplete". */
    void (*on_wait)(void *who, const char *reason, unsigned ms);
    void *who;
    const struct trace *trace; /* parent of the call's span; NULL: none */
    const void *inputs;        /* for local providers, instead of messages */

    /* Out, in the arena `memory` of the caller (keep, or here of an outer
     * frame; NULL: keep). usage, tries and problem are also set when the call
     * failed, unless its flow was stopped. */
    struct arena *memory;
    struct str content;
    struct llm_tool_call *tool_calls;
    size_t n_tool_calls;
    struct str raw;
    enum llm_finish finish;
    struct llm_usage usage; /* of all tries */
    bool usage_known;
    bool
        exceeded_limit; /* with LLM_LENGTH: the server ignored the token limit, so the
                     connection was closed */
    unsigned tries;
    unsigned first_ms;       /* until the first useful event */
    double temperature_sent; /* < 0: none; for the trace */
    struct str problem;      /* if it failed: safe for logs and users */
    struct llm_work *work;   /* private */
};

/* The subflow; its locals are a struct llm_call. Ends OK if a whole reply
 * arrived; `finish` may also be LENGTH or FILTERED, which the caller must
 * check. Fails with ERR_MODEL_UNAVAILABLE, ERR_MODEL_REFUSED, ERR_TIMEOUT,
 * ERR_BAD_REPLY or ERR_CANCELLED, with `problem` as failure_text. */
struct next llm_begin(struct flow *f);

/* Fills in a model of that provider ("openai", "azure", "anthropic", or a
 * registered local one): capabilities by its name, no temperature, no reasoning
 * setting. False: no such provider. */
MUST_CHECK bool llm_model_init(struct llm_model *m, struct str provider,
                               struct str name);
/* The id of its provider. */
struct str llm_provider_id(const struct llm_model *m);

/* A provider that answers in this process. `answer` sets the Out fields. */
struct llm_local {
    const char *id; /* "builtin" */
    enum err (*answer)(struct llm_call *c, struct arena *memory);
};
/* Adds it, or replaces the one with the same id. Kept, not copied. */
void llm_register_local(const struct llm_local *local);

/* Embeddings: turns n texts into n vectors. */
struct llm_embedding {
    const struct llm_model *model; /* openai or azure */
    const struct str *texts;
    size_t n_texts;
    int dimensions; /* floats of a vector, as the model returns: 1536 */
    unsigned total_ms;
    const struct trace *trace; /* parent of the call's span; NULL: none */
    struct arena *memory;      /* NULL: the flow's keep */
    float *vectors; /* out: n_texts * dimensions, in the texts' order */
    struct llm_usage usage;
    struct str problem;
    struct embed_batch *work; /* private */
};
/* The subflow; its locals are a struct llm_embedding. Fails as llm_begin does;
 * ERR_BAD_REPLY also if a vector has other dimensions. */
struct next llm_embed_begin(struct flow *f);

/* A server that was called, for metrics: one for each provider and address.
 * Apart from the names all fields are 64-bit counters, so that the values of
 * several processes can be added up. */
enum llm_server_state {
    LLM_SERVER_CLOSED, /* state of its circuit breaker */
    LLM_SERVER_HALF_OPEN,
    LLM_SERVER_OPEN,
};
enum { LLM_SERVER_STATES = 3 };
struct llm_server {
    char provider[16], address[112]; /* without credentials */
    uint64_t opens;   /* how often its circuit breaker has opened */
    uint64_t waiting; /* calls that wait for the circuit breaker */
    uint64_t states[LLM_SERVER_STATES]; /* 1 for the current state */
};
/* Fills in up to `room` servers; returns how many. */
size_t llm_servers(struct llm_server *out, size_t room);
