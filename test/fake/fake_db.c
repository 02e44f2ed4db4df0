#include "fake_db.h"
#include "base/clock.h"
#include "base/mem.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { DEADLINE_MS = 10000, LEASE_MS = 30000 };

struct fake_db fake_db;

/* ---- the model ---------------------------------------------------------- */

void fake_db_open(void)
{
    fake_db = (struct fake_db){.query_ms = 1, .read_ms = 3};
}

void fake_db_close(void)
{
    for (size_t i = 0; i < fake_db.n_runs; i++) {
        struct fake_run *r = &fake_db.runs[i];
        buf_done(&r->content);
        buf_done(&r->metadata);
        buf_done(&r->charts);
        buf_done(&r->events);
        for (size_t a = 0; a < r->n_artifacts; a++)
            buf_done(&r->artifacts[a].body);
    }
    assert(fake_db.pools == 0 && "a pool is left open");
}

struct fake_run *fake_db_run(const char *message_id, int epoch)
{
    assert(fake_db.n_runs < FAKE_RUNS);
    struct fake_run *r = &fake_db.runs[fake_db.n_runs++];
    snprintf(r->id, sizeof r->id, "%s", message_id);
    snprintf(r->phase, sizeof r->phase, "planner");
    r->epoch = epoch;
    r->attempt = 1;
    r->last_call = -1;
    r->ours = true;
    r->started_ms = clock_ms();
    r->lease_until = clock_ms() + LEASE_MS;
    return r;
}

void fake_db_take(struct fake_run *r, unsigned ms)
{
    if (r->ended)
        return;
    r->epoch++;
    r->attempt++;
    r->ours = false;
    r->lease_until = clock_ms() + ms;
}

struct fake_run *fake_db_find(struct str message_id)
{
    for (size_t i = 0; i < fake_db.n_runs; i++)
        if (str_is(message_id, fake_db.runs[i].id))
            return &fake_db.runs[i];
    return NULL;
}

static struct fake_artifact *artifact_of(struct fake_run *r, struct str kind)
{
    for (size_t i = 0; i < r->n_artifacts; i++)
        if (str_is(kind, r->artifacts[i].kind))
            return &r->artifacts[i];
    assert(r->n_artifacts < FAKE_ARTIFACTS);
    struct fake_artifact *a = &r->artifacts[r->n_artifacts++];
    snprintf(a->kind, sizeof a->kind, "%.*s", STR_ARG(kind));
    return a;
}

struct str fake_db_artifact(const struct fake_run *r, const char *kind)
{
    for (size_t i = 0; i < r->n_artifacts; i++)
        if (!strcmp(kind, r->artifacts[i].kind))
            return buf_view(&r->artifacts[i].body);
    return (struct str){NULL, 0};
}

void fake_db_put_artifact(struct fake_run *r, const char *kind, struct str body)
{
    struct fake_artifact *a = artifact_of(r, str_of(kind));
    buf_clear(&a->body);
    buf_str(&a->body, body);
}

/* ---- results ------------------------------------------------------------ */

static PGresult *result_new(int columns)
{
    enum { MOST = 32 };
    static char names[MOST][8];
    PGresAttDesc about[MOST];
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    assert(columns <= MOST);
    memset(about, 0, sizeof about);
    for (int i = 0; i < columns; i++) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        about[i].name = names[i];
        about[i].typid = 25;
        about[i].typlen = -1;
        about[i].atttypmod = -1;
    }
    PQsetResultAttrs(result, columns, about);
    return result;
}

static void put_str(PGresult *result, int row, int column, struct str s)
{
    PQsetvalue(result, row, column, (char *)(s.len ? s.ptr : ""), (int)s.len);
}

static void put(PGresult *result, int row, int column, const char *text)
{
    PQsetvalue(result, row, column, (char *)text,
               text ? (int)strlen(text) : -1);
}

static void put_int(PGresult *result, int row, int column, int64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)n);
    put(result, row, column, text);
}

/* ---- journal.write ------------------------------------------------------ */

/* The next element of an array literal. No element contains a comma. */
static bool element(struct str *array, struct str *out)
{
    if (array->len && array->ptr[0] == '{')
        *array = str_cut(*array, 1, array->len - 2);
    if (!array->len || !str_split(array, ',', out))
        return false;
    if (out->len && out->ptr[0] == '"')
        *out = str_cut(*out, 1, out->len - 2);
    return true;
}

static int64_t element_int(struct str *array)
{
    struct str text = {0};
    int64_t n = 0;
    bool sound = element(array, &text) && str_to_int64(text, &n);
    assert(sound && "an array of the journal ends early");
    return n;
}

struct written {          /* an item of the statement */
    struct fake_run *run; /* NULL: it has moved on */
};

static void put_events(struct fake_run *r, int64_t first, int64_t last,
                       struct str frames)
{
    if (!frames.len || last <= r->last)
        return; /* on conflict do nothing */
    r->torn = r->torn || first != r->last + 1;
    buf_str(&r->events, frames);
    r->last = last;
    r->batches++;
}

static size_t put_items(const struct query *q, struct str blob,
                        struct written *items, size_t most)
{
    struct str a[9], tokens = str_of(q->params[18]), id;
    size_t n = 0;
    for (int i = 0; i < 9; i++)
        a[i] = str_of(q->params[i + 1]);
    while (element(&a[0], &id)) {
        int epoch = (int)element_int(&a[1]);
        int64_t first = element_int(&a[2]), last = element_int(&a[3]);
        size_t at = (size_t)element_int(&a[4]),
               len = (size_t)element_int(&a[5]);
        struct str phase = {0}, used = {0};
        bool sound = element(&a[6], &phase) && element(&tokens, &used);
        int revision = (int)element_int(&a[7]);
        int64_t phase_after = element_int(&a[8]);
        assert(sound && n < most && at >= 1 && at - 1 + len <= blob.len);
        struct fake_run *r = fake_db_find(id);
        if (r && (r->epoch != epoch || r->ended))
            r = NULL;
        items[n++].run = r;
        if (!r)
            continue;
        put_events(r, first, last, str_cut(blob, at - 1, len));
        if (phase.len) {
            snprintf(r->phase, sizeof r->phase, "%.*s", STR_ARG(phase));
            r->revision = revision;
            r->phase_after = phase_after;
            if (used.len)
                snprintf(r->tokens, sizeof r->tokens, "%.*s", STR_ARG(used));
        }
    }
    return n;
}

static void put_pieces(const struct query *q, struct str blob,
                       const struct written *items)
{
    struct str n = str_of(q->params[10]), kinds = str_of(q->params[11]);
    struct str ats = str_of(q->params[12]), lens = str_of(q->params[13]), kind;
    while (element(&kinds, &kind)) {
        struct fake_run *r = items[element_int(&n) - 1].run;
        size_t at = (size_t)element_int(&ats), len = (size_t)element_int(&lens);
        struct fake_artifact *a = r ? artifact_of(r, kind) : NULL;
        if (!a)
            continue;
        buf_clear(&a->body);
        buf_str(&a->body, str_cut(blob, at - 1, len));
    }
}

static void put_traces(const struct query *q, const struct written *items)
{
    struct str n = str_of(q->params[14]), number;
    while (element(&n, &number)) {
        int64_t i = 0;
        str_to_int64(number, &i);
        struct fake_run *r = items[i - 1].run;
        if (r) {
            r->traces++;
            r->last_call++;
        }
    }
}

static PGresult *journal_write(const struct query *q)
{
    struct written items[FAKE_RUNS * 4];
    struct str blob = {q->params[0], (size_t)q->bytes};
    size_t n = put_items(q, blob, items, FAKE_RUNS * 4);
    put_pieces(q, blob, items);
    put_traces(q, items);
    fake_db.commits++;
    PGresult *result = result_new(2);
    int row = 0;
    for (size_t i = 0; i < n; i++) {
        if (!items[i].run)
            continue;
        put(result, row, 0, items[i].run->id);
        put_int(result, row++, 1, items[i].run->epoch);
    }
    return result;
}

/* ---- other statements --------------------------------------------------- */

static PGresult *finish(const struct query *q)
{
    PGresult *result = result_new(1);
    struct fake_run *r = fake_db_find(str_of(q->params[0]));
    int64_t epoch = 0;
    str_to_int64(str_of(q->params[1]), &epoch);
    bool ours = r && r->epoch == epoch && !(r->is_build && r->ended);
    if (ours)
        r->finish_calls++;
    if (ours && !r->ended) {
        r->ended = true;
        r->ended_ms = clock_ms();
        r->closings++;
        snprintf(r->status, sizeof r->status, "%s", q->params[2]);
        buf_str(&r->content, str_of(q->params[3]));
        buf_str(&r->metadata, str_of(q->params[4]));
        if (q->n_params > 6)
            buf_str(&r->charts, str_of(q->params[6]));
        if (q->n_params > 7) /* the capsule */
            buf_str(&r->charts, str_of(q->params[7]));
        snprintf(r->phase, sizeof r->phase, "done");
    }
    put(result, 0, 0, ours ? "t" : "f");
    return result;
}

static PGresult *artifacts(const struct query *q)
{
    PGresult *result = result_new(4);
    const struct fake_run *r = fake_db_find(str_of(q->params[0]));
    for (size_t i = 0; i <= (r ? r->n_artifacts : 0); i++) {
        int row = (int)i;
        put(result, row, 0, i ? r->artifacts[i - 1].kind : "");
        put_str(result, row, 1,
                i ? buf_view(&r->artifacts[i - 1].body) : STR(""));
        put_int(result, row, 2, r ? r->last : 0);
        put_int(result, row, 3, r ? r->last_call : -1);
    }
    return result;
}

/* Records of tool calls, in order: there are fewer than ten of them. */
static PGresult *calls(const struct query *q)
{
    PGresult *result = result_new(1);
    const struct fake_run *r = fake_db_find(str_of(q->params[0]));
    int row = 0;
    for (char n = '0'; r && n <= '9'; n++) {
        char kind[] = {'c', 'a', 'l', 'l', 's', '_', n, '\0'};
        struct str body = fake_db_artifact(r, kind);
        if (body.len)
            put_str(result, row++, 0, body);
    }
    return result;
}

/* The rows that the test gave for the statement. */
static PGresult *given(const struct query *q)
{
    const struct fake_rows *g = fake_db.rows;
    while (g && g->statement && strcmp(g->statement, q->statement->name))
        g++;
    if (!g || !g->statement)
        return result_new(1);
    PGresult *result = result_new(g->n_columns);
    for (int i = 0; i < g->n_rows * g->n_columns; i++)
        put(result, i / g->n_columns, i % g->n_columns, g->cells[i]);
    return result;
}

/* ---- leases ------------------------------------------------------------- */

enum { CLOCK_MS = 1000000 }; /* the database's is ahead of ours */

static int64_t database_ms(void)
{
    return (int64_t)clock_ms() + CLOCK_MS;
}

/* Whether it may still take effect: a parameter contains the latest time. */
static bool in_time(const char *not_after)
{
    int64_t ms = 0;
    str_to_int64(str_of(not_after), &ms);
    return database_ms() <= ms;
}

static PGresult *renew(const struct query *q)
{
    PGresult *result = result_new(3);
    struct str ids = str_of(q->params[2]), id;
    bool renews = in_time(q->params[3]);
    int row = 0;
    while (renews && element(&ids, &id)) {
        struct fake_run *r = fake_db_find(id);
        if (!r || r->ended || !r->ours)
            continue;
        r->lease_until = clock_ms() + LEASE_MS;
        put(result, row, 0, r->id);
        put(result, row++, 1, r->cancel_requested ? "t" : "f");
    }
    put(result, row, 1, renews ? "t" : "f");
    put_int(result, row, 2, database_ms());
    return result;
}

/* Until the next lease ends; -1: none does. */
static int64_t next_end_ms(void)
{
    int64_t soonest = -1;
    for (size_t i = 0; i < fake_db.n_runs; i++) {
        const struct fake_run *r = &fake_db.runs[i];
        int64_t left = (int64_t)(r->lease_until - clock_ms());
        if (!r->ended && r->lease_until > clock_ms() &&
            (soonest < 0 || left < soonest))
            soonest = left;
    }
    return soonest;
}

static PGresult *take_over(const struct query *q)
{
    PGresult *result = result_new(8);
    int64_t most = 0, next = next_end_ms();
    int row = 0;
    if (in_time(q->params[3]))
        str_to_int64(str_of(q->params[2]), &most);
    put_int(result, 0, 6, database_ms());
    for (size_t i = 0; i < fake_db.n_runs && row < most; i++) {
        struct fake_run *r = &fake_db.runs[i];
        if (r->ended || r->lease_until > clock_ms())
            continue;
        fake_db_take(r, LEASE_MS);
        r->ours = true;
        put(result, row, 0, r->id);
        put_int(result, row, 1, r->epoch);
        put_int(result, row, 2, r->attempt);
        put_int(result, row, 3, r->releases);
        put_int(result, row, 4, (int64_t)(clock_ms() - r->started_ms));
        put_int(result, row, 5, next);
        put(result, row++, 7, r->is_build ? "t" : "f");
    }
    if (!row) {
        put(result, 0, 0, NULL);
        put_int(result, 0, 5, next);
    }
    return result;
}

/* Ends the leases of single runs. */
static PGresult *surrender(const struct query *q)
{
    struct str ids = str_of(q->params[1]), epochs = str_of(q->params[2]);
    struct str releases = str_of(q->params[3]), id;
    while (element(&ids, &id)) {
        struct fake_run *r = fake_db_find(id);
        int64_t epoch = element_int(&epochs), n = element_int(&releases);
        bool held = r && r->epoch == epoch && r->ours;
        if (!r || r->ended || (!held && r->epoch <= epoch))
            continue;
        if (r->releases + n <= r->attempt - !held)
            r->releases += (int)n;
        if (!held)
            continue;
        r->ours = false;
        if (r->lease_until > clock_ms())
            r->lease_until = clock_ms();
        fake_notify(STR("free"));
    }
    return result_new(1);
}

static PGresult *release(void)
{
    for (size_t i = 0; i < fake_db.n_runs; i++) {
        struct fake_run *r = &fake_db.runs[i];
        if (!r->ours || r->ended || r->lease_until <= clock_ms())
            continue;
        r->lease_until = clock_ms();
        r->releases++;
        fake_notify(STR("free"));
    }
    return result_new(1);
}

/* Ends a cancelled run, whatever process owns it. */
static PGresult *cut(const struct query *q)
{
    struct fake_run *r = fake_db_find(str_of(q->params[0]));
    PGresult *result = result_new(1);
    bool cuts = r && !r->ended && r->cancel_requested;
    if (cuts) {
        r->ended = true;
        r->closings++;
        r->epoch++;
        snprintf(r->status, sizeof r->status, "failed");
        buf_text(&r->metadata, "{\"error\":{\"code\":\"CANCELLED\"}}");
    }
    put(result, 0, 0, cuts ? "t" : "f");
    return result;
}

/* Delivers every payload of the array. */
static PGresult *say(const struct query *q)
{
    struct str payloads = str_of(q->params[0]), one;
    while (element(&payloads, &one)) {
        fake_db.notices++;
        fake_notify(one);
    }
    return result_new(1);
}

/* The test's rows, with the model's values of the run. */
static PGresult *load(const struct query *q)
{
    enum { EPOCH = 9, REVISION, PHASE, AFTER = 13, CANCEL, TOKENS = 25 };
    const struct fake_run *r = fake_db_find(str_of(q->params[0]));
    PGresult *result = given(q);
    if (r && PQntuples(result)) {
        put_int(result, 0, EPOCH, r->epoch);
        put_int(result, 0, REVISION, r->revision);
        put(result, 0, PHASE, r->phase);
        put_int(result, 0, AFTER, r->phase_after);
        put(result, 0, TOKENS, r->tokens);
        put(result, 0, CANCEL, r->cancel_requested ? "t" : "f");
    }
    return result;
}

/* No file set was deleted. */
static PGresult *none_swept(void)
{
    PGresult *result = result_new(1);
    put_int(result, 0, 0, 0);
    return result;
}

static PGresult *answer(const struct query *q)
{
    const char *name = q->statement->name;
    if (!strcmp(name, "journal.write") || !strcmp(name, "journal.write.again"))
        return journal_write(q);
    if (!strcmp(name, "runs.finish") || !strcmp(name, "runs.finish.drawn") ||
        !strcmp(name, "runs.finish.capsule") ||
        !strcmp(name, "runs.finish.build"))
        return finish(q);
    if (!strcmp(name, "runs.artifacts"))
        return artifacts(q);
    if (!strcmp(name, "runs.calls"))
        return calls(q);
    if (!strcmp(name, "runs.renew"))
        return renew(q);
    if (!strcmp(name, "runs.take_over"))
        return take_over(q);
    if (!strcmp(name, "runs.surrender"))
        return surrender(q);
    if (!strcmp(name, "runs.release"))
        return release();
    if (!strcmp(name, "runs.cut"))
        return cut(q);
    if (!strcmp(name, "notices.say"))
        return say(q);
    if (!strcmp(name, "runs.load"))
        return load(q);
    if (!strcmp(name, "file_sets.sweep"))
        return none_swept();
    return given(q);
}

/* ---- queries ------------------------------------------------------------ */

struct query_deed {
    struct deed deed;
    struct query *query;
};

static void query_effect(struct deed *d)
{
    struct query *q = ((struct query_deed *)d)->query;
    if (fake_db.on_query)
        fake_db.on_query(q);
    PQclear(q->result);
    q->result = answer(q);
    q->n_rows = PQntuples(q->result);
    q->affected = q->n_rows;
    fake_db.queries++;
}

static enum err query_failure(struct deed *d)
{
    static const enum err ways[] = {ERR_DATABASE_UNAVAILABLE, ERR_INTERNAL,
                                    ERR_TIMEOUT};
    struct query *q = ((struct query_deed *)d)->query;
    bool refused = fake_db.refuses && fake_db.refuses(q);
    PQclear(q->result);
    q->result = NULL;
    q->n_rows = 0;
    q->message = STR("the connection was lost");
    if (refused)
        return ERR_INTERNAL;
    return fake_db.fails_with != OK ? fake_db.fails_with : ways[world.at % 3];
}

static void query_cancel(struct op *op)
{
    struct query *q = (struct query *)op;
    deed_cancel((struct deed *)q->job.lane);
}

void query_begin(struct flow *f, struct query *q)
{
    assert(q->pool && q->statement && q->n_params <= QUERY_MAX_PARAMS);
    defer(f, query_done, q);
    struct query_deed *d = mem_new(struct query_deed);
    d->deed = (struct deed){.op = &q->op,
                            .kind = DEED_QUERY,
                            .name = q->statement->name,
                            .ms = fake_db.query_ms,
                            .effect = query_effect,
                            .failure = query_failure};
    d->query = q;
    q->job.lane = (struct lane *)d; /* only ours to read */
    begin(f, &q->op, "query", query_cancel);
    op_deadline(&q->op, q->deadline_ms ? q->deadline_ms : DEADLINE_MS);
    d->deed.fails = fake_db.refuses && fake_db.refuses(q);
    deed_begin(&d->deed);
}

void query_done(void *query)
{
    struct query *q = query;
    PQclear(q->result);
    q->result = NULL;
}

/* ---- pools -------------------------------------------------------------- */

struct pool {
    struct source source; /* first */
    char name[64];
};

struct pool *pool_open(const struct pool_options *options)
{
    struct pool *p = mem_new(struct pool);
    p->source.engine = &fake_pool_engine;
    snprintf(p->name, sizeof p->name, "%s", options->name);
    fake_db.pools++;
    return p;
}

void pool_close(struct pool **pool)
{
    mem_free(*pool);
    *pool = NULL;
    fake_db.pools--;
}

bool pool_is_up(const struct pool *pool)
{
    return pool != NULL;
}

unsigned pool_silence_ms(const struct pool *pool)
{
    (void)pool;
    return 0;
}

struct source *pool_source(struct pool *pool)
{
    return &pool->source;
}

const char *pool_problem(const struct pool *pool)
{
    (void)pool;
    return "";
}

struct pool_stats pool_stats(const struct pool *pool)
{
    (void)pool;
    return (struct pool_stats){.queries = fake_db.queries};
}
