/* syntax.c - tells SQL that is newer than PostgreSQL 15's grammar from plain
 * mistakes, so that the refusal says what to write instead. */
#include "syntax.h"
#include <ctype.h>
#include <string.h>
#include "base/banned.h"

enum { LOOK_BACK = 400 };

#define NEWER(sentence) ((struct syntax_fault){"newer_syntax", sentence})

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The word before `at`, without white space. */
static struct str word_before(struct str sql, size_t at)
{
    while (at > 0 && isspace((unsigned char)sql.ptr[at - 1]))
        at--;
    size_t start = at;
    while (start > 0 && is_word_char(sql.ptr[start - 1]))
        start--;
    return str_cut(sql, start, at - start);
}

static struct str word_at(struct str sql, size_t at)
{
    size_t end = at;
    while (end < sql.len && is_word_char(sql.ptr[end]))
        end++;
    return str_cut(sql, at, end - at);
}

static bool is_json_constructor(struct str word)
{
    static const char *const names[] = {
        "json_object", "json_array",     "json_objectagg", "json_arrayagg",
        "json_query",  "json_value",     "json_exists",    "json_table",
        "json_scalar", "json_serialize", "json",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq_nocase(word, str_of(names[i])))
            return true;
    return false;
}

/* Is there an unclosed `json_object(` or its kind before `at`? */
static bool in_json_constructor(struct str sql, size_t at)
{
    int open = 0;
    size_t least = at > LOOK_BACK ? at - LOOK_BACK : 0;
    for (size_t i = at; i > least; i--) {
        char c = sql.ptr[i - 1];
        open += (c == '(') - (c == ')');
        if (c == '(' && open > 0 &&
            is_json_constructor(word_before(sql, i - 1)))
            return true;
    }
    return false;
}

static bool is_json_test(struct str sql, size_t at)
{
    struct str here = word_at(sql, at), before = word_before(sql, at);
    return str_eq_nocase(here, STR("json")) &&
           (str_eq_nocase(before, STR("is")) ||
            str_eq_nocase(before, STR("not")));
}

static bool is_newer_number(struct str sql, size_t at)
{
    struct str number = word_at(sql, at);
    if (number.len < 2 || !isdigit((unsigned char)*number.ptr))
        return false;
    return str_find_char(number, '_') > 0 ||
           (*number.ptr == '0' && strchr("xXoObB", number.ptr[1]));
}

/* The grammar reads GROUP BY ALL as the beginning of GROUP BY ALL <columns>. */
static bool is_group_by_all(struct str sql, size_t at)
{
    struct str all = word_before(sql, at);
    if (!str_eq_nocase(all, STR("all")))
        return false;
    struct str by = word_before(sql, (size_t)(all.ptr - sql.ptr));
    if (!str_eq_nocase(by, STR("by")))
        return false;
    return str_eq_nocase(word_before(sql, (size_t)(by.ptr - sql.ptr)),
                         STR("group"));
}

struct syntax_fault syntax_judge(struct str sql, struct str message, size_t at)
{
    if (str_find(message, STR("memory exhausted")) >= 0 ||
        str_find(message, STR("stack depth")) >= 0)
        return (struct syntax_fault){
            "too_deep", "The query is nested too deeply; split it into common "
                        "table expressions."};
    if (at > sql.len)
        at = sql.len;
    if (str_find(message, STR("must have an alias")) >= 0)
        return NEWER("A subquery or VALUES in FROM without a name is newer "
                     "than PostgreSQL 15's grammar; give it one: (…) AS q.");
    if (in_json_constructor(sql, at))
        return NEWER("The SQL/JSON constructors and queries are newer than "
                     "PostgreSQL 15's grammar; use json_build_object, ->> or "
                     "jsonb_path_query.");
    if (is_json_test(sql, at))
        return NEWER("IS JSON is newer than PostgreSQL 15's grammar.");
    if (str_starts(message, STR("trailing junk")) && is_newer_number(sql, at))
        return NEWER("Numbers such as 1_000 or 0x1F are newer than PostgreSQL "
                     "15's grammar; write the digits alone.");
    if (str_eq_nocase(word_at(sql, at), STR("nulls")) &&
        (str_eq_nocase(word_before(sql, at), STR("ignore")) ||
         str_eq_nocase(word_before(sql, at), STR("respect"))))
        return NEWER("IGNORE NULLS is newer than PostgreSQL 15's grammar; "
                     "filter the rows instead.");
    if (str_eq_nocase(word_at(sql, at), STR("local")) &&
        str_eq_nocase(word_before(sql, at), STR("at")))
        return NEWER("AT LOCAL is newer than PostgreSQL 15's grammar; use AT "
                     "TIME ZONE with the zone's name.");
    if (is_group_by_all(sql, at))
        return NEWER("GROUP BY ALL is newer than PostgreSQL 15's grammar; "
                     "name the columns, or their numbers.");
    return (struct syntax_fault){"syntax", NULL};
}
