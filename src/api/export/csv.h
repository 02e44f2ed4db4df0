/* csv.h - rows as comma-separated values (RFC 4180), for programs and for
 * spreadsheets.
 *
 * Lines end in CRLF. A cell is quoted when it has to be; SQL's NULL is an empty
 * cell, the empty text is "". A spreadsheet takes a text that begins with = + -
 * @ (also full-width), tab or a line end for a formula: such a cell is quoted and
 * begins with an apostrophe (OWASP, "CSV Injection"), but for plain numbers. */
#pragma once
#include "base/buf.h"

/* ptr NULL: SQL's NULL. Cells that are not UTF-8 are repaired. */
void csv_row(struct buf *out, const struct str *cells, size_t n);
