/* run_flow.h - for tests: one flow on the loop, to its end. */
#pragma once
#include "base/clock.h"
#include "loop/flow.h"
#include "loop/loop.h"
#include <stdio.h>
#include <stdlib.h>

struct run_flow {
    struct flow *flow;
    enum err how;
    bool ended;
};

static inline void run_flow_ended(struct flow *f, enum err how, void *who)
{
    struct run_flow *r = who;
    (void)f;
    r->how = how;
    r->ended = true;
}

static inline void run_flow_start(struct run_flow *r, step_fn *first,
                                  void *locals)
{
    *r = (struct run_flow){0};
    r->flow =
        flow_start(first, locals,
                   &(struct flow_options){
                       .kind = "test", .on_end = run_flow_ended, .who = r});
}

/* A test that hangs ends the program: the only bound on how long something may
 * take, for machines are slow and valgrind is slower. */
static inline void run_hangs(uint64_t begun)
{
    if (clock_ms() - begun > 100000) {
        fprintf(stderr, "a test hangs\n");
        abort();
    }
}

/* Turns the loop until *done. */
static inline void run_until(const bool *done)
{
    uint64_t begun = clock_ms();
    while (!*done) {
        loop_turn(true);
        run_hangs(begun);
    }
}

static inline enum err run_flow(step_fn *first, void *locals)
{
    struct run_flow r;
    run_flow_start(&r, first, locals);
    run_until(&r.ended);
    return r.how;
}
