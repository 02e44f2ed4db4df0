/* expression.h - reads an OSI `expression` and checks whether it is SQL. */
#pragma once
#include "guard/guard.h"
#include "reader.h"

struct expression {
    struct str text;    /* empty: there was none, or it was wrong */
    struct str dialect; /* empty: ANSI_SQL */
    const struct tree *at;
};

/* Reads a text, a list of dialects, a mapping with `dialects`, or one with
 * `dialect` and `expression`. `node` may be NULL. Records errors, and a
 * warning if there is no ANSI_SQL. */
struct expression osi_expression_read(struct osi_reader *reader,
                                      const struct tree *node);

/* Parses the expression as SQL; warns if it is not SQL, or not allowed in a
 * query. True: *verdict has the columns that it names. A dialect that is not
 * SQL gives false without a warning. */
bool osi_expression_check(struct osi_reader *reader, const struct expression *e,
                          struct guard_verdict *verdict);
