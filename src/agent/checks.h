/* checks.h - what code checks of a run's results, whatever the model or the
 * sandbox do.
 *
 *   tables_and_columns  every name in the SQL is the model's
 *   joins_follow_model  joins follow the model's relationships
 *   fan_out             no measure is summed over what a join repeats
 *   expected_columns    what the query said it would return came back
 *   row_count           there are rows
 *   not_truncated       all rows were read
 *   grain_unique        rows are told apart by what they are broken down by
 *   keys_not_null       no key is missing
 *   measures_not_null   no measure is missing
 *   totals_agree        the same measure adds up to the same in all steps
 *
 * Each stands once in the report, for all steps together; one that has nothing
 * to look at is left out. Pure. */
#pragma once
#include "artifact/artifact.h"
#include "ontology/judgements.h"

enum { CHECKS_BY_CODE = 10 };

struct checks_of {
    const struct ontology *ontology;
    struct query_judgements *judged; /* NULL: none are remembered */
    const struct plan *plan;
    const struct query_specs *queries; /* NULL: none */
    const struct step_results *results;
    const struct str *full_data; /* beside the results: rows as JSON */
};

/* Decides what a report says: its status and `passed`. Nothing else may, so that
 * no report passes when the checks did not run (`ran`), when one of severity fail
 * failed, or when no step read the database: an empty result is a result, a
 * query that failed is none. */
void checks_decide(struct verification_report *report,
                   const struct step_results *results, bool ran);
/* Whether a query of any step gave rows, or the answer that there are none. */
bool checks_have_data(const struct step_results *results);

/* Writes them to `out`, which holds CHECKS_BY_CODE; answers how many. */
size_t checks_by_code(struct arena *arena, const struct checks_of *of,
                      struct verification_check *out);
