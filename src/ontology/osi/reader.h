/* reader.h - what the files that read OSI share.
 *
 * A reader walks the tree, fills the model and notes what is wrong; it never
 * stops at the first error. A node may be NULL where a key was absent. */
#pragma once
#include "base/map.h"
#include "ontology/osi.h"
#include "tree.h"

struct note; /* a finding on its way to the report */

struct reader {
    struct arena *arena;
    struct ontology *model;
    struct note *notes; /* the newest first */
    size_t n_kept[OSI_ERROR + 1], n_found[OSI_ERROR + 1];
    size_t checked; /* bytes of expressions, see expression.c */
    bool flat;      /* not below `semantic_model`: less is required */
};

/* A finding at a node (NULL: the text as a whole). */
void reader_error(struct reader *reader, const struct tree *at,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_warn(struct reader *reader, const struct tree *at,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An error that has no node yet. */
void reader_problem(struct reader *reader, const struct tree_problem *problem);
void reader_report(struct reader *reader, struct osi_report *report);

/* Suggestions cost time: only the first findings get them. */
bool reader_suggests(const struct reader *reader);

/* Warns of every key that is not in `known`, a list that ends with NULL. */
void reader_know(struct reader *reader, const struct tree *map,
                 const char *const *known);
/* Errors: keys that are no texts, or there twice; in all maps below. */
void reader_check_keys(struct reader *reader, const struct tree *node);

/* The first of the keys that is there and not null. `keys` ends with NULL. */
const struct tree *reader_pick(const struct tree *map, const char *const *keys);
const struct tree *reader_value(const struct tree *map, const char *key);

/* A text without blanks around it; a node of another kind is an error. */
struct str reader_text(struct reader *reader, const struct tree *node);
/* A text that must be there, on one line. `of` is a map that lacks it if node
 * is NULL, `key` its name for the message. */
struct str reader_name(struct reader *reader, const struct tree *of,
                       const struct tree *node, const char *key);
bool reader_bool(struct reader *reader, const struct tree *node,
                 bool otherwise);
/* Texts; a single text is a list of one. */
struct str_list reader_texts(struct reader *reader, const struct tree *node);
/* NULL, with an error unless it was absent, when it is not a list. */
const struct tree *reader_list(struct reader *reader, const struct tree *node);
bool reader_is_map(struct reader *reader, const struct tree *node);
struct hints reader_hints(struct reader *reader, const struct tree *of);

/* Names within one list. A name that is there already is an error, one that
 * differs in case alone a warning. */
struct reader_names {
    struct map map;
    const char *what; /* "field" */
};
void reader_names_init(struct reader_names *names, struct reader *reader,
                       const char *what);
void reader_names_add(struct reader_names *names, struct reader *reader,
                      const struct tree *at, struct str name);

/* Parts of the model. */
void osi_read_datasets(struct reader *reader, const struct tree *list);
void osi_read_relationships(struct reader *reader, const struct tree *list);
void osi_read_metrics(struct reader *reader, const struct tree *list);
