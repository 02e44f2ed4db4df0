/* hint.c - advice by the words of DuckDB's errors; see hint.h. */
#include "hint.h"
#include "columns.h"
#include "base/banned.h"

/* The first line that fits counts. A NULL advice lists the columns. */
static const struct {
    const char *words, *advice;
} hints[] = {
    {"timeout", "The query takes too long: filter, aggregate more or add a "
                "LIMIT."},
    {"took longer", "The query takes too long: filter, aggregate more or add "
                    "a LIMIT."},
    {"out of memory", "Filter or aggregate more, so that fewer rows are held."},
    {"must appear in the group by",
     "Add the column to GROUP BY, or put it into an aggregate such as "
     "any_value()."},
    {"cannot contain aggregates",
     "Conditions over aggregates belong in HAVING."},
    {"referenced column", NULL},
    {"column", NULL},
    {"table with name", "The only table is t_parsed."},
    {"conversion error", "Use try_cast(… as …): it gives NULL where a value "
                         "does not fit."},
    {"could not convert", "Use try_cast(… as …): it gives NULL where a value "
                          "does not fit."},
    {"no function matches",
     "Cast the arguments: text columns need try_cast(… as double) before they "
     "are computed with, and try_cast(… as date) before dates are compared."},
    {"function", "Use another function of DuckDB."},
    {"syntax", "This is DuckDB: double quotes around names, single quotes "
               "around texts, date_trunc('month', d), x::double, LIMIT "
               "instead of TOP."},
    {"parser error", "This is DuckDB: double quotes around names, single "
                     "quotes around texts, LIMIT instead of TOP."},
    {"no rows", "Look at the values of the columns in the conditions."},
    {NULL, NULL}};

struct str hint_of_error(struct arena *arena,
                         const struct explorer_table *table, struct str error)
{
    struct buf out;
    size_t i = 0;
    while (hints[i].words && str_find_nocase(error, str_of(hints[i].words)) < 0)
        i++;
    if (!hints[i].words || hints[i].advice)
        return str_of(hints[i].advice);
    buf_init(&out, arena);
    buf_text(&out, "Columns of t_parsed: ");
    column_put_names(&out, table);
    buf_char(&out, '.');
    return buf_finish(&out);
}
