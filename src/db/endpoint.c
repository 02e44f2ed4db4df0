/* endpoint.c - see endpoint.h. endpoint_open parses the conninfo and walks its
 * hosts; each name that is looked up continues the walk. */
#include "endpoint.h"
#include "base/address.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_OPTIONS = 96, MOST_ADDRESSES = 4 }; /* of one name */

static const char link_local[] = "link-local addresses are not allowed";

static char *endpoint_option(const struct endpoint *e, const char *keyword)
{
    for (PQconninfoOption *o = e->options; o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val && o->val[0] ? o->val : NULL;
    return NULL;
}

/* libpq takes what the conninfo leaves open from the environment (PGHOST …). */
static char *endpoint_option_or_default(const struct endpoint *e,
                                        const char *keyword)
{
    char *given = endpoint_option(e, keyword), *copy = NULL;
    if (given)
        return mem_copy(given, strlen(given));
    PQconninfoOption *defaults = PQconndefaults();
    for (PQconninfoOption *o = defaults; o && o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0 && o->val && o->val[0])
            copy = mem_copy(o->val, strlen(o->val));
    PQconninfoFree(defaults);
    return copy;
}

static bool is_address(const char *host)
{
    unsigned char bytes[16];
    return inet_pton(AF_INET, host, bytes) == 1 ||
           inet_pton(AF_INET6, host, bytes) == 1;
}

/* Adds an entry. False: the address is refused. */
static bool endpoint_add(struct endpoint *e, struct str host,
                         const char *address, struct str port)
{
    struct address a;
    if (e->no_link_local && address_parse(str_of(address), &a) &&
        address_is_link_local(&a)) {
        e->refused = true;
        return false;
    }
    if (e->n++) {
        buf_char(&e->host, ',');
        buf_char(&e->address, ',');
        buf_char(&e->port, ',');
    }
    buf_str(&e->host, host);
    buf_text(&e->address, address);
    buf_str(&e->port, port);
    return true;
}

static void on_looked_up(uv_getaddrinfo_t *request, int status,
                         struct addrinfo *found);

/* Takes the next host and its port; a single port holds for all hosts. */
static bool endpoint_next_host(struct endpoint *e, struct str *host,
                               struct str *port)
{
    if (!str_split(&e->rest, ',', host))
        return false;
    if (e->rest_ports.ptr && memchr(e->ports, ',', strlen(e->ports)))
        str_split(&e->rest_ports, ',', port);
    else
        *port = str_of(e->ports);
    return true;
}

/* Adds hosts until one needs a lookup. */
static enum endpoint_next endpoint_walk(struct endpoint *e)
{
    struct str host, port = {0};
    struct str rest = e->rest, rest_ports = e->rest_ports;
    while (endpoint_next_host(e, &host, &port)) {
        char name[256];
        if (host.len >= sizeof name)
            return ENDPOINT_BAD;
        memcpy(name, host.len ? host.ptr : "", host.len);
        name[host.len] = 0;
        if (host.len == 0 || name[0] == '/' || name[0] == '@') {
            endpoint_add(e, host, "", port);
        } else if (is_address(name)) {
            if (!endpoint_add(e, host, name, port))
                return ENDPOINT_BAD;
        } else {
            struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
            e->rest = rest; /* on_looked_up takes it again */
            e->rest_ports = rest_ports;
            e->in_flight = uv_getaddrinfo(loop_uv(), &e->request, on_looked_up,
                                          name, NULL, &hints) == 0;
            return e->in_flight ? ENDPOINT_WAITS : ENDPOINT_BAD;
        }
        rest = e->rest;
        rest_ports = e->rest_ports;
    }
    return ENDPOINT_KNOWN;
}

static void endpoint_add_found(struct endpoint *e, const struct addrinfo *found)
{
    struct str host, port = {0};
    endpoint_next_host(e, &host, &port);
    int n = 0;
    for (const struct addrinfo *a = found; a && n < MOST_ADDRESSES;
         a = a->ai_next) {
        char text[INET6_ADDRSTRLEN];
        if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, NULL, 0,
                        NI_NUMERICHOST) != 0)
            continue;
        n += endpoint_add(e, host, text, port);
    }
}

static void on_looked_up(uv_getaddrinfo_t *request, int status,
                         struct addrinfo *found)
{
    struct endpoint *e = request->data;
    e->in_flight = false;
    enum endpoint_next next = ENDPOINT_KNOWN;
    if (status != UV_ECANCELED) {
        endpoint_add_found(e, status == 0 ? found : NULL);
        next = endpoint_walk(e);
    }
    uv_freeaddrinfo(found);
    if (next == ENDPOINT_WAITS)
        return;
    const char *problem = NULL;
    if (e->refused && (next == ENDPOINT_BAD || e->n == 0))
        problem = link_local;
    else if (status == UV_ECANCELED || next == ENDPOINT_BAD)
        problem = "the host name could not be looked up";
    else if (e->n == 0)
        problem = "the host name is not known";
    e->done(e, problem);
}

enum endpoint_next endpoint_open(struct endpoint *e, const char *conninfo,
                                 char *problem, size_t size)
{
    char *error = NULL;
    e->options = PQconninfoParse(conninfo, &error);
    if (!e->options) { /* libpq's sentence may quote the secret */
        PQfreemem(error);
        snprintf(problem, size, "the connection string cannot be read");
        return ENDPOINT_BAD;
    }
    e->request.data = e;
    e->addresses = endpoint_option_or_default(e, "hostaddr");
    e->hosts = endpoint_option_or_default(e, "host");
    if (e->addresses || !e->hosts)
        return ENDPOINT_KNOWN; /* libpq has nothing to look up */
    e->ports = endpoint_option_or_default(e, "port");
    e->rest = str_of(e->hosts);
    e->rest_ports = str_of(e->ports);
    enum endpoint_next next = endpoint_walk(e);
    if (next == ENDPOINT_BAD)
        snprintf(problem, size, "%s",
                 e->refused ? link_local : "the host name cannot be looked up");
    return next;
}

struct parameters {
    const char *keywords[MOST_OPTIONS + 1];
    const char *values[MOST_OPTIONS + 1];
    int n;
};

static void parameters_put(struct parameters *p, const char *keyword,
                           const char *value)
{
    for (int i = 0; i < p->n; i++) {
        if (strcmp(p->keywords[i], keyword) == 0) {
            p->values[i] = value;
            return;
        }
    }
    if (p->n == MOST_OPTIONS)
        return;
    p->keywords[p->n] = keyword;
    p->values[p->n++] = value;
}

PGconn *endpoint_connect(struct endpoint *e)
{
    struct parameters p = {0};
    parameters_put(&p, "application_name", "sextant");
    parameters_put(&p, "keepalives", "1");
    parameters_put(&p, "keepalives_idle", "30");
    parameters_put(&p, "keepalives_interval", "10");
    parameters_put(&p, "keepalives_count", "3");
    parameters_put(&p, "tcp_user_timeout", "20000");
    parameters_put(&p, "gssencmode",
                   "disable"); /* its credential lookups block */
    for (PQconninfoOption *o = e->options; o->keyword; o++)
        if (o->val && o->val[0])
            parameters_put(&p, o->keyword, o->val);
    if (e->n) {
        parameters_put(&p, "port", buf_cstr(&e->port));
        parameters_put(&p, "host", buf_cstr(&e->host));
        parameters_put(&p, "hostaddr", buf_cstr(&e->address));
    }
    parameters_put(&p, "client_encoding", "UTF8");
    return PQconnectStartParams(p.keywords, p.values, 0);
}

void endpoint_stop(struct endpoint *e)
{
    if (e->in_flight)
        uv_cancel((uv_req_t *)&e->request);
}

void endpoint_done(struct endpoint *e)
{
    PQconninfoFree(e->options);
    mem_free(e->hosts);
    mem_free(e->addresses);
    mem_free(e->ports);
    buf_done(&e->host);
    buf_done(&e->address);
    buf_done(&e->port);
    *e = (struct endpoint){0};
}
