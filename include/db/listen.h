/* listen.h - receives NOTIFY on a connection of its own, for as long as the
 * process runs.
 *
 * A lost connection is opened again with backoff, and LISTEN is sent again.
 * Notifications in between are lost, so on_relisten is called whenever LISTEN
 * takes effect, including the first time: the caller then reads the tables. A
 * quiet connection is checked every heartbeat_ms. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

struct listener;

struct listener_options {
    const char *conninfo; /* copied; secret */
    /* ends with NULL; copied; any name */
    const char *const *channels;
    /* Called from the loop. The slices live for the call. Either may close the
     * listener. */
    void (*on_notify)(void *who, struct str channel, struct str payload);
    void (*on_relisten)(void *who);
    void *who;
    unsigned connect_ms;   /* for one attempt; 0: 5000 */
    unsigned heartbeat_ms; /* 0: 30,000; the answer may take a third of it */
};

/* Starts to connect. It never fails: it tries until it is closed. */
struct listener *listener_open(const struct listener_options *options);
/* Closes it and sets *listener to NULL; there are no more calls. */
void listener_close(struct listener **listener);
bool listener_is_up(const struct listener *listener); /* LISTEN is in effect */
