/* notify.h - tells systemd how we stand (sd_notify(3), the protocol by hand:
 * datagrams to NOTIFY_SOCKET). Without one nothing is said. */
#pragma once

void notify_open(void); /* once the loop is open */
void notify_close(void);
/* "STATUS=Starting"; and until the next state is told, more time to start is
 * asked for from the loop (EXTEND_TIMEOUT_USEC): a server that waits for its
 * database is not killed for it. */
void notify_starting(void);
/* READY=1; and from here on feeds the watchdog (WATCHDOG_USEC) from the loop, so
 * that a loop that stands still is noticed. */
void notify_ready(void);
/* STOPPING=1. */
void notify_stopping(void);
/* RELOADING=1 with the time that goes with it. */
void notify_reloading(void);
