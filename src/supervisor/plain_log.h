/* plain_log.h - what a child says in words of its own, as lines of our log.
 *
 * PostgreSQL writes plain lines to its standard error, and a log is one JSON
 * object a line. So it writes into a pipe that does not wait for us: while
 * nobody reads, what does not fit is lost, and the child goes on. */
#pragma once

struct plain_log;

/* `name` is the message of each line; it outlives the log. *write_end is for the
 * child, and the caller's to close when it has started. NULL: no descriptors. */
struct plain_log *plain_log_open(const char *name, int *write_end);
/* Tells what is left. *log is NULL after; it may be before. */
void plain_log_close(struct plain_log **log);
