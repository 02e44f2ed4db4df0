/* listener.c - opens, checks and closes listening sockets. */
#include "supervisor/listener.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/banned.h"

enum { BACKLOG = 1024 };

static int open_socket(const struct addrinfo *address, bool shared)
{
    const int on = 1;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* libuv 1.44 does not set it, and it only takes effect before bind */
    if ((shared &&
         setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) ||
        bind(fd, address->ai_addr, address->ai_addrlen) != 0) {
        int problem = errno;
        close(fd);
        errno = problem;
        return -1;
    }
    return fd;
}

static int bound_port(int fd)
{
    struct sockaddr_in6 at = {0}; /* the port is at the same offset for IPv4 */
    socklen_t size = sizeof at;
    getsockname(fd, (struct sockaddr *)&at, &size);
    return ntohs(at.sin6_port);
}

static void set_port(struct addrinfo *address, int port)
{
    if (address->ai_family == AF_INET6)
        ((struct sockaddr_in6 *)address->ai_addr)->sin6_port =
            htons((uint16_t)port);
    else
        ((struct sockaddr_in *)address->ai_addr)->sin_port =
            htons((uint16_t)port);
}

/* Sockets that share a port would also share it with another server of this
 * user, so first bind one that does not share, to see that the port is free. */
static bool find_port(struct addrinfo *address, int *port)
{
    int fd = open_socket(address, false);
    if (fd < 0)
        return false;
    *port = bound_port(fd);
    set_port(address, *port);
    close(fd);
    return true;
}

static struct str cannot_listen(struct arena *arena, const char *at, int port)
{
    return arena_printf(
        arena, "cannot listen on %s port %d: %s%s", at, port, strerror(errno),
        errno == EADDRINUSE ? "; another program uses it (set PORT)" : "");
}

static bool open_sockets(struct addrinfo *address, int n, struct listeners *out)
{
    if (n > 1 && !find_port(address, &out->port))
        return false;
    while (out->n < n) {
        int fd = open_socket(address, n > 1);
        if (fd < 0)
            return false;
        out->fds[out->n++] = fd;
    }
    out->port = bound_port(out->fds[0]);
    return true;
}

static struct str url_of(struct arena *arena, const char *host, int port)
{
    if (!strcmp(host, "0.0.0.0") || !strcmp(host, "::"))
        host = "127.0.0.1";
    return arena_printf(arena,
                        strchr(host, ':') ? "http://[%s]:%d" : "http://%s:%d",
                        host, port);
}

bool listeners_open(struct arena *arena, const char *host, int port, int n,
                    struct listeners *out, struct str *why)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    *out = (struct listeners){0};
    int rc = getaddrinfo(host, NULL, &wanted, &found);
    if (rc != 0) {
        *why = arena_printf(arena, "HOST %s: %s", host, gai_strerror(rc));
        return false;
    }
    set_port(found, port);
    bool good = open_sockets(found, n, out);
    if (!good) {
        *why = cannot_listen(arena, host, port);
        listeners_close(out);
    } else {
        out->url = url_of(arena, host, out->port);
    }
    freeaddrinfo(found);
    return good;
}

static bool is_listening(int fd)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at, int_size = sizeof(int);
    int on = 0;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &int_size) == 0 &&
           on && getsockname(fd, (struct sockaddr *)&at, &size) == 0 &&
           (at.ss_family == AF_INET || at.ss_family == AF_INET6);
}

/* Sockets with a shared port cannot detect each other, so this binds one that
 * does not share. Our own sockets listen already if starting.c had to
 * answer. */
bool listeners_are_alone(const int *fds, int n)
{
    struct sockaddr_storage at = {0};
    struct addrinfo address = {.ai_addr = (struct sockaddr *)&at,
                               .ai_addrlen = sizeof at};
    int port;
    if (n < 2 || is_listening(fds[0]))
        return true;
    if (getsockname(fds[0], address.ai_addr, &address.ai_addrlen) != 0)
        return false;
    address.ai_family = at.ss_family;
    return find_port(&address, &port);
}

bool listeners_listen(struct arena *arena, const struct listeners *l,
                      struct str *why)
{
    bool good = l->given || listeners_are_alone(l->fds, l->n);
    for (int i = 0; good && !l->given && i < l->n; i++)
        good = listen(l->fds[i], BACKLOG) == 0;
    if (!good)
        *why = cannot_listen(arena, l->url.ptr, l->port);
    return good;
}

/* ---- inherited sockets (sd_listen_fds(3)) -------------------------------- */

enum { FIRST_GIVEN = 3 };

static int64_t listen_variable(const char *name)
{
    int64_t n = 0;
    const char *text = getenv(name);
    return text && str_to_int64(str_of(text), &n) ? n : 0;
}

bool listeners_given(void)
{
    return listen_variable("LISTEN_PID") == getpid() &&
           listen_variable("LISTEN_FDS") > 0;
}

static struct str given_url(struct arena *arena, int fd)
{
    char host[INET6_ADDRSTRLEN] = "";
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    getsockname(fd, (struct sockaddr *)&at, &size);
    getnameinfo((struct sockaddr *)&at, size, host, sizeof host, NULL, 0,
                NI_NUMERICHOST);
    return url_of(arena, host, bound_port(fd));
}

bool listeners_inherit(struct arena *arena, struct listeners *out,
                       struct str *why)
{
    int64_t n = listen_variable("LISTEN_FDS");
    *out = (struct listeners){.given = true};
    for (int fd = FIRST_GIVEN; fd < FIRST_GIVEN + n; fd++) {
        if (out->n == LISTENER_MOST || !is_listening(fd)) {
            *why = arena_printf(
                arena,
                "LISTEN_FDS: descriptor %d is not a listening TCP socket, or "
                "there are too many",
                fd);
            return false;
        }
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        out->fds[out->n++] = fd;
    }
    out->port = bound_port(out->fds[0]);
    out->url = given_url(arena, out->fds[0]);
    return true;
}

void listeners_close(struct listeners *l)
{
    while (l->n > 0)
        close(l->fds[--l->n]);
}
