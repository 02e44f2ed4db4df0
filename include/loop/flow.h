/* flow.h - a run, a request, a service: told as a chain of steps on the loop.
 *
 * A step is an ordinary function. It works until it needs the world, then
 * returns what comes next: another step now (go), a step for when every op it
 * began has answered (await), a subflow and the step after it (call), the same
 * with a step for its failure (attempt), the end of this subflow (back), or a
 * failure (fail). Nothing else moves a flow.
 *
 *   step     names what is true on entry: plan_heard, rows_fetched; only
 *            …_begin is an imperative
 *   op       anything the loop will answer: a query, a model call, a timer
 *   frame    one call of a subflow: its locals, its memory, its defers
 *   here     memory until the frame ends;  keep   memory until the flow ends
 *   rescue   the step that takes over when a subflow failed
 *   defer    what to undo when the frame ends, whatever the reason
 *   ready    a flow that has something to do; the queue of them is run once a
 *            loop turn and is the only thing that drives flows
 *
 * Steps after an await run only if every op succeeded. A failure leaves the
 * story by one road: ops still in flight are cancelled and awaited, frames end
 * one by one, their defers run, and the nearest rescue takes over. A stopped
 * flow (cancelled, past its deadline) is never rescued, and a stop wins over a
 * failure that is still unwinding. So a step never tests for the failure of
 * another step.
 *
 * op_answer and flow_cancel may be called from anywhere; they only mark the flow
 * ready. No step ever runs inside a curl, llhttp or libpq callback.
 *
 * The law for adapters: an op answers exactly once, also when it is cancelled
 * (cancel may answer at once); its memory belongs to a frame that cannot end
 * before the answer; everything that can fail is done before begin().
 *
 * Exhausted memory (an arena's limit, an empty heap) fails the flow whose step
 * asked for it. A step therefore holds nothing but arena memory and what it gave
 * to defer. Adapters do not allocate from a flow outside its steps. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "loop/timer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;
struct next {
    struct next (*step)(struct flow *f); /* NULL: parked, or over */
};
typedef struct next step_fn(struct flow *f);

/* ---- ops ---------------------------------------------------------------- */

struct op {
    struct flow *owner; /* NULL: not in flight */
    struct op *prev, *next;
    const char *name;
    void (*cancel)(struct op *op);
    struct timer deadline;
    enum err status; /* after the answer */
    bool cancelled;  /* cancel() was called */
    bool expired;    /* by its deadline: the answer becomes ERR_TIMEOUT */
    bool tolerated;  /* its failure does not fail the flow; see below */
};

/* The op is in flight from here on. `name` is for dumps ("query"). */
void begin(struct flow *f, struct op *op, const char *name,
           void (*cancel)(struct op *op));
/* Cancels the op when it has not answered after ms; it then ends in
 * ERR_TIMEOUT. May be set anew while in flight. */
void op_deadline(struct op *op, uint64_t ms);
/* The step after the await runs also when this op fails, and reads op->status.
 * For adapters whose failure is data to the step (a query's SQL error). */
void op_tolerate(struct op *op);
void op_answer(struct op *op, enum err status);
/* Asks the op to end early; it still answers. For steps that lost interest. */
void op_cancel(struct op *op);

/* ---- steps -------------------------------------------------------------- */

#define go(f, s) flow_go(f, s, #s)
#define await(f, s) flow_await(f, s, #s)
#define call(f, s, locals, then) \
    flow_call(f, s, #s, locals, then, #then, NULL, NULL)
#define attempt(f, s, locals, then, rescue) \
    flow_call(f, s, #s, locals, then, #then, rescue, #rescue)
struct next flow_go(struct flow *f, step_fn *step, const char *name);
struct next flow_await(struct flow *f, step_fn *step, const char *name);
struct next flow_call(struct flow *f, step_fn *step, const char *name,
                      void *locals, step_fn *then, const char *then_name,
                      step_fn *rescue, const char *rescue_name);
struct next back(struct flow *f); /* asserts that no op is in flight */
struct next fail(struct flow *f, enum err why);
/* The same with a sentence for the log and, where it is safe, for the user. */
struct next fail_because(struct flow *f, enum err why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct next fail_with(struct flow *f, enum err why, struct str text);

/* Why the rescue step now running was called, or, in on_end, how it ended. */
enum err failure(const struct flow *f);
struct str failure_text(const struct flow *f); /* may be empty */

/* ---- memory ------------------------------------------------------------- */

#define here(f, T) ((T *)arena_alloc(flow_here(f), sizeof(T)))
#define keep(f, T) ((T *)arena_alloc(flow_keep(f), sizeof(T)))
struct arena *flow_here(struct flow *f); /* of the top frame */
struct arena *flow_keep(struct flow *f); /* of the whole flow */
/* An arena of the caller's own whose exhaustion fails the flow whose step asked
 * for the memory; for what several flows of one run share. */
void flow_arena_init(struct arena *arena, size_t limit);
#define locals(f, T) ((T *)flow_locals(f))
void *flow_locals(struct flow *f);
/* `undo` is called also when memory runs out in defer itself. */
void defer(struct flow *f, void (*undo)(void *what), void *what);
/* The same at the end of the flow, after on_end; `what` is kept memory. */
void defer_kept(struct flow *f, void (*undo)(void *what), void *what);

/* ---- flows -------------------------------------------------------------- */

struct flow_options {
    const char *kind;    /* "run", "request": for dumps, static text */
    size_t memory_limit; /* bytes of both arenas each; 0: none */
    /* Called once, as the last thing; the flow's memory is still there. */
    void (*on_end)(struct flow *f, enum err how, void *who);
    void *who;
};

/* Parks the flow at `first`; it runs from the ready queue. `locals` is the
 * caller's and outlives the flow. */
#define flow_start(first, ...) flow_start_named(first, #first, __VA_ARGS__)
struct flow *flow_start_named(step_fn *first, const char *name, void *locals,
                              const struct flow_options *options);
void flow_cancel(struct flow *f);             /* from anywhere; ERR_CANCELLED */
void flow_stop(struct flow *f, enum err why); /* the same with another reason */
/* Stops the flow with ERR_TIMEOUT after ms; 0 takes the deadline away. */
void flow_deadline(struct flow *f, uint64_t ms);
bool flow_stopped(const struct flow *f);
/* A name for logs and dumps, copied ("run 1b4e…"). */
void flow_label(struct flow *f, struct str label);
struct str flow_label_of(const struct flow *f);

/* A flow inside a flow, as an op: it answers when the child has ended. Cancel
 * cancels the child. The child's failure fails the parent unless tolerated. */
struct child {
    struct op op;
    struct flow *flow;
};
#define child_begin(f, c, first, locals, kind, memory_limit) \
    child_begin_named(f, c, first, #first, locals, kind, memory_limit)
void child_begin_named(struct flow *f, struct child *c, step_fn *first,
                       const char *name, void *locals, const char *kind,
                       size_t memory_limit);

/* ---- for the loop, logs and tests --------------------------------------- */

/* Runs what is ready, within a budget of steps. True: more is ready. */
bool flow_turn(void);
bool flow_any_ready(void);
unsigned flow_count(void); /* flows that have not ended */

/* One line: frames, ops in flight and the latest steps. */
struct str flow_tell(const struct flow *f, struct arena *arena);
/* Calls back for each live flow, the oldest first. */
void flow_each(void (*visit)(struct flow *f, void *who), void *who);

/* Test seams: called for each step's name, and for each op as it begins. */
extern void (*flow_on_step)(struct flow *f, const char *name);
extern void (*flow_on_begin)(struct flow *f, struct op *op);
