/* launch.h - starts a program as another user and ties it to its parent.
 *
 *   sextant-supervisor launch [--uid N --gid N] [--as-bytes N]
 *       [--signal N] [--parent PID] -- program arguments…
 *
 * It drops all groups and the user if requested, limits the address space,
 * opens a new session, so that a terminal's signals do not reach the program,
 * requests `--signal` for the parent's death, and executes the program. For
 * internal use. */
#pragma once

/* argv[0] is "launch". Returns only on failure. */
int cmd_launch(int argc, char **argv);
