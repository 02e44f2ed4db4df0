/* report.c - the report as a table for people and as JSON. */
#include "base/utf8.h"
#include "eval.h"
#include "base/banned.h"

/* ---- a table ------------------------------------------------------------- */

static void table_line(struct buf *out, struct str name,
                       const struct eval_totals *t)
{
    size_t wide = utf8_count(name);
    buf_str(out, name);
    buf_printf(out, "%*s %5zu %6zu %8.1f %% %9zu %8.1f s %8.1f s %9lld\n",
               wide < 24 ? (int)(24 - wide) : 0, "", t->questions, t->right,
               eval_percent(t), t->verified_wrong, (double)t->median_ms / 1000,
               (double)t->slow_ms / 1000,
               (long long)(t->prompt_tokens + t->completion_tokens));
}

static void table_tokens(const struct eval *e, const struct eval_totals *t,
                         struct buf *out)
{
    int64_t n = t->questions ? (int64_t)t->questions : 1;
    buf_printf(out, "tokens     %lld prompt, %lld completion;  %lld a question",
               (long long)t->prompt_tokens, (long long)t->completion_tokens,
               (long long)((t->prompt_tokens + t->completion_tokens) / n));
    if (t->estimated)
        buf_printf(out, ";  estimated for %zu question%s", t->estimated,
                   t->estimated == 1 ? "" : "s");
    buf_char(out, '\n');
    if (!e->price.known)
        return;
    double cost = eval_cost(&e->price, t->prompt_tokens, t->cached_tokens,
                            t->completion_tokens);
    buf_printf(out, "cost       %.4f;  %.6f a question\n", cost,
               cost / (double)n);
}

void eval_table(struct arena *arena, const struct eval *e, struct buf *out)
{
    struct eval_totals t;
    struct str_list categories = eval_categories(arena, e);
    buf_printf(out, "%-24s %5s %6s %10s %9s %10s %10s %9s\n", "", "asked",
               "right", "accuracy", "confident", "median", "95 %", "tokens");
    for (size_t i = 0; i < categories.n; i++) {
        eval_count(arena, e, categories.items[i], &t);
        table_line(out, utf8_first(categories.items[i], 24), &t);
    }
    eval_count(arena, e, STR(""), &t);
    table_line(out, STR("all"), &t);
    buf_printf(out,
               "\nanswers    %zu of %zu right, %zu wrong\n"
               "refusals   %zu of %zu right, %zu where an answer was expected\n"
               "questions  %zu of %zu right, %zu where none was expected\n"
               "verified   %zu, of which %zu wrong: confident and wrong\n"
               "failed     %zu;  revisions %lld;  %.1f s in all\n",
               t.answered_right, t.answerable, t.answered_wrong,
               t.refusals_right, t.refusals_right + t.refusals_missed,
               t.refusals_wrong, t.clarified_right,
               t.clarified_right + t.clarified_missed, t.clarified_wrong,
               t.verified, t.verified_wrong, t.failed, (long long)t.revisions,
               (double)e->duration_ms / 1000);
    table_tokens(e, &t, out);
    if (e->baseline)
        eval_changes_table(&e->changes, out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void put_json_count(struct json_writer *w, const char *key, size_t n)
{
    json_field_int(w, key, (int64_t)n);
}

/* The cost of these tokens; nothing when prices are not known. */
static void put_json_cost(struct json_writer *w,
                          const struct token_price *price,
                          int64_t prompt_tokens, int64_t cached_tokens,
                          int64_t completion_tokens)
{
    if (!price->known)
        return;
    json_put_key(w, "cost");
    json_put_real(
        w, eval_cost(price, prompt_tokens, cached_tokens, completion_tokens));
}

static void put_json_totals(struct json_writer *w,
                            const struct token_price *price,
                            const struct eval_totals *t)
{
    put_json_count(w, "questions", t->questions);
    put_json_count(w, "right", t->right);
    json_field_real(w, "accuracy", eval_percent(t) / 100);
    put_json_count(w, "answerable", t->answerable);
    put_json_count(w, "answeredRight", t->answered_right);
    put_json_count(w, "answeredWrong", t->answered_wrong);
    put_json_count(w, "refusalsRight", t->refusals_right);
    put_json_count(w, "refusalsWrong", t->refusals_wrong);
    put_json_count(w, "refusalsMissed", t->refusals_missed);
    put_json_count(w, "clarificationsRight", t->clarified_right);
    put_json_count(w, "clarificationsWrong", t->clarified_wrong);
    put_json_count(w, "clarificationsMissed", t->clarified_missed);
    put_json_count(w, "verified", t->verified);
    put_json_count(w, "verifiedWrong", t->verified_wrong);
    put_json_count(w, "failed", t->failed);
    json_field_int(w, "revisions", t->revisions);
    json_field_int(w, "promptTokens", t->prompt_tokens);
    json_field_int(w, "completionTokens", t->completion_tokens);
    put_json_count(w, "tokensEstimated", t->estimated);
    put_json_cost(w, price, t->prompt_tokens, t->cached_tokens,
                  t->completion_tokens);
    json_field_int(w, "medianMs", t->median_ms);
    json_field_int(w, "p95Ms", t->slow_ms);
}

static void put_json_case(struct json_writer *w, const struct eval_case *c)
{
    const struct eval_question *q = c->question;
    json_put_object(w);
    json_field_str(w, "id", q->id);
    json_field_str(w, "question", q->question);
    json_field_str(w, "category", q->category);
    json_field_text(w, "expected", eval_actions[q->expect]);
    json_field_text(w, "action", eval_actions[c->action]);
    json_field_bool(w, "right", c->right);
    json_field_str(w, "why", c->why);
    if (!c->right && c->difference.len)
        json_field_str(w, "difference", c->difference);
    json_field_bool(w, "verified", c->verified);
    json_field_str(w, "sql", c->sql);
    json_field_strs(w, "gold", q->sql, q->n_sql);
    json_field_str(w, "answer", c->answer);
    json_field_int(w, "revisions", c->revisions);
    json_field_int(w, "promptTokens", c->prompt_tokens);
    json_field_int(w, "completionTokens", c->completion_tokens);
    json_field_bool(w, "tokensEstimated", c->estimated);
    put_json_cost(w, &c->eval->price, c->prompt_tokens, c->cached_tokens,
                  c->completion_tokens);
    json_field_int(w, "durationMs", c->duration_ms);
    json_field_str(w, "messageId", c->message_id);
    json_put_object_end(w);
}

static void put_json_categories(struct arena *arena, struct json_writer *w,
                                const struct eval *e)
{
    struct str_list categories = eval_categories(arena, e);
    json_field_array(w, "categories");
    for (size_t i = 0; i < categories.n; i++) {
        struct eval_totals t;
        eval_count(arena, e, categories.items[i], &t);
        json_put_object(w);
        json_field_str(w, "category", categories.items[i]);
        put_json_totals(w, &e->price, &t);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

void eval_json(struct arena *arena, const struct eval *e, struct buf *out)
{
    struct json_writer w;
    struct eval_totals t;
    eval_count(arena, e, STR(""), &t);
    json_writer_init(&w, out);
    json_put_object(&w);
    json_field_str(&w, "set", e->set.name);
    json_field_str(&w, "ontology", e->ontology.name);
    json_field_str(&w, "provider", e->provider);
    json_field_int(&w, "durationMs", e->duration_ms);
    json_field_object(&w, "totals");
    put_json_totals(&w, &e->price, &t);
    json_put_object_end(&w);
    put_json_categories(arena, &w, e);
    if (e->baseline) {
        json_put_key(&w, "baseline");
        eval_changes_json(&e->changes, &w);
    }
    json_field_array(&w, "questions");
    for (size_t i = 0; i < e->n; i++)
        put_json_case(&w, &e->cases[i]);
    json_put_array_end(&w);
    json_put_object_end(&w);
    buf_char(out, '\n');
}
