/* wait.c - pauses, wake-ups, and work in the thread pool. */
#include "loop/wait.h"
#include "loop/loop.h"
#include <assert.h>
#include "base/compiler.h"
#include "base/banned.h"

static void pause_over(struct timer *t)
{
    op_complete(&container_of(t, struct pause, timer)->op, OK);
}

static void pause_cancel(struct op *op)
{
    struct pause *p = container_of(op, struct pause, op);
    timer_stop(&p->timer);
    op_complete(op, ERR_CANCELLED);
}

void pause_begin(struct flow *f, struct pause *p, uint64_t ms)
{
    *p = (struct pause){0};
    begin(f, &p->op, "pause", pause_cancel);
    timer_start(&p->timer, ms, pause_over);
}

static void wait_over(struct wait *w, enum err how)
{
    timer_stop(&w->timer);
    w->wake->waiter = NULL;
    op_complete(&w->op, how);
}

static void wait_late(struct timer *t)
{
    wait_over(container_of(t, struct wait, timer), OK);
}

static void wait_cancel(struct op *op)
{
    wait_over(container_of(op, struct wait, op), ERR_CANCELLED);
}

void wait_begin(struct flow *f, struct wait *w, struct wake *wake, uint64_t ms)
{
    assert(!wake->waiter && "one waiter at a time");
    *w = (struct wait){.wake = wake};
    begin(f, &w->op, "wait", wait_cancel);
    wake->waiter = w;
    if (wake->pending) {
        wake->pending = false;
        wait_over(w, OK);
    } else if (ms) {
        timer_start(&w->timer, ms, wait_late);
    }
}

void wake_up(struct wake *wake)
{
    if (wake->waiter)
        wait_over(wake->waiter, OK);
    else
        wake->pending = true;
}

static void work_run(uv_work_t *request)
{
    struct work *w = request->data;
    w->job(w->what);
}

static void work_done(uv_work_t *request, int status)
{
    struct work *w = request->data;
    op_complete(&w->op, status == 0 ? OK : ERR_CANCELLED);
}

static void work_cancel(struct op *op)
{
    struct work *w = container_of(op, struct work, op);
    uv_cancel((uv_req_t *)&w->request); /* fails if it is running */
}

void work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                void *what)
{
    *w = (struct work){.job = job, .what = what};
    w->request.data = w;
    begin(f, &w->op, "work", work_cancel);
    uv_queue_work(loop_uv(), &w->request, work_run, work_done);
}
