/* modeler.h - builds a semantic model from a live database.
 *
 *   catalog       tables, columns, types, keys, comments: three reads,
 *                 whatever the number of tables
 *   samples       values and ranges, one read a table, while there is time;
 *                 none of columns that look personal, and none when the
 *                 connection does not share rows with models
 *   keys, links   undeclared ones, tested on the data (ontology/infer.h)
 *   descriptions  by a language model, for what has no comment
 *
 * After the samples, the links and the descriptions it makes a checkpoint: the
 * catalog as JSON, if that is not too large.
 *
 * All reads go through db/read.h: read-only, each with a timeout. A table whose
 * reads fail or time out is left out; when the database becomes unavailable,
 * the whole fails. Nothing is stored. */
#pragma once
#include "db/source.h"
#include "llm/llm.h"
#include "loop/flow.h"
#include "ontology/catalog.h"

enum {
    MODELER_TABLES = 10000,
    /* for all samples; for tests, too; four times that on a Trino cluster */
    MODELER_SAMPLES_MS = 40000,
};

struct modeler {
    /* In */
    struct source *source;
    struct str name; /* of the model */
    struct str database;
    struct str_list schemas; /* empty: all that may be read */
    struct str_list tables;  /* "orders" or "sales.orders"; empty: all */
    /* `catalog` is filled in already, with its profile, as for files. */
    bool is_profiled;
    struct str user_id;      /* who asks (db/read.h); may be empty */
    struct str instructions; /* by its user; may be empty */
    bool no_samples;
    /* Describes tables and columns without a comment; may be NULL. */
    const struct llm_model *describer;
    struct arena *memory; /* without limit; outlives the flow */
    /* Of an earlier attempt, which it continues; empty: it begins. One that
     * cannot be read is ignored. */
    struct str checkpoint;
    /* Called with each checkpoint, in a step; may be NULL. */
    void (*on_checkpoint)(void *who, struct str checkpoint);
    /* Reports progress, in a step; may be NULL. */
    void (*on_progress)(void *who, const char *what, size_t done, size_t total);
    /* A call of the describer has ended; may be NULL. */
    void (*on_described)(void *who, const struct llm_usage *usage, uint64_t ms,
                         bool failed);
    void *who;
    /* Out */
    struct catalog catalog; /* with links that are only candidates; see
                               is_profiled */
    struct ontology *model;
    struct str text;              /* the model as OSI */
    size_t n_unread;              /* reads that failed */
    size_t n_undescribed;         /* tables without a description */
    struct str describer_problem; /* why; empty: out of time */
    struct llm_usage described;   /* tokens used */
    /* private */
    struct modeling *work;
};
/* A subflow; locals are the modeler. Fails as the reads of the catalog do, with
 * ERR_NO_DATASETS when there is no table, with ERR_DATABASE_UNAVAILABLE, and
 * with ERR_CANCELLED. */
struct next modeler_begin(struct flow *f);
