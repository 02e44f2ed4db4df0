/* sandbox_service.c - starts the sandbox and asks for its health. */
#include "sandbox_service.h"
#include "base/json.h"
#include "config/places.h"
#include "postgres.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include "base/banned.h"

enum { GRACE_MS = 5000, MOST_REPLY = 16 * 1024 };

static const char *number_setting(struct arena *arena, const char *name,
                                  int64_t value)
{
    return arena_printf(arena, "%s=%lld", name, (long long)value).ptr;
}

static bool describe_sandbox(struct service *service, struct arena *arena,
                             struct process_options *options)
{
    struct sandbox_service *s = service->who;
    const struct config *c = s->config;
    size_t n;
    const char **w = launch_words(arena, SIGTERM, 8, &n);
    w[n++] = "--";
    w[n++] = s->python;
    w[n++] = "-I";
    w[n++] = s->program;
    w[n++] = "--socket";
    w[n++] = s->home->sandbox_socket;
    w[n++] = "--die-with-parent";
    const char **env = arena_new_array(arena, const char *, 8);
    env[0] = plain_environment[0];
    env[1] = plain_environment[1];
    env[2] = number_setting(arena, "SANDBOX_PARALLEL", c->sandbox_parallel);
    env[3] = number_setting(arena, "PYTHON_MEMORY_LIMIT_MB",
                            c->python_memory_limit_mb);
    env[4] = number_setting(arena, "SANDBOX_MAX_TIMEOUT",
                            c->python_timeout_ms / 1000 + 1);
    env[5] = "SANDBOX_MAX_FILE=1073741824"; /* FILE_MAX_BYTES decides */
    options->argv = w;
    options->env = env;
    options->cwd = "/";
    options->grace_ms = GRACE_MS;
    s->state = SANDBOX_STARTING;
    return true;
}

bool sandbox_service_init(struct arena *arena, struct sandbox_service *s,
                          const struct config *c, const struct home *home,
                          struct str *why)
{
    const char *data = places_data(arena, c);
    *s = (struct sandbox_service){.config = c, .home = home};
    s->service = (struct service){
        .name = "sandbox", .describe = describe_sandbox, .who = s};
    s->python = places_python(arena, c);
    if (data)
        s->program = arena_printf(arena, "%s/sandbox/server.py", data).ptr;
    if (!data || access(s->program, R_OK) != 0)
        *why = STR("the sandbox's program (sandbox/server.py) was not found; "
                   "set DATA_DIR");
    else if (access(s->python, X_OK) != 0)
        *why = arena_printf(arena, "%s cannot be run; set SANDBOX_PYTHON",
                            s->python);
    else
        return true;
    return false;
}

/* ---- health -------------------------------------------------------------- */

static ssize_t request_health(const char *path, char *reply, size_t size)
{
    static const char request[] = "GET /health HTTP/1.1\r\nHost: sandbox\r\n"
                                  "Connection: close\r\n\r\n";
    const struct timeval patience = {.tv_sec = 1};
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t len = 0;
    ssize_t got = -1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0)
        while ((got = read(fd, reply + len, size - len)) > 0)
            len += (size_t)got;
    close(fd);
    return got == 0 ? (ssize_t)len : -1;
}

void sandbox_service_look(void *what)
{
    struct sandbox_service *s = what;
    char reply[MOST_REPLY];
    ssize_t len = request_health(s->home->sandbox_socket, reply, sizeof reply);
    struct str text = {reply, len < 0 ? 0 : (size_t)len};
    ptrdiff_t body = str_find(text, STR("\r\n\r\n"));
    if (body < 0)
        return;
    json_t *v = json_read(str_from(text, (size_t)body + 4), NULL);
    struct str status = json_get_text(v, "status");
    if (str_is(status, "ok")) {
        s->state = SANDBOX_READY;
    } else if (v &&
               (!str_is(status, "starting") ||
                str_find(json_get_text(v, "reason"), STR("cannot")) >= 0)) {
        s->state = SANDBOX_UNFIT;
        snprintf(s->problem, sizeof s->problem, "%.*s",
                 STR_ARG(json_get_text(v, "reason")));
    }
    json_decref(v);
}
