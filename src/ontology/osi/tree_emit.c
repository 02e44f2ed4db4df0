/* tree_emit.c - writes a part of the tree as YAML.
 *
 * Texts keep their style if that is safe. A text is written plain only if no
 * reader can take it for anything else, and as a literal block only if all its
 * lines come back unchanged; otherwise it is written in double quotes. */
#include "tree.h"
#include <string.h>
#include "base/banned.h"

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/* C1 controls, U+2028, U+2029 and U+FEFF: some readers take them for line
 * breaks, or drop them. */
static bool is_odd(struct str s, size_t at)
{
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    size_t left = s.len - at;
    return (left > 1 && p[0] == 0xc2 && p[1] < 0xa0) ||
           (left > 2 && p[0] == 0xe2 && p[1] == 0x80 &&
            (p[2] == 0xa8 || p[2] == 0xa9)) ||
           (left > 2 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf);
}

/* Only printable characters, and line feeds if `lines`. */
static bool is_clean(struct str s, bool lines)
{
    for (size_t at = 0; at < s.len; at++) {
        unsigned char c = (unsigned char)s.ptr[at];
        if ((is_control(c) && !(lines && c == '\n')) || is_odd(s, at))
            return false;
    }
    return true;
}

static bool is_plain(struct str s)
{
    if (s.len == 0 || *s.ptr == ' ' || s.ptr[s.len - 1] == ' ' ||
        s.ptr[s.len - 1] == ':' || !is_clean(s, false))
        return false;
    bool dashed = strchr("-?:", *s.ptr) && s.len > 1 && s.ptr[1] != ' ';
    if (strchr("-?:,[]{}#&*!|>'\"%@`", *s.ptr) && !dashed)
        return false;
    return str_find(s, STR(": ")) < 0 && str_find(s, STR(" #")) < 0 &&
           !str_starts(s, STR("---")) && !str_starts(s, STR("...")) &&
           !str_is(s, "<<");
}

/* A literal block preserves this text: no line consists of or ends with blanks,
 * and the first line, which sets the indentation, does not begin with one. */
static bool is_literal(struct str s)
{
    if (s.len < 2 || *s.ptr == ' ' || *s.ptr == '\n' || !is_clean(s, true))
        return false;
    return str_find(s, STR(" \n")) < 0 && str_find(s, STR("\n\n\n")) < 0 &&
           s.ptr[s.len - 1] != ' ' && !str_ends(s, STR("\n\n")) &&
           str_find_char(s, '\n') >= 0;
}

static void indent(struct buf *out, int depth)
{
    for (int i = 0; i < depth; i++)
        buf_bytes(out, "  ", 2);
}

static void emit_double_char(struct str s, size_t at, struct buf *out)
{
    unsigned char c = (unsigned char)s.ptr[at];
    if (c == '"' || c == '\\')
        buf_printf(out, "\\%c", c);
    else if (c == '\n')
        buf_text(out, "\\n");
    else if (c == '\t')
        buf_text(out, "\\t");
    else if (c == '\r')
        buf_text(out, "\\r");
    else if (is_control(c))
        buf_printf(out, "\\x%02x", c);
    else
        buf_char(out, (char)c);
}

void tree_quote(struct str s, struct buf *out)
{
    buf_char(out, '"');
    for (size_t at = 0; at < s.len; at++) {
        const unsigned char *p = (const unsigned char *)s.ptr + at;
        if (!is_odd(s, at)) {
            emit_double_char(s, at, out);
        } else if (*p == 0xc2) {
            buf_printf(out, "\\x%02x", p[1]);
            at++;
        } else {
            buf_text(out, *p == 0xef     ? "\\ufeff"
                          : p[2] == 0xa8 ? "\\u2028"
                                         : "\\u2029");
            at += 2;
        }
    }
    buf_char(out, '"');
}

static void emit_literal(struct str s, int depth, struct buf *out)
{
    bool ends = str_ends(s, STR("\n"));
    buf_text(out, ends ? "|" : "|-");
    struct str rest = ends ? str_cut(s, 0, s.len - 1) : s, line;
    while (str_split(&rest, '\n', &line)) {
        buf_char(out, '\n');
        if (line.len)
            indent(out, depth);
        buf_str(out, line);
    }
}

static void emit_text(const struct tree *node, int depth, struct buf *out)
{
    struct str s = node->text;
    bool null = tree_is_null(node);
    if (node->style == TREE_BLOCK && depth > 0 && is_literal(s))
        emit_literal(s, depth, out);
    else if (node->style == TREE_SINGLE && is_clean(s, false))
        buf_quoted(out, s, '\'');
    else if (null || (node->style == TREE_PLAIN && is_plain(s)))
        buf_str(out, s);
    else
        tree_quote(s, out);
}

static void emit_node(const struct tree *node, int depth, struct buf *out);

static void emit_key(const struct tree *key, struct buf *out)
{
    struct tree text = *key;
    if (text.text.len == 0)
        text.style = TREE_DOUBLE;
    emit_text(&text, 0, out);
    buf_char(out, ':');
}

static bool is_open(const struct tree *node)
{
    return node->kind != TREE_TEXT && node->n > 0;
}

static void emit_map(const struct tree *map, int depth, struct buf *out)
{
    for (const struct tree *v = map->first; v; v = v->next) {
        if (v != map->first)
            indent(out, depth);
        emit_key(v->key, out);
        if (is_open(v)) {
            buf_char(out, '\n');
            indent(out, depth + 1);
        } else if (v->kind != TREE_TEXT || v->text.len ||
                   v->style != TREE_PLAIN) {
            buf_char(out, ' ');
        }
        emit_node(v, depth + 1, out);
    }
}

static void emit_list(const struct tree *list, int depth, struct buf *out)
{
    for (const struct tree *v = list->first; v; v = v->next) {
        if (v != list->first)
            indent(out, depth);
        buf_text(out, "- ");
        emit_node(v, depth + 1, out);
    }
}

/* Writes a node where the cursor is, and a line feed after it. */
static void emit_node(const struct tree *node, int depth, struct buf *out)
{
    if (is_open(node) && node->kind == TREE_MAP) {
        emit_map(node, depth, out);
    } else if (is_open(node)) {
        emit_list(node, depth, out);
    } else {
        if (node->kind == TREE_TEXT)
            emit_text(node, depth, out);
        else
            buf_text(out, node->kind == TREE_MAP ? "{}" : "[]");
        buf_char(out, '\n');
    }
}

void tree_emit(const struct tree *node, struct buf *out)
{
    emit_node(node, 0, out);
}
