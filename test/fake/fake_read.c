/* fake_read.c - an engine of db/source.h, with the rows that a test gives for a
 * query's text. */
#include "base/mem.h"
#include "db/read.h"
#include "fake_db.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

struct read_deed {
    struct deed deed;
    struct read *read;
};

static const char *const names[] = {"city", "orders", "revenue"};
static const char *const types[] = {"text", "int8", "numeric"};
static const char *const cells[] = {"Austin",  "3", "120.50",
                                    "Houston", "2", NULL};
static const struct fake_rows two_rows = {.n_columns = 3,
                                          .n_rows = 2,
                                          .cells = cells,
                                          .names = names,
                                          .types = types};

static const struct fake_rows *rows_of(const struct read *r)
{
    const struct fake_rows *g =
        fake_db.on_read ? fake_db.on_read(r->options.sql) : NULL;
    return g ? g : &two_rows;
}

static void read_effect(struct deed *d)
{
    struct read *r = ((struct read_deed *)d)->read;
    const struct fake_rows *g = rows_of(r);
    fake_db.reads++;
    if (g->error) {
        r->message = str_of(g->error);
        r->position = 8;
        d->ends = ERR_SQL_FAILED;
        return;
    }
    int most = r->options.max_rows ? r->options.max_rows : 1000;
    r->state = (void *)g;
    r->n_columns = g->n_columns;
    r->n_rows = g->n_rows < most ? g->n_rows : most;
    r->more_rows = g->n_rows > most;
    r->elapsed_ms = d->ms;
}

static enum err read_failure(struct deed *d)
{
    static const enum err ways[] = {ERR_SQL_FAILED, ERR_DATABASE_UNAVAILABLE,
                                    ERR_UNAVAILABLE};
    struct read *r = ((struct read_deed *)d)->read;
    r->message =
        STR("invalid input syntax for type integer: \"" FAKE_VALUE "\"");
    r->n_rows = r->n_columns = 0;
    return ways[world.at % 3];
}

/* Until the rows arrive, the pointer to them holds the deed. */
static void read_cancel(struct op *op)
{
    deed_cancel(((struct read *)op)->state);
}

static void fake_read_begin(struct flow *f, struct read *r)
{
    assert(r->options.source && r->options.sql.len);
    assert(r->options.own || r->options.calls.len);
    struct read_deed *d = mem_new(struct read_deed);
    d->deed = (struct deed){.op = &r->op,
                            .kind = DEED_READ,
                            .name = "read",
                            .ms = fake_db.read_ms,
                            .effect = read_effect,
                            .failure = read_failure};
    d->read = r;
    r->state = d;
    begin(f, &r->op, "read", read_cancel);
    op_deadline(&r->op, r->options.timeout_ms + 1000);
    deed_begin(&d->deed);
}

static struct str copy(struct arena *arena, const char *text)
{
    return text ? arena_str(arena, str_of(text)) : (struct str){NULL, 0};
}

static struct str fake_read_cell(const struct read *r, size_t i)
{
    const struct fake_rows *g = r->state;
    return (struct str){g->cells[i], str_of(g->cells[i]).len};
}

static struct str *fake_read_names(const struct read *r, struct arena *arena)
{
    const struct fake_rows *g = r->state;
    size_t n = (size_t)r->n_columns;
    struct str *names = arena_new_array(arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        names[i] = copy(arena, g->names[i]);
    return names;
}

static struct str *fake_read_types(const struct read *r, struct arena *arena)
{
    const struct fake_rows *g = r->state;
    struct str *types =
        arena_new_array(arena, struct str, (size_t)r->n_columns + 1);
    for (int i = 0; i < r->n_columns; i++)
        types[i] = copy(arena, g->types[i]);
    return types;
}

static void fake_read_hold(struct read *r, bool held)
{
    (void)r;
    (void)held;
}

static size_t fake_read_n_cells(const struct read *r)
{
    return (size_t)r->n_rows * (size_t)r->n_columns;
}

static const char *fake_problem(const struct source *source)
{
    (void)source;
    return "";
}

const struct source_engine fake_pool_engine = {.dialect = DIALECT_POSTGRES,
                                               .name = "PostgreSQL",
                                               .read_begin = fake_read_begin,
                                               .read_names = fake_read_names,
                                               .read_types = fake_read_types,
                                               .read_n_cells =
                                                   fake_read_n_cells,
                                               .read_cell = fake_read_cell,
                                               .read_hold = fake_read_hold,
                                               .problem = fake_problem};
