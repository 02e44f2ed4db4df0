/* builtin_explorer.c - explores without a model: a profile first, then the
 * numbers of one comparison with their chart, then a summary of both. */
#include "explorer.h"
#include "agent/tool_loop.h"
#include "llm/provider.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "columns.h"
#include "base/banned.h"

enum { GROUPS = 20, NAME_BYTES = 200, VALUE_BYTES = 100 };

/* What is compared: a number for each value of a column. */
struct comparison {
    const struct explorer_column *by, *number; /* number NULL: rows are counted;
                                                  by NULL: nothing is compared */
    bool average;
};

/* ---- what to compare ---------------------------------------------------- */

static bool type_has(const struct explorer_column *c, const char *const *words)
{
    for (; *words; words++)
        if (str_find_nocase(c->type, str_of(*words)) >= 0)
            return true;
    return false;
}

static bool is_number(const struct explorer_column *c)
{
    static const char *const words[] = {"int",  "double",  "float", "real",
                                        "deci", "numeric", "num",   NULL};
    static const char *const not_words[] = {"interval", "[", "(", "struct",
                                            NULL};
    bool plain = !type_has(c, not_words) ||
                 str_find_nocase(c->type, STR("deci")) == 0 ||
                 str_find_nocase(c->type, STR("numeric")) == 0;
    return plain && type_has(c, words);
}

static bool is_label(const struct explorer_column *c)
{
    static const char *const words[] = {"char", "text", "string",
                                        "bool", "enum", NULL};
    static const char *const nested[] = {"[", "struct", "map", NULL};
    return type_has(c, words) && !type_has(c, nested);
}

static bool is_identifier(const struct explorer_column *c)
{
    struct str end =
        c->name.len > 3 ? str_from(c->name, c->name.len - 3) : STR("");
    return str_eq_nocase(c->name, STR("id")) || str_eq_nocase(end, STR("_id"));
}

static bool is_asked(const struct explorer *x, const struct explorer_column *c)
{
    return c->name.len && str_find_nocase(x->question, c->name) >= 0;
}

/* The column that the question names, or else the first. */
static const struct explorer_column *
pick(const struct explorer *x, bool (*fits)(const struct explorer_column *c))
{
    const struct explorer_column *first = NULL;
    for (size_t i = 0; i < x->table.n_columns; i++) {
        const struct explorer_column *c = &x->table.columns[i];
        if (!fits(c) || is_identifier(c) || c->name.len > NAME_BYTES)
            continue;
        if (is_asked(x, c))
            return c;
        if (!first)
            first = c;
    }
    return first;
}

static bool asks_for_count(const struct explorer *x)
{
    static const char *const words[] = {"how many", "number of", "count", NULL};
    for (const char *const *word = words; *word; word++)
        if (str_find_nocase(x->question, str_of(*word)) >= 0)
            return true;
    return false;
}

static struct comparison comparison_of(const struct explorer *x)
{
    const struct explorer_column *number = pick(x, is_number);
    if (number && !is_asked(x, number) && asks_for_count(x))
        number = NULL;
    return (struct comparison){
        .by = pick(x, is_label),
        .number = number,
        .average = str_find_nocase(x->question, STR("average")) >= 0 ||
                   str_find_nocase(x->question, STR("mean")) >= 0};
}

/* ---- its words ---------------------------------------------------------- */

static struct str sql_of(struct arena *a, const struct comparison *c)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "SELECT ");
    column_put(&out, c->by->name);
    buf_text(&out, " AS category, ");
    if (c->number) {
        buf_text(&out, c->average ? "avg(" : "sum(");
        column_put(&out, c->number->name);
        buf_char(&out, ')');
    } else {
        buf_text(&out, "count(*)");
    }
    buf_printf(&out,
               " AS value FROM " EXPLORER_TABLE
               " GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT %d",
               GROUPS);
    return buf_finish(&out);
}

static struct str measure_of(struct arena *a, const struct comparison *c)
{
    if (!c->number)
        return STR("Number of rows");
    return arena_printf(a, "%s of %.*s", c->average ? "Average" : "Total",
                        STR_ARG(c->number->name));
}

static struct str title_of(struct arena *a, const struct comparison *c)
{
    return arena_printf(a, "%.*s by %.*s", STR_ARG(measure_of(a, c)),
                        STR_ARG(c->by->name));
}

/* ---- its calls ---------------------------------------------------------- */

static struct json_writer *open_arguments(struct arena *a, struct buf *out,
                                          struct json_writer *w)
{
    buf_init(out, a);
    json_writer_init(w, out);
    json_put_object(w);
    return w;
}

static void add_call(struct llm_call *c, struct arena *a, const char *tool,
                     struct buf *out, struct json_writer *w)
{
    const struct phase_inputs *in = c->inputs;
    json_put_object_end(w);
    c->tool_calls[c->n_tool_calls++] = (struct llm_tool_call){
        .id = arena_printf(a, "call_%d_%zu", in->loop->n_rounds + 1,
                           c->n_tool_calls + 1),
        .name = str_of(tool),
        .arguments = buf_finish(out)};
    c->finish = LLM_TOOL_CALLS;
}

static void put_axis(struct json_writer *w, const char *axis, const char *field,
                     const char *type, struct str title)
{
    json_field_object(w, axis);
    json_field_text(w, "field", field);
    json_field_text(w, "type", type);
    if (str_is(str_of(axis), "x"))
        json_field_text(w, "sort", "-y");
    json_field_str(w, "title", title);
    json_put_object_end(w);
}

static void put_spec(struct json_writer *w, struct arena *a,
                     const struct comparison *c)
{
    json_field_object(w, "vegaLiteSpec");
    json_field_text(w, "mark", "bar");
    json_field_object(w, "encoding");
    put_axis(w, "x", "category", "nominal", c->by->name);
    put_axis(w, "y", "value", "quantitative", measure_of(a, c));
    json_put_object_end(w);
    json_put_object_end(w);
}

static void call_profile(struct llm_call *c, struct arena *a)
{
    struct buf out;
    struct json_writer w;
    open_arguments(a, &out, &w);
    json_field_bool(&w, "includeNulls", true);
    add_call(c, a, "profileData", &out, &w);
}

static void call_comparison(struct llm_call *c, struct arena *a,
                            const struct comparison *x)
{
    struct buf out;
    struct json_writer w;
    open_arguments(a, &out, &w);
    json_field_str(&w, "query", sql_of(a, x));
    json_field_str(&w, "reason",
                   arena_printf(a, "Compare: %.*s", STR_ARG(title_of(a, x))));
    add_call(c, a, "executeSQLQuery", &out, &w);
    open_arguments(a, &out, &w);
    json_field_text(&w, "chartType", "bar");
    json_field_str(&w, "sqlQuery", sql_of(a, x));
    put_spec(&w, a, x);
    json_field_str(&w, "title", title_of(a, x));
    json_field_text(&w, "reason", "Show the comparison as a picture");
    add_call(c, a, "createVisualization", &out, &w);
}

/* ---- the summary -------------------------------------------------------- */

/* The first row of a result {"success":true,"data":{"rows":[[category,
 * value],…]}}: its two cells as JSON text. False: there is none. */
static bool first_row(struct str result, struct str *category,
                      struct str *value)
{
    struct scan s = scan_of(scan_get(scan_get(result, "data"), "rows"));
    if (!scan_array(&s) || !scan_element(&s) || !scan_array(&s) ||
        !scan_element(&s))
        return false;
    *category = scan_skip(&s);
    if (!scan_element(&s))
        return false;
    *value = scan_skip(&s);
    return !s.bad && value->len && value->len <= VALUE_BYTES &&
           !str_is(*value, "null") && !str_is(*category, "null");
}

/* The text of a cell. */
static struct str cell_text(struct arena *a, struct str json)
{
    struct scan s = scan_of(json);
    struct buf out;
    buf_init(&out, a);
    if (scan_peek(&s) != '"' || !scan_string(&s, &out))
        return json;
    return utf8_cut(buf_finish(&out), NAME_BYTES);
}

/* A fraction for people: two decimals, or three digits of a small one. */
static struct str rounded(struct arena *a, struct str number)
{
    struct scan s = scan_of(number);
    double value = scan_real(&s, 0);
    if (s.bad || str_find(number, STR(".")) < 0)
        return number;
    return value >= 1 || value <= -1 ? arena_printf(a, "%.2f", value)
                                     : arena_printf(a, "%.3g", value);
}

static bool is_drawn(const struct tool_loop *loop)
{
    for (int i = 0; i < loop->n_rounds; i++)
        for (size_t j = 0; j < loop->rounds[i].n_calls; j++)
            if (str_is(loop->rounds[i].calls[j].name, "createVisualization"))
                return !loop->rounds[i].calls[j].failed;
    return false;
}

static void say_largest(struct buf *out, struct arena *a,
                        const struct tool_loop *loop,
                        const struct comparison *c)
{
    struct str category, value;
    for (int i = 0; i < loop->n_rounds; i++)
        for (size_t j = 0; j < loop->rounds[i].n_calls; j++) {
            const struct loop_call *k = &loop->rounds[i].calls[j];
            if (!str_is(k->name, "executeSQLQuery") || k->failed ||
                !first_row(k->result, &category, &value))
                continue;
            buf_printf(out, " %.*s is largest where %.*s is %.*s: %.*s.",
                       STR_ARG(measure_of(a, c)), STR_ARG(c->by->name),
                       STR_ARG(cell_text(a, category)),
                       STR_ARG(rounded(a, cell_text(a, value))));
            return;
        }
}

static struct str summary_of(struct arena *a, const struct explorer *x,
                             const struct tool_loop *loop,
                             const struct comparison *c)
{
    struct buf out;
    size_t numbers = 0;
    for (size_t i = 0; i < x->table.n_columns; i++)
        numbers += is_number(&x->table.columns[i]);
    buf_init(&out, a);
    buf_text(&out, "The table has ");
    if (x->table.n_rows >= 0)
        buf_printf(&out, "%lld rows and ", (long long)x->table.n_rows);
    buf_printf(&out, "%zu columns, %zu of them numbers.", x->table.n_columns,
               numbers);
    if (c->by)
        say_largest(&out, a, loop, c);
    if (c->by && is_drawn(loop))
        buf_printf(&out, " The chart shows %.*s.", STR_ARG(title_of(a, c)));
    else if (!c->by)
        buf_text(&out, " No column has labels by which rows could be "
                       "compared.");
    return buf_finish(&out);
}

void explorer_builtin(struct llm_call *c, struct arena *a)
{
    const struct phase_inputs *in = c->inputs;
    const struct tool_loop *loop = in->loop;
    const struct explorer *x = in->run->tools.explorer;
    struct comparison compared = comparison_of(x);
    c->tool_calls = arena_new_array(a, struct llm_tool_call, 2);
    if (loop->n_rounds == 0 && !c->no_tool_calls)
        call_profile(c, a);
    else if (loop->n_rounds == 1 && compared.by && !c->no_tool_calls)
        call_comparison(c, a, &compared);
    else
        c->content = summary_of(a, x, loop, &compared);
}
