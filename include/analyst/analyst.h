/* analyst.h - questions about data answered without a language model.
 *
 * The analyst reads "<measure> by <dimension>, [filter], [time window], [top n],
 * [chart]" over any ontology, always in the same way, and says what it cannot do.
 * "Why is <value> falling?" is answered by a fixed set of queries: against all
 * other values, against the year before, by a few dimensions, and with the other
 * metrics that changed. A question is
 *
 *   understood   every word that matters has a meaning: the plan has steps, and
 *                its `ambiguities` list what was assumed
 *   talk         a greeting, or a question about the ontology itself
 *   refused      some words have no meaning here, or an answer would be wrong (a
 *                sum that a join would double): the plan is conversational, and
 *                the narrative names the words and says what can be asked
 *
 * Pure: no I/O, no clock, no state. Every function understands the question again
 * from the context, so phases may run in different processes. All results are in
 * `arena`. */
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
    int64_t today; /* in the source's time zone; days since 1970-01-01 */
};

/* Fills `plan`: analytical when there is something to compute, else
 * conversational. It passes plan_check. True when it has steps. */
bool analyst_plan(struct arena *arena, const struct analyst_context *context,
                  struct plan *plan);

/* Fills `specs` with a query for each SQL step of a plan that analyst_plan made
 * for the same context. Step 1 answers. The others compute the total of the same
 * rows without groups, look up which field holds a value, or count the rows that a
 * top n omits although they equal the last one shown. False: no query. */
bool analyst_queries(struct arena *arena, const struct analyst_context *context,
                     const struct plan *plan, struct query_specs *specs);

/* Python for a step that draws: reads the DataFrame step_1_data, leaves a figure
 * open and prints a line. Empty for other steps. */
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
};

/* The answer to the context's question, in Markdown. */
struct str analyst_narrative(struct arena *arena,
                             const struct analyst_context *context,
                             const struct analyst_findings *findings);

/* Rows of one dataset, counted for each group of its columns. */
struct analyst_count {
    size_t dataset;
    struct str *columns; /* of the dataset's table */
    struct str *names;   /* of the output, in the order of the columns */
    size_t n;            /* 0: all rows together */
    struct str name;     /* of the number */
};

/* Whether the question asks for just that, so that code without SQL can answer it:
 * no filter, period, ranking, share or join. Fills `count`. */
bool analyst_counts(struct arena *arena, const struct analyst_context *context,
                    struct analyst_count *count);

/* Whether the results show that the question has no answer: a value that no field
 * holds, or that several do. Fills `cannot` with the reason. */
bool analyst_cannot(struct arena *arena, const struct analyst_context *context,
                    const struct step_results *results,
                    struct cannot_answer *cannot);

/* An answer for a plan of any origin, in Markdown: what each step was for, and its
 * first rows. It needs no context and never fails. */
struct str analyst_results_narrative(struct arena *arena,
                                     const struct analyst_findings *findings);

/* Writes up to `most` questions that can be answered over this ontology into
 * `examples`. Returns how many. */
size_t analyst_examples(struct arena *arena, const struct ontology *ontology,
                        struct str *examples, size_t most);
