/* supervisor.h - `sextant serve`: keeps a server's processes alive.
 *
 * Holds the lock of $SEXTANT_HOME, runs PostgreSQL and the sandbox where no
 * address of one is set, has the schema brought up to date, makes a listening
 * socket for each worker and keeps the workers running. It speaks no HTTP and no
 * SQL and is a small program of its own, sextant-supervisor, so that it stays
 * within 4 MB.
 *
 *   SIGTERM, SIGINT  workers drain (DRAIN_MS), then the sandbox, then
 *                    PostgreSQL; exit 0. A second one: at once
 *   SIGUSR1          workers log their live flows
 *   SIGHUP           the settings are read anew; workers of the new ones take
 *                    over the listening sockets, then the old ones drain. Bad
 *                    settings are told, and the old ones stay
 *
 * Started by systemd with Type=notify it says when it is ready, reloads and
 * stops, and feeds the watchdog; sockets handed over (LISTEN_FDS) are used in
 * place of HOST and PORT.
 *
 * `cluster` is the same without workers, for one command's own time: it writes a
 * byte to descriptor 3 when the database is ready, and then, when the sandbox is
 * (or never will be), another one. */
#pragma once

int cmd_serve(int argc, char **argv);   /* argv[0] is "serve" */
int cmd_cluster(int argc, char **argv); /* "cluster" */
