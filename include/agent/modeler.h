/* modeler.h - builds a semantic model from a live database.
 *
 *   catalog   tables, columns, types, keys, comments: three reads, whatever the
 *             number of tables
 *   samples   values and ranges, a read a table, while there is time; none of
 *             columns that look personal, and none at all where the connection's
 *             rows are not for models
 *   keys, links   what is not declared, tested on the data (ontology/infer.h)
 *   descriptions  by a language model, where there is no comment
 *
 * All reads go through db/read.h: read only, with a timeout each. What one table
 * refuses or takes too long for is left out; a database that goes away fails the
 * whole. Nothing is stored. */
#pragma once
#include "db/pool.h"
#include "llm/llm.h"
#include "loop/flow.h"
#include "ontology/catalog.h"

enum {
    MODELER_TABLES = 10000,
    MODELER_SAMPLES_MS = 40000, /* for samples of all tables; for tests too */
};

struct modeler {
    /* In */
    struct pool *source;
    struct str name; /* of the model */
    struct str database;
    struct str_list schemas; /* none: all that may be read */
    struct str_list tables;  /* none: all; "orders" or "sales.orders" */
    struct str instructions; /* words of its user; may be empty */
    bool no_samples;
    /* Describes tables and columns without a comment; NULL: nobody does. */
    const struct llm_model *describer;
    struct arena *memory; /* without limit; outlives the flow */
    /* May be NULL: what it is at, and how far. In a step. */
    void (*on_progress)(void *who, const char *what, size_t done, size_t total);
    /* May be NULL: a call of the describer is over. */
    void (*on_described)(void *who, const struct llm_usage *usage, uint64_t ms,
                         bool failed);
    void *who;
    /* Out */
    struct catalog catalog; /* links that are only offered too */
    struct ontology *model;
    struct str text;      /* the model as OSI */
    size_t n_unread;      /* questions that the database did not answer */
    size_t n_undescribed; /* tables that the describer left out */
    struct str describer_problem; /* why; empty: its time was over */
    struct llm_usage described;   /* what it took */
    /* private */
    struct modeling *work;
};
/* Fails with what the first reads fail with, ERR_NO_DATASETS when there is no
 * table, ERR_DATABASE_UNAVAILABLE when it goes away, ERR_CANCELLED. */
struct next modeler_begin(struct flow *f);
