/* origin.h - the origins that calls go to: scheme, host and port, or a unix
 * socket. An origin counts the permits it has given, and queues the calls that
 * wait for one. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

struct transfer;

enum origin_http2 { HTTP2_UNKNOWN, HTTP2_NO, HTTP2_YES };

struct http_origin {
    struct http_origin *next;
    char *key;  /* "https://host:port", and the unix socket */
    char *host; /* without brackets; NULL: nothing to look up */
    int port;
    bool tls;
    enum origin_http2 http2;        /* whether its last response used HTTP/2 */
    unsigned under_way;             /* permits given */
    struct transfer *first, **last; /* the queue for permits */
};

/* Finds or adds the origin of a URL. NULL: not an http(s) URL, or one with user
 * information. */
struct http_origin *origin_find(struct str url, const char *unix_socket);
/* How many calls may be in flight, at most `permits`. */
unsigned origin_permits(const struct http_origin *o, unsigned permits);
/* The list of all origins. */
struct http_origin *origin_first(void);
/* Frees all of them; asserts that none is in use. */
void origins_close(void);

enum {
    HTTP2_CONNECTIONS = 8, /* to one origin */
    HTTP2_STREAMS = 100,   /* on one connection */
};
