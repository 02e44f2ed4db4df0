/* notices.h - what the processes of one database tell one another, at once.
 *
 *   notice   a word and the run it is about, sent with NOTIFY on one channel;
 *            every process that listens hears it, the sender too
 *   hearer   who wants to be told
 *
 * Notices only make haste: one may be lost, or come twice, or about nothing. So
 * whoever needs to know looks at the tables too, now and then, and each time
 * NOTICE_MISSED says that there was a gap.
 *
 * They are sent apart from what they tell of, behind its commit: NOTIFY holds a
 * lock of the whole database until its own commit is on the disk, and would put
 * all flushes of all processes in one line (docs/notes). What is rare, a cancel
 * or a release, is notified by its own statement instead. */
#pragma once
#include "base/str.h"
#include "db/pool.h"
#include <stdbool.h>
#include <stdint.h>

#define NOTICE_CHANNEL "sextant"

enum notice {
    NOTICE_CANCEL,  /* the run is to be cancelled: its owner does it */
    NOTICE_FREE,    /* runs were given up: whoever is up takes them over */
    NOTICE_FOLLOW,  /* somebody reads the run: tell him what is written */
    NOTICE_WROTE,   /* the run has more to read, or has ended */
    NOTICE_CHANGED, /* settings, users or roles are not what they were */
    NOTICE_TELL, /* somebody wants to see what the run does: its owner writes it */
    NOTICE_MISSED, /* never sent: what was said meanwhile is lost */
    NOTICE_COUNT
};

enum {
    NOTICE_LATE_MS = 20,             /* they gather for so long */
    NOTICE_PENDING_MOST = 64 * 1024, /* bytes of one word; beyond: dropped */
};

struct notices;

/* Sends through the pool; hears nothing before notices_listen. */
struct notices *notices_open(struct pool *system);
/* `conninfo` (copied; secret) leads to the database itself: a pooler that hands a
 * connection on with each transaction forgets who listens. */
void notices_listen(struct notices *n, const char *conninfo);
/* What was said and not sent is forgotten; *n is NULL after. */
void notices_close(struct notices **n);
bool notices_up(const struct notices *n); /* it hears now */

struct notice_hearer {
    /* From the loop. `id` is the message id of the run, or empty where the word
     * says all; it lives for the call. */
    void (*hear)(struct notice_hearer *h, enum notice what, struct str id);
    /* private */
    struct notice_hearer *next;
};
/* Lies with whoever hears, until notices_leave. */
void notices_hear(struct notices *n, struct notice_hearer *h);
void notices_leave(struct notices *n, struct notice_hearer *h);

/* Soon, together with what else there is to say. Twice the same is said once. */
void notice_say(struct notices *n, enum notice what, struct str id);

struct notice_stats {
    uint64_t said, sent, heard, dropped; /* sent: statements */
} notice_stats(const struct notices *n);
