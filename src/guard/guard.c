/* guard.c - the order of the checks: is it text, does it parse, is it one
 * SELECT, is everything in it allowed? */
#include "guard/guard.h"
#include "base/utf8.h"
#include "syntax.h"
#include "walk.h"
#include <pg_query.h>
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

/* Code points before the byte offset, plus one. */
static int position_of(struct str sql, int offset)
{
    if (offset < 0 || (size_t)offset > sql.len)
        return 0;
    return (int)utf8_count(str_cut(sql, 0, (size_t)offset)) + 1;
}

static void reject(struct guard_verdict *verdict, const char *code,
                   struct str reason, int position)
{
    *verdict = (struct guard_verdict){
        .code = str_of(code), .reason = reason, .position = position};
}

static bool is_readable(struct arena *arena, struct str sql,
                        struct guard_verdict *verdict)
{
    if (sql.len > GUARD_MAX_BYTES)
        reject(verdict, "too_long",
               arena_printf(arena, "A query may have at most %d bytes.",
                            GUARD_MAX_BYTES),
               0);
    else if (str_find_char(sql, '\0') >= 0 || !utf8_valid(sql))
        reject(verdict, "encoding",
               STR("The text is not UTF-8, or holds a NUL."), 0);
    else if (str_trim(sql).len == 0)
        reject(verdict, "empty", STR("There is no query."), 0);
    else
        return true;
    return false;
}

/* The byte offset of the n-th code point, 1-based. */
static size_t offset_of(struct str sql, int position)
{
    return position > 0 ? utf8_first(sql, (size_t)position - 1).len : sql.len;
}

static void reject_syntax(struct arena *arena, struct str sql,
                          const PgQueryError *error,
                          struct guard_verdict *verdict)
{
    struct str message = str_of(error->message);
    struct syntax_fault fault =
        syntax_judge(sql, message, offset_of(sql, error->cursorpos));
    struct str reason =
        fault.reason ? str_of(fault.reason)
                     : arena_printf(arena, "PostgreSQL cannot read this: %.*s.",
                                    STR_ARG(message));
    reject(verdict, fault.code, reason, error->cursorpos);
}

/* held->tree, or a verdict. */
static void parse(struct held *held, struct str sql,
                  struct guard_verdict *verdict)
{
    json_error_t problem;
    char *text = arena_cstr(held->arena, sql);
    held->parsed = pg_query_parse(text);
    if (held->parsed.error) {
        reject_syntax(held->arena, sql, held->parsed.error, verdict);
        return;
    }
    if (strlen(held->parsed.parse_tree) > GUARD_MAX_TREE) {
        reject(verdict, "too_long",
               STR("The query has too many parts; shorten its lists."), 0);
        return;
    }
    held->tree = json_loads(held->parsed.parse_tree, 0, &problem);
    if (!held->tree)
        reject(verdict, "too_deep",
               STR("The query is nested too deeply to be judged; split it into "
                   "common table expressions."),
               0);
}

static int statement_start(struct str sql, const json_t *statement)
{
    size_t at = (size_t)json_get_int(statement, "stmt_location", 0);
    while (at < sql.len && strchr(" \t\r\n\f\v", sql.ptr[at]))
        at++;
    return (int)at;
}

/* The only statement if it is a SELECT, or NULL and a verdict. */
static const json_t *only_select(struct arena *arena, struct str sql,
                                 const json_t *tree,
                                 struct guard_verdict *verdict)
{
    const json_t *statements = json_object_get(tree, "stmts");
    const json_t *first = json_array_get(statements, 0);
    const json_t *select =
        node_inside(json_object_get(first, "stmt"), "SelectStmt");
    if (json_array_size(statements) == 0)
        reject(verdict, "empty", STR("There is no query."), 0);
    else if (json_array_size(statements) > 1)
        reject(verdict, "many_statements",
               STR("Write exactly one statement."),
               position_of(sql, statement_start(
                                    sql, json_array_get(statements, 1))));
    else if (!select)
        reject(verdict, "not_select",
               arena_printf(arena, "Only a SELECT is allowed, not %s.",
                            json_object_iter_key(json_object_iter(
                                json_object_get(first, "stmt")))),
               position_of(sql, statement_start(sql, first)));
    return json_array_size(statements) == 1 ? select : NULL;
}

/* The text of the statement, without what ends it. */
static struct str statement_text(struct str sql, const json_t *tree)
{
    const json_t *first =
        json_array_get(json_object_get(tree, "stmts"), 0);
    size_t at = (size_t)json_get_int(first, "stmt_location", 0);
    size_t len = (size_t)json_get_int(first, "stmt_len", 0);
    return str_trim(len ? str_cut(sql, at, len) : str_from(sql, at));
}

static bool is_change(const json_t *tree)
{
    static const char *const changes[] = {"InsertStmt", "UpdateStmt",
                                          "DeleteStmt", "MergeStmt"};
    const json_t *stmt = json_object_get(
        json_array_get(json_object_get(tree, "stmts"), 0), "stmt");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (json_object_get(stmt, changes[i]))
            return true;
    return false;
}

static void judge(struct walk *walk, struct str sql, const json_t *tree,
                  struct guard_verdict *verdict)
{
    const json_t *select = only_select(walk->arena, sql, tree, verdict);
    if (!select) {
        if (str_is(verdict->code, "not_select") && is_change(tree))
            reject(verdict, "data_change",
                   STR("Data may not be changed: queries only read."),
                   verdict->position);
        return;
    }
    walk_typed(walk, NODE_SelectStmt, select);
    if (walk->refused) {
        *verdict = (struct guard_verdict){
            .code = walk->code,
            .reason = walk->reason,
            .position = position_of(sql, walk->refused_at)};
        return;
    }
    *verdict = (struct guard_verdict){.ok = true};
    verdict->text = statement_text(sql, tree);
    lineage_answer(walk, verdict);
    aggregate_answer(walk, select, verdict);
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
static void check_held(struct held *held, struct str sql,
                       const struct guard_policy *policy,
                       struct guard_verdict *verdict)
{
    if (setjmp(held->back)) {
        release(held);
        held->on_exhausted(held->who);
        return;
    }
    parse(held, sql, verdict);
    if (held->tree) {
        struct walk walk = {.arena = held->arena,
                            .sql = arena_str(held->arena, sql),
                            .policy = policy,
                            .location = -1};
        judge(&walk, walk.sql, held->tree, verdict);
    }
    release(held);
}

void guard_check(struct arena *arena, struct str sql,
                 const struct guard_policy *policy,
                 struct guard_verdict *verdict)
{
    struct held held = {.arena = arena,
                        .on_exhausted = arena->on_exhausted,
                        .who = arena->who};
    if (!is_readable(arena, sql, verdict))
        return;
    if (arena->on_exhausted) {
        arena->on_exhausted = exhausted;
        arena->who = &held;
    }
    check_held(&held, sql, policy, verdict);
}
