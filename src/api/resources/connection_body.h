/* connection_body.h - the body of a request that creates or changes a
 * connection. */
#pragma once
#include "../request.h"
#include "store/connections.h"

/* What is wrong with a time zone that does not exist. */
extern const char connection_no_zone[];

/* Reads a new connection, with defaults. Problems are noted. */
void connection_body_new(struct request *q, struct connection_add *c);
/* Reads the changed fields. If the address changes, the password must be given
 * again, so that it is not sent to another host. */
void connection_body_change(struct request *q, struct connection_add *c);
