/* notify.h - reports the state of the server to systemd (sd_notify(3),
 * implemented by hand: datagrams to NOTIFY_SOCKET). Without that variable it
 * does nothing. */
#pragma once

/* Opens and closes the socket. */
void notify_open(void); /* once the loop is open */
void notify_close(void);
/* STATUS=Starting. Until the next state, a timer asks for more time
 * (EXTEND_TIMEOUT_USEC), so that systemd does not kill a server that waits for
 * its database. */
void notify_starting(void);
/* READY=1. From now on a timer feeds the watchdog (WATCHDOG_USEC), so that
 * systemd notices when the loop hangs. */
void notify_ready(void);
/* STOPPING=1. */
void notify_stopping(void);
/* RELOADING=1, with its timestamp. */
void notify_reloading(void);
