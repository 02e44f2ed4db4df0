/* launch.h - starts a program as somebody else, tied to its parent.
 *
 *   sextant-supervisor launch [--uid N --gid N] [--as-bytes N]
 *       [--signal N] [--parent PID] -- program arguments…
 *
 * Gives up all groups and the user (when told), bounds the address space, opens
 * a session of its own, so that a terminal's signals do not reach it, asks for
 * `--signal` when the parent dies, and becomes the program. Not for people. */
#pragma once

/* argv[0] is "launch". Does not return when all went well. */
int cmd_launch(int argc, char **argv);
