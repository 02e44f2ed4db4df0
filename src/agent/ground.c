/* ground.c - keeps the text of an answer to what the results show; see
 * ground.h.
 *
 *   ground_begin -> text_looked_at -> (tool_loop_again_begin) -> corrected
 *        | grounded                      | not_corrected           |
 *        v                               v                         v
 *       back        by code: cut, or written again <- correction_looked_at
 *
 * A look is a subflow, looking, that goes on in each turn of the loop.
 *
 * The built-in analyst is no model: it writes from the rows. */
#include "ground.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "base/clock.h"
#include "context.h"
#include "cut_totals.h"
#include "grounding/grounding.h"
#include "llm/provider.h"
#include "today.h"
#include <string.h>
#include "base/banned.h"

enum {
    NAMES_BYTES = 128 * 1024, /* of texts that names may come from */
    DATASETS_NAMED = 12,
};

#define CHECK_NAME "narrative_grounded"

static struct next text_looked_at(struct flow *f), corrected(struct flow *f),
    correction_looked_at(struct flow *f), not_corrected(struct flow *f);

/* ---- what the text may rest on ------------------------------------------ */

static bool has_data(const struct run *r)
{
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        if (r->results->results[i].sql_result ||
            r->results->results[i].python_result)
            return true;
    return false;
}

struct source_texts {
    struct arena *arena;
    struct str *items;
    size_t n, cap, bytes;
};

static struct source_texts source_texts_of(struct arena *a, size_t cap)
{
    return (struct source_texts){.arena = a,
                                 .items =
                                     arena_new_array(a, struct str, cap + 1),
                                 .cap = cap};
}

static void add_text(struct source_texts *t, struct str text)
{
    if (t->n == t->cap || t->bytes + text.len > NAMES_BYTES)
        return;
    t->items[t->n++] = text;
    t->bytes += text.len;
}

/* The names of all datasets and metrics, and the definitions of the datasets
 * that the question is about. */
static void add_model(struct source_texts *t, const struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct buf all;
    buf_init(&all, t->arena);
    buf_printf(&all, "%.*s ", STR_ARG(o->name));
    for (size_t i = 0; i < o->n_datasets && all.len < NAMES_BYTES / 4; i++)
        buf_printf(&all, "%.*s ", STR_ARG(o->datasets[i].name));
    for (size_t i = 0; i < o->n_metrics && all.len < NAMES_BYTES / 2; i++)
        buf_printf(&all, "%.*s %.*s ", STR_ARG(o->metrics[i].name),
                   STR_ARG(o->metrics[i].description));
    add_text(t, buf_finish(&all));
    for (size_t i = 0; i < r->discovery.n_matched; i++)
        add_text(t, o->datasets[r->discovery.matched[i].dataset].yaml);
}

static void add_cannot(struct source_texts *t, const struct cannot_answer *c)
{
    add_text(t, c->reason);
    for (size_t i = 0; i < c->n_missing_datasets; i++)
        add_text(t, c->missing_datasets[i]);
    for (size_t i = 0; i < c->n_missing_joins; i++)
        add_text(t, c->missing_joins[i]);
    for (size_t i = 0; i < c->n_available_datasets; i++)
        add_text(t, c->available_datasets[i]);
}

static struct source_texts names_of(struct arena *a, const struct run *r,
                                    const struct analyst_findings *found)
{
    const struct preference_set *p = &r->load.preferences;
    struct source_texts t = source_texts_of(a, 400);
    add_model(&t, r);
    if (found->cannot)
        add_cannot(&t, found->cannot);
    for (size_t i = 0; i < p->n; i++)
        add_text(&t, p->items[i].value);
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        add_text(&t, r->results->results[i].error);
    add_text(&t, r->provider->model.name);
    return t;
}

/* Counts of the semantic model, which an answer about it may give. */
static struct str counts_of_model(struct arena *a, const struct ontology *o)
{
    struct buf out;
    buf_init(&out, a);
    buf_printf(&out, "%zu %zu %zu", o->n_datasets, o->n_relationships,
               o->n_metrics);
    for (size_t i = 0; i < o->n_datasets && i < 100; i++)
        buf_printf(&out, " %zu", o->datasets[i].n_fields);
    return buf_finish(&out);
}

/* Without data, an answer may repeat earlier answers and count what the model
 * has. A failed report, which is shown as such, may be quoted. */
static void add_quotable(struct source_texts *t, struct run *r)
{
    struct str *texts;
    size_t n = r->kind->quotable ? r->kind->quotable(r, t->arena, &texts) : 0;
    for (size_t i = 0; i < n; i++)
        add_text(t, texts[i]);
}

static struct source_texts said_by(struct arena *a, struct run *r,
                                   const struct analyst_findings *found)
{
    const struct run_turn *turns = turns_read(&r->load.turns, a);
    struct source_texts t = source_texts_of(a, 200);
    if (!has_data(r) && !found->cannot) {
        add_text(&t, counts_of_model(a, r->ontology->model));
        for (size_t i = r->load.turns.n; i-- > 0;)
            add_text(&t, turns[i].content);
    }
    if (found->cannot)
        add_cannot(&t, found->cannot);
    add_quotable(&t, r);
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        if (r->results->results[i].sql_result)
            add_text(&t, cut_totals_text(a, r->results->results[i].sql_result));
    if (r->report && r->report->status == CHECKS_FAILED)
        for (size_t i = 0; i < r->report->n_checks; i++)
            add_text(&t, r->report->checks[i].message);
    return t;
}

/* One look at a text. What is found is in the run's memory; the index of the
 * rows, which is large, is freed. */
struct ground_look {
    struct run *run;
    const struct analyst_findings *findings;
    struct str text;
    struct grounding found; /* out */
    struct arena memory;
    struct source_texts names, said;
    struct grounding_of of;
    struct grounding_walk *walk;
};

static void free_memory(void *who)
{
    arena_done(who);
}

static struct next looking(struct flow *f)
{
    struct ground_look *l = locals(f, struct ground_look);
    if (grounding_go_on(l->walk))
        return go(f, looking);
    struct grounding_claim *claims = arena_new_array(
        &l->run->arena, struct grounding_claim, l->found.n_claims + 1);
    memcpy(claims, l->found.claims, l->found.n_claims * sizeof *claims);
    l->found.claims = claims;
    return back(f);
}

static struct next look_begin(struct flow *f)
{
    struct ground_look *l = locals(f, struct ground_look);
    struct run *r = l->run;
    flow_arena_init(&l->memory, RUN_MEMORY);
    defer(f, free_memory, &l->memory);
    l->names = names_of(&l->memory, r, l->findings);
    l->said = said_by(&l->memory, r, l->findings);
    bool talked = !l->findings->cannot && r->load.turns.n > 0;
    l->of = (struct grounding_of){.results = has_data(r) ? r->results : NULL,
                                  .full_data = r->full_data,
                                  .plan = l->findings->plan,
                                  .question = r->load.question,
                                  .names = l->names.items,
                                  .n_names = l->names.n,
                                  .said = l->said.items,
                                  .n_said = l->said.n,
                                  .today = run_today(r),
                                  .no_finding = !has_data(r) && !talked};
    l->walk = grounding_begin(&l->memory, &l->of, l->text, &l->found);
    return go(f, looking);
}

/* Goes on with `then` when the text has been looked at; g->look->found has what
 * was found. */
static struct next look(struct flow *f, struct answer_ground *g, step_fn *then,
                        const char *then_name)
{
    g->look = here(f, struct ground_look);
    g->look->run = g->loop->run;
    g->look->findings = &g->found;
    g->look->text = g->text;
    return flow_call(f, look_begin, "look_begin", g->look, then, then_name,
                     NULL, NULL);
}

static bool is_grounded(const struct grounding *g)
{
    return g->whole && g->n_claims == 0;
}

/* ---- the report --------------------------------------------------------- */

/* Adds the check, or replaces that of an earlier attempt. */
static void put_check(struct run *r, bool passed, const char *message)
{
    struct verification_report *report = r->report;
    const struct verification_check check = {.name = STR(CHECK_NAME),
                                             .passed = passed,
                                             .severity = passed ? CHECK_FAIL
                                                                : CHECK_WARN,
                                             .message = str_of(message)};
    if (!report)
        return;
    struct verification_check *all = arena_new_array(
        &r->arena, struct verification_check, report->n_checks + 1);
    size_t n = 0;
    for (size_t i = 0; i < report->n_checks; i++)
        if (!str_is(report->checks[i].name, CHECK_NAME))
            all[n++] = report->checks[i];
    all[n++] = check;
    report->checks = all;
    report->n_checks = n;
    if (r->kind->names_phases) /* its report is a record of its own */
        run_record_artifact(r, "report", &verification_report_type, report,
                            false);
}

static const char grounded_text[] =
    "Every figure, name and comparison of the text is in the results or "
    "follows from them.";

static struct next stored_looked_at(struct flow *f);

struct next ground_stored_begin(struct flow *f)
{
    static const struct analyst_findings none = {0};
    struct run *r = locals(f, struct run);
    bool makes_report = r->kind->resume && !r->kind->names_phases;
    if (!makes_report || !r->output || !r->report || !r->provider ||
        r->provider->model.provider->local)
        return back(f);
    r->waits.look = here(f, struct ground_look);
    r->waits.look->run = r;
    r->waits.look->findings = &none;
    r->waits.look->text = r->output->narrative;
    return call(f, look_begin, r->waits.look, stored_looked_at);
}

static struct next stored_looked_at(struct flow *f)
{
    struct run *r = locals(f, struct run);
    bool grounded = is_grounded(&r->waits.look->found);
    put_check(r, grounded,
              grounded ? grounded_text
                       : "Not all of the text is in the results.");
    return back(f);
}

/* ---- a text by code ----------------------------------------------------- */

/* For a run that read nothing. */
static struct str text_without_data(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct buf out;
    buf_init(&out, &r->arena);
    buf_text(&out, "I looked nothing up in the data for this answer, so there "
                   "is no figure or finding to report.");
    for (size_t i = 0; i < o->n_datasets && i < DATASETS_NAMED; i++)
        buf_printf(&out, "%s`%.*s`", i ? ", " : " You can ask about ",
                   STR_ARG(o->datasets[i].name));
    if (o->n_datasets > DATASETS_NAMED)
        buf_printf(&out, " and %zu other datasets",
                   o->n_datasets - DATASETS_NAMED);
    if (o->n_datasets)
        buf_char(&out, '.');
    return buf_finish(&out);
}

/* Whether tools answered what is no result of the run. */
static bool has_quotable(struct run *r)
{
    struct str *texts;
    return r->kind->quotable && r->kind->quotable(r, &r->scratch, &texts) > 1;
}

/* The rows are read in the frame's memory, which is freed: only the text stays. */
static struct str text_by_code(struct flow *f, struct run *r,
                               const struct analyst_findings *found)
{
    struct arena *rows = flow_here(f);
    struct arena_mark mark = arena_mark(rows);
    if (!has_data(r) && !found->cannot)
        return has_quotable(r) ? STR("No query was run. The statistics are "
                                     "shown with the calls.")
                               : text_without_data(r);
    struct str text =
        arena_str(&r->arena, str_trim(analyst_results_narrative(rows, found)));
    arena_reset(rows, mark);
    return text;
}

static struct next replace(struct flow *f, const struct grounding *found)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    struct run *r = g->loop->run;
    struct str left = grounding_cut(flow_here(f), g->text, found);
    bool cut = left.len > 0;
    g->text = cut ? arena_str(&r->arena, left) : text_by_code(f, r, &g->found);
    g->note = cut ? STR("Sentences of the language model that the results do "
                        "not show were removed.")
                  : STR("This text was written without the language model: "
                        "its own stated what the results do not show.");
    put_check(r, false,
              cut ? "The language model stated what the results do not show, "
                    "also after a correction; those sentences were removed."
                  : "The language model stated what the results do not show, "
                    "also after a correction; code wrote the text instead.");
    if (r->visible.len)
        run_emit_restart(r, r->phase, r->consult->first_event);
    run_emit_chunk(r, g->text);
    return back(f);
}

/* ---- the correction ----------------------------------------------------- */

static struct str objection(struct flow *f, struct run *r, struct str text,
                            const struct grounding *found)
{
    struct arena *lists = flow_here(f);
    struct arena_mark mark = arena_mark(lists);
    struct str said = arena_printf(
        &r->scratch,
        "Some of your answer is not what the results show:\n%.*s\n\nWrite the "
        "whole answer again. State only figures, dates and names that are in "
        "the results or the question, sums, differences, shares and ratios of "
        "them, and comparisons that the rows show. Leave out what you cannot "
        "show. Do not mention this correction.",
        STR_ARG(grounding_list(lists, text, found)));
    arena_reset(lists, mark);
    return said;
}

/* The list describes the rows, also to a model that may not see them. */
static bool may_correct(const struct run *r)
{
    return !has_data(r) || r->tools.share_rows == SHARE_ALL;
}

struct next ground_begin(struct flow *f)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    if (g->loop->run->provider->model.provider->local)
        return back(f);
    return look(f, g, text_looked_at, "text_looked_at");
}

static struct next text_looked_at(struct flow *f)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    struct run *r = g->loop->run;
    const struct grounding *found = &g->look->found;
    if (is_grounded(found)) {
        put_check(r, true, grounded_text);
        return back(f);
    }
    if (!may_correct(r))
        return replace(f, found);
    g->text = arena_str(&r->arena, g->text);
    g->loop->again = objection(f, r, g->text, found);
    g->loop->again_purpose = "narrative_correction";
    run_emit_restart(r, r->phase, r->consult->first_event);
    return attempt(f, tool_loop_again_begin, g->loop, corrected, not_corrected);
}

static struct next corrected(struct flow *f)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    struct str text = str_trim(g->loop->run->consult->llm.content);
    if (text.len)
        g->text = text;
    return look(f, g, correction_looked_at, "correction_looked_at");
}

static struct next correction_looked_at(struct flow *f)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    if (!is_grounded(&g->look->found))
        return replace(f, &g->look->found);
    put_check(g->loop->run, true, grounded_text);
    return back(f);
}

/* The first text is cut, as if the model had repeated it; what was found in it
 * is still known. */
static struct next not_corrected(struct flow *f)
{
    struct answer_ground *g = locals(f, struct answer_ground);
    enum err why = failure(f);
    if (why == ERR_NO_MEMORY || why == ERR_CONFLICTING_WRITE ||
        run_is_out_of_time(g->loop->run))
        return fail_with(f, why, failure_text(f));
    return replace(f, &g->look->found);
}
