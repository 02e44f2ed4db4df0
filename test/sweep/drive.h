/* drive.h - what the sweeps share: every trouble at every place where it can
 * come, as lines of TAP, and which steps of the code were seen. With
 * SWEEP_EVERY=n in the environment, at every n-th place, each trouble beginning
 * at another one. */
#pragma once
#include "fake_world.h"
#include "steps.h"
#include <stdbool.h>

/* One case with one trouble at its k-th place: whether all is as it should
 * be. */
typedef bool (*teller)(const void *one, enum trouble t, unsigned k,
                       struct case_counts *counts);

struct sweep {
    const char *name;
    const void *one; /* the argument of `tell` */
    teller tell;
    bool (*concerns)(const void *one, enum trouble t);
};

/* Turns the log off, and notes the steps that run. */
void drive_begin(void);
/* Undisturbed first; when that fails, no trouble is made. One line a
 * trouble. */
bool drive_undisturbed(const struct sweep *s, struct case_counts *whole);
void drive_trouble(const struct sweep *s, enum trouble t,
                   const struct case_counts *whole);
void drive_sweep(const struct sweep *s);
void drive_report(bool ok, const char *name, const char *what, unsigned cases);
/* Reports whether each step was seen; `elsewhere`, if any: those that are
 * called without their name. */
void drive_report_steps(bool (*elsewhere)(const char *step));
/* Prints the plan; returns the exit status. */
int drive_end(void);
