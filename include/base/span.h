/* span.h - operations as OpenTelemetry records them.
 *
 *   span     one operation of a trace: its ids, and when it began
 *   record   a span that has ended, as OTLP's JSON; it waits in a queue
 *   batch    records that are exported together (net/otlp.h)
 *
 *     struct span s = {0};
 *     span_begin(&s, parent);
 *     …
 *     struct json_writer *w = span_end(&s, SPAN_CLIENT, STR("SELECT"), NULL);
 *     if (w) {
 *         span_put_int(w, "db.response.returned_rows", 3);
 *         span_close(w);
 *     }
 *
 * A span has ids in any case, because model servers and the sandbox get them.
 * It is recorded only after span_queue_open, and when its trace is sampled.
 * The queue has a bound: while it is full, spans are dropped and counted, and
 * nothing waits. Names and attributes must hold no text of prompts, SQL or
 * rows, unless span_content() says so. */
#pragma once
#include "base/json.h"
#include "base/trace.h"

enum span_kind { SPAN_INTERNAL = 1, SPAN_SERVER = 2, SPAN_CLIENT = 3 };

struct span {
    struct trace trace; /* its own; a child's parent */
    uint64_t began_us;  /* monotonic */
    bool open;
};

/* Begins a child of `parent`; NULL: a span without a trace, which is never
 * recorded. */
void span_begin(struct span *s, const struct trace *parent);
/* Begins the span whose ids the caller has made. */
void span_begin_as(struct span *s, const struct trace *own);
/* The trace that calls get for their children; NULL without a trace. */
const struct trace *span_trace(const struct span *s);
/* Whether its end will be recorded. */
bool span_is_recorded(const struct span *s);
/* Ends the span. `error` is a word of low cardinality ("TIMEOUT"), or NULL when
 * all is well. Returns the writer for its attributes, after which span_close
 * must be called before any other span ends; NULL: the span is not recorded, or
 * had ended before. */
struct json_writer *span_end(struct span *s, enum span_kind kind,
                             struct str name, const char *error);
void span_close(struct json_writer *w);
/* Attributes. Texts are cut at SPAN_TEXT_MOST bytes; an empty one is left
 * out. */
enum { SPAN_TEXT_MOST = 16 * 1024 };
void span_put_text(struct json_writer *w, const char *key, struct str text);
void span_put_int(struct json_writer *w, const char *key, int64_t n);
void span_put_real(struct json_writer *w, const char *key, double n);
/* A list with one text. */
void span_put_word_list(struct json_writer *w, const char *key,
                        const char *word);
/* Whether spans may hold texts of prompts, replies and queries. */
bool span_content(void);

/* ---- the queue, for the exporter ----------------------------------------- */

struct span_queue_options {
    size_t most;                 /* spans that wait or are being sent */
    size_t batch;                /* spans of a batch, at most */
    bool content;                /* what span_content answers */
    void (*on_batch)(void *who); /* a batch is full */
    void *who;
};
/* From now on spans are recorded. */
void span_queue_open(const struct span_queue_options *options);
/* Drops what waits; spans are no longer recorded. */
void span_queue_close(void);

struct span_batch {
    struct buf records; /* JSON values, separated by commas */
    size_t n;
    size_t whole; /* private: bytes of complete records */
    struct span_batch *next;
};
/* Takes the oldest batch; NULL: there is none. */
struct span_batch *span_batch_take(void);
/* Frees it and sets *b to NULL. `lost` of its spans did not arrive. */
void span_batch_done(struct span_batch **b, size_t lost);

struct span_counts {
    uint64_t exported, failed; /* sent, and refused or given up */
    uint64_t dropped;          /* the queue was full */
    uint64_t waiting;          /* now */
};
struct span_counts span_counts(void);
