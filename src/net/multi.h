/* multi.h - curl's multi handles on the loop: a uv_poll for each socket, a
 * timer for each handle. There are two handles, because the limit of
 * connections to a host belongs to the handle: one for HTTP/2 (few connections,
 * many streams), one for the rest. */
#pragma once
#include "transfer.h"

/* `connections`: how many each handle keeps, busy or idle; with fewer than can
 * be busy, none would ever be reused. `soon` is called when multi_run_due has
 * something to do. */
void multis_open(unsigned connections, void (*soon)(void));
void multis_close(void);
/* Gives the transfer to curl. */
void multi_add(struct transfer *t);
/* Takes it back, if curl has it; never inside curl. */
void multi_remove(struct transfer *t);
/* Lets curl ask for the rest of a body whose reader had no bytes; never inside
 * curl. */
void multi_resume(struct transfer *t);
/* Runs curl if it asked to run at once. May call transfer_finished. */
void multi_run_due(void);
/* Whether curl is calling one of our callbacks. */
bool multi_inside_curl(void);
