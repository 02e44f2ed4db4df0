/* csv.h - rows as comma-separated values (RFC 4180), for programs and
 * spreadsheets.
 *
 * Lines end in CRLF. A cell is quoted only if necessary. SQL's NULL is an empty
 * cell, the empty text is "". Spreadsheets read a text that begins with = + - @
 * (also full-width), a tab or a line end as a formula; such a cell is quoted
 * and begins with an apostrophe (OWASP, "CSV Injection"), except for plain
 * numbers. */
#pragma once
#include "base/buf.h"

/* Appends a row. A cell whose ptr is NULL is SQL's NULL. Invalid UTF-8 is
 * repaired. */
void csv_row(struct buf *out, const struct str *cells, size_t n);
