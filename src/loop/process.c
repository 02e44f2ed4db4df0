/* process.c - child processes by uv_spawn.
 *
 * The op completes in the close callback of the handle, whether the process
 * could be started or not. */
#include "loop/process.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <signal.h>
#include "base/banned.h"

static void on_process_closed(uv_handle_t *handle)
{
    struct process *p = handle->data;
    op_complete(&p->op, p->exit_status == -1 ? ERR_INTERNAL : OK);
}

static void on_process_exit(uv_process_t *handle, int64_t status,
                            int term_signal)
{
    struct process *p = handle->data;
    p->exit_status = status;
    p->exit_signal = term_signal;
    timer_stop(&p->grace);
    uv_close((uv_handle_t *)handle, on_process_closed);
}

static void on_grace_period_over(struct timer *t)
{
    process_signal(container_of(t, struct process, grace), SIGKILL);
}

static void process_cancel(struct op *op)
{
    struct process *p = container_of(op, struct process, op);
    if (p->pid <= 0 || !uv_is_active((uv_handle_t *)&p->handle))
        return; /* it has exited, or could not start: completes soon */
    process_signal(p, p->stop_signal);
    timer_start(&p->grace, p->grace_ms, on_grace_period_over);
}

void process_signal(struct process *p, int signal_number)
{
    if (p->pid > 0 && uv_is_active((uv_handle_t *)&p->handle))
        uv_process_kill(&p->handle, signal_number);
}

enum { STDIO = 3, MOST_INHERITED = 72 };

static int spawn(struct process *p, const struct process_options *options)
{
    uv_stdio_container_t stdio[STDIO + MOST_INHERITED] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    const int fds[2] = {options->stdout_fd, options->stderr_fd};
    for (int i = 0; i < 2; i++)
        if (fds[i])
            stdio[i + 1] = (uv_stdio_container_t){.flags = UV_INHERIT_FD,
                                                  .data.fd = fds[i]};
    for (int i = 0; i < options->n_inherit_fds && i < MOST_INHERITED; i++)
        stdio[STDIO + i] = (uv_stdio_container_t){
            .flags = UV_INHERIT_FD, .data.fd = options->inherit_fds[i]};
    static const char *const no_env[] = {NULL};
    uv_process_options_t o = {
        .exit_cb = on_process_exit,
        .file = options->argv[0],
        .args = (char **)options->argv,
        .env = (char **)(options->env ? options->env : no_env),
        .cwd = options->cwd,
        .stdio = stdio,
        .stdio_count = STDIO + options->n_inherit_fds,
    };
    return uv_spawn(loop_uv(), &p->handle, &o);
}

void process_begin(struct flow *f, struct process *p,
                   const struct process_options *options)
{
    *p = (struct process){
        .stop_signal = options->stop_signal ? options->stop_signal : SIGTERM,
        .grace_ms = options->grace_ms ? options->grace_ms : 5000,
        .exit_status = -1};
    begin(f, &p->op, "process", process_cancel);
    p->handle.data = p;
    int rc = spawn(p, options);
    p->handle.data = p;
    if (rc == 0)
        p->pid = p->handle.pid;
    else
        uv_close((uv_handle_t *)&p->handle, on_process_closed);
}
