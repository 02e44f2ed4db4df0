/* sql_plan.c - see tool/sql_plan.h. Only listed members of a plan are read. */
#include "tool/sql_plan.h"
#include "base/utf8.h"
#include <ctype.h>
#include <string.h>
#include "base/banned.h"

enum {
    DEPTH_MOST = 250,
    DETAIL_CHARS = 2000,
    DETAIL_BYTES = 4 * DETAIL_CHARS, /* in UTF-8 */
    NAME_BYTES = 64
};

struct plan_form {
    const char *operation, *children;
    const char *about; /* the object that has the rest; NULL: the node itself */
    const char *schema, *relation, *alias, *rows, *startup, *cost, *width;
    const char *const *details;
};

static const char *const postgres_details[] = {"Join Type",
                                               "Strategy",
                                               "Subplan Name",
                                               "CTE Name",
                                               "Index Name",
                                               "Function Name",
                                               "Index Cond",
                                               "Recheck Cond",
                                               "Hash Cond",
                                               "Merge Cond",
                                               "Join Filter",
                                               "Filter",
                                               "Sort Key",
                                               "Presorted Key",
                                               "Group Key",
                                               "Command",
                                               "Order By",
                                               "Cache Key",
                                               "TID Cond",
                                               "One-Time Filter",
                                               "Conflict Filter",
                                               "Workers Planned",
                                               NULL};

static const char *const duckdb_details[] = {
    "Join Type",   "Conditions", "Condition",  "Filters",  "Filter",
    "Expression",  "Groups",     "Aggregates", "Order By", "Top",
    "Projections", "Function",   "CTE Name",   NULL};

static const struct plan_form plan_forms[] = {
    [DIALECT_POSTGRES] = {.operation = "Node Type",
                          .children = "Plans",
                          .schema = "Schema",
                          .relation = "Relation Name",
                          .alias = "Alias",
                          .rows = "Plan Rows",
                          .startup = "Startup Cost",
                          .cost = "Total Cost",
                          .width = "Plan Width",
                          .details = postgres_details},
    [DIALECT_DUCKDB] = {.operation = "name",
                        .children = "children",
                        .about = "extra_info",
                        .relation = "Table",
                        .rows = "Estimated Cardinality",
                        .details = duckdb_details}};

struct plan_reading {
    struct json_writer *w;
    const struct plan_form *form;
    const struct guard_policy *policy;
    bool open; /* names only what the policy lists */
};

static const json_t *about_of(const struct plan_form *form, const json_t *node)
{
    return form->about ? json_object_get(node, form->about) : node;
}

static struct str plan_text(const json_t *of, const char *name)
{
    return name ? json_get_text(of, name) : STR("");
}

/* Whether the node names no relation but listed ones. DuckDB's tables are those
 * of the request. */
static bool relation_is_known(const struct plan_reading *p, const json_t *about)
{
    struct str name = plan_text(about, p->form->relation);
    return !name.len || !p->form->schema ||
           guard_policy_lists(p->policy, plan_text(about, p->form->schema),
                              name);
}

/* ---- before anything is written ------------------------------------------- */

/* Whether it is a tree of nodes; notes whether it is open. */
static bool plan_fits(struct plan_reading *p, const json_t *node, int depth)
{
    const json_t *child;
    size_t i;
    if (depth > DEPTH_MOST || !json_get_text(node, p->form->operation).len)
        return false;
    p->open = p->open && relation_is_known(p, about_of(p->form, node));
    json_array_foreach(json_object_get(node, p->form->children), i,
                       child) if (!plan_fits(p, child, depth + 1)) return false;
    return true;
}

/* ---- the tree ------------------------------------------------------------- */

/* "SEQ_SCAN " as "Seq Scan". */
static void put_operation(struct json_writer *w, struct str name)
{
    char text[NAME_BYTES];
    size_t n = 0;
    bool within = false; /* a word */
    /* PostgreSQL's are in words already */
    bool shouts = name.len > 1 && isupper((unsigned char)name.ptr[1]);
    name = str_trim(name);
    for (; n < name.len && n + 1 < sizeof text; n++) {
        unsigned char c = (unsigned char)name.ptr[n];
        if (c == '_')
            c = ' ';
        text[n] = (char)(shouts && within ? tolower(c) : c);
        within = isalnum(c) != 0;
    }
    json_field_str(w, "operation", (struct str){text, n});
}

static void put_number(struct json_writer *w, const char *key,
                       const json_t *about, const char *name)
{
    const json_t *v = name ? json_object_get(about, name) : NULL;
    int64_t n;
    json_put_key(w, key);
    if (json_is_number(v))
        json_put_real(w, json_number_value(v));
    else if (str_to_int64(json_text(v), &n))
        json_put_int(w, n);
    else
        json_put_null(w);
}

static void put_detail(struct json_writer *w, const char *name, struct str text)
{
    if (!text.len)
        return;
    json_put_object(w);
    json_field_text(w, "name", name);
    json_field_str(w, "value", utf8_first(text, DETAIL_CHARS));
    json_put_object_end(w);
}

/* Appends what fits. */
static void detail_add(char *text, size_t *len, struct str more)
{
    size_t room = DETAIL_BYTES - *len, n = more.len < room ? more.len : room;
    if (n)
        memcpy(text + *len, more.ptr, n);
    *len += n;
}

/* A list is one text. It is joined on the stack: the writer may run out of
 * memory, and leave by a jump. */
static void put_listed_detail(struct json_writer *w, const char *name,
                              const json_t *list)
{
    char text[DETAIL_BYTES];
    size_t len = 0, i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        detail_add(text, &len, i ? STR(", ") : STR(""));
        detail_add(text, &len, json_text(item));
    }
    put_detail(w, name, (struct str){text, len});
}

static void put_details(const struct plan_reading *p, const json_t *about)
{
    json_field_array(p->w, "details");
    for (const char *const *d = p->form->details; *d && p->open; d++) {
        const json_t *v = json_object_get(about, *d);
        if (json_is_array(v))
            put_listed_detail(p->w, *d, v);
        else
            put_detail(p->w, *d, json_text(v));
    }
    json_put_array_end(p->w);
}

static void put_node(const struct plan_reading *p, const json_t *node)
{
    struct json_writer *w = p->w;
    const struct plan_form *form = p->form;
    const json_t *about = about_of(form, node), *child;
    bool known = relation_is_known(p, about);
    size_t i;
    json_put_object(w);
    put_operation(w, json_get_text(node, form->operation));
    json_field_str_or_null(w, "relation",
                           known ? plan_text(about, form->relation) : STR(""));
    json_field_str_or_null(w, "alias",
                           p->open ? plan_text(about, form->alias) : STR(""));
    put_number(w, "rows", about, form->rows);
    put_number(w, "startupCost", about, form->startup);
    put_number(w, "cost", about, form->cost);
    put_number(w, "width", about, form->width);
    put_details(p, about);
    json_field_array(w, "children");
    json_array_foreach(json_object_get(node, form->children), i, child)
        put_node(p, child);
    json_put_array_end(w);
    json_put_object_end(w);
}

bool sql_plan_write(struct json_writer *w, enum source_dialect dialect,
                    const json_t *plan, const struct guard_policy *policy,
                    bool hides)
{
    if ((size_t)dialect >= sizeof plan_forms / sizeof *plan_forms)
        return false; /* an engine whose plans are not read */
    struct plan_reading p = {w, &plan_forms[dialect], policy, !hides};
    const json_t *root = json_array_get(plan, 0);
    if (dialect == DIALECT_POSTGRES)
        root = json_object_get(root, "Plan");
    bool fits = plan_fits(&p, root, 1);
    if (fits)
        put_node(&p, root);
    return fits;
}
