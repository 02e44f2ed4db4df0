/* infer.h - what the three turns of inference share. */
#pragma once
#include "base/map.h"
#include "ontology/infer.h"
#include "../words.h"

/* Tables by their names as words. */
struct table_names {
    struct name_words *words; /* of each table */
    struct map whole;         /* struct same_name by "orderline" */
    struct map tails;         /* by "line": of names of several words */
    struct sorted_name {
        struct str name;
        size_t table;
    } *sorted; /* of all tables, for beginnings */
    size_t n;
};
struct same_name {
    size_t *tables;
    size_t n, cap;
};
void table_names_make(struct arena *arena, const struct catalog *c,
                      struct table_names *names);
/* One more table of that name; an empty one is none. */
void table_names_put(struct arena *arena, struct map *map, struct str name,
                     size_t table);
const struct same_name *table_names_find(const struct map *map,
                                         struct str name);

/* struct same_name by the folded names of their columns. */
void column_holders(struct arena *arena, const struct catalog *c,
                    struct map *holders);

/* A column's name: `stem` words say what it refers to, the rest that it does. */
struct column_name {
    struct name_words words;
    size_t stem; /* words[0 .. stem) */
    bool refers;
    struct str squashed; /* "customerid" in one word: "customer"; else empty */
};
struct column_name column_words(struct arena *arena, struct str name);
/* Who did something: author_id, created_by, write_uid. */
bool column_names_somebody(const struct column_name *c);
/* How likely a table is the one of those who do things; 0: not at all. */
int table_has_users(const struct name_words *table);
/* "votes" beside "vote_id": a number of them, or a list, but no reference. */
bool column_counts(const struct column_name *c);

/* The values of both may be equal. */
bool kinds_agree(const struct catalog_column *a,
                 const struct catalog_column *b);
bool column_is_linked(const struct catalog *c, size_t table, size_t column);
