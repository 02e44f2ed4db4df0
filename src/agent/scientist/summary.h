/* summary.h - what there is to know of the tables before any code runs: for
 * each column its type, how many values are missing, the least and the greatest
 * one; how many rows there are, and some of them.
 *
 * It is read by two guarded queries a table, in SUMMARY_QUERY_MS each. What a
 * model may see of it is decided when it is written as text. */
#pragma once
#include "agent/run.h"
#include "scientist.h"

enum {
    SUMMARY_QUERY_MS = 5000,
    SUMMARY_COLUMNS = 100, /* of a table */
    SUMMARY_SAMPLES = 3,
    SUMMARY_CELL = 80, /* bytes of a sample, and of an end of a range */
};

struct summary_column {
    struct str name, type;
    int64_t values;      /* that are not null; -1: not known */
    struct str min, max; /* empty: none */
    struct str samples[SUMMARY_SAMPLES];
};

struct summary_table {
    size_t dataset; /* in the ontology */
    struct str name;
    struct str problem; /* it could not be read; else empty */
    int64_t rows;       /* -1: not known */
    struct summary_column *columns;
    size_t n_columns;
    size_t n_left_out; /* columns beyond SUMMARY_COLUMNS */
};

struct data_summary {
    struct run *run;
    struct summary_table tables[SCIENTIST_TABLES];
    size_t n;
    size_t n_others; /* tables that are not described */
    /* private */
    struct tool_context context;
    struct query_tool query;
    size_t at;
    size_t ranged[SUMMARY_COLUMNS], n_ranged; /* columns with a range */
};

/* A subflow; locals are the data_summary, zeroed but for `run`, in the run's
 * arena. The tables are those that the question is about. A table that cannot
 * be read has a `problem`. Fails only if the run must end. */
step_fn summary_begin;

/* For a model: obeys what the connection shares. In the arena. */
struct str summary_text(struct arena *a, const struct data_summary *s,
                        enum share_rows share);
/* For the user: Markdown, a table each. In the arena. */
struct str summary_markdown(struct arena *a, const struct data_summary *s);

/* The fields of a dataset as SQL: "expression as name, …". */
void summary_put_fields(struct buf *out, const struct dataset *d);
