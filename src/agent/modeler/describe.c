/* describe.c - a language model describes tables and columns that have no
 * comment: a few tables per call, two calls at a time. The descriptions are
 * used as comments. After a failure the other tables stay without: the model is
 * usable.
 *
 *   describe_begin -> lane_begin -> batch_begin -> batch_heard -> batch_over
 *                          ^___________________________________________/ */
#include "agent/prompt.h"
#include "artifact/artifact.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "modeling.h"
#include "base/banned.h"

enum {
    LANES = 2,
    LANE_MEMORY = 16 * 1024 * 1024,
    TABLES_A_CALL = 8,
    TABLES_MOST = 400,
    COLUMNS_MOST = 60,
    SAMPLES_MOST = 5,
    COMMENT_BYTES = 200,
    TABLE_BYTES = 600,
    COLUMN_BYTES = 300,
    PROMPT_BYTES = 48 * 1024,
    DESCRIBE_MS = 45000,
};

struct describe_work {
    struct modeler *modeler;
    size_t *tables; /* that need clean_text */
    size_t n, next, done;
    uint64_t until;
};

struct describe_batch {
    struct describe_work *all;
    size_t first, n;
    struct llm_call llm;
    uint64_t began;
    bool understood;
    struct arena memory;
};

static struct next lanes_done(struct flow *f), lane_begin(struct flow *f),
    batch_begin(struct flow *f), batch_heard(struct flow *f),
    batch_over(struct flow *f), batch_failed(struct flow *f);

static size_t undescribed_tables(struct modeler *m, size_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < m->catalog.n_tables && n < TABLES_MOST; i++)
        if (!m->catalog.tables[i].comment.len)
            out[n++] = i;
    return n;
}

struct next describe_begin(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    struct describe_work *d = here(f, struct describe_work);
    d->modeler = m;
    d->tables = arena_new_array(flow_here(f), size_t, TABLES_MOST);
    d->n = undescribed_tables(m, d->tables);
    d->until = clock_ms() + DESCRIBE_MS;
    m->work->describing = d;
    if (m->on_progress)
        m->on_progress(m->who, "descriptions", 0, d->n);
    for (size_t i = 0; i < LANES && i * TABLES_A_CALL < d->n; i++) {
        struct child *child = here(f, struct child);
        struct describe_batch *b = here(f, struct describe_batch);
        b->all = d;
        child_begin(f, child, lane_begin, b, "describe", LANE_MEMORY);
    }
    return await(f, lanes_done);
}

static struct next lanes_done(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->n_undescribed = m->work->describing->n - m->work->describing->done;
    return back(f);
}

static struct next lane_begin(struct flow *f)
{
    struct describe_batch *b = locals(f, struct describe_batch);
    struct describe_work *d = b->all;
    if (d->next >= d->n || clock_ms() >= d->until)
        return back(f);
    b->first = d->next;
    b->n = d->n - d->next < TABLES_A_CALL ? d->n - d->next : TABLES_A_CALL;
    d->next += b->n;
    return attempt(f, batch_begin, b, batch_over, batch_failed);
}

/* ---- the prompt --------------------------------------------------------- */

static void put_quoted(struct buf *out, struct str text, size_t most)
{
    buf_char(out, ' ');
    json_quote(out, utf8_cut(text, most));
}

static void put_column(struct buf *out, const struct catalog_column *c)
{
    size_t most = c->samples.n < SAMPLES_MOST ? c->samples.n : SAMPLES_MOST;
    buf_text(out, "  -");
    put_quoted(out, c->name, c->name.len);
    put_quoted(out, c->type, COMMENT_BYTES); /* a user may have named it */
    if (c->comment.len) {
        buf_text(out, ", comment");
        put_quoted(out, c->comment, COMMENT_BYTES);
    }
    for (size_t i = 0; i < most; i++) {
        buf_text(out, i ? "," : ", for example");
        put_quoted(out, c->samples.items[i], COMMENT_BYTES);
    }
    buf_char(out, '\n');
}

static struct str table_word(struct arena *arena, const struct catalog_table *t)
{
    return arena_printf(arena, "%.*s.%.*s", STR_ARG(t->schema),
                        STR_ARG(t->name));
}

static struct str tables_text(struct describe_batch *b)
{
    const struct catalog *c = &b->all->modeler->catalog;
    struct buf out;
    buf_init(&out, &b->memory);
    for (size_t i = 0; i < b->n; i++) {
        const struct catalog_table *t =
            &c->tables[b->all->tables[b->first + i]];
        struct str word = table_word(&b->memory, t);
        buf_text(&out, "-");
        put_quoted(&out, word, word.len);
        buf_char(&out, '\n');
        for (size_t k = 0; k < t->n_columns && k < COLUMNS_MOST; k++)
            put_column(&out, &t->columns[k]);
    }
    return buf_finish(&out);
}

/* Counts the tokens, also of a call that failed. */
static void batch_done(void *what)
{
    struct describe_batch *b = what;
    const struct modeler *m = b->all->modeler;
    struct llm_usage *sum = &b->all->modeler->described;
    if (m->on_described)
        m->on_described(m->who, &b->llm.usage, clock_ms() - b->began,
                        !b->understood);
    sum->prompt += b->llm.usage.prompt;
    sum->completion += b->llm.usage.completion;
    sum->total += b->llm.usage.total;
    arena_done(&b->memory);
}

static struct next batch_begin(struct flow *f)
{
    struct describe_batch *b = locals(f, struct describe_batch);
    const struct modeler *m = b->all->modeler;
    struct buf schema;
    uint64_t now = clock_ms();
    b->llm = (struct llm_call){0};
    b->began = now;
    b->understood = false;
    flow_arena_init(&b->memory, LANE_MEMORY);
    defer(f, batch_done, b);
    buf_init(&schema, &b->memory);
    artifact_schema(&schema, &table_descriptions_type);
    const struct prompt_hole holes[] = {
        {"instructions", m->instructions, 0},
        {"tables", tables_text(b), PROMPT_BYTES},
        {NULL, {0}, 0}};
    b->llm = (struct llm_call){
        .model = m->describer,
        .schema_name = STR("describe_tables"),
        .schema = buf_finish(&schema),
        .memory = &b->memory,
        .total_ms = now < b->all->until ? (unsigned)(b->all->until - now) : 1};
    b->llm.messages = prompt_fill(&b->memory, "describe", holes);
    b->llm.n_messages = PROMPT_MESSAGES;
    return call(f, llm_begin, &b->llm, batch_heard);
}

/* ---- the reply ---------------------------------------------------------- */

static struct str clean_text(struct modeler *m, struct str text, size_t most)
{
    char *copy = arena_cstr(m->memory, utf8_cut(str_trim(text), most));
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return str_of(copy);
}

static void take_columns(struct modeler *m, struct catalog_table *t,
                         const struct table_description *said)
{
    for (size_t i = 0; i < said->n_columns; i++)
        for (size_t k = 0; k < t->n_columns; k++)
            if (!t->columns[k].comment.len &&
                str_eq(t->columns[k].name, said->columns[i].column))
                t->columns[k].comment =
                    clean_text(m, said->columns[i].description, COLUMN_BYTES);
}

static void take_descriptions(struct describe_batch *b,
                              const struct table_descriptions *said)
{
    struct modeler *m = b->all->modeler;
    for (size_t i = 0; i < b->n; i++) {
        struct catalog_table *t =
            &m->catalog.tables[b->all->tables[b->first + i]];
        struct str word = table_word(&b->memory, t);
        for (size_t k = 0; k < said->n_tables; k++) {
            if (!str_eq(said->tables[k].table, word))
                continue;
            t->comment =
                clean_text(m, said->tables[k].description, TABLE_BYTES);
            take_columns(m, t, &said->tables[k]);
            b->all->done++;
            break;
        }
    }
}

static struct next batch_heard(struct flow *f)
{
    struct describe_batch *b = locals(f, struct describe_batch);
    struct table_descriptions said = {0};
    struct artifact_problem problem = {"it was cut off, or declined"};
    json_t *v = b->llm.finish == LLM_LENGTH || b->llm.finish == LLM_FILTERED
                    ? NULL
                    : json_read_lenient(b->llm.content, NULL);
    if (v)
        defer(f, json_drop, v);
    if (!v || !artifact_decode(&b->memory, &table_descriptions_type, v, &said,
                               &problem))
        return fail_because(f, ERR_BAD_REPLY, "its reply: %s", problem.text);
    take_descriptions(b, &said);
    b->understood = true;
    return back(f);
}

static struct next batch_over(struct flow *f)
{
    const struct describe_work *d = locals(f, struct describe_batch)->all;
    const struct modeler *m = d->modeler;
    if (m->on_progress)
        m->on_progress(m->who, "descriptions", d->next, d->n);
    return go(f, lane_begin);
}

/* After a failure there are no further calls. */
static struct next batch_failed(struct flow *f)
{
    struct describe_work *d = locals(f, struct describe_batch)->all;
    struct str why = failure_text(f);
    d->next = d->n;
    d->modeler->describer_problem = arena_str(
        d->modeler->memory, why.len ? why : str_of(err_sentence(failure(f))));
    return back(f);
}
