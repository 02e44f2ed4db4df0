/* evidence.h - queries that show whether a part of a model is right: the value
 * of a metric, and how the rows of a relationship match. Pure; the guard checks
 * the texts before they run. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { EVIDENCE_ROWS = 100000 }; /* of the many side that are looked at */

/* `select (expression) as value from …` over the datasets that the metric names,
 * joined along relationships. Fields that are computed can be named, too. On
 * failure the text is empty and *problem is a sentence. In `arena`. */
struct str metric_value_sql(struct arena *arena, const struct ontology *o,
                            const struct metric *m, struct str *problem);

/* One row of counts: rows of the many side that were read, those with all
 * columns, those of them that match, rows of the one side, and different keys
 * there. In `arena`. */
struct str relationship_evidence_sql(struct arena *arena,
                                     const struct ontology *o,
                                     const struct relationship *r);
