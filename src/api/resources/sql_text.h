/* sql_text.h - shared by the routes that take SQL from a person. */
#pragma once
#include "../request.h"
#include "store/sql_console.h"

/* Reads `sql` of the body as it was written, so that positions fit: 1 to
 * SQL_TEXT_MOST characters and not only white space; anything else is noted. */
void sql_text_of(struct request *q, struct str *out);
