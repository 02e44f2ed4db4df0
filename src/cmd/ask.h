/* ask.h - what the files of `sextant ask` share. */
#pragma once
#include "base/json.h"
#include "artifact/vocabulary.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- progress.c: the phases while they run, on standard error ------------ */

struct progress {
    bool silent;
    bool live; /* on a terminal: one line that changes */
    bool colours;
    char phase[40], doing[120];
    uint64_t phase_since;
    unsigned turn; /* position of the spinner */
    bool open;     /* the line has not ended yet */
    bool begun;    /* the run has made progress; until then `held` waits */
    char held[512];
};

/* Shows progress on standard error. On a terminal it is one line that changes;
 * otherwise each step gets a line, from the end of the first phase on, so that
 * a run that fails at once prints only its error. */
void progress_init(struct progress *p, bool silent);
/* Shows what an event changes. */
void progress_event(struct progress *p, struct str type, const json_t *data);
/* call now and then: turns the spinner */
void progress_tick(struct progress *p);
void progress_end(struct progress *p);

/* ---- ask_show.c: the whole answer, on standard output -------------------- */

struct shown {
    bool colours;
    const char *charts; /* folder for charts */
};

/* Prints the last event of a run; `data` is its data. */
void ask_show(const struct shown *how, const json_t *data);
/* Whether a file is a terminal and colours are wanted (NO_COLOR). */
bool colours_for(int fd);
