/* talk.h - one question put to a model's server until it is answered or must not
 * be asked again: the one retry loop. A subflow; calls and embeddings are both
 * told through it. */
#pragma once
#include "breaker.h"
#include "llm/provider.h"
#include "loop/wait.h"
#include "net/http_client.h"
#include "retry.h"
#include "vendor.h"

enum { TALK_MOST_HEADERS = 24 };

struct talk {
    /* In */
    const struct llm_model *model;
    enum llm_endpoint endpoint;
    unsigned total_ms;
    size_t max_bytes; /* of a reply's body; 0: 8 MiB */
    bool
        patient; /* may be silent up to total_ms before its first useful word */
    void (*write)(struct talk *t, struct llm_terms *terms, struct buf *body);
    void (*forget)(struct talk *t); /* before each try */
    /* Bytes of a reply with a good status. Inside curl. False: unreadable. */
    bool (*hear)(struct talk *t, struct str bytes);
    /* After an exchange with a good status: fills in what it knows of whole,
     * heard_error, told, shown; `said` of the talk, if an error was told. */
    void (*judge)(struct talk *t, struct retry_facts *facts);
    void (*on_restart)(void *who); /* NULL: what was shown cannot be voided */
    void (*on_wait)(void *who, const char *reason, unsigned ms); /* or NULL */
    void *who;

    const struct trace *trace; /* each try is a child of it; NULL: none */

    /* Out */
    unsigned tries;
    struct llm_terms terms;   /* of the latest request */
    struct str problem;       /* in the flow's keep */
    struct vendor_error said; /* about the latest failure */
    uint64_t began_ms;

    /* Private */
    struct http_call http;
    struct buf url, headers, error; /* heap */
    struct str lines[TALK_MOST_HEADERS];
    size_t n_lines;
    char trace_line[sizeof "traceparent: " + TRACEPARENT_SIZE];
    struct breaker_turn turn;
    struct wait waiting; /* in the breaker's line */
    struct pause pause;
    uint64_t told_until; /* what on_wait was told of the breaker */
};

/* From `hear`: the server works for us. */
void talk_useful(struct talk *t);
/* Ends OK when judge was content, else fails with the sentence in problem. */
struct next talk_begin(struct flow *f);
