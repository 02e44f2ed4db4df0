/* health.c - `sextant health`: asks the server of these settings whether it is
 * healthy, for containers and scripts. It sends one request over a blocking
 * socket. */
#include "config/home.h"
#include "config/options.h"
#include "help.h"
#include "programs.h"
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "base/banned.h"

enum { PATIENCE_S = 5, MOST_REPLY = 4096 };

struct server_address {
    const char *host, *port;
};

/* Parses a URL as the supervisor writes it: "http://127.0.0.1:8080",
 * "http://[::1]:8080". */
static bool parse_server_url(struct arena *arena, const char *url,
                             struct server_address *out)
{
    struct str rest = str_from(str_of(url), strlen("http://"));
    const char *colon = strrchr(rest.ptr, ':');
    if (!str_starts(str_of(url), STR("http://")) || !colon)
        return false;
    struct str host = {rest.ptr, (size_t)(colon - rest.ptr)};
    if (str_starts(host, STR("[")))
        host = str_cut(host, 1, host.len - 1);
    out->host = arena_cstr(arena, host);
    out->port = colon + 1;
    return true;
}

static struct server_address server_address(struct arena *arena,
                                            const struct config *c)
{
    const struct home home = {.arena = arena, .path = c->home};
    struct home_server server;
    struct server_address at;
    if (home_read_server(&home, &server) && server.url &&
        parse_server_url(arena, server.url, &at))
        return at;
    bool any = !strcmp(c->host, "0.0.0.0") || !strcmp(c->host, "::");
    return (struct server_address){
        any ? "127.0.0.1" : c->host,
        arena_printf(arena, "%lld", (long long)c->port).ptr};
}

static int connect_to_server(const struct server_address *at)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    if (getaddrinfo(at->host, at->port, &wanted, &found) != 0)
        return -1;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

/* Returns the status of the answer; 0: there was none. */
static int request_status(struct arena *arena, const struct server_address *at,
                          const char *path)
{
    char reply[MOST_REPLY];
    struct str request = arena_printf(
        arena, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path,
        strchr(at->host, ':') ? "localhost" : at->host);
    int fd = connect_to_server(at), status = 0;
    size_t len = 0;
    ssize_t got = 1;
    if (fd < 0)
        return 0;
    if (send(fd, request.ptr, request.len, MSG_NOSIGNAL) > 0)
        while (got > 0 && len < sizeof reply - 1) {
            got = read(fd, reply + len, sizeof reply - 1 - len);
            len += got > 0 ? (size_t)got : 0;
        }
    close(fd);
    reply[len] = '\0';
    return sscanf(reply, "HTTP/1.1 %3d", &status) == 1 ? status : 0;
}

int cmd_health(int argc, char **argv)
{
    struct arena arena;
    struct config config;
    struct arguments args;
    bool live = false;
    const struct option own[] = {{"live", &live, NULL}, {0}};
    arena_init(&arena, 0);
    bool good = options_read(&arena, argc, argv, own, &args, &config);
    if (!good || args.n) {
        arena_done(&arena);
        return good ? wrong_use("health", NULL) : EXIT_WRONG_USE;
    }
    struct server_address at = server_address(&arena, &config);
    int status = request_status(&arena, &at, live ? "/healthz" : "/readyz");
    if (status == 200)
        printf("%s\n", live ? "up" : "ready");
    else if (status)
        fprintf(stderr, "sextant health: not ready (status %d)\n", status);
    else
        fprintf(stderr, "sextant health: no answer from %s port %s\n", at.host,
                at.port);
    arena_done(&arena);
    return status == 200 ? EXIT_OK : EXIT_FAILED;
}
