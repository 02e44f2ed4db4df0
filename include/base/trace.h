/* trace.h - distributed tracing: trace and span ids (W3C Trace Context, level
 * 1).
 *
 *   trace  all the work that one request causes, in any process
 *   span   one operation of it; the operations that it causes are its children
 *
 * A trace comes from the request's `traceparent` header if that is well formed.
 * It is sent with calls to models and to the sandbox, and named in log lines
 * ("traceId", "spanId"). `tracestate` is not forwarded: it belongs to other
 * vendors, and model servers are third parties. */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>

enum { TRACE_ID_SIZE = 33, SPAN_ID_SIZE = 17, TRACEPARENT_SIZE = 56 };

struct trace {
    char trace_id[TRACE_ID_SIZE]; /* 32 digits; empty: no trace */
    char span_id[SPAN_ID_SIZE];   /* of the current operation */
    char parent_id[SPAN_ID_SIZE]; /* of what caused it; empty: nothing did */
    bool sampled;
};

/* Parses a `traceparent` header; the span is the sender's. False: malformed. */
MUST_CHECK bool trace_parse(struct trace *out, struct str traceparent);
/* Starts a span: a child of the caller's if `traceparent` is well formed, else
 * the first one of a new trace. */
void trace_begin(struct trace *out, struct str traceparent);
/* Starts a child span of `parent`. */
void trace_child(struct trace *out, const struct trace *parent);
/* Starts a span in the trace whose id is the UUID, so that a run that another
 * process takes over stays in one trace. */
void trace_from_uuid(struct trace *out, struct str uuid);
/* Writes the value of a `traceparent` header, "00-…-…-01", and a NUL. */
void trace_parent(const struct trace *t, char out[TRACEPARENT_SIZE]);
/* A whole `traceparent` header line for a call: what the callee does is a child
 * of `t`. In the arena. */
struct str trace_header(struct arena *arena, const struct trace *t);
