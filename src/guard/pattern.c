/* pattern.c - regular expressions that take for ever.
 *
 * Back references make PostgreSQL's matcher backtrack; without them it is a finite
 * automaton. A pattern that a query puts together may be made of any of its
 * literals, so these are judged as if they were one. */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

enum {
    MAX_PATTERN = 1000,    /* bytes */
    MAX_BACKREF_LOOPS = 2, /* repetitions beside a back reference */
};

struct pieces {
    int loops;
    bool back;
};

/* Whole, a back reference is a backslash and a digit; in pieces the backslash may
 * be the last of one. */
static void add_piece(struct pieces *pieces, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\\') {
            i++;
            pieces->back |= i >= s.len || (s.ptr[i] >= '1' && s.ptr[i] <= '9');
        } else {
            pieces->loops += strchr("*+{", s.ptr[i]) != NULL;
        }
    }
}

static void add_all(struct pieces *pieces, const json_t *tree)
{
    const char *name;
    size_t i;
    json_t *child;
    if (json_is_object(json_object_get(tree, "sval")))
        add_piece(pieces, json_get_text(json_object_get(tree, "sval"), "sval"));
    json_object_foreach((json_t *)tree, name, child)
    {
        add_all(pieces, child);
    }
    json_array_foreach(tree, i, child)
    {
        add_all(pieces, child);
    }
}

static void judge(struct walk *walk, const struct pieces *pieces, int location)
{
    if (pieces->back && pieces->loops > MAX_BACKREF_LOOPS)
        refuse(walk, "too_costly", location,
               "A regular expression with a back reference may repeat at most "
               "%d times.",
               MAX_BACKREF_LOOPS);
}

void pattern_check(struct walk *walk, const json_t *pattern, int location)
{
    struct str s = node_literal(pattern);
    struct pieces pieces = {0};
    if (!s.ptr) {
        walk->pattern_made = true;
        walk->pattern_at = location;
        return;
    }
    if (s.len > MAX_PATTERN)
        refuse(walk, "too_costly", location,
               "A regular expression may have at most %d bytes.", MAX_PATTERN);
    add_piece(&pieces, s);
    judge(walk, &pieces, location);
}

/* A backslash out of something else; keys of lineage.c. */
static bool makes_characters(const struct walk *walk)
{
    static const char *const keys[] = {"\nchr", "\nconvert_from", "\nreverse",
                                       "\nunistr"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (walk->functions.seen.count &&
            map_get(&walk->functions.seen, str_of(keys[i])))
            return true;
    return false;
}

void patterns_check(struct walk *walk, const json_t *tree)
{
    struct pieces pieces = {.back = makes_characters(walk)};
    if (!walk->pattern_made)
        return;
    add_all(&pieces, tree);
    judge(walk, &pieces, walk->pattern_at);
}
