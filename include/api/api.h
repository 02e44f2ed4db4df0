/* api.h - the HTTP face: routes.def served on the listening sockets. */
#pragma once
#include "agent/agent.h"
#include "net/http_server.h"

struct api_options {
    struct agent *agent;
    const char *program; /* sextant itself, for `probe-yaml` */
    const char *host;
    int port;                  /* 0: any */
    const int *fds;            /* inherited sockets; NULL: one is bound */
    int n_fds, n_own_fds;      /* as in http_server.h */
    struct str jwt_secret;     /* HS256; or empty with jwt_public_key */
    struct str jwt_public_key; /* PEM: RS256 or ES256 */
    const char *jwt_jwks_url;  /* NULL: none; before the key */
    struct str jwt_issuer, jwt_audience; /* empty: not checked */
    struct str jwt_roles_claim, jwt_email_claim;
    bool jwt_provision;                 /* tokens of unknown users make them */
    const char *login_name, *login_url; /* where others' tokens come from */
    int64_t access_ms, refresh_ms;      /* lifetimes of our own tokens */
    const char *const *trusted_proxies; /* NULL: none */
    int figures_fd; /* memory that the workers share (src/api/figures.h), or -1 */
    struct str metrics_token; /* empty: loopback alone */
    const char *static_dir;
    size_t stream_bytes; /* of the queues of all event streams; 0: the usual */
    unsigned requests_per_minute; /* of one user; 0: no limit */
    bool access_log;
    unsigned heartbeat_ms;
    const char *const *cors_origins; /* NULL: none */
};

struct api;
/* NULL with *why when it cannot listen. */
struct api *api_open(const struct api_options *options, struct str *why);
int api_port(const struct api *a);
/* /readyz and new runs get 503, all else is answered, on new connections too,
 * each with Connection: close; live streams go on. */
void api_drain(struct api *a);
/* Stops accepting, as http_server_retire. What still comes on open connections
 * is answered as before, also by /readyz unless api_drain was called: others
 * may serve on the same sockets. */
void api_retire(struct api *a);
unsigned api_connections(const struct api *a);
/* Ends streams: they close with a whole last chunk and without a terminal event.
 * Other requests are left to end by themselves. */
void api_stop(struct api *a);
unsigned api_requests(const struct api *a); /* that have not ended */
/* Closes the listener and what is left; requests get 503. Wait for api_requests to be 0 before
 * the agent is closed. */
void api_close(struct api **a);

/* routes.def as an OpenAPI 3.1 document, and the same for people (docs/api.md).
 * Appended. */
void api_openapi(struct buf *out);
void api_openapi_markdown(struct buf *out);

/* What is wrong with a JWT_PUBLIC_KEY; NULL: nothing. */
const char *api_key_problem(struct str pem);

/* A signed access token (HS256) for the CLI and for login; in the arena. */
struct jwt_grant {
    struct str secret;
    struct str user_id, email;
    struct str issuer, audience; /* empty: left out */
    int64_t lifetime_s;
};
struct str jwt_sign(struct arena *arena, const struct jwt_grant *grant);
