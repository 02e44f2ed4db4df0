/* edit_text.h - changes single places of a YAML text and leaves the rest as it
 * is: comments, order, blank lines, quotes.
 *
 * Each function changes the tree and the lines of that place. Then the new text
 * is read: if it does not give the changed tree, the tree is written as a whole
 * (`rewritten`), which keeps everything except comments and layout. So a text
 * is always what was meant, whatever its style.
 *
 * After each change the tree is a new one: nodes of the old one are not valid
 * any more. */
#pragma once
#include "tree.h"

struct edit_text {
    struct arena *arena;
    struct str text;
    struct tree *root;
    bool rewritten; /* comments are lost */
    bool broken;    /* the text can no longer be read, as it is too large */
};

/* False if the text is not YAML. */
bool edit_text_begin(struct edit_text *e, struct arena *arena, struct str text);
/* Sets a key of a map; a new key comes after `after` (NULL: at the end). */
void edit_text_put(struct edit_text *e, struct tree *map, const char *key,
                   struct tree *value, const char *after);
/* Removes a key, and the map with it when that was its only one. */
void edit_text_drop(struct edit_text *e, struct tree *map, const char *key);
/* Adds an item to the end of a list that has some. */
void edit_text_add(struct edit_text *e, struct tree *list, struct tree *item);
/* Removes an item; the last one takes the list with it. */
void edit_text_remove(struct edit_text *e, struct tree *item);

/* Nodes to put: a text, an empty list or map, and what is in them. */
struct tree *edit_node_text(struct arena *arena, struct str text);
struct tree *edit_node_new(struct arena *arena, enum tree_kind kind);
void edit_node_item(struct tree *list, struct tree *item);
void edit_node_key(struct arena *arena, struct tree *map, const char *key,
                   struct tree *value);
