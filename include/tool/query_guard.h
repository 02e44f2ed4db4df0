/* query_guard.h - the guard as it applies to a query over an ontology and its
 * source.
 *
 * PostgreSQL's grammar judges every text that it can read. DuckDB also knows
 * syntax, functions, operators and types that PostgreSQL does not have: a text
 * that is refused only for one of these goes to the sandbox, whose own guard
 * decides (kind `policy`). Nothing is known of such a text: it counts as one
 * that shows single rows. */
#pragma once
#include "db/source.h"
#include "guard/guard.h"
#include "store/ontologies.h"

/* What a query over this ontology may read, and which SQL its source speaks;
 * `source` NULL: PostgreSQL's. */
struct guard_policy query_policy(const struct cached_ontology *ontology,
                                 const struct source *source);
/* Which SQL may be judged: only PostgreSQL's while the model hides something,
 * because nothing is known of what another engine's syntax reads. */
enum source_dialect query_dialect(const struct cached_ontology *ontology,
                                  const struct source *source);
/* Whether the query, which the guard has passed, reads nothing that the model
 * hides. False: *reason is a sentence, in the arena. */
bool query_keeps_hidden(struct arena *arena,
                        const struct cached_ontology *ontology, struct str sql,
                        struct str *reason);
/* Whether a query of the model's examples may be shown: it passes the guard, and
 * names nothing that the model hides. */
bool query_may_be_shown(struct arena *arena,
                        const struct cached_ontology *ontology,
                        const struct source *source, struct str sql);
/* Judges `sql`; *verdict has its memory in the arena, as after guard_check.
 * Answers whether the guard itself has passed the text, so that it may also run
 * on PostgreSQL. */
bool query_guard(struct arena *arena, const struct guard_policy *policy,
                 enum source_dialect dialect, struct str sql,
                 struct guard_verdict *verdict);
