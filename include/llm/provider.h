/* provider.h - what a kind of server is, to the llm floor.
 *
 * A provider writes a request as its server wants it and reads what comes back,
 * an event at a time, into a reply. It knows nothing of sockets, tries or waits.
 * To add one: fill in a `struct llm_provider` and register it at start. */
#pragma once
#include "base/buf.h"
#include "llm/llm.h"

/* Optional parameters a server may refuse by name. As bits. */
enum llm_param {
    LLM_TEMPERATURE = 1 << 0,
    LLM_MAX_TOKENS = 1 << 1,
    LLM_MAX_COMPLETION = 1 << 2,
    LLM_REASONING = 1 << 3, /* reasoning_effort, effort */
    LLM_THINKING = 1 << 4,
    LLM_JSON_SCHEMA = 1 << 5, /* the native form of structured output */
    LLM_JSON_OBJECT = 1 << 6, /* response_format in any form */
    LLM_STREAM_OPTIONS = 1 << 7,
    LLM_TOOL_CHOICE = 1 << 8,
    LLM_CACHE_CONTROL = 1 << 9,
};

/* How this request is to be written, and what it then holds. */
struct llm_terms {
    unsigned without; /* llm_param: not these */
    int max_output;   /* the server's own limit; 0: none known */
    /* Filled in by the writer: */
    unsigned sent;
    int max_sent;
    double temperature_sent; /* < 0: none */
};

/* ---- a reply as it is heard; heap, since it grows inside curl ------------ */

enum { LLM_MOST_TOOL_CALLS = 32 };

struct llm_heard_tool {
    int64_t index; /* the server's number for it */
    struct buf id, name, arguments;
};

struct llm_reply {
    const struct llm_call *call;
    struct buf content, refusal;
    struct llm_heard_tool *tools;
    size_t n_tools;
    size_t thoughts; /* bytes of them */
    bool useful;     /* the latest event held words, tool calls or thoughts */
    bool shown;      /* on_text was called */
    bool finished;   /* it was said how it ended: */
    enum llm_finish finish;
    bool done; /* nothing more will come */
    struct llm_usage usage;
    bool usage_known;
    /* An error in the stream; OK: none. */
    enum err error;
    char error_code[64];
    struct buf error_text;
    const char *bad; /* what could not be read; NULL: nothing */

    /* For providers with blocks: */
    struct buf raw; /* finished blocks, parted by commas */
    struct buf block_text, block_signature, block_start;
    int block; /* the provider's word for its kind; 0: none */
    size_t block_tool;
};

void llm_reply_init(struct llm_reply *r, const struct llm_call *call);
void llm_reply_done(struct llm_reply *r);

/* Words for the user. `buf` holds at least `from` bytes more than before: what
 * came since is shown. */
void llm_reply_show(struct llm_reply *r, size_t from);
/* The tool call the server calls `index`, new when need be; NULL: too many. */
struct llm_heard_tool *llm_reply_tool(struct llm_reply *r, int64_t index);
/* `code` is what the error calls itself, `text` what it says. */
void llm_reply_error(struct llm_reply *r, enum err e, struct str code,
                     struct str text);
/* Bytes of all that the model made: words, tool calls, thoughts. */
size_t llm_reply_size(const struct llm_reply *r);
void llm_reply_finish(struct llm_reply *r, enum llm_finish how);

/* ---- providers ---------------------------------------------------------- */

enum llm_endpoint { LLM_CHAT, LLM_EMBEDDINGS };

struct llm_provider {
    const char *id;
    const char *models; /* whose rows of models.def; NULL: its own */
    const char *base_url;
    void (*url)(const struct llm_model *m, enum llm_endpoint what,
                struct buf *out);
    /* Lines "Name: value", each ended by LF. */
    void (*headers)(const struct llm_model *m, struct buf *out);
    void (*request)(const struct llm_call *c, struct llm_terms *terms,
                    struct buf *out);
    /* One event of the stream, or a whole reply that was not streamed (type
     * "whole"). False: it cannot be read. */
    bool (*hear)(struct llm_reply *r, struct str type, struct str data);
    bool embeds;
    const struct llm_local *local; /* answers in this process; no others then */
};

void llm_register_provider(const struct llm_provider *p); /* kept, not copied */
const struct llm_provider *llm_provider_find(struct str id); /* NULL: none */
