/* claims.c - one flow that claims for all:
 *
 *   claims_begin -> somebody_asks -> batch_begin -> batch_answered
 *                                        \ batch_failed
 *
 * What one claim is refused for may cost no other claim anything: those of a
 * batch that failed are made again, one by one. */
#include "store/claims.h"
#include "store/runs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "db/query.h"
#include "loop/wait.h"
#include "base/banned.h"

enum { BATCH = 100, LULL_MS = 250 };

struct claims {
    struct pool *system;
    struct run_claim *first, **last; /* wait, in order */
    struct run_claim *batch[BATCH];  /* under way; NULL: stopped meanwhile */
    int n;
    struct store *store; /* of the batch */
    struct claims_lull *making_way;
    struct query *query;
    struct wake wake;
    struct wait wait;
    bool closing;
};

static const struct statement claim_statement = {
    .name = "runs.claim",
    .urgent = true, /* somebody waits for a first sign; the rest takes longer */
    /* The last row of the answer is the clock. */
    .sql = "select claim_runs($1::uuid[], $2::uuid[], $3::uuid[], $4::bool[],"
           "   $5, $6::int, $7::int, $8::bigint), null"
           "   where " SQL_NOW_MS " <= $9::bigint"
           " union all select null, " SQL_NOW_MS,
};

static struct next claims_begin(struct flow *f), somebody_asks(struct flow *f),
    batch_begin(struct flow *f), batch_answered(struct flow *f),
    batch_over(struct flow *f), batch_failed(struct flow *f),
    claim_answered(struct flow *f);

/* ---- the one who asks --------------------------------------------------- */

static void join(struct claims *q, struct run_claim *c)
{
    c->next = NULL;
    *q->last = c;
    q->last = &c->next;
}

static void leave(struct claims *q, struct run_claim *c)
{
    for (int i = 0; i < q->n; i++)
        if (q->batch[i] == c) {
            q->batch[i] = NULL;
            return;
        }
    struct run_claim **at = &q->first;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    if (!*at)
        q->last = at;
}

static void claim_cancel(struct op *op)
{
    struct run_claim *c = (struct run_claim *)op; /* op is first */
    leave(c->store->claims, c);
    op_answer(op, ERR_CANCELLED);
}

struct next run_claim_begin(struct flow *f)
{
    struct run_claim *c = locals(f, struct run_claim);
    struct claims *q = c->store->claims;
    c->op = (struct op){0};
    c->alone = false;
    begin(f, &c->op, "claim", claim_cancel);
    join(q, c);
    wake_up(&q->wake);
    return await(f, claim_answered);
}

static struct next claim_answered(struct flow *f)
{
    return back(f);
}

/* ---- the one who makes way ---------------------------------------------- */

static void lull_cancel(struct op *op)
{
    struct claims_lull *l = (struct claims_lull *)op; /* op is first */
    struct claims_lull **at = &l->claims->making_way;
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    op_answer(op, ERR_CANCELLED);
}

void claims_lull_begin(struct flow *f, struct claims_lull *l, struct store *s)
{
    struct claims *q = s->claims;
    *l = (struct claims_lull){.claims = q};
    begin(f, &l->op, "claims of others", lull_cancel);
    if (!q->first) {
        op_answer(&l->op, OK);
        return;
    }
    op_tolerate(&l->op);
    op_deadline(&l->op, LULL_MS);
    l->next = q->making_way;
    q->making_way = l;
}

static void tell_lull(struct claims *q)
{
    while (q->making_way) {
        struct claims_lull *l = q->making_way;
        q->making_way = l->next;
        op_answer(&l->op, OK);
    }
}

/* ---- the batch ---------------------------------------------------------- */

static struct next claims_begin(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (q->first)
        return go(f, somebody_asks);
    tell_lull(q);
    if (q->closing)
        return back(f);
    wait_begin(f, &q->wait, &q->wake, 0);
    return await(f, somebody_asks);
}

static struct next somebody_asks(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (!q->first)
        return go(f, claims_begin);
    return attempt(f, batch_begin, q, batch_over, batch_failed);
}

/* Those that go by the same limits. */
static void gather(struct claims *q)
{
    const struct run_claim *head = q->first;
    q->n = 0;
    while (q->first && q->n < BATCH) {
        struct run_claim *c = q->first;
        if (c != head && (head->alone || c->alone || c->limit != head->limit ||
                          c->tokens_per_day != head->tokens_per_day))
            return;
        q->first = c->next;
        if (!q->first)
            q->last = &q->first;
        q->batch[q->n++] = c;
    }
}

static void put_array(struct flow *f, const struct claims *q,
                      struct str (*of)(const struct run_claim *c))
{
    struct buf array;
    buf_init(&array, flow_here(f));
    for (int i = 0; i < q->n; i++) {
        buf_char(&array, i ? ',' : '{');
        buf_str(&array, of(q->batch[i]));
    }
    buf_char(&array, '}');
    query_text(q->query, buf_cstr(&array));
}

static struct str message_of(const struct run_claim *c)
{
    return c->message_id;
}

static struct str chat_of(const struct run_claim *c)
{
    return c->chat_id;
}

static struct str user_of(const struct run_claim *c)
{
    return c->user_id;
}

static struct str full_of(const struct run_claim *c)
{
    return c->full ? STR("t") : STR("f");
}

static struct next batch_begin(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    gather(q);
    if (!q->n)
        return back(f); /* they were stopped */
    const struct run_claim *head = q->batch[0];
    q->store = head->store;
    q->query = query_new(f, q->system, &claim_statement);
    put_array(f, q, message_of);
    put_array(f, q, chat_of);
    put_array(f, q, user_of);
    put_array(f, q, full_of);
    query_text(q->query, head->store->owner);
    query_int(f, q->query, head->limit);
    query_int(f, q->query, head->store->lease_ms);
    query_int(f, q->query, head->tokens_per_day);
    query_int(f, q->query, lease_not_after(head->store));
    query_begin(f, q->query);
    return await(f, batch_answered);
}

static enum claim_outcome outcome_of(struct str word)
{
    return str_is(word, "claimed")   ? CLAIMED
           : str_is(word, "missing") ? CLAIM_MISSING
           : str_is(word, "busy")    ? CLAIM_BUSY
           : str_is(word, "spent")   ? CLAIM_SPENT
           : str_is(word, "full")    ? CLAIM_FULL
                                     : CLAIM_TAKEN;
}

/* The row without an outcome. False: the database came to the claims too late
 * and has made none of them. */
static bool hear_clock(const struct claims *q)
{
    int last = q->query->n_rows - 1;
    if (last < 0 || !query_is_null(q->query, last, 0))
        return true;
    lease_hear_clock(q->store, query_cell_int(q->query, last, 1));
    return last > 0;
}

static struct next batch_answered(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (!hear_clock(q))
        return fail(f, ERR_DATABASE_UNAVAILABLE);
    for (int i = 0; i < q->n; i++) {
        struct run_claim *c = q->batch[i];
        if (!c)
            continue;
        c->outcome = i < q->query->n_rows
                         ? outcome_of(query_cell(q->query, i, 0))
                         : CLAIM_TAKEN;
        op_answer(&c->op, OK);
    }
    q->n = 0;
    return back(f);
}

static struct next batch_over(struct flow *f)
{
    return go(f, claims_begin);
}

static void settle(struct claims *q, enum err why)
{
    bool again = q->n > 1 && (why == ERR_INTERNAL || why == ERR_CONFLICT);
    for (int i = 0; i < q->n; i++) {
        struct run_claim *c = q->batch[i];
        if (!c)
            continue;
        c->alone = again;
        if (again)
            join(q, c);
        else
            op_answer(&c->op, why);
    }
    q->n = 0;
}

static struct next batch_failed(struct flow *f)
{
    settle(locals(f, struct claims), failure(f));
    return go(f, claims_begin);
}

/* ---- its life ----------------------------------------------------------- */

static void start(struct claims *q);

static void claims_ended(struct flow *f, enum err how, void *who)
{
    struct claims *q = who;
    (void)f;
    if (how == OK) {
        mem_free(q);
        return;
    }
    settle(q, how); /* its memory ran out: another one goes on */
    start(q);
}

static void start(struct claims *q)
{
    flow_start(claims_begin, q,
               &(struct flow_options){
                   .kind = "claims", .on_end = claims_ended, .who = q});
}

struct claims *claims_open(struct pool *system)
{
    struct claims *q = mem_new(struct claims);
    q->system = system;
    q->last = &q->first;
    start(q);
    return q;
}

void claims_close(struct claims **at)
{
    struct claims *q = *at;
    *at = NULL;
    if (!q)
        return;
    q->closing = true;
    wake_up(&q->wake);
}
