/* log.h - one JSON object a line, to standard error.
 *
 *   log_info("query refused", "run", STR_FIELD(id), ...)  is not C; so:
 *   log_event(LOG_INFO, "query refused", (struct log_field[]){
 *       {"run", id}, {"code", code}, {0}});
 *
 * Values are text and are escaped; never pass a secret, a question or a row.
 * Lines of one message text are rate limited (LOG_BURST a second; what was held
 * back is counted and told). Never blocks: a full pipe drops the line and
 * counts it. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* LOG_NONE is for log_level_set alone: no line is written. */
enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NONE };

struct log_field {
    const char *key; /* NULL ends the list */
    struct str value;
};

void log_level_set(enum log_level least);
void log_program(const char *name); /* "worker", "supervisor": a field */
void log_event(enum log_level level, const char *message,
               const struct log_field *fields);
/* The same with one formatted field "detail". */
void log_line(enum log_level level, const char *message, const char *format,
              ...) __attribute__((format(printf, 3, 4)));
/* A line of which the fields are JSON already ("\"a\":1,\"b\":\"x\""). Not rate
 * limited: for what is one line a request. */
void log_fields(enum log_level level, const char *message, struct str fields);
bool log_enabled(enum log_level level);
uint64_t log_dropped(void);

/* While on, lines gather and are written by log_flush, which the owner of a loop
 * calls once a turn; when many have gathered; and with each error. What a slow
 * reader does not take waits, up to a bound, and is then dropped and counted.
 * Turning it off flushes. */
void log_buffered(bool on);
void log_flush(void);

/* Test seam: where lines go (fd 2 by default). */
void log_to_fd(int fd);
