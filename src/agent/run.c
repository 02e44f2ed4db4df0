/* run.c - the outer flow of a run: it waits for its turn, its work ends one way
 * or another, and then it is ended once, in the database before anywhere else.
 *
 *   run_begin -> (run_in_line) -> run_admitted
 *   run_admitted -> (the work: load, phases) -> work_over -> work_judged
 *   work_over -> (run_salvage) -> work_judged, where no record was restored
 *   work_judged -> calls_due
 *   work of a run taken over: resume_begin -> resume_due -> (load) ->
 *                             resume_loaded -> (phases)
 *   calls_due -> (tool calls are read back) -> calls_known -> finish_due
 *   finish_due -> events_saved -> row_written -> run_over
 *                     \ finish_failed -> finish_due (until it lands)
 *   run_end_begin -> finish_due, when the outer flow itself failed: its memory
 *                     ran out, and another one takes its place */
#include "agent/run.h"
#include "agent_state.h"
#include "clarify.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/chats.h"
#include "store/claims.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    LOAD_RETRY_MS = 500,
    RESTORE_LEAST_MS = 5000, /* to read what an earlier attempt left, also past
                                the run's deadline */
    WORK_MEMORY = 64 * 1024 * 1024,
    FINISH_RETRY_MS = 500,
    FINISH_TRIES = 240, /* two minutes; then the lease decides */
};

static struct next run_in_line(struct flow *f), run_admitted(struct flow *f),
    run_work_begin(struct flow *f), run_work_due(struct flow *f),
    answering_begin(struct flow *f), answering_failed(struct flow *f),
    resume_begin(struct flow *f), resume_due(struct flow *f),
    resume_loaded(struct flow *f), load_begin(struct flow *f),
    load_failed(struct flow *f), all_loaded(struct flow *f),
    run_loaded(struct flow *f), model_known(struct flow *f),
    ontology_held(struct flow *f), source_opened(struct flow *f),
    record_known(struct flow *f), agent_due(struct flow *f),
    phases_over(struct flow *f), pipeline_over(struct flow *f),
    work_over(struct flow *f), work_judged(struct flow *f),
    calls_due(struct flow *f), calls_begin(struct flow *f),
    calls_saved(struct flow *f), calls_read(struct flow *f),
    calls_known(struct flow *f), calls_unknown(struct flow *f),
    finish_due(struct flow *f), finish_begin(struct flow *f),
    events_saved(struct flow *f), row_written(struct flow *f),
    finish_failed(struct flow *f), finish_landed(struct flow *f),
    run_over(struct flow *f);

static struct agent_settings const *settings(const struct run *r)
{
    return agent_settings(r->agent);
}

/* Until the run's deadline, which counts from its first claim: time in line and
 * attempts of other processes included. */
static uint64_t time_left(const struct run *r)
{
    uint64_t used = clock_ms() - r->started_ms;
    uint64_t most = settings(r)->run_deadline_ms;
    return used < most ? most - used : 0;
}

/* ---- in line ------------------------------------------------------------ */

static void tell_start(struct run *r)
{
    struct str chat_id = r->load.chat_id;
    struct json_writer *w = journal_event(r->log, EVENT_MESSAGE_START);
    json_field_text(w, "messageId", r->message_id);
    json_field_str(w, "chatId", chat_id.len ? chat_id : str_of(r->chat_id));
    json_field_int(w, "startedAt", r->started_at);
    journal_event_end(r->log);
}

static void tell_queued(struct run *r)
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
        tell_start(r); /* before anything is read: somebody waits for a sign */
    if (place_runs(r->place))
        return go(f, run_admitted);
    tell_queued(r);
    return go(f, run_in_line);
}

/* A run that was stopped goes on to its end without its turn. */
static struct next run_in_line(struct flow *f)
{
    struct run *r = locals(f, struct run);
    uint64_t left = time_left(r);
    if (r->stop == OK && !left)
        r->stop = ERR_TIMEOUT;
    if (place_runs(r->place) || r->stop != OK)
        return go(f, run_admitted);
    wait_begin(f, &r->turn, place_wake(r->place), left);
    return await(f, run_in_line);
}

/* ---- the work: load what is needed, then the phases --------------------- */

static struct next run_admitted(struct flow *f)
{
    struct run *r = locals(f, struct run);
    uint64_t left = time_left(r), least = r->attempt > 1 ? RESTORE_LEAST_MS : 1;
    child_begin(f, &r->work, run_work_begin, r, "work", WORK_MEMORY);
    op_tolerate(&r->work.op);
    flow_label(r->work.flow, flow_label_of(f));
    flow_deadline(r->work.flow, left > least ? left : least);
    if (r->stop != OK)
        flow_stop(r->work.flow, r->stop);
    return await(f, work_over);
}

static struct next run_work_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    claims_lull_begin(f, here(f, struct claims_lull), agent_store(r->agent));
    return await(f, run_work_due);
}

static struct next run_work_due(struct flow *f)
{
    return attempt(f, answering_begin, locals(f, struct run), pipeline_over,
                   answering_failed);
}

/* The sentence is kept: this flow's memory goes before the run is ended. */
static struct next answering_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->error_text = arena_str(&r->arena, failure_text(f));
    return fail_with(f, failure(f), failure_text(f));
}

static struct next answering_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->attempt > 1 ? attempt(f, resume_begin, r, all_loaded, load_failed)
                          : attempt(f, load_begin, r, all_loaded, load_failed);
}

/* While the database is away a run waits, until its deadline. */
static struct next load_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (failure(f) != ERR_DATABASE_UNAVAILABLE)
        return fail_with(f, failure(f), failure_text(f));
    pause_begin(f, &r->pause, LOAD_RETRY_MS);
    return await(f, answering_begin);
}

static struct next all_loaded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->phase == PHASE_DONE ? go(f, phases_over) : go(f, agent_due);
}

/* Taken over: what was read and parsed of its record goes with this frame. */
static struct next resume_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct restore_slot *s = here(f, struct restore_slot);
    r->stored = here(f, struct run_artifacts);
    *s = (struct restore_slot){.agent = r->agent};
    defer(f, restore_slot_leave, s);
    restore_slot_begin(f, s);
    return await(f, resume_due);
}

static struct next resume_due(struct flow *f)
{
    return call(f, load_begin, locals(f, struct run), resume_loaded);
}

/* The phase that was under way begins again. */
static struct next resume_loaded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!run_restore(f, r, r->stored))
        return fail_because(f, ERR_INTERNAL, "The run's record is damaged.");
    r->stored = NULL;
    arena_done(&r->scratch);
    struct json_writer *w = journal_event(r->log, EVENT_PHASE_RESTART);
    json_field_text(w, "phase", phase_word(r->phase));
    json_field_int(w, "attempt", r->attempt);
    json_field_int(w, "afterId", r->restart_after);
    journal_event_end(r->log);
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
        r->worn_out = true;
    if (r->attempt == 1)
        return go(f, record_known);
    *r->stored = (struct run_artifacts){.store = agent_store(r->agent),
                                        .memory = &r->scratch,
                                        .message_id = str_of(r->message_id)};
    return call(f, run_artifacts_begin, r->stored, record_known);
}

static struct next record_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->attempt > 1 && !r->sought)
        journal_seek(r->log, r->stored->last_event + 1);
    r->sought = true;
    if (r->worn_out)
        return fail(f, ERR_ATTEMPTS_EXCEEDED);
    r->load = (struct run_load){.store = agent_store(r->agent),
                                .message_id = str_of(r->message_id),
                                .memory = &r->arena,
                                .history_limit = settings(r)->history_limit};
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
                            "The chat's agent is not known here.");
    r->kind = agent_kind_of(kind);
    r->phase = agent_first_phase(kind);
    if (journal_last(r->log) == 0)
        tell_start(r);
    json_t *asked = r->load.asked.len ? json_read(r->load.asked, NULL) : NULL;
    if (asked)
        defer(f, json_drop, asked);
    r->n_asked = clarify_read(&r->arena, asked, &r->asked);
    r->provider = agent_provider(r->agent, r->load.llm_provider);
    if (!r->provider)
        return fail_because(f, ERR_MODEL_UNAVAILABLE,
                            "The chat's language model is not set up here.");
    if (!str_is(r->load.ontology_status, "ready"))
        return fail_because(f, ERR_NO_DATASETS, "The ontology is not ready.");
    r->config = (struct settings_agent_config){
        .store = agent_store(r->agent), .provider = str_of(r->provider->id)};
    return call(f, settings_agent_config_begin, &r->config, model_known);
}

static struct next model_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->provider = agent_provider_as_set(&r->arena, r->provider, &r->config);
    struct ontology_hold *h = keep(f, struct ontology_hold);
    *h = (struct ontology_hold){.store = agent_store(r->agent),
                                .id = r->load.ontology_id,
                                .version = r->load.ontology_version};
    r->hold = h;
    return call(f, ontology_hold_begin, h, ontology_held);
}

static struct next ontology_held(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->ontology)
        r->ontology->holders--; /* of an earlier try */
    r->ontology = r->hold->held;
    r->ontology->holders++; /* the metadata needs it after the work is over */
    if (r->ontology->model->n_datasets == 0)
        return fail(f, ERR_NO_DATASETS);
    struct source_open *s = keep(f, struct source_open);
    *s = (struct source_open){.store = agent_store(r->agent),
                              .connection_id = r->load.connection_id,
                              .database = r->load.database,
                              .changed_at = r->load.connection_changed_at};
    r->opening = s;
    return call(f, source_open_begin, s, source_opened);
}

static struct next source_opened(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct agent_settings *s = settings(r);
    r->tools = (struct tool_context){.trace = &r->trace,
                                     .ontology = r->ontology,
                                     .source = r->opening->pool,
                                     .sandbox = &s->sandbox,
                                     .sql_timeout_ms = s->sql_timeout_ms,
                                     .python_timeout_ms = s->python_timeout_ms,
                                     .sql_max_rows = s->sql_max_rows,
                                     .sql_max_bytes = s->sql_max_bytes,
                                     .text_budget = s->prompt_budget,
                                     .share_rows = r->load.share_rows,
                                     .user_id = r->load.user_id};
    return back(f);
}

static struct next agent_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return flow_call(f, r->kind->begin, r->kind->begin_name, r, phases_over,
                     "phases_over", NULL, NULL);
}

static struct next phases_over(struct flow *f)
{
    return call(f, capture_begin, locals(f, struct run), pipeline_over);
}

static struct next pipeline_over(struct flow *f)
{
    return back(f);
}

/* ---- how it ended ------------------------------------------------------- */

static struct str clarification_text(struct run *r)
{
    struct buf out;
    buf_init(&out, &r->arena);
    buf_text(&out, "To answer well I need to know:\n");
    for (size_t i = 0; i < r->plan->n_clarification_questions; i++) {
        const struct plan_clarification *q =
            &r->plan->clarification_questions[i];
        buf_printf(&out, "\n%zu. %.*s *(otherwise I assume: %.*s)*", i + 1,
                   STR_ARG(q->question), STR_ARG(q->assumption));
    }
    return buf_view(&out);
}

static void ask_back(struct run *r)
{
    r->outcome = RUN_CLARIFIES;
    r->status = "clarification_needed";
    r->content = clarification_text(r);
    struct json_writer *w =
        journal_event(r->log, EVENT_CLARIFICATION_REQUESTED);
    json_put_key(w, "questions");
    json_put_array(w);
    for (size_t i = 0; i < r->plan->n_clarification_questions; i++)
        artifact_encode(w, &plan_clarification_type,
                        &r->plan->clarification_questions[i]);
    json_put_array_end(w);
    journal_event_end(r->log);
}

static void answer(struct run *r)
{
    r->outcome = RUN_ANSWERED;
    r->status = "complete";
    r->content = r->output->narrative;
    struct json_writer *w = journal_event(r->log, EVENT_TEXT);
    json_field_str(w, "content", r->content);
    journal_event_end(r->log);
}

/* Of all errors those that API.md lists for runs. */
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
    case ERR_NO_DATASETS:
    case ERR_ATTEMPTS_EXCEEDED:
    case ERR_NO_MEMORY:
        return e;
    default:
        return e == ERR_UNAVAILABLE ? ERR_DATABASE_UNAVAILABLE : ERR_INTERNAL;
    }
}

static void give_up(struct run *r, enum err why)
{
    why = run_error(why);
    r->outcome = RUN_FAILED;
    r->status = "failed";
    r->error = why;
    if (!r->error_text.len)
        r->error_text = str_of(err_sentence(why));
    r->content = arena_str(&r->arena, buf_view(&r->visible));
    log_event(LOG_WARN, "run failed",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"code", str_of(err_code(why))},
                                   {"phase", str_of(phase_word(r->phase))},
                                   {"cause", r->error_text},
                                   {"traceId", str_of(r->trace.trace_id)},
                                   {NULL, {0}}});
}

/* What the answer was made of goes as soon as it is put into words: a thousand
 * runs may stand in line here for the database. */
static void keep_the_end(struct run *r)
{
    r->spent = r->arena;
    flow_arena_init(&r->arena, RUN_MEMORY);
    r->content = arena_str(&r->arena, r->content);
    r->error_text = arena_str(&r->arena, r->error_text);
    if (!r->load.chat_named)
        r->chat_name = arena_str(&r->arena, chat_name_of(r->load.question));
    r->duration_ms = (int64_t)(clock_ms() - r->started_ms);
    r->charts = run_charts(r);
    r->metadata = run_metadata(r, false);
    r->told = r->charts.len ? run_metadata(r, true) : r->metadata;
    r->plan = NULL;
    r->join_plan = NULL;
    r->cannot_answer = NULL;
    r->queries = NULL;
    r->results = NULL;
    r->full_data = NULL;
    r->report = NULL;
    r->output = NULL;
    r->calls = NULL;
    r->calls_end = &r->calls;
    r->told_calls = NULL;
    r->notes = (struct buf){0};
    r->stored = NULL;
    r->load = (struct run_load){0};
    r->discovery = (struct discovery){0};
    arena_done(&r->spent);
    arena_done(&r->rows);
    arena_done(&r->scratch);
    arena_done(&r->call_memory);
    buf_done(&r->visible);
}

/* Until it lands, or somebody else has the run. */
static struct next end_again(struct flow *f, step_fn *due)
{
    struct run *r = locals(f, struct run);
    if (failure(f) == ERR_CONFLICTING_WRITE ||
        ++r->finish_tries > FINISH_TRIES) {
        r->outcome = RUN_LOST;
        return go(f, run_over);
    }
    pause_begin(f, &r->pause, FINISH_RETRY_MS);
    return await(f, due);
}

/* A run that was taken over may end before its record was read: it is read now,
 * if that can be done. */
static struct next work_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->ending = r->work.op.status;
    if (r->attempt == 1 || r->restored || r->outcome == RUN_LOST || r->released)
        return go(f, work_judged);
    child_begin(f, &r->work, run_salvage_begin, r, "record", WORK_MEMORY);
    op_tolerate(&r->work.op);
    flow_label(r->work.flow, flow_label_of(f));
    flow_deadline(r->work.flow, RESTORE_LEAST_MS);
    return await(f, work_judged);
}

static struct next work_judged(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->outcome == RUN_LOST || r->released)
        return go(f, run_over);
    if (r->work.op.status == ERR_CANCELLED && r->ending != ERR_CANCELLED) {
        r->ending = ERR_CANCELLED; /* while its record was read */
        r->error_text = STR("");
    }
    if (r->ending != OK)
        give_up(r, r->ending);
    else if (r->output)
        answer(r);
    else if (r->plan && r->plan->should_clarify)
        ask_back(r);
    else
        give_up(r, ERR_INTERNAL);
    journal_artifact(r->log, "digest", run_digest(r));
    return go(f, calls_due);
}

/* ---- tool calls, as they are on record ----------------------------------- */

static struct next calls_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->n_told ? attempt(f, calls_begin, r, calls_known, calls_unknown)
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
                            .most = (size_t)r->n_told,
                            .memory = &r->arena};
    r->told_calls = c;
    return call(f, run_calls_begin, c, calls_read);
}

static struct next calls_read(struct flow *f)
{
    return back(f);
}

static struct next calls_known(struct flow *f)
{
    keep_the_end(locals(f, struct run));
    return go(f, finish_due);
}

static struct next calls_unknown(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->told_calls = NULL;
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    return end_again(f, calls_due);
}

/* ---- finishing, until it lands ------------------------------------------ */

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

/* The terminal event is ready before the row is closed: behind that nothing may
 * fail any more. */
static struct next events_saved(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!r->frame.len)
        r->frame = run_terminal_frame(r);
    struct run_finish *x = here(f, struct run_finish);
    *x = (struct run_finish){.store = agent_store(r->agent),
                             .message_id = str_of(r->message_id),
                             .epoch = r->epoch,
                             .status = str_of(r->status),
                             .content = r->content,
                             .metadata = r->metadata,
                             .charts = r->charts,
                             .chat_name = r->chat_name};
    r->finish = x;
    return call(f, run_finish_begin, x, row_written);
}

static struct next row_written(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->finished = r->finish->finished;
    if (r->finished)
        journal_end(r->log, r->frame);
    else
        r->outcome = RUN_LOST;
    return back(f);
}

static struct next finish_failed(struct flow *f)
{
    if (failure(f) == ERR_NO_MEMORY)
        run_last_words(locals(f, struct run));
    return end_again(f, finish_due);
}

bool run_is_open(const struct run *r)
{
    return !r->finished && !r->released && r->outcome != RUN_LOST;
}

struct next run_end_begin(struct flow *f)
{
    run_last_words(locals(f, struct run));
    return go(f, finish_due);
}

static struct next finish_landed(struct flow *f)
{
    return go(f, run_over);
}

static struct next run_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    log_event(
        LOG_INFO, "run over",
        (struct log_field[]){
            {"run", str_of(r->message_id)},
            {"status", str_of(r->outcome == RUN_LOST ? "lost" : r->status)},
            {"traceId", str_of(r->trace.trace_id)},
            {"spanId", str_of(r->trace.span_id)},
            {NULL, {0}}});
    agent_count_run(r->agent, r);
    return back(f);
}
