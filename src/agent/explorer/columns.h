/* columns.h - the columns of the explored table, for those who write SQL. */
#pragma once
#include "base/buf.h"
#include "tools.h"

/* What can be asked of a column, by its type. */
enum column_class {
    COLUMN_NUMBER,
    COLUMN_TEXT,
    COLUMN_TRUTH,
    COLUMN_MOMENT, /* dates and times */
    COLUMN_OTHER,  /* lists, structs, bytes: only counted */
};

/* By DuckDB's name of the type or PostgreSQL's. */
enum column_class column_class(struct str type);
/* The column of that name, also in another case when only one is meant; NULL:
 * there is none. */
const struct explorer_column *column_find(const struct explorer_table *table,
                                          struct str name);
/* Appends the name as SQL, in double quotes. */
void column_put(struct buf *out, struct str name);
/* Appends the names of the columns for a sentence, up to 40 of them. */
void column_put_names(struct buf *out, const struct explorer_table *table);
