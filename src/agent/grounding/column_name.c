/* column_name.c - splits and compares the names of columns; see
 * column_name.h. */
#include "column_name.h"
#include "wording.h"
#include "base/banned.h"

void column_name_read(struct str name, struct split_name *out)
{
    struct str rest, part;
    out->n = 0;
    out->cut = name.len > sizeof out->lower;
    name = str_cut(name, 0, sizeof out->lower);
    wording_lower(out->lower, name);
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)out->lower[i] < 0x80 && !str_is_alnum(out->lower[i]))
            out->lower[i] = '_';
    rest = (struct str){out->lower, name.len};
    while (str_split(&rest, '_', &part)) {
        if (!part.len)
            continue;
        if (out->n == COLUMN_NAME_WORDS) {
            out->cut = true;
            return;
        }
        out->words[out->n++] = part;
    }
}

/* The usual short forms of words in names. */
static bool is_short_for(struct str less, struct str more)
{
    static const char *const forms[][2] = {
        {"temp", "temperature"}, {"temp", "temperatures"}, {"avg", "average"},
        {"max", "maximum"},      {"min", "minimum"},       {"qty", "quantity"},
        {"amt", "amount"},       {"dept", "department"},   {"num", "number"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_is(less, forms[i][0]) && str_is(more, forms[i][1]))
            return true;
    return false;
}

int column_word_end(struct str word)
{
    static const char high[] = " top max maximum highest longest peak largest "
                               "biggest greatest ";
    static const char low[] = " min minimum lowest shortest smallest least ";
    return word.len < 3                ? 0
           : wording_among(word, high) ? 1
           : wording_among(word, low)  ? -1
                                       : 0;
}

bool column_word_same(struct str a, struct str b)
{
    static const char shares[] = " pct percent percentage ";
    struct str less = a.len < b.len ? a : b, more = a.len < b.len ? b : a;
    if (str_eq(a, b))
        return true;
    if (!less.len || less.ptr[0] != more.ptr[0])
        return false;
    if (less.len + 2 < more.len && is_short_for(less, more))
        return true;
    if (wording_among(a, shares) && wording_among(b, shares))
        return true;
    if (less.len < 3)
        return false;
    if (more.len == less.len + 1)
        return str_starts(more, less) && str_ends(more, STR("s"));
    return more.len == less.len + 2 && str_ends(more, STR("ies")) &&
           str_ends(less, STR("y")) &&
           str_starts(more, str_cut(less, 0, less.len - 1));
}

bool column_word_done(struct str own, struct str word)
{
    static const char ends[] = " e es s al ing ings ed ation ations ";
    if (word.len < 5 || !str_ends(word, STR("ed")))
        return false;
    word.len -= 2;
    return str_starts(own, word) &&
           (own.len == word.len ||
            wording_among(str_from(own, word.len), ends));
}

bool column_name_has(struct str name, struct str word)
{
    struct split_name own;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n; i++)
        if (column_word_same(own.words[i], word))
            return true;
    return false;
}

bool column_name_among(struct str name, const char *list)
{
    struct split_name own;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n; i++)
        if (wording_among(own.words[i], list))
            return true;
    return false;
}

bool column_name_resembles(struct str name, struct str word)
{
    enum { LEAST = 4 };
    struct split_name own;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n; i++)
        if (own.words[i].len >= LEAST &&
            str_eq(wording_stem(own.words[i]), wording_stem(word)))
            return true;
    return false;
}
