/* narrative.c - the text of an answer: the figures, what was assumed, and
 * whether it was verified; or why there are no figures. */
#include "narrative.h"
#include "bind/why.h"
#include "lookup.h"
#include "base/banned.h"

static void tell_notes(const struct bound_query *query, struct buf *out)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_notes; i++) {
        buf_text(out, i ? "\n- " : "\n\n**Assumptions**\n\n- ");
        put_escaped(out, q->notes[i].question);
        buf_char(out, ' ');
        put_escaped(out, q->notes[i].assumption);
    }
}

static void tell_check(const struct verification_check *check, struct buf *out)
{
    buf_text(out, "\n- ");
    put_escaped(out, check->name);
    buf_text(out, ": ");
    put_escaped(out, check->message);
}

void tell_verification(const struct verification_report *report,
                       struct buf *out)
{
    size_t passed = 0;
    if (!report || report->status == CHECKS_SKIPPED) {
        buf_text(out, "\n\nThis result was not verified.");
        return;
    }
    for (size_t i = 0; i < report->n_checks; i++)
        passed += report->checks[i].passed;
    if (report->status == CHECKS_FAILED)
        buf_text(
            out,
            "\n\n**The checks of this result failed; do not rely on it.**");
    else if (passed == report->n_checks)
        buf_printf(out, "\n\nVerified: all %zu checks of the result passed.",
                   passed);
    else
        buf_printf(out,
                   "\n\nVerified: %zu of %zu checks passed, and none that "
                   "would make it wrong failed.",
                   passed, report->n_checks);
    for (size_t i = 0; i < report->n_checks; i++)
        if (!report->checks[i].passed)
            tell_check(&report->checks[i], out);
}

static const char abilities[] =
    "\n\nWhat I can do is compute a *measure* by *dimension*, with "
    "filters, a period, a top n, and a chart, and list things. For example:\n";

void put_examples(struct arena *arena, const struct ontology *o,
                  const char *title, struct buf *out)
{
    struct str examples[3];
    size_t n = analyst_examples(arena, o, examples, 3);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s\n- %.*s", i ? "" : title, STR_ARG(examples[i]));
}

static void tell_refusal(struct arena *arena,
                         const struct analyst_context *context,
                         const struct analysis *analysis, struct buf *out)
{
    buf_text(out, "I cannot answer this without a language model: ");
    put_escaped(out, analysis->problem);
    buf_char(out, '.');
    struct str left_out;
    struct str nearest = analysis_nearest(analysis, &left_out);
    if (nearest.len) {
        buf_text(out, "\n\nThe nearest question that I can answer");
        if (left_out.len)
            put_escaped(out, arena_printf(arena, ", which leaves out %.*s",
                                          STR_ARG(left_out)));
        buf_text(out, ":\n\n- ");
        put_escaped(out, nearest);
    } else {
        put_examples(arena, context->ontology, abilities, out);
    }
}

static void tell_names(const char *title, const struct str *names, size_t n,
                       struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        buf_text(out, i ? ", " : title);
        put_escaped(out, names[i]);
    }
    if (n)
        buf_char(out, '.');
}

void tell_cannot(const struct cannot_answer *cannot, struct buf *out)
{
    buf_printf(out, "The model cannot answer this: %.*s",
               STR_ARG(cannot->reason));
    tell_names("\n\nMissing datasets: ", cannot->missing_datasets,
               cannot->n_missing_datasets, out);
    tell_names("\n\nMissing joins: ", cannot->missing_joins,
               cannot->n_missing_joins, out);
    tell_names("\n\nThere are: ", cannot->available_datasets,
               cannot->n_available_datasets, out);
}

/* ---- no figure to tell -------------------------------------------------- */

static bool is_empty(const struct narrative *s)
{
    if (!s->frame.n_rows)
        return true;
    return !s->query->n_dimensions && s->frame.n_rows == 1 &&
           s->query->n_measures == 1 &&
           data_frame_cell(&s->frame, 0, figures_column(s, 0))->null;
}

static void tell_empty(const struct narrative *s)
{
    if (s->query->question.lists)
        buf_printf(s->out, "%.*s%.*s: there are none.",
                   STR_ARG(capitalized(s->arena, measures_words(s->query))),
                   STR_ARG(figures_scope(s)));
    else
        buf_printf(s->out, "There is nothing to show: no row matches%.*s.",
                   STR_ARG(figures_scope(s)));
    if (window_is_set(&s->query->question.window) && !s->ids.periods)
        buf_text(s->out, " The period may lie outside the data.");
}

static bool tell_failure(const struct narrative *s,
                         const struct analyst_findings *findings)
{
    const struct step_result *answer =
        result_of_step(findings->results, s->ids.answer);
    if (answer && !answer->error.len && answer->sql_result)
        return false;
    buf_printf(s->out, "I could not compute %.*s.",
               STR_ARG(query_words(s->query)));
    if (answer && answer->error.len)
        buf_printf(s->out, " The query failed: %.*s", STR_ARG(answer->error));
    return true;
}

static void tell_chart(const struct narrative *s,
                       const struct analyst_findings *findings)
{
    const struct step_result *chart =
        result_of_step(findings->results, s->ids.chart);
    if (!s->query->question.chart)
        return;
    if (!s->ids.chart)
        buf_text(s->out, "\n\nA single figure makes no chart.");
    else if (chart && chart->error.len)
        buf_printf(s->out, "\n\nThe chart could not be drawn: %.*s",
                   STR_ARG(chart->error));
}

static void tell_data(const struct narrative *s,
                      const struct analyst_findings *findings)
{
    struct data_frame lookup =
        data_frame_read(s->arena, findings->results, s->ids.lookup);
    if (tell_failure(s, findings))
        return;
    struct str problem = results_problem(s->query, findings->results);
    if (problem.len) {
        put_escaped(s->out, problem);
        return;
    }
    if (is_empty(s)) {
        tell_empty(s);
    } else {
        figures_tell(s);
        tell_chart(s, findings);
    }
    if (s->ids.lookup)
        lookup_tell(s->query, &lookup, s->out);
    tell_periods(s->query, s->ids.periods, findings->results, s->out);
    tell_notes(s->query, s->out);
    tell_verification(findings->report, s->out);
}

static void tell_why(struct arena *arena, const struct analysis *analysis,
                     const struct analyst_findings *findings, struct buf *out)
{
    struct narrative story = {.arena = arena,
                              .query = analysis->query,
                              .ids = {.answer = 2},
                              .out = out};
    if (tell_failure(&story, findings))
        return;
    why_tell(arena, analysis->why, findings, out);
    tell_periods(analysis->why->metrics, why_periods_step(analysis->why),
                 findings->results, out);
    tell_notes(analysis->query, out);
    tell_verification(findings->report, out);
}

/* Why the values asked for have no figure; empty: they have. */
static struct str reason_of(const struct analysis *analysis,
                            const struct analyst_findings *findings)
{
    if (analysis->why)
        return STR("");
    return results_problem(analysis->query, findings->results);
}

struct str analyst_narrative(struct arena *arena,
                             const struct analyst_context *context,
                             const struct analyst_findings *findings)
{
    struct analysis analysis;
    struct buf out;
    buf_init(&out, arena);
    analysis_make(arena, context, &analysis);
    if (findings->cannot && analysis.kind == ANALYSIS_DATA &&
        str_eq(findings->cannot->reason, reason_of(&analysis, findings))) {
        put_escaped(&out, findings->cannot->reason);
    } else if (findings->cannot) {
        tell_cannot(findings->cannot, &out);
        put_examples(arena, context->ontology, abilities, &out);
    } else if (analysis.kind == ANALYSIS_TALK) {
        buf_str(&out, talk_answer(&analysis));
    } else if (analysis.kind == ANALYSIS_REFUSED) {
        tell_refusal(arena, context, &analysis, &out);
    } else if (analysis.why) {
        tell_why(arena, &analysis, findings, &out);
    } else {
        struct bound_query *query = analysis.query;
        struct step_ids ids = step_ids_of(query);
        struct narrative story = {
            .arena = arena,
            .query = query,
            .ids = ids,
            .out = &out,
            .frame = data_frame_read(arena, findings->results, ids.answer),
            .total = data_frame_read(arena, findings->results, ids.total),
            .ties = data_frame_read(arena, findings->results, ids.ties),
            .over = data_frame_read(arena, findings->results, ids.over)};
        tell_data(&story, findings);
    }
    buf_char(&out, '\n');
    return buf_view(&out);
}
