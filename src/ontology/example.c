/* example.c - splits an example; see ontology/example.h. */
#include "ontology/example.h"
#include "base/banned.h"

static const struct str mark = STR("sql:");

static bool begins_query(struct str text)
{
    return str_find_nocase(str_cut(text, 0, 6), STR("select")) == 0 ||
           str_find_nocase(str_cut(text, 0, 5), STR("with ")) == 0;
}

/* Where the question ends, and where the SQL begins. False: it has none. */
static bool find_sql(struct str text, size_t *end, size_t *sql)
{
    ptrdiff_t at = str_find_nocase(text, mark);
    if (at >= 0) {
        *end = (size_t)at;
        *sql = (size_t)at + mark.len;
        return true;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '\n')
            continue;
        *end = *sql = i;
        while (i + 1 < text.len &&
               (text.ptr[i + 1] == ' ' || text.ptr[i + 1] == '\t'))
            i++;
        if (begins_query(str_from(text, i + 1)))
            return true;
    }
    return false;
}

struct str example_question(struct str text)
{
    size_t end, sql;
    return str_trim(find_sql(text, &end, &sql) ? str_cut(text, 0, end) : text);
}

struct str example_sql(struct str text)
{
    size_t end, at;
    struct str sql = STR("");
    if (find_sql(text, &end, &at))
        sql = str_trim(str_from(text, at));
    if (str_ends(sql, STR(";")))
        sql = str_trim(str_cut(sql, 0, sql.len - 1));
    /* It is shown on one line, where a comment would hide the rest. */
    bool shown = sql.len <= EXAMPLE_SQL && begins_query(sql) &&
                 str_find(sql, STR("--")) < 0;
    return shown ? sql : STR("");
}
