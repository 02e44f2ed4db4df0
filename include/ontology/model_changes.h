/* model_changes.h - what is different between two versions of a semantic model,
 * in words: "Description of orders.total changed". Pure. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { CHANGES_MOST = 100 };

/* One sentence without a period for each difference, in the order of the model;
 * at most CHANGES_MOST, the last one then says how many others there are. Both
 * models are what osi_read_all gives as `all`. In `arena`. */
struct str_list model_changes(struct arena *arena,
                              const struct ontology *before,
                              const struct ontology *after);
