#include "parse.h"
#include "guard/guard.h"
#include <setjmp.h>
#include <string.h>
#include "base/banned.h"

/* What is not the arena's, so that nothing leaks when the arena is exhausted in
 * the middle: its handler jumps back to us first, then goes on. */
struct held {
    jmp_buf back;
    json_t *tree;
    PgQueryParseResult parsed;
    struct arena *arena;
    void (*on_exhausted)(void *who);
    void *who;
};

enum { MAX_OPERATOR_RUN = 256 };

/* PostgreSQL's scanner reads a run of these to its end and then takes it back,
 * but for one or two of them: "+++…" and nested comments take the square of
 * their length, seconds for 32 KB. */
static bool has_operator_run(struct str sql)
{
    size_t run = 0;
    for (size_t i = 0; i < sql.len && run <= MAX_OPERATOR_RUN; i++)
        run = strchr("~!@#^&|`?+-*/%<>=", sql.ptr[i]) ? run + 1 : 0;
    return run > MAX_OPERATOR_RUN;
}

static enum parse_fault read_tree(struct held *held, struct str sql)
{
    json_error_t problem;
    char *text = arena_cstr(held->arena, sql);
    if (has_operator_run(sql))
        return PARSE_OPERATORS;
    held->parsed = pg_query_parse(text);
    if (held->parsed.error)
        return PARSE_SYNTAX;
    if (strlen(held->parsed.parse_tree) > GUARD_MAX_TREE)
        return PARSE_TOO_LONG;
    held->tree = json_loads(held->parsed.parse_tree, 0, &problem);
    return held->tree ? PARSE_FINE : PARSE_TOO_DEEP;
}

static void exhausted(void *who)
{
    struct held *held = who;
    longjmp(held->back, 1);
}

static void release(struct held *held)
{
    json_decref(held->tree);
    pg_query_free_parse_result(held->parsed);
    held->arena->on_exhausted = held->on_exhausted;
    held->arena->who = held->who;
}

/* `held` is the caller's, so that it is intact after the jump. */
static void use_held(struct held *held, struct str sql,
                     void (*use)(void *who, const struct parse *parse),
                     void *who)
{
    if (setjmp(held->back)) {
        release(held);
        held->on_exhausted(held->who);
        return;
    }
    struct parse parse = {.fault = read_tree(held, sql)};
    parse.tree = held->tree;
    parse.error = held->parsed.error;
    use(who, &parse);
    release(held);
}

void parse_with(struct arena *arena, struct str sql,
                void (*use)(void *who, const struct parse *parse), void *who)
{
    struct held held = {
        .arena = arena, .on_exhausted = arena->on_exhausted, .who = arena->who};
    if (arena->on_exhausted) {
        arena->on_exhausted = exhausted;
        arena->who = &held;
    }
    use_held(&held, sql, use, who);
}
