/* disclosure.h - decides what of the data a model may see. Nothing else does.
 *
 *   share       the setting of the connection (store/connections.h):
 *     all         every row
 *     aggregates  results that describe only groups of rows (guard.h,
 *                 aggregated), and what was derived from those alone
 *     none        only names and types of columns, and numbers of rows
 *   rows        the values of a result
 *   derived     text that a program computed from rows: what Python printed,
 *               the details of checks, a tool's table
 *
 * Users see everything; this is about what is sent to a model's server. What a
 * model wrote itself, and what a user typed, may be sent back to it. */
#pragma once
#include "artifact/artifact.h"
#include "store/connections.h"

/* Whether the rows of a result may be sent. */
bool disclose_rows(enum share_rows share, const struct sql_result *result);
/* Whether text that was derived from these results may be sent; NULL: unknown
 * results. */
bool disclose_derived(enum share_rows share,
                      const struct step_results *made_of);
/* The database's error message, or a sentence in its place: a message may quote
 * a value, unless it is about the text of the query. */
struct str disclose_error(enum share_rows share, struct str error,
                          bool about_text);
/* The verification report in the form that may be sent; in the arena. */
struct str disclose_report(struct arena *a, enum share_rows share,
                           const struct verification_report *report,
                           const struct step_results *made_of);
/* The same for its diagnosis, which a revision starts from. */
struct str disclose_diagnosis(struct arena *a, enum share_rows share,
                              const struct verification_report *report,
                              const struct step_results *made_of);

/* The sentence in place of values that are not shown. */
extern const struct str not_disclosed;
