/* tree.c - tree_read: limits and encoding, then the gate, then the links; and
 * lookups in the tree. */
#include "tree.h"
#include "base/utf8.h"
#include "ontology/osi.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct tree *refuse_text(struct tree_problem *problem,
                                const char *message)
{
    snprintf(problem->message, sizeof problem->message, "%s", message);
    return NULL;
}

static size_t sequence_length(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static size_t first_bad_byte(struct str text)
{
    size_t at = 0;
    while (at < text.len) {
        size_t len = sequence_length((unsigned char)text.ptr[at]);
        if (at + len > text.len || !utf8_valid(str_cut(text, at, len)))
            break;
        at += len;
    }
    return at;
}

void tree_locate(struct str text, size_t offset, struct tree_problem *problem)
{
    problem->line = 1;
    problem->column = 1;
    for (size_t at = 0; at < offset && at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];
        if (c == '\n') {
            problem->line++;
            problem->column = 1;
        } else if ((c & 0xc0) != 0x80) {
            problem->column++;
        }
    }
}

static int hex4(const char *p)
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(p[i] | 0x20);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        n = n * 16 + digit;
    }
    return n;
}

/* The code point of a surrogate pair "\ud83d\ude00" at p, or 0. */
static unsigned pair_at(const char *p, size_t left)
{
    if (left < 12 || p[1] != 'u' || p[6] != '\\' || p[7] != 'u')
        return 0;
    int high = hex4(p + 2), low = hex4(p + 8);
    if (high < 0xd800 || high > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return 0;
    return 0x10000u + (((unsigned)high - 0xd800u) << 10) +
           ((unsigned)low - 0xdc00u);
}

/* JSON writes a character beyond U+FFFF as two escapes, YAML as one. */
static struct str join_surrogates(struct arena *arena, struct str text)
{
    struct str start = str_trim(text);
    bool json = start.len && (*start.ptr == '{' || *start.ptr == '[');
    if (!json || str_find_nocase(text, STR("\\ud")) < 0)
        return text;
    struct buf out;
    buf_init(&out, arena);
    buf_reserve(&out, text.len);
    bool quoted = false;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        quoted ^= c == '"';
        if (c != '\\' || !quoted) {
            buf_char(&out, c);
            continue;
        }
        unsigned code = pair_at(text.ptr + at, text.len - at);
        if (code)
            buf_printf(&out, "\\U%08x", code);
        else
            buf_bytes(&out, text.ptr + at, at + 1 < text.len ? 2 : 1);
        at += code ? 11 : 1;
    }
    return buf_view(&out);
}

struct tree *tree_read(struct arena *arena, struct str text,
                       struct tree_problem *problem)
{
    *problem = (struct tree_problem){0};
    if (text.len > OSI_MAX_BYTES)
        return refuse_text(problem, "larger than 256 KB");
    if (!utf8_valid(text)) {
        tree_locate(text, first_bad_byte(text), problem);
        return refuse_text(problem, "not UTF-8");
    }
    if (str_starts(text, STR("\xef\xbb\xbf")))
        text = str_from(text, 3);
    if (text.len == 0)
        return refuse_text(problem, "the text is empty");
    text = join_surrogates(arena, text);
    struct tree_count count;
    if (!tree_gate(text, NULL, NULL, &count, problem))
        return NULL;
    struct tree *nodes = arena_new_array(arena, struct tree, count.nodes);
    char *room = arena_alloc(arena, count.room);
    bool fine = tree_gate(text, nodes, room, &count, problem) &&
                tree_link(arena, nodes, count.nodes, problem);
    return fine ? nodes : NULL;
}

struct tree *tree_get(const struct tree *map, const char *key)
{
    if (!map || map->kind != TREE_MAP)
        return NULL;
    for (struct tree *child = map->first; child; child = child->next)
        if (str_is(child->key->text, key))
            return child;
    return NULL;
}

bool tree_is_null(const struct tree *node)
{
    return node->kind == TREE_TEXT && node->style == TREE_PLAIN &&
           (node->text.len == 0 || str_is(node->text, "~") ||
            str_is(node->text, "null") || str_is(node->text, "Null") ||
            str_is(node->text, "NULL"));
}

static void path_into(struct buf *out, const struct tree *node)
{
    if (!node->parent)
        return;
    path_into(out, node->parent);
    buf_char(out, '/');
    if (!node->key)
        buf_uint(out, node->place);
    else
        buf_str(out, utf8_cut(node->key->text, 80));
}

struct str tree_path(struct arena *arena, const struct tree *node)
{
    struct buf out;
    buf_init(&out, arena);
    path_into(&out, node);
    return buf_finish(&out);
}
