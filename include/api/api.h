/* api.h - the HTTP API: serves routes.def on the listening sockets.
 *
 * Open one `struct api` for each worker. It needs a running loop and an open
 * agent, which must outlive it. */
#pragma once
#include "agent/agent.h"
#include "net/http_server.h"

struct api_options {
    struct agent *agent;
    const char *program; /* path of sextant itself, to run `probe-yaml` */
    const char *host;
    int port;                  /* 0: any */
    const int *fds;            /* inherited sockets; NULL: bind host and port */
    int n_fds, n_own_fds;      /* as in http_server.h */
    struct str jwt_secret;     /* HS256; empty when jwt_public_key is used */
    struct str jwt_public_key; /* PEM: RS256 or ES256 */
    const char *jwt_jwks_url;  /* NULL: none; takes precedence over the key */
    struct str jwt_issuer, jwt_audience; /* empty: not checked */
    struct str jwt_roles_claim, jwt_email_claim;
    bool jwt_provision; /* valid tokens of unknown users create the user */
    /* where users of another issuer sign in */
    const char *login_name, *login_url;
    int64_t access_ms, refresh_ms;      /* lifetimes of our own tokens */
    const char *const *trusted_proxies; /* NULL: none */
    /* memory shared by the workers (src/api/figures.h), or -1 */
    int figures_fd;
    struct str metrics_token; /* empty: /metrics answers loopback only */
    const char *static_dir;
    /* bound of all event stream queues together; 0: the default */
    size_t stream_bytes;
    unsigned requests_per_minute; /* per user; 0: no limit */
    bool access_log;
    unsigned heartbeat_ms;
    const char *const *cors_origins; /* NULL: none */
};

struct api;
/* Opens the listener. Returns NULL, with the reason in *why, when it cannot
 * listen. */
struct api *api_open(const struct api_options *options, struct str *why);
/* From now on /readyz and new runs get 503. Everything else is still answered,
 * also on new connections, each with Connection: close. Live streams
 * continue. */
void api_drain(struct api *a);
/* Stops accepting (http_server_stop_listening). Requests on open connections are still
 * answered, also /readyz unless api_drain was called, because other workers may
 * serve the same sockets. */
void api_retire(struct api *a);
/* How many client connections are open. */
unsigned api_connections(const struct api *a);
/* Ends all streams: each closes with a complete last chunk and without a
 * terminal event. Other requests run to their end. */
void api_stop(struct api *a);
unsigned api_requests(const struct api *a); /* requests still in progress */
/* Closes the listener and everything else; requests still in progress get 503.
 * Wait until api_requests returns 0 before you close the agent. Sets *a to
 * NULL. */
void api_close(struct api **a);

/* Appends routes.def as an OpenAPI 3.1 document. */
void api_openapi(struct buf *out);
/* Appends the same as Markdown for people (docs/api.md). */
void api_openapi_markdown(struct buf *out);

/* Returns what is wrong with a JWT_PUBLIC_KEY, or NULL if it is usable. */
const char *api_key_problem(struct str pem);

/* What an access token states. */
struct jwt_grant {
    struct str secret;
    struct str user_id, email;
    struct str issuer, audience; /* empty: left out */
    int64_t lifetime_s;
};
/* Returns a signed access token (HS256), in the arena. */
struct str jwt_sign(struct arena *arena, const struct jwt_grant *grant);
