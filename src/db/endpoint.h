/* endpoint.h - where a conninfo leads, looked up off the loop.
 *
 * libpq would resolve host names itself and block the loop for as long as DNS
 * hangs. So names are looked up on libuv's threads and given to libpq as
 * hostaddr; host stays beside it for TLS verification. Lists of hosts are kept,
 * and a name with several addresses becomes several entries. Service files are
 * read by libpq as usual, but a name inside one is not looked up here. */
#pragma once
#include "base/buf.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <uv.h>

struct endpoint {
    uv_getaddrinfo_t request;
    PQconninfoOption *options;       /* as parsed; secret */
    char *hosts, *addresses, *ports; /* as given; NULL: not given */
    struct buf host, address, port;  /* lists as libpq shall have them */
    struct str rest, rest_ports;     /* not yet looked up */
    int n;                           /* entries in those lists */
    bool no_link_local; /* such addresses are refused, also as names */
    bool refused;       /* one was */
    bool in_flight;
    void (*done)(struct endpoint *e, const char *problem_or_null);
    void *who;
};

enum endpoint_next { ENDPOINT_KNOWN, ENDPOINT_WAITS, ENDPOINT_BAD };

/* KNOWN: nothing to look up, call endpoint_connect. WAITS: `done` is called from
 * the loop. BAD: the conninfo cannot be parsed (why goes to problem). */
enum endpoint_next endpoint_open(struct endpoint *e, const char *conninfo,
                                 char *problem, size_t size);
/* PQconnectStart with what was found and our defaults (keepalives, UTF-8,
 * application_name). The caller owns the answer; NULL: no memory. */
PGconn *endpoint_connect(struct endpoint *e);
/* Tries to stop a lookup; `done` is still called when in_flight stays set. */
void endpoint_stop(struct endpoint *e);
void endpoint_done(struct endpoint *e); /* not while in flight */
