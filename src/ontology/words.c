#include "words.h"
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

bool word_refers(struct str word)
{
    static const char *const list[] = {
        "id",   "ids", "key", "code", "no",  "nr",  "num", "number", "uuid",
        "guid", "fk",  "pk",  "sk",   "ref", "oid", "uid", NULL};
    return word_among(word, list);
}

bool word_is_preposition(struct str word)
{
    static const char *const list[] = {"to",  "by",  "of",   "from",
                                       "via", "for", "with", NULL};
    return word_among(word, list);
}

/* ---- one of many ---------------------------------------------------------- */

static const struct {
    const char *many, *one;
} odd[] = {{"people", "person"},   {"children", "child"},
           {"men", "man"},         {"women", "woman"},
           {"feet", "foot"},       {"mice", "mouse"},
           {"indices", "index"},   {"vertices", "vertex"},
           {"matrices", "matrix"}, {"criteria", "criterion"},
           {"series", "series"},   {"species", "species"},
           {"news", "news"},       {"data", "data"},
           {"media", "media"},     {"statuses", "status"},
           {"bonuses", "bonus"},   {"campuses", "campus"},
           {"buses", "bus"},       {NULL, NULL}};

static bool ends(struct str s, const char *with)
{
    return str_ends(s, str_of(with));
}

static struct str without(struct str s, size_t n)
{
    return str_cut(s, 0, s.len - n);
}

static struct str of_one(struct arena *arena, struct str s)
{
    for (size_t i = 0; odd[i].many; i++)
        if (str_is(s, odd[i].many))
            return str_of(odd[i].one);
    /* A movie and a category end alike, so that their many do too. */
    if (ends(s, "ie") || (ends(s, "ies") && s.len > 4))
        return arena_printf(arena, "%.*sy",
                            STR_ARG(without(s, ends(s, "s") ? 3 : 2)));
    if (s.len < 4 || !ends(s, "s") || ends(s, "ss") || ends(s, "us") ||
        ends(s, "is"))
        return s;
    if (ends(s, "sses") || ends(s, "xes") || ends(s, "ches") ||
        ends(s, "shes") || ends(s, "zzes"))
        return without(s, 2);
    return without(s, 1);
}

/* ---- splitting ------------------------------------------------------------ */

/* A word begins here: behind what is no word, at "aB", and at the B of "ABc". */
static bool begins(struct str name, size_t at)
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

static struct str folded(struct arena *arena, struct str s)
{
    char *copy = arena_cstr(arena, s);
    for (size_t i = 0; i < s.len; i++)
        if (is_upper(copy[i]))
            copy[i] = (char)(copy[i] + 32);
    return (struct str){copy, s.len};
}

static void add(struct arena *arena, struct name_words *w, struct str word)
{
    if (w->n == NAME_WORDS) {
        memmove(w->items, w->items + 1, (NAME_WORDS - 1) * sizeof *w->items);
        memmove(w->one, w->one + 1, (NAME_WORDS - 1) * sizeof *w->one);
        w->n--;
    }
    w->items[w->n] = folded(arena, word);
    w->one[w->n] = of_one(arena, w->items[w->n]);
    w->n++;
}

struct name_words name_words(struct arena *arena, struct str name)
{
    struct name_words w = {.n = 0};
    size_t from = 0;
    for (size_t at = 0; at <= name.len; at++) {
        bool over = at == name.len || !is_word(name.ptr[at]);
        if (!over && !begins(name, at))
            continue;
        if (at > from && is_word(name.ptr[from]))
            add(arena, &w, str_cut(name, from, at - from));
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
