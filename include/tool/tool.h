/* tool.h - what may be called while a question is answered: by a model that
 * loops, or by code on a model's behalf.
 *
 *   context  what the server has bound: ontology, database, sandbox, limits
 *   result   text for a model. A failed tool is a result too (failed is true):
 *            the subflow ends OK, the model reads why and may do better
 *
 * Only what ends the run fails the subflow: cancellation, exhausted memory. */
#pragma once
#include "base/histogram.h"
#include "base/json.h"
#include "base/trace.h"
#include "db/read.h"
#include "loop/flow.h"
#include "store/connections.h"
#include "store/ontologies.h"

struct sandbox {
    struct str url;          /* "http://host:8000", or empty with a socket */
    const char *unix_socket; /* NULL: TCP */
    struct str token;        /* secret; may be empty */
    bool off;                /* there is none */
};

struct tool_context {
    struct held_ontology *ontology;
    struct pool *source;
    const struct sandbox *sandbox;
    unsigned sql_timeout_ms, python_timeout_ms;
    int sql_max_rows;
    size_t sql_max_bytes;
    size_t text_budget;         /* bytes of one result for a model */
    enum share_rows share_rows; /* what a model may see (tool/disclosure.h) */
    const struct trace *trace;  /* executions are children of it; NULL: none */
    struct str
        user_id; /* executions count for that user's share; may be empty */
};

/* ---- by name, for a model ----------------------------------------------- */

struct tool_info {
    const char *name, *description, *parameters;
};
extern const struct tool_info tool_infos[];            /* ends in a NULL name */
const struct tool_info *tool_info_of(struct str name); /* NULL: no such tool */

struct query_tool;
struct python_tool;
struct python_data;
struct step_results;

struct tool_run {
    const struct tool_context *context;
    struct str name, arguments; /* JSON text */
    struct arena *memory;       /* of all that comes out, but for */
    struct arena *json_memory;  /* rows of query_database as JSON; NULL: none */
    /* DataFrames for run_python, and the results that they hold: where a model
     * may not see those, it may not see what is printed either. */
    const struct python_data *data;
    size_t n_data;
    const struct step_results *made_of;
    /* Out */
    struct str result; /* for the model */
    struct str shown; /* for the user, where the model may see less; or empty */
    bool failed;
    const struct query_tool *query;   /* of query_database that ran; or NULL */
    const struct python_tool *python; /* of run_python that ran; or NULL */
};
struct next tool_begin(struct flow *f);

/* ---- by code ------------------------------------------------------------ */

/* Of a result's rows in messages and in what models are told: the first one, and
 * more while there are no more rows and bytes of JSON than these. */
enum { QUERY_FIRST_ROWS = 100, QUERY_FIRST_BYTES = 512 * 1024 };

/* Guarded and enveloped. */
struct query_tool {
    const struct tool_context *context;
    struct str sql;
    int max_rows;
    struct arena *memory;
    struct arena *json_memory; /* of the rows as JSON; NULL: not wanted */
    /* Out */
    bool failed;
    enum err why;     /* ERR_SQL_REFUSED, ERR_SQL_FAILED, ERR_TIMEOUT … */
    struct str error; /* a sentence for a person */
    bool about_text;  /* of the query alone: it quotes no data */
    struct read_column *columns;
    int n_columns;
    struct str *cells;
    int n_rows;
    int n_shown; /* of these rows there are cells: all, or with json_memory as
                    many as a table may need */
    bool more_rows, cut_values;
    bool aggregated; /* it tells only of groups of rows */
    unsigned elapsed_ms;
    struct str json;       /* all rows: see query_json_begin */
    struct str json_first; /* the first of them, an array too */
    struct read *read;     /* private */
    struct guard_verdict *verdict;
    struct rows_encoding *encoding;
};
struct next query_tool_begin(struct flow *f);

/* Rows as a Markdown table with "(3 rows, 45ms)". */
struct str query_markdown(struct arena *arena, const struct query_tool *q,
                          size_t budget);
/* The same without the rows, for a model that may not see them. */
struct str query_outline(struct arena *arena, const struct query_tool *q);
/* Sets json and json_first of a query whose rows have just been read: JSON text of
 * an array of objects, numbers exact (numeric and large int8 as text), NaN and
 * infinities null. A large result takes several turns of the loop. query_tool_begin
 * does so by itself where json_memory is set. */
struct next query_json_begin(struct flow *f);

struct python_data {
    struct str name;
    struct str json; /* an array of objects */
    const struct str *columns, *types;
    size_t n_columns;
};

struct python_tool {
    const struct tool_context *context;
    struct str code;
    const struct python_data *data;
    size_t n_data;
    struct arena *memory;
    /* Out */
    bool failed;      /* the code failed, or nothing could run */
    bool unavailable; /* the sandbox could not be reached (tried twice) */
    struct str out, err, error;
    struct str *charts; /* base64 PNG */
    size_t n_charts;
    int64_t elapsed_ms;
    struct http_call *http; /* private */
    uint64_t asked_us;      /* likewise */
    int tries;
};
struct next python_tool_begin(struct flow *f);

/* Since the start, of this process; for metrics. */
struct python_counts {
    uint64_t executions, failures, unavailable;
    struct histogram durations; /* until the sandbox has answered */
};
const struct python_counts *python_counts(void);
