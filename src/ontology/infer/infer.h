/* infer.h - shared by the three passes of inference. */
#pragma once
#include "base/map.h"
#include "ontology/infer.h"
#include "../words.h"

/* Tables by the words of their names. */
struct table_names {
    struct name_words *words; /* of each table */
    struct map
        whole; /* by the whole name, "orderline"; struct tables_of_name */
    struct map tails; /* by the last words, "line"; struct tables_of_name */
    struct sorted_name {
        struct str name;
        size_t table;
    } *sorted; /* for searches by the start of a name */
    size_t n;
};
struct tables_of_name {
    size_t *tables;
    size_t n, cap;
};
/* Indexes the tables of a catalog, in `arena`. */
void table_names_make(struct arena *arena, const struct catalog *c,
                      struct table_names *names);
/* Adds a table under a name; an empty name is ignored. */
void table_names_put(struct arena *arena, struct map *map, struct str name,
                     size_t table);
/* The tables of a name, or NULL. */
const struct tables_of_name *table_names_find(const struct map *map,
                                              struct str name);
/* Whether there is another than `table`; `same` may be NULL. */
bool tables_have_other(const struct tables_of_name *same, size_t table);

/* Fills `holders`: the tables that have a column, by its name in lower case. */
void column_holders(struct arena *arena, const struct catalog *c,
                    struct map *holders);

/* The name of a column: the first `stem` words say what it refers to, the
 * others mark it as a reference. */
struct column_name {
    struct name_words words;
    size_t stem; /* words[0 .. stem) */
    bool refers;
    struct str squashed; /* "customer" of "customerid"; else empty */
};
/* Splits the name of a column; the words are in `arena`. */
struct column_name column_words(struct arena *arena, struct str name);
/* The column says who did something: author_id, created_by, write_uid. */
bool column_names_person(const struct column_name *c);
/* How likely the table has the users of the database; 0: not at all. */
int table_user_rank(const struct name_words *table);
/* A plural such as "votes", unlike "vote_id", is a number or a list and no
 * reference. */
bool column_is_plural(const struct column_name *c);

/* The samples are short texts of one length without spaces: VIE, LIS, HAM. */
bool column_has_codes(const struct catalog_column *c);

/* The letters begin the name, and those that follow are consonants of it in
 * their order: acct, dept, usr. */
bool name_abbreviates(struct str letters, struct str name);

/* The types allow equal values. */
bool kinds_comparable(const struct catalog_column *a,
                      const struct catalog_column *b);
/* A link of the catalog begins at the column. */
bool column_is_linked(const struct catalog *c, size_t table, size_t column);
