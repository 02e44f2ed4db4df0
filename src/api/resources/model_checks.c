/* model_checks.c - what the data says about a part of a model, before it is
 * saved: the value of a metric, and how the rows of a relationship match.
 *
 *   checked_text_read -> part_added -> check_source_opened -> check_read
 *
 * The part is added to the model in another process, as an edit that is not
 * kept. A query over it passes the guard, and runs read-only on the source with
 * limits of its own. Only those who may edit the model may ask. */
#include "agent/model_probe.h"
#include "db/read.h"
#include "ontology/columns.h"
#include "ontology/evidence.h"
#include "ontology/guardrail.h"
#include "../request.h"
#include "store/connections.h"
#include "store/semantic_models.h"
#include "tool/query_guard.h"
#include "base/banned.h"

enum {
    CHECKS_MOST = 2, /* at once, in a worker */
    CHECK_MS = 15000,
    CHECK_BYTES = 64 * 1024,
    CHECK_COLUMNS = 5,
};

static const char part_name[] = "sextant_part_to_check";

struct check_work {
    struct semantic_model_text text;
    struct model_probe probe;
    struct source_open source;
    struct arena memory;
    struct ontology *model;
    bool relationship;
    struct str sql;
    struct guard_verdict verdict;
    struct query_findings findings;
    struct read *read;
};

static unsigned checks_running;

static struct next checked_text_read(struct flow *f),
    part_added(struct flow *f), check_source_opened(struct flow *f),
    check_read(struct flow *f);

static void check_work_done(void *what)
{
    struct check_work *x = what;
    arena_done(&x->memory);
}

static struct check_work *check_of(struct flow *f)
{
    return REQUEST(f)->state;
}

static void leave_check(void *what)
{
    (void)what;
    checks_running--;
}

/* ---- answers -------------------------------------------------------------- */

/* Not an error of the request: the sentence is what the check found. */
static struct next reply_problem(struct flow *f, struct str problem)
{
    struct request *q = REQUEST(f);
    const struct check_work *x = q->state;
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_str(&r.w, "problem", problem);
    if (x->sql.len)
        json_field_str(&r.w, "sql", x->sql);
    reply_send_object(q, &r, 200);
    return back(f);
}

static void put_warnings(struct json_writer *w, const struct check_work *x)
{
    json_field_array(w, "warnings");
    for (size_t i = 0; i < x->findings.n; i++)
        json_put_str(w, x->findings.items[i].message);
    json_put_array_end(w);
}

/* ---- the request ---------------------------------------------------------- */

/* The part as an edit of the model: {"text", "edits": [{"op": "add", …}]}. */
static void make_request(struct flow *f, struct check_work *x)
{
    json_t *values = json_copy(REQUEST(f)->body);
    json_object_set_new(values, "name", json_string(part_name));
    json_t *request = json_pack(
        "{s:s%, s:[{s:s, s:s, s:o}]}", "text", x->text.text.ptr,
        x->text.text.len, "edits", "op", "add", "kind",
        x->relationship ? "relationship" : "metric", "values", values);
    defer(f, json_drop, request);
    x->probe.text = json_print(&x->memory, request);
}

/* What is wrong with the part itself is an answer, not an error. */
static void judge_fields(struct request *q, bool relationship)
{
    enum { EXPRESSION_MOST = 8000, NAME_MOST = 255 };
    static const char *const columns[] = {"fromColumns", "toColumns"};
    struct str text;
    if (!relationship) {
        request_text(q, "expression", 1, EXPRESSION_MOST, &text);
        return;
    }
    request_text(q, "from", 1, NAME_MOST, &text);
    request_text(q, "to", 1, NAME_MOST, &text);
    for (size_t i = 0; i < 2; i++)
        if (!json_is_array(json_object_get(q->body, columns[i])))
            request_invalid(q, columns[i], "must be a list of texts");
}

static struct next check_begin(struct flow *f, bool relationship)
{
    struct request *q = REQUEST(f);
    struct check_work *x = keep(f, struct check_work);
    x->relationship = relationship;
    x->text.store = x->source.store = request_store(q);
    x->text.user_id = q->user.id;
    x->text.all = request_may(q, MAY_ADMIN);
    x->probe.program = q->api->options.program;
    x->probe.edit = true;
    x->probe.memory = &x->memory;
    arena_init(&x->memory, 0);
    defer_kept(f, check_work_done, x);
    q->state = x;
    if (!request_body(q) || !request_uuid(q, "id", &x->text.model_id))
        return back(f);
    judge_fields(q, relationship);
    if (request_refused(q))
        return back(f);
    return call(f, semantic_model_text_begin, &x->text, checked_text_read);
}

struct next model_metric_preview(struct flow *f)
{
    return check_begin(f, false);
}

struct next model_relationship_evidence(struct flow *f)
{
    return check_begin(f, true);
}

static struct next checked_text_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct check_work *x = q->state;
    if (!request_for_owner(q, true, x->text.owner_id,
                           "Semantic model not found"))
        return back(f);
    if (checks_running == CHECKS_MOST)
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other checks are in progress. Try again later.");
    checks_running++;
    defer_kept(f, leave_check, x);
    make_request(f, x);
    return call(f, model_probe_begin, &x->probe, part_added);
}

/* ---- the query ------------------------------------------------------------ */

static struct str first_error(const struct check_work *x)
{
    size_t i;
    const json_t *finding;
    struct str problem = json_get_text(x->probe.answer, "problem");
    json_array_foreach(json_object_get(x->probe.answer, "findings"), i, finding)
    {
        if (!problem.len && str_is(json_get_text(finding, "severity"), "error"))
            problem = json_get_text(finding, "message");
    }
    return problem;
}

static const struct metric *part_metric(const struct ontology *o)
{
    for (size_t i = 0; i < o->n_metrics; i++)
        if (str_is(o->metrics[i].name, part_name))
            return &o->metrics[i];
    return NULL;
}

static const struct relationship *part_relationship(const struct ontology *o)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (str_is(o->relationships[i].name, part_name))
            return &o->relationships[i];
    return NULL;
}

/* Sets the text of the query; otherwise *problem says why there is none. */
static void make_query(struct check_work *x, struct str *problem)
{
    const struct ontology *o = x->model;
    const struct metric *m = x->relationship ? NULL : part_metric(o);
    const struct relationship *r =
        x->relationship ? part_relationship(o) : NULL;
    *problem = STR("It names something that the model hides.");
    if (m)
        x->sql = metric_value_sql(&x->memory, o, m, problem);
    if (!r)
        return;
    *problem = STR("");
    x->sql = relationship_evidence_sql(&x->memory, o, r);
}

static struct next part_added(struct flow *f)
{
    struct check_work *x = check_of(f);
    struct str problem;
    if (x->probe.busy)
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other models are being read. Try again later.");
    if (!x->probe.model)
        return reply_problem(f, first_error(x));
    x->model = x->probe.model;
    make_query(x, &problem);
    if (problem.len)
        return reply_problem(f, problem);
    x->source.connection_id = x->text.connection_id;
    x->source.database = x->text.database;
    return call(f, source_open_begin, &x->source, check_source_opened);
}

static bool passes_guard(struct check_work *x)
{
    struct str_list relations = ontology_relations(&x->memory, x->model);
    const struct guard_policy policy = {
        .relations = relations.items,
        .n_relations = relations.n,
        .search_schema = ontology_search_schema(x->model),
        .trino = source_dialect(x->source.opened) == DIALECT_TRINO};
    enum source_dialect dialect =
        x->model->hides ? DIALECT_POSTGRES : source_dialect(x->source.opened);
    query_guard(&x->memory, &policy, dialect, x->sql, &x->verdict);
    return x->verdict.ok;
}

static struct next check_source_opened(struct flow *f)
{
    struct check_work *x = check_of(f);
    struct query_outline outline;
    if (!passes_guard(x))
        return reply_problem(f, x->verdict.reason);
    if (!x->relationship)
        query_analyze(&x->memory, x->model, x->sql, &x->findings, &outline);
    x->read = here(f, struct read);
    x->read->options = (struct read_options){.source = x->source.opened,
                                             .sql = x->verdict.text,
                                             .calls = x->verdict.calls,
                                             .max_rows = 1,
                                             .max_bytes = CHECK_BYTES,
                                             .timeout_ms = CHECK_MS,
                                             .user_id = x->text.user_id};
    read_begin(f, x->read);
    op_tolerate(&x->read->op);
    return await(f, check_read);
}

/* ---- what the data says --------------------------------------------------- */

static struct str read_problem(const struct check_work *x)
{
    const struct read *r = x->read;
    enum err how = r->op.status;
    if (how == ERR_TIMEOUT)
        return STR("The query took longer than 15 s and was stopped.");
    if (how == ERR_SQL_FAILED || how == ERR_SQL_REFUSED)
        return r->message;
    return str_of(err_sentence(how));
}

static struct next reply_value(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct check_work *x = q->state;
    const struct read *r = x->read;
    struct api_reply reply;
    if (r->more_rows)
        return reply_problem(f,
                             STR("The expression gives a value for each row. "
                                 "A metric needs an aggregate, such as sum "
                                 "or count."));
    reply_open_object(q, &reply);
    json_put_key(&reply.w, "value");
    if (r->n_rows && r->cells[0].ptr)
        json_put_str(&reply.w, r->cells[0]);
    else
        json_put_null(&reply.w);
    json_field_str(&reply.w, "type", r->columns[0].type);
    json_field_int(&reply.w, "elapsedMs", r->elapsed_ms);
    json_field_str(&reply.w, "sql", x->sql);
    put_warnings(&reply.w, x);
    reply_send_object(q, &reply, 200);
    return back(f);
}

static struct next reply_evidence(struct flow *f)
{
    static const char *const names[CHECK_COLUMNS] = {
        "rowsRead", "rowsWithKey", "rowsMatched", "oneRows", "oneKeys"};
    struct request *q = REQUEST(f);
    const struct check_work *x = q->state;
    const struct read *r = x->read;
    int64_t counts[CHECK_COLUMNS] = {0};
    struct api_reply reply;
    reply_open_object(q, &reply);
    for (int i = 0; i < CHECK_COLUMNS && r->n_rows; i++) {
        if (!str_to_int64(r->cells[i], &counts[i]))
            return fail(f, ERR_INTERNAL);
        json_field_int(&reply.w, names[i], counts[i]);
    }
    json_field_bool(&reply.w, "sampled", counts[0] == EVIDENCE_ROWS);
    json_field_bool(&reply.w, "oneSideUnique", counts[3] == counts[4]);
    json_field_int(&reply.w, "elapsedMs", r->elapsed_ms);
    json_field_str(&reply.w, "sql", x->sql);
    reply_send_object(q, &reply, 200);
    return back(f);
}

static struct next check_read(struct flow *f)
{
    struct check_work *x = check_of(f);
    if (x->read->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (x->read->op.status != OK)
        return reply_problem(f, read_problem(x));
    read_rows(x->read, &x->memory);
    return x->relationship ? reply_evidence(f) : reply_value(f);
}
