/* guard.h - `sextant guard`: judges queries without a database.
 *
 *   sextant guard [--relations a,b] "select …"
 *   sextant guard --jsonl [--relations a,b]
 *
 * The first prints one line and exits with 0 (allowed), 1 (refused) or 2 (wrong
 * use). The second reads one JSON string a line from standard input and writes
 * one object a line: {"ok":true,"relations":[…]} or {"ok":false,"code":…,
 * "reason":…,"position":…}; a line that is no JSON string, or has more than
 * GUARD_MAX_LINE bytes, gets the code "input". It exits with 0. Without
 * --relations every relation outside the catalogs may be read. */
#pragma once

enum { GUARD_MAX_LINE = 1024 * 1024 };

/* argv[0] is "guard". Answers the exit status. */
int cmd_guard(int argc, char **argv);
