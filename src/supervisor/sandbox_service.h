/* sandbox_service.h - our own Python sandbox, run as a service on a socket in
 * $SEXTANT_HOME/run. */
#pragma once
#include "config/config.h"
#include "config/home.h"
#include "service.h"

enum sandbox_state { SANDBOX_STARTING, SANDBOX_READY, SANDBOX_UNFIT };

struct sandbox_service {
    struct service service;
    const struct config *config;
    const struct home *home;
    const char *python, *program; /* sandbox/server.py */
    enum sandbox_state state;
    char problem[400]; /* why it is unfit, as a sentence */
};

/* Finds its programs. Returns false with *why. */
bool sandbox_service_init(struct arena *arena, struct sandbox_service *s,
                          const struct config *c, const struct home *home,
                          struct str *why);
/* Asks /health and sets `state`. Runs on another thread. */
void sandbox_service_look(void *sandbox_service);
