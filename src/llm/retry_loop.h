/* retry_loop.h - sends a request to a model's server, and retries until there
 * is a usable reply or a reason to give up. A subflow; chat calls (call.c) and
 * embeddings (embed.c) both use it. */
#pragma once
#include "breaker.h"
#include "llm/provider.h"
#include "loop/wait.h"
#include "net/http_client.h"
#include "retry.h"
#include "vendor.h"

enum { RETRY_LOOP_MOST_HEADERS = 24 };

struct retry_loop {
    /* In */
    const struct llm_model *model;
    enum llm_endpoint endpoint;
    unsigned total_ms; /* timeout of all tries together; 0: 300 s */
    size_t max_bytes;  /* of a reply's body; 0: 8 MiB */
    bool slow_start; /* no timeout but total_ms before the first useful event */
    /* Writes the body of a request. */
    void (*write)(struct retry_loop *l, struct llm_terms *terms,
                  struct buf *body);
    /* Drops what an earlier try has received; called before each try. */
    void (*reset)(struct retry_loop *l);
    /* Gets the bytes of a reply with a 2xx status, inside curl. False:
     * malformed. */
    bool (*on_bytes)(struct retry_loop *l, struct str bytes);
    /* Called after a 2xx response: sets whole, has_stream_error, stream_error
     * and shown, and server_error if the stream reported an error. */
    void (*assess)(struct retry_loop *l, struct retry_facts *facts);
    void (*on_restart)(
        void *who); /* NULL: text that was shown cannot be voided */
    void (*on_wait)(void *who, const char *reason, unsigned ms); /* or NULL */
    void *who;
    const struct trace *trace; /* span of the call; NULL: none */

    /* Out */
    unsigned tries;
    struct llm_terms terms;           /* of the latest request */
    struct str problem;               /* if it failed; in the flow's keep */
    struct vendor_error server_error; /* of the latest try */
    uint64_t began_ms;

    /* Private */
    struct http_call http;
    struct buf url, headers, error; /* heap */
    struct str *lines;              /* of the headers, and room for one more */
    size_t n_lines;
    struct breaker_ticket ticket;
    struct wait queued; /* for the circuit breaker */
    struct pause backoff;
    uint64_t
        reported_until; /* on_wait knows of the breaker's wait up to here */
};

/* From on_bytes: the server has sent a useful event. */
void retry_loop_useful(struct retry_loop *l);
/* The subflow; its locals are a struct retry_loop. Ends OK with a usable reply,
 * else fails with `problem` as failure_text. */
struct next retry_loop_begin(struct flow *f);
