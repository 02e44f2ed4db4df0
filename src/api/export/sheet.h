/* sheet.h - rows as an Excel workbook with one sheet (ECMA-376, Office Open
 * XML), written row by row.
 *
 * Numbers are numbers if Excel keeps all their digits (15; float columns
 * always). Dates and times are dates if Excel's calendar has them. Booleans are
 * booleans, SQL's NULL is no cell. Everything else is text, and a text is never
 * a formula. Times with a zone are in UTC. A text longer than 32,767 UTF-16
 * units is cut; characters that XML cannot hold are escaped as _xHHHH_
 * (ECMA-376, ST_Xstring). The first row has the column names and does not
 * scroll. */
#pragma once
#include "zip.h"

enum { SHEET_ROWS_MOST = 1048575 }; /* plus the names */

struct sheet {
    struct zip zip;
    struct buf row;    /* of XML */
    struct str *types; /* copies */
    size_t n, rows;
};

/* Begins a workbook. `types` are PostgreSQL's type names ("numeric",
 * "timestamptz"). Bytes are appended to `out`; its owner may clear it between
 * calls. */
void sheet_begin(struct sheet *s, struct buf *out, const struct str *names,
                 const struct str *types, size_t n);
/* Appends a row; a cell whose ptr is NULL is SQL's NULL. Returns false, and
 * writes nothing, when the sheet is full. */
bool sheet_row(struct sheet *s, const struct str *cells);
/* Appends the rest of the workbook. */
void sheet_end(struct sheet *s);
void sheet_done(struct sheet *s); /* frees its memory; a zeroed one has none */
