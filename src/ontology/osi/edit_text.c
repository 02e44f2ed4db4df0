/* edit_text.c - see edit_text.h.
 *
 * A place is an entry: a key with its value, or an item of a list, each in block
 * style, so that it has lines of its own. Where a change is inside a flow style
 * ({a: b}), the nearest entry around it is written again. */
#include "edit_text.h"
#include <string.h>
#include "base/banned.h"

/* ---- nodes ---------------------------------------------------------------- */

/* Other readers of YAML take these for something else than texts. */
static bool is_word_of_yaml(struct str s)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n",   NULL};
    for (const char *const *w = words; *w; w++)
        if (str_eq_nocase(s, str_of(*w)))
            return true;
    return !s.len || !(((*s.ptr | 0x20) >= 'a' && (*s.ptr | 0x20) <= 'z') ||
                       (unsigned char)*s.ptr >= 0x80);
}

struct tree *edit_node_text(struct arena *arena, struct str text)
{
    struct tree *node = arena_new(arena, struct tree);
    node->text = arena_str(arena, text);
    node->style = str_find_char(text, '\n') >= 0 ? TREE_BLOCK
                  : is_word_of_yaml(text)        ? TREE_DOUBLE
                                                 : TREE_PLAIN;
    return node;
}

struct tree *edit_node_new(struct arena *arena, enum tree_kind kind)
{
    struct tree *node = arena_new(arena, struct tree);
    node->kind = kind;
    return node;
}

static void insert_child(struct tree *parent, struct tree **at,
                         struct tree *child)
{
    child->parent = parent;
    child->next = *at;
    *at = child;
    parent->n++;
}

static struct tree **end_of(struct tree *parent)
{
    struct tree **at = &parent->first;
    while (*at)
        at = &(*at)->next;
    return at;
}

void edit_node_item(struct tree *list, struct tree *item)
{
    insert_child(list, end_of(list), item);
}

static void set_key(struct arena *arena, struct tree *value, const char *key)
{
    value->key = edit_node_text(arena, str_of(key));
    value->key->style = TREE_PLAIN;
    value->key->key = value->key;
}

void edit_node_key(struct arena *arena, struct tree *map, const char *key,
                   struct tree *value)
{
    set_key(arena, value, key);
    insert_child(map, end_of(map), value);
}

static void unlink_child(struct tree *child)
{
    struct tree **at = &child->parent->first;
    while (*at != child)
        at = &(*at)->next;
    *at = child->next;
    child->parent->n--;
}

static bool same_tree(const struct tree *a, const struct tree *b)
{
    if (a->kind != b->kind || a->n != b->n)
        return false;
    if (a->kind == TREE_TEXT)
        return str_eq(a->text, b->text) && tree_is_null(a) == tree_is_null(b);
    for (a = a->first, b = b->first; a; a = a->next, b = b->next)
        if ((a->key && !str_eq(a->key->text, b->key->text)) || !same_tree(a, b))
            return false;
    return true;
}

/* ---- lines ---------------------------------------------------------------- */

static struct str line_at(struct str text, int line)
{
    struct str rest = text, piece = STR("");
    for (int i = 0; i < line; i++)
        if (!str_split(&rest, '\n', &piece))
            return STR("");
    return piece;
}

/* The byte at which a line (from 1) begins; the end of the text after the last
 * one. */
static size_t line_start(struct str text, int line)
{
    size_t at = 0;
    for (int i = 1; i < line; i++) {
        const char *feed =
            at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;
        if (!feed)
            return text.len;
        at = (size_t)(feed - text.ptr) + 1;
    }
    return at;
}

static int count_lines(struct str text)
{
    int n = 1;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

/* The entry's first byte, which has only blanks and dashes to its left. */
static const struct tree *mark_of(const struct tree *node)
{
    return node->key ? node->key : node;
}

static bool only_dashes(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != ' ' && s.ptr[i] != '-')
            return false;
    return true;
}

/* A map or list in block style begins where its first child does; that of a list
 * is a dash. */
static bool is_block(struct str text, const struct tree *parent)
{
    if (!parent->first || !parent->line)
        return false;
    struct str line = line_at(text, parent->line);
    size_t at = (size_t)parent->column - 1;
    if (at >= line.len || !only_dashes(str_cut(line, 0, at)))
        return false;
    if (parent->kind == TREE_LIST)
        return line.ptr[at] == '-';
    const struct tree *key = parent->first->key;
    return key->line == parent->line && key->column == parent->column;
}

/* The first line after the entry, without the comments and blank lines before
 * the next one. */
static int line_after(struct str text, const struct tree *entry)
{
    const struct tree *up = entry;
    while (up && !up->next)
        up = up->parent;
    int first = mark_of(entry)->line;
    int after = up ? mark_of(up->next)->line : count_lines(text) + 1;
    while (after > first + 1) {
        struct str line = str_trim(line_at(text, after - 1));
        if (line.len && *line.ptr != '#')
            break;
        after--;
    }
    return after;
}

/* ---- splices -------------------------------------------------------------- */

struct splice {
    size_t from, to;  /* bytes that are replaced */
    size_t indent;    /* of the new lines */
    const char *dash; /* before the first line: "- " or "" */
    bool open_line;   /* the text before it does not end a line */
    bool known;       /* false: no entry around it, write the whole text */
    struct str tail;  /* a comment that stays */
};

/* The comment after a value on one line. */
static struct str comment_after(struct str text, const struct tree *node)
{
    struct str line = line_at(text, node->line);
    bool one = node->kind == TREE_TEXT && node->style == TREE_PLAIN;
    ptrdiff_t at = one ? str_find(line, STR(" #")) : -1;
    return at < 0 ? STR("") : str_from(line, (size_t)at);
}

/* The lines of an entry, or of the nearest one around it. *entry is that. */
static struct splice splice_of(struct str text, struct tree **entry)
{
    struct splice s = {.dash = ""};
    while ((*entry)->parent && !is_block(text, (*entry)->parent))
        *entry = (*entry)->parent;
    if (!(*entry)->parent)
        return s;
    const struct tree *mark = mark_of(*entry);
    s.indent = (size_t)mark->column - 1;
    s.from = line_start(text, mark->line) + s.indent;
    s.to = line_start(text, line_after(text, *entry));
    s.known = s.from <= text.len && s.from < s.to;
    s.open_line = true;
    return s;
}

static void put_lines(struct buf *out, struct str lines, const struct splice *s)
{
    struct str line;
    bool first = true;
    while (str_split(&lines, '\n', &line) && (line.len || lines.len)) {
        for (size_t i = 0;
             (!first || !s->open_line) && line.len && i < s->indent; i++)
            buf_char(out, ' ');
        if (*s->dash && line.len)
            buf_text(out, first ? s->dash : "  ");
        buf_str(out, line);
        if (first && !lines.len)
            buf_str(out, s->tail);
        buf_char(out, '\n');
        first = false;
    }
}

/* An entry as lines, without indentation. */
static struct str entry_lines(struct arena *arena, const struct tree *entry)
{
    struct buf out;
    struct tree only = *entry, parent = {.kind = TREE_MAP, .n = 1};
    buf_init(&out, arena);
    only.next = NULL;
    parent.first = &only;
    tree_emit(entry->key ? &parent : &only, &out);
    return buf_view(&out);
}

/* Reads the new text; if it is not the tree, writes that. */
static void take_text(struct edit_text *e, struct str text)
{
    struct tree_problem problem;
    struct tree *read = text.len ? tree_read(e->arena, text, &problem) : NULL;
    if (!read || !same_tree(read, e->root)) {
        struct buf whole;
        buf_init(&whole, e->arena);
        tree_emit(e->root, &whole);
        text = buf_view(&whole);
        read = tree_read(e->arena, text, &problem);
        e->rewritten = true;
    }
    e->broken = e->broken || !read;
    if (read) {
        e->text = text;
        e->root = read;
    }
}

/* The text with the splice's bytes replaced by these lines. */
static void apply(struct edit_text *e, const struct splice *s, struct str lines)
{
    struct buf out;
    if (!s->known) {
        take_text(e, STR(""));
        return;
    }
    buf_init(&out, e->arena);
    buf_str(&out, str_cut(e->text, 0, s->from));
    if (out.len && !s->open_line && out.ptr[out.len - 1] != '\n')
        buf_char(&out, '\n');
    put_lines(&out, lines, s);
    buf_str(&out, str_from(e->text, s->to));
    take_text(e, buf_view(&out));
}

/* ---- the changes ---------------------------------------------------------- */

bool edit_text_begin(struct edit_text *e, struct arena *arena, struct str text)
{
    struct tree_problem problem;
    if (str_starts(text, STR("\xef\xbb\xbf")))
        text = str_from(text, 3);
    *e = (struct edit_text){.arena = arena, .text = text};
    e->root = tree_read(arena, text, &problem);
    return e->root != NULL;
}

/* Writes an entry again, or the one around it, after a change inside it. */
static void rewrite_entry(struct edit_text *e, const struct splice *s,
                          const struct tree *entry)
{
    apply(e, s, s->known ? entry_lines(e->arena, entry) : STR(""));
}

static void replace_value(struct edit_text *e, struct tree *old,
                          struct tree *value)
{
    struct tree *entry = old;
    struct splice s = splice_of(e->text, &entry);
    if (entry == old && value->kind == TREE_TEXT)
        s.tail = comment_after(e->text, old);
    value->key = old->key;
    value->parent = old->parent;
    value->next = old->next;
    struct tree **at = &old->parent->first;
    while (*at && *at != old)
        at = &(*at)->next;
    *at = value;
    rewrite_entry(e, &s, entry == old ? value : entry);
}

/* New lines after a sibling in block style. */
static struct splice splice_after(struct str text, const struct tree *sibling,
                                  size_t indent, const char *dash)
{
    size_t at = line_start(text, line_after(text, sibling));
    return (struct splice){
        .from = at, .to = at, .indent = indent, .dash = dash, .known = true};
}

void edit_text_put(struct edit_text *e, struct tree *map, const char *key,
                   struct tree *value, const char *after)
{
    struct tree *old = tree_get(map, key), *entry = map;
    if (old) {
        replace_value(e, old, value);
        return;
    }
    struct tree *sibling = after ? tree_get(map, after) : NULL;
    for (struct tree *v = map->first; !sibling && v; v = v->next)
        if (!v->next)
            sibling = v;
    bool block = sibling && is_block(e->text, map);
    struct splice s =
        block ? splice_after(e->text, sibling, (size_t)map->column - 1, "")
              : splice_of(e->text, &entry);
    set_key(e->arena, value, key);
    insert_child(map, sibling ? &sibling->next : &map->first, value);
    rewrite_entry(e, &s, block ? value : entry);
}

/* Removes the lines of a child that is not the only one. */
static void remove_child(struct edit_text *e, struct tree *child)
{
    struct tree *parent = child->parent, *entry = child;
    struct splice s = splice_of(e->text, &entry);
    struct str line = line_at(e->text, mark_of(child)->line);
    bool alone = entry == child && s.known &&
                 (parent->kind == TREE_LIST ||
                  str_find_char(str_cut(line, 0, s.indent), '-') < 0);
    if (!alone) { /* its line also begins what is around it */
        entry = parent;
        s = splice_of(e->text, &entry);
        unlink_child(child);
        rewrite_entry(e, &s, entry);
        return;
    }
    s.from = line_start(e->text, mark_of(child)->line);
    s.open_line = false;
    unlink_child(child);
    apply(e, &s, STR(""));
}

static void remove_node(struct edit_text *e, struct tree *node)
{
    while (node->parent && node->parent->n == 1 && node->parent->parent)
        node = node->parent;
    if (node->parent)
        remove_child(e, node);
}

void edit_text_drop(struct edit_text *e, struct tree *map, const char *key)
{
    struct tree *old = tree_get(map, key);
    if (old)
        remove_node(e, old);
}

void edit_text_remove(struct edit_text *e, struct tree *item)
{
    remove_node(e, item);
}

void edit_text_add(struct edit_text *e, struct tree *list, struct tree *item)
{
    struct tree *last = list->first, *entry = list;
    while (last && last->next)
        last = last->next;
    bool block = last && is_block(e->text, list);
    struct splice s =
        block ? splice_after(e->text, last, (size_t)list->column - 1, "- ")
              : splice_of(e->text, &entry);
    edit_node_item(list, item);
    rewrite_entry(e, &s, block ? item : entry);
}
