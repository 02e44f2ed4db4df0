/* tool.h - the tools that a model may call, by name or through code.
 *
 *   context  what the server binds to each call: ontology, database, sandbox,
 *            limits
 *   result   text for the model. A tool that fails also has a result (failed is
 *            true): the subflow ends OK, and the model reads what went wrong
 *
 * The subflow fails only if the run must end: cancellation, exhausted
 * memory. */
#pragma once
#include "base/histogram.h"
#include "base/json.h"
#include "base/span.h"
#include "base/trace.h"
#include "db/read.h"
#include "loop/flow.h"
#include "store/connections.h"
#include "store/ontologies.h"

struct explorer;

struct sandbox {
    struct str url;          /* "http://host:8000", or empty with a socket */
    const char *unix_socket; /* NULL: TCP */
    struct str token;        /* secret; may be empty */
    bool off;                /* no sandbox */
};

struct tool_context {
    struct cached_ontology *ontology;
    struct source *source;
    const struct sandbox *sandbox;
    struct store *store; /* has the files that a sandbox may lack; NULL: none */
    unsigned sql_timeout_ms, python_timeout_ms;
    int sql_max_rows;
    size_t sql_max_bytes;
    size_t text_budget;         /* bytes of one result for a model */
    enum share_rows share_rows; /* what a model may see (tool/disclosure.h) */
    /* What was uploaded together, or the ontology: what the CSV analyst calls a
     * dataset. Both ids name it there. */
    struct str dataset_id, ontology_id;
    const struct trace *trace; /* parent of their spans; NULL: none */
    struct str user_id;        /* for the sandbox's fair share; may be empty */
    struct explorer *explorer; /* of an exploration; NULL: it is none */
};

/* ---- by name, for a model ----------------------------------------------- */

struct tool_info {
    const char *name, *description, *parameters;
};
extern const struct tool_info tool_infos[]; /* ends with a NULL name */
/* The tool of that name; NULL: none. */
const struct tool_info *tool_info_of(struct str name);

/* The tools of an agent that has its own; those of tools.def otherwise. */
struct tool_set {
    const struct tool_info *infos; /* ends with a NULL name */
    step_fn *begin;                /* as tool_begin */
    const char *begin_name;        /* for traces */
};

struct query_tool;
struct python_tool;
struct python_data;
struct step_results;

struct tool_run {
    const struct tool_context *context;
    struct str name, arguments; /* JSON text */
    struct arena *memory;       /* for the Out fields, except */
    struct arena *json_memory;  /* rows of query_database as JSON; NULL: none */
    /* DataFrames for run_python, and the results in them: if the model may not
     * see those, it may not see what the code prints either. */
    const struct python_data *data;
    size_t n_data;
    const struct step_results *made_of;
    /* Out */
    struct str result; /* for the model */
    struct str shown;  /* for the user, if the model may see less; or empty */
    bool failed;
    const struct query_tool *query;   /* a query_database that ran; or NULL */
    const struct python_tool *python; /* a run_python that ran; or NULL */
    int sample_rows;                  /* private: wanted by get_sample_data */
    void *state; /* private: of a tool with several steps */
};
/* The subflow; its locals are a struct tool_run. */
struct next tool_begin(struct flow *f);

/* ---- by code ------------------------------------------------------------ */

/* How many rows of a result are stored in messages and sent to models: the
 * first one, and more up to these numbers of rows and bytes of JSON. */
enum { QUERY_FIRST_ROWS = 100, QUERY_FIRST_BYTES = 512 * 1024 };

/* A query, checked by the guard and run within the envelope. */
struct query_tool {
    const struct tool_context *context;
    struct str sql;
    int max_rows;
    struct arena *memory;
    struct arena *json_memory; /* of the rows as JSON; NULL: not wanted */
    bool explain;              /* the plan instead of the rows (db/read.h) */
    /* Out */
    bool failed;
    enum err why;       /* ERR_SQL_REFUSED, ERR_SQL_FAILED, ERR_TIMEOUT … */
    struct str refusal; /* the guard's code, when the guard refused it */
    struct str error;   /* a sentence for users */
    bool about_text;    /* the error is about the SQL text: it quotes no data */
    /* The database's or the guard's own sentence, and where in `sql` it is
     * wrong, in characters from 1; empty, 0: not known */
    struct str problem, hint;
    int position;
    struct read_column *columns;
    int n_columns;
    struct str *cells;
    int n_rows;
    int n_shown; /* rows in `cells`: all, or with json_memory as many as a
                    Markdown table may need */
    bool more_rows, cut_values;
    bool aggregated; /* describes only groups of rows */
    unsigned elapsed_ms;
    struct str json;       /* all rows: see query_json_begin */
    struct str json_first; /* the first rows, also an array */
    struct read *read;     /* private */
    struct span *rows_span;
    struct guard_verdict *verdict;
    struct rows_encoding *encoding;
};
/* The subflow; its locals are a struct query_tool. Also does query_json_begin
 * if json_memory is set. */
struct next query_tool_begin(struct flow *f);

/* The rows as a Markdown table with "(3 rows, 45ms)", up to `budget` bytes of
 * rows; 0: all. */
struct str query_markdown(struct arena *arena, const struct query_tool *q,
                          size_t budget);
/* The columns instead of the rows, for a model that may not see those. */
struct str query_outline(struct arena *arena, const struct query_tool *q);
/* Subflow that sets json and json_first of a query whose rows have just been
 * read: an array of objects; numbers are exact (numeric and large int8 as
 * text), NaN and infinities are null. A large result takes several turns of the
 * loop. */
struct next query_json_begin(struct flow *f);

struct python_data {
    struct str name;
    struct str json; /* an array of objects */
    const struct str *columns, *types;
    size_t n_columns;
};

/* A text file of the sandbox's folder. It is hostile: code wrote it. */
struct python_taken {
    struct str name, text;
};

struct python_tool {
    const struct tool_context *context;
    struct str code;
    const struct python_data *data;
    size_t n_data;
    /* Tables of files as DataFrames: a JSON array of references
     * (docs/notes/2026-11-23-files.md); empty: none. */
    struct str tables;
    struct str before, after; /* code around `code`; may be empty */
    const struct str *take;   /* names of text files to bring back */
    size_t n_take;
    struct arena *memory;
    /* Out */
    struct python_taken *taken; /* those of `take` that there are */
    size_t n_taken;
    struct str cut;   /* which of `tables` did not fit into memory; sentences */
    bool failed;      /* the code failed, or could not be run */
    bool unavailable; /* the sandbox failed twice, or is disabled */
    struct str out, err, error;
    struct str *charts; /* base64 PNG */
    size_t n_charts;
    int64_t elapsed_ms;
    struct http_call *http; /* private */
    struct span span;
    uint64_t asked_us;
    int tries, supplies;
};
/* The subflow; its locals are a struct python_tool. */
struct next python_tool_begin(struct flow *f);

/* Executions of this process since its start, for metrics. */
struct python_counts {
    uint64_t executions, failures, unavailable;
    struct histogram durations; /* until the sandbox responded */
};
const struct python_counts *python_counts(void);
