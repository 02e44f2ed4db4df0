/* output.c - does a query have an output column of a given name? */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

/* Comparisons that one query may cost: thousands of names against thousands of
 * outputs would hold up the loop for seconds. */
enum { MAX_COMPARISONS = 20000 };

static bool may_compare(struct walk *walk)
{
    return walk->comparisons++ < MAX_COMPARISONS;
}

/* False only when the target certainly has another name. */
static bool target_may_be(const json_t *target, struct str name)
{
    struct str known = node_target_name(target);
    return !known.ptr || str_eq(known, name);
}

bool query_may_output(struct walk *walk, const json_t *query,
                      const json_t *columns, struct str name)
{
    const json_t *select = node_leftmost(node_inside(query, "SelectStmt"));
    const json_t *targets = json_object_get(select, "targetList");
    size_t renamed = json_array_size(columns);
    if (!targets)
        return true;
    for (size_t i = 0; i < renamed; i++)
        if (!may_compare(walk) || str_eq(node_name(columns, i), name))
            return true;
    for (size_t i = renamed; i < json_array_size(targets); i++)
        if (!may_compare(walk) || target_may_be(node_target(targets, i), name))
            return true;
    return false;
}

bool query_outputs(struct walk *walk, const json_t *select, struct str name)
{
    const json_t *targets = json_object_get(select, "targetList");
    for (size_t i = 0; i < json_array_size(targets) && may_compare(walk); i++) {
        const json_t *result = node_target(targets, i);
        if (str_eq(json_get_text(result, "name"), name))
            return true;
    }
    return false;
}
