/* tree.h - a YAML document as nodes that know their line and column.
 *
 * Only tree_read builds it (gate.c, then link.c), and no other file of the
 * floor uses a YAML library. All nodes and texts are in one arena. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAP };
enum tree_style { TREE_PLAIN, TREE_SINGLE, TREE_DOUBLE, TREE_BLOCK };

struct tree {
    enum tree_kind kind;
    enum tree_style style; /* of a text */
    int line, column;      /* 1-based */
    struct str text;
    struct tree *parent;
    struct tree *key;   /* in a map: the node of its key; of a key: itself */
    struct tree *first; /* children: items, or values */
    struct tree *next;
    size_t n;     /* children */
    size_t place; /* among its siblings */
};

struct tree_problem {
    int line, column; /* 0: the text as a whole */
    char message[200];
};

/* Reads YAML or JSON; returns the root, or NULL with *problem filled. osi.h
 * says what is refused. Holds no memory outside the arena while it allocates
 * there, so that an exhausted arena may leave by a jump. */
struct tree *tree_read(struct arena *arena, struct str text,
                       struct tree_problem *problem);

/* The value of a key, or NULL. */
struct tree *tree_get(const struct tree *map, const char *key);
/* A text without quotes that means null in YAML: "", ~, null. */
bool tree_is_null(const struct tree *node);
/* The path of a node, in `arena`: "/semantic_model/0/name". */
struct str tree_path(struct arena *arena, const struct tree *node);
/* Appends a node as YAML: block style, two spaces a level, with a last line
 * feed. */
void tree_emit(const struct tree *node, struct buf *out);
/* Appends one text in double quotes, on one line. */
void tree_quote(struct str text, struct buf *out);

/* The two halves of tree_read.
 *
 * tree_gate lets libyaml read the whole text. With `nodes` NULL it only
 * checks and counts. Otherwise it writes the nodes, without their links,
 * into `nodes` in document order (keys before their values), and the texts
 * into `room`. False with *problem filled when the text is refused. */
struct tree_count {
    size_t nodes;
    size_t room; /* bytes of all texts, and a NUL each */
};
bool tree_gate(struct str text, struct tree *nodes, char *room,
               struct tree_count *count, struct tree_problem *problem);

/* tree_link writes the nodes as plain JSON text in `arena`, lets libfyaml parse
 * that, and links the nodes by its result. False with *problem on a
 * difference. */
bool tree_link(struct arena *arena, struct tree *nodes, size_t n,
               struct tree_problem *problem);

/* Sets the line and column (1-based) of a byte of the text. */
void tree_locate(struct str text, size_t offset, struct tree_problem *problem);
