/* osi_edit.h - changes a semantic model by its text, one thing at a time.
 *
 *   edit   {"op": "set", "kind": "field", "dataset": "orders", "name": "total",
 *           "values": {"label": "Order total", "synonyms": ["sum"]}}
 *          {"op": "add", "kind": "metric", "values": {"name": …, …}}
 *          {"op": "remove", "kind": "relationship", "name": …}
 *
 *   kind   model, dataset, field, metric, relationship; only the last two can
 *          be added and removed
 *   values label, description, instructions, synonyms, examples, hidden; name,
 *          expression and datatype of a metric; name, from, to, fromColumns and
 *          toColumns of a relationship. null removes what may be absent
 *
 * The text keeps its order, its unknown keys and, wherever an edit can be made
 * in its lines, its comments and layout (`rewritten` says when not). The caller
 * reads the new text with osi_read_all: what is not valid there must not be
 * kept. Pure. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "ontology/osi.h"

enum {
    EDITS_MOST = 20,
    EDIT_TEXT_MOST = 4000, /* characters of a description or instructions */
    EDIT_NAME_MOST = 255,
    EDIT_EXPRESSION_MOST = 8000,
    EDIT_ITEMS_MOST = 50, /* of a list; each has a name's length, an example
                             that of a text */
};

struct osi_edited {
    struct str text; /* the new text; in the arena or the old one */
    bool rewritten;  /* comments and layout are lost */
    /* Why it cannot be done: a sentence about `field` ("edits/0/values/label");
     * empty: it is done. */
    struct str problem, field;
    /* Where the metrics are whose expressions are new: "…/metrics/0". */
    struct str_list expressions;
};

/* Makes the edits, a JSON array, in their order. False if one cannot be made;
 * then nothing is changed. */
bool osi_edit(struct arena *arena, struct str text, const json_t *edits,
              struct osi_edited *out);

/* What is wrong with the expression of a metric that was edited: a warning of
 * the report, which is enough to refuse an edit; empty: nothing. */
struct str osi_edit_doubt(const struct osi_edited *edited,
                          const struct osi_report *report);
