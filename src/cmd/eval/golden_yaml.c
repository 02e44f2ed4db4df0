/* golden_yaml.c - reads golden queries; see golden_yaml.h. Each member has the
 * name that the file's description gives it (golden.h), and some have a second
 * one that says the same. */
#include "golden_yaml.h"
#include "base/utf8.h"
#include "golden.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

enum { PLAN_DEPTH = 12, NUMBER_MOST = 1000000000 };

struct golden_reader {
    struct arena *arena;
    yaml_document_t *document;
    struct buf *problems;
    struct eval_question *q;
    struct golden *g;
    int runs; /* of sql, python_code, plan */
};

bool golden_set_has(struct str member)
{
    return str_is(member, "dataset") || str_is(member, "dataset_id") ||
           str_is(member, "agent") || str_is(member, "golden_queries");
}

static void complain(struct golden_reader *r, const yaml_node_t *node,
                     const char *what)
{
    set_problem(r->problems, (int)node->start_mark.line + 1, "%s", what);
}

static yaml_node_t *node_at(struct golden_reader *r, int n)
{
    return yaml_document_get_node(r->document, n);
}

static size_t items_of(const yaml_node_t *node)
{
    return node->type != YAML_SEQUENCE_NODE
               ? 0
               : (size_t)(node->data.sequence.items.top -
                          node->data.sequence.items.start);
}

static yaml_node_t *item(struct golden_reader *r, const yaml_node_t *node,
                         size_t i)
{
    return node_at(r, node->data.sequence.items.start[i]);
}

/* ---- values ------------------------------------------------------------- */

static bool is_plain(const yaml_node_t *node)
{
    return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool is_null(const yaml_node_t *node)
{
    struct str s = yaml_node_text(node);
    return is_plain(node) && (!s.len || str_is(s, "~") || str_is(s, "null") ||
                              str_is(s, "Null") || str_is(s, "NULL"));
}

static struct str cell_of(struct golden_reader *r, const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) {
        complain(r, node, "a cell is one value");
        return STR("");
    }
    if (is_null(node))
        return (struct str){NULL, 0};
    return arena_str(r->arena, yaml_node_text(node));
}

/* A scalar as JSON: as YAML means it. */
static void put_scalar(struct buf *out, const yaml_node_t *node)
{
    struct str s = yaml_node_text(node);
    json_t *v = is_plain(node) && s.len < 40 ? json_read(s, NULL) : NULL;
    if (is_plain(node) && is_null(node))
        buf_text(out, "null");
    else if (json_is_number(v) || json_is_boolean(v))
        buf_str(out, s);
    else
        json_quote(out, s);
    json_decref(v);
}

static void put_json(struct golden_reader *r, const yaml_node_t *node,
                     int depth, struct buf *out);

static void put_members(struct golden_reader *r, const yaml_node_t *node,
                        int depth, struct buf *out)
{
    const yaml_node_pair_t *start = node->data.mapping.pairs.start;
    buf_char(out, '{');
    for (const yaml_node_pair_t *pair = start;
         pair < node->data.mapping.pairs.top; pair++) {
        buf_text(out, pair == start ? "" : ",");
        json_quote(out, yaml_node_text(node_at(r, pair->key)));
        buf_char(out, ':');
        put_json(r, node_at(r, pair->value), depth, out);
    }
    buf_char(out, '}');
}

static void put_json(struct golden_reader *r, const yaml_node_t *node,
                     int depth, struct buf *out)
{
    if (depth > PLAN_DEPTH) {
        complain(r, node, "a plan is not nested so deeply");
        buf_text(out, "null");
    } else if (node->type == YAML_MAPPING_NODE) {
        put_members(r, node, depth + 1, out);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        buf_char(out, '[');
        for (size_t i = 0; i < items_of(node); i++) {
            buf_text(out, i ? "," : "");
            put_json(r, item(r, node, i), depth + 1, out);
        }
        buf_char(out, ']');
    } else {
        put_scalar(out, node);
    }
}

/* ---- members ------------------------------------------------------------ */

static void runs_text(struct golden_reader *r, const yaml_node_t *node,
                      const char *prefix)
{
    struct str text = str_trim(yaml_node_text(node));
    r->runs++;
    if (!text.len)
        complain(r, node, "what runs must be a text");
    r->g->message = arena_printf(r->arena, "%s%.*s", prefix, STR_ARG(text));
}

static void runs_sql(struct golden_reader *r, const yaml_node_t *node)
{
    runs_text(r, node, "SQL: ");
}

static void runs_python(struct golden_reader *r, const yaml_node_t *node)
{
    runs_text(r, node, "PYTHON: ");
}

static void runs_plan(struct golden_reader *r, const yaml_node_t *node)
{
    struct buf out;
    r->runs++;
    if (node->type != YAML_MAPPING_NODE) {
        complain(r, node, "plan must be a QueryPlan");
        return;
    }
    buf_init(&out, r->arena);
    buf_text(&out, "PLAN: ");
    put_json(r, node, 0, &out);
    r->g->message = buf_finish(&out);
}

/* It says what the member of that name says, too. */
static void read_query_type(struct golden_reader *r, const yaml_node_t *node)
{
    struct str s = yaml_node_text(node);
    if (!str_is(s, "sql") && !str_is(s, "python") && !str_is(s, "plan"))
        complain(r, node, "query_type must be sql, python or plan");
}

static void read_message(struct golden_reader *r, const yaml_node_t *node)
{
    r->q->question = arena_str(r->arena, str_trim(yaml_node_text(node)));
}

static void read_names(struct golden_reader *r, const yaml_node_t *node)
{
    size_t n = items_of(node);
    if (!n || n > GOLDEN_COLUMNS_MOST) {
        complain(r, node, "columns must be a list of up to 200 names");
        return;
    }
    r->g->columns = arena_new_array(r->arena, struct str, n);
    r->g->n_columns = n;
    for (size_t i = 0; i < n; i++)
        r->g->columns[i] =
            arena_str(r->arena, yaml_node_text(item(r, node, i)));
}

static void read_row_array(struct golden_reader *r, const yaml_node_t *row,
                           struct str *cells)
{
    size_t n = r->g->rows.n_columns;
    if (items_of(row) != n) {
        complain(r, row, "the rows do not have equally many cells");
        return;
    }
    for (size_t c = 0; c < n; c++)
        cells[c] = cell_of(r, item(r, row, c));
}

static void read_row_object(struct golden_reader *r, const yaml_node_t *row,
                            struct str *cells)
{
    size_t n = 0;
    for (const yaml_node_pair_t *pair = row->data.mapping.pairs.start;
         pair < row->data.mapping.pairs.top; pair++) {
        struct str name = yaml_node_text(node_at(r, pair->key));
        for (size_t c = 0; c < r->g->rows.n_columns; c++)
            if (str_eq(name, r->g->names[c])) {
                cells[c] = cell_of(r, node_at(r, pair->value));
                n++;
            }
    }
    if (n != r->g->rows.n_columns)
        complain(r, row, "the rows do not have the same columns");
}

/* The first row says how many columns there are, and what they are called. */
static void read_row_shape(struct golden_reader *r, const yaml_node_t *first)
{
    struct golden *g = r->g;
    if (first->type != YAML_MAPPING_NODE) {
        g->rows.n_columns = items_of(first);
        return;
    }
    const yaml_node_pair_t *start = first->data.mapping.pairs.start;
    size_t n = (size_t)(first->data.mapping.pairs.top - start);
    n = n < GOLDEN_COLUMNS_MOST ? n : GOLDEN_COLUMNS_MOST;
    g->names = arena_new_array(r->arena, struct str, n + 1);
    g->rows.n_columns = n;
    for (size_t c = 0; c < n; c++)
        g->names[c] =
            arena_str(r->arena, yaml_node_text(node_at(r, start[c].key)));
}

static void read_rows(struct golden_reader *r, const yaml_node_t *node)
{
    struct golden *g = r->g;
    size_t n = items_of(node);
    if (node->type != YAML_SEQUENCE_NODE || n > GOLDEN_ROWS_MOST) {
        complain(r, node, "rows must be a list of up to 1000 rows");
        return;
    }
    g->has_rows = true;
    g->rows.n_rows = n;
    if (n)
        read_row_shape(r, item(r, node, 0));
    size_t width = g->rows.n_columns;
    if (n && (!width || width > GOLDEN_COLUMNS_MOST)) {
        complain(r, node, "a row must have 1 to 200 cells");
        g->rows.n_columns = 0;
        return;
    }
    g->rows.cells = arena_new_array(r->arena, struct str, n * width + 1);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *row = item(r, node, i);
        (row->type == YAML_MAPPING_NODE && g->names
             ? read_row_object
             : read_row_array)(r, row, g->rows.cells + i * width);
    }
}

static void read_value(struct golden_reader *r, const yaml_node_t *node)
{
    r->g->has_value = true;
    r->g->value = cell_of(r, node);
}

static void read_count(struct golden_reader *r, const yaml_node_t *node,
                       int64_t *out)
{
    if (!str_to_int64(yaml_node_text(node), out) || *out < 0 ||
        *out > NUMBER_MOST) {
        complain(r, node, "a number of rows is expected");
        *out = -1;
    }
}

static void read_row_count(struct golden_reader *r, const yaml_node_t *node)
{
    read_count(r, node, &r->g->row_count);
}

static void read_min_rows(struct golden_reader *r, const yaml_node_t *node)
{
    read_count(r, node, &r->g->min_rows);
}

static void read_tolerance(struct golden_reader *r, const yaml_node_t *node)
{
    char *end = "", *text = arena_cstr(r->arena, yaml_node_text(node));
    double n = strtod(text, &end);
    if (*end || !*text || !isfinite(n) || n < 0)
        complain(r, node, "tolerance must be a number that is not negative");
    else
        r->g->tolerance = n;
}

static void read_status(struct golden_reader *r, const yaml_node_t *node)
{
    struct str s = yaml_node_text(node);
    r->g->status = arena_str(r->arena, s);
    if (!str_is(s, "succeeded") && !str_is(s, "rejected") &&
        !str_is(s, "failed"))
        complain(r, node, "status must be succeeded, rejected or failed");
}

static const struct {
    const char *name, *also;
    void (*read)(struct golden_reader *r, const yaml_node_t *node);
} members[] = {{"sql", NULL, runs_sql},
               {"python_code", NULL, runs_python},
               {"plan", "plan_json", runs_plan},
               {"query_type", NULL, read_query_type},
               {"message", "prompt", read_message},
               {"columns", "expected_columns", read_names},
               {"rows", "expected_rows", read_rows},
               {"value", "expected_value", read_value},
               {"row_count", "expected_row_count", read_row_count},
               {"min_rows", "min_row_count", read_min_rows},
               {"tolerance", NULL, read_tolerance},
               {"status", "expected_status", read_status}};

static bool read_own(struct golden_reader *r, struct str name,
                     const yaml_node_t *node)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (str_is(name, members[i].name) ||
            (members[i].also && str_is(name, members[i].also)))
            return members[i].read(r, node), true;
    return false;
}

/* Members of the other sets that these have, too. */
static bool is_common(struct str name)
{
    return str_is(name, "id") || str_is(name, "question") ||
           str_is(name, "category") || str_is(name, "why") ||
           str_is(name, "ordered");
}

/* What runs is the question, or is called after what runs. */
static void settle_question(struct golden_reader *r)
{
    struct eval_question *q = r->q;
    if (r->runs > 1)
        set_problem(r->problems, q->line,
                    "only one of sql, plan and python_code can run");
    if (!r->g->message.len)
        r->g->message = q->question;
    if (!q->question.len)
        q->question = r->g->message;
}

void golden_read(struct arena *arena, yaml_document_t *document,
                 const yaml_node_t *node, struct eval_question *q,
                 size_t number, struct buf *problems)
{
    struct golden *g = arena_new(arena, struct golden);
    struct golden_reader r = {.arena = arena,
                              .document = document,
                              .problems = problems,
                              .q = q,
                              .g = g};
    *g = (struct golden){.status = STR("succeeded"),
                         .row_count = -1,
                         .min_rows = -1,
                         .tolerance = -1};
    q->golden = g;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        struct str name = yaml_node_text(node_at(&r, pair->key));
        const yaml_node_t *value = node_at(&r, pair->value);
        if (is_common(name))
            set_member(arena, q, name, yaml_node_text(value), problems);
        else if (!read_own(&r, name, value))
            set_problem(problems, (int)value->start_mark.line + 1,
                        "a golden query has no %.*s",
                        STR_ARG(utf8_first(name, 40)));
    }
    settle_question(&r);
    if (!q->id.len)
        q->id = arena_printf(arena, "query %zu", number);
}
