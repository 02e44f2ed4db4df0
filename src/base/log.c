/* log.c - writes log lines, each with one write() or buffered with others, and
 * suppresses bursts of the same message.
 *
 * Standard error is often shared with other processes, so it must not be made
 * non-blocking itself: a pipe or terminal is opened a second time for that, and
 * a socket is written with MSG_DONTWAIT. */
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
    GATHER_BYTES = 32 * 1024, /* buffered: then written */
    MOST_BYTES = 256 * 1024,  /* buffered: then new lines are dropped */
};

static enum log_level least_level = LOG_INFO;
static const char *program = "sextant";
static uint64_t dropped;

static struct {
    int fd;     /* set by log_to_fd */
    int own_fd; /* the same file, opened non-blocking; or -1 */
    bool known, socket;
} out = {.fd = STDERR_FILENO, .own_fd = -1};

static bool buffered;
static bool within_line; /* the last write ended within a line */
static struct buf gathered;

/* A window of one second for each message (by hash). */
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

static void detect_output(void)
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

/* Bytes written, or -1 and errno. */
static ssize_t write_out(struct str bytes)
{
    ssize_t n;
    if (!out.known)
        detect_output();
    do {
        if (out.socket)
            n = send(out.fd, bytes.ptr, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);
        else
            n = write(out.own_fd >= 0 ? out.own_fd : out.fd, bytes.ptr,
                      bytes.len);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* After a partial write to a file (the disk is full), removes the incomplete
 * line at its end: other processes may write to the file next. Returns how many
 * bytes remain written. */
static size_t remove_partial_line(struct str written)
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

/* Drops the buffered lines, which cannot be written (a full disk). The rest of
 * a partly written line stays, so that the next line starts on its own. */
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
        size_t kept = within_line ? (size_t)n
                                  : remove_partial_line(str_cut(
                                        buf_view(&gathered), 0, (size_t)n));
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

/* Whether the rate limit lets this line pass; *held: how many it suppressed
 * before. */
static bool rate_limit_passes(const char *message, unsigned *held)
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

static void put_line_head(struct buf *line, enum log_level level,
                          const char *message, int64_t wall_ms, int pid)
{
    struct json_writer w;
    char at[CLOCK_RFC3339_SIZE];
    clock_rfc3339(wall_ms, at);
    json_writer_init(&w, line);
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
    if (level < least_level || !rate_limit_passes(message, &held))
        return;
    struct buf line;
    struct json_writer w;
    buf_init(&line, NULL);
    put_line_head(&line, level, message, clock_wall_ms(), getpid());
    json_writer_init(&w, &line);
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
    /* The part before the fields is written once a second; in between only the
     * three digits of the milliseconds change. */
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
        put_line_head(&line, level, message, now, getpid());
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
