/* reader.h - shared by the files that read OSI.
 *
 * A reader walks the tree, fills the model and records findings; it does not
 * stop at the first error. A node may be NULL where a key was absent. */
#pragma once
#include "base/map.h"
#include "ontology/osi.h"
#include "tree.h"

struct osi_note; /* a finding on its way to the report */

struct osi_reader {
    struct arena *arena;
    struct ontology *model;
    struct osi_note *notes; /* the newest first */
    size_t n_kept[OSI_ERROR + 1], n_found[OSI_ERROR + 1];
    size_t checked; /* bytes of expressions, see expression.c */
    bool flat;      /* not below `semantic_model`: less is required */
};

/* Records a finding at a node (NULL: the text as a whole). */
void reader_error(struct osi_reader *reader, const struct tree *at,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_warn(struct osi_reader *reader, const struct tree *at,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Records an error of YAML itself, which has no node. */
void reader_problem(struct osi_reader *reader,
                    const struct tree_problem *problem);
void reader_report(struct osi_reader *reader, struct osi_report *report);

/* Suggestions cost time, so only the first findings get one. */
bool reader_suggests(const struct osi_reader *reader);

/* Warns of each key of the map that is not in `known`, which ends with NULL. */
void reader_warn_unknown_keys(struct osi_reader *reader, const struct tree *map,
                              const char *const *known);
/* Records an error for each key that occurs twice in a map, in the node and all
 * maps below it. */
void reader_check_keys(struct osi_reader *reader, const struct tree *node);

/* The value of the first of `keys` that is present and not null, or NULL.
 * `keys` ends with NULL. */
const struct tree *reader_pick(const struct tree *map, const char *const *keys);
const struct tree *reader_value(const struct tree *map, const char *key);

/* The text of a node, trimmed; a node of another kind is an error. */
struct str reader_text(struct osi_reader *reader, const struct tree *node);
/* A text that is required, on one line. If `node` is NULL, the error is at the
 * map `of`; `key` is the name for the message. */
struct str reader_name(struct osi_reader *reader, const struct tree *of,
                       const struct tree *node, const char *key);
/* As reader_text; warns of a datatype that is neither of OSI nor of SQL. */
struct str reader_datatype(struct osi_reader *reader, const struct tree *node);
bool reader_bool(struct osi_reader *reader, const struct tree *node,
                 bool otherwise);
/* A list of texts; a single text is a list of one. */
struct str_list reader_texts(struct osi_reader *reader,
                             const struct tree *node);
/* The node if it is a list; NULL otherwise, with an error unless it is
 * absent. */
const struct tree *reader_list(struct osi_reader *reader,
                               const struct tree *node);
bool reader_is_map(struct osi_reader *reader, const struct tree *node);
struct hints reader_hints(struct osi_reader *reader, const struct tree *of);

/* Names within one list. A duplicate is an error; a name that differs from
 * another only in case is a warning. */
struct reader_names {
    struct map map;
    const char *what; /* "field" */
};
void reader_names_init(struct reader_names *names, struct osi_reader *reader,
                       const char *what);
void reader_names_check(struct reader_names *names, struct osi_reader *reader,
                        const struct tree *at, struct str name);

/* Read the parts of a model into reader->model, in this order; `list` may be
 * NULL. */
void osi_read_datasets(struct osi_reader *reader, const struct tree *list);
void osi_read_relationships(struct osi_reader *reader, const struct tree *list);
void osi_read_metrics(struct osi_reader *reader, const struct tree *list);
