/* pattern.c - refuses regular expressions that could run for ever.
 *
 * PostgreSQL's matcher is a finite automaton, but back references make it
 * backtrack. A pattern that the query assembles may consist of any of its
 * literals, so all of them are judged together as one pattern. */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

enum {
    MAX_PATTERN = 1000,    /* bytes */
    MAX_BACKREF_LOOPS = 2, /* repetitions in a pattern with a back reference */
};

struct pattern_pieces {
    int loops;
    bool back;
    bool path; /* characters with which a jsonpath visits several values */
};

static bool is_back_reference(char c)
{
    return c >= '1' && c <= '9';
}

static void pieces_add_pattern(struct pattern_pieces *pieces, struct str s,
                               char escape, const char *repeats)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == escape) {
            i++;
            pieces->back |= i >= s.len || is_back_reference(s.ptr[i]);
        } else {
            pieces->loops += strchr(repeats, s.ptr[i]) != NULL;
        }
    }
}

/* The backslash of a back reference may be the last character of a piece, and
 * JSON may write it twice or as a code. */
static void pieces_add(struct pattern_pieces *pieces, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        bool last = i + 1 >= s.len;
        if (s.ptr[i] == '\\')
            pieces->back |=
                last || is_back_reference(s.ptr[i + 1]) || s.ptr[i + 1] == 'u';
    }
    for (size_t i = 0; i < s.len; i++)
        pieces->path |= strchr("*[?(", s.ptr[i]) != NULL;
    struct pattern_pieces loops = {0};
    pieces_add_pattern(&loops, s, '\\', "*+{");
    pieces->loops += loops.loops;
}

static void pieces_add_tree(struct pattern_pieces *pieces, const json_t *tree)
{
    struct node_children c = NODE_CHILDREN(tree);
    if (json_is_object(json_object_get(tree, "sval")))
        pieces_add(pieces,
                   json_get_text(json_object_get(tree, "sval"), "sval"));
    while (node_next(&c))
        pieces_add_tree(pieces, c.child);
}

static void pattern_judge(struct walk *walk,
                          const struct pattern_pieces *pieces, int location)
{
    if (pieces->back && pieces->loops > MAX_BACKREF_LOOPS)
        walk_refuse(
            walk, "too_costly", location,
            "A regular expression with a back reference may repeat at most "
            "%d times.",
            MAX_BACKREF_LOOPS);
}

/* The arguments of similar_to_escape(pattern, escape), which the grammar makes
 * of SIMILAR TO, or NULL. */
static const json_t *similar_arguments(const json_t *pattern)
{
    struct str name = node_function(pattern);
    return str_is(name, "similar_to_escape") || str_is(name, "similar_escape")
               ? json_object_get(node_inside(pattern, "FuncCall"), "args")
               : NULL;
}

void pattern_check(struct walk *walk, const json_t *pattern, int location)
{
    const json_t *similar = similar_arguments(pattern);
    bool own_escape = json_array_size(similar) > 1;
    struct str s = node_literal(similar ? json_array_get(similar, 0) : pattern);
    struct str escape =
        own_escape ? node_literal(json_array_get(similar, 1)) : STR("\\");
    struct pattern_pieces pieces = {0};
    if (!s.ptr || escape.len != 1) {
        walk->pattern_made = true;
        walk->pattern_escaped |= own_escape;
        walk->pattern_at = location;
        return;
    }
    if (s.len > MAX_PATTERN)
        walk_refuse(walk, "too_costly", location,
                    "A regular expression may have at most %d bytes.",
                    MAX_PATTERN);
    pieces_add_pattern(&pieces, s, *escape.ptr, similar ? "*+{%" : "*+{");
    pattern_judge(walk, &pieces, location);
}

/* Does the query call a function that could make a backslash? The keys are
 * those of mention_add. */
static bool makes_characters(const struct walk *walk)
{
    static const char *const keys[] = {"\nchr", "\nconvert_from", "\nencode",
                                       "\nreverse", "\nunistr"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (map_get(&walk->functions, str_of(keys[i])))
            return true;
    return false;
}

void patterns_check(struct walk *walk, const json_t *tree)
{
    bool characters = makes_characters(walk);
    struct pattern_pieces pieces = {.back = walk->pattern_escaped || characters,
                                    .path = characters};
    if (!walk->pattern_made && !walk->path_made)
        return;
    pieces_add_tree(&pieces, tree);
    if (walk->pattern_made)
        pattern_judge(walk, &pieces, walk->pattern_at);
    if (walk->path_made && pieces.path)
        walk_refuse(
            walk, "too_costly", walk->path_at,
            "A jsonpath with brackets, filters or wildcards must be one "
            "literal.");
}
