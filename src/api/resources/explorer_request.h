/* explorer_request.h - reads what a request says of an exploration. */
#pragma once
#include "../request.h"
#include "agent/bridge.h"

/* Reads the body of POST /api/agentic-explore-bridge into `order`, whose texts
 * live as long as the request. What is wrong is noted. */
void explorer_order_read(struct request *q, struct bridge_order *order);
/* The field maxSteps, BRIDGE_STEPS when it is absent. What is wrong is noted. */
int explorer_steps_read(struct request *q);
