/* fake_world.h - fault injection: counts the ops of the fakes and decides how each
 * of them ends.
 *
 *   op     any op of any flow; counted as it begins
 *   deed   an op of a fake: a statement, a read, an exchange
 *
 * A fake describes a deed (its effect and its answer); the world executes it in
 * virtual time, with or without a fault. */
#pragma once
#include "loop/flow.h"
#include "loop/timer.h"
#include <stdbool.h>

enum trouble {
    TROUBLE_NONE,
    TROUBLE_FAILS,         /* deed k fails */
    TROUBLE_OUTAGE,        /* deed k and those of its kind after it fail */
    TROUBLE_LONG_OUTAGE,   /* the same, so long that leases run out */
    TROUBLE_LOSES_ANSWER,  /* deed k happens, but its answer is lost */
    TROUBLE_NEVER,         /* deed k never answers by itself */
    TROUBLE_CANCEL,        /* the run is cancelled as op k begins */
    TROUBLE_CANCEL_INSIDE, /* the same in the middle of deed k */
    TROUBLE_CANCEL_LATE, /* as TROUBLE_CANCEL, and deeds stop in their own time */
    TROUBLE_SUCCEEDS_LATE, /* as TROUBLE_CANCEL, and the deeds in flight still succeed */
    TROUBLE_FAILS_CANCEL, /* deed k fails, then the run is cancelled */
    TROUBLE_TAKEN, /* as deed k begins, another process takes the run over */
    TROUBLE_TAKEN_CANCELLED,  /* the same, and its user cancels it meanwhile */
    TROUBLE_CANCEL_ELSEWHERE, /* deed k never answers, and another process is
                                 asked to cancel the run */
    TROUBLE_CANCEL_HEARD,     /* the same, and that process is heard at once */
    TROUBLE_RELEASE, /* as op k begins, the process gives up its runs */
    TROUBLE_MEMORY,  /* the k-th block of an arena is refused */
    TROUBLE_COUNT
};

/* A value of the data, which messages of failed reads contain. */
#define FAKE_VALUE "Sesame"

enum deed_kind { DEED_QUERY, DEED_READ, DEED_HTTP };

struct deed {
    struct op *op;
    enum deed_kind kind;
    const char *name;
    struct timer timer;
    enum err ends; /* how it will answer */
    unsigned ms;   /* how long it takes */
    bool fails, never, lost, inside;
    /* It takes effect: fills in what the op gives back. Called once, also for a
     * deed whose answer is lost. */
    void (*effect)(struct deed *d);
    /* Fills in what a failure gives back; answers how it ends. */
    enum err (*failure)(struct deed *d);
    void (*half)(struct deed *d); /* or NULL: the half of the effect */
    void (*done)(struct deed *d); /* or NULL: before it is freed */
};

extern struct world {
    /* In */
    enum trouble trouble;
    unsigned at;          /* k, from 1 */
    unsigned outage_most; /* statements that fail in an outage */
    void (*cancel)(void);
    void (*taken)(void);
    void (*release)(void);
    void (*ask_cancel)(void);  /* marks the row */
    void (*tell_cancel)(void); /* and says so */
    bool telling;              /* each deed is printed */
    /* Out */
    unsigned ops, deeds, in_flight;
    uint64_t struck_ms;
    unsigned behind; /* reads and exchanges begun in a later ms */
    unsigned outage_failed;
    bool struck;     /* the trouble came */
    const char *hit; /* name of the deed, or op, that it came to */
} world;

/* Resets everything; counts ops from here on. */
void world_begin(enum trouble trouble, unsigned at);
void world_end(void);
/* The number of places for a fault since `world_begin`. */
struct case_counts {
    unsigned ops, deeds, blocks;
};
struct case_counts world_counts(void);
const char *trouble_word(enum trouble t);
/* Whether k counts ops (else deeds, or blocks). */
bool trouble_counts_ops(enum trouble t);

/* Call it in the fake's begin function, after `begin`. d is heap memory, which the
 * world frees after the answer. */
void deed_begin(struct deed *d);
/* Call it in the fake's cancel function. */
void deed_cancel(struct deed *d);
/* Ends a deed early, at the fake's own deadline. */
void deed_over(struct deed *d, enum err how);
