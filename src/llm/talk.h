/* talk.h - one question put to a model's server until it is answered or must not
 * be asked again: the one retry loop. A subflow; calls and embeddings are both
 * told through it. */
#pragma once
#include "breaker.h"
#include "llm/provider.h"
#include "net/http_client.h"
#include "retry.h"

enum { TALK_MOST_HEADERS = 24 };

struct talk {
    /* In */
    const struct llm_model *model;
    enum llm_endpoint endpoint;
    unsigned total_ms;
    bool patient; /* may be silent up to total_ms before its first useful word */
    void (*write)(struct talk *t, struct llm_terms *terms, struct buf *body);
    void (*forget)(struct talk *t); /* before each try */
    /* Bytes of a reply with a good status. Inside curl. False: unreadable. */
    bool (*hear)(struct talk *t, struct str bytes);
    /* After an exchange with a good status: fills in what it knows of whole,
     * heard_error, told, shown. */
    void (*judge)(struct talk *t, struct retry_facts *facts);
    void (*on_restart)(void *who); /* NULL: what was shown cannot be voided */
    void (*on_wait)(void *who, const char *reason, unsigned ms); /* or NULL */
    void *who;

    const struct trace *trace; /* each try is a child of it; NULL: none */

    /* Out */
    unsigned tries;
    struct llm_terms terms; /* of the latest request */
    struct str problem;     /* in the flow's keep */
    uint64_t began_ms;

    /* Private */
    struct http_call http;
    struct buf url, headers, error; /* heap */
    struct str lines[TALK_MOST_HEADERS];
    size_t n_lines;
    char trace_line[sizeof "traceparent: " + TRACEPARENT_SIZE];
    struct breaker *breaker;
    bool entered; /* the breaker waits for an end */
};

/* Ends OK when judge was content, else fails with the sentence in problem. */
struct next talk_begin(struct flow *f);
