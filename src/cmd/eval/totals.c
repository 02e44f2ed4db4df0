/* totals.c - sums up the cases of a set. */
#include "base/map.h"
#include "eval.h"
#include <stdlib.h>
#include "base/banned.h"

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

bool eval_confident(const struct eval_case *c)
{
    return c->action == ACT_ANSWER && c->verified && !c->right;
}

static void count_action(const struct eval_case *c, struct eval_totals *t)
{
    enum eval_action wanted = c->question->expect;
    bool answerable = wanted == ACT_ANSWER;
    t->answerable += answerable;
    t->answered_right += answerable && c->right;
    t->answered_wrong += c->action == ACT_ANSWER && !c->right;
    t->verified += c->action == ACT_ANSWER && c->verified;
    t->verified_wrong += eval_confident(c);
    t->refusals_right += wanted == ACT_REFUSE && c->right;
    t->refusals_missed += wanted == ACT_REFUSE && !c->right;
    t->refusals_wrong += wanted != ACT_REFUSE && c->action == ACT_REFUSE;
    t->clarified_right += wanted == ACT_CLARIFY && c->right;
    t->clarified_missed += wanted == ACT_CLARIFY && !c->right;
    t->clarified_wrong += wanted != ACT_CLARIFY && c->action == ACT_CLARIFY;
    t->failed += c->action == ACT_FAIL;
}

void eval_count(struct arena *arena, const struct eval *e, struct str category,
                struct eval_totals *t)
{
    int64_t *times = arena_new_array(arena, int64_t, e->n + 1);
    *t = (struct eval_totals){0};
    for (size_t i = 0; i < e->n; i++) {
        const struct eval_case *c = &e->cases[i];
        if (category.len && !str_eq(category, c->question->category))
            continue;
        times[t->questions++] = c->duration_ms;
        t->right += c->right;
        t->revisions += c->revisions;
        t->prompt_tokens += c->prompt_tokens;
        t->cached_tokens += c->cached_tokens;
        t->completion_tokens += c->completion_tokens;
        t->estimated += c->estimated;
        count_action(c, t);
    }
    qsort(times, t->questions, sizeof *times, by_value);
    if (t->questions) {
        t->median_ms = times[(t->questions - 1) / 2];
        t->slow_ms = times[(t->questions - 1) * 95 / 100];
    }
}

struct str_list eval_categories(struct arena *arena, const struct eval *e)
{
    struct str_list list = {.items =
                                arena_new_array(arena, struct str, e->n + 1)};
    struct map seen;
    map_init(&seen, arena);
    for (size_t i = 0; i < e->n; i++) {
        struct str category = e->cases[i].question->category;
        if (!category.len || map_get(&seen, category))
            continue;
        map_put(&seen, category, &seen);
        list.items[list.n++] = category;
    }
    return list;
}

double eval_percent(const struct eval_totals *t)
{
    return t->questions ? 100.0 * (double)t->right / (double)t->questions : 0;
}
