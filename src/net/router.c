/* router.c - a tree of path segments. */
#include "net/router.h"
#include "base/mem.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

enum { METHODS = 8 };

struct node {
    struct node *next;  /* sibling */
    struct node *child; /* literals, then the parameter if there is one */
    struct str segment;
    bool is_param;
    const struct route *routes[METHODS];
    unsigned n_routes;
};

struct router {
    struct node root;
};

/* ---- building ----------------------------------------------------------- */

/* Finds or adds the child for a segment of a pattern. Parameters at the same
 * place share a node, because each route has its own names for them. */
static struct node *child_for(struct node *at, struct str segment)
{
    bool is_param = segment.len && segment.ptr[0] == ':';
    struct node **link = &at->child;
    for (; *link; link = &(*link)->next) {
        struct node *n = *link;
        if (n->is_param ? is_param : !is_param && str_eq(n->segment, segment))
            return n;
        if (n->is_param)
            break; /* literals come before it */
    }
    struct node *made = mem_new(struct node);
    made->segment = segment;
    made->is_param = is_param;
    made->next = *link;
    *link = made;
    return made;
}

static void router_add(struct router *r, const struct route *route)
{
    struct str rest = str_of(route->pattern), segment;
    struct node *at = &r->root;
    assert(rest.len && rest.ptr[0] == '/');
    rest = str_from(rest, 1);
    while (str_split(&rest, '/', &segment))
        at = child_for(at, segment);
    assert(at->n_routes < METHODS);
    for (unsigned i = 0; i < at->n_routes; i++)
        assert(strcmp(at->routes[i]->method, route->method) != 0 &&
               "two routes for one method and path");
    at->routes[at->n_routes++] = route;
}

struct router *router_new(const struct route *routes, size_t count)
{
    struct router *r = mem_new(struct router);
    for (size_t i = 0; i < count; i++)
        router_add(r, &routes[i]);
    return r;
}

static void free_nodes(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        free_nodes(n->child);
        mem_free(n);
        n = next;
    }
}

void router_free(struct router *r)
{
    if (!r)
        return;
    free_nodes(r->root.child);
    mem_free(r);
}

/* ---- finding ------------------------------------------------------------ */

struct route_search {
    struct str values[ROUTE_MAX_PARAMS];
    size_t n_values;
};

/* Searches depth first, literals before the parameter, so that a literal that
 * leads nowhere does not hide a parameter. NULL: no pattern matches. */
static const struct node *node_find(const struct node *at, struct str rest,
                                    struct route_search *s)
{
    struct str segment;
    if (!str_split(&rest, '/', &segment))
        return at->n_routes ? at : NULL;
    for (const struct node *n = at->child; n; n = n->next) {
        bool fits = n->is_param ? segment.len > 0 : str_eq(n->segment, segment);
        if (!fits || (n->is_param && s->n_values == ROUTE_MAX_PARAMS))
            continue;
        if (n->is_param)
            s->values[s->n_values++] = segment;
        const struct node *found = node_find(n, rest, s);
        if (found)
            return found;
        if (n->is_param)
            s->n_values--;
    }
    return NULL;
}

static void name_values(const struct route_search *s, struct route_match *out)
{
    struct str rest = str_of(out->route->pattern), segment;
    out->n_params = s->n_values;
    for (size_t i = 0; i < s->n_values && str_split(&rest, '/', &segment);) {
        if (segment.len == 0 || segment.ptr[0] != ':')
            continue;
        out->params[i].name = str_from(segment, 1);
        out->params[i].value = s->values[i];
        i++;
    }
}

static void put_allow(struct route_match *out, const char *method)
{
    size_t len = strlen(out->allow), more = strlen(method);
    if (len + more + 3 > sizeof out->allow)
        return;
    if (len) {
        memcpy(out->allow + len, ", ", 2);
        len += 2;
    }
    memcpy(out->allow + len, method, more + 1);
}

static const struct route *with_method(const struct node *n, struct str method)
{
    for (unsigned i = 0; i < n->n_routes; i++) {
        if (str_is(method, n->routes[i]->method))
            return n->routes[i];
    }
    return NULL;
}

static void list_allowed(const struct node *n, struct route_match *out)
{
    for (unsigned i = 0; i < n->n_routes; i++) {
        const char *method = n->routes[i]->method;
        put_allow(out, method);
        if (strcmp(method, "GET") == 0 && !with_method(n, STR("HEAD")))
            put_allow(out, "HEAD");
    }
}

void router_find(const struct router *r, struct str method, struct str path,
                 struct route_match *out)
{
    struct route_search s = {.n_values = 0};
    *out = (struct route_match){0};
    if (path.len == 0 || path.ptr[0] != '/')
        return;
    const struct node *found = node_find(&r->root, str_from(path, 1), &s);
    if (!found)
        return;
    out->path_known = true;
    list_allowed(found, out);
    out->route = with_method(found, method);
    if (!out->route && str_is(method, "HEAD"))
        out->route = with_method(found, STR("GET"));
    if (out->route)
        name_values(&s, out);
}
