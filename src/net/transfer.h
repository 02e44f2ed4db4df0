/* transfer.h - a call in progress: its state and its curl handle. Private to
 * the client half of net. */
#pragma once
#include "base/err.h"
#include "loop/timer.h"
#include "net/http_client.h"
#include "origin.h"
#include "resolver.h"
#include <curl/curl.h>

/* In this order; TRANSFER_OVER may follow any of them. */
enum transfer_state {
    TRANSFER_NEW,
    TRANSFER_PERMIT,  /* waits for a permit of its origin */
    TRANSFER_LOOKUP,  /* waits for the addresses of the name */
    TRANSFER_SLOT,    /* waits for a slot to connect */
    TRANSFER_CONNECT, /* curl has it; no connection yet */
    TRANSFER_ANSWER,  /* connected; no useful byte yet */
    TRANSFER_STREAM,  /* useful bytes arrive */
    TRANSFER_OVER,
};

struct multi;

struct transfer {
    struct http_call *call;
    struct http_origin *origin; /* NULL: bad URL */
    enum transfer_state state;
    bool has_permit;
    struct transfer *next; /* in its origin's queue, or in that for slots */
    struct transfer *next_ending;
    bool is_ending; /* the pump will end it */
    struct lookup lookup;
    struct timer timer;
    uint64_t began_ms, state_ms, useful_ms; /* clock_ms */

    /* Why it has to end; set inside curl, where it cannot end. OK: it need
     * not. */
    enum err ending;
    CURL *easy;          /* NULL: none yet */
    struct multi *multi; /* NULL: curl does not have it */
    struct curl_slist *headers, *resolve;
    struct buf body;      /* written by write_body, until it is sent */
    size_t body_sent;     /* the size of a body that was sent and freed */
    size_t part, part_at; /* the position in the call's parts */
    bool paused;          /* read_body had no bytes */
    bool head_is_whole;   /* the empty line after it has arrived */
    size_t head_bytes, body_bytes;
    char error[CURL_ERROR_SIZE];
};

/* Tells curl to use these addresses for the host of `who`. */
void transfer_resolve(struct transfer *t, const struct http_origin *who,
                      const char *addresses);
/* Sets up t->easy. False: bad URL or header; call->detail says which. */
MUST_CHECK bool transfer_prepare(struct transfer *t,
                                 const struct http_client_options *options);
/* Frees the curl handle, or keeps it for the next transfer. */
void transfer_release(struct transfer *t);
/* Frees the kept handles. */
void transfers_close(void);
/* Sets call->detail. */
void transfer_explain(struct transfer *t, const char *why);

/* http_client.c, for curl's callbacks: the request is about to be sent; */
void transfer_connected(struct transfer *t);
/* useful bytes have arrived; */
void transfer_useful(struct transfer *t);
/* the transfer has to end, once outside curl; */
void transfer_end_soon(struct transfer *t, enum err how);
/* curl has finished the transfer (called outside curl). */
void transfer_finished(struct transfer *t, CURLcode result);
