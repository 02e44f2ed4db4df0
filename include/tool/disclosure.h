/* disclosure.h - what of the data a model may see: here and nowhere else it is
 * decided.
 *
 *   share       as set for the connection (store/connections.h):
 *     all         every row
 *     aggregates  results of queries that tell only of groups of rows
 *                 (guard.h, aggregated), and what was made of those alone
 *     none        names and types of columns, numbers of rows
 *   rows        a result's values
 *   derived     text that a program made of rows: what Python printed, the
 *               words of its checks, a table as a tool gives it
 *
 * Users see all of it; this is about what is sent to a model's server. What a
 * model wrote itself, and what a user typed, may go back to it. */
#pragma once
#include "artifact/artifact.h"
#include "store/connections.h"

bool disclose_rows(enum share_rows share, const struct sql_result *result);
/* Of what was made from all these results; NULL: from no one knows what. */
bool disclose_derived(enum share_rows share,
                      const struct step_results *made_of);
/* A database's sentence may quote a value, unless it is about the query's text
 * alone. */
struct str disclose_error(enum share_rows share, struct str error,
                          bool about_text);
/* The report of checks as a model may read it; in the arena. */
struct str disclose_report(struct arena *a, enum share_rows share,
                           const struct verification_report *report,
                           const struct step_results *made_of);
/* Why it failed, for a revision; likewise. */
struct str disclose_diagnosis(struct arena *a, enum share_rows share,
                              const struct verification_report *report,
                              const struct step_results *made_of);

/* A line in the place of what is not shown. */
extern const struct str not_disclosed;
