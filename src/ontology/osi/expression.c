/* expression.c - picks the ANSI SQL of an OSI expression and checks it with the
 * guard, within a limit of bytes for the whole model. */
#include "expression.h"
#include <string.h>
#include "base/banned.h"

/* The most bytes that are checked: of one expression, and of all, with a charge
 * for each. The guard takes some 10 us a byte. A large model is far below these
 * limits, and the worst text allowed is read within a second. */
enum {
    EXPRESSION_LONGEST = 8 * 1024,
    EXPRESSION_EACH = 64,
    EXPRESSIONS_MOST = 100 * 1000,
};

static const char *const dialect_keys[] = {"dialect", "expression", NULL};

static struct expression read_plain(struct osi_reader *reader,
                                    const struct tree *node)
{
    struct expression e = {.text = reader_text(reader, node), .at = node};
    if (node->kind == TREE_TEXT && !e.text.len)
        reader_error(reader, node, "expression is empty");
    return e;
}

static struct expression read_dialect(struct osi_reader *reader,
                                      const struct tree *item)
{
    struct expression none = {0};
    if (!reader_is_map(reader, item))
        return none;
    reader_warn_unknown_keys(reader, item, dialect_keys);
    struct str dialect =
        reader_name(reader, item, reader_value(item, "dialect"), "dialect");
    const struct tree *text = reader_value(item, "expression");
    if (!text) {
        reader_error(reader, item, "expression is missing");
        return none;
    }
    struct expression e = read_plain(reader, text);
    e.dialect = dialect;
    return e;
}

static bool is_ansi(struct str dialect)
{
    return str_eq_nocase(dialect, STR("ANSI_SQL"));
}

/* ANSI_SQL if it is in the list, otherwise the first dialect. */
static struct expression read_best_dialect(struct osi_reader *reader,
                                           const struct tree *list)
{
    struct expression best = {0};
    if (!list->first)
        reader_error(reader, list, "expression has no dialects");
    for (const struct tree *item = list->first; item; item = item->next) {
        struct expression e = read_dialect(reader, item);
        bool better = is_ansi(e.dialect) && !is_ansi(best.dialect);
        if (e.text.len && (!best.text.len || better))
            best = e;
    }
    if (is_ansi(best.dialect))
        best.dialect = STR("");
    else if (best.text.len && best.dialect.len)
        reader_warn(reader, best.at,
                    "there is no ANSI_SQL expression; that of %.*s is used",
                    STR_ARG(best.dialect));
    return best;
}

struct expression osi_expression_read(struct osi_reader *reader,
                                      const struct tree *node)
{
    struct expression none = {0};
    if (!node)
        return none;
    if (node->kind == TREE_TEXT)
        return read_plain(reader, node);
    if (node->kind == TREE_LIST)
        return read_best_dialect(reader, node);
    const struct tree *list = reader_value(node, "dialects");
    if (!list && tree_get(node, "expression")) {
        struct expression e = read_dialect(reader, node);
        if (is_ansi(e.dialect))
            e.dialect = STR("");
        else if (e.text.len && e.dialect.len)
            reader_warn(reader, e.at,
                        "there is no ANSI_SQL expression; that of %.*s is used",
                        STR_ARG(e.dialect));
        return e;
    }
    reader_warn_unknown_keys(reader, node,
                             (const char *const[]){"dialects", NULL});
    if (!list) {
        reader_error(reader, node, "dialects is missing");
        return none;
    }
    list = reader_list(reader, list);
    return list ? read_best_dialect(reader, list) : none;
}

static bool is_sql(struct str dialect)
{
    return !str_eq_nocase(dialect, STR("MDX")) &&
           !str_eq_nocase(dialect, STR("TABLEAU")) &&
           !str_eq_nocase(dialect, STR("MAQL"));
}

/* False if the expression exceeds the limits; warns once. */
static bool affordable(struct osi_reader *reader, const struct expression *e)
{
    if (e->text.len > EXPRESSION_LONGEST) {
        reader_warn(reader, e->at, "the expression is too long to be checked");
        return false;
    }
    bool before = reader->checked > EXPRESSIONS_MOST;
    reader->checked += e->text.len + EXPRESSION_EACH;
    if (reader->checked <= EXPRESSIONS_MOST)
        return true;
    if (!before)
        reader_warn(reader, e->at,
                    "too many expressions; from here on they are not checked");
    return false;
}

bool osi_expression_check(struct osi_reader *reader, const struct expression *e,
                          struct guard_verdict *verdict)
{
    if (!e->text.len || !is_sql(e->dialect) || !affordable(reader, e))
        return false;
    /* The parentheses keep it from continuing as a query. */
    struct str sql =
        arena_printf(reader->arena, "select (\n%.*s\n)", STR_ARG(e->text));
    struct guard_policy policy = {.any_relation = true};
    guard_check(reader->arena, sql, &policy, verdict);
    if (!verdict->ok && !e->dialect.len && str_is(verdict->code, "syntax"))
        reader_error(reader, e->at, "the expression is not SQL: %.*s",
                     STR_ARG(verdict->reason));
    else if (!verdict->ok)
        reader_warn(reader, e->at, "the expression cannot be used as SQL: %.*s",
                    STR_ARG(verdict->reason));
    return verdict->ok;
}
