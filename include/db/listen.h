/* listen.h - hears NOTIFY on a connection of its own, for life.
 *
 * A lost connection is opened again with back-off, and LISTEN said anew. What was
 * notified meanwhile is lost: so on_relisten is called each time LISTEN holds,
 * also the first time, and whoever cares looks at the tables then. A silent
 * connection is asked for a sign of life every heartbeat_ms. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

struct listener;

struct listener_options {
    const char *conninfo;        /* copied; secret */
    const char *const *channels; /* ends with NULL; copied; any name */
    /* From the loop. The slices live for the call. Either may close the
     * listener. */
    void (*on_notify)(void *who, struct str channel, struct str payload);
    void (*on_relisten)(void *who);
    void *who;
    unsigned connect_ms;   /* for one attempt; 0: 5000 */
    unsigned heartbeat_ms; /* 0: 30,000; a third of it may pass unanswered */
};

struct listener *listener_open(const struct listener_options *options);
void listener_close(struct listener **listener); /* NULL after; no more calls */
bool listener_up(const struct listener *listener); /* LISTEN holds now */
