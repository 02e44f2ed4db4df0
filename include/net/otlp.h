/* otlp.h - sends the records of spans (base/span.h) to an OpenTelemetry
 * collector: OTLP over HTTP with JSON (opentelemetry.io/docs/specs/otlp).
 *
 * One flow sends one batch at a time. Runs never wait for it: while the
 * collector is slow or away, the queue fills, and then spans are dropped and
 * counted. A batch is tried again after 429, 502, 503, 504 and broken
 * connections, with a growing pause or the one that Retry-After names; it is
 * given up after OTLP_TRIES. Anything else that the collector refuses is given
 * up at once. The log says when exporting begins to fail, and when it works
 * again. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

enum { OTLP_TRIES = 6, OTLP_PAUSE_MOST_MS = 60 * 1000, OTLP_HEADERS_MOST = 15 };

struct otlp_options {
    const char *endpoint;        /* "http://host:4318"; or NULL */
    const char *traces_endpoint; /* instead: the whole address; or NULL */
    const char *headers;         /* "name=value,…", secret; or NULL */
    const char *service;         /* service.name */
    const char *attributes;      /* of the resource: "name=value,…"; or NULL */
    const char *version;
    unsigned timeout_ms, delay_ms; /* of a request; until a batch is sent */
    size_t queue_most, batch_most; /* spans */
    bool content;                  /* see span_content */
};
/* Starts to record and to send, when there is an endpoint. The HTTP client is
 * open. The texts are copied. */
void otlp_open(const struct otlp_options *options);
/* Sends what waits, within `ms`, drops the rest, and ends. Spans that end from
 * now on may still be sent. */
void otlp_stop(unsigned ms);
/* Whether its flow lives: it ends after otlp_stop. */
bool otlp_runs(void);
