/* flow.c - runs flows.
 *
 * A flow that can continue is in the ready queue. flow_turn takes it from there
 * and resumes it: a trampoline calls its steps, one after the other, until one
 * returns no next step. Subflows are a stack of frames, each with its part of
 * the stack arena; ops in flight are a list. A failure is noted in `failing`;
 * the next turn cancels the ops, waits for them and unwinds the frames. */
#include "loop/flow.h"
#include "base/compiler.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    UNKNOWN_SIZE = 1,   /* of what a void pointer or NULL points to, in GNU C */
    CHECKED_DEPTH = 64, /* frames below that are not checked */
    TRAIL = 16,
    STEPS_A_DRIVE = 32, /* then the flow goes to the end of the queue */
    STEPS_A_TURN = 2048,
    TURN_US = 10000, /* then the poll is due, whatever is ready */
};

struct cleanup {
    struct cleanup *up;
    void (*undo)(void *what);
    void *what;
};

/* A list that always has a spare entry: defer registers the resource first, and
 * only then allocates, which may run out of memory. */
struct cleanups {
    struct cleanup *list, *spare, first;
};

struct flow_frame {
    struct flow_frame *up;
    const char *name;
    void *locals;
    step_fn *then, *rescue;
    const char *then_name, *rescue_name;
    struct cleanups cleanups;
    struct arena_mark mark; /* of the stack arena, before this frame */
};

struct flow {
    struct flow *next_ready, *prev_live, *next_live;
    struct flow_frame *top;
    struct arena stack, kept;
    step_fn *resume;  /* the step to continue with */
    struct op *ops;   /* in flight */
    enum err failing; /* why it is unwinding; OK: it is not */
    enum err rescued; /* why the running rescue step was called */
    struct str why;   /* sentence of failing or rescued, in kept */
    struct timer deadline;
    struct cleanups kept_cleanups;
    bool stopped, queued, cancelling, ended;
    jmp_buf exhausted;
    struct flow_options options;
    struct str label;
    const char *trail[TRAIL];
    unsigned n_trail;
#if CHECKED_BUILD
    unsigned depth; /* of frames */
    size_t locals_sizes[CHECKED_DEPTH];
#endif
};

void (*flow_on_step)(struct flow *f, const char *name);
void (*flow_on_begin)(struct flow *f, struct op *op);

/* ---- the ready queue ---------------------------------------------------- */

static struct flow *ready_first, **ready_last = &ready_first;
static struct flow *live_first, *live_last;
static unsigned n_live;
static int steps_left;
static struct flow *stepping; /* whose step is running */

static void make_ready(struct flow *f)
{
    if (f->queued || f->ended)
        return;
    f->queued = true;
    f->next_ready = NULL;
    *ready_last = f;
    ready_last = &f->next_ready;
}

/* A flow may end while it is queued, because an op completed at once. */
static void leave_queue(struct flow *f)
{
    if (!f->queued)
        return;
    struct flow **at = &ready_first;
    while (*at != f)
        at = &(*at)->next_ready;
    *at = f->next_ready;
    if (!*at)
        ready_last = at;
    f->queued = false;
}

bool flow_any_ready(void)
{
    return ready_first != NULL;
}

unsigned flow_count(void)
{
    return n_live;
}

/* ---- frames ------------------------------------------------------------- */

static void cleanups_init(struct cleanups *c)
{
    c->spare = &c->first;
}

static void cleanups_add(struct cleanups *c, struct arena *arena,
                         void (*undo)(void *what), void *what)
{
    struct cleanup *one =
        c->spare ? c->spare : arena_new(arena, struct cleanup);
    *one = (struct cleanup){c->list, undo, what};
    c->list = one;
    c->spare = NULL;
    c->spare = arena_new(arena, struct cleanup);
}

#if CHECKED_BUILD

static void note_locals_size(struct flow *f, size_t size)
{
    if (f->depth < CHECKED_DEPTH)
        f->locals_sizes[f->depth] = size;
    f->depth++;
}

static void forget_locals_size(struct flow *f)
{
    f->depth--;
}

static bool locals_size_fits(const struct flow *f, size_t size)
{
    size_t known =
        f->depth > CHECKED_DEPTH ? UNKNOWN_SIZE : f->locals_sizes[f->depth - 1];
    return known == UNKNOWN_SIZE || known == size;
}

#else
#define note_locals_size(f, size) (void)(size)
#define forget_locals_size(f) (void)(f)
#define locals_size_fits(f, size) true
#endif

static void frame_push(struct flow *f, const char *name, void *locals,
                       size_t locals_size, struct flow_frame ends)
{
    struct arena_mark mark = arena_mark(&f->stack);
    struct flow_frame *frame = arena_new(&f->stack, struct flow_frame);
    *frame = ends;
    frame->up = f->top;
    frame->name = name;
    frame->locals = locals;
    note_locals_size(f, locals_size);
    frame->mark = mark;
    cleanups_init(&frame->cleanups);
    f->top = frame;
}

static void run_cleanups(struct cleanup **list)
{
    while (*list) {
        struct cleanup *c = *list;
        *list = c->up;
        c->undo(c->what);
    }
}

static void frame_pop(struct flow *f)
{
    struct flow_frame *frame = f->top;
    run_cleanups(&frame->cleanups.list);
    f->top = frame->up;
    forget_locals_size(f);
    arena_reset(&f->stack, frame->mark);
}

static void flow_end(struct flow *f)
{
    f->ended = true;
    leave_queue(f);
    timer_stop(&f->deadline);
    if (f->options.on_end)
        f->options.on_end(f, f->failing, f->options.who);
    run_cleanups(&f->kept_cleanups.list);
    *(f->prev_live ? &f->prev_live->next_live : &live_first) = f->next_live;
    *(f->next_live ? &f->next_live->prev_live : &live_last) = f->prev_live;
    n_live--;
    arena_done(&f->stack);
    arena_done(&f->kept);
    mem_free(f);
}

static void trail_add(struct flow *f, const char *name)
{
    f->trail[f->n_trail++ % TRAIL] = name;
    if (flow_on_step)
        flow_on_step(f, name);
}

/* Ends frames up to the nearest rescue and returns that step; without one, ends
 * all of them. */
static struct next unwind(struct flow *f)
{
    while (f->top) {
        step_fn *rescue = f->stopped ? NULL : f->top->rescue;
        const char *name = f->top->rescue_name;
        frame_pop(f);
        if (rescue) {
            trail_add(f, name);
            f->rescued = f->failing;
            f->failing = OK;
            return (struct next){rescue};
        }
    }
    return (struct next){NULL};
}

/* ---- driving ------------------------------------------------------------ */

static void on_exhausted(void *unused)
{
    (void)unused;
    if (stepping)
        longjmp(stepping->exhausted, 1);
}

void flow_arena_init(struct arena *arena, size_t limit)
{
    arena_init(arena, limit);
    arena->on_exhausted = on_exhausted;
}

/* Runs steps until the flow waits, fails, ends or has used its share. */
static void run_steps(struct flow *f, step_fn *first)
{
    struct next volatile n = {first};
    volatile int left = STEPS_A_DRIVE;
    struct flow *volatile outer = stepping;
    stepping = f;
    if (setjmp(f->exhausted) == 0) {
        while (n.step && left-- > 0 && f->failing == OK)
            n.step = n.step(f).step;
    } else {
        n.step = NULL;
        if (f->failing == OK) {
            f->failing = ERR_NO_MEMORY;
            f->why = STR("");
        }
    }
    stepping = outer;
    steps_left -= STEPS_A_DRIVE - left;
    if (f->failing != OK) {
        f->resume = NULL;
        make_ready(f);
    } else if (n.step) {
        f->resume = n.step;
        make_ready(f);
    } else if (!f->top) {
        flow_end(f);
    }
}

static void cancel_ops(struct flow *f)
{
    f->cancelling = true;
    struct op *next;
    for (struct op *o = f->ops; o; o = next) {
        next = o->next; /* cancel may complete it at once */
        op_cancel(o);
    }
}

static void resume_flow(struct flow *f)
{
    if (f->failing != OK && !f->cancelling)
        cancel_ops(f);
    if (f->ops)
        return;
    if (f->failing != OK) {
        f->cancelling = false;
        step_fn *rescue = unwind(f).step;
        if (rescue)
            run_steps(f, rescue);
        else
            flow_end(f);
    } else if (f->resume) {
        step_fn *step = f->resume;
        f->resume = NULL;
        run_steps(f, step);
    }
}

bool flow_turn(void)
{
    struct flow *last = NULL;
    steps_left = STEPS_A_TURN;
    for (struct flow *f = ready_first; f; f = f->next_ready)
        last = f; /* flows that become ready now run in the next turn */
    uint64_t until = clock_us() + TURN_US;
    while (steps_left > 0 && clock_us() < until && ready_first) {
        struct flow *f = ready_first;
        bool was_last = f == last;
        ready_first = f->next_ready;
        if (!ready_first)
            ready_last = &ready_first;
        f->queued = false;
        resume_flow(f);
        if (was_last)
            break;
    }
    return ready_first != NULL;
}

/* ---- what steps return -------------------------------------------------- */

struct next flow_go(struct flow *f, step_fn *step, const char *name)
{
    assert(!f->ops && "go with an op in flight");
    trail_add(f, name);
    return (struct next){step};
}

struct next flow_await(struct flow *f, step_fn *step, const char *name)
{
    trail_add(f, name);
    f->resume = step;
    if (!f->ops)
        make_ready(f); /* all ops have completed already */
    return (struct next){NULL};
}

struct next flow_call_sized(struct flow *f, step_fn *step, const char *name,
                            void *locals, size_t locals_size, step_fn *then,
                            const char *then_name, step_fn *rescue,
                            const char *rescue_name)
{
    frame_push(f, name, locals, locals_size,
               (struct flow_frame){.then = then,
                                   .then_name = then_name,
                                   .rescue = rescue,
                                   .rescue_name = rescue_name});
    return flow_go(f, step, name);
}

struct next back(struct flow *f)
{
    assert(!f->ops && "back with an op in flight");
    step_fn *then = f->top->then;
    const char *name = f->top->then_name;
    frame_pop(f);
    if (then)
        trail_add(f, name);
    return (struct next){then};
}

struct next fail_with(struct flow *f, enum err why, struct str text)
{
    assert(why != OK && "a failure has a reason");
    if (f->failing == OK) {
        f->why = text.len ? arena_str(&f->kept, text) : STR("");
        f->failing = why;
    }
    return (struct next){NULL};
}

struct next fail(struct flow *f, enum err why)
{
    return fail_with(f, why, STR(""));
}

struct next fail_because(struct flow *f, enum err why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_vprintf(&f->kept, format, args);
    va_end(args);
    return fail_with(f, why, text);
}

enum err failure(const struct flow *f)
{
    return f->failing != OK ? f->failing : f->rescued;
}

struct str failure_text(const struct flow *f)
{
    return f->why;
}

/* ---- ops ---------------------------------------------------------------- */

void begin(struct flow *f, struct op *op, const char *name,
           void (*cancel)(struct op *op))
{
    *op =
        (struct op){.owner = f, .name = name, .cancel = cancel, .next = f->ops};
    if (f->ops)
        f->ops->prev = op;
    f->ops = op;
    if (flow_on_begin)
        flow_on_begin(f, op);
}

void op_cancel(struct op *op)
{
    if (!op->owner || op->cancelled)
        return;
    op->cancelled = true;
    op->cancel(op);
}

static void on_op_deadline(struct timer *t)
{
    struct op *op = container_of(t, struct op, deadline);
    op->expired = true;
    op_cancel(op);
}

void op_deadline(struct op *op, uint64_t ms)
{
    timer_start(&op->deadline, ms, on_op_deadline);
}

void op_tolerate(struct op *op)
{
    op->tolerated = true;
}

void op_complete(struct op *op, enum err status)
{
    struct flow *f = op->owner;
    assert(f && "an op completes once");
    timer_stop(&op->deadline);
    if (status != OK && op->expired)
        status = ERR_TIMEOUT;
    op->status = status;
    op->owner = NULL;
    *(op->prev ? &op->prev->next : &f->ops) = op->next;
    if (op->next)
        op->next->prev = op->prev;
    if (status != OK && f->failing == OK && !op->tolerated) {
        f->failing = status;
        f->why = STR("");
    }
    make_ready(f);
}

/* ---- memory ------------------------------------------------------------- */

struct arena *flow_here(struct flow *f)
{
    return &f->stack;
}

struct arena *flow_keep(struct flow *f)
{
    return &f->kept;
}

void *flow_locals(struct flow *f, size_t size)
{
    assert(locals_size_fits(f, size) && "locals of another type");
    (void)size;
    return f->top->locals;
}

void defer(struct flow *f, void (*undo)(void *what), void *what)
{
    cleanups_add(&f->top->cleanups, &f->stack, undo, what);
}

void defer_kept(struct flow *f, void (*undo)(void *what), void *what)
{
    cleanups_add(&f->kept_cleanups, &f->kept, undo, what);
}

/* ---- flows -------------------------------------------------------------- */

/* Pushes the first frame. If there is no memory for it, the flow ends with
 * ERR_NO_MEMORY from the ready queue. */
static void push_first(struct flow *f, step_fn *first, void *locals,
                       size_t locals_size)
{
    struct flow *volatile outer = stepping;
    stepping = f;
    if (setjmp(f->exhausted) == 0) {
        frame_push(f, f->options.kind, locals, locals_size,
                   (struct flow_frame){0});
        f->resume = first;
    } else {
        f->failing = ERR_NO_MEMORY;
    }
    stepping = outer;
}

struct flow *flow_start_sized(step_fn *first, const char *name, void *locals,
                              size_t locals_size,
                              const struct flow_options *options)
{
    struct flow *f = mem_new(struct flow);
    f->options = *options;
    flow_arena_init(&f->stack, options->memory_limit);
    flow_arena_init(&f->kept, options->memory_limit);
    f->prev_live = live_last;
    *(live_last ? &live_last->next_live : &live_first) = f;
    live_last = f;
    n_live++;
    cleanups_init(&f->kept_cleanups);
    push_first(f, first, locals, locals_size);
    trail_add(f, name);
    make_ready(f);
    return f;
}

void flow_stop(struct flow *f, enum err why)
{
    if (f->stopped || f->ended)
        return;
    f->stopped = true;
    f->failing = why;
    f->why = STR("");
    make_ready(f);
}

void flow_cancel(struct flow *f)
{
    flow_stop(f, ERR_CANCELLED);
}

static void on_flow_deadline(struct timer *t)
{
    flow_stop(container_of(t, struct flow, deadline), ERR_TIMEOUT);
}

void flow_deadline(struct flow *f, uint64_t ms)
{
    if (ms)
        timer_start(&f->deadline, ms, on_flow_deadline);
    else
        timer_stop(&f->deadline);
}

void flow_label(struct flow *f, struct str label)
{
    f->label = arena_str(&f->kept, label);
}

struct str flow_get_label(const struct flow *f)
{
    return f->label;
}

static void child_ended(struct flow *f, enum err how, void *who)
{
    (void)f;
    struct child *c = who;
    c->flow = NULL;
    op_complete(&c->op, how);
}

static void child_cancel(struct op *op)
{
    struct child *c = container_of(op, struct child, op);
    if (c->flow)
        flow_cancel(c->flow);
}

void child_begin_named(struct flow *f, struct child *c, step_fn *first,
                       const char *name, void *locals, size_t locals_size,
                       const char *kind, size_t memory_limit)
{
    *c = (struct child){0};
    begin(f, &c->op, kind, child_cancel);
    c->flow =
        flow_start_sized(first, name, locals, locals_size,
                         &(struct flow_options){.kind = kind,
                                                .memory_limit = memory_limit,
                                                .on_end = child_ended,
                                                .who = c});
}

/* ---- for logs ----------------------------------------------------------- */

struct str flow_describe(const struct flow *f, struct arena *arena)
{
    struct buf out;
    buf_init(&out, arena);
    buf_str(&out, f->label.len ? f->label : str_of(f->options.kind));
    for (const struct flow_frame *frame = f->top; frame; frame = frame->up)
        buf_printf(&out, "%s%s", frame == f->top ? ": in " : " < ",
                   frame->name);
    for (const struct op *op = f->ops; op; op = op->next)
        buf_printf(&out, "%s%s%s", op == f->ops ? "; awaits " : ", ", op->name,
                   op->cancelled ? " (cancelled)" : "");
    unsigned from = f->n_trail > 8 ? f->n_trail - 8 : 0;
    for (unsigned i = from; i < f->n_trail; i++)
        buf_printf(&out, "%s%s", i == from ? "; lately " : ", ",
                   f->trail[i % TRAIL]);
    return buf_view(&out);
}

void flow_each(void (*visit)(struct flow *f, void *who), void *who)
{
    struct flow *next;
    for (struct flow *f = live_first; f; f = next) {
        next = f->next_live;
        visit(f, who);
    }
}
