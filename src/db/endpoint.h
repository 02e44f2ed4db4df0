/* endpoint.h - resolves the hosts of a conninfo off the loop.
 *
 * libpq would resolve host names itself and block the loop for as long as DNS
 * hangs. So libuv's threads look names up, and libpq gets the addresses as
 * hostaddr; host stays for TLS verification. Lists of hosts are kept, and a
 * name with several addresses becomes several entries. libpq reads service
 * files as usual, but a host name inside one is not resolved here. */
#pragma once
#include "base/buf.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <uv.h>

struct endpoint {
    uv_getaddrinfo_t request;
    PQconninfoOption *options;       /* as parsed; secret */
    char *hosts, *addresses, *ports; /* as given; NULL: not given */
    struct buf host, address, port;  /* the lists for libpq */
    struct str rest, rest_ports;     /* not yet looked up */
    int n;                           /* entries in those lists */
    bool no_link_local; /* link-local addresses are refused, also as names */
    bool refused;       /* an address was refused */
    bool in_flight;
    void (*done)(struct endpoint *e, const char *problem_or_null);
    void *who;
};

enum endpoint_next { ENDPOINT_KNOWN, ENDPOINT_WAITS, ENDPOINT_BAD };

/* KNOWN: nothing to look up, call endpoint_connect. WAITS: `done` will be
 * called from the loop. BAD: the conninfo cannot be used; `problem` says
 * why. */
enum endpoint_next endpoint_open(struct endpoint *e, const char *conninfo,
                                 char *problem, size_t size);
/* PQconnectStart with the addresses found and our defaults (keepalives, UTF-8,
 * application_name). The caller owns the answer; NULL: out of memory. */
PGconn *endpoint_connect(struct endpoint *e);
/* Tries to cancel the lookup; `done` is still called when in_flight stays
 * set. */
void endpoint_stop(struct endpoint *e);
/* Frees it; not while a lookup is in flight. */
void endpoint_done(struct endpoint *e);
