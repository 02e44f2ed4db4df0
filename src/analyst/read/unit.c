/* unit.c - the units that the names of numbers end with. */
#include "unit.h"
#include "field.h"
#include "words.h"
#include "base/banned.h"

enum { NAME_WORDS = 12 };

/* What is measured in a unit that may be something else, too. A short form is read
 * as its word before a unit. */
static const char lengths[] =
    "height width length depth distance elevation altitude radius diameter "
    "thickness";
static const char weights[] = "weight mass load";
static const char volumes[] = "volume capacity content";
static const char areas[] = "area size surface";
static const char times[] =
    "duration time delay wait runtime length latency age interval stay";
static const char rates[] =
    "discount tax vat margin growth interest commission yield markup "
    "occupancy humidity alcohol";

static const struct {
    const char *words;
    const char *of; /* NULL: of anything */
} units[] = {
    {"cm centimetre centimetres centimeter centimeters", NULL},
    {"mm millimetre millimetres millimeter millimeters", NULL},
    {"km kilometre kilometres kilometer kilometers", NULL},
    {"m metre metres meter meters", lengths},
    {"mi mile miles", lengths},
    {"ft feet foot", lengths},
    {"inch inches", lengths},
    {"kg kgs kilo kilos kilogram kilograms", NULL},
    {"lb lbs pound pounds", weights},
    {"g gram grams", weights},
    {"oz ounce ounces", weights},
    {"t ton tons tonne tonnes", weights},
    {"l litre litres liter liters", volumes},
    {"ml millilitre millilitres milliliter milliliters", volumes},
    {"sqm m2", NULL},
    {"ha hectare hectares", areas},
    {"ms millisecond milliseconds", times},
    {"s sec secs second seconds", times},
    {"min mins minute minutes", times},
    {"h hr hrs hour hours", times},
    {"d day days", times},
    {"eur euro euros", NULL},
    {"usd dollar dollars", NULL},
    {"gbp", NULL},
    {"chf franc francs", NULL},
    {"sek", NULL},
    {"nok", NULL},
    {"dkk", NULL},
    {"pln", NULL},
    {"keur teur", NULL},
    {"meur", NULL},
    {"kusd", NULL},
    {"musd", NULL},
    {"pct percent percentage", rates},
};

static const struct {
    const char *word, *full;
} measures[] = {
    {"dist", "distance"}, {"dur", "duration"}, {"len", "length"},
    {"wt", "weight"},     {"ht", "height"},    {"vol", "volume"},
    {"disc", "discount"}, {"alt", "altitude"}, {"dia", "diameter"},
};

static struct str measure_in_full(struct str word)
{
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (str_is(word, measures[i].word))
            return str_of(measures[i].full);
    return word;
}

/* The unit that ends the words of a name; SIZE_MAX: none. */
static size_t unit_at_end(const struct str *words, size_t n)
{
    if (n < 2 || str_is(words[n - 2], "per"))
        return SIZE_MAX;
    struct str of = measure_in_full(words[n - 2]);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (list_has(units[i].words, words[n - 1]) &&
            (!units[i].of || list_has(units[i].of, of)))
            return i;
    return SIZE_MAX;
}

size_t unit_less(struct arena *arena, const struct field *field,
                 struct str *words, size_t most)
{
    size_t n = full_words(arena, field->name, words, most);
    if (!field_is_number(field) || unit_at_end(words, n) == SIZE_MAX)
        return 0;
    n--;
    words[n - 1] = measure_in_full(words[n - 1]);
    return n;
}

bool has_unit(struct arena *arena, const struct field *field)
{
    struct str words[NAME_WORDS];
    return unit_less(arena, field, words, NAME_WORDS) > 0;
}

bool is_unit_word(struct str word)
{
    static const char others[] =
        "week weeks month months year years % $ cent cents yard yards";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (list_has(units[i].words, word))
            return true;
    return list_has(others, word);
}

bool unit_is(struct arena *arena, const struct field *field, struct str word)
{
    struct str words[NAME_WORDS];
    size_t n = full_words(arena, field->name, words, NAME_WORDS);
    size_t unit = field_is_number(field) ? unit_at_end(words, n) : SIZE_MAX;
    return unit != SIZE_MAX && list_has(units[unit].words, word);
}
