/* statement.c - judges a query by its tokens; see statement.h.
 *
 * For each level of parentheses, the scan knows which clause it is in and
 * whether the name of a table comes next. Whatever reads something else than
 * the table (a file, an address, the engine's catalog), and whatever is no
 * SELECT, needs a table position, a function or a word at the start of a
 * statement, and these three are checked. */
#include "statement.h"
#include "query_tokens.h"
#include "tool/query_guard.h"
#include <string.h>
#include "base/banned.h"

/* One level of parentheses. */
struct statement_level {
    bool from;    /* in FROM */
    bool table;   /* the name of a table comes next */
    bool no_from; /* FROM belongs to a function: extract(year from x) */
};

enum { LEVELS = 202, CTES_MOST = 64 };

struct statement_scan {
    struct arena *arena;
    const struct query_tokens *tokens;
    struct statement_check *check;
    struct statement_level levels[LEVELS];
    struct str ctes[CTES_MOST];
    size_t n_ctes;
};

/* Words before a parenthesis that are no functions. */
static const char *const plain_words[] = {
    "all",       "and",       "any",      "array",     "as",
    "between",   "bit",       "by",       "cast",      "char",
    "character", "columns",   "cube",     "dec",       "decimal",
    "else",      "except",    "exclude",  "exists",    "extract",
    "filter",    "from",      "group",    "having",    "ilike",
    "in",        "intersect", "interval", "is",        "join",
    "lateral",   "like",      "limit",    "list",      "not",
    "numeric",   "offset",    "on",       "or",        "order",
    "over",      "partition", "qualify",  "recursive", "replace",
    "rollup",    "row",       "select",   "sets",      "similar",
    "some",      "struct",    "then",     "time",      "timestamp",
    "try_cast",  "union",     "using",    "values",    "varchar",
    "when",      "where",     "window",   "with",      "materialized",
    "distinct",  "escape",    "end",      "asc",       "desc",
    NULL};

/* Reserved words of statements that are no SELECT, and of what reads more. */
static const char *const refused_words[] = {
    "into",  "table",   "describe",    "summarize",    "show",
    "pivot", "unpivot", "pivot_wider", "pivot_longer", NULL};

/* Verbs that may also be names of columns: refused where a statement begins. */
static const char *const verbs[] = {
    "alter",   "analyze", "attach",   "begin",   "call",       "checkpoint",
    "comment", "commit",  "copy",     "create",  "deallocate", "delete",
    "detach",  "drop",    "execute",  "explain", "export",     "force",
    "import",  "insert",  "install",  "load",    "merge",      "pragma",
    "prepare", "reset",   "rollback", "set",     "start",      "truncate",
    "update",  "use",     "vacuum",   NULL};

static bool is_listed(const char *const *words, struct str word)
{
    for (; *words; words++)
        if (str_eq_nocase(word, str_of(*words)))
            return true;
    return false;
}

/* `words` is sorted. */
static bool is_in_table(const char *const *words, struct str word)
{
    size_t low = 0, high = 0;
    char name[64];
    if (word.len >= sizeof name)
        return false;
    for (size_t i = 0; i < word.len; i++)
        name[i] =
            (char)(word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' ? word.ptr[i] + 32
                                                            : word.ptr[i]);
    name[word.len] = '\0';
    while (words[high])
        high++;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(words[middle], name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool refuse_statement(struct statement_scan *s, const char *format,
                             struct str word)
{
    s->check->problem = arena_printf(
        s->arena, format, (int)(word.len < 60 ? word.len : 60), word.ptr);
    return false;
}

/* ---- common table expressions ------------------------------------------- */

static bool is_name(const struct query_tokens *t, size_t i)
{
    return i < t->n &&
           (t->items[i].kind == QUERY_WORD || t->items[i].kind == QUERY_QUOTED);
}

/* NAME [(columns)] AS [[NOT] MATERIALIZED] ( */
static bool is_cte(const struct query_tokens *t, size_t i, size_t *list)
{
    *list = 0;
    if (!is_name(t, i))
        return false;
    size_t next = i + 1;
    if (query_token_sign(t, next, '(')) {
        *list = next;
        next = t->items[next].partner + 1;
    }
    if (!query_token_is(t, next, "as"))
        return false;
    next++;
    next += query_token_is(t, next, "not");
    next += query_token_is(t, next, "materialized");
    return query_token_sign(t, next, '(');
}

/* Notes the names of all of them; a name counts in the whole query, which only
 * hides the one table that may be read. */
static bool note_ctes(struct statement_scan *s)
{
    const struct query_tokens *t = s->tokens;
    size_t list;
    for (size_t i = 1; i < t->n; i++) {
        bool starts = query_token_is(t, i - 1, "with") ||
                      query_token_is(t, i - 1, "recursive") ||
                      query_token_sign(t, i - 1, ',');
        if (!starts || !is_cte(t, i, &list))
            continue;
        if (s->n_ctes == CTES_MOST)
            return refuse_statement(s, "There are too many WITH queries.%.*s",
                                    STR(""));
        s->ctes[s->n_ctes++] = query_token_name(s->arena, &t->items[i]);
    }
    return true;
}

static bool is_cte_list(const struct query_tokens *t, size_t i)
{
    size_t list;
    return i > 0 && is_cte(t, i - 1, &list) && list == i;
}

/* ---- tables ------------------------------------------------------------- */

static bool is_known_table(const struct statement_scan *s, struct str name)
{
    if (str_eq_nocase(name, s->check->table))
        return true;
    for (size_t i = 0; i < s->n_ctes; i++)
        if (str_eq_nocase(name, s->ctes[i]))
            return true;
    return false;
}

/* Judges the item of FROM that begins with token i, a name or a text. */
static bool table_passes(struct statement_scan *s, size_t i)
{
    const struct query_tokens *t = s->tokens;
    struct str name = query_token_name(s->arena, &t->items[i]);
    if (t->items[i].kind != QUERY_WORD && t->items[i].kind != QUERY_QUOTED)
        return refuse_statement(s, "FROM may only name the table, not %.*s.",
                                t->items[i].text);
    if (str_eq_nocase(name, STR("main")) && query_token_sign(t, i + 1, '.') &&
        is_name(t, i + 2)) {
        name = query_token_name(s->arena, &t->items[i + 2]);
        i += 2;
    }
    if (query_token_sign(t, i + 1, '.'))
        return refuse_statement(s, "There is no table in %.*s.", name);
    if (query_token_sign(t, i + 1, '('))
        return is_in_table(explorer_table_functions, name) ||
               refuse_statement(s, "The table function %.*s is not allowed.",
                                name);
    if (query_token_sign(t, i + 1, ':'))
        return refuse_statement(
            s, "Write the alias %.*s after the table, with AS.", name);
    return is_known_table(s, name) ||
           refuse_statement(s, "There is no table %.*s.", name);
}

/* ---- functions ---------------------------------------------------------- */

static bool takes_from(struct str name)
{
    static const char *const names[] = {"extract", "substring", "trim",
                                        "overlay", NULL};
    return is_listed(names, name);
}

/* Token i is "(": what is before it must not be a function that is not
 * listed. */
static bool function_passes(struct statement_scan *s, size_t i)
{
    const struct query_tokens *t = s->tokens;
    if (i == 0 || !is_name(t, i - 1) || is_cte_list(t, i))
        return true;
    struct str name = query_token_name(s->arena, &t->items[i - 1]);
    bool word = t->items[i - 1].kind == QUERY_WORD;
    if ((word && is_listed(plain_words, name)) ||
        is_in_table(explorer_scalars, name) ||
        is_in_table(explorer_table_functions, name))
        return true;
    if (i > 1 && query_token_is(t, i - 2, "as")) /* FROM t AS t(a, b) */
        return true;
    return refuse_statement(s, "The function %.*s is not allowed.", name);
}

/* ---- the scan ----------------------------------------------------------- */

/* Words that end FROM. */
static bool ends_from(struct str word)
{
    static const char *const words[] = {
        "where",  "group",     "having", "order",   "limit",  "offset",
        "union",  "intersect", "except", "qualify", "window", "select",
        "values", "on",        "using",  NULL};
    return is_listed(words, word);
}

static bool word_passes(struct statement_scan *s, size_t i,
                        struct statement_level *level)
{
    const struct query_tokens *t = s->tokens;
    struct str word = t->items[i].text;
    bool after_paren = i == 0 || query_token_sign(t, i - 1, '(') ||
                       query_token_sign(t, i - 1, ')');
    bool member = i > 0 && query_token_sign(t, i - 1, '.');
    if (member)
        return true;
    if (is_listed(refused_words, word))
        return refuse_statement(s, "%.*s is not allowed: write one SELECT.",
                                word);
    if (after_paren && is_listed(verbs, word) && (i == 0 || is_name(t, i + 1)))
        return refuse_statement(
            s, "Only SELECT is allowed, and nothing that begins with %.*s.",
            word);
    if (query_token_is(t, i, "from") && !level->no_from &&
        !(i > 0 && query_token_is(t, i - 1, "distinct"))) {
        level->from = level->table = true;
    } else if (query_token_is(t, i, "join")) {
        level->from = level->table = true;
    } else if (level->table && !query_token_is(t, i, "lateral")) {
        level->table = false;
        bool query = query_token_is(t, i, "select") ||
                     query_token_is(t, i, "values") ||
                     query_token_is(t, i, "with");
        if (query)
            level->from = false;
        return query || table_passes(s, i);
    } else if (ends_from(word)) {
        /* a comma after ON may be followed by another table */
        level->from = level->from && (query_token_is(t, i, "on") ||
                                      query_token_is(t, i, "using"));
    }
    return true;
}

static bool enter(struct statement_scan *s, size_t i)
{
    const struct query_tokens *t = s->tokens;
    struct statement_level *level = &s->levels[t->items[i].depth];
    bool function = i > 0 && is_name(t, i - 1);
    s->levels[t->items[i].depth + 1] = (struct statement_level){
        .table = level->table && !function,
        .from = level->table && !function,
        .no_from = function && t->items[i - 1].kind == QUERY_WORD &&
                   takes_from(t->items[i - 1].text)};
    level->table = false;
    return function_passes(s, i);
}

static bool tokens_pass(struct statement_scan *s)
{
    const struct query_tokens *t = s->tokens;
    for (size_t i = 0; i < t->n; i++) {
        struct statement_level *level = &s->levels[t->items[i].depth];
        bool passes = true;
        if (query_token_sign(t, i, '('))
            passes = enter(s, i);
        else if (query_token_sign(t, i, ';'))
            passes = refuse_statement(s, "Only one statement is allowed.%.*s",
                                      STR(""));
        else if (query_token_sign(t, i, ',') && level->from)
            level->table = true;
        else if (t->items[i].kind == QUERY_WORD)
            passes = word_passes(s, i, level);
        else if (level->table && t->items[i].kind != QUERY_SIGN)
            passes = table_passes(s, i), level->table = false;
        else if (query_token_sign(t, i, '?'))
            passes =
                refuse_statement(s, "Parameters are not allowed.%.*s", STR(""));
        if (!passes)
            return false;
    }
    return true;
}

static bool begins_as_query(const struct query_tokens *t)
{
    size_t i = 0;
    while (query_token_sign(t, i, '('))
        i++;
    return query_token_is(t, i, "select") || query_token_is(t, i, "with");
}

static bool judge_tokens(struct arena *arena, struct str sql,
                         struct statement_check *check)
{
    struct query_tokens tokens;
    struct statement_scan *s = arena_new(arena, struct statement_scan);
    *s = (struct statement_scan){
        .arena = arena, .tokens = &tokens, .check = check};
    if (!query_tokens_read(arena, sql, &tokens)) {
        check->problem = str_of(tokens.problem);
        return false;
    }
    check->text = tokens.sql;
    if (!begins_as_query(&tokens))
        return refuse_statement(s, "Only one SELECT is allowed.%.*s", STR(""));
    return note_ctes(s) && tokens_pass(s);
}

bool statement_check(struct arena *arena, struct str sql,
                     struct statement_check *check)
{
    struct str tables[] = {
        check->table, arena_printf(arena, "main.%.*s", STR_ARG(check->table))};
    const struct guard_policy policy = {
        .relations = tables, .n_relations = 2, .search_schema = STR("main")};
    struct guard_verdict *verdict = arena_new(arena, struct guard_verdict);
    check->text = check->problem = STR("");
    query_guard(arena, &policy, DIALECT_DUCKDB, sql, verdict);
    if (!verdict->ok) {
        check->problem = verdict->reason;
        return false;
    }
    return judge_tokens(arena, sql, check);
}
