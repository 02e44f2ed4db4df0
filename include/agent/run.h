/* run.h - one question on its way to its answer.
 *
 *   run     a claimed assistant message; its row of `runs` is the truth, this is
 *           the working copy in the process that owns it
 *   work    the flow that walks the phases; it may fail, be cancelled or time out
 *   frame   the outer flow: it outlives the work and ends the run once, whatever
 *           happened to the work
 *   phase   a subflow that reads artifacts of the run and leaves its own; it can
 *           start from what is stored, which is revision and takeover in one
 *   consult one call of a model for a phase, with its events, trace and repair
 *
 * Everything of a run lives in its arena, which has a limit. */
#pragma once
#include "agent/agent.h"
#include "agent/kind.h"
#include "artifact/artifact.h"
#include "loop/wait.h"
#include "store/connections.h"
#include "store/runs.h"

enum { RUN_MEMORY = 64 * 1024 * 1024 }; /* of each of its arenas, at most */

enum run_outcome { RUN_ANSWERED, RUN_CLARIFIES, RUN_FAILED, RUN_LOST };

struct tracked_call { /* metadata.toolCalls */
    enum phase phase;
    int64_t step_id;       /* 0: none */
    struct str id;         /* the model's, of a loop's call; empty: a phase's */
    struct str name, args; /* args: JSON text */
    struct str result;     /* cut at 2000; as JSON, for it is written often */
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
    bool fell_back; /* nothing was similar: `matched` is every dataset */
    uint64_t started_ms;
    struct llm_embedding *embedding; /* while the question is embedded */
    struct similarity *search;       /* while datasets are compared with it */
    struct vector_search *vectors;   /* by pgvector */
};

struct run {
    struct agent *agent;
    const struct agent_kind *kind; /* the pipeline's until it is loaded */
    struct arena arena;            /* artifacts, and what the metadata needs */
    struct arena rows;    /* of results; a revision's replace those before */
    struct arena scratch; /* of the phase under way: replies, rows, samples */
    struct arena spent;   /* `arena`, while its end is put into words */
    struct arena call_memory; /* of tool calls that are not on record yet */
    char message_id[UUID_SIZE], chat_id[UUID_SIZE];
    int epoch, attempt;
    int releases;          /* attempts before that were given up, not lost */
    struct trace trace;    /* its span; what it calls are children */
    struct run *next_live; /* in the agent's list */
    struct place *place;   /* NULL after its end */
    struct wait turn;      /* while it is in line */
    struct child work;
    struct journal_entry *log;
    int64_t started_at;  /* wall ms */
    uint64_t started_ms; /* monotonic */

    /* Loaded */
    struct run_load load;
    struct plan_clarification *asked; /* what the answer before asked */
    size_t n_asked;
    struct held_ontology *ontology;
    const struct agent_provider *provider;
    struct tool_context tools;

    /* Artifacts; NULL until their phase has left them */
    struct discovery discovery;
    struct plan *plan;
    struct join_plan *join_plan;
    struct cannot_answer *cannot_answer;
    struct query_specs *queries;
    bool queries_judged; /* here, and their columns are the model's */
    struct step_results *results;
    struct str *full_data; /* beside results: all fetched rows as JSON */
    struct verification_report *report;
    struct explainer_output *output;
    size_t
        latest_results;  /* of a loop: where those of its last round begin that
                              ran a query */
    struct loop_rounds { /* of an agent that loops, as a takeover found them */
        struct loop_round *items;
        size_t n;
    } *rounds;

    /* Standing */
    enum phase phase;
    int revision;            /* revisions used */
    struct str diagnosis;    /* why it is being revised; empty: it is not */
    int call_index;          /* of the next model call */
    struct consult *consult; /* of the phase that is under way */
    struct gather *gather;   /* likewise */
    struct python_tool *python;
    struct tracked_call *tool_call;
    struct llm_usage tokens; /* of the run */
    struct llm_usage phase_tokens;
    struct tracked_call *calls, **calls_end; /* not on record yet */
    int n_told;                              /* records of those that are */
    struct run_calls *told_calls; /* these, read back for the metadata */
    struct buf notes;   /* what the executor's tools answered, for the digest */
    struct buf visible; /* text streamed by the explainer so far (heap) */
    uint64_t phase_entered_ms;

    /* How it ended */
    enum run_outcome outcome;
    enum err error;
    struct str error_text;
    struct str content, chat_name;
    struct str metadata, charts; /* of the row; charts apart from it */
    struct str told;             /* metadata with its charts, for streams */
    int64_t duration_ms;
    const char *status;
    struct str frame; /* the terminal event */
    int finish_tries, endings;
    bool worn_out;        /* taken up too often */
    bool released;        /* given up for another process to take over */
    bool finished;        /* the row is closed */
    bool sought;          /* the record of earlier attempts is known */
    bool restored;        /* it was, or that was tried */
    enum err ending;      /* how its work ended */
    enum err stop;        /* asked for before the work began; OK: no */
    struct arena reserve; /* for the last words when the others are exhausted */

    /* of steps under way */
    struct settings_agent_config config;
    struct ontology_hold *hold;
    struct source_open *opening;
    struct run_artifacts *stored;
    struct run_finish *finish;
    struct preference_capture *capture;
    struct pause pause;
    int64_t restart_after;
};

/* Takes artifacts, phase and counters from the record of an earlier attempt. In
 * a step of f. */
bool run_restore(struct flow *f, struct run *r,
                 const struct run_artifacts *stored);
/* For a run whose work ended before its record was restored: reads it for the
 * run's end, so that what earlier attempts did is in the message. Locals are the
 * run. Fails when the record, or the ontology it is about, cannot be read. */
step_fn run_salvage_begin;

/* ---- phases: locals are the run ----------------------------------------- */

step_fn planner_begin, navigator_begin, sql_builder_begin, executor_begin,
    verifier_begin, explainer_begin;
/* Similar datasets for the question; before the planner. */
step_fn discovery_begin;
/* Walks phases from run->phase to the end. */
step_fn pipeline_begin;
/* Keeps what the user answered, as he wants it kept; after the last phase. */
step_fn capture_begin;

/* ---- routing: pure functions of the artifacts --------------------------- */

enum { REVISIONS_MOST = 3 };
enum phase route_after_planner(const struct plan *plan); /* DONE: clarify */
enum phase route_after_navigator(const struct cannot_answer *cannot);
enum phase route_after_verifier(const struct verification_report *report,
                                int revisions);
/* The phase after run->phase; counts a revision when it goes back. */
enum phase run_route(struct run *r);

/* ---- events ------------------------------------------------------------- */

void run_tell_phase(struct run *r, enum event_type type, enum phase phase);
void run_tell_artifact(struct run *r, enum phase phase, struct str json);
void run_tell_tokens(struct run *r, enum phase phase);
/* A piece of the answer's text; it is kept in r->visible too. */
void run_tell_chunk(struct run *r, struct str piece);
/* What the phase told after event number `after` is void, the text too. */
void run_tell_restart(struct run *r, enum phase phase, int64_t after);
void run_tell_step(struct run *r, const struct plan_step *step);
void run_tell_step_end(struct run *r, const struct plan_step *step,
                       struct str error);
/* tool_start now, or tool_call where the call has an id; it is tracked for the
 * metadata. */
struct tracked_call *run_tool_started(struct run *r, enum phase phase,
                                      int64_t step_id, struct str id,
                                      struct str name, struct str args);
void run_tool_ended(struct run *r, struct tracked_call *c, struct str result,
                    bool failed);

/* Fields that stand in an event and in the metadata. */
void run_put_tokens(struct json_writer *w, const struct llm_usage *u);
void run_put_discovery(struct json_writer *w, const struct run *r);

/* ---- tools on a model's behalf ------------------------------------------ */

/* get_dataset_details and get_sample_data of the datasets a phase works with,
 * by code, with their events; `samples` is what came, as text for a prompt. */
struct gather {
    struct run *run;
    enum phase phase;
    int64_t step_id;
    const size_t *datasets;
    size_t n_datasets;
    struct str samples; /* out */
    size_t at;
    struct buf text;
    struct tool_run *tool;
    struct tracked_call *call;
};
step_fn gather_begin;

/* For whoever takes the run over: tokens and discovery until now, and the tool
 * calls since the record before. There are so many records; what comes after the
 * last of them is added to it. */
enum { CALL_RECORDS = 16 };
const char *run_call_record(int which); /* its name */
struct str run_so_far(struct run *r, struct arena *memory);
/* Empty: there were none. Then run_calls_told, which lets go of them: the record
 * is read back at the end. */
struct str run_new_calls(struct run *r, struct arena *memory);
void run_calls_told(struct run *r);
void run_note_answer(struct run *r, enum phase phase, struct str name,
                     struct str result);

/* ---- finishing ---------------------------------------------------------- */

/* JSON text of the message, with its charts or empty lists in their places. */
struct str run_metadata(struct run *r, bool charts);
struct str run_charts(struct run *r); /* for run_finish */
struct data_lineage *run_lineage(struct run *r);
/* For later questions of the chat: what was done, DIGEST_BORDER, what tools
 * answered. */
enum { DIGEST_BORDER = 0x1e, DIGEST_BYTES = 4000, DIGEST_CHARACTERS = 200 };
struct str run_digest(struct run *r);
struct str run_terminal_frame(struct run *r); /* message_complete or _error */
/* Memory has run out, so the run fails: metadata of a few words, from memory
 * that is no flow's. */
void run_last_words(struct run *r);

/* The same from the stored row, for whoever joins after the end. */
void terminal_frame(struct buf *out, struct str message_id, struct str status,
                    struct str content, struct str metadata, int64_t id);

/* ---- counting ----------------------------------------------------------- */

void agent_count_call(struct agent *a, const struct agent_provider *provider,
                      const struct llm_usage *usage, uint64_t ms, bool failed);
/* run->phase is over. */
void agent_count_phase(struct agent *a, const struct run *r);
void agent_count_run(struct agent *a, const struct run *r);

/* The outer flow's first step; locals are the run. */
step_fn run_begin;
/* The same for a run whose outer flow failed before the run was ended. */
step_fn run_end_begin;
bool run_is_open(const struct run *r); /* it still has to be ended */

/* Indexes of the datasets of a step, of the join plan, or of all steps. */
size_t run_step_datasets(struct run *r, const struct plan_step *step,
                         size_t **out);
size_t run_plan_datasets(struct run *r, size_t **out);
size_t run_joined_datasets(struct run *r, size_t **out);
