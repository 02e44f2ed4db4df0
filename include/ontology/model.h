/* model.h - a semantic model (OSI, Open Semantic Interchange) in memory.
 *
 *   ontology      one semantic model: what may be asked about
 *   dataset       a business entity over one table (or over one query)
 *   field         a column of a dataset, or an expression over its columns
 *   relationship  columns of the `from` dataset (the many side) that point at
 *                 key columns of the `to` dataset (the one side)
 *   metric        an aggregate over one dataset or several
 *
 * All of it lives in one arena. osi_read or ontology_from_json makes it; it
 * never changes afterwards, and any number of runs share it. A text that was
 * not given is empty. A dataset is often named by its index in `datasets`.
 *
 * What the text hides is not in the model: it reaches no prompt, suggestion or
 * answer. Only osi_read_all keeps it, for those who edit the text. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

struct str_list {
    struct str *items;
    size_t n;
};

/* The contents of `ai_context`; a plain text there is the instructions. */
struct hints {
    struct str instructions;
    struct str_list synonyms;
    struct str_list examples;
};

struct field {
    struct str name;
    struct str expression; /* ANSI SQL if there is one; never empty */
    struct str dialect;    /* of that expression; empty: ANSI_SQL */
    struct str column;     /* the column, if the expression is just that */
    struct str description;
    struct str label;
    struct str datatype; /* as written: "Decimal", "varchar(20)" */
    bool is_time;        /* as declared, else by its datatype */
    bool is_key;         /* part of the primary key */
    bool required;       /* the text says so: its values are never NULL */
    bool hidden;         /* only in what osi_read_all reads */
    struct hints hints;
};

struct dataset {
    struct str name;
    struct str label; /* what people read in place of the name */
    struct str description;
    struct str source; /* as written */
    /* The source read as SQL would read it: parts without quotes are folded to
     * lower case, of "db.schema.table" the last two count, the schema is
     * public when there is none. Both are empty when the source is a query. */
    struct str schema;
    struct str table;
    struct str_list query_relations; /* tables that a query as source reads */
    struct str yaml; /* its own OSI text: block style, keys in their order,
                        unknown keys too, ends with a line feed */
    struct hints hints;
    struct field *fields;
    size_t n_fields;
    struct str_list primary_key; /* columns */
    struct str_list *unique_keys;
    size_t n_unique_keys;
    bool hidden; /* only in what osi_read_all reads */
    /* The columns that queries may read, because the model hides others; empty:
     * it hides none. */
    struct str_list shown;
};

struct relationship {
    struct str name;
    struct str description;
    size_t from, to;              /* datasets; the same one: self reference */
    struct str_list from_columns; /* of equal length */
    struct str_list to_columns;
    bool to_is_key; /* to_columns contain a key: the join adds no rows */
    struct hints hints;
};

struct metric {
    struct str name;
    struct str label;
    struct str expression;
    struct str dialect; /* empty: ANSI_SQL */
    struct str description;
    struct str datatype;
    struct hints hints;
    size_t *datasets; /* those its columns were found in, ascending */
    size_t n_datasets;
    bool
        hidden; /* it names something hidden; only in what osi_read_all reads */
};

struct ontology {
    struct str name;
    struct str description;
    struct str version; /* of OSI, as written; empty in the older form */
    struct hints hints;
    struct dataset *datasets;
    size_t n_datasets;
    struct relationship *relationships;
    size_t n_relationships;
    struct metric *metrics;
    size_t n_metrics;
    bool hides; /* its text has datasets or fields that are hidden */
};
