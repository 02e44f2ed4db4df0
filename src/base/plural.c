/* plural.c - the singular of an English plural: irregular words first, then
 * the rule of the ending. */
#include "base/plural.h"
#include "base/banned.h"

static const struct {
    const char *plural, *singular;
} irregular[] = {
    {"people", "person"},     {"children", "child"},     {"men", "man"},
    {"women", "woman"},       {"feet", "foot"},          {"mice", "mouse"},
    {"indices", "index"},     {"vertices", "vertex"},    {"matrices", "matrix"},
    {"analyses", "analysis"}, {"criteria", "criterion"}, {"series", "series"},
    {"species", "species"},   {"news", "news"},          {"statuses", "status"},
    {"bonuses", "bonus"},     {"campuses", "campus"},    {"buses", "bus"}};

static bool has_ending(struct str word, const char *const *endings)
{
    for (size_t i = 0; endings[i]; i++)
        if (str_ends(word, str_of(endings[i])))
            return true;
    return false;
}

struct singular_form plural_form(struct str word)
{
    static const char *const with_es[] = {"sses", "xes",  "ches",
                                          "shes", "zzes", NULL};
    static const char *const no_plural[] = {"ss", "us", "is", NULL};
    size_t len = word.len;
    for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++)
        if (str_is(word, irregular[i].plural))
            return (struct singular_form){0, irregular[i].singular};
    /* "movies" could be of "movie" or "movy": both words meet in "movy". */
    if (len > 4 && str_ends(word, STR("ies")))
        return (struct singular_form){len - 3, "y"};
    if (len > 4 && str_ends(word, STR("ie")))
        return (struct singular_form){len - 2, "y"};
    if (len < 3 || !str_ends(word, STR("s")) || has_ending(word, no_plural))
        return (struct singular_form){len, ""};
    return (struct singular_form){len - (has_ending(word, with_es) ? 2 : 1),
                                  ""};
}

struct str plural_to_singular(struct arena *arena, struct str word)
{
    struct singular_form form = plural_form(word);
    if (!*form.ending)
        return str_cut(word, 0, form.keep);
    if (form.keep == 0)
        return str_of(form.ending);
    return arena_printf(arena, "%.*s%s", (int)form.keep, word.ptr, form.ending);
}
