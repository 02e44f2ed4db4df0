/* guard.h - `sextant guard`: judges queries without a database.
 *
 *   sextant guard [--relations a,b] "select …"
 *   sextant guard --jsonl [--relations a,b]
 *
 * The first form prints one line and exits with 0 (allowed), 1 (refused) or 2
 * (wrong use). The second reads one JSON string per line from standard input
 * and writes one object per line: {"ok":true,"relations":[…]} or
 * {"ok":false,"code":…, "reason":…,"position":…}. A line that is not a JSON
 * string, or is longer than GUARD_MAX_LINE bytes, gets the code "input". The
 * second form exits with 0. Without --relations every relation outside the
 * catalogs may be read. */
#pragma once

enum { GUARD_MAX_LINE = 1024 * 1024 };

/* Runs the command; argv[0] is "guard". Returns the exit status. */
int cmd_guard(int argc, char **argv);
