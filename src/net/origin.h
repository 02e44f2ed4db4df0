/* origin.h - whom calls go to: scheme, host and port, or a unix socket. Holds
 * the permits of its calls and the queue of those that have none yet. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

struct transfer;

enum origin_http2 { HTTP2_UNKNOWN, HTTP2_NO, HTTP2_YES };

struct origin {
    struct origin *next;
    char *key;  /* "https://host:port", and the socket */
    char *host; /* without brackets; NULL: nothing to look up */
    int port;
    bool tls;
    enum origin_http2 http2;        /* what its last answer spoke */
    unsigned under_way;             /* permits given */
    struct transfer *first, **last; /* who waits, in order */
};

/* The origin of that address; NULL: it is no http(s) address, or names a user. */
struct origin *origin_find(struct str url, const char *unix_socket);
/* How many calls may be under way at once, at most `permits`. */
unsigned origin_permits(const struct origin *o, unsigned permits);
/* All of them, for walking. */
struct origin *origin_first(void);
/* Forgets all; none may be in use. */
void origins_close(void);

enum {
    HTTP2_CONNECTIONS = 8, /* to one origin */
    HTTP2_STREAMS = 100,   /* on one connection */
};
