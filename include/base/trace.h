/* trace.h - which trace a piece of work belongs to (W3C Trace Context, level 1).
 *
 *   trace  all that follows from one request, wherever it is done
 *   span   one piece of it; what it causes elsewhere are its children
 *
 * Taken from a request's `traceparent` when that is well formed, given to calls of
 * models and of the sandbox, and named in log lines ("traceId", "spanId"). Of
 * `tracestate` nothing is passed on: it is others' and goes to strangers. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

enum { TRACE_ID_SIZE = 33, SPAN_ID_SIZE = 17, TRACEPARENT_SIZE = 56 };

struct trace {
    char trace_id[TRACE_ID_SIZE]; /* 32 digits; empty: none */
    char span_id[SPAN_ID_SIZE];   /* of the work at hand */
    bool sampled;
};

/* The span that a `traceparent` names; false when it is malformed. */
bool trace_read(struct trace *out, struct str traceparent);
/* A span of its own, as a child of the caller's when `traceparent` is good, else
 * the first of a new trace. */
void trace_begin(struct trace *out, struct str traceparent);
/* A child of `parent`. */
void trace_child(struct trace *out, const struct trace *parent);
/* The first span of the trace that has the UUID's digits: whoever takes a run up
 * goes on in the same one. */
void trace_of_uuid(struct trace *out, struct str uuid);
/* "00-…-…-01" and a NUL. */
void trace_parent(const struct trace *t, char out[TRACEPARENT_SIZE]);
/* A header for a call that is a new child of `t`, in the arena. */
struct str trace_header(struct arena *arena, const struct trace *t);
