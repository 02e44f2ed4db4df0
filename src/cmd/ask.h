/* ask.h - what the files of `sextant ask` share. */
#pragma once
#include "base/json.h"
#include "artifact/vocabulary.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- progress.c: the phases while they run, on standard error ----------- */

struct progress {
    bool silent;
    bool live; /* a terminal: one line that changes */
    bool colours;
    char phase[40], doing[120];
    uint64_t phase_since;
    unsigned turn; /* of the spinner */
    bool open;     /* a line stands without its end */
    bool begun;    /* the run has got somewhere; until then `held` waits */
    char held[512];
};

/* On a terminal one line that changes; else a line for each step, from the first
 * phase's end on, so that a run that fails at once leaves its error alone. */
void progress_init(struct progress *p, bool silent);
void progress_event(struct progress *p, struct str type, const json_t *data);
void progress_tick(struct progress *p); /* now and then: the spinner turns */
void progress_end(struct progress *p);

/* ---- ask_show.c: the whole answer, on standard output ------------------- */

struct shown {
    bool colours;
    const char *charts; /* folder that charts are saved in */
};

/* `data` is the last event's. */
void ask_show(const struct shown *how, const json_t *data);
/* Whether a file is a terminal, and colours are wanted (NO_COLOR). */
bool colours_for(int fd);
