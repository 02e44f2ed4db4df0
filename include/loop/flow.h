/* flow.h - flows: coroutines as chains of functions, run by the loop.
 *
 * A step is an ordinary function. It runs until it has to wait for something,
 * then returns what comes next: another step now (go), a step for when every op
 * it began has completed (await), a subflow and the step after it (call), the
 * same with a step for its failure (attempt), the end of this subflow (back),
 * or a failure (fail). docs/flow.md is the tutorial.
 *
 *   step     a function of a flow, named for what is true when it starts:
 *            plan_received, rows_fetched; only …_begin is an imperative
 *   op       one asynchronous operation: a query, a model call, a timer
 *   frame    one call of a subflow: its locals, its memory, its defers
 *   here     memory until the frame ends;  keep   memory until the flow ends
 *   rescue   the step that runs when a subflow has failed
 *   defer    what to undo when the frame ends, for whatever reason
 *   ready    a flow that can continue; the loop runs the ready queue once a
 *            turn, and nothing else runs steps
 *
 * The step after an await runs only if every op succeeded. A failure always
 * takes the same path: ops in flight are cancelled and awaited, frames end one
 * by one, their defers run, and the nearest rescue takes over. A stopped flow
 * (cancelled, or past its deadline) is never rescued, and a stop overrides a
 * failure that is still unwinding. So a step never checks whether another step
 * failed.
 *
 * op_complete and flow_cancel may be called from anywhere, because they only mark
 * the flow ready. No step runs inside a callback of curl, llhttp or libpq.
 *
 * Rules for an implementation of an op: it completes exactly once, also when it
 * is cancelled (cancel may complete it at once); its memory belongs to a frame
 * that cannot end before that; everything that can fail happens before begin().
 *
 * When memory is exhausted (an arena's limit, an empty heap), the flow whose
 * step asked for it fails. A step therefore owns nothing but arena memory and
 * what it gave to defer. Ops do not allocate from a flow outside its steps. */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/str.h"
#include "loop/timer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;
struct next {
    struct next (*step)(struct flow *f); /* NULL: waits, or has ended */
};
typedef struct next step_fn(struct flow *f);

/* ---- ops ---------------------------------------------------------------- */

struct op {
    struct flow *owner; /* NULL: not in flight */
    struct op *prev, *next;
    const char *name;
    void (*cancel)(struct op *op);
    struct timer deadline;
    enum err status; /* once it has completed */
    bool cancelled;  /* cancel() was called */
    bool expired;    /* by its deadline: the status becomes ERR_TIMEOUT */
    bool tolerated;  /* its failure does not fail the flow; see op_tolerate */
};

/* Puts the op in flight. `name` is for dumps ("query"), static text. `cancel`
 * is called at most once, and only while the op is in flight. */
void begin(struct flow *f, struct op *op, const char *name,
           void (*cancel)(struct op *op));
/* Cancels the op if it has not completed after ms; its status is then
 * ERR_TIMEOUT. A later call replaces the deadline. */
void op_deadline(struct op *op, uint64_t ms);
/* Lets the step after the await run even if this op fails; the step reads
 * op->status. For ops whose failure is data to the step (SQL that PostgreSQL
 * refuses). */
void op_tolerate(struct op *op);
/* Completes the op. */
void op_complete(struct op *op, enum err status);
/* Asks the op to end early; it still completes. For steps that no longer need
 * its result. Does nothing if it is not in flight. */
void op_cancel(struct op *op);

/* ---- what a step returns ------------------------------------------------ */

/* `locals` is a pointer to the subflow's struct, which its steps get back by
 * locals(f, T); it must live until the subflow ends. */
#define go(f, s) flow_go(f, s, #s)
#define await(f, s) flow_await(f, s, #s)
#define call(f, s, locals, then) \
    flow_call(f, s, #s, locals, then, #then, NULL, NULL)
#define attempt(f, s, locals, then, rescue) \
    flow_call(f, s, #s, locals, then, #then, rescue, #rescue)
/* For callers that know the step's name only at run time. */
#define flow_call(f, s, name, locals, ...) \
    flow_call_sized(f, s, name, locals, sizeof *(locals), __VA_ARGS__)
MUST_CHECK struct next flow_go(struct flow *f, step_fn *step, const char *name);
MUST_CHECK struct next flow_await(struct flow *f, step_fn *step,
                                  const char *name);
MUST_CHECK struct next flow_call_sized(struct flow *f, step_fn *step,
                                       const char *name, void *locals,
                                       size_t locals_size, step_fn *then,
                                       const char *then_name, step_fn *rescue,
                                       const char *rescue_name);
/* Ends the subflow; asserts that no op is in flight. */
MUST_CHECK struct next back(struct flow *f);
/* Fails the subflow, with the error's own sentence; */
MUST_CHECK struct next fail(struct flow *f, enum err why);
/* with another sentence, which must be safe for logs and users. */
MUST_CHECK struct next fail_because(struct flow *f, enum err why,
                                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));
MUST_CHECK struct next fail_with(struct flow *f, enum err why, struct str text);

/* In a rescue step: why it was called. In on_end: how the flow ended. The text
 * may be empty. */
enum err failure(const struct flow *f);
struct str failure_text(const struct flow *f);

/* ---- memory ------------------------------------------------------------- */

#define here(f, T) ((T *)arena_alloc(flow_here(f), sizeof(T)))
#define keep(f, T) ((T *)arena_alloc(flow_keep(f), sizeof(T)))
struct arena *flow_here(struct flow *f); /* of the innermost frame */
struct arena *flow_keep(struct flow *f); /* of the whole flow */
/* Makes an arena whose exhaustion fails the flow whose step asked for memory.
 * For memory that several flows of one run share. */
void flow_arena_init(struct arena *arena, size_t limit);
/* The struct that was passed to call, attempt or flow_start. Checked builds
 * assert that its type had the size of T. */
#define locals(f, T) ((T *)flow_locals(f, sizeof(T)))
void *flow_locals(struct flow *f, size_t size);
/* Calls `undo` when the frame ends; also when memory runs out in defer
 * itself. */
void defer(struct flow *f, void (*undo)(void *what), void *what);
/* The same at the end of the flow, after on_end; `what` must live until
 * then. */
void defer_kept(struct flow *f, void (*undo)(void *what), void *what);

/* ---- flows -------------------------------------------------------------- */

struct flow_options {
    const char *kind;    /* "run", "request": for dumps, static text */
    size_t memory_limit; /* bytes, for each of its two arenas; 0: none */
    /* Called once, when the flow ends; its memory is still valid then. */
    void (*on_end)(struct flow *f, enum err how, void *who);
    void *who;
};

/* flow_start(first, locals, options): starts a flow whose first step runs from
 * the ready queue. `locals` belongs to the caller and outlives the flow. */
#define flow_start(first, locals, ...) \
    flow_start_named(first, #first, locals, __VA_ARGS__)
#define flow_start_named(first, name, locals, ...) \
    flow_start_sized(first, name, locals, sizeof *(locals), __VA_ARGS__)
struct flow *flow_start_sized(step_fn *first, const char *name, void *locals,
                              size_t locals_size,
                              const struct flow_options *options);
/* Stops the flow with ERR_CANCELLED, or with another error. May be called from
 * anywhere; a second stop does nothing. */
void flow_cancel(struct flow *f);
void flow_stop(struct flow *f, enum err why);
/* Stops the flow with ERR_TIMEOUT after ms; 0 removes the deadline. */
void flow_deadline(struct flow *f, uint64_t ms);
/* Sets a name for logs and dumps ("run 1b4e…"); copied. */
void flow_label(struct flow *f, struct str label);
struct str flow_get_label(const struct flow *f);

/* A child flow, as an op: it completes when the child has ended. Cancelling it
 * cancels the child. If the child fails, so does the parent, unless the op is
 * tolerated. */
struct child {
    struct op op;
    struct flow *flow;
};
#define child_begin(f, c, first, locals, kind, memory_limit) \
    child_begin_named(f, c, first, #first, locals, sizeof *(locals), kind, \
                      memory_limit)
void child_begin_named(struct flow *f, struct child *c, step_fn *first,
                       const char *name, void *locals, size_t locals_size,
                       const char *kind, size_t memory_limit);

/* ---- for the loop, logs and tests --------------------------------------- */

/* Runs ready flows, within a budget of steps and time. True: more are ready. */
bool flow_turn(void);
bool flow_any_ready(void);
unsigned flow_count(void); /* flows that have not ended */

/* Describes the flow in one line: frames, ops in flight and the latest
 * steps. */
struct str flow_describe(const struct flow *f, struct arena *arena);
/* Visits all flows that have not ended, the oldest first. */
void flow_each(void (*visit)(struct flow *f, void *who), void *who);

/* Test seams: called with the name of each step, and for each op as it
 * begins. */
extern void (*flow_on_step)(struct flow *f, const char *name);
extern void (*flow_on_begin)(struct flow *f, struct op *op);
