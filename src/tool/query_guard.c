/* query_guard.c - see tool/query_guard.h. */
#include "tool/query_guard.h"
#include "ontology/columns.h"
#include "ontology/guardrail.h"
#include "base/banned.h"

struct guard_policy query_policy(const struct cached_ontology *o,
                                 const struct source *source)
{
    return (struct guard_policy){
        .trino = source && source_dialect(source) == DIALECT_TRINO,
        .catalog = source ? source->catalog : STR(""),
        .relations = o->relations.items,
        .n_relations = o->relations.n,
        .search_schema = o->model ? ontology_search_schema(o->model) : STR("")};
}

static bool hides(const struct cached_ontology *o)
{
    return o->model && o->model->hides;
}

enum source_dialect query_dialect(const struct cached_ontology *o,
                                  const struct source *source)
{
    return hides(o) ? DIALECT_POSTGRES : source_dialect(source);
}

bool query_keeps_hidden(struct arena *arena, const struct cached_ontology *o,
                        struct str sql, struct str *reason)
{
    struct query_findings findings;
    struct query_outline outline;
    if (!hides(o))
        return true;
    query_analyze(arena, o->model, sql, &findings, &outline);
    *reason = STR("The query cannot be compared with what the model hides.");
    for (size_t i = 0; i < findings.n; i++)
        if (findings.items[i].kind == FINDING_UNKNOWN_COLUMN ||
            findings.items[i].kind == FINDING_UNKNOWN_TABLE) {
            *reason = findings.items[i].message;
            return false;
        }
    return findings.read;
}

bool query_may_be_shown(struct arena *arena, const struct cached_ontology *o,
                        const struct source *source, struct str sql)
{
    const struct guard_policy policy = query_policy(o, source);
    struct guard_verdict verdict;
    struct str reason;
    guard_check(arena, sql, &policy, &verdict);
    return verdict.ok && query_keeps_hidden(arena, o, verdict.text, &reason);
}

/* Codes of guard.h that say only that PostgreSQL does not have it. */
static bool is_of_dialect(struct str code)
{
    static const char *const codes[] = {"syntax",   "newer_syntax", "node",
                                        "function", "operator",     "type"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (str_is(code, codes[i]))
            return true;
    return false;
}

/* Without the semicolons at its end. */
static struct str statement_of(struct str sql)
{
    sql = str_trim(sql);
    while (sql.len && sql.ptr[sql.len - 1] == ';')
        sql = str_trim(str_cut(sql, 0, sql.len - 1));
    return sql;
}

bool query_guard(struct arena *arena, const struct guard_policy *policy,
                 enum source_dialect dialect, struct str sql,
                 struct guard_verdict *verdict)
{
    guard_check(arena, sql, policy, verdict);
    if (verdict->ok || dialect != DIALECT_DUCKDB ||
        !is_of_dialect(verdict->code))
        return verdict->ok;
    *verdict = (struct guard_verdict){
        .ok = true,
        .text = statement_of(sql),
        .calls = STR("[]"), /* the engine has no functions of users */
        .picks_any = true};
    return false;
}
