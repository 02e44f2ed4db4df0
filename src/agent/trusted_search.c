/* trusted_search.c - finds the trusted answer to a question, and similar ones;
 * see trusted_search.h.
 *
 *   trusted_search_begin -> match_begin -> match_over -> match_known
 *                               \ match_failed -> match_known
 *   trusted_examples_begin -> pool_begin -> pool_over -> compare_due -> back
 *                                 \ pool_failed */
#include "trusted_search.h"
#include "agent/agent.h"
#include "agent/results.h"
#include "agent/trusted.h"
#include "base/clock.h"
#include "base/log.h"
#include "ontology/similarity.h"
#include "today.h"
#include "base/banned.h"

enum { EXAMPLES = 3, SLICE_MS = 10 };
static const float similar_enough = 0.25f;

static struct next match_begin(struct flow *f), match_over(struct flow *f),
    match_failed(struct flow *f), match_known(struct flow *f),
    pool_begin(struct flow *f), pool_over(struct flow *f),
    pool_failed(struct flow *f), compare_due(struct flow *f),
    compared(struct flow *f);

/* ---- the same question ---------------------------------------------------- */

/* A reply to a clarifying question, or a question that continues another one,
 * does not say all that it means. */
static bool stands_for_itself(const struct run *r,
                              const struct question_key *key)
{
    return !r->load.clarified && key->wording.len &&
           !(r->load.turns.n && question_refers_back(key));
}

struct next trusted_search_begin(struct flow *f)
{
    struct trusted_search *x = locals(f, struct trusted_search);
    struct run *r = x->run;
    x->usable = false;
    question_key_make(&r->scratch, r->load.question, &x->key);
    if (agent_settings(r->agent)->without_trusted ||
        !stands_for_itself(r, &x->key))
        return back(f);
    x->match = (struct trusted_match){.store = agent_store(r->agent),
                                      .ontology_id = r->load.ontology_id,
                                      .wording = x->key.wording,
                                      .values = x->key.values,
                                      .memory = &r->arena};
    return attempt(f, match_begin, x, match_known, match_failed);
}

static struct next match_begin(struct flow *f)
{
    struct trusted_search *x = locals(f, struct trusted_search);
    return call(f, trusted_match_begin, &x->match, match_over);
}

static struct next match_over(struct flow *f)
{
    return back(f);
}

/* The question is answered as if there were no trusted answer. */
static struct next match_failed(struct flow *f)
{
    struct trusted_search *x = locals(f, struct trusted_search);
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    log_event(LOG_WARN, "trusted answers cannot be read",
              (struct log_field[]){{"run", str_of(x->run->message_id)},
                                   {"cause", str_of(err_name(failure(f)))},
                                   {NULL, {0}}});
    x->match.found = false;
    return go(f, match_known);
}

/* Its fixed dates are those that the question means today. */
static bool is_of_today(struct flow *f, const struct trusted_search *x)
{
    struct str period =
        question_period(flow_here(f), &x->key, x->match.sql, run_today(x->run));
    return !x->match.period.len || str_eq(x->match.period, period);
}

/* The model may have changed since the answer was checked, so it is judged at
 * each use. */
static struct next match_known(struct flow *f)
{
    struct trusted_search *x = locals(f, struct trusted_search);
    const struct trusted_match *m = &x->match;
    x->usable = m->found && is_of_today(f, x) &&
                !trusted_source_problem(flow_here(f), x->run->ontology,
                                        x->run->tools.source, m->sql)
                     .len;
    return back(f);
}

struct trusted_mark *trusted_search_mark(const struct trusted_search *x)
{
    struct trusted_mark *mark = arena_new(&x->run->arena, struct trusted_mark);
    *mark = (struct trusted_mark){
        .id = x->match.id, .by = x->match.by, .at = x->match.at};
    trusted_mark_record(x->run, mark);
    return mark;
}

void trusted_mark_record(struct run *r, const struct trusted_mark *mark)
{
    static const struct trusted_mark none = {.id = {"", 0}};
    run_record_artifact(r, "trusted", &trusted_mark_type, mark ? mark : &none,
                        false);
}

/* ---- similar questions ---------------------------------------------------- */

static void comparison_done(void *memory)
{
    arena_done(memory);
}

struct next trusted_examples_begin(struct flow *f)
{
    struct trusted_comparison *x = locals(f, struct trusted_comparison);
    struct run *r = x->run;
    x->examples = STR("");
    if (agent_settings(r->agent)->without_trusted)
        return back(f);
    flow_arena_init(&x->memory, 0);
    defer(f, comparison_done, &x->memory);
    x->pool = (struct trusted_pool){.store = agent_store(r->agent),
                                    .ontology_id = r->load.ontology_id,
                                    .memory = &x->memory};
    return attempt(f, pool_begin, x, compare_due, pool_failed);
}

static struct next pool_begin(struct flow *f)
{
    struct trusted_comparison *x = locals(f, struct trusted_comparison);
    return call(f, trusted_pool_begin, &x->pool, pool_over);
}

static struct next pool_over(struct flow *f)
{
    struct trusted_comparison *x = locals(f, struct trusted_comparison);
    if (x->pool.n)
        lexical_embed(x->run->load.question, x->wanted);
    x->since_ms = clock_ms();
    return back(f);
}

/* The prompt has no examples then. */
static struct next pool_failed(struct flow *f)
{
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    return back(f);
}

/* Where only some rows are shared, constants in a query may be more than its
 * reader may see. */
static bool may_be_shown(const struct run *r, const struct trusted_example *e)
{
    return str_find(e->sql, STR("```")) < 0 &&
           (r->tools.share_rows == SHARE_ALL ||
            (str_find_char(e->sql, '\'') < 0 &&
             str_find_char(e->sql, '$') < 0)); /* $$text$$ */
}

/* Keeps the best, sorted. */
static void offer(struct trusted_comparison *x, const struct trusted_example *e,
                  float score)
{
    size_t at =
        x->n_best < TRUSTED_CANDIDATES ? x->n_best++ : TRUSTED_CANDIDATES;
    for (; at > 0 && x->best[at - 1].score < score; at--)
        if (at < TRUSTED_CANDIDATES)
            x->best[at] = x->best[at - 1];
    if (at < TRUSTED_CANDIDATES)
        x->best[at] = (struct trusted_similar){e, score};
}

static struct next compare_due(struct flow *f)
{
    struct trusted_comparison *x = locals(f, struct trusted_comparison);
    float vector[LEXICAL_DIMENSIONS];
    while (x->at < x->pool.n) {
        const struct trusted_example *e = &x->pool.items[x->at++];
        lexical_embed(e->question, vector);
        float score = cosine(x->wanted, vector, LEXICAL_DIMENSIONS);
        if (score >= similar_enough && may_be_shown(x->run, e))
            offer(x, e, score);
        if (clock_ms() - x->since_ms < SLICE_MS)
            continue;
        pause_begin(f, &x->pause, 1);
        x->since_ms = clock_ms() + 1;
        return await(f, compare_due);
    }
    return go(f, compared);
}

static void put_line(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_char(out, (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i]);
}

static struct next compared(struct flow *f)
{
    struct trusted_comparison *x = locals(f, struct trusted_comparison);
    struct run *r = x->run;
    struct buf out;
    size_t shown = 0;
    buf_init(&out, x->out);
    for (size_t i = 0; i < x->n_best && shown < EXAMPLES; i++) {
        const struct trusted_example *e = x->best[i].example;
        if (trusted_source_problem(flow_here(f), r->ontology, r->tools.source,
                                   e->sql)
                .len)
            continue;
        buf_text(&out, shown++ ? "\nQuestion: " : "Question: ");
        put_line(&out, e->question);
        buf_printf(&out, "\n```sql\n%.*s\n```\n", STR_ARG(str_trim(e->sql)));
    }
    x->examples = buf_view(&out);
    return back(f);
}
