/* net_help.h - a server and clients on one loop, for tests.
 *
 * Clients are plain sockets on the same loop. Every wait ends with the event
 * that it waits for, or fails the test after a long time. */
#pragma once
#include "base/buf.h"
#include "net/http_server.h"
#include <uv.h>

/* ---- waiting ------------------------------------------------------------ */

typedef bool done_fn(void *who);
void help_wait(done_fn *done, void *who);
/* Runs the loop for ms. Only to show that nothing happens. */
void help_turn_for(unsigned ms);

/* ---- clients ------------------------------------------------------------ */

struct client {
    uv_poll_t poll;      /* first */
    struct client *next; /* not closed yet */
    int fd;
    struct buf got;
    int error;  /* of the last read, 0: none */
    bool ended; /* the other side has shut or reset */
    bool deaf;  /* does not read */
};
struct client *client_open(int port);
/* With a receive buffer of `bytes`; 0: the default. */
struct client *client_open_small(int port, int bytes);
void client_send(struct client *c, struct str bytes);
void client_send_text(struct client *c, const char *text);
void client_shut(struct client *c);
void client_listen(struct client *c, bool on);
void client_reset(struct client *c); /* closes with RST */
void client_close(struct client *c);
void client_wait_end(struct client *c);
/* Waits until the text has been received. */
void client_wait_text(struct client *c, const char *text);
void client_wait_bytes(struct client *c, size_t bytes);

/* Waits for the next response and returns it, with its body decoded. Slices are
 * valid until the next call. */
struct http_answer {
    int status;
    struct str head, body;
};
struct http_answer client_answer(struct client *c);
/* The same for a HEAD request, whose response has no body. */
struct http_answer client_answer_head(struct client *c);
struct str answer_header(struct http_answer a, const char *name);

/* ---- a server ----------------------------------------------------------- */

/* What the server's requests did. Paths: /echo answers the body; /later is kept
 * in `held`; /big?n= answers n bytes; /static?n= the same without a copy;
 * /stream?n= in pieces; others 200 "ok". */
struct help {
    struct http_server *server;
    int port;
    int requests;
    int smuggled; /* requests for /smuggled */
    int gone;
    struct http_exchange *held[64];
    int n_held;
    char path[64];
    void (*on_request)(struct http_exchange *x, void *who); /* instead */
    bool (*streams_body)(const struct http_exchange *x, void *who);
};
extern struct help help;

int help_setup(void **state);    /* opens the loop */
int help_teardown(void **state); /* closes server and loop */
void help_serve(struct http_limits limits);
void help_serve_fds(const int *fds, int n, int n_own);
void help_serve_at(const char *host);
void help_wait_held(int count);
void help_wait_connections(unsigned count);
