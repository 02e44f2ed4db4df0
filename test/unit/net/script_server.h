/* script_server.h - a server for tests that does what a script says, protocol
 * errors included.
 *
 * It runs on the test's loop and listens on 127.0.0.1, on a port that the
 * kernel chooses, or on a unix socket. The n-th request (of all connections)
 * gets the n-th script; the last script serves all further requests. */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum script_act {
    SCRIPT_END, /* done; the connection waits for its next request */
    SCRIPT_SEND,
    SCRIPT_DRIP,  /* the bytes, one in each write */
    SCRIPT_FLOOD, /* the bytes repeatedly, until the client disconnects */
    SCRIPT_PAUSE, /* ms */
    SCRIPT_STALL, /* nothing more, until the client disconnects */
    SCRIPT_CLOSE,
    SCRIPT_RESET,
};

struct script_step {
    enum script_act act;
    struct str bytes;
    unsigned ms;
};

#define SEND(text) {SCRIPT_SEND, STR(text), 0}
#define DRIP(text) {SCRIPT_DRIP, STR(text), 0}
#define FLOOD(text) {SCRIPT_FLOOD, STR(text), 0}
#define PAUSE(time) {SCRIPT_PAUSE, {0}, time}
#define STALL {SCRIPT_STALL, {0}, 0}
#define CLOSE {SCRIPT_CLOSE, {0}, 0}
#define RESET {SCRIPT_RESET, {0}, 0}
#define END {SCRIPT_END, {0}, 0}

struct script_server;

/* `path` NULL: TCP. */
struct script_server *script_server_open(const char *path);
/* Scripts of this server; read while it serves. Counting starts again. */
void script_server_play(struct script_server *s,
                        const struct script_step *const *scripts, size_t n);
int script_server_port(const struct script_server *s);
unsigned script_server_requests(const struct script_server *s);
unsigned script_server_accepted(const struct script_server *s);
unsigned script_server_open_connections(const struct script_server *s);
/* The latest request, head and body. */
struct str script_server_head(const struct script_server *s);
struct str script_server_body(const struct script_server *s);
void script_server_close(struct script_server **s);
