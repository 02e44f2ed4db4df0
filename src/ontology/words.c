/* words.c - splits the names of tables and columns into words. */
#include "words.h"
#include "base/plural.h"
#include "sql_name.h"
#include <string.h>
#include "base/banned.h"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

bool word_among(struct str word, const char *const *list)
{
    while (*list && !str_is(word, *list))
        list++;
    return *list != NULL;
}

/* Most words differ in their first letter: only the others are compared. */
bool word_among_nocase(struct str word, const char *const *list)
{
    for (; word.len && *list; list++)
        if (((*list)[0] | 0x20) == (word.ptr[0] | 0x20) &&
            str_eq_nocase(word, str_of(*list)))
            return true;
    return false;
}

bool word_refers(struct str word)
{
    static const char *const list[] = {
        "id",   "ids", "key", "code", "no",  "nr",  "num", "number", "uuid",
        "guid", "fk",  "pk",  "sk",   "ref", "oid", "uid", "cd",     NULL};
    return word_among(word, list);
}

bool word_is_preposition(struct str word)
{
    static const char *const list[] = {"to",  "by",  "of",   "from",
                                       "via", "for", "with", NULL};
    return word_among(word, list);
}

/* ---- splitting
 * ------------------------------------------------------------ */

/* A word begins at `at`: after a character that belongs to no word, at the B of
 * "aB", and at the B of "ABc". */
static bool word_begins(struct str name, size_t at)
{
    char c = name.ptr[at];
    if (at == 0 || !is_word(name.ptr[at - 1]))
        return true;
    if (!is_upper(c))
        return false;
    bool after_upper = is_upper(name.ptr[at - 1]);
    bool before_lower =
        at + 1 < name.len && name.ptr[at + 1] >= 'a' && name.ptr[at + 1] <= 'z';
    return !after_upper || before_lower;
}

static void add_word(struct arena *arena, struct name_words *w, struct str word)
{
    if (w->n == NAME_WORDS) {
        memmove(w->items, w->items + 1, (NAME_WORDS - 1) * sizeof *w->items);
        memmove(w->one, w->one + 1, (NAME_WORDS - 1) * sizeof *w->one);
        w->n--;
    }
    w->items[w->n] = sql_fold(arena, word);
    w->one[w->n] = plural_to_singular(arena, w->items[w->n]);
    w->n++;
}

struct name_words name_words(struct arena *arena, struct str name)
{
    struct name_words w = {.n = 0};
    size_t from = 0;
    for (size_t at = 0; at <= name.len; at++) {
        bool over = at == name.len || !is_word(name.ptr[at]);
        if (!over && !word_begins(name, at))
            continue;
        if (at > from && is_word(name.ptr[from]))
            add_word(arena, &w, str_cut(name, from, at - from));
        from = over ? at + 1 : at;
    }
    return w;
}

struct str name_joined(struct arena *arena, const struct name_words *w,
                       size_t from, size_t to)
{
    size_t len = 0;
    char *copy;
    for (size_t i = from; i < to; i++)
        len += w->one[i].len;
    copy = arena_alloc(arena, len + 1);
    len = 0;
    for (size_t i = from; i < to; i++) {
        memcpy(copy + len, w->one[i].ptr, w->one[i].len);
        len += w->one[i].len;
    }
    return (struct str){copy, len};
}
