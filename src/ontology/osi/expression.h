/* expression.h - what an OSI `expression` says, and whether it is SQL. */
#pragma once
#include "guard/guard.h"
#include "reader.h"

struct expression {
    struct str text;    /* empty: there was none, or it was wrong */
    struct str dialect; /* empty: ANSI_SQL */
    const struct tree *at;
};

/* From a text, a list of dialects, a mapping with `dialects`, or one with
 * `dialect` and `expression`. `node` may be NULL. Notes errors, and warns when
 * ANSI_SQL is not among the dialects. */
struct expression osi_expression_read(struct reader *reader,
                                      const struct tree *node);

/* Parses it as SQL and warns if it is none, or none that a query may hold.
 * When true, *verdict has the columns it names. Not asked of dialects that are
 * no SQL: false without a warning. */
bool osi_expression_check(struct reader *reader, const struct expression *e,
                          struct guard_verdict *verdict);
