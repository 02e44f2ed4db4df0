/* scheduler.h - the service that asks the questions of schedules and delivers
 * their webhooks. Each worker has one; together they do each thing once. */
#pragma once
#include "../agent_state.h"
#include "net/http_client.h"
#include "store/schedules.h"

/* Starts the service. */
void scheduler_open(struct agent *a);
/* Ends it soon; a->scheduler is NULL once it has. The agent is closing. */
void scheduler_close(struct agent *a);

struct webhook_due;

/* Signs and sends one webhook, and stores what became of it. A subflow. */
struct webhook_send {
    const struct agent *agent;
    const struct webhook_due *due;
    /* private */
    struct http_call call;
    struct str headers[4];
    struct str secret;
    struct webhook_done done;
};
struct next webhook_send_begin(struct flow *f);
