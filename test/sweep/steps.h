/* steps.h - every step that the agent's files define (made by steps.py). */
#pragma once

struct step_name {
    const char *step, *file; /* step NULL ends the list */
};
extern const struct step_name step_names[];
