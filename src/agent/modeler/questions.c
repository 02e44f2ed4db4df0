/* questions.c - the queries of probe batches, and what their results mean:
 * samples, tests of keys, tests and proofs of links. */
#include "modeling.h"
#include <string.h>
#include "base/banned.h"

enum {
    SAMPLE_ROWS = 5000,
    SAMPLE_COLUMNS = 60,
    SAMPLES = 12, /* all values, if there are few, */
    SAMPLES_OF_MANY = 5,
    SAMPLE_CHARS = 60,
    RANGE_BYTES = 60,
    KEY_ROWS = 200000,
    LINK_VALUES = 5000,
    TARGET_ROWS = 100000,
    SAMPLE_MS = 4000,
    TEST_MS = 8000,
};

/* ---- samples ------------------------------------------------------------ */

static bool has_range(const struct catalog_column *c)
{
    return c->kind == COLUMN_NUMBER || c->kind == COLUMN_INTEGER ||
           c->kind == COLUMN_DATE || c->kind == COLUMN_TIMESTAMP;
}

static bool is_sampled(const struct catalog_table *t, size_t i)
{
    const struct catalog_column *c = &t->columns[i];
    if (c->personal || i >= SAMPLE_COLUMNS || catalog_is_single_key(t, i))
        return false;
    return has_range(c) || c->kind == COLUMN_TEXT;
}

static void put_sample(struct buf *sql, const struct catalog_table *t, size_t i)
{
    buf_printf(sql, " union all select %zu, count(c%zu), count(distinct c%zu),",
               i, i, i);
    if (has_range(&t->columns[i]))
        buf_printf(sql, " min(c%zu)::text, max(c%zu)::text, null from t", i, i);
    else
        buf_printf(sql,
                   " null, null, (select string_agg(v, E'\\x1f' order by n"
                   " desc, v) from (select c%zu::text as v, count(*) as n from"
                   " t where c%zu is not null and length(c%zu) <= %d group by"
                   " 1 order by 2 desc, 1 limit %d) x) from t",
                   i, i, i, SAMPLE_CHARS, SAMPLES);
}

/* A query takes a cluster longer, however few rows it reads. */
static unsigned probe_ms(const struct modeler *m, unsigned ms)
{
    return source_dialect(m->source) == DIALECT_TRINO ? 5 * ms : ms;
}

/* One row, from one pass: Trino would read the rows again for each branch of a
 * UNION. */
static void ask_cluster_sample(const struct catalog_table *t, struct buf *sql)
{
    buf_text(sql, "select count(*)");
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!is_sampled(t, i))
            continue;
        buf_printf(sql, ", count(c%zu), count(distinct c%zu)", i, i);
        if (has_range(&t->columns[i]))
            buf_printf(sql, ", min(c%zu)::text, max(c%zu)::text, null", i, i);
        else
            buf_printf(sql,
                       ", null, null, array_join(slice(map_keys(histogram("
                       "c%zu) filter (where length(c%zu) <= %d)), 1, %d),"
                       " E'\x1f')",
                       i, i, SAMPLE_CHARS, SAMPLES);
    }
    buf_text(sql, " from (select true as seen");
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!is_sampled(t, i))
            continue;
        buf_text(sql, ", ");
        sql_put_column(sql, t, i);
        buf_printf(sql, " as c%zu", i);
    }
    buf_text(sql, " from ");
    sql_put_table(sql, t);
    buf_printf(sql, " limit %d) t", SAMPLE_ROWS);
}

static void ask_sample(struct modeler *m, size_t at, struct buf *sql)
{
    const struct catalog_table *t = &m->catalog.tables[at];
    if (source_dialect(m->source) == DIALECT_TRINO) {
        ask_cluster_sample(t, sql);
        return;
    }
    buf_text(sql, "with t as materialized (select true as seen");
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!is_sampled(t, i))
            continue;
        buf_text(sql, ", ");
        sql_put_column(sql, t, i);
        buf_printf(sql, " as c%zu", i);
    }
    buf_text(sql, " from ");
    sql_put_table(sql, t);
    buf_printf(sql,
               " limit %d) select -1, count(*), 0::bigint, null::text,"
               " null::text, null::text from t",
               SAMPLE_ROWS);
    for (size_t i = 0; i < t->n_columns; i++)
        if (is_sampled(t, i))
            put_sample(sql, t, i);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* An e-mail address, or digits in groups as in phone numbers. */
static bool looks_personal(struct str value)
{
    size_t digits = 0, others = 0;
    int64_t at = str_find(value, STR("@"));
    if (at > 0 && str_find(str_from(value, (size_t)at), STR(".")) > 0 &&
        str_find(value, STR(" ")) < 0)
        return true;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        digits += is_digit(c);
        others += !is_digit(c) && c != ' ' && c != '-' && c != '(' && c != ')';
    }
    bool plus = value.len && value.ptr[0] == '+';
    others -= plus;
    return digits >= (plus ? 7 : 9) && !others && digits < value.len;
}

void column_take_samples(struct arena *memory, struct catalog_column *c,
                         const struct str *values, size_t n)
{
    size_t most = c->n_distinct <= SAMPLES ? SAMPLES : SAMPLES_OF_MANY;
    c->samples.items = arena_new_array(memory, struct str, SAMPLES);
    for (size_t i = 0; i < n && c->samples.n < most; i++) {
        struct str value = str_trim(values[i]);
        if (value.len)
            c->samples.items[c->samples.n++] = value;
    }
    for (size_t i = 0; i < c->samples.n; i++)
        c->personal |= looks_personal(c->samples.items[i]);
    if (c->personal)
        c->samples.n = 0;
}

static void take_samples(struct modeler *m, struct catalog_column *c,
                         struct str cell)
{
    struct str rest = arena_str(m->memory, cell), values[SAMPLES];
    size_t n = 0;
    while (rest.len && n < SAMPLES && str_split(&rest, 0x1f, &values[n]))
        n++;
    column_take_samples(m->memory, c, values, n);
}

/* The cells of a column, from `cell` on: values, distinct ones, the least, the
 * greatest, samples. A range counts only if all rows were read. */
static void hear_column(struct modeler *m, struct catalog_column *c,
                        const struct read *r, int row, int cell, bool whole)
{
    struct str least = cell_text(r, row, cell + 2);
    struct str greatest = cell_text(r, row, cell + 3);
    c->profiled = true;
    c->n_values = cell_int(r, row, cell);
    c->n_distinct = cell_int(r, row, cell + 1);
    if (whole && least.len <= RANGE_BYTES && greatest.len <= RANGE_BYTES) {
        c->least = arena_str(m->memory, least);
        c->greatest = arena_str(m->memory, greatest);
    }
    take_samples(m, c, cell_text(r, row, cell + 4));
}

static void hear_cluster_sample(struct modeler *m, struct catalog_table *t,
                                const struct read *r, bool whole)
{
    int cell = 1;
    for (size_t i = 0; i < t->n_columns && cell + 4 < r->n_columns; i++) {
        if (!is_sampled(t, i))
            continue;
        hear_column(m, &t->columns[i], r, 0, cell, whole);
        cell += 5;
    }
}

static void hear_sample(struct modeler *m, size_t at, const struct read *r)
{
    struct catalog_table *t = &m->catalog.tables[at];
    bool cluster = source_dialect(m->source) == DIALECT_TRINO;
    int64_t seen = r->n_rows ? cell_int(r, 0, cluster ? 0 : 1) : 0;
    bool whole = seen < SAMPLE_ROWS;
    if (r->n_rows && whole) {
        t->rows = seen;
        t->exact_rows = true;
    }
    if (cluster && r->n_rows)
        hear_cluster_sample(m, t, r, whole);
    for (int i = 1; !cluster && i < r->n_rows; i++)
        hear_column(m, &t->columns[cell_int(r, i, 0)], r, i, 1, whole);
}

void probe_samples(struct modeler *m, struct probe_batch *b)
{
    *b = (struct probe_batch){.what = "samples",
                              .n = m->catalog.n_tables,
                              .ask = ask_sample,
                              .hear = hear_sample,
                              .timeout_ms = probe_ms(m, SAMPLE_MS),
                              .modeler = m};
}

/* ---- keys --------------------------------------------------------------- */

static void put_columns(struct buf *sql, const struct catalog_table *t,
                        const size_t *columns, size_t n, const char *between)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(sql, between);
        sql_put_column(sql, t, columns[i]);
    }
}

static void ask_key(struct modeler *m, size_t at, struct buf *sql)
{
    const struct key_guess *g = &m->work->keys[at];
    const struct catalog_table *t = &m->catalog.tables[g->table];
    buf_text(sql, "select count(*), count(distinct (");
    put_columns(sql, t, g->columns, g->n, ", ");
    buf_text(sql, ")), count(*) filter (where ");
    put_columns(sql, t, g->columns, g->n, " is null or ");
    buf_text(sql, " is null) from (select ");
    put_columns(sql, t, g->columns, g->n, ", ");
    buf_text(sql, " from ");
    sql_put_table(sql, t);
    buf_printf(sql, " limit %d) q", KEY_ROWS);
}

static void hear_key(struct modeler *m, size_t at, const struct read *r)
{
    struct key_guess *g = &m->work->keys[at];
    if (!r->n_rows)
        return;
    g->asked = true;
    g->rows = cell_int(r, 0, 0);
    g->distinct = cell_int(r, 0, 1);
    g->missing = cell_int(r, 0, 2);
    g->whole = g->rows < KEY_ROWS;
}

void probe_keys(struct modeler *m, struct probe_batch *b)
{
    *b = (struct probe_batch){.what = "keys",
                              .n = m->work->n_keys,
                              .ask = ask_key,
                              .hear = hear_key,
                              .timeout_ms = probe_ms(m, TEST_MS),
                              .modeler = m};
}

/* ---- links -------------------------------------------------------------- */

/* Many programs write 0 or an empty text instead of NULL. */
static const char *null_substitute(const struct catalog_column *c)
{
    return c->kind == COLUMN_INTEGER ? "0"
           : c->kind == COLUMN_TEXT  ? "''"
                                     : NULL;
}

static void put_not_null(struct buf *sql, const struct catalog_table *t,
                         const size_t *columns, size_t n)
{
    put_columns(sql, t, columns, n, " is not null and ");
    buf_text(sql, " is not null");
    for (size_t i = 0; i < n; i++) {
        const char *none = null_substitute(&t->columns[columns[i]]);
        if (!none)
            continue;
        buf_text(sql, " and ");
        sql_put_column(sql, t, columns[i]);
        buf_printf(sql, " <> %s", none);
    }
}

static void ask_link(struct modeler *m, size_t at, struct buf *sql)
{
    const struct link_guess *g = &m->work->links[at];
    const struct catalog_table *from = &m->catalog.tables[g->from],
                               *to = &m->catalog.tables[g->to];
    buf_text(sql, "with s as materialized (select distinct ");
    for (size_t i = 0; i < g->n; i++) {
        buf_text(sql, i ? ", " : "");
        sql_put_column(sql, from, g->from_columns[i]);
        buf_printf(sql, " as v%zu", i);
    }
    buf_text(sql, " from ");
    sql_put_table(sql, from);
    buf_text(sql, " where ");
    put_not_null(sql, from, g->from_columns, g->n);
    buf_printf(sql,
               " limit %d) select count(*), (select count(*)"
               " from s where exists (select 1 from ",
               LINK_VALUES);
    sql_put_table(sql, to);
    buf_text(sql, " k where ");
    for (size_t i = 0; i < g->n; i++) {
        buf_text(sql, i ? " and k." : "k.");
        sql_put_column(sql, to, g->to_columns[i]);
        buf_printf(sql, " = s.v%zu", i);
    }
    buf_text(sql, ")), (select count(*) from (select 1 from ");
    sql_put_table(sql, to);
    buf_printf(sql, " limit %d) q) from s", TARGET_ROWS);
}

static void hear_link(struct modeler *m, size_t at, const struct read *r)
{
    struct link_guess *g = &m->work->links[at];
    if (!r->n_rows)
        return;
    g->asked = true;
    g->values = cell_int(r, 0, 0);
    g->found = cell_int(r, 0, 1);
    g->targets = cell_int(r, 0, 2);
    g->whole = g->values < LINK_VALUES;
}

void probe_links(struct modeler *m, struct probe_batch *b)
{
    *b = (struct probe_batch){.what = "relationships",
                              .n = m->work->n_links,
                              .ask = ask_link,
                              .hear = hear_link,
                              .timeout_ms = probe_ms(m, TEST_MS),
                              .modeler = m};
}

/* ---- proofs: where the name does not say it ----------------------------- */

static void ask_tree(struct modeler *m, const struct link_guess *g,
                     struct buf *sql)
{
    const struct catalog_table *t = &m->catalog.tables[g->to];
    buf_text(sql, "with recursive t(k, p) as (select ");
    const char *none = null_substitute(&t->columns[g->from_columns[0]]);
    sql_put_column(sql, t, g->to_columns[0]);
    buf_text(sql, ", nullif(");
    sql_put_column(sql, t, g->from_columns[0]);
    buf_printf(sql, ", %s) from ", none ? none : "null");
    sql_put_table(sql, t);
    buf_text(sql, "), up(k) as (select k from t where p is null union"
                  " select t.k from t join up on t.p = up.k)"
                  " select (select count(*) from t where p = k),"
                  " (select count(*) from up), 0::bigint");
}

static void put_texts(struct buf *sql, const struct catalog_table *t)
{
    buf_text(sql, "lower(concat_ws(' ', ''");
    for (size_t i = 0; i < t->n_columns && i < SAMPLE_COLUMNS; i++)
        if (t->columns[i].kind == COLUMN_TEXT) {
            buf_text(sql, ", left(");
            sql_put_column(sql, t, i);
            buf_text(sql, "::text, 500)");
        }
    buf_text(sql, "))");
}

/* The words, at the beginning of a word: PostgreSQL has its own sign for it. */
static void put_words(struct buf *sql, const struct link_guess *g,
                      const char *begins)
{
    struct buf words;
    buf_init(&words, sql->arena);
    buf_printf(&words, "%s(", begins);
    for (size_t i = 0; i < g->role_words.n; i++)
        buf_printf(&words, "%s%.*s", i ? "|" : "",
                   STR_ARG(g->role_words.items[i]));
    buf_char(&words, ')');
    sql_put_literal(sql, buf_finish(&words));
}

/* Whether a row has one of the words. */
static void put_hint(const struct modeler *m, const struct link_guess *g,
                     const struct catalog_table *to, struct buf *sql)
{
    bool duckdb = source_dialect(m->source) == DIALECT_DUCKDB;
    if (duckdb)
        buf_text(sql, "regexp_matches(");
    put_texts(sql, to);
    buf_text(sql, duckdb ? ", " : " ~ ");
    put_words(sql, g, duckdb ? "\\b" : "\\m");
    if (duckdb)
        buf_char(sql, ')');
}

static void ask_hint(struct modeler *m, const struct link_guess *g,
                     struct buf *sql)
{
    const struct catalog_table *from = &m->catalog.tables[g->from],
                               *to = &m->catalog.tables[g->to];
    buf_text(sql, "select count(*) filter (where r), count(*) filter (where r"
                  " and h), count(*) filter (where not r and h) from (select ");
    sql_put_column(sql, to, g->to_columns[0]);
    buf_text(sql, " in (select ");
    sql_put_column(sql, from, g->from_columns[0]);
    buf_text(sql, " from ");
    sql_put_table(sql, from);
    buf_text(sql, " where ");
    sql_put_column(sql, from, g->from_columns[0]);
    buf_text(sql, " is not null) as r, ");
    put_hint(m, g, to, sql);
    buf_text(sql, " as h from ");
    sql_put_table(sql, to);
    buf_text(sql, ") q");
}

static bool is_open(const struct link_guess *g)
{
    return g->asked && g->match == MATCH_NONE && g->values > 0 &&
           g->found == g->values && g->targets < TARGET_ROWS;
}

static void ask_proof(struct modeler *m, size_t at, struct buf *sql)
{
    const struct link_guess *g = &m->work->links[at];
    if (is_open(g) && g->tree)
        ask_tree(m, g, sql);
    else if (is_open(g) && g->role_words.n)
        ask_hint(m, g, sql);
}

static void hear_proof(struct modeler *m, size_t at, const struct read *r)
{
    struct link_guess *g = &m->work->links[at];
    if (r->n_rows && g->tree) {
        g->loops = cell_int(r, 0, 0);
        g->reached = cell_int(r, 0, 1);
    } else if (r->n_rows) {
        g->pointed = cell_int(r, 0, 0);
        g->hinted = cell_int(r, 0, 1);
        g->strangers = cell_int(r, 0, 2);
    }
}

void probe_proofs(struct modeler *m, struct probe_batch *b)
{
    *b = (struct probe_batch){.what = "evidence",
                              .n = m->work->n_links,
                              .ask = ask_proof,
                              .hear = hear_proof,
                              .timeout_ms = probe_ms(m, TEST_MS),
                              .modeler = m};
}
