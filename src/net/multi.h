/* multi.h - curl's multi handles on the loop: a uv_poll a socket, a timer a
 * multi. Two of them, since the limit of connections to one host is the multi's:
 * one for HTTP/2 (few connections, many streams), one for the rest. */
#pragma once
#include "transfer.h"

/* Keeps so many connections, busy or idle: with fewer than are busy at once none
 * would be used again. `soon` is called when multi_kick has something to do. */
void multis_open(unsigned connections, void (*soon)(void));
void multis_close(void);
void multi_add(struct transfer *t);
/* Takes it out of its multi; never inside curl. */
void multi_remove(struct transfer *t);
/* Runs what curl wants run at once. Calls transfer_finished. */
void multi_kick(void);
bool multi_inside_curl(void);
