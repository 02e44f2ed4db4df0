/* supervisor.h - `sextant serve`: keeps the processes of a server alive.
 *
 * It takes the lock of $SEXTANT_HOME, runs PostgreSQL and the sandbox unless an
 * address is set, has the schema migrated, opens a listening socket for each
 * worker and keeps the workers running. It uses no HTTP and no SQL and is a
 * small program of its own, sextant-supervisor, so that it stays within 4 MB.
 *
 *   SIGTERM, SIGINT  workers drain (DRAIN_MS), then the sandbox and PostgreSQL
 *                    stop; exit 0. A second signal stops them at once
 *   SIGUSR1          workers log their live flows
 *   SIGHUP           reads the settings again; new workers take over the
 *                    listening sockets, then the old ones drain. Bad settings
 *                    are logged, and the old ones stay in effect
 *
 * Started by systemd with Type=notify, it reports when it is ready, reloads and
 * stops, and feeds the watchdog. Passed sockets (LISTEN_FDS) replace HOST and
 * PORT.
 *
 * `cluster` is the same without workers, for one command: it writes a byte to
 * descriptor 3 when the database is ready, and another one when the sandbox is,
 * or never will be. */
#pragma once

int cmd_serve(int argc, char **argv);   /* argv[0] is "serve" */
int cmd_cluster(int argc, char **argv); /* "cluster" */
