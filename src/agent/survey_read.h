/* survey_read.h - looks at the data of some datasets on a model's behalf: dates
 * and values for its prompt (ontology/survey.h).
 *
 * What is seen is kept with the ontology for SURVEY_KEPT_MS. The queries pass
 * the guard like any other, each has a short time, and all of them together
 * too; one that fails leaves its part out. No value is asked for when the
 * connection shares none, and of a connection that shares aggregates only values
 * that several rows have are shown. */
#pragma once
#include "agent/run.h"

enum {
    SURVEY_KEPT_MS = 10 * 60 * 1000,
    SURVEY_FAILED_MS = 60 * 1000, /* until a failed look is repeated */
    SURVEY_DATASETS = 8,          /* looked at for one prompt */
    SURVEY_QUERY_MS = 2000,
    SURVEY_ALL_MS = 6000,
};

struct survey_read {
    struct run *run;
    const size_t *datasets;
    size_t n_datasets;
    struct arena *memory; /* of the texts */
    bool for_people;      /* also for a provider that reads no prompts */
    bool widens; /* looks at neighbours, too; one with a value that the question
                    names becomes a dataset that the question is about */
    /* Out: lines; empty: nothing is known, or it may not be shown */
    struct str dates, values;
    /* private */
    struct tool_context context; /* the run's, with shorter times */
    struct query_tool query;
    struct surveyed_dataset seen; /* the fields of the present look */
    const struct str *times;      /* its row */
    int n_times;
    struct survey_found {
        size_t dataset, field;
        struct str text;
        int64_t rows;
        struct survey_found *next;
    } *found; /* by the search for words */
    struct survey_words words;
    struct value_hints hints;
    size_t n_given; /* of the datasets; neighbours follow */
    size_t at;
    uint64_t started_ms;
    bool gone; /* the source does not answer */
};
/* Subflow; locals are the survey_read, with its public fields set. Does nothing
 * for a provider that reads no prompts, unless it is for_people. Fails only if the run must end. */
step_fn survey_read_begin;
