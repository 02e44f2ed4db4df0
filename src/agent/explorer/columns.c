/* columns.c - see columns.h. */
#include "columns.h"
#include "base/utf8.h"
#include "base/banned.h"

static bool type_begins(struct str type, const char *const *words)
{
    for (; *words; words++) {
        struct str word = str_of(*words);
        if (str_eq_nocase(str_cut(type, 0, word.len), word))
            return true;
    }
    return false;
}

enum column_class column_class(struct str type)
{
    static const char *const moments[] = {"date", "time", NULL};
    static const char *const numbers[] = {
        "tinyint", "smallint", "integer", "int",     "bigint", "hugeint",
        "utiny",   "usmall",   "uint",    "ubig",    "uhuge",  "float",
        "double",  "real",     "decimal", "numeric", "bignum", NULL};
    static const char *const truths[] = {"bool", NULL};
    static const char *const texts[] = {"varchar", "text", "char", "string",
                                        "bpchar",  "enum", "uuid", NULL};
    bool list = str_ends(type, STR("]"));
    if (list || str_eq_nocase(type, STR("interval")))
        return COLUMN_OTHER;
    if (type_begins(type, moments))
        return COLUMN_MOMENT;
    if (type_begins(type, numbers))
        return COLUMN_NUMBER;
    if (type_begins(type, truths))
        return COLUMN_TRUTH;
    return type_begins(type, texts) ? COLUMN_TEXT : COLUMN_OTHER;
}

const struct explorer_column *column_find(const struct explorer_table *table,
                                          struct str name)
{
    const struct explorer_column *found = NULL;
    for (size_t i = 0; i < table->n_columns; i++)
        if (str_eq(table->columns[i].name, name))
            return &table->columns[i];
    for (size_t i = 0; i < table->n_columns; i++)
        if (str_eq_nocase(table->columns[i].name, name)) {
            if (found)
                return NULL;
            found = &table->columns[i];
        }
    return found;
}

void column_put(struct buf *out, struct str name)
{
    buf_quoted(out, name, '"');
}

void column_put_names(struct buf *out, const struct explorer_table *table)
{
    enum { SHOWN = 40, CHARACTERS = 60 };
    for (size_t i = 0; i < table->n_columns && i < SHOWN; i++) {
        buf_text(out, i ? ", " : "");
        utf8_put_plain(out, utf8_first(table->columns[i].name, CHARACTERS));
    }
    if (table->n_columns > SHOWN)
        buf_printf(out, " and %zu more", table->n_columns - SHOWN);
}
