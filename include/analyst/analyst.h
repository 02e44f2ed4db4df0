/* analyst.h - questions about data answered without a language model.
 *
 * The built-in provider. It reads "<measure> by <dimension>, [filter], [time
 * window], [top n], [chart]" over any model, always in the same way, and says
 * plainly what it cannot do. "Why is <value> falling?" it takes apart in one fixed
 * way: beside all others, beside the year before, by a few dimensions, and with
 * the metrics that moved too. A question is
 *
 *   understood   every word of it that matters has a meaning: then it is a plan
 *                with steps, and what was taken for granted is in `ambiguities`
 *   talk         greetings, questions about the model itself
 *   refused      some words mean nothing to it, or an answer would be wrong (a
 *                sum that a join would double): a conversational plan, whose
 *                narrative names the words and says what can be asked
 *
 * Pure: no I/O, no clock, no state. Each function derives the analysis anew from
 * the question and the earlier ones, so the phases may run apart, in any
 * process. All they give lives in `arena`. */
#pragma once
#include "artifact/artifact.h"
#include "base/arena.h"
#include "base/str.h"
#include "ontology/model.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analyst_context {
    const struct ontology *ontology;
    struct str question;
    const struct str *earlier; /* questions of this chat, the oldest first */
    size_t n_earlier;
    int64_t today; /* days since 1970-01-01 */
    /* "Last 6 months" counts back from `today`; else, the usual case, from the
     * latest date that the data holds. */
    bool from_today;
};

/* The plan: analytical when there is something to compute, else conversational.
 * plan_check holds of it. True when it has steps. */
bool analyst_plan(struct arena *arena, const struct analyst_context *context,
                  struct plan *plan);

/* A query for each SQL step of the plan, which came from analyst_plan for the
 * same context: step 1 answers; further ones compute the total of the same rows
 * without a breakdown, look up which field holds a value, or count what a top n
 * leaves out though it equals the last one shown. False: none. */
bool analyst_queries(struct arena *arena, const struct analyst_context *context,
                     const struct plan *plan, struct query_specs *specs);

/* Python for a step that draws: takes the DataFrame step_1_data, leaves a
 * figure open and prints a line. Empty when the step is none of that kind. */
struct str analyst_python(struct arena *arena,
                          const struct analyst_context *context,
                          const struct plan *plan,
                          const struct plan_step *step);

/* Python that checks the DataFrames step_N_data and prints one line of JSON,
 * {"checks": [{"name", "passed", "severity", "message"}]}. */
struct str analyst_verification(struct arena *arena,
                                const struct analyst_context *context,
                                const struct plan *plan,
                                const struct step_results *results);

struct analyst_findings {
    const struct plan *plan;
    const struct step_results *results;       /* NULL: nothing ran */
    const struct verification_report *report; /* NULL: not verified */
    const struct cannot_answer *cannot;       /* NULL: it could be answered */
    const struct str *caveats;
    size_t n_caveats;
};

/* The answer in Markdown. */
struct str analyst_narrative(struct arena *arena,
                             const struct analyst_context *context,
                             const struct analyst_findings *findings);

/* The same for steps of any origin, from the results alone: what each was for and
 * its first rows, in Markdown. Takes what was found; never fails, though the text
 * may say that there is nothing. */
struct str analyst_account(struct arena *arena,
                           const struct analyst_findings *findings);

/* A query that replaces one the database refused: there is none, so this is
 * empty and the step fails. */
struct str analyst_repair(struct arena *arena,
                          const struct analyst_context *context,
                          const struct query_spec *spec, struct str error);

/* Up to `most` questions that it can answer over this model, into `examples`.
 * Answers how many. */
size_t analyst_examples(struct arena *arena, const struct ontology *ontology,
                        struct str *examples, size_t most);
