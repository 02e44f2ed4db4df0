/* infer_core.h - the core of a column's name: without the letters that its
 * table or its database puts before every name.
 *
 *   mkorclid of mkorder, where all columns begin with mkor   clid
 *   cmcustno of custmast, where all begin with cm            custno
 *   aid of artist: the first letter of the table, and "id"   initials
 *
 * A column refers to a key when some core of both is the same. */
#pragma once
#include "infer.h"

struct name_cores {
    struct arena *arena;
    const struct catalog *catalog;
    const struct table_names *names;
    size_t *shared;      /* letters that all columns of each table begin with */
    struct str database; /* letters that most tables begin with, folded */
    struct map initials; /* tables by a column of their initials */
    struct map homes;    /* tables by the cores of columns that name them */
    struct map keys;     /* tables by the cores of their keys */
};

/* Finds the shared letters, the initials and the homes; all in `arena`. The
 * catalog and the names must outlive it. */
void name_cores_make(struct arena *arena, const struct catalog *c,
                     const struct table_names *names, struct name_cores *cores);
/* Fills `keys` from the keys of one column that the catalog has now. */
void name_cores_note_keys(struct name_cores *cores);

/* The column names its own table: by its initials, or by a core whose stem
 * begins the table's name. */
bool core_names_own(const struct name_cores *cores, size_t table,
                    size_t column);
/* The column has the initials or a core of another table. */
bool core_names_other(const struct name_cores *cores, size_t table,
                      size_t column);
/* The tables whose initials the column is, or NULL. */
const struct tables_of_name *core_initials(const struct name_cores *cores,
                                           size_t table, size_t column);

/* A key whose core ends the name of a column. */
struct core_match {
    const struct tables_of_name *tables; /* NULL: none */
    struct str role;                     /* what comes before, as words */
    bool refers;                         /* the core ends like a reference */
};
/* The longest such core. */
struct core_match core_of_key(const struct name_cores *cores, size_t table,
                              size_t column);

/* The length of a core without its ending ("id", "no"); *refers says whether
 * it has one. */
size_t core_stem(struct str core, bool *refers);
