/* log.c - see log.h. A line is built on the stack and written with one write;
 * a burst of the same message is held back and counted. */
#include "base/log.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { LOG_BURST = 50, KINDS = 64 };

static enum log_level least_level = LOG_INFO;
static const char *program = "sextant";
static int out_fd = STDERR_FILENO;
static uint64_t dropped;

/* One window a second for each kind of message (by hash). */
static struct {
    uint64_t second;
    unsigned count, held;
} windows[KINDS];

void log_level_set(enum log_level least)
{
    least_level = least;
}

void log_program(const char *name)
{
    program = name;
}

uint64_t log_dropped(void)
{
    return dropped;
}

void log_to_fd(int fd)
{
    out_fd = fd;
}

/* True when this line may go; *held is what was held back before it. */
static bool admit(const char *message, unsigned *held)
{
    uint64_t now = clock_ms() / 1000;
    unsigned i = (unsigned)(str_hash(str_of(message)) % KINDS);
    *held = 0;
    if (windows[i].second != now) {
        *held = windows[i].held;
        windows[i].second = now;
        windows[i].count = windows[i].held = 0;
    }
    if (++windows[i].count <= LOG_BURST)
        return true;
    windows[i].held++;
    dropped++;
    return false;
}

static void write_line(struct buf *line)
{
    ssize_t n = write(out_fd, line->ptr, line->len);
    if (n != (ssize_t)line->len)
        dropped++;
}

void log_event(enum log_level level, const char *message,
               const struct log_field *fields)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    unsigned held;
    if (level < least_level || !admit(message, &held))
        return;
    char at[CLOCK_RFC3339_SIZE];
    clock_rfc3339(clock_wall_ms(), at);
    struct buf line;
    struct json_writer w;
    buf_init(&line, NULL);
    json_write_to(&w, &line);
    json_put_object(&w);
    json_field_text(&w, "time", at);
    json_field_text(&w, "level", names[level]);
    json_field_text(&w, "program", program);
    json_field_int(&w, "pid", getpid());
    json_field_text(&w, "msg", message);
    for (; fields && fields->key; fields++)
        json_field_str(&w, fields->key, fields->value);
    if (held)
        json_field_int(&w, "heldBack", held);
    json_put_object_end(&w);
    buf_char(&line, '\n');
    write_line(&line);
    buf_done(&line);
}

void log_line(enum log_level level, const char *message, const char *format, ...)
{
    if (level < least_level)
        return;
    char detail[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    log_event(level, message,
              (struct log_field[]){{"detail", str_of(detail)}, {NULL, {0}}});
}
