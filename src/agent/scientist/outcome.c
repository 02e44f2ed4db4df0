/* outcome.c - see outcome.h. */
#include "outcome.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "plotly.h"
#include "base/banned.h"

const struct str outcome_files[OUTCOME_FILES] = {
    STR("figure_0.json"), STR("figure_1.json"), STR("figure_2.json"),
    STR("figure_3.json"), STR("figure_4.json"), STR("figure_5.json"),
    STR("result.json"),
};

static struct str taken(const struct python_tool *p, struct str name)
{
    for (size_t i = 0; i < p->n_taken; i++)
        if (str_eq(p->taken[i].name, name))
            return p->taken[i].text;
    return STR("");
}

static void add_note(struct run *r, struct code_execution *e, struct str text)
{
    enum { NOTES = SCIENTIST_FIGURES + 4 };
    if (!e->notes)
        e->notes = arena_new_array(&r->arena, struct str, NOTES);
    if (e->n_notes < NOTES)
        e->notes[e->n_notes++] = text;
}

/* ---- figures ------------------------------------------------------------ */

/* The figures of an answer have PLOTLY_BYTES together, too: it is what one step
 * may read. */
static void take_figures(struct run *r, const struct python_tool *p,
                         struct code_execution *e)
{
    size_t bytes = 0;
    e->figures = arena_new_array(&r->arena, struct str, SCIENTIST_FIGURES);
    for (int i = 0; i < SCIENTIST_FIGURES; i++) {
        const char *why = "makes the figures larger than 2 MiB together";
        struct str json = taken(p, outcome_files[i]), figure = STR("");
        bytes += json.len;
        if (!json.len)
            continue;
        if (bytes <= PLOTLY_BYTES)
            figure = plotly_read(&r->scratch, json, &why);
        if (figure.len)
            e->figures[e->n_figures++] = arena_str(&r->arena, figure);
        else
            add_note(r, e,
                     arena_printf(&r->arena, "Figure %d is not shown: it %s.",
                                  i + 1, why));
    }
}

/* ---- the result --------------------------------------------------------- */

static struct str type_of(const json_t *column)
{
    static const char *const types[] = {"int8", "float8", "bool", "text", NULL};
    struct str type = json_get_text(column, "type");
    for (const char *const *t = types; *t; t++)
        if (str_is(type, *t))
            return str_of(*t);
    return STR("text");
}

static bool is_new(const struct sql_result *s, struct str name)
{
    for (size_t i = 0; i < s->n_columns; i++)
        if (str_eq(s->columns[i], name))
            return false;
    return name.len > 0 && name.len <= OUTCOME_NAME;
}

static bool take_columns(struct arena *a, const json_t *columns,
                         struct sql_result *s)
{
    size_t n = json_array_size(columns);
    if (!n || n > OUTCOME_COLUMNS)
        return false;
    s->columns = arena_new_array(a, struct str, n);
    s->column_types = arena_new_array(a, struct str, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *c = json_array_get(columns, i);
        struct str name = json_get_text(c, "name");
        if (!is_new(s, name))
            return false;
        s->columns[s->n_columns++] = arena_str(a, name);
        s->column_types[s->n_column_types++] = type_of(c);
    }
    return true;
}

static bool put_cell(struct json_writer *w, const json_t *v)
{
    struct str text = json_text(v);
    if (json_is_string(v))
        json_put_str(w, text);
    else if (json_is_integer(v))
        json_put_int(w, json_integer_value(v));
    else if (json_is_real(v))
        json_put_real(w, json_real_value(v));
    else if (json_is_boolean(v))
        json_put_bool(w, json_is_true(v));
    else if (json_is_null(v))
        json_put_null(w);
    else
        return false;
    return text.len <= OUTCOME_CELL;
}

static bool put_row(struct json_writer *w, const struct sql_result *s,
                    const json_t *row)
{
    if (json_array_size(row) != s->n_columns)
        return false;
    json_put_object(w);
    for (size_t i = 0; i < s->n_columns; i++) {
        json_put_key_str(w, s->columns[i]);
        if (!put_cell(w, json_array_get(row, i)))
            return false;
    }
    json_put_object_end(w);
    return true;
}

/* The rows as query_json_begin writes those of a query. NULL: it is not a
 * table. */
static struct sql_result *table_of(struct arena *a, const json_t *v)
{
    struct sql_result *s = arena_new(a, struct sql_result);
    const json_t *rows = json_object_get(v, "rows");
    size_t n = json_array_size(rows);
    struct buf out;
    struct json_writer w;
    if (!take_columns(a, json_object_get(v, "columns"), s) ||
        !json_is_array(rows) || n > OUTCOME_ROWS)
        return NULL;
    buf_init(&out, a);
    json_writer_init(&w, &out);
    json_put_array(&w);
    for (size_t i = 0; i < n; i++)
        if (!put_row(&w, s, json_array_get(rows, i)))
            return NULL;
    json_put_array_end(&w);
    s->data = buf_finish(&out);
    s->row_count = (int64_t)n;
    s->truncated = json_get_bool(v, "more", false);
    return s;
}

static struct str printed(struct arena *a, const struct python_tool *p,
                          struct str text)
{
    struct str out = utf8_cut(p->out, OUTCOME_PRINTED);
    if (!text.len)
        return arena_str(a, out);
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.len ? "\n" : "",
                        STR_ARG(text));
}

static void take_result(struct run *r, const json_t *v,
                        const struct python_tool *p, struct step_result *step,
                        struct code_execution *e)
{
    struct arena *a = &r->arena;
    struct str kind = json_get_text(v, "kind");
    struct str text = utf8_cut(json_get_text(v, "text"), OUTCOME_TEXT);
    const json_t *table = json_object_get(v, "table");
    if (json_is_object(table)) {
        step->sql_result = table_of(a, table);
        if (!step->sql_result)
            add_note(r, e,
                     STR("The table of the result is not shown: it is "
                         "not one that can be read."));
    }
    if (json_get_int(v, "leftOut", 0) > 0)
        add_note(r, e,
                 STR("Not all figures are shown: some are too large, too "
                     "many, or could not be drawn."));
    bool in_words = kind.len && !step->sql_result;
    step->python_result->out = printed(a, p, in_words ? text : STR(""));
    struct str shown = kind.len ? text : utf8_cut(p->out, OUTCOME_TEXT);
    if (shown.len)
        e->result_str = arena_str(a, shown);
}

void outcome_take(struct flow *f, struct run *r, const struct python_tool *p,
                  struct str note)
{
    struct arena *a = &r->arena;
    struct scientist *s = scientist_of(r);
    struct code_execution *e = arena_new(a, struct code_execution);
    struct step_results *all = arena_new(a, struct step_results);
    struct str json = taken(p, outcome_files[SCIENTIST_FIGURES]);
    bool whole = json.len <= OUTCOME_RESULT_BYTES;
    json_t *v = json.len && whole ? json_read(json, NULL) : NULL;
    if (v)
        defer(f, json_drop, v);
    e->attempt = s->n_attempts;
    if (note.len)
        add_note(r, e, note);
    if (p->cut.len)
        add_note(r, e, arena_str(a, p->cut));
    all->results = arena_new_array(a, struct step_result, 1);
    all->results[0] =
        (struct step_result){.step_id = 1,
                             .description = STR("Python"),
                             .strategy = STEP_PYTHON,
                             .python_result = run_python_result(r, p)};
    if (json.len && !v)
        add_note(r, e,
                 STR("The result is not shown: it is too large, or not "
                     "one that can be read."));
    take_result(r, v, p, &all->results[0], e);
    take_figures(r, p, e);
    bool drawn = e->n_figures || all->results[0].python_result->n_charts;
    bool computed = json_get_text(v, "kind").len || p->out.len;
    if (drawn)
        e->output_type = STR("visualization");
    else if (computed)
        e->output_type = STR("analysis");
    all->n_results = 1;
    r->results = all;
    s->execution = e;
    scientist_keep_rows(r);
}
