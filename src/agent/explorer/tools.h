/* tools.h - the four tools of the explorer, apart from where queries run.
 *
 *   table    what is explored: one table, t_parsed, with its columns
 *   call     one tool call. It is planned (arguments checked, SQL built by
 *            code), its queries run in some place, then it is concluded (the
 *            result for the model is made of the rows)
 *   place    where queries run: in the person's browser, or on this server
 *
 * Planning and concluding are pure: the same for each place. Rows are hostile,
 * and so are names of columns. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "loop/flow.h"
#include "tool/tool.h"

#define EXPLORER_TABLE "t_parsed"

enum {
    EXPLORER_ROWS = 1000,          /* of one result, at most */
    EXPLORER_QUERY_MS = 30 * 1000, /* of one call, at most */
    EXPLORER_COLUMNS = 500,        /* of the table, at most */
    EXPLORER_QUERIES = 64,         /* of one call, at most */
    EXPLORER_SPEC_BYTES = 64 * 1024,
};

/* What may leave the place of the data; the place enforces it. */
enum explorer_share {
    EXPLORER_SHARE_NONE,       /* shapes: columns, types, numbers of rows */
    EXPLORER_SHARE_AGGREGATES, /* and what describes groups of rows */
    EXPLORER_SHARE_ROWS,       /* everything */
};

struct explorer_column {
    struct str name, type; /* DuckDB's name of the type: "VARCHAR" */
};

struct explorer_table {
    const struct explorer_column *columns;
    size_t n_columns;
    int64_t n_rows; /* -1: unknown */
    enum explorer_share share;
    /* Charts that are kept carry their rows; otherwise the page that draws
     * them has the rows. */
    bool charts_have_rows;
};

/* One query of a call: a SELECT that passed the guard. */
struct explorer_query {
    const char *id; /* unique in its call: "result", "profile_3", "sample_size";
                       letters, digits and _ */
    struct str sql;
    /* Its result describes groups of rows and quotes no single one (counts,
     * means); false: it may quote cells (rows, labels, smallest and largest
     * values). */
    bool aggregate;
};

/* What came of one query. */
struct explorer_rows {
    const char *id;
    bool failed;      /* `error` says why */
    bool withheld;    /* the person does not share it: no rows, and only the
                         other fields are known */
    bool truncated;   /* there are more rows */
    struct str error; /* a sentence of the engine, 1,000 bytes at most */
    struct str *columns, *types; /* types may be empty texts */
    size_t n_columns;
    struct str rows; /* JSON text: an array of arrays, valid and bounded */
    int64_t n_rows;
};

struct explorer_call {
    /* In */
    const struct explorer_table *table;
    struct str name, arguments; /* as the model wrote them: JSON text, or not */
    struct arena *memory;       /* of all Out fields */
    /* Out of explorer_plan */
    bool refused;     /* `result` says why, with a hint; nothing runs */
    struct str input; /* JSON object: the checked arguments */
    struct explorer_query *queries;
    size_t n_queries;
    /* In for explorer_conclude: one for each query, in their order. `failure`
     * is set instead when the place did not answer. */
    const struct explorer_rows *found;
    struct str failure; /* "Tool execution timeout after 30000ms"; or empty */
    /* Out of explorer_conclude (`result` and `failed` also when refused) */
    bool failed;
    struct str result; /* JSON object for the model: {"success":true,…} or
                          {"success":false,"error":…,"hint":…} */
    struct str shown;  /* JSON object for people when it differs; or empty */
    /* What the exploration keeps of it, for its end and the report: members of
     * executedQueries and charts as JSON objects; empty: none. The id of a
     * chart is the caller's. */
    struct str query_kept; /* {"query","reason","result":{"columns","rows"}} */
    struct str chart_kept; /* {"chartType","spec","title","sqlQuery"} */
    struct str insight;    /* a finding that was validated, as text */
    void *state;           /* private, between plan and conclude */
};

/* The four tools as models see them; `begin` is explorer_tool_begin. */
extern const struct tool_set explorer_tools;

/* Checks the arguments and builds the queries. Never fails: what is wrong is a
 * result for the model. */
void explorer_plan(struct explorer_call *c);
/* Makes the result of what was found. Never fails. */
void explorer_conclude(struct explorer_call *c);
