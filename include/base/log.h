/* log.h - the log: one JSON object a line, to standard error.
 *
 *   log_event(LOG_INFO, "query refused", (struct log_field[]){
 *       {"run", id}, {"code", code}, {0}});
 *
 * Values are text, and are escaped. Never pass a secret, a question or a row of
 * data. Lines with the same message are rate limited (LOG_BURST a second); the
 * next line that passes says how many were suppressed. Logging never blocks: a
 * line for which the pipe has no room is dropped and counted. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* LOG_NONE is only for log_level_set: nothing is written. */
enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NONE };

struct log_field {
    const char *key; /* NULL ends the list */
    struct str value;
};

/* Lines below this level are not written; LOG_INFO by default. */
void log_level_set(enum log_level least);
/* Sets the field "program" ("worker", "supervisor"); static text. */
void log_program(const char *name);
/* Writes a line. `fields` may be NULL. */
void log_event(enum log_level level, const char *message,
               const struct log_field *fields);
/* The same with one formatted field, "detail". */
void log_line(enum log_level level, const char *message, const char *format,
              ...) __attribute__((format(printf, 3, 4)));
/* The same with fields that are JSON already ("\"a\":1,\"b\":\"x\""). Not rate
 * limited: the access log has its own limit. `message` is static text. */
void log_fields(enum log_level level, const char *message, struct str fields);
/* Whether lines of that level are written. */
bool log_enabled(enum log_level level);
/* Lines dropped or suppressed since the start. */
uint64_t log_dropped(void);

/* While buffering is on, lines are collected and written by log_flush, which
 * the loop's owner calls once a turn; also when many have collected, and with
 * each error. Bytes that the reader does not take wait, up to a bound; lines
 * after that are dropped and counted. Turning it off flushes. */
void log_buffered(bool on);
void log_flush(void);

/* Test seam: where lines go (descriptor 2 by default). */
void log_to_fd(int fd);
