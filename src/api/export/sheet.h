/* sheet.h - rows as an Excel workbook of one sheet (ECMA-376, Office Open XML),
 * written as they come.
 *
 * Numbers are numbers where Excel keeps them whole (15 digits; float columns
 * always), dates and times are dates where its calendar has them, true and false
 * are that, SQL's NULL is no cell. All else is text, also what begins like a
 * formula: a text never is one. Times with a zone are in UTC. A text of more than
 * 32,767 UTF-16 units is cut, characters that XML cannot hold are escaped as
 * _xHHHH_ (ECMA-376, ST_Xstring). The first row has the columns' names and stays
 * in sight. */
#pragma once
#include "zip.h"

enum { SHEET_ROWS_MOST = 1048575 }; /* and the names */

struct sheet {
    struct zip zip;
    struct buf row;    /* of XML */
    struct str *types; /* copies */
    size_t n, rows;
};

/* `types` are PostgreSQL's names, "numeric" or "timestamptz"; bytes are appended
 * to `out`, which its owner may clear between calls. */
void sheet_begin(struct sheet *s, struct buf *out, const struct str *names,
                 const struct str *types, size_t n);
/* ptr NULL: SQL's NULL. False: the sheet is full, nothing was written. */
bool sheet_row(struct sheet *s, const struct str *cells);
void sheet_end(struct sheet *s);
void sheet_done(struct sheet *s); /* its memory; a zeroed one has none */
