/* runs.h - rows of runs: loaded, leased, taken over, cancelled, ended, trimmed
 * (claims.h: claimed). */
#pragma once
#include "artifact/vocabulary.h"
#include "db/query.h"
#include "store/connections.h"
#include "store/preferences.h"
#include "store/store.h"
#include "store/turns.h"

/* Reads what a run needs to start or resume. */
struct run_load {
    struct store *store;
    struct str message_id;
    int history_limit;    /* settled messages before the question */
    bool limits_cost;     /* cost_today is wanted */
    struct arena *memory; /* of what comes out */
    /* Out */
    struct str chat_id, user_id, ontology_id, connection_id;
    struct str dataset_id; /* of the upload that made the ontology, else its */
    struct str connection_changed_at, database; /* see source_open */
    struct str time_zone; /* of the connection; empty: UTC */
    int64_t zone_seconds; /* it is ahead of UTC when the run started */
    int ontology_version;
    struct str ontology_status;
    struct str llm_provider; /* empty: the default */
    int max_steps;           /* of the explorer; 0: its own limit */
    enum agent_kind_id
        agent; /* the chat's; AGENT_KINDS: unknown to this program */
    struct str question;
    struct kept_turns turns; /* before the question */
    struct str
        asked;      /* JSON: the questions of the answer before; may be empty */
    bool clarified; /* the answer before asked back, see asked */
    bool chat_named, cancel_requested;
    struct preference_set preferences;
    enum share_rows share_rows; /* of the connection */
    int epoch, revision;
    struct str phase;
    int64_t phase_after; /* number of the last event before the phase */
    struct str tokens;   /* journal_tokens; empty: none were written */
    int64_t cost_today;  /* of the user's runs that have ended today (UTC) */
    /* Private */
    struct str parent_id;
    struct query *query, *preferred;
};
/* Fails with ERR_NOT_FOUND. */
struct next run_load_begin(struct flow *f);

struct run_artifact {
    struct str kind, body;
};
struct run_artifacts {
    struct store *store;
    struct str message_id;
    struct arena *memory; /* of what comes out */
    struct run_artifact *items;
    size_t n;
    int64_t last_event;  /* number of the last event in the log */
    int64_t last_call;   /* greatest call_index of its traces, -1: none */
    struct query *query; /* private */
};
/* Reads the artifacts of earlier phases, for a run that resumes. */
struct next run_artifacts_begin(struct flow *f);

/* Reads the records of tool calls: artifacts calls_0, calls_1 …, JSON
 * arrays. */
struct run_calls {
    struct store *store;
    struct str message_id;
    size_t most;
    struct arena *memory; /* of what comes out */
    struct str *records;
    size_t n;
    struct query *query; /* private */
};
struct next run_calls_begin(struct flow *f);

/* Ends a run and writes its message. */
struct run_finish {
    struct store *store;
    struct str message_id;
    int epoch;
    struct str status; /* complete, failed, clarification_needed */
    struct str content;
    const char *code; /* of a build that failed, and `content` says why; else
                         NULL */
    int64_t tokens,
        cost;            /* of such a build, to be counted for its user's day */
    struct str metadata; /* JSON without charts; ends with a NUL, not copied */
    struct str charts;   /* [{"step","type","data"}]; empty: none */
    struct str chat_name; /* not empty: the name of a chat without one */
    struct str capsule;   /* JSON (store/capsules.h); empty: none */
    /* Out: false when the run has another epoch; true also when this epoch has
     * ended it before. */
    bool finished;
    struct query *query; /* private */
};
struct next run_finish_begin(struct flow *f);

/* A statement that grants a lease to this process must not take effect after
 * the process has stopped waiting for it. (A database that was suspended
 * executes what it finds in its sockets, and no process would work on that
 * run.) So such a statement gets a time, in ms of the database's clock, after
 * which it changes nothing, and its answer contains that clock. */
#define SQL_NOW_MS "(extract(epoch from clock_timestamp()) * 1000)::bigint"
/* The time for a statement that is sent now; far in the future while the
 * database's clock is not known. */
int64_t lease_not_after(const struct store *s);
/* Notes the database's clock from an answer that has just arrived. */
void lease_note_clock(struct store *s, int64_t ms);

struct renewed_run {
    struct str message_id;
    bool cancel_requested;
};

/* Renews the leases of runs that this process works on, and answers those that
 * it has renewed. Fails with ERR_DATABASE_UNAVAILABLE, and has renewed nothing,
 * when the database executed it too late (lease_not_after). */
struct run_renewal {
    struct store *store;
    struct str ids; /* message ids as PostgreSQL array text: "{…,…}" */
    struct renewed_run *rows;
    size_t n;
    struct query *query; /* private */
};
struct next run_renewal_begin(struct flow *f);

/* Ends all leases of this process, so that others take its runs over at
 * once. */
struct run_release {
    struct store *store;
    struct query *query; /* private */
};
struct next run_release_begin(struct flow *f);

/* Ends the leases of single runs that this process no longer works on, and
 * notifies other processes. An attempt that was given up because the database
 * was away counts as released, even if another process has taken the run over
 * since; an attempt that was lost does not. Idempotent; fails as queries do. */
struct run_surrender {
    struct store *store;
    struct str ids, epochs; /* one array each, as text: "{…,…}" */
    struct str releases;    /* likewise: 1, or 0 for a lost attempt */
    struct query *query;    /* private */
};
struct next run_surrender_begin(struct flow *f);

/* Takes over up to `most` runs whose lease has expired; none when the database
 * executed it too late (lease_not_after). */
struct run_takeover {
    struct store *store;
    int most;
    /* Out */
    struct takeover_run {
        struct str message_id;
        int epoch, attempt;
        int releases;   /* attempts that were released */
        int64_t age_ms; /* since the claim, by the database's clock */
        bool is_build;  /* of a semantic model; else of a chat */
    } *rows;
    size_t n;
    int64_t next_end_ms; /* until the next lease expires; -1: there is none */
    struct query *query; /* private */
};
struct next run_takeover_begin(struct flow *f);

/* Requests the end of a run. `running`: its owner has to end it. A message that
 * no process runs, and a run whose lease has expired, fail at once. */
struct run_cancel {
    struct store *store;
    struct str message_id;
    struct str user_id; /* empty: of any user */
    bool found;
    bool running;
    bool cancelled;      /* a cancel has ended it, or will */
    struct str status;   /* of the message, now */
    struct query *query; /* private */
};
struct next run_cancel_begin(struct flow *f);

/* Ends a cancelled run whose owner has not; the owner finds another epoch. */
struct run_forced_end {
    struct store *store;
    struct str message_id;
    bool ended;          /* by this */
    struct query *query; /* private */
};
struct next run_forced_end_begin(struct flow *f);

/* Fails messages (NOT_STARTED) that no client has streamed within
 * `after_ms`. */
struct run_expiry {
    struct store *store;
    unsigned after_ms;
    struct query *query; /* private */
};
struct next run_expiry_begin(struct flow *f);

/* Deletes one kind of rows of the oldest runs that ended more than `days` ago;
 * or the oldest audit events. */
enum { RUN_TRIM_MOST = 200 };
struct run_trim {
    struct store *store;
    const char *kind; /* "events", "traces", "charts", "audit" */
    int days;
    int64_t done; /* runs, or audit events; RUN_TRIM_MOST: there may be more */
    struct query *query; /* private */
};
struct next run_trim_begin(struct flow *f);

/* Reads the state of a run, and a page of its frames after a number. A page
 * ends with the batch that reaches RUN_FRAMES_BYTES: a slow stream holds about
 * that much. */
enum { RUN_FRAMES_BYTES = 64 * 1024 };
struct run_frames {
    struct store *store;
    struct str message_id, user_id;
    int64_t after;
    bool head;     /* only the state: no frames, no content */
    bool opened;   /* its stream is open: also if the chat was hidden since */
    bool is_build; /* of a semantic model, and */
    bool all;      /* of any user: only then, and of builds alone */
    /* Out */
    bool found; /* a message of a chat of that user */
    struct str frames;
    int64_t last;    /* number of the last frame given, or `after` */
    bool more;       /* there are more in the log */
    int64_t newest;  /* number of the last event in the log */
    int64_t trimmed; /* events up to it were deleted */
    bool ended;
    struct str status;
    /* With the last page, when ended: */
    struct str content, metadata; /* metadata with its charts */
    struct query *query;          /* private */
};
struct next run_frames_begin(struct flow *f);
