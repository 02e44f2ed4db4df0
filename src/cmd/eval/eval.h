/* eval.h - `sextant eval`: sends a set of questions through the whole pipeline
 * and compares the results with the expected ones.
 *
 *   eval   one run of a set
 *   case   one question of it: asked and judged
 *   gold   a model that answers with the set's own queries, so that Sextant
 *          itself is judged and not a model */
#pragma once
#include "../asking.h"
#include "../cli.h"
#include "baseline.h"
#include "difference.h"
#include "base/prices.h"
#include "rows.h"
#include "set.h"

struct eval_case {
    struct eval *eval;
    const struct eval_question *question;
    /* The result; texts are in the eval's arena */
    bool over, right;
    enum eval_action action;
    struct str why;    /* why it is wrong, or in what way it is right */
    struct str sql;    /* of all its steps */
    struct str answer; /* its first characters */
    struct str message_id;
    int64_t revisions, prompt_tokens, cached_tokens, completion_tokens;
    int64_t duration_ms;
    bool verified;
    bool estimated; /* the tokens: the provider did not report them all */
    /* Of a wrong answer with data, as far as they were read: its result, that
     * of the first gold query, and how they differ */
    struct eval_sample found, wanted;
    struct str difference;
};

struct eval {
    struct cli cli;
    struct cli_user user;
    struct eval_set set;
    struct eval_case *cases; /* in the order of the set */
    size_t n, next, n_over, n_right, n_confident;
    struct str provider; /* empty: the server's default */
    struct cli_ontology ontology;
    bool gold;
    int64_t parallel;
    int64_t duration_ms;
    struct token_price price;
    struct eval_baseline *baseline; /* NULL: no comparison is wanted */
    struct eval_changes changes;    /* against the baseline, once all is over */
    /* private to eval.c */
    const char *report;
    double threshold;
    bool json, live;
    struct eval_lane *lanes;
    uint64_t started;
};

/* Subflow (locals: the case): asks and judges. Failures are recorded in the
 * case; it never fails itself. */
struct next eval_case_begin(struct flow *f);

/* Registers the provider "gold", which answers with the set's own queries and
 * refuses, asks back or chats where the set expects that. */
void eval_play_gold(const struct eval *e);

/* ---- report -------------------------------------------------------------- */

struct eval_totals {
    size_t questions, right;
    size_t answerable, answered_right, answered_wrong;
    size_t refusals_right, refusals_wrong, refusals_missed;
    size_t clarified_right, clarified_wrong, clarified_missed;
    size_t verified, verified_wrong; /* answers with the badge "Verified" */
    size_t failed;
    int64_t revisions, prompt_tokens, cached_tokens, completion_tokens;
    size_t estimated;           /* questions whose tokens are estimated */
    int64_t median_ms, slow_ms; /* 50th and 95th percentile */
};
/* Counts the cases of one category, or of all (empty). */
void eval_count(struct arena *arena, const struct eval *e, struct str category,
                struct eval_totals *totals);
/* The categories, in the order of the set. */
struct str_list eval_categories(struct arena *arena, const struct eval *e);
/* Whether an answer is wrong and carries the badge "Verified". */
bool eval_confident(const struct eval_case *c);
/* The share of right answers, 0 to 100. */
double eval_percent(const struct eval_totals *totals);

/* The report as a text table, as JSON, as an HTML page. Appended. */
void eval_table(struct arena *arena, const struct eval *e, struct buf *out);
void eval_json(struct arena *arena, const struct eval *e, struct buf *out);
void eval_html(struct arena *arena, const struct eval *e, struct buf *out);

/* What these tokens cost at that price; 0 when it is not known. */
static inline double eval_cost(const struct token_price *price, int64_t prompt,
                               int64_t cached, int64_t completion)
{
    return amount_real(price_amount(price, prompt, cached, completion));
}
