/* parse.c - see parse.h. Texts that would keep the parser busy for seconds are
 * refused before it sees them. */
#include "parse.h"
#include "guard/guard.h"
#include "node.h"
#include <string.h>
#include "base/banned.h"

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

static enum parse_fault parse_text(struct parse *parse, struct str sql)
{
    json_error_t problem;
    char *text = arena_cstr(parse->arena, sql);
    if (has_operator_run(sql))
        return PARSE_OPERATORS;
    parse->result = pg_query_parse(text);
    parse->error = parse->result.error;
    if (parse->error)
        return PARSE_SYNTAX;
    if (strlen(parse->result.parse_tree) > GUARD_MAX_TREE)
        return PARSE_TOO_LONG;
    parse->tree = json_loads(parse->result.parse_tree, 0, &problem);
    return parse->tree ? PARSE_FINE : PARSE_TOO_DEEP;
}

/* The arena's own handler does not return: it leaves by a jump. */
static void on_exhausted(void *who)
{
    struct parse *parse = who;
    parse_close(parse);
    parse->on_exhausted(parse->who);
}

void parse_open(struct parse *parse, struct arena *arena, struct str sql)
{
    *parse = (struct parse){
        .arena = arena, .on_exhausted = arena->on_exhausted, .who = arena->who};
    if (arena->on_exhausted) {
        arena->on_exhausted = on_exhausted;
        arena->who = parse;
    }
    parse->fault = parse_text(parse, sql);
}

void parse_close(struct parse *parse)
{
    json_decref(parse->tree);
    pg_query_free_parse_result(parse->result);
    parse->arena->on_exhausted = parse->on_exhausted;
    parse->arena->who = parse->who;
}

const json_t *parse_select(const struct parse *parse)
{
    const json_t *statements = json_object_get(parse->tree, "stmts");
    return json_array_size(statements) == 1
               ? node_select(json_array_get(statements, 0), "stmt")
               : NULL;
}
