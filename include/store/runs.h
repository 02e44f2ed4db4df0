/* runs.h - the rows of runs: read, renewed, ended (claims.h: claimed). */
#pragma once
#include "artifact/vocabulary.h"
#include "db/query.h"
#include "store/connections.h"
#include "store/preferences.h"
#include "store/store.h"
#include "store/turns.h"

struct run_load {
    struct store *store;
    struct str message_id;
    int history_limit;    /* settled messages before the question */
    struct arena *memory; /* of what comes out */
    /* Out */
    struct str chat_id, user_id, ontology_id, connection_id;
    struct str connection_changed_at, database; /* see source_open */
    int ontology_version;
    struct str ontology_status;
    struct str llm_provider;  /* empty: the default */
    enum agent_kind_id agent; /* the chat's; AGENT_KINDS: unknown here */
    struct str question;
    struct kept_turns turns; /* above the question */
    struct str asked;        /* JSON text of its questions; may be empty */
    bool clarified; /* the answer before asked for clarification, see asked */
    bool chat_named, cancel_requested;
    struct preference_set preferences;
    enum share_rows share_rows; /* of the connection */
    int epoch, revision;
    struct str phase;
    int64_t phase_after; /* number of the last event before the phase */
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
/* What earlier phases left, for a run that starts in the middle. */
struct next run_artifacts_begin(struct flow *f);

/* Records of tool calls, calls_0 and on, JSON arrays. */
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

struct run_finish {
    struct store *store;
    struct str message_id;
    int epoch;
    struct str status; /* complete, failed, clarification_needed */
    struct str content;
    struct str
        metadata; /* JSON text, without charts; NUL behind it, not copied */
    struct str charts;    /* [{"step","type","data"}]; empty: none */
    struct str chat_name; /* not empty: names a chat that has no name yet */
    /* Out: false when the run had moved on; true also when this epoch has ended
     * it before and the answer was lost. */
    bool finished;
    struct query *query; /* private */
};
struct next run_finish_begin(struct flow *f);

/* A statement that gives this process a lease must not take effect after the
 * process has stopped waiting for it: a database that stood still executes what
 * it finds in its sockets, and no process would work on that run. Such a
 * statement is given the last moment at which it may take effect, in ms of the
 * database's own clock, and answers with that clock. */
#define SQL_NOW_MS "(extract(epoch from clock_timestamp()) * 1000)::bigint"
/* For a statement that is sent now; far in the future while the database's clock
 * is not known. */
int64_t lease_not_after(const struct store *s);
/* What the database's clock said in an answer that came just now. */
void lease_hear_clock(struct store *s, int64_t ms);

struct run_row {
    struct str message_id;
    int epoch;
    bool cancel_requested;
};

/* Renews the leases of runs that are under way in this process; answers them. A
 * run that it owns but does not work on is left to its lease. Fails with
 * ERR_DATABASE_UNAVAILABLE, and has renewed nothing, when the database came to it
 * too late (lease_not_after). */
struct run_renewal {
    struct store *store;
    struct str ids; /* message ids as PostgreSQL array text: "{…,…}" */
    struct run_row *rows;
    size_t n;
    struct query *query; /* private */
};
struct next run_renewal_begin(struct flow *f);

/* Ends the leases of this process; whoever is up hears of it and takes its runs
 * over. */
struct run_release {
    struct store *store;
    struct query *query; /* private */
};
struct next run_release_begin(struct flow *f);

/* Ends the leases of single runs that this process no longer works on, unless
 * they have ended; other processes are told. An attempt that was given up because
 * the database was away counts as released, also when another process has taken
 * the run over since; one that was lost does not. Fails as queries do; saying it
 * again does no harm. */
struct run_surrender {
    struct store *store;
    struct str ids, epochs; /* one array each, as text: "{…,…}" */
    struct str releases;    /* likewise: 1, or 0 for an attempt that was lost */
    struct query *query;    /* private */
};
struct next run_surrender_begin(struct flow *f);

/* Takes over up to `most` runs whose lease has run out; none when the database
 * came to it too late (lease_not_after). */
struct run_takeover {
    struct store *store;
    int most;
    /* Out */
    struct taken_run {
        struct str message_id;
        int epoch, attempt;
        int releases;   /* attempts that were given up, not lost */
        int64_t age_ms; /* since its first claim, by the database's clock */
    } *rows;
    size_t n;
    int64_t next_end_ms; /* until the next lease ends; -1: there is none */
    struct query *query; /* private */
};
struct next run_takeover_begin(struct flow *f);

/* Marks a run cancelled; `running`: its owner is to be told. A message that
 * nobody runs, and a run whose owner is gone, are failed at once. */
struct run_cancel {
    struct store *store;
    struct str message_id;
    struct str user_id; /* empty: a chat of anybody's */
    bool found;
    bool running;
    bool cancelled;    /* a cancel ended it or is about to; else it had ended */
    struct str status; /* of the message, now */
    struct query *query; /* private */
};
struct next run_cancel_begin(struct flow *f);

/* Ends a cancelled run whose owner did not; he finds that it has moved on. */
struct run_cut {
    struct store *store;
    struct str message_id;
    bool ended;          /* by this */
    struct query *query; /* private */
};
struct next run_cut_begin(struct flow *f);

/* Messages that nobody streamed within `after_ms` become failed (NOT_STARTED). */
struct run_expiry {
    struct store *store;
    unsigned after_ms;
    int64_t expired;
    struct query *query; /* private */
};
struct next run_expiry_begin(struct flow *f);

/* Removes what some of the oldest runs left that ended more than `days` ago; or
 * the oldest events of the audit. */
enum { RUN_TRIM_MOST = 200 };
struct run_trim {
    struct store *store;
    const char *kind; /* "events", "traces", "charts", "audit" */
    int days;
    int64_t done;        /* runs, or events; RUN_TRIM_MOST: there may be more */
    struct query *query; /* private */
};
struct next run_trim_begin(struct flow *f);

/* Frames of a run after a number, a page of them, and how it stands. A page ends
 * with the batch that reaches RUN_FRAMES_BYTES: a stream that does not read holds
 * about that much. */
enum { RUN_FRAMES_BYTES = 64 * 1024 };
struct run_frames {
    struct store *store;
    struct str message_id, user_id;
    int64_t after;
    bool head;   /* no frames and no end: only how it stands */
    bool opened; /* its stream is open: also when the chat was removed since */
    /* Out */
    bool found; /* a message of a chat of that user */
    struct str frames;
    int64_t last;    /* number of the last frame given, or `after` */
    bool more;       /* there are more in the log */
    int64_t newest;  /* number of the last event in the log */
    int64_t trimmed; /* events up to it are gone */
    bool started, ended;
    struct str status, chat_id;
    /* With the last page, when ended: */
    struct str content, metadata; /* metadata with its charts */
    struct query *query;          /* private */
};
struct next run_frames_begin(struct flow *f);
