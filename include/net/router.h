/* router.h - finds the route for a method and a path. Pure.
 *
 * A pattern consists of literal segments and parameters (`:name`). Literals
 * take precedence over parameters. */
#pragma once
#include "net/http_server.h"

enum { ROUTE_MAX_PARAMS = 4 };

struct route {
    const char *method; /* "GET" also serves HEAD */
    const char *pattern;
    const void *target; /* the caller's */
};

struct route_match {
    const struct route *route; /* NULL: no such path, or no such method */
    bool path_known;           /* another method has this path: 405 */
    char allow[64];            /* for the Allow header */
    struct http_param params[ROUTE_MAX_PARAMS];
    size_t n_params;
};

struct router;
/* Asserts that no two routes have the same method and path. `routes` is kept,
 * not copied. */
struct router *router_new(const struct route *routes, size_t count);
void router_free(struct router *r);
/* Fills in *out; parameters are slices of `path`. */
void router_find(const struct router *r, struct str method, struct str path,
                 struct route_match *out);
