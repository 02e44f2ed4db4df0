/* trusted.c - judges the queries of trusted answers before they are added, and
 * judges them again when their model has changed.
 *
 *   trusted_add_begin -> add_engine_known
 *     -> candidate_due -> judge_candidate
 *                            | ^_______________/
 *                            v
 *                        candidates_judged -> (put) -> candidates_stored
 *   trusted_version_begin -> version_engine_known
 *     -> batch_read -> judge_due -> batch_stored
 *            ^_________________________/
 *   trusted_recheck_begin -> ontology_due -> version_begin -> version_held
 *                                ^______________ version_checked _/       */
#include "agent/trusted.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "tool/query_guard.h"
#include "ontology/guardrail.h"
#include "ontology/question_key.h"
#include "base/banned.h"

enum { SLICE_MS = 10, PROBLEM_CHARACTERS = 1000 };

static struct next add_engine_known(struct flow *f),
    version_engine_known(struct flow *f), candidate_due(struct flow *f),
    judge_candidate(struct flow *f), candidates_judged(struct flow *f),
    candidates_stored(struct flow *f), batch_read(struct flow *f),
    judge_due(struct flow *f), batch_stored(struct flow *f),
    ontology_due(struct flow *f), version_begin(struct flow *f),
    version_held(struct flow *f), version_checked(struct flow *f),
    ontology_skipped(struct flow *f);

static const struct str
    question_rule = STR("must be 1 to 2000 characters without control "
                        "characters"),
    sql_rule = STR("must be 1 to 30000 characters without control characters"),
    undated = STR("says when only by words such as \"last month\", and its "
                  "query has fixed dates: give `asked`, the day of the "
                  "question, or take the dates from current_date");

static void batch_memory_done(void *memory)
{
    arena_done(memory);
}

struct str trusted_problem(struct arena *arena, struct cached_ontology *held,
                           bool trino, struct str catalog, struct str sql)
{
    return query_problem(arena, held, trino ? DIALECT_TRINO : DIALECT_POSTGRES,
                         catalog, sql);
}

struct str trusted_source_problem(struct arena *arena,
                                  struct cached_ontology *held,
                                  const struct source *source, struct str sql)
{
    bool trino = source && source_dialect(source) == DIALECT_TRINO;
    return trusted_problem(arena, held, trino,
                           trino ? source->catalog : STR(""), sql);
}

struct str query_problem(struct arena *arena, struct cached_ontology *held,
                         enum source_dialect dialect, struct str catalog,
                         struct str sql)
{
    struct guard_policy policy = query_policy(held, NULL);
    policy.trino = dialect == DIALECT_TRINO;
    policy.catalog = policy.trino ? catalog : STR("");
    struct guard_verdict verdict;
    struct query_findings findings;
    struct query_outline outline;
    bool passed = query_guard(arena, &policy, dialect, sql, &verdict);
    if (!verdict.ok)
        return utf8_first(verdict.reason, PROBLEM_CHARACTERS);
    if (!passed)
        return STR(""); /* only the engine can read it */
    analysis_cache_get(&held->judged, arena, held->model, verdict.text,
                       &findings, &outline);
    if (!findings.read)
        return STR("The query cannot be judged by the semantic model.");
    for (size_t i = 0; i < findings.n; i++)
        if (findings.items[i].grave ||
            findings.items[i].kind == FINDING_UNKNOWN_TABLE ||
            findings.items[i].kind == FINDING_UNKNOWN_COLUMN)
            return utf8_first(findings.items[i].message, PROBLEM_CHARACTERS);
    return STR("");
}

/* ---- adding --------------------------------------------------------------- */

/* Characters that a file of questions cannot hold, or that hide something. */
static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        const unsigned char *c = (const unsigned char *)s.ptr + i;
        size_t left = s.len - i;
        bool control = (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f;
        bool later = left > 1 && *c == 0xc2 && c[1] < 0xa0;
        bool breaks = left > 2 && *c == 0xe2 && c[1] == 0x80 &&
                      (c[2] == 0xa8 || c[2] == 0xa9);
        bool marks =
            left > 2 && *c == 0xef &&
            ((c[1] == 0xbb && c[2] == 0xbf) || (c[1] == 0xbf && c[2] >= 0xbe));
        if (control || later || breaks || marks)
            return false;
    }
    return utf8_valid(s);
}

static struct next refuse_candidate(struct flow *f, struct trusted_candidate *c,
                                    const char *field, struct str why)
{
    struct trusted_add *t = locals(f, struct trusted_add);
    c->problem = arena_str(t->memory, why);
    c->field = field;
    t->n_refused++;
    return go(f, candidate_due);
}

/* Without the line breaks of Windows, which mean nothing. */
static struct str without_returns(struct arena *arena, struct str s)
{
    struct buf out;
    buf_init(&out, arena);
    buf_reserve(&out, s.len + 1);
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '\r' || i + 1 == s.len || s.ptr[i + 1] != '\n')
            buf_char(&out, s.ptr[i]);
    return utf8_trim(buf_view(&out));
}

static void put_candidate(struct trusted_add *t,
                          const struct trusted_candidate *c,
                          const struct question_key *key, struct str period)
{
    struct json_writer *w = &t->out;
    json_put_object(w);
    json_field_str(w, "question", c->question);
    json_field_str(w, "wording", key->wording);
    json_field_str(w, "bound_values", key->values);
    json_field_str(w, "period", period);
    json_field_str(w, "sql", c->sql);
    if (c->message_id.len) {
        json_field_str(w, "message_id", c->message_id);
        json_field_int(w, "step_id", c->step_id);
    }
    json_field_int(w, "checked_version", t->held->version);
    json_put_object_end(w);
}

struct next trusted_add_begin(struct flow *f)
{
    struct trusted_add *t = locals(f, struct trusted_add);
    flow_arena_init(&t->judging, 0);
    defer(f, batch_memory_done, &t->judging);
    map_init(&t->seen, t->memory);
    buf_init(&t->text, t->memory);
    json_writer_init(&t->out, &t->text);
    json_put_array(&t->out);
    t->engine = (struct trusted_engine){.store = t->store,
                                        .ontology_id = str_of(t->held->id)};
    return call(f, trusted_engine_begin, &t->engine, add_engine_known);
}

static struct next add_engine_known(struct flow *f)
{
    locals(f, struct trusted_add)->since_ms = clock_ms();
    return go(f, candidate_due);
}

static struct next candidate_due(struct flow *f)
{
    struct trusted_add *t = locals(f, struct trusted_add);
    arena_done(&t->judging);
    if (t->at == t->n)
        return go(f, candidates_judged);
    if (clock_ms() - t->since_ms < SLICE_MS)
        return go(f, judge_candidate);
    pause_begin(f, &t->pause, 1);
    t->since_ms = clock_ms() + 1;
    return await(f, judge_candidate);
}

static struct next judge_candidate(struct flow *f)
{
    struct trusted_add *t = locals(f, struct trusted_add);
    struct trusted_candidate *c = &t->items[t->at++];
    struct question_key key;
    c->question = utf8_trim(c->question);
    c->sql = without_returns(t->memory, c->sql);
    if (!c->question.len || !is_plain(c->question) ||
        utf8_count(c->question) > TRUSTED_QUESTION_MOST)
        return refuse_candidate(f, c, "question", question_rule);
    if (!c->sql.len || !is_plain(c->sql) ||
        utf8_count(c->sql) > TRUSTED_SQL_MOST)
        return refuse_candidate(f, c, "sql", sql_rule);
    question_key_make(t->memory, c->question, &key);
    struct str both = arena_printf(t->memory, "%.*s\n%.*s",
                                   STR_ARG(key.wording), STR_ARG(key.values));
    if (map_get(&t->seen, both))
        return refuse_candidate(f, c, "question",
                                STR("is the same question as an earlier one"));
    struct str problem = trusted_problem(
        &t->judging, t->held, t->engine.of_trino, t->engine.catalog, c->sql);
    if (problem.len)
        return refuse_candidate(f, c, "sql", problem);
    struct str period =
        question_period(t->memory, &key, c->sql, c->day < 0 ? 0 : c->day);
    if (period.len && c->day < 0)
        return refuse_candidate(f, c, "question", undated);
    map_put(&t->seen, both, c);
    put_candidate(t, c, &key, period);
    return go(f, candidate_due);
}

static struct next candidates_judged(struct flow *f)
{
    struct trusted_add *t = locals(f, struct trusted_add);
    json_put_array_end(&t->out);
    t->put = (struct trusted_put){.store = t->store,
                                  .ontology_id = str_of(t->held->id),
                                  .user_id = t->user_id,
                                  .request_id = t->request_id,
                                  .items = buf_finish(&t->text),
                                  .found = true,
                                  .room = true};
    if (t->n_refused == t->n)
        return back(f);
    return call(f, trusted_put_begin, &t->put, candidates_stored);
}

static struct next candidates_stored(struct flow *f)
{
    return back(f);
}

/* ---- one ontology --------------------------------------------------------- */

static struct next read_batch(struct flow *f)
{
    struct trusted_version *t = locals(f, struct trusted_version);
    arena_done(&t->memory);
    t->due = (struct trusted_due){.store = t->store,
                                  .ontology_id = str_of(t->held->id),
                                  .version = t->held->version,
                                  .memory = &t->memory};
    return call(f, trusted_due_begin, &t->due, batch_read);
}

struct next trusted_version_begin(struct flow *f)
{
    struct trusted_version *t = locals(f, struct trusted_version);
    flow_arena_init(&t->memory, 0);
    flow_arena_init(&t->judging, 0);
    defer(f, batch_memory_done, &t->memory);
    defer(f, batch_memory_done, &t->judging);
    t->engine = (struct trusted_engine){.store = t->store,
                                        .ontology_id = str_of(t->held->id)};
    return call(f, trusted_engine_begin, &t->engine, version_engine_known);
}

static struct next version_engine_known(struct flow *f)
{
    return read_batch(f);
}

static struct next batch_read(struct flow *f)
{
    struct trusted_version *t = locals(f, struct trusted_version);
    if (!t->due.n)
        return back(f);
    t->at = 0;
    t->since_ms = clock_ms();
    buf_init(&t->found, &t->memory);
    json_writer_init(&t->out, &t->found);
    json_put_array(&t->out);
    return go(f, judge_due);
}

static void put_judged(struct trusted_version *t,
                       const struct trusted_unchecked *one)
{
    struct str problem = trusted_problem(
        &t->judging, t->held, t->engine.of_trino, t->engine.catalog, one->sql);
    json_put_object(&t->out);
    json_field_str(&t->out, "id", one->id);
    if (problem.len)
        json_field_str(&t->out, "problem", problem);
    json_put_object_end(&t->out);
    arena_done(&t->judging);
}

/* A long query takes the guard some milliseconds. */
static struct next judge_due(struct flow *f)
{
    struct trusted_version *t = locals(f, struct trusted_version);
    while (t->at < t->due.n) {
        put_judged(t, &t->due.items[t->at++]);
        if (clock_ms() - t->since_ms < SLICE_MS)
            continue;
        pause_begin(f, &t->pause, 1);
        t->since_ms = clock_ms() + 1;
        return await(f, judge_due);
    }
    json_put_array_end(&t->out);
    t->checked = (struct trusted_checked){.store = t->store,
                                          .version = t->held->version,
                                          .items = buf_view(&t->found)};
    return call(f, trusted_checked_begin, &t->checked, batch_stored);
}

/* A batch that was full may have left some. */
static struct next batch_stored(struct flow *f)
{
    struct trusted_version *t = locals(f, struct trusted_version);
    return t->due.n == TRUSTED_BATCH ? read_batch(f) : back(f);
}

/* ---- all ontologies ------------------------------------------------------- */

struct next trusted_recheck_begin(struct flow *f)
{
    struct trusted_recheck *t = locals(f, struct trusted_recheck);
    t->which = (struct trusted_stale_ontologies){.store = t->store,
                                                 .user_id = t->user_id,
                                                 .ontology_id = t->ontology_id,
                                                 .all = t->all};
    return call(f, trusted_stale_ontologies_begin, &t->which, ontology_due);
}

static struct next ontology_due(struct flow *f)
{
    struct trusted_recheck *t = locals(f, struct trusted_recheck);
    if (t->at == t->which.n)
        return back(f);
    t->hold = (struct ontology_acquire){.store = t->store,
                                        .id = t->which.ids[t->at],
                                        .version = t->which.versions[t->at]};
    t->at++;
    return attempt(f, version_begin, t, ontology_due, ontology_skipped);
}

static struct next version_begin(struct flow *f)
{
    struct trusted_recheck *t = locals(f, struct trusted_recheck);
    return call(f, ontology_acquire_begin, &t->hold, version_held);
}

static struct next version_held(struct flow *f)
{
    struct trusted_recheck *t = locals(f, struct trusted_recheck);
    t->version =
        (struct trusted_version){.store = t->store, .held = t->hold.held};
    return call(f, trusted_version_begin, &t->version, version_checked);
}

static struct next version_checked(struct flow *f)
{
    return back(f);
}

/* Removed meanwhile, or its model cannot be read. */
static struct next ontology_skipped(struct flow *f)
{
    if (failure(f) != ERR_NOT_FOUND && failure(f) != ERR_NO_DATASETS)
        return fail_with(f, failure(f), failure_text(f));
    return go(f, ontology_due);
}
