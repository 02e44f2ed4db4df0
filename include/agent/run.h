/* run.h - a run: the work that answers one question.
 *
 *   run         a claimed assistant message, or the build of a model. Its row of
 *               `runs` is the truth; struct run is the working copy in the
 *               process that owns it
 *   kind        the agent that answers (agent/kind.h). It has a state of its
 *               own, of which shared code knows nothing
 *   work        the flow that does what the kind does; it may fail, be
 *               cancelled or time out
 *   outer flow  outlives the work and ends the run once, whatever happened
 *   phase       one stage of the work. It can start from stored artifacts, so
 *               revisions and takeovers need no code of their own
 *   consult     one call of a model for a phase, with its events, trace and
 *               repair
 *
 * All memory of a run is in its arenas, which have a limit. */
#pragma once
#include "agent/agent.h"
#include "agent/kind.h"
#include "artifact/artifact.h"
#include "base/span.h"
#include "loop/wait.h"
#include "store/connections.h"
#include "store/runs.h"

enum { RUN_MEMORY = 64 * 1024 * 1024 }; /* of each of its arenas, at most */

enum run_outcome { RUN_ANSWERED, RUN_CLARIFIES, RUN_FAILED, RUN_LOST };

struct tracked_call { /* metadata.toolCalls */
    enum phase phase;
    int64_t step_id; /* 0: none */
    struct str id;   /* the model's, in a tool loop; empty: a call by code */
    struct str name, args; /* args: JSON text */
    struct str result;     /* quoted JSON text of 2,000 characters at most */
    bool failed;           /* `result` is the error */
    struct tracked_call *next;
};

struct discovery {
    int64_t embedding_ms, search_ms, fetch_ms;
    struct discovered {
        size_t dataset;
        float score;
    } *matched;
    size_t n_matched;
    size_t with_yaml;
    bool by_words;  /* by lexical vectors, without a model */
    bool fell_back; /* nothing was similar: `matched` has every dataset */
    uint64_t started_ms;
    struct llm_embedding *embedding; /* while the question is embedded */
    struct similarity *search;       /* while datasets are compared with it */
    bool asked_neo4j, by_neo4j;      /* whether it was asked, and answered */
};

/* Tool calls of a run, for its metadata and for later questions. A checkpoint
 * moves them to a record in the database. */
struct call_log {
    struct arena memory;               /* of the calls below */
    struct tracked_call *first, **end; /* calls that no record holds yet */
    int n_records;                     /* that hold the earlier ones */
    struct run_calls *read_back;       /* these records, when the run ends */
    struct buf notes; /* results that later questions may see (digest) */
};

/* The latest traced prompt: calls that continue it leave its messages out. */
struct traced_prompt {
    int call;
    size_t n, len; /* messages; bytes of their JSON, without the last bracket */
    uint64_t hash; /* of these bytes; n = 0: there is none */
};

/* What is stored of a run that this process took over. */
struct run_record {
    bool located;          /* its last event is known to the journal */
    bool restored;         /* its artifacts are in the run, or cannot be read */
    bool has_discovery;    /* what was found for the question is on record */
    int64_t restart_after; /* the event after which the phase begins again */
    struct run_artifacts *artifacts; /* while they are read */
};

/* How a run ends. */
struct run_end {
    enum err stop;        /* asked for before the work began; OK: none */
    enum err work_status; /* of the flow that did the work */
    bool released;        /* given up, so that another process takes over */
    bool attempts_exceeded;
    enum run_outcome outcome;
    enum err error;
    struct str error_text;
    /* Of the message's row */
    const char *status;
    struct str content, chat_name;
    struct str metadata, charts, capsule;
    struct str metadata_with_charts; /* for streams */
    int64_t duration_ms;
    struct str frame; /* the terminal event */
    int tries;        /* to write the row */
    int flows;        /* outer flows that failed to end the run */
    bool finished;    /* the row is written */
};

/* Locals of steps that load and end a run; each is used while its step
 * waits. */
struct run_waits {
    struct wait ticket;
    struct pause pause;
    struct settings_agent_config config;
    struct ontology_acquire *hold;
    struct source_open *source;
    struct run_finish *finish;
    struct ground_look *look;
};

struct run {
    /* Identity */
    struct agent *agent;
    const struct agent_kind *kind; /* NULL until the run is loaded */
    void *state;                   /* of the kind; NULL likewise */
    char message_id[UUID_SIZE], chat_id[UUID_SIZE];
    int64_t started_at;  /* wall ms */
    uint64_t started_ms; /* monotonic */
    struct trace trace;  /* its ids in a trace */
    struct trace parent; /* of its calls: that of the phase, or the run */
    struct span span, phase_span;

    /* Ownership */
    int epoch, attempt;
    int releases;          /* attempts that were released, not lost */
    struct run *next_live; /* in the agent's list */
    struct ticket *ticket; /* NULL after its end, and when it needs no slot */
    struct child work;
    struct journal_entry *log;

    /* Memory */
    struct arena arena;   /* artifacts, and what the metadata needs */
    struct arena rows;    /* of results; a revision replaces them */
    struct arena scratch; /* of the current phase: replies, rows, samples */
    struct arena retired; /* the old `arena` while the end is rendered */
    struct arena reserve; /* to end the run when the others are exhausted */

    /* Input */
    struct run_load load;
    struct plan_clarification *asked; /* by the previous answer */
    size_t n_asked;
    struct cached_ontology *ontology;
    const struct agent_provider *provider;
    struct tool_context tools;
    struct discovery discovery;

    /* Progress */
    enum phase phase;
    int revision;   /* revisions used */
    int call_index; /* of the next model call */
    uint64_t phase_entered_ms;
    struct llm_usage tokens, phase_tokens;
    struct consult *consult; /* of the current phase */
    struct traced_prompt traced;
    struct buf visible; /* answer text streamed so far (heap) */
    struct call_log calls;
    struct run_record record;

    /* Results; NULL until there are any. A kind leaves `output`, or questions
     * for the user. */
    struct step_results *results;
    struct str *full_data; /* for each result, all fetched rows as JSON */
    struct verification_report *report;
    struct explainer_output *output;
    struct plan_clarification *questions;
    size_t n_questions;

    struct run_end end;
    struct run_waits waits;
};

/* It answers a message of a chat; otherwise its kind has a `load` of its own. */
static inline bool run_has_message(const struct run *r)
{
    return !r->kind || !r->kind->load;
}

/* Sets the run's kind, once, and gives the run a zeroed state of it. */
void run_set_kind(struct run *r, const struct agent_kind *kind);

/* Finds datasets similar to the question: run->discovery. Locals are the
 * run. */
step_fn discovery_begin;
/* Adds a dataset to those that the question is about. */
void discovery_add(struct run *r, size_t dataset);

/* ---- events ------------------------------------------------------------- */

void run_emit_phase(struct run *r, enum event_type type, enum phase phase);
/* `json` is the artifact as streams have it (artifact_bare). */
void run_emit_artifact(struct run *r, enum phase phase, struct str json);
void run_emit_tokens(struct run *r, enum phase phase);
/* A piece of the answer's text, which r->visible keeps too. */
void run_emit_chunk(struct run *r, struct str piece);
/* Readers drop what the phase sent after event `after`, and its text. */
void run_emit_restart(struct run *r, enum phase phase, int64_t after);
/* A text that is complete; nothing when it is blank. */
void run_emit_text(struct run *r, struct str content);

/* JSON text of the arguments of a call with one argument. */
struct str tool_arguments(struct arena *a, const char *name, struct str value);
/* Emits tool_start, or tool_call when the call has an id, and adds the call to
 * r->calls. Texts are copied; `args` is JSON text. */
struct tracked_call *run_tool_started(struct run *r, enum phase phase,
                                      int64_t step_id, struct str id,
                                      struct str name, struct str args);
/* Emits the end or the error of the call, whose text is `result`. */
void run_tool_ended(struct run *r, struct tracked_call *c, struct str result,
                    bool failed);
/* Keeps a tool's result for later questions when the phase reads data. */
void run_note_result(struct run *r, enum phase phase, struct str name,
                     struct str result);

/* Fields that an event and the metadata have in common. */
void run_put_tokens(struct json_writer *w, const struct llm_usage *u);
/* `cost`, when all of it has a price. */
void run_put_cost(struct json_writer *w, const struct llm_usage *u);
void run_put_call(struct json_writer *w, const struct tracked_call *c);
void run_put_discovery(struct json_writer *w, const struct run *r);

/* ---- checkpoints -------------------------------------------------------- */

/* The name of one of several records: "<stem>_<n>". */
struct record_name {
    char text[JOURNAL_KIND_SIZE];
};
struct record_name record_name(const char *stem, size_t n);

/* Records discovery, once, and the tool calls since the last checkpoint; and,
 * with the phase that is written next, the tokens. */
void run_record_progress(struct run *r);
/* Takes the tokens from what was written: "<prompt> <completion> <total>", and
 * " ~" when they were estimated. */
void run_restore_tokens(struct run *r, struct str tokens);
/* The first CALL_RECORDS - 1 checkpoints write a record of their calls each;
 * the last record grows with all later calls. */
enum { CALL_RECORDS = 16 };
struct record_name run_call_record_name(int which); /* "calls_0" */
/* JSON of the calls that no record holds; empty: none. */
struct str run_unrecorded_calls(struct run *r, struct arena *memory);
/* They are recorded: frees them. */
void run_calls_recorded(struct run *r);

/* Takes artifacts, phase and counters from the record of an earlier attempt. In
 * a step of f. False: the record is damaged. */
bool run_restore(struct flow *f, struct run *r,
                 const struct run_artifacts *stored);
/* For a run whose work ended before its record was restored: restores it, so
 * that the message has what earlier attempts did. Locals are the run. Fails
 * when the record, or the run's ontology, cannot be read. */
step_fn run_salvage_begin;

/* ---- the end ------------------------------------------------------------ */

/* The message's metadata as JSON, with its charts or with empty lists in their
 * places. */
struct str run_metadata(struct run *r, bool charts);
/* The charts for run_finish: a JSON array; empty: there are none. */
struct str run_charts(struct run *r);
/* For later questions of the chat: what the run did, DIGEST_BORDER, results of
 * its tools. */
enum { DIGEST_BORDER = 0x1e, DIGEST_BYTES = 4000, DIGEST_CHARACTERS = 200 };
struct str run_digest(struct run *r);
struct str run_terminal_frame(struct run *r); /* message_complete or _error */
/* The run fails because memory ran out: writes short metadata into
 * r->reserve. */
void run_end_without_memory(struct run *r);

/* Writes the terminal event of a stored message, for readers who come later. */
void message_terminal_frame(struct buf *out, struct str message_id,
                            struct str status, struct str content,
                            struct str metadata, int64_t id);

/* ---- counting ----------------------------------------------------------- */

void agent_count_call(struct agent *a, const struct agent_provider *provider,
                      const struct llm_usage *usage, uint64_t ms, bool failed);
/* r->phase is over; also ends its span. */
void agent_count_phase(struct agent *a, struct run *r);
void agent_count_run(struct agent *a, const struct run *r);

/* ---- spans -------------------------------------------------------------- */

/* Begins the span of the run, whose `trace` is set. */
void run_span_begin(struct run *r);
/* r->phase begins: its time and its span. */
void run_phase_entered(struct run *r);
/* It is over; `error` as for span_end. Does nothing between phases. */
void run_phase_span_end(struct run *r, const char *error);
/* The run is over here: `status` is the word for its row ("complete"), "lost"
 * or "released"; `how` is OK or why it failed. */
void run_span_end(struct run *r, const char *status, enum err how);

/* ---- the outer flow ----------------------------------------------------- */

/* First step; locals are the run. */
step_fn run_begin;
/* The same for a run whose outer flow failed before it ended the run. */
step_fn run_end_begin;
bool run_is_open(const struct run *r); /* it still has to be ended */
