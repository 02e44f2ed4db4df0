/* log.c - see log.h. A line is written with one write, or gathers with others;
 * a burst of the same message is held back and counted.
 *
 * Standard error is often shared, so it is not made non-blocking itself: a pipe
 * or terminal is opened anew for that, a socket is sent to without waiting. */
#include "base/log.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    LOG_BURST = 50,
    KINDS = 64,
    GATHER_BYTES = 32 * 1024, /* then they are written */
    MOST_BYTES = 256 * 1024,  /* then they are dropped */
};

static enum log_level least_level = LOG_INFO;
static const char *program = "sextant";
static uint64_t dropped;

static struct {
    int fd;     /* as told */
    int own_fd; /* ours to the same thing, non-blocking; or -1 */
    bool known, socket;
} out = {.fd = STDERR_FILENO, .own_fd = -1};

static bool buffered;
static bool within_line; /* the last write ended in one: its rest comes next */
static struct buf gathered;

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

bool log_enabled(enum log_level level)
{
    return level >= least_level;
}

/* ---- where lines go ----------------------------------------------------- */

static unsigned count_lines(struct str s)
{
    unsigned n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == '\n';
    return n;
}

void log_to_fd(int fd)
{
    log_flush();
    dropped += count_lines(buf_view(&gathered));
    within_line = false;
    buf_done(&gathered);
    if (out.own_fd >= 0)
        close(out.own_fd);
    out.fd = fd;
    out.own_fd = -1;
    out.known = out.socket = false;
}

static void look_at_output(void)
{
    struct stat about;
    char path[32];
    out.known = true;
    if (fstat(out.fd, &about))
        return;
    out.socket = S_ISSOCK(about.st_mode);
    if (!S_ISFIFO(about.st_mode) && !S_ISCHR(about.st_mode))
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", out.fd);
    out.own_fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* How many bytes went out, or -1. */
static ssize_t write_out(struct str bytes)
{
    ssize_t n;
    if (!out.known)
        look_at_output();
    do {
        if (out.socket)
            n = send(out.fd, bytes.ptr, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);
        else
            n = write(out.own_fd >= 0 ? out.own_fd : out.fd, bytes.ptr,
                      bytes.len);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* A file took a part of a line, for the disk is full: that part goes out again, as
 * other processes may write there next. Answers how many bytes stay written. */
static size_t take_back(struct str written)
{
    struct stat about;
    size_t part = 0;
    while (part < written.len && written.ptr[written.len - part - 1] != '\n')
        part++;
    off_t end = lseek(out.fd, 0, SEEK_CUR);
    if (part == 0 || out.own_fd >= 0 || end < (off_t)part ||
        fstat(out.fd, &about) || !S_ISREG(about.st_mode) ||
        about.st_size != end || ftruncate(out.fd, end - (off_t)part))
        return written.len;
    lseek(out.fd, end - (off_t)part, SEEK_SET);
    return written.len - part;
}

/* They cannot be written (a full disk). The rest of a line that was begun is kept,
 * so that the next one does not go on in the middle of it. */
static void drop_lines(void)
{
    struct str all = buf_view(&gathered);
    const char *end = within_line ? memchr(all.ptr, '\n', all.len) : NULL;
    size_t rest = end ? (size_t)(end + 1 - all.ptr) : 0;
    dropped += count_lines(str_from(all, rest));
    gathered.len = rest;
}

void log_flush(void)
{
    if (gathered.len == 0)
        return;
    ssize_t n = write_out(buf_view(&gathered));
    if (n > 0) {
        size_t kept =
            within_line ? (size_t)n
                        : take_back(str_cut(buf_view(&gathered), 0, (size_t)n));
        if (kept)
            within_line = gathered.ptr[kept - 1] != '\n';
        buf_drop(&gathered, kept);
    } else if (errno != EAGAIN) {
        drop_lines();
    }
}

void log_buffered(bool on)
{
    static bool at_exit;
    if (on && !at_exit)
        at_exit = atexit(log_flush) == 0;
    buffered = on;
    log_flush();
}

static void write_line(enum log_level level, struct str line)
{
    if (gathered.len + line.len > MOST_BYTES)
        dropped++;
    else
        utf8_put_json(&gathered, line);
    if (!buffered || level >= LOG_ERROR || gathered.len >= GATHER_BYTES)
        log_flush();
}

/* ---- lines -------------------------------------------------------------- */

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

static const char *const level_names[] = {"debug", "info", "warn", "error"};

static void begin_line(struct buf *line, enum log_level level,
                       const char *message, int64_t wall_ms, int pid)
{
    struct json_writer w;
    char at[CLOCK_RFC3339_SIZE];
    clock_rfc3339(wall_ms, at);
    json_write_to(&w, line);
    json_put_object(&w);
    json_field_text(&w, "time", at);
    json_field_text(&w, "level", level_names[level]);
    json_field_text(&w, "program", program);
    json_field_int(&w, "pid", pid);
    json_field_text(&w, "msg", message);
}

void log_event(enum log_level level, const char *message,
               const struct log_field *fields)
{
    unsigned held;
    if (level < least_level || !admit(message, &held))
        return;
    struct buf line;
    struct json_writer w;
    buf_init(&line, NULL);
    begin_line(&line, level, message, clock_wall_ms(), getpid());
    json_write_to(&w, &line);
    w.comma = true;
    for (; fields && fields->key; fields++)
        json_field_str(&w, fields->key, fields->value);
    if (held)
        json_field_int(&w, "heldBack", held);
    json_put_object_end(&w);
    buf_char(&line, '\n');
    write_line(level, buf_view(&line));
    buf_done(&line);
}

void log_fields(enum log_level level, const char *message, struct str fields)
{
    /* What stands before the fields, made anew each second; only the three
     * digits of the milliseconds change in between. */
    enum { MS_AT = sizeof "{\"time\":\"2026-11-21T21:37:34." - 1 };
    static struct buf line;
    static int64_t made;
    static const char *made_for;
    static enum log_level made_at;
    static size_t start;
    if (level < least_level)
        return;
    int64_t now = clock_wall_ms();
    if (now / 1000 != made || made_for != message || made_at != level) {
        buf_clear(&line);
        begin_line(&line, level, message, now, getpid());
        made = now / 1000;
        made_for = message;
        made_at = level;
        start = line.len;
    }
    line.len = start;
    line.ptr[MS_AT] = (char)('0' + now % 1000 / 100);
    line.ptr[MS_AT + 1] = (char)('0' + now % 100 / 10);
    line.ptr[MS_AT + 2] = (char)('0' + now % 10);
    buf_char(&line, ',');
    buf_str(&line, fields);
    buf_text(&line, "}\n");
    write_line(level, buf_view(&line));
}

void log_line(enum log_level level, const char *message, const char *format,
              ...)
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
