/* first_admin.h - while nobody can sign in, an admin is made at the start of a
 * server, and its password said once: on standard error, which is the terminal
 * or the log of whoever started it. */
#pragma once
#include "config/config.h"
#include "store/store.h"

#define FIRST_ADMIN_SAYS "The first admin is "

struct first_admin_work;
struct first_admin_made {
    struct store *store;
    const struct config *config;
    struct first_admin_work *work; /* private */
};
/* A subflow. Does nothing where tokens come from another server. */
struct next first_admin_made_begin(struct flow *f);
