/* set.c - what a question of a set must be, in either format. */
#include "base/clock.h"
#include "base/map.h"
#include "base/utf8.h"
#include "set_reading.h"
#include <stdio.h>
#include "base/banned.h"

enum { MOST_QUERIES = 20, MOST_QUESTION = 10000 };

const char *const eval_actions[] = {"answer",         "refuse", "clarify",
                                    "conversational", "fail",   NULL};

void set_problem(struct buf *problems, int line, const char *format, ...)
{
    va_list args;
    buf_printf(problems, "%d: ", line);
    va_start(args, format);
    buf_vprintf(problems, format, args);
    va_end(args);
    buf_char(problems, '\n');
}

static void add_sql(struct arena *arena, struct eval_question *q,
                    struct str sql, struct buf *problems)
{
    if (!q->sql)
        q->sql = arena_new_array(arena, struct str, MOST_QUERIES);
    if (q->n_sql == MOST_QUERIES)
        set_problem(problems, q->line, "more than %d queries", MOST_QUERIES);
    else
        q->sql[q->n_sql++] = sql;
}

static void set_expectation(struct eval_question *q, struct str word,
                            struct buf *problems)
{
    for (int i = ACT_ANSWER; i < ACT_FAIL; i++)
        if (str_is(word, eval_actions[i])) {
            q->expect = (enum eval_action)i;
            return;
        }
    set_problem(
        problems, q->line,
        "expect must be refuse, clarify or conversational, not \"%.*s\"",
        STR_ARG(word));
}

static void set_ordered(struct eval_question *q, struct str word,
                        struct buf *problems)
{
    q->ordered = str_is(word, "true");
    if (!q->ordered && !str_is(word, "false"))
        set_problem(problems, q->line, "ordered must be true or false");
}

static void set_asked(struct eval_question *q, struct str day,
                      struct buf *problems)
{
    char text[CLOCK_RFC3339_SIZE];
    int64_t ms;
    int n = snprintf(text, sizeof text, "%.*sT00:00:00Z",
                     day.len == 10 ? 10 : 0, day.ptr);
    q->asked = day;
    if (!clock_parse_rfc3339((struct str){text, (size_t)n}, &ms))
        set_problem(problems, q->line,
                    "asked must be a day such as 2025-11-03");
}

bool set_member(struct arena *arena, struct eval_question *q, struct str name,
                struct str value, struct buf *problems)
{
    static const char *const known[] = {
        "id",   "question", "category", "why",   "sql",
        "also", "expect",   "ordered",  "asked", NULL};
    struct str *const texts[] = {&q->id, &q->question, &q->category, &q->why};
    size_t at = 0;
    while (known[at] && !str_is(name, known[at]))
        at++;
    value = arena_str(arena, str_trim(value));
    if (!known[at] || !value.len)
        return known[at] != NULL;
    if (at < 4)
        *texts[at] = value;
    else if (at < 6)
        add_sql(arena, q, value, problems);
    else if (at == 6)
        set_expectation(q, value, problems);
    else if (at == 7)
        set_ordered(q, value, problems);
    else
        set_asked(q, value, problems);
    return true;
}

static void check_set_question(const struct eval_question *q,
                               struct buf *problems)
{
    if (!q->id.len)
        set_problem(problems, q->line, "the question has no id");
    if (!q->question.len)
        set_problem(problems, q->line, "the question has no text");
    else if (utf8_count(q->question) > MOST_QUESTION)
        set_problem(problems, q->line,
                    "a question may have at most %d characters", MOST_QUESTION);
    if (q->expect == ACT_ANSWER && !q->n_sql && !q->golden)
        set_problem(problems, q->line, "sql or expect is required");
    if (q->expect != ACT_ANSWER && q->n_sql)
        set_problem(problems, q->line, "sql cannot be combined with expect: %s",
                    eval_actions[q->expect]);
}

static void check_once(struct map *seen, struct str key, const char *what,
                       int line, struct buf *problems)
{
    if (key.len && map_get(seen, key))
        set_problem(problems, line, "duplicate %s: %.*s", what,
                    STR_ARG(utf8_first(key, 80)));
    map_put(seen, key, seen);
}

bool set_check(struct arena *arena, const struct eval_set *set,
               struct buf *problems)
{
    struct map ids, questions;
    map_init(&ids, arena);
    map_init(&questions, arena);
    if (!set->n && !problems->len)
        set_problem(problems, 1, "there are no questions");
    for (size_t i = 0; i < set->n; i++) {
        const struct eval_question *q = &set->questions[i];
        check_set_question(q, problems);
        check_once(&ids, q->id, "id", q->line, problems);
        if (!q->golden) /* those may expect different things of a query */
            check_once(&questions, q->question, "question", q->line, problems);
    }
    return problems->len == 0;
}
