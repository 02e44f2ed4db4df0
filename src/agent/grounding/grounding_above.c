/* grounding_above.c - what the top of a table in a text says of the figures below it;
 * see grounding_above.h. */
#include "grounding_above.h"
#include "prose.h"
#include "base/banned.h"

/* The text of the cell of a row at a place, or of the name above it. */
static struct str cell_of(struct str row, size_t at)
{
    struct str cell = {0};
    for (size_t i = 0; i <= at; i++)
        if (!str_split(&row, '|', &cell))
            return STR("");
    return str_trim(cell);
}

struct str walk_name_above(const struct grounding_walk *w, size_t place)
{
    const struct wording_sentence *s = w->now.sentence;
    struct str text = w->wording.text;
    size_t n = 0;
    if (s->kind != SENTENCE_ROW)
        return STR("");
    for (size_t i = s->from; i < place; i++)
        n += text.ptr[i] == '|';
    const struct wording_sentence *top = &w->wording.sentences[s->top];
    return cell_of(str_cut(text, top->from, top->to - top->from), n);
}

/* "Change", "vs. 2024", "€/kg", "Revenue per order": the name of a column of a text's
 * table that its author computed. */
bool above_says_change(struct str name)
{
    char lower[16];
    bool found = str_find(name, STR("\xce\x94")) >= 0; /* a delta */
    for (size_t at = 0, end; !found && wording_next(name, &at, &end);
         at = end) {
        struct str word = {lower, end - at};
        if (word.len > sizeof lower)
            continue;
        wording_lower(lower, str_cut(name, at, word.len));
        found = prose_says(word, PROSE_CHANGE | PROSE_UP | PROSE_DOWN) ||
                wording_among(word, " diff difference delta yoy mom qoq vs ");
    }
    return found;
}

bool above_says_rate(struct str name)
{
    return str_find_char(name, '/') >= 0 ||
           str_find_nocase(name, STR(" per ")) >= 0 ||
           str_find_nocase(name, STR("ratio")) >= 0;
}

bool above_says_percent(struct str name)
{
    static const char *const parts[] = {"%", "share", "percent", "pct", NULL};
    for (const char *const *p = parts; *p; p++)
        if (str_find_nocase(name, str_of(*p)) >= 0)
            return true;
    return false;
}
