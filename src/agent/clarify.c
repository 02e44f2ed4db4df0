/* clarify.c - keys, questions and answers; see clarify.h. */
#include "clarify.h"
#include "base/utf8.h"
#include "store/preferences.h"
#include "base/banned.h"

enum { KEY_BYTES = 80, ASKED_MOST = 10, REPLY_WORDS = 6 };

/* ---- keys --------------------------------------------------------------- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

static struct str snake_case(struct arena *a, struct str text)
{
    struct buf out;
    buf_init(&out, a);
    text = utf8_cut(text, KEY_BYTES);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        if (is_word(c))
            buf_char(&out, c);
        else if (out.len && i + 1 < text.len && out.ptr[out.len - 1] != '_')
            buf_char(&out, '_');
    }
    while (out.len && out.ptr[out.len - 1] == '_')
        out.len--;
    return buf_view(&out);
}

static bool is_taken(const struct plan *plan, size_t before, struct str key)
{
    for (size_t i = 0; i < before; i++)
        if (str_eq(plan->clarification_questions[i].key, key))
            return true;
    return str_is(key, CAPTURE_KEY); /* that key is a setting of ours */
}

static struct str unique_key(struct arena *a, const struct plan *plan, size_t i)
{
    const struct plan_clarification *q = &plan->clarification_questions[i];
    struct str stem = snake_case(a, q->key);
    if (!stem.len)
        stem = snake_case(a, q->question);
    if (!stem.len)
        stem = STR("clarification");
    struct str key = stem;
    for (int n = 2; is_taken(plan, i, key); n++)
        key = arena_printf(a, "%.*s_%d", STR_ARG(stem), n);
    return key;
}

void clarify_settle(struct arena *a, struct plan *plan)
{
    if (!plan->should_clarify || !plan->n_clarification_questions) {
        plan->should_clarify = false;
        plan->n_clarification_questions = 0;
    }
    for (size_t i = 0; i < plan->n_clarification_questions; i++)
        plan->clarification_questions[i].key = unique_key(a, plan, i);
}

/* ---- what was asked ----------------------------------------------------- */

size_t clarify_read(struct arena *a, const json_t *v,
                    struct plan_clarification **asked)
{
    struct artifact_problem problem;
    size_t n = 0;
    *asked = arena_new_array(a, struct plan_clarification, ASKED_MOST);
    for (size_t i = 0; i < json_array_size(v) && n < ASKED_MOST; i++)
        n += artifact_decode(a, &plan_clarification_type, json_array_get(v, i),
                             &(*asked)[n], &problem) &&
             (*asked)[n].key.len;
    return n;
}

/* ---- what was answered -------------------------------------------------- */

/* Splits a reply at its heading. False: it has none. */
static bool split_reply(struct str reply, struct str *question,
                        struct str *answers)
{
    static const struct str heading = {"\n\nClarifications:\n", 18};
    ptrdiff_t at = str_find(reply, heading);
    if (at < 0)
        return false;
    *question = str_trim(str_cut(reply, 0, (size_t)at));
    *answers = str_from(reply, (size_t)at + heading.len);
    return true;
}

/* Offset after "- question:" at the start of a line, or -1. */
static ptrdiff_t after_mark(struct arena *a, struct str text,
                            struct str question, ptrdiff_t *start)
{
    struct str mark = arena_printf(a, "- %.*s:", STR_ARG(str_trim(question)));
    size_t from = 0;
    for (ptrdiff_t at; (at = str_find(str_from(text, from), mark)) >= 0;) {
        from += (size_t)at;
        *start = (ptrdiff_t)from;
        if (from == 0 || text.ptr[from - 1] == '\n')
            return (ptrdiff_t)(from + mark.len);
        from++;
    }
    return -1;
}

/* Up to the next question that was asked. */
static struct str answer_to(struct arena *a, struct str answers,
                            const struct plan_clarification *asked, size_t n,
                            size_t which)
{
    ptrdiff_t start, at = after_mark(a, answers, asked[which].question, &start);
    if (at < 0)
        return STR("");
    struct str answer = str_from(answers, (size_t)at);
    for (size_t i = 0; i < n; i++)
        if (i != which && after_mark(a, answer, asked[i].question, &start) >= 0)
            answer = str_cut(answer, 0, (size_t)start);
    return str_trim(answer);
}

static bool is_short(struct str reply)
{
    size_t words = 1;
    for (size_t i = 0; i < reply.len; i++)
        words += reply.ptr[i] == ' ' || reply.ptr[i] == '\n';
    return reply.len && words <= REPLY_WORDS && !str_ends(reply, STR("?"));
}

struct str clarify_listed(struct arena *a,
                          const struct plan_clarification *asked,
                          size_t n_asked, struct str question, struct str reply)
{
    struct str of, answers;
    reply = str_trim(reply);
    if (n_asked != 1 || !question.len || !is_short(reply) ||
        split_reply(reply, &of, &answers) ||
        split_reply(question, &of, &answers))
        return reply;
    return arena_printf(a, "%.*s\n\nClarifications:\n- %.*s: %.*s",
                        STR_ARG(str_trim(question)),
                        STR_ARG(str_trim(asked[0].question)), STR_ARG(reply));
}

static const struct plan_answer *answer_in_plan(const struct plan *plan,
                                                struct str key)
{
    for (size_t i = 0; i < plan->n_answers; i++)
        if (str_eq(plan->answers[i].key, key))
            return &plan->answers[i];
    return NULL;
}

static struct learned learn_from_plan(const struct plan_clarification *q,
                                      const struct plan_answer *answer)
{
    struct learned l = {.key = q->key,
                        .question = q->question,
                        .value = str_trim(q->assumption)};
    if (!answer)
        l.value = STR("");
    else if (answer->by == ANSWER_GIVEN)
        l.value = str_trim(answer->value);
    l.given = answer && answer->by == ANSWER_GIVEN;
    return l;
}

size_t clarify_learn(struct arena *a, const struct plan_clarification *asked,
                     size_t n_asked, struct str reply, const struct plan *plan,
                     struct learned **out)
{
    struct str question, answers;
    bool listed = split_reply(reply, &question, &answers);
    size_t n = 0;
    *out = arena_new_array(a, struct learned, n_asked + 1);
    for (size_t i = 0; i < n_asked; i++) {
        struct learned l =
            learn_from_plan(&asked[i], answer_in_plan(plan, asked[i].key));
        if (listed) {
            l.value = answer_to(a, answers, asked, n_asked, i);
            l.given = !str_eq(l.value, str_trim(asked[i].assumption));
        }
        if (l.value.len && utf8_count(l.value) <= PREFERENCE_VALUE_MOST &&
            !str_is(l.key, CAPTURE_KEY))
            (*out)[n++] = l;
    }
    return n;
}
