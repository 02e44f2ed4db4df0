/* provider.h - the interface of a provider.
 *
 * A provider writes requests in the format of its server and parses the stream
 * of the reply, one event at a time, into a struct llm_reply. It knows nothing
 * of sockets, retries or timeouts. To add one, write a `struct llm_provider`
 * and list it in src/llm/provider.c. */
#pragma once
#include "base/buf.h"
#include "llm/llm.h"

/* Optional parameters that a server may refuse by name; bits. */
enum llm_param {
    LLM_TEMPERATURE = 1 << 0,
    LLM_MAX_TOKENS = 1 << 1,
    LLM_MAX_COMPLETION = 1 << 2,
    LLM_REASONING = 1 << 3, /* reasoning_effort, effort */
    LLM_THINKING = 1 << 4,
    LLM_JSON_SCHEMA = 1 << 5, /* native structured output */
    LLM_JSON_OBJECT = 1 << 6, /* response_format of any kind */
    LLM_STREAM_OPTIONS = 1 << 7,
    LLM_TOOL_CHOICE = 1 << 8,
    LLM_CACHE_CONTROL = 1 << 9,
};

/* How to write a request to this server, and what the request then contains. */
struct llm_terms {
    unsigned without; /* bits of llm_param: leave these out */
    int max_output;   /* a token limit that the server reported; 0: none */
    /* Set by the provider: */
    unsigned sent;           /* bits of llm_param */
    int max_sent;            /* the token limit; 0: none */
    double temperature_sent; /* < 0: none */
};

/* ---- a reply as it arrives; on the heap, since it grows inside curl ------ */

enum { LLM_MOST_TOOL_CALLS = 32 };

struct llm_partial_tool {
    int64_t index; /* its number in the stream */
    struct buf id, name, arguments;
};

struct llm_reply {
    const struct llm_call *call;
    struct buf content, refusal;
    struct llm_partial_tool *tools;
    size_t n_tools;
    size_t thoughts; /* bytes of reasoning */
    bool useful;     /* the latest event had text, tool calls or reasoning */
    bool shown;      /* on_text was called */
    bool finished;   /* `finish` is known */
    enum llm_finish finish;
    bool done; /* the reply is over */
    struct llm_usage usage;
    bool usage_known;
    /* An error that the stream reported; OK: none. */
    enum err error;
    char error_code[64];
    struct buf error_text;
    const char *bad; /* what could not be parsed; NULL: nothing */

    /* For providers with blocks: */
    struct buf raw; /* finished blocks, separated by commas */
    struct buf block_text, block_signature, block_start;
    int block; /* the kind of the open block, for the provider; 0: none */
    size_t block_tool; /* index of its tool call */
};

void llm_reply_init(struct llm_reply *r, const struct llm_call *call);
void llm_reply_done(struct llm_reply *r);

/* Passes the content from byte `from` on to on_text. */
void llm_reply_show(struct llm_reply *r, size_t from);
/* Finds or adds the tool call with that index. NULL: there are too many. */
struct llm_partial_tool *llm_reply_tool(struct llm_reply *r, int64_t index);
/* Records an error with its code and message; only the first one counts. */
void llm_reply_error(struct llm_reply *r, enum err e, struct str code,
                     struct str text);
/* Bytes that the model produced: text, tool calls, reasoning. */
size_t llm_reply_size(const struct llm_reply *r);
/* Records how the reply ended. */
void llm_reply_finish(struct llm_reply *r, enum llm_finish how);

/* ---- providers ---------------------------------------------------------- */

enum llm_endpoint { LLM_CHAT, LLM_EMBEDDINGS };

struct llm_provider {
    const char *id;
    const char *models;   /* provider in models.def; NULL: its id */
    const char *base_url; /* default; "": none */
    /* Appends the URL. */
    void (*url)(const struct llm_model *m, enum llm_endpoint what,
                struct buf *out);
    /* Appends header lines "Name: value", each with an LF. */
    void (*headers)(const struct llm_model *m, struct buf *out);
    /* Appends the body. */
    void (*request)(const struct llm_call *c, struct llm_terms *terms,
                    struct buf *out);
    /* Parses an event of the stream, or a whole reply that was not streamed
     * (type "whole"). False: malformed. */
    bool (*on_event)(struct llm_reply *r, struct str type, struct str data);
    bool embeds;                   /* offers embeddings, in OpenAI's format */
    const struct llm_local *local; /* answers in this process; then the other
                                      functions are NULL */
};

/* The provider with that id; NULL: none. */
const struct llm_provider *llm_provider_find(struct str id);
