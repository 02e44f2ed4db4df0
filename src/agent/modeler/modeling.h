/* modeling.h - private state and subflows of the modeler (agent/modeler.h). */
#pragma once
#include "agent/modeler.h"
#include "base/buf.h"
#include "base/map.h"
#include "db/read.h"
#include "loop/wait.h"
#include "ontology/infer.h"

/* Limits of a read of the catalog. */
enum {
    CATALOG_COLUMNS = 400000,
    CATALOG_BYTES = 256 * 1024 * 1024,
    CATALOG_MS = 30000,
    CHECKPOINT_BYTES = 8 * 1024 * 1024,
};

/* Many small reads of one kind, a few at a time, with a time limit for all. */
struct probe_batch {
    const char *what; /* for progress */
    size_t n;
    /* Writes the query for number i, or nothing if none is needed. */
    void (*ask)(struct modeler *m, size_t i, struct buf *sql);
    /* Takes its result. */
    void (*hear)(struct modeler *m, size_t i, const struct read *r);
    unsigned timeout_ms;
    /* private */
    struct modeler *modeler;
    size_t next, done;
    uint64_t until;
};
/* A subflow; locals are the batch. */
struct next probe_batch_begin(struct flow *f);

/* What a checkpoint has. */
enum modeler_stage {
    STAGE_NONE,
    STAGE_SAMPLES,      /* the catalog with its profiles */
    STAGE_LINKS,        /* with keys and links, too */
    STAGE_DESCRIPTIONS, /* with comments, too */
};

struct modeling {
    struct catalog_read {
        struct map tables; /* oid -> its table in the catalog */
        int **numbers;     /* attnum of each table's columns */
    } reading;
    struct read *read;
    struct probe_batch batch;
    struct key_guess *keys;
    size_t n_keys;
    struct link_guess *links;
    size_t n_links;
    struct describe_work *describing;
    struct work thread;
    enum modeler_stage stage; /* of the latest checkpoint */
    struct str checkpoint;    /* to hand over; empty: none */
};

/* Writes the catalog and its stage into work->checkpoint; nothing when no one
 * asks for it, or when it is larger than CHECKPOINT_BYTES. On any thread. */
void checkpoint_write(struct modeler *m, enum modeler_stage stage);
/* Reads m->checkpoint into the catalog and work->stage, which becomes STAGE_NONE
 * when it cannot be read. On any thread; `modeler` is a struct modeler. */
void checkpoint_read(void *modeler);

/* A subflow; locals are the modeler: fills `catalog` from the system
 * catalog. */
struct next catalog_read_begin(struct flow *f);

/* A subflow; locals are the modeler: describes what has no comment. Fails only
 * when it is stopped. */
struct next describe_begin(struct flow *f);

/* What a type's name says; `labels`: it is an enumeration. */
enum column_kind column_kind_of(struct str type, bool labels);
/* Keeps the first few values as samples of the column, and none when they look
 * like a person's data. */
void column_take_samples(struct arena *memory, struct catalog_column *c,
                         const struct str *values, size_t n);

/* Prepare a batch: samples of all tables, tests of keys, tests of links, and
 * proofs of links. */
void probe_samples(struct modeler *m, struct probe_batch *e);
void probe_keys(struct modeler *m, struct probe_batch *e);
void probe_links(struct modeler *m, struct probe_batch *e);
void probe_proofs(struct modeler *m, struct probe_batch *e);

/* ---- SQL text ----------------------------------------------------------- */

void sql_put_name(struct buf *out, struct str name);    /* "a""b" */
void sql_put_literal(struct buf *out, struct str text); /* E'…' */
void sql_put_table(struct buf *out, const struct catalog_table *t);
void sql_put_column(struct buf *out, const struct catalog_table *t, size_t i);
/* " and OF in (...)"; nothing when there are no names. */
void sql_put_filter(struct buf *out, const char *of,
                    const struct str_list *names);
/* The number in a cell; 0 when it has none. */
int64_t cell_int(const struct read *r, int row, int column);
/* The text of a cell. */
struct str cell_text(const struct read *r, int row, int column);
