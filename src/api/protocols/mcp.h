/* mcp.h - one POST to the MCP server, shared by its transport (mcp.c) and its
 * methods (mcp_calls.c, mcp_resources.c).
 *
 *   message  a JSON-RPC request, notification or response; a POST has one, or
 *            several in the oldest versions of the protocol
 *   modern   a version without a handshake: each request says who asks, and
 *            closing its stream cancels it */
#pragma once
#include "asked_run.h"
#include "net/sse.h"
#include "store/semantic_models.h"
#include "tool/tool.h"

enum mcp_error {
    MCP_PARSE = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_NO_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL = -32603,
    MCP_NO_RESOURCE = -32002,
    MCP_NO_SESSION = -32001,
    MCP_NOT_ACCEPTABLE = -32000,
    MCP_HEADER_MISMATCH = -32020,
    MCP_VERSION = -32022,
};

enum { MCP_BATCH_MOST = 50 };

struct mcp {
    struct request *request;
    bool modern;
    struct str session; /* empty: none */
    bool batch;
    size_t n, next; /* messages, and which comes now */

    /* The request that is being answered: */
    const json_t *message;
    const json_t *params;      /* NULL: none */
    const json_t *arguments;   /* of a tool; NULL: none */
    struct str id;             /* JSON */
    struct str progress_token; /* JSON; empty: none is wanted */
    int64_t progress;
    const struct mcp_tool *tool;
    struct str wanted; /* the ontology it names; may be empty */
    bool cancelled;    /* by its client */
    step_fn *then;     /* once the ontology is known */
    bool asks;         /* `run` is in progress */

    struct str replies[MCP_BATCH_MOST]; /* JSON, until a stream is open */
    size_t n_replies;                   /* made, also on the stream */
    int status;                         /* of the response */
    struct sse *sse; /* NULL: there is none, or the client has gone */

    struct arena memory; /* of tools */
    struct askable_list ontologies;
    struct ontology_acquire hold;
    struct source_open source;
    struct tool_context context;
    struct tool_run tool_run;
    struct asked_run run;
    struct answer_read answer;
    struct recent_answers recent;
    struct semantic_model_text text;
    struct run_cancel cancel;
};

struct mcp_tool {
    const char *name, *title;
    bool reads_only;
    enum permission permission;
    const char *description, *schema;
    step_fn *begin; /* reads m->arguments */
};
extern const struct mcp_tool mcp_tools[]; /* ends with a NULL name */

/* The mcp of a request's flow. */
struct mcp *mcp_of(struct flow *f);
/* Opens a result: {"jsonrpc","id","result":{ … */
void mcp_open(struct mcp *m, struct api_reply *r);
/* Closes the result and answers the request with it; ends the message. */
struct next mcp_answer(struct flow *f, struct api_reply *r);
/* Answers the request with an error. `data` is JSON; may be empty. */
struct next mcp_refuse(struct flow *f, enum mcp_error code, struct str message,
                       struct str data);
/* Ends the message without an answer. */
struct next mcp_silent(struct flow *f);
/* Sends a notification on the stream of the request, if there is one. */
void mcp_notify(struct mcp *m, struct str message);
/* Opens the stream, unless it is open; what was answered so far goes first. */
void mcp_open_stream(struct mcp *m);

/* A session id for the user of the request. */
struct str mcp_new_session(struct request *q);
/* Whether it is one of theirs. */
bool mcp_session_valid(struct request *q, struct str session);
/* The id for the answer to the question that a request of the session asks, by
 * the JSON of its id; empty without a session: any. */
struct str mcp_answer_id(struct mcp *m, struct str request_id);
/* Whether the page that sends the request may use the server: it is no page, or
 * one of CORS_ORIGINS, or a local one at a server that listens locally. */
bool mcp_origin_fits(const struct request *q);

/* The methods. Each answers the request. */
step_fn mcp_tools_call, mcp_resources_list, mcp_resources_read;
/* Members of a result that lists or reads, for modern versions. */
void mcp_put_caching(struct mcp *m, struct json_writer *w);
/* Writes an answer with what is known of it as members of an object. */
void mcp_put_answer(struct json_writer *w, const struct answer_read *a);
