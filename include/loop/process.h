/* process.h - a child process as an op: it answers when the process has ended.
 *
 * Cancel asks it to end (stop_signal) and kills it after grace_ms. The process
 * gets the environment given here and nothing else, standard input from
 * /dev/null, and its output as told. */
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
    int stdout_fd;           /* 0: /dev/null, else this descriptor */
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
    int64_t exit_status; /* after the answer; -1: could not start */
    int exit_signal;
};

/* Answers OK however the process ended; ERR_INTERNAL when it could not be
 * started. */
void process_begin(struct flow *f, struct process *p,
                   const struct process_options *options);
void process_signal(struct process *p, int signal_number);
