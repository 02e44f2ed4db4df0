/* guard.c - the order of the checks: is it text, does it parse, is it one
 * SELECT, is everything in it allowed? */
#include "guard/guard.h"
#include "base/utf8.h"
#include "parse.h"
#include "syntax.h"
#include "walk.h"
#include <string.h>
#include "base/banned.h"

/* The position of a byte offset, in code points from 1; 0: not known. */
static int position_of(struct str sql, int offset)
{
    if (offset < 0 || (size_t)offset > sql.len)
        return 0;
    return (int)utf8_count(str_cut(sql, 0, (size_t)offset)) + 1;
}

static void verdict_reject(struct guard_verdict *verdict, const char *code,
                           struct str reason, int position)
{
    *verdict = (struct guard_verdict){
        .code = str_of(code), .reason = reason, .position = position};
}

static bool is_readable(struct arena *arena, struct str sql,
                        struct guard_verdict *verdict)
{
    if (sql.len > GUARD_MAX_BYTES)
        verdict_reject(verdict, "too_long",
                       arena_printf(arena, "A query may have at most %d bytes.",
                                    GUARD_MAX_BYTES),
                       0);
    else if (str_find_char(sql, '\0') >= 0 || !utf8_valid(sql))
        verdict_reject(verdict, "encoding",
                       STR("The text is not UTF-8, or holds a NUL."), 0);
    else if (str_trim(sql).len == 0)
        verdict_reject(verdict, "empty", STR("There is no query."), 0);
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
    verdict_reject(verdict, fault.code, reason, error->cursorpos);
}

/* True when there is a tree; otherwise sets the verdict. */
static bool is_parsed(struct arena *arena, struct str sql,
                      const struct parse *parse, struct guard_verdict *verdict)
{
    switch (parse->fault) {
    case PARSE_SYNTAX:
        reject_syntax(arena, sql, parse->error, verdict);
        return false;
    case PARSE_TOO_LONG:
        verdict_reject(verdict, "too_long",
                       STR("The query has too many parts; shorten its lists."),
                       0);
        return false;
    case PARSE_TOO_DEEP:
        verdict_reject(
            verdict, "too_deep",
            STR("The query is nested too deeply to be judged; split it into "
                "common table expressions."),
            0);
        return false;
    case PARSE_OPERATORS:
        verdict_reject(
            verdict, "too_costly",
            STR("Too many operator characters in a row; leave such lines "
                "out of comments and texts."),
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

static bool is_change(const json_t *statement)
{
    static const char *const changes[] = {"InsertStmt", "UpdateStmt",
                                          "DeleteStmt", "MergeStmt"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (node_inside(statement, changes[i]))
            return true;
    return false;
}

static void reject_statements(struct arena *arena, struct str sql,
                              const json_t *statements,
                              struct guard_verdict *verdict)
{
    const json_t *first = json_array_get(statements, 0);
    json_t *statement = json_object_get(first, "stmt");
    int start = position_of(sql, statement_start(sql, first));
    if (json_array_size(statements) == 0)
        verdict_reject(verdict, "empty", STR("There is no query."), 0);
    else if (json_array_size(statements) > 1)
        verdict_reject(
            verdict, "many_statements", STR("Write exactly one statement."),
            position_of(sql,
                        statement_start(sql, json_array_get(statements, 1))));
    else if (is_change(statement))
        verdict_reject(verdict, "data_change",
                       STR("Data may not be changed: queries only read."),
                       start);
    else
        verdict_reject(
            verdict, "not_select",
            arena_printf(arena, "Only a SELECT is allowed, not %s.",
                         json_object_iter_key(json_object_iter(statement))),
            start);
}

/* The text of the statement, without what ends it. */
static struct str statement_text(struct str sql, const json_t *statement)
{
    size_t at = (size_t)json_get_int(statement, "stmt_location", 0);
    size_t len = (size_t)json_get_int(statement, "stmt_len", 0);
    return str_trim(len ? str_cut(sql, at, len) : str_from(sql, at));
}

/* Walks the query. The first refusal decides the verdict. */
static void judge_select(struct walk *walk, const json_t *select,
                         struct guard_verdict *verdict)
{
    walk_typed(walk, NODE_SelectStmt, select);
    patterns_check(walk, select);
    if (walk->refused) {
        verdict_reject(verdict, walk->code, walk->reason,
                       position_of(walk->sql, walk->refused_at));
        return;
    }
    *verdict = (struct guard_verdict){.ok = true};
    verdict->calls = calls_report(walk);
    if (verdict->calls.len > GUARD_MAX_CALLS) {
        verdict_reject(
            verdict, "too_long",
            STR("The query names too many columns of too many tables."), 0);
        return;
    }
    lineage_report(walk, verdict);
    aggregate_report(walk, select, verdict);
}

static void judge_parsed(struct arena *arena, struct str sql,
                         const struct guard_policy *policy,
                         const struct parse *parse,
                         struct guard_verdict *verdict)
{
    const json_t *statements = json_object_get(parse->tree, "stmts");
    const json_t *select = parse_select(parse);
    struct walk walk;
    if (!select) {
        reject_statements(arena, sql, statements, verdict);
        return;
    }
    walk_init(&walk, arena, sql, policy);
    judge_select(&walk, select, verdict);
    if (verdict->ok)
        verdict->text = statement_text(walk.sql, json_array_get(statements, 0));
}

void guard_check(struct arena *arena, struct str sql,
                 const struct guard_policy *policy,
                 struct guard_verdict *verdict)
{
    struct parse parse;
    if (!is_readable(arena, sql, verdict))
        return;
    parse_open(&parse, arena, sql);
    if (is_parsed(arena, sql, &parse, verdict))
        judge_parsed(arena, sql, policy, &parse, verdict);
    parse_close(&parse);
}
