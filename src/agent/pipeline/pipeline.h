/* pipeline.h - the six-phase agent's part of struct agent_kind (record.c). */
#pragma once
#include "agent/run.h"

bool pipeline_resume(struct flow *f, struct run *r,
                     const struct run_artifacts *stored);
struct str pipeline_digest(struct run *r);
size_t pipeline_datasets(struct run *r, struct str **names);
