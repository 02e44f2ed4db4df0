/* claims.c - one flow makes the claims of all requests, in batches:
 *
 *   claims_begin -> claim_waiting -> claims_batch_begin -> claims_answered
 *                                 \ claims_batch_failed
 *
 * A claim that the database rejects must not fail others: when a batch fails,
 * its claims are made again one by one. */
#include "store/claims.h"
#include "store/runs.h"
#include "base/buf.h"
#include "base/mem.h"
#include "db/query.h"
#include "loop/wait.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn claims_begin, claim_waiting, claims_batch_begin, claims_answered,
    claims_batch_done, claims_batch_failed, run_claim_answered;

enum { BATCH = 100, YIELD_MS = 250 };

struct claims {
    struct pool *system;
    struct run_claim *first, **last; /* the queue */
    struct run_claim *batch[BATCH];  /* in progress; NULL: cancelled */
    int n;                           /* of the batch */
    struct store *store;             /* of the batch */
    struct claims_yield *yields;
    struct query *query;
    struct wake wake;
    struct wait wait;
    bool closing;
};

#define CLAIM_ROW(FIRST, X) \
    FIRST(text, outcome, \
          "claim_runs($1::uuid[], $2::uuid[], $3::uuid[], $4::bool[]," \
          " $5, $6::int, $7::int, $8::bigint, $10::bigint)") \
    X(int64, clock_ms, "null")
#define CLAIM_COLUMNS ROW_SQL(CLAIM_ROW)
ROW_STRUCT(claim_row, CLAIM_ROW);

/* One outcome for each claim, and a last row with the database's clock. */
static const struct statement claim_statement = {
    .name = "runs.claim",
    .urgent =
        true, /* users wait for a first event; what follows takes longer */
    .sql = "select " CLAIM_COLUMNS " where " SQL_NOW_MS " <= $9::bigint"
           " union all select null, " SQL_NOW_MS,
};

/* ---- a request --------------------------------------------------- */

static void claims_append(struct claims *q, struct run_claim *c)
{
    c->next = NULL;
    *q->last = c;
    q->last = &c->next;
}

static void claims_remove(struct claims *q, struct run_claim *c)
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
    claims_remove(c->store->claims, c);
    op_complete(op, ERR_CANCELLED);
}

struct next run_claim_begin(struct flow *f)
{
    struct run_claim *c = locals(f, struct run_claim);
    struct claims *q = c->store->claims;
    c->op = (struct op){0};
    c->alone = false;
    begin(f, &c->op, "claim", claim_cancel);
    claims_append(q, c);
    wake_up(&q->wake);
    return await(f, run_claim_answered);
}

static struct next run_claim_answered(struct flow *f)
{
    return back(f);
}

/* ---- a yield ---------------------------------------------- */

static void yield_cancel(struct op *op)
{
    struct claims_yield *l = (struct claims_yield *)op; /* op is first */
    struct claims_yield **at = &l->claims->yields;
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    op_complete(op, ERR_CANCELLED);
}

void claims_yield_begin(struct flow *f, struct claims_yield *l, struct store *s)
{
    struct claims *q = s->claims;
    *l = (struct claims_yield){.claims = q};
    begin(f, &l->op, "claims of others", yield_cancel);
    if (!q->first) {
        op_complete(&l->op, OK);
        return;
    }
    op_tolerate(&l->op);
    op_deadline(&l->op, YIELD_MS);
    l->next = q->yields;
    q->yields = l;
}

static void claims_answer_yields(struct claims *q)
{
    while (q->yields) {
        struct claims_yield *l = q->yields;
        q->yields = l->next;
        op_complete(&l->op, OK);
    }
}

/* ---- the batch ---------------------------------------------------------- */

static struct next claims_begin(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (q->first)
        return go(f, claim_waiting);
    claims_answer_yields(q);
    if (q->closing)
        return back(f);
    wait_begin(f, &q->wait, &q->wake, 0);
    return await(f, claim_waiting);
}

static struct next claim_waiting(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (!q->first)
        return go(f, claims_begin);
    return attempt(f, claims_batch_begin, q, claims_batch_done,
                   claims_batch_failed);
}

/* Takes claims from the queue while they have the same limits. */
static void claims_gather(struct claims *q)
{
    const struct run_claim *head = q->first;
    q->n = 0;
    while (q->first && q->n < BATCH) {
        struct run_claim *c = q->first;
        if (c != head && (head->alone || c->alone || c->limit != head->limit ||
                          c->tokens_per_day != head->tokens_per_day ||
                          c->cost_per_day != head->cost_per_day))
            return;
        q->first = c->next;
        if (!q->first)
            q->last = &q->first;
        q->batch[q->n++] = c;
    }
}

static void claims_put_array(struct flow *f, const struct claims *q,
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

static struct str claim_message(const struct run_claim *c)
{
    return c->message_id;
}

static struct str claim_chat(const struct run_claim *c)
{
    return c->chat_id;
}

static struct str claim_user(const struct run_claim *c)
{
    return c->user_id;
}

static struct str claim_full(const struct run_claim *c)
{
    return c->full ? STR("t") : STR("f");
}

static struct next claims_batch_begin(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    claims_gather(q);
    if (!q->n)
        return back(f); /* all were cancelled */
    const struct run_claim *head = q->batch[0];
    q->store = head->store;
    q->query = query_new(f, q->system, &claim_statement);
    claims_put_array(f, q, claim_message);
    claims_put_array(f, q, claim_chat);
    claims_put_array(f, q, claim_user);
    claims_put_array(f, q, claim_full);
    query_text(q->query, head->store->owner);
    query_int(f, q->query, head->limit);
    query_int(f, q->query, head->store->lease_ms);
    query_int(f, q->query, head->tokens_per_day);
    query_int(f, q->query, lease_not_after(head->store));
    query_int(f, q->query, head->cost_per_day);
    query_begin(f, q->query);
    return await(f, claims_answered);
}

static enum claim_outcome claim_outcome_of(struct str word)
{
    return str_is(word, "claimed")   ? CLAIMED
           : str_is(word, "missing") ? CLAIM_MISSING
           : str_is(word, "busy")    ? CLAIM_BUSY
           : str_is(word, "spent")   ? CLAIM_SPENT
           : str_is(word, "costly")  ? CLAIM_COSTLY
           : str_is(word, "full")    ? CLAIM_FULL
                                     : CLAIM_TAKEN;
}

/* Reads the clock from the last row. False: the database executed the statement
 * too late and made no claim. */
static bool claims_read_clock(const struct claims *q)
{
    int last = q->query->n_rows - 1;
    struct claim_row row;
    if (last < 0 || (row = claim_row_at(q->query, last)).outcome.ptr)
        return true;
    lease_note_clock(q->store, row.clock_ms);
    return last > 0;
}

static struct next claims_answered(struct flow *f)
{
    struct claims *q = locals(f, struct claims);
    if (!claims_read_clock(q))
        return fail(f, ERR_DATABASE_UNAVAILABLE);
    for (int i = 0; i < q->n; i++) {
        struct run_claim *c = q->batch[i];
        if (!c)
            continue;
        c->outcome = i < q->query->n_rows
                         ? claim_outcome_of(claim_row_at(q->query, i).outcome)
                         : CLAIM_TAKEN;
        op_complete(&c->op, OK);
    }
    q->n = 0;
    return back(f);
}

static struct next claims_batch_done(struct flow *f)
{
    return go(f, claims_begin);
}

static void claims_settle(struct claims *q, enum err why)
{
    bool again = q->n > 1 && (why == ERR_INTERNAL || why == ERR_CONFLICT);
    for (int i = 0; i < q->n; i++) {
        struct run_claim *c = q->batch[i];
        if (!c)
            continue;
        c->alone = again;
        if (again)
            claims_append(q, c);
        else
            op_complete(&c->op, why);
    }
    q->n = 0;
}

static struct next claims_batch_failed(struct flow *f)
{
    claims_settle(locals(f, struct claims), failure(f));
    return go(f, claims_begin);
}

/* ---- open and close
 * ----------------------------------------------------------- */

static void claims_start(struct claims *q);

static void claims_ended(struct flow *f, enum err how, void *who)
{
    struct claims *q = who;
    (void)f;
    if (how == OK) {
        mem_free(q);
        return;
    }
    claims_settle(q, how); /* it ran out of memory: another flow continues */
    claims_start(q);
}

static void claims_start(struct claims *q)
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
    claims_start(q);
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
