/* transfer.h - one call at work: what http_client keeps of it, and its curl
 * handle. Private to the client half of net. */
#pragma once
#include "base/err.h"
#include "loop/timer.h"
#include "net/http_client.h"
#include "origin.h"
#include "resolver.h"
#include <curl/curl.h>

/* In the order they are passed; each may be followed by TRANSFER_OVER. */
enum transfer_state {
    TRANSFER_NEW,
    TRANSFER_PERMIT,  /* waits for a permit of its origin */
    TRANSFER_LOOKUP,  /* for the name's addresses */
    TRANSFER_SLOT,    /* for its turn to connect */
    TRANSFER_CONNECT, /* curl has it; no connection yet */
    TRANSFER_ANSWER,  /* sent; nothing useful has come */
    TRANSFER_STREAM,  /* the useful comes */
    TRANSFER_OVER,
};

struct multi;

struct transfer {
    struct http_call *call;
    struct origin *origin; /* NULL: the address was bad */
    enum transfer_state state;
    bool has_permit;
    struct transfer *next; /* in its origin's queue, or for a slot */
    struct transfer *next_ending;
    bool is_ending; /* the pump will end it */
    struct lookup lookup;
    struct timer timer;
    uint64_t began_ms, state_ms, useful_ms; /* clock_ms */

    /* Decided where the call cannot be ended yet; OK: nothing. */
    enum err ending;
    CURL *easy;          /* NULL: not at curl */
    struct multi *multi; /* NULL: not in one */
    struct curl_slist *headers, *resolve;
    struct buf body;  /* what the call has written, until it is sent; then */
    size_t body_sent; /* its size */
    size_t part, part_at; /* of the call's parts: what is to be sent next */
    bool head_is_whole;   /* its empty line came */
    size_t head_bytes, body_bytes;
    char error[CURL_ERROR_SIZE];
};

/* Notes that `who` is found at these addresses. */
void transfer_resolve(struct transfer *t, const struct origin *who,
                      const char *addresses);
/* Sets up t->easy. False: curl refused the address or a header; call->detail
 * says so. */
bool transfer_prepare(struct transfer *t,
                      const struct http_client_options *options);
/* Gives the handle back; a few are kept. */
void transfer_release(struct transfer *t);
void transfers_close(void);
void transfer_explain(struct transfer *t, const char *why); /* call->detail */

/* http_client.c, for curl's callbacks: */
void transfer_connected(struct transfer *t);
void transfer_useful(struct transfer *t);
/* Ends it at the next chance outside curl. */
void transfer_end_soon(struct transfer *t, enum err how);
/* curl has finished it; called outside curl. */
void transfer_finished(struct transfer *t, CURLcode result);
