/* guard.c - the order of the checks: is it text, does it parse, is it one
 * SELECT, is everything in it allowed? */
#include "guard/guard.h"
#include "base/utf8.h"
#include "parse.h"
#include "syntax.h"
#include "walk.h"
#include <string.h>
#include "base/banned.h"

struct check {
    struct arena *arena;
    struct str sql;
    const struct guard_policy *policy;
    struct guard_verdict *verdict;
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

/* True when there is a tree, else a verdict. */
static bool parsed(struct check *check, const struct parse *parse)
{
    switch (parse->fault) {
    case PARSE_SYNTAX:
        reject_syntax(check->arena, check->sql, parse->error, check->verdict);
        return false;
    case PARSE_TOO_LONG:
        reject(check->verdict, "too_long",
               STR("The query has too many parts; shorten its lists."), 0);
        return false;
    case PARSE_TOO_DEEP:
        reject(check->verdict, "too_deep",
               STR("The query is nested too deeply to be judged; split it into "
                   "common table expressions."),
               0);
        return false;
    case PARSE_OPERATORS:
        reject(
            check->verdict, "too_costly",
            STR("Too many operator characters in a row; leave such lines out "
                "of comments and texts."),
            0);
        return false;
    default:
        return true;
    }
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
        reject(verdict, "many_statements", STR("Write exactly one statement."),
               position_of(
                   sql, statement_start(sql, json_array_get(statements, 1))));
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
    const json_t *first = json_array_get(json_object_get(tree, "stmts"), 0);
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
    patterns_check(walk, select);
    if (walk->refused) {
        *verdict = (struct guard_verdict){
            .code = walk->code,
            .reason = walk->reason,
            .position = position_of(sql, walk->refused_at)};
        return;
    }
    *verdict = (struct guard_verdict){.ok = true};
    verdict->text = statement_text(sql, tree);
    verdict->calls = calls_answer(walk);
    if (verdict->calls.len > GUARD_MAX_CALLS) {
        reject(verdict, "too_long",
               STR("The query names too many columns of too many tables."), 0);
        return;
    }
    lineage_answer(walk, verdict);
    aggregate_answer(walk, select, verdict);
}

static void check_parsed(void *who, const struct parse *parse)
{
    struct check *check = who;
    if (!parsed(check, parse))
        return;
    struct walk walk = {.arena = check->arena,
                        .sql = arena_str(check->arena, check->sql),
                        .policy = check->policy,
                        .location = -1};
    judge(&walk, walk.sql, parse->tree, check->verdict);
}

void guard_check(struct arena *arena, struct str sql,
                 const struct guard_policy *policy,
                 struct guard_verdict *verdict)
{
    struct check check = {arena, sql, policy, verdict};
    if (is_readable(arena, sql, verdict))
        parse_with(arena, sql, check_parsed, &check);
}
