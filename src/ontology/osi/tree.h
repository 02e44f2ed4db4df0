/* tree.h - a YAML document as nodes that know where they stand.
 *
 * Made by tree_read alone (gate.c, then link.c); the rest of the floor never
 * sees a YAML library. All of it lives in one arena. */
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

/* The root, or NULL with *problem. See osi.h for what is refused. Holds no
 * memory outside the arena while it allocates there. */
struct tree *tree_read(struct arena *arena, struct str text,
                       struct tree_problem *problem);

/* The value of a key, or NULL. */
struct tree *tree_get(const struct tree *map, const char *key);
/* A text without quotes that YAML takes for null: "", ~, null. */
bool tree_is_null(const struct tree *node);
/* "/semantic_model/0/name", in the arena. */
struct str tree_path(struct arena *arena, const struct tree *node);
/* Block style, two spaces a level, ends with a line feed. */
void tree_emit(const struct tree *node, struct buf *out);
/* One text in double quotes, on one line. */
void tree_quote(struct str text, struct buf *out);

/* The two halves of tree_read.
 *
 * tree_gate lets libyaml read the whole text. With `nodes` NULL it checks and
 * counts; else it writes each node but its links into `nodes`, in document
 * order (keys before their values), and the texts into `room`. */
struct tree_count {
    size_t nodes;
    size_t room; /* bytes of all texts, and a NUL each */
};
bool tree_gate(struct str text, struct tree *nodes, char *room,
               struct tree_count *count, struct tree_problem *problem);

/* tree_link lets libfyaml read the nodes, written out anew in `arena`, and links
 * them as it sees them. */
bool tree_link(struct arena *arena, struct tree *nodes, size_t n,
               struct tree_problem *problem);

/* 1-based line and column of a byte. */
void tree_place(struct str text, size_t offset, struct tree_problem *problem);
