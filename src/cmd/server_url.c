/* server_url.c - where the server of these settings is: see server_url.h. */
#include "server_url.h"
#include "config/home.h"
#include <string.h>
#include "base/banned.h"

struct str server_url(struct arena *arena, const struct config *c)
{
    const struct home home = {.arena = arena, .path = c->home};
    struct home_server server;
    if (home_read_server(&home, &server) && server.url)
        return str_of(server.url);
    bool any = !strcmp(c->host, "0.0.0.0") || !strcmp(c->host, "::");
    bool v6 = strchr(c->host, ':') != NULL;
    return arena_printf(arena, "http://%s%s%s:%lld", v6 && !any ? "[" : "",
                        any ? "127.0.0.1" : c->host, v6 && !any ? "]" : "",
                        (long long)c->port);
}
