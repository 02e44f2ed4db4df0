/* baseline.c - reads the JSON report of an earlier run and compares this run
 * with it. */
#include "baseline.h"
#include "base/utf8.h"
#include "eval.h"
#include "base/banned.h"

/* ---- reading ------------------------------------------------------------- */

/* Returns what is wrong with a question of the report, or NULL. */
static const char *read_past_case(struct arena *arena, const json_t *v,
                                  struct eval_past_case *past)
{
    struct str id = json_get_text(v, "id");
    struct str question = json_get_text(v, "question");
    struct str action = json_get_text(v, "action");
    const json_t *right = json_object_get(v, "right");
    const json_t *verified = json_object_get(v, "verified");
    if (!id.len)
        return "has no id";
    if (!question.len)
        return "has no text";
    if (!action.len || !json_is_boolean(right))
        return "has no result";
    if (!json_is_boolean(verified))
        return "does not say whether the answer was verified (is the report "
               "older than that field?)";
    past->id = arena_str(arena, id);
    past->question = arena_str(arena, question);
    past->right = json_is_true(right);
    past->confident = json_is_true(verified) && !past->right &&
                      str_is(action, eval_actions[ACT_ANSWER]);
    return NULL;
}

static bool read_past_cases(struct arena *arena, const json_t *list,
                            struct eval_baseline *b, struct buf *problem)
{
    size_t n = json_array_size(list);
    b->cases = arena_new_array(arena, struct eval_past_case, n + 1);
    map_init(&b->by_id, arena);
    for (size_t i = 0; i < n; i++) {
        struct eval_past_case *past = &b->cases[i];
        const char *fault =
            read_past_case(arena, json_array_get(list, i), past);
        if (!fault && map_get(&b->by_id, past->id))
            fault = "has the id of an earlier one";
        if (fault) {
            buf_printf(problem, "question %zu %s", i + 1, fault);
            return false;
        }
        map_put(&b->by_id, past->id, past);
    }
    b->n = n;
    return true;
}

static bool read_past_report(struct arena *arena, const json_t *root,
                             struct str set, struct eval_baseline *b,
                             struct buf *problem)
{
    const json_t *list = json_object_get(root, "questions");
    const json_t *name = json_object_get(root, "set");
    if (!json_is_string(name) || !json_is_array(list))
        buf_text(problem, "not a JSON report of `sextant eval`");
    else if (!str_eq(json_text(name), set))
        buf_printf(problem, "a report of the set \"%.*s\", not of \"%.*s\"",
                   STR_ARG(utf8_first(json_text(name), 80)),
                   STR_ARG(utf8_first(set, 80)));
    else if (!json_array_size(list))
        buf_text(problem, "there are no questions");
    else if (json_array_size(list) > EVAL_MOST_QUESTIONS)
        buf_printf(problem, "more than %d questions", EVAL_MOST_QUESTIONS);
    else
        return read_past_cases(arena, list, b, problem);
    return false;
}

bool eval_baseline_read(struct arena *arena, struct str text, struct str set,
                        struct eval_baseline *baseline, struct buf *problem)
{
    struct json_problem fault = {0};
    *baseline = (struct eval_baseline){0};
    json_t *root = json_read(text, &fault);
    if (!root) {
        buf_printf(problem, "not JSON: %s", fault.text);
        if (fault.line)
            buf_printf(problem, " (line %d)", fault.line);
        return false;
    }
    bool good = read_past_report(arena, root, set, baseline, problem);
    json_decref(root);
    return good;
}

/* ---- comparing ----------------------------------------------------------- */

/* Counts a compared question in its category. */
static void count_in_category(struct arena *arena, struct map *categories,
                              const struct eval_case *c, bool right_before)
{
    struct str category = c->question->category;
    if (!category.len)
        category = STR("no category");
    struct eval_category_change *change = map_get(categories, category);
    if (!change) {
        change = arena_new(arena, struct eval_category_change);
        change->category = category;
        map_put(categories, category, change);
    }
    change->before += right_before;
    change->now += c->right;
}

/* The question in the baseline; NULL if it is not there or has another text. */
static const struct eval_past_case *past_case(const struct eval_baseline *b,
                                              const struct eval_question *q)
{
    const struct eval_past_case *past = map_get(&b->by_id, q->id);
    return past && str_eq(past->question, q->question) ? past : NULL;
}

bool eval_comparable(const struct eval *e, const struct eval_baseline *baseline)
{
    for (size_t i = 0; i < e->n; i++)
        if (past_case(baseline, e->cases[i].question))
            return true;
    return false;
}

static void compare_case(struct arena *arena, const struct eval_case *c,
                         const struct eval_baseline *b, struct map *categories,
                         struct eval_changes *out)
{
    struct str id = c->question->id;
    const struct eval_past_case *past = past_case(b, c->question);
    if (eval_confident(c) && !(past && past->confident))
        out->confident[out->n_confident++] = id;
    if (!past) {
        out->added++;
        return;
    }
    out->compared++;
    if (c->right && !past->right)
        out->right[out->n_right++] = id;
    if (!c->right && past->right)
        out->wrong[out->n_wrong++] = id;
    count_in_category(arena, categories, c, past->right);
}

void eval_compare(struct arena *arena, const struct eval *e,
                  const struct eval_baseline *baseline,
                  struct eval_changes *changes)
{
    struct map categories;
    map_init(&categories, arena);
    *changes = (struct eval_changes){
        .right = arena_new_array(arena, struct str, e->n + 1),
        .wrong = arena_new_array(arena, struct str, e->n + 1),
        .confident = arena_new_array(arena, struct str, e->n + 1)};
    for (size_t i = 0; i < e->n; i++)
        compare_case(arena, &e->cases[i], baseline, &categories, changes);
    changes->missing = baseline->n - changes->compared;
    changes->fewer = arena_new_array(arena, struct eval_category_change,
                                     categories.count + 1);
    for (struct map_entry *at = NULL; (at = map_next(&categories, at));) {
        const struct eval_category_change *change = at->value;
        if (change->now < change->before)
            changes->fewer[changes->n_fewer++] = *change;
    }
    changes->worse = changes->n_fewer || changes->n_confident;
}

/* ---- telling ------------------------------------------------------------- */

static void put_id_line(struct buf *out, const char *name,
                        const struct str *ids, size_t n)
{
    if (!n)
        return;
    buf_printf(out, "  %-24s", name);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(ids[i]));
    buf_char(out, '\n');
}

void eval_changes_table(const struct eval_changes *c, struct buf *out)
{
    buf_printf(out, "\n%s the baseline (%zu questions compared",
               c->worse ? "Worse than" : "Not worse than", c->compared);
    if (c->added)
        buf_printf(out, ", %zu new or changed", c->added);
    if (c->missing)
        buf_printf(out, ", %zu not asked", c->missing);
    buf_text(out, ")\n");
    put_id_line(out, "now right", c->right, c->n_right);
    put_id_line(out, "now wrong", c->wrong, c->n_wrong);
    put_id_line(out, "now confident and wrong", c->confident, c->n_confident);
    for (size_t i = 0; i < c->n_fewer; i++)
        buf_printf(out, "  %-24s%.*s: %zu, before %zu\n", "fewer right",
                   STR_ARG(c->fewer[i].category), c->fewer[i].now,
                   c->fewer[i].before);
}

void eval_changes_json(const struct eval_changes *c, struct json_writer *w)
{
    json_put_object(w);
    json_field_bool(w, "worse", c->worse);
    json_field_int(w, "compared", (int64_t)c->compared);
    json_field_int(w, "newOrChanged", (int64_t)c->added);
    json_field_int(w, "notAsked", (int64_t)c->missing);
    json_field_strs(w, "nowRight", c->right, c->n_right);
    json_field_strs(w, "nowWrong", c->wrong, c->n_wrong);
    json_field_strs(w, "nowConfidentAndWrong", c->confident, c->n_confident);
    json_field_array(w, "fewerRight");
    for (size_t i = 0; i < c->n_fewer; i++) {
        json_put_object(w);
        json_field_str(w, "category", c->fewer[i].category);
        json_field_int(w, "before", (int64_t)c->fewer[i].before);
        json_field_int(w, "now", (int64_t)c->fewer[i].now);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_put_object_end(w);
}
