/* report.h - the report of an exploration: the prompt for a model that writes
 * it, or its text by code. Pure; everything that comes in is hostile, and has
 * the bound of a request's body. */
#pragma once
#include "agent/prompt.h"

struct report_input {
    struct str question;
    struct str schema; /* JSON: [{name, type}]; may be empty */
    /* JSON: {summary, insights, executedQueries, charts}; may be empty */
    struct str results;
};

/* The prompt, in the arena. Long results are cut, and the prompt says so. */
struct llm_message *report_prompt(struct arena *arena,
                                  const struct report_input *in);
/* The report without a model, as Markdown in the arena: the summary, the
 * findings, each query with its rows, and the charts. */
struct str report_by_code(struct arena *arena, const struct report_input *in);
