/* process.h - a child process as an op, which completes when the process exits.
 *
 * Cancelling sends stop_signal, and SIGKILL after a grace period. The process
 * gets only the environment given here, reads standard input from /dev/null,
 * and writes to the descriptors given here. */
#pragma once
#include "loop/flow.h"
#include <sys/types.h>
#include <uv.h>

struct process_options {
    const char *const *argv; /* argv[0] is looked up in PATH */
    const char *const *env;  /* NULL: an empty environment */
    const char *cwd;         /* NULL: ours */
    int stop_signal;         /* 0: SIGTERM */
    unsigned grace_ms;       /* 0: 5000 */
    int stdout_fd;           /* 0: /dev/null */
    int stderr_fd;
    const int *inherit_fds; /* become 3, 4, … in the child; 72 at most */
    int n_inherit_fds;
};

struct process {
    struct op op;
    uv_process_t handle;
    struct timer grace;
    unsigned grace_ms;
    int stop_signal;
    pid_t pid;
    int64_t exit_status; /* once completed; -1: could not start */
    int exit_signal;
};

/* Starts the process. The op's status is OK whatever the exit status is, and
 * ERR_INTERNAL if the process could not be started. */
void process_begin(struct flow *f, struct process *p,
                   const struct process_options *options);
/* Sends a signal; does nothing once the process has exited. */
void process_signal(struct process *p, int signal_number);
