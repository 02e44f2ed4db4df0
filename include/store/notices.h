/* notices.h - messages between the processes of one database.
 *
 *   notice   a word and the run that it is about, sent with NOTIFY on one
 *            channel; every process that listens gets it, the sender too
 *   hearer   a part of this process that wants to know of notices
 *
 * Notices only save time. One may be lost, come twice, or be about nothing; so
 * hearers also read the tables now and then, and after NOTICE_MISSED, which
 * says that notices may have been lost.
 *
 * A notice is sent after the commit of what it is about, in a transaction of
 * its own: NOTIFY holds a lock of the whole database until its commit is on
 * disk, and would serialize the flushes of all processes (docs/notes). Rare
 * statements, a cancel or a release, send theirs themselves. */
#pragma once
#include "base/str.h"
#include "db/pool.h"
#include <stdbool.h>
#include <stdint.h>

#define NOTICE_CHANNEL "sextant"

enum notice {
    NOTICE_CANCEL,   /* to the owner of the run: cancel it */
    NOTICE_FREE,     /* runs were released: take them over */
    NOTICE_FOLLOW,   /* a process reads the run: send it NOTICE_WROTE */
    NOTICE_WROTE,    /* the run has new events, or has ended */
    NOTICE_CHANGED,  /* settings, users or roles have changed */
    NOTICE_TELL,     /* to the owner of the run: store its trail */
    NOTICE_ANSWERED, /* to who waits for a call of the explorer, or for a part
                        of an exploration's stream: take it */
    NOTICE_READ,     /* to who runs an exploration: write its stream's parts */
    NOTICE_MISSED,   /* never sent: notices may have been lost */
    NOTICE_COUNT
};

enum {
    NOTICE_LATE_MS = 20,             /* how long notices are gathered */
    NOTICE_PENDING_MOST = 64 * 1024, /* bytes of one word; more are dropped */
};

struct notices;

/* Sends through the pool; receives nothing before notices_listen. */
struct notices *notices_open(struct pool *system);
/* Starts to listen. `conninfo` (copied; a secret) must not lead to a pooler in
 * transaction mode: LISTEN needs a session. */
void notices_listen(struct notices *n, const char *conninfo);
/* Drops what was not sent; sets *n to NULL. */
void notices_close(struct notices **n);
/* True while it receives notices. */
bool notices_up(const struct notices *n);

struct notice_listener {
    /* Called from the loop. `id` is the message id of the run, or empty; it
     * lives for the call. */
    void (*hear)(struct notice_listener *h, enum notice what, struct str id);
    /* private */
    struct notice_listener *next;
};
/* Adds a hearer, which must live until notices_remove_listener. */
void notices_add_listener(struct notices *n, struct notice_listener *h);
void notices_remove_listener(struct notices *n, struct notice_listener *h);

/* Sends a notice soon, together with others. Duplicates are sent once. */
void notice_send(struct notices *n, enum notice what, struct str id);

struct notice_stats {
    uint64_t said, sent, heard, dropped; /* sent: statements */
} notice_stats(const struct notices *n);
