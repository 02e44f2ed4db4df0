/* plain_log.c - reads a pipe and logs each line. */
#include "plain_log.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { LINE_MOST = 1000 };

struct plain_log {
    uv_poll_t poll;
    int read_end;
    const char *name;
    size_t n;
    char line[LINE_MOST]; /* so far; a longer line is logged in parts */
};

/* Logs "postgres[12] LOG:  ready"; anything above a notice is a warning. */
static void log_plain_line(struct plain_log *p)
{
    struct str line = {p->line, p->n};
    bool notice = str_find(line, STR(" LOG: ")) >= 0;
    if (p->n)
        log_event(notice ? LOG_INFO : LOG_WARN, p->name,
                  (struct log_field[]){{"detail", line}, {NULL, {0}}});
    p->n = 0;
}

static void take_bytes(struct plain_log *p, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n' || p->n == LINE_MOST)
            log_plain_line(p);
        if (bytes[i] != '\n')
            p->line[p->n++] = bytes[i];
    }
}

/* Returns false at the end of the pipe. */
static bool read_available(struct plain_log *p)
{
    char bytes[4096];
    ssize_t n;
    while ((n = read(p->read_end, bytes, sizeof bytes)) > 0)
        take_bytes(p, bytes, (size_t)n);
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    if (!read_available(poll->data))
        uv_poll_stop(poll);
}

struct plain_log *plain_log_open(const char *name, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return NULL;
    struct plain_log *p = mem_new(struct plain_log);
    p->name = name;
    p->read_end = ends[0];
    *write_end = ends[1];
    uv_poll_init(loop_uv(), &p->poll, p->read_end);
    p->poll.data = p;
    uv_poll_start(&p->poll, UV_READABLE, on_readable);
    return p;
}

static void on_pipe_closed(uv_handle_t *handle)
{
    struct plain_log *p = handle->data;
    close(p->read_end);
    mem_free(p);
}

void plain_log_close(struct plain_log **log)
{
    struct plain_log *p = *log;
    *log = NULL;
    if (!p)
        return;
    read_available(p);
    log_plain_line(p);
    uv_close((uv_handle_t *)&p->poll, on_pipe_closed);
}
