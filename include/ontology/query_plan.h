/* query_plan.h - a QueryPlan: a query over one dataset as data, which code
 * turns into SQL. The same plan always gives the same text. Pure.
 *
 *   {"table": "orders",
 *    "select": [{"column": "city"},
 *               {"function": "count", "column": "*", "alias": "orders"}],
 *    "filters": [{"column": "status", "operator": "=", "value": "shipped"}],
 *    "group_by": ["city"],
 *    "order_by": [{"column": "orders", "direction": "desc"}],
 *    "limit": 50}
 *
 * Only `table` and `select` must be there. Names are those of the model, in any
 * case; they are looked up and written in quotes. Operators and functions come
 * from lists. A value is written as a literal of its column's type. So nothing
 * of a plan reaches the SQL as it is. */
#pragma once
#include "base/json.h"
#include "ontology/model.h"

enum {
    QUERY_PLAN_LIMIT = 200,         /* rows, when the plan has no limit */
    QUERY_PLAN_LIMIT_MOST = 100000, /* that a plan may ask for */
    QUERY_PLAN_ITEMS = 100,         /* of each list */
    QUERY_PLAN_VALUES = 1000,       /* of an `in` */
    QUERY_PLAN_TEXT = 10000,        /* bytes of one value */
};

/* The kinds of columns, which decide what may be done with them and how their
 * values are written. */
enum plan_kind {
    PLAN_UNKNOWN,
    PLAN_TEXT,
    PLAN_NUMBER,
    PLAN_BOOL,
    PLAN_DATE,
    PLAN_TIMESTAMP,
    PLAN_TIME,
};
/* The kind of a datatype of a model: "Decimal", "varchar(20)". */
enum plan_kind plan_kind_of(struct str datatype);

struct query_plan {
    const struct ontology *ontology;
    const json_t *plan;  /* a model wrote it: anything */
    struct arena *arena; /* of what comes out */
    /* Out */
    struct str sql;
    struct str
        problem; /* a sentence that begins with the path: "plan.limit: …";
                           empty: there is none */
};
/* Makes the SQL of a plan. False: `problem` says why not. */
bool query_plan_compile(struct query_plan *q);
