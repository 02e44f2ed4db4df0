/* connection_body.h - what a request says about a connection. */
#pragma once
#include "../request.h"
#include "store/connections.h"

/* All of a new one, with its defaults. What is wrong is noted. */
void connection_body_new(struct request *q, struct connection_add *c);
/* What is to be otherwise. A password goes to no other host than it was given
 * for: with another address it must be given again. */
void connection_body_change(struct request *q, struct connection_add *c);
