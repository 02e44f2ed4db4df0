/* explorer.c - the way of a tool call through an exploration, and its prompt;
 * see explorer.h.
 *
 *   explorer_tool_begin -> (the place) -> call_placed */
#include "explorer.h"
#include "../context.h"
#include "base/banned.h"

enum {
    COLUMNS_BYTES = 16 * 1024,
    DESCRIPTION_BYTES = 4 * 1024,
    SAMPLE_BYTES = 8 * 1024,
    CONVERSATION_BYTES = 8 * 1024,
};

static struct next call_placed(struct flow *f);

/* ---- a call ------------------------------------------------------------- */

static void take_result(struct tool_run *t, const struct explorer_call *c)
{
    t->result = c->result;
    t->shown = c->shown;
    t->failed = c->failed;
}

struct next explorer_tool_begin(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct explorer *x = t->context->explorer;
    struct explorer_visit *v = here(f, struct explorer_visit);
    struct explorer_call *c = here(f, struct explorer_call);
    *c = (struct explorer_call){.table = &x->table,
                                .name = t->name,
                                .arguments = t->arguments,
                                .memory = t->memory};
    *v = (struct explorer_visit){
        .explorer = x, .call = c, .number = x->n_calls++};
    uuid_new(v->id);
    t->state = v;
    explorer_plan(c);
    if (!c->refused)
        return flow_call(f, x->place, x->place_name, v, call_placed,
                         "call_placed", NULL, NULL);
    take_result(t, c);
    t->failed = true;
    if (x->refused)
        x->refused(x, v);
    return back(f);
}

static struct next call_placed(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct explorer_visit *v = t->state;
    struct explorer *x = v->explorer;
    explorer_conclude(v->call);
    take_result(t, v->call);
    t->query = t->failed ? NULL : v->query;
    found_add(&x->found, v->call, str_of(v->id), v->number);
    if (x->concluded)
        x->concluded(x, v);
    return back(f);
}

/* ---- the prompt --------------------------------------------------------- */

/* A column a line, its name and type quoted: they come from a file. */
static struct str columns_text(struct arena *a, const struct explorer_table *t)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < t->n_columns; i++) {
        json_quote(&out, t->columns[i].name);
        buf_char(&out, ' ');
        json_quote(&out, t->columns[i].type);
        buf_char(&out, '\n');
    }
    return buf_finish(&out);
}

static struct str share_text(enum explorer_share share)
{
    switch (share) {
    case EXPLORER_SHARE_NONE:
        return STR("The person shares no values: results have only columns, "
                   "types and numbers of rows. Say what the queries and "
                   "charts show without quoting values.");
    case EXPLORER_SHARE_AGGREGATES:
        return STR("The person shares results that describe groups of rows, "
                   "and no single values of the data. What is withheld is "
                   "not shared with you, but the person sees it.");
    case EXPLORER_SHARE_ROWS:
        break;
    }
    return STR("");
}

struct llm_message *explorer_compose(struct consult *t, struct arena *a)
{
    const struct explorer *x = t->who;
    const struct explorer_table *table = &x->table;
    const struct prompt_hole holes[] = {
        {"columns", columns_text(a, table), COLUMNS_BYTES},
        {"rows",
         table->n_rows < 0 ? STR("unknown")
                           : arena_printf(a, "%lld", (long long)table->n_rows),
         0},
        {"steps", arena_printf(a, "%d", x->max_steps), 0},
        {"share", share_text(table->share), 0},
        {"description", context_lines(a, x->description), DESCRIPTION_BYTES},
        {"sample", x->sample, SAMPLE_BYTES},
        {"conversation", context_lines(a, x->conversation), CONVERSATION_BYTES},
        {"question", x->question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "explorer", holes);
}
