/* gather.h - looks up datasets on a model's behalf, with tool events: the
 * details of each (get_dataset_details), then some of its rows
 * (get_sample_data). */
#pragma once
#include "agent/run.h"

struct gather {
    struct run *run;
    enum phase phase;
    int64_t step_id;
    const size_t *datasets;
    size_t n_datasets;
    struct str samples; /* out: the rows as text for a prompt */
    /* private */
    struct arena memory; /* of the present call */
    size_t at;
    struct buf text;
    struct tool_run *tool;
    struct tracked_call *call;
};
/* Subflow; locals are the gather. */
step_fn gather_begin;
