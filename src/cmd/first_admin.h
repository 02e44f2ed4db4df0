/* first_admin.h - creates an admin when a server starts and no user has a
 * password. The password is printed once, to standard error, which is the
 * terminal or the log. */
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
/* Subflow. Does nothing if another issuer makes the tokens. */
struct next first_admin_made_begin(struct flow *f);
