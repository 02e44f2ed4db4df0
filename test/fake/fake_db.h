/* fake_db.h - the db floor without a database: the same headers (db/query.h,
 * db/pool.h, db/read.h), implemented by a small model of our tables.
 *
 * Writes of runs (journal.write, runs.finish) change the model as the statements
 * would: by epoch, once, atomically. Every other statement returns the rows that a
 * test gave for its name, or none. */
#pragma once
#include "artifact/vocabulary.h"
#include "base/buf.h"
#include "base/random.h"
#include "db/query.h"
#include "fake_world.h"
#include <stdbool.h>
#include <stdint.h>

enum { FAKE_RUNS = 64, FAKE_ARTIFACTS = 64 };

struct fake_artifact {
    char kind[24];
    struct buf body; /* heap */
};

/* A row of runs with what hangs on it. */
struct fake_run {
    char id[UUID_SIZE];
    int epoch, attempt, releases, revision;
    bool is_build;    /* of a semantic model */
    bool ended, ours; /* owned by the process under test */
    uint64_t lease_until, ended_ms, started_ms; /* virtual ms */
    int closings; /* times that finish_run ended it */
    int finish_calls;
    char phase[24], status[32];
    struct buf content, metadata, charts, events; /* heap; events: frames */
    int64_t last;                                 /* number of the last event */
    int64_t phase_after;
    char tokens[88]; /* journal_tokens */
    bool cancel_requested;
    int batches, traces;
    int64_t last_call;
    bool torn; /* a batch did not follow the one before */
    struct fake_artifact artifacts[FAKE_ARTIFACTS];
    size_t n_artifacts;
};

struct fake_rows {
    const char *statement; /* by name; of a read: NULL */
    int n_columns, n_rows;
    const char *const *cells; /* n_rows * n_columns; NULL is NULL */
    const char *const *names, *const *types; /* of a read */
    const char *error; /* of a read: its message, and no rows */
};

/* Rows of a statement, n cells each. */
#define FAKE_ROWS(name, n, ...) \
    { \
        .statement = name, .n_columns = n, \
        .n_rows = (int)(sizeof((const char *const[]){__VA_ARGS__}) / \
                        sizeof(char *) / (n)), \
        .cells = (const char *const[]) \
        { \
            __VA_ARGS__ \
        } \
    }

extern struct fake_db {
    /* In */
    const struct fake_rows *rows; /* ends in a NULL statement */
    const struct fake_rows *(*on_read)(struct str sql); /* NULL: two rows */
    void (*on_query)(const struct query *q); /* as it takes effect; or NULL */
    /* Statements that it will not take though it is up; or NULL. */
    bool (*refuses)(const struct query *q);
    unsigned query_ms, read_ms;
    enum err fails_with; /* of statements; OK: by the place of the trouble */
    /* The model */
    struct fake_run runs[FAKE_RUNS];
    size_t n_runs;
    /* Out */
    unsigned commits, queries, reads, pools, notices;
} fake_db;

/* Delivers a notice to the listener (fake_listen.c). */
void fake_notify(struct str payload);
bool fake_listening(void);
/* The listener reconnects, after a gap. */
void fake_relisten(void);

/* The engine of reads on the pools of this model. */
extern const struct source_engine fake_pool_engine;

void fake_db_open(void);
void fake_db_close(void);
/* A new row, claimed for this process. */
struct fake_run *fake_db_run(const char *message_id, int epoch);
/* Another process takes it over, and releases it after ms. */
void fake_db_take(struct fake_run *r, unsigned ms);
struct fake_run *fake_db_find(struct str message_id);
struct str fake_db_artifact(const struct fake_run *r, const char *kind);
void fake_db_put_artifact(struct fake_run *r, const char *kind,
                          struct str body);
