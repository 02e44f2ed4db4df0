/* checks.h - the checks of a run's results by code, which need neither a model
 * nor the sandbox.
 *
 *   tables_and_columns  every name in the SQL is in the ontology
 *   joins_follow_model  joins follow the relationships of the ontology
 *   fan_out             no measure is summed over rows that a join repeats
 *   query_rules         no rule about the text of a query is broken; a broken
 *                       one (ontology/rules.h) takes its place by its own id
 *   expected_columns    the columns that the query announced came back
 *   row_count           there are rows
 *   period_applied      a query names the plan's period
 *   values_exist        the data have the values that an empty query looks for
 *   not_truncated       all rows were read
 *   cut_rows_not_summed  Python computes no figure from cut rows
 *   grain_unique        no two rows are of the same group
 *   keys_not_null       no key is NULL
 *   measures_not_null   no measure is NULL
 *   totals_agree        the same measure has the same total in all steps
 *
 * The report has each check once, for all steps together, and leaves out a
 * check that does not apply. Pure. */
#pragma once
#include "artifact/artifact.h"
#include "ontology/analysis_cache.h"

enum { CHECKS_BY_CODE = 14 + QUERY_RULES };

struct checks_of {
    const struct ontology *ontology;
    struct analysis_cache *judged; /* cache; NULL: none */
    const struct plan *plan;
    struct str question;               /* empty: not known */
    const struct query_specs *queries; /* NULL: none */
    const struct step_results *results;
    const struct str *full_data; /* for each result, its rows as JSON */
};

/* What a step is to answer, in words: its description, and the question too
 * when it is the only step or there is no plan. In the arena. */
struct str checks_question(struct arena *arena, const struct plan *plan,
                           struct str question, int64_t step);

/* Sets the status and `passed` of a report; nothing else may. A report does not
 * pass when the checks did not run (`ran`), when one of severity fail failed,
 * when no query succeeded, or when a result is all NULL and no other has a
 * value: then it is skipped, and `diagnosis` says why. An empty result counts as
 * a success. */
void checks_decide(struct verification_report *report,
                   const struct step_results *results, bool ran);
/* The messages of the failed checks of severity fail, as one text. */
struct str checks_failures(struct arena *arena,
                           const struct verification_report *report);

/* Runs the checks and writes them to `out`, which has room for CHECKS_BY_CODE.
 * Returns how many apply; texts are in the arena. */
size_t checks_by_code(struct arena *arena, const struct checks_of *of,
                      struct verification_check *out);
