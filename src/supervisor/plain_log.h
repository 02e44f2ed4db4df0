/* plain_log.h - turns the plain text that a child prints into lines of our log.
 *
 * PostgreSQL writes plain lines to its standard error, but our log has one JSON
 * object per line. So it writes into a non-blocking pipe. If the supervisor
 * does not read in time, output is lost, and the child continues. */
#pragma once

struct plain_log;

/* Opens a pipe. `name` is the message of each log line and must outlive the
 * log. *write_end is for the child; the caller closes it after the start.
 * Returns NULL when there are no descriptors left. */
struct plain_log *plain_log_open(const char *name, int *write_end);
/* Logs what is left and frees it. *log may be NULL, and is NULL afterwards. */
void plain_log_close(struct plain_log **log);
