/* run.c - the outer flow of a run: it waits for its turn, starts the work, and
 * ends the run once, however the work ended; first in the database, then for
 * readers.
 *
 *   run_begin -> (run_queued) -> run_admitted
 *   run_admitted -> (the work) -> work_over -> work_judged -> calls_due
 *   work_over -> (run_salvage) -> work_judged, when no record was restored
 *   calls_due -> (read tool calls back) -> calls_known -> finish_due
 *   finish_due -> events_saved -> row_written -> run_over
 *                     \ finish_failed -> finish_due (until it succeeds)
 *   run_end_begin -> finish_due, when memory ran out in the outer flow
 *
 * The work: load what is needed, then what the kind does.
 *
 *   answering_begin -> (load_begin -> ... -> source_opened) -> all_loaded
 *   answering_begin -> resume_begin -> resume_due -> (load) -> resume_loaded
 *                -> resume_checked -> all_loaded, after a takeover
 *   all_loaded -> (kind->begin) -> kind_over */
#include "agent/run.h"
#include "agent_state.h"
#include "clarify.h"
#include "ground.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/chats.h"
#include "store/claims.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    LOAD_RETRY_MS = 500,
    RESTORE_LEAST_MS = 5000, /* to read the record of an earlier attempt, also
                                past the run's deadline */
    WORK_MEMORY = 64 * 1024 * 1024,
    FINISH_RETRY_MS = 500,
    FINISH_TRIES = 240, /* two minutes; then the lease expires */
};

static struct next run_queued(struct flow *f), run_admitted(struct flow *f),
    run_work_begin(struct flow *f), run_work_due(struct flow *f),
    answering_begin(struct flow *f), answering_failed(struct flow *f),
    resume_begin(struct flow *f), resume_due(struct flow *f),
    resume_loaded(struct flow *f), resume_checked(struct flow *f),
    load_begin(struct flow *f), load_failed(struct flow *f),
    all_loaded(struct flow *f), run_loaded(struct flow *f),
    model_known(struct flow *f), ontology_held(struct flow *f),
    source_opened(struct flow *f), record_known(struct flow *f),
    kind_over(struct flow *f), work_over(struct flow *f),
    work_judged(struct flow *f), calls_due(struct flow *f),
    calls_begin(struct flow *f), calls_saved(struct flow *f),
    calls_read(struct flow *f), calls_known(struct flow *f),
    calls_unknown(struct flow *f), finish_due(struct flow *f),
    finish_begin(struct flow *f), events_saved(struct flow *f),
    row_written(struct flow *f), finish_failed(struct flow *f),
    finish_landed(struct flow *f), run_over(struct flow *f);

static struct agent_settings const *settings(const struct run *r)
{
    return agent_settings(r->agent);
}

/* Until the run's deadline, which counts from its first claim: it includes the
 * time in the queue and the attempts of other processes. */
static uint64_t time_left(const struct run *r)
{
    uint64_t used = clock_ms() - r->started_ms;
    uint64_t most = settings(r)->run_deadline_ms;
    return used < most ? most - used : 0;
}

/* ---- the queue ---------------------------------------------------------- */

static void emit_start(struct run *r)
{
    struct str chat_id = r->load.chat_id;
    struct json_writer *w = journal_event(r->log, EVENT_MESSAGE_START);
    json_field_text(w, "messageId", r->message_id);
    json_field_str(w, "chatId", chat_id.len ? chat_id : str_of(r->chat_id));
    json_field_int(w, "startedAt", r->started_at);
    journal_event_end(r->log);
}

static void emit_queued(struct run *r)
{
    struct json_writer *w = journal_event(r->log, EVENT_RUN_STATUS);
    json_field_text(w, "reason", "queued");
    journal_event_end(r->log);
}

struct next run_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    char label[64];
    snprintf(label, sizeof label, "run %s", r->message_id);
    flow_label(f, str_of(label));
    if (r->attempt == 1 && r->chat_id[0])
        emit_start(r); /* before anything is read: its user is waiting */
    if (!r->ticket || ticket_runs(r->ticket))
        return go(f, run_admitted);
    emit_queued(r);
    return go(f, run_queued);
}

/* A run that was stopped does not wait for its turn. */
static struct next run_queued(struct flow *f)
{
    struct run *r = locals(f, struct run);
    uint64_t left = time_left(r);
    if (r->end.stop == OK && !left)
        r->end.stop = ERR_TIMEOUT;
    if (ticket_runs(r->ticket) || r->end.stop != OK)
        return go(f, run_admitted);
    wait_begin(f, &r->waits.ticket, ticket_wake(r->ticket), left);
    return await(f, run_queued);
}

/* ---- the work ----------------------------------------------------------- */

static struct next run_admitted(struct flow *f)
{
    struct run *r = locals(f, struct run);
    uint64_t left = time_left(r), least = r->attempt > 1 ? RESTORE_LEAST_MS : 1;
    child_begin(f, &r->work, run_work_begin, r, "work",
                run_has_message(r) ? WORK_MEMORY : r->kind->work_memory);
    op_tolerate(&r->work.op);
    flow_label(r->work.flow, flow_get_label(f));
    flow_deadline(r->work.flow, left > least ? left : least);
    if (r->end.stop != OK)
        flow_stop(r->work.flow, r->end.stop);
    return await(f, work_over);
}

static struct next run_work_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    claims_yield_begin(f, here(f, struct claims_yield), agent_store(r->agent));
    return await(f, run_work_due);
}

static struct next run_work_due(struct flow *f)
{
    return attempt(f, answering_begin, locals(f, struct run), kind_over,
                   answering_failed);
}

/* Copies the sentence: this flow's memory is freed before the run ends. */
static struct next answering_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->end.error_text = arena_str(&r->arena, failure_text(f));
    return fail_with(f, failure(f), failure_text(f));
}

static struct next answering_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->attempt > 1 ? attempt(f, resume_begin, r, all_loaded, load_failed)
                          : attempt(f, load_begin, r, all_loaded, load_failed);
}

/* While the database is unavailable, the run waits until its deadline. */
static struct next load_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (failure(f) != ERR_DATABASE_UNAVAILABLE)
        return fail_with(f, failure(f), failure_text(f));
    pause_begin(f, &r->waits.pause, LOAD_RETRY_MS);
    return await(f, answering_begin);
}

static struct next all_loaded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return flow_call(f, r->kind->begin, r->kind->begin_name, r, kind_over,
                     "kind_over", NULL, NULL);
}

/* After a takeover. What is read of the record is freed with this frame. */
static struct next resume_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct restore_slot *s = here(f, struct restore_slot);
    r->record.artifacts = here(f, struct run_artifacts);
    *s = (struct restore_slot){.agent = r->agent};
    defer(f, restore_slot_leave, s);
    restore_slot_begin(f, s);
    return await(f, resume_due);
}

static struct next resume_due(struct flow *f)
{
    return call(f, load_begin, locals(f, struct run), resume_loaded);
}

/* The interrupted phase begins again. */
static struct next resume_loaded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!run_restore(f, r, r->record.artifacts))
        return fail_because(f, ERR_INTERNAL, "The run's record is damaged.");
    return call(f, ground_stored_begin, r, resume_checked);
}

static struct next resume_checked(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->record.artifacts = NULL;
    arena_done(&r->scratch);
    if (run_has_message(r))
        run_emit_restart(r, r->phase, r->record.restart_after);
    uint64_t left = time_left(r);
    if (!left && r->phase != PHASE_DONE)
        return fail(f, ERR_TIMEOUT);
    flow_deadline(f, left ? left : RESTORE_LEAST_MS);
    return back(f);
}

static struct next load_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->attempt - r->releases > settings(r)->run_max_attempts)
        r->end.attempts_exceeded = true;
    if (r->attempt == 1)
        return go(f, record_known);
    *r->record.artifacts =
        (struct run_artifacts){.store = agent_store(r->agent),
                               .memory = &r->scratch,
                               .message_id = str_of(r->message_id)};
    return call(f, run_artifacts_begin, r->record.artifacts, record_known);
}

static struct next record_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->attempt > 1 && !r->record.located)
        journal_seek(r->log, r->record.artifacts->last_event + 1);
    r->record.located = true;
    if (r->end.attempts_exceeded)
        return fail(f, ERR_ATTEMPTS_EXCEEDED);
    if (!run_has_message(r)) {
        run_set_kind(r, r->kind);
        return flow_call(f, r->kind->load, r->kind->load_name, r, kind_over,
                         "kind_over", NULL, NULL);
    }
    r->load = (struct run_load){.store = agent_store(r->agent),
                                .message_id = str_of(r->message_id),
                                .memory = &r->arena,
                                .history_limit = settings(r)->history_limit,
                                .limits_cost = settings(r)->cost_per_day > 0};
    return call(f, run_load_begin, &r->load, run_loaded);
}

static struct next run_loaded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->load.cancel_requested)
        return fail(f, ERR_CANCELLED);
    enum agent_kind_id kind = r->load.agent;
    if (kind == AGENT_KINDS)
        return fail_because(f, ERR_INTERNAL,
                            "This server does not know the chat's agent.");
    run_set_kind(r, agent_kind_of(kind));
    r->phase = agent_first_phase(kind);
    if (journal_last(r->log) == 0)
        emit_start(r);
    json_t *asked = r->load.asked.len ? json_read(r->load.asked, NULL) : NULL;
    if (asked)
        defer(f, json_drop, asked);
    r->n_asked = clarify_read(&r->arena, asked, &r->asked);
    r->provider = agent_provider(r->agent, r->load.llm_provider);
    if (!r->provider)
        return fail_because(
            f, ERR_MODEL_UNAVAILABLE,
            "The chat's language model is not configured on this server.");
    if (!str_is(r->load.ontology_status, "ready"))
        return fail_because(f, ERR_NO_DATASETS, "The ontology is not ready.");
    r->waits.config = (struct settings_agent_config){
        .store = agent_store(r->agent), .provider = str_of(r->provider->id)};
    return call(f, settings_agent_config_begin, &r->waits.config, model_known);
}

static struct next model_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->provider =
        agent_provider_configured(&r->arena, r->provider, &r->waits.config);
    struct ontology_acquire *h = keep(f, struct ontology_acquire);
    *h = (struct ontology_acquire){.store = agent_store(r->agent),
                                   .id = r->load.ontology_id,
                                   .version = r->load.ontology_version};
    r->waits.hold = h;
    return call(f, ontology_acquire_begin, h, ontology_held);
}

static struct next ontology_held(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->ontology)
        r->ontology->holders--; /* of an earlier try to load it */
    r->ontology = r->waits.hold->held;
    r->ontology->holders++; /* the metadata needs it after the work */
    if (r->ontology->model->n_datasets == 0)
        return fail(f, ERR_NO_DATASETS);
    struct source_open *s = keep(f, struct source_open);
    *s = (struct source_open){.store = agent_store(r->agent),
                              .connection_id = r->load.connection_id,
                              .database = r->load.database,
                              .changed_at = r->load.connection_changed_at};
    r->waits.source = s;
    return call(f, source_open_begin, s, source_opened);
}

static struct next source_opened(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct agent_settings *s = settings(r);
    r->tools = (struct tool_context){.trace = &r->parent,
                                     .ontology = r->ontology,
                                     .source = r->waits.source->opened,
                                     .sandbox = &s->sandbox,
                                     .store = agent_store(r->agent),
                                     .sql_timeout_ms = s->sql_timeout_ms,
                                     .python_timeout_ms = s->python_timeout_ms,
                                     .sql_max_rows = s->sql_max_rows,
                                     .sql_max_bytes = s->sql_max_bytes,
                                     .text_budget = s->prompt_budget,
                                     .share_rows = r->load.share_rows,
                                     .dataset_id = r->load.dataset_id,
                                     .ontology_id = r->load.ontology_id,
                                     .user_id = r->load.user_id};
    return back(f);
}

static struct next kind_over(struct flow *f)
{
    return back(f);
}

/* ---- how it ended ------------------------------------------------------- */

static struct str clarification_text(struct run *r)
{
    struct buf out;
    buf_init(&out, &r->arena);
    buf_text(&out, "To answer well I need to know:\n");
    for (size_t i = 0; i < r->n_questions; i++) {
        const struct plan_clarification *q = &r->questions[i];
        buf_printf(&out, "\n%zu. %.*s *(otherwise I assume: %.*s)*", i + 1,
                   STR_ARG(q->question), STR_ARG(q->assumption));
    }
    return buf_view(&out);
}

static void ask_user(struct run *r)
{
    r->end.outcome = RUN_CLARIFIES;
    r->end.status = "clarification_needed";
    r->end.content = clarification_text(r);
    struct json_writer *w =
        journal_event(r->log, EVENT_CLARIFICATION_REQUESTED);
    json_field_array(w, "questions");
    for (size_t i = 0; i < r->n_questions; i++)
        artifact_encode(w, &plan_clarification_type, &r->questions[i]);
    json_put_array_end(w);
    journal_event_end(r->log);
}

static void answer(struct run *r)
{
    r->end.outcome = RUN_ANSWERED;
    r->end.status = "complete";
    r->end.content = r->output->narrative;
    struct json_writer *w = journal_event(r->log, EVENT_TEXT);
    json_field_str(w, "content", r->end.content);
    journal_event_end(r->log);
}

/* The errors that a run may report (docs/api.md). */
static enum err run_error(enum err e)
{
    switch (e) {
    case ERR_CANCELLED:
    case ERR_TIMEOUT:
    case ERR_BUDGET:
    case ERR_MODEL_UNAVAILABLE:
    case ERR_MODEL_REFUSED:
    case ERR_BAD_REPLY:
    case ERR_DATABASE_UNAVAILABLE:
    case ERR_SANDBOX_UNAVAILABLE:
    case ERR_NO_DATASETS:
    case ERR_ATTEMPTS_EXCEEDED:
    case ERR_NO_MEMORY:
        return e;
    default:
        return e == ERR_UNAVAILABLE ? ERR_DATABASE_UNAVAILABLE : ERR_INTERNAL;
    }
}

static void fail_run(struct run *r, enum err why)
{
    if (run_has_message(r))
        why = run_error(why);
    r->end.outcome = RUN_FAILED;
    r->end.status =
        why == ERR_CANCELLED && !run_has_message(r) ? "cancelled" : "failed";
    r->end.error = why;
    if (!r->end.error_text.len)
        r->end.error_text = str_of(err_sentence(why));
    r->end.content = arena_str(&r->arena, buf_view(&r->visible));
    log_event(LOG_WARN, "run failed",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"code", str_of(err_code(why))},
                                   {"phase", str_of(phase_word(r->phase))},
                                   {"cause", r->end.error_text},
                                   {"traceId", str_of(r->trace.trace_id)},
                                   {NULL, {0}}});
}

/* Renders what the row needs, and frees the rest: a thousand runs may wait here
 * for the database. */
static void render_end(struct run *r)
{
    r->retired = r->arena;
    flow_arena_init(&r->arena, RUN_MEMORY);
    r->end.content = arena_str(&r->arena, r->end.content);
    r->end.error_text = arena_str(&r->arena, r->end.error_text);
    if (!r->load.chat_named)
        r->end.chat_name = arena_str(&r->arena, chat_name_of(r->load.question));
    r->end.duration_ms = (int64_t)(clock_ms() - r->started_ms);
    r->end.charts = run_charts(r);
    r->end.metadata = run_metadata(r, false);
    r->end.metadata_with_charts =
        r->end.charts.len ? run_metadata(r, true) : r->end.metadata;
    if (r->kind && r->kind->capsule)
        r->end.capsule = r->kind->capsule(r);
    r->state = NULL;
    r->results = NULL;
    r->full_data = NULL;
    r->report = NULL;
    r->output = NULL;
    r->questions = NULL;
    r->calls.first = NULL;
    r->calls.end = &r->calls.first;
    r->calls.read_back = NULL;
    r->calls.notes = (struct buf){0};
    r->record.artifacts = NULL;
    r->load = (struct run_load){0};
    r->discovery = (struct discovery){0};
    arena_done(&r->retired);
    arena_done(&r->rows);
    arena_done(&r->scratch);
    arena_done(&r->calls.memory);
    buf_done(&r->visible);
}

/* Tries again to write the row, unless another process has the run. */
static struct next retry_end(struct flow *f, step_fn *due)
{
    struct run *r = locals(f, struct run);
    if (failure(f) == ERR_CONFLICTING_WRITE || ++r->end.tries > FINISH_TRIES) {
        r->end.outcome = RUN_LOST;
        return go(f, run_over);
    }
    pause_begin(f, &r->waits.pause, FINISH_RETRY_MS);
    return await(f, due);
}

/* A run that was taken over may end before its record was read; it is read now
 * if possible. */
static struct next work_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->end.work_status = r->work.op.status;
    if (r->attempt == 1 || r->record.restored || r->end.outcome == RUN_LOST ||
        r->end.released || !run_has_message(r))
        return go(f, work_judged);
    child_begin(f, &r->work, run_salvage_begin, r, "record", WORK_MEMORY);
    op_tolerate(&r->work.op);
    flow_label(r->work.flow, flow_get_label(f));
    flow_deadline(r->work.flow, RESTORE_LEAST_MS);
    return await(f, work_judged);
}

static struct next work_judged(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!run_is_open(r))
        return go(f, run_over);
    if (r->work.op.status == ERR_CANCELLED &&
        r->end.work_status != ERR_CANCELLED) {
        r->end.work_status = ERR_CANCELLED; /* while the record was read */
        r->end.error_text = STR("");
    }
    if (r->end.work_status != OK)
        fail_run(r, r->end.work_status);
    else if (!run_has_message(r))
        fail_run(r, ERR_INTERNAL);
    else if (r->output)
        answer(r);
    else if (r->questions)
        ask_user(r);
    else
        fail_run(r, ERR_INTERNAL);
    if (!run_has_message(r))
        return go(f, finish_due);
    journal_artifact(r->log, "digest", run_digest(r));
    return go(f, calls_due);
}

/* ---- recorded tool calls, for the metadata ------------------------------ */

static struct next calls_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->calls.n_records
               ? attempt(f, calls_begin, r, calls_known, calls_unknown)
               : go(f, calls_known);
}

static struct next calls_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, calls_saved);
}

static struct next calls_saved(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct run_calls *c = arena_new(&r->arena, struct run_calls);
    *c = (struct run_calls){.store = agent_store(r->agent),
                            .message_id = str_of(r->message_id),
                            .most = (size_t)r->calls.n_records,
                            .memory = &r->arena};
    r->calls.read_back = c;
    return call(f, run_calls_begin, c, calls_read);
}

static struct next calls_read(struct flow *f)
{
    return back(f);
}

static struct next calls_known(struct flow *f)
{
    render_end(locals(f, struct run));
    return go(f, finish_due);
}

static struct next calls_unknown(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->calls.read_back = NULL;
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    return retry_end(f, calls_due);
}

/* ---- writing the row, until it succeeds --------------------------------- */

static struct next finish_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return attempt(f, finish_begin, r, finish_landed, finish_failed);
}

static struct next finish_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, events_saved);
}

/* Renders the terminal event before the row is written: after that nothing may
 * fail. */
static struct next events_saved(struct flow *f)
{
    struct run *r = locals(f, struct run);
    bool message = run_has_message(r);
    if (message && !r->end.frame.len)
        r->end.frame = run_terminal_frame(r);
    struct run_finish *x = here(f, struct run_finish);
    *x = (struct run_finish){.store = agent_store(r->agent),
                             .message_id = str_of(r->message_id),
                             .epoch = r->epoch,
                             .status = str_of(r->end.status),
                             .content =
                                 message ? r->end.content : r->end.error_text,
                             .code = message ? NULL : err_code(r->end.error),
                             .tokens = message ? 0 : r->tokens.total,
                             .cost = message ? 0 : r->tokens.cost,
                             .metadata = r->end.metadata,
                             .charts = r->end.charts,
                             .capsule = r->end.capsule,
                             .chat_name = r->end.chat_name};
    r->waits.finish = x;
    return call(f, run_finish_begin, x, row_written);
}

static struct next row_written(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->end.finished = r->waits.finish->finished;
    if (!r->end.finished)
        r->end.outcome = RUN_LOST;
    else if (run_has_message(r))
        journal_end(r->log, r->end.frame);
    return back(f);
}

static struct next finish_failed(struct flow *f)
{
    if (failure(f) == ERR_NO_MEMORY)
        run_end_without_memory(locals(f, struct run));
    return retry_end(f, finish_due);
}

bool run_is_open(const struct run *r)
{
    return !r->end.finished && !r->end.released && r->end.outcome != RUN_LOST;
}

struct next run_end_begin(struct flow *f)
{
    run_end_without_memory(locals(f, struct run));
    return go(f, finish_due);
}

static struct next finish_landed(struct flow *f)
{
    return go(f, run_over);
}

static const char *run_end_word(const struct run *r)
{
    return r->end.released              ? "released"
           : r->end.outcome == RUN_LOST ? "lost"
           : r->end.status              ? r->end.status
                                        : "failed";
}

static struct next run_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    log_event(LOG_INFO, "run over",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"status", str_of(run_end_word(r))},
                                   {"traceId", str_of(r->trace.trace_id)},
                                   {"spanId", str_of(r->trace.span_id)},
                                   {NULL, {0}}});
    if (run_has_message(r))
        agent_count_run(r->agent, r);
    run_span_end(r, run_end_word(r), r->end.error);
    return back(f);
}
