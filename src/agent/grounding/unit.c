/* unit.c - units of measure, currencies and scales; see unit.h. */
#include "unit.h"
#include "column_name.h"
#include "wording.h"
#include "base/banned.h"

/* What is measured, and how much of it the unit is. A month has no fixed number
 * of days, and degrees are not multiples of each other. */
static const struct {
    enum {
        OF_NOTHING,
        OF_TIME,
        OF_MASS,
        OF_LENGTH,
        OF_VOLUME,
        OF_ENERGY,
        OF_DATA
    } what;
    double size;
} measures[] = {
    [UNIT_SECOND] = {OF_TIME, 1},
    [UNIT_MINUTE] = {OF_TIME, 60},
    [UNIT_HOUR] = {OF_TIME, 3600},
    [UNIT_DAY] = {OF_TIME, 86400},
    [UNIT_WEEK] = {OF_TIME, 604800},
    [UNIT_GRAM] = {OF_MASS, 1},
    [UNIT_KILOGRAM] = {OF_MASS, 1e3},
    [UNIT_TONNE] = {OF_MASS, 1e6},
    [UNIT_POUND] = {OF_MASS, 453.59237},
    [UNIT_MILLIMETRE] = {OF_LENGTH, 1e-3},
    [UNIT_CENTIMETRE] = {OF_LENGTH, 1e-2},
    [UNIT_METRE] = {OF_LENGTH, 1},
    [UNIT_KILOMETRE] = {OF_LENGTH, 1e3},
    [UNIT_INCH] = {OF_LENGTH, 0.0254},
    [UNIT_FOOT] = {OF_LENGTH, 0.3048},
    [UNIT_MILE] = {OF_LENGTH, 1609.344},
    [UNIT_MILLILITRE] = {OF_VOLUME, 1e-3},
    [UNIT_LITRE] = {OF_VOLUME, 1},
    [UNIT_HECTOLITRE] = {OF_VOLUME, 100},
    [UNIT_GALLON] = {OF_VOLUME, 3.785411784},
    [UNIT_WATT_HOUR] = {OF_ENERGY, 1},
    [UNIT_KILOWATT_HOUR] = {OF_ENERGY, 1e3},
    [UNIT_MEGAWATT_HOUR] = {OF_ENERGY, 1e6},
    [UNIT_GIGAWATT_HOUR] = {OF_ENERGY, 1e9},
    [UNIT_TERAWATT_HOUR] = {OF_ENERGY, 1e12},
    [UNIT_KILOBYTE] = {OF_DATA, 1},
    [UNIT_MEGABYTE] = {OF_DATA, 1e3},
    [UNIT_GIGABYTE] = {OF_DATA, 1e6},
    [UNIT_TERABYTE] = {OF_DATA, 1e9},
    [UNIT_FAHRENHEIT] = {OF_NOTHING, 0},
};

/* By first letters. */
static const struct {
    const char *word;
    enum unit unit;
} unit_words[] = {
    {"c", UNIT_CELSIUS},
    {"celsius", UNIT_CELSIUS},
    {"centimeter", UNIT_CENTIMETRE},
    {"centimeters", UNIT_CENTIMETRE},
    {"centimetre", UNIT_CENTIMETRE},
    {"centimetres", UNIT_CENTIMETRE},
    {"cm", UNIT_CENTIMETRE},
    {"day", UNIT_DAY},
    {"days", UNIT_DAY},
    {"f", UNIT_FAHRENHEIT},
    {"fahrenheit", UNIT_FAHRENHEIT},
    {"feet", UNIT_FOOT},
    {"foot", UNIT_FOOT},
    {"ft", UNIT_FOOT},
    {"g", UNIT_GRAM},
    {"gal", UNIT_GALLON},
    {"gallon", UNIT_GALLON},
    {"gallons", UNIT_GALLON},
    {"gb", UNIT_GIGABYTE},
    {"gram", UNIT_GRAM},
    {"grams", UNIT_GRAM},
    {"gwh", UNIT_GIGAWATT_HOUR},
    {"hectoliter", UNIT_HECTOLITRE},
    {"hectoliters", UNIT_HECTOLITRE},
    {"hectolitre", UNIT_HECTOLITRE},
    {"hectolitres", UNIT_HECTOLITRE},
    {"hl", UNIT_HECTOLITRE},
    {"hour", UNIT_HOUR},
    {"hours", UNIT_HOUR},
    {"hr", UNIT_HOUR},
    {"hrs", UNIT_HOUR},
    {"inch", UNIT_INCH},
    {"inches", UNIT_INCH},
    {"jahr", UNIT_YEAR},
    {"kb", UNIT_KILOBYTE},
    {"kg", UNIT_KILOGRAM},
    {"kgs", UNIT_KILOGRAM},
    {"kilogram", UNIT_KILOGRAM},
    {"kilograms", UNIT_KILOGRAM},
    {"kilometer", UNIT_KILOMETRE},
    {"kilometers", UNIT_KILOMETRE},
    {"kilometre", UNIT_KILOMETRE},
    {"kilometres", UNIT_KILOMETRE},
    {"km", UNIT_KILOMETRE},
    {"kms", UNIT_KILOMETRE},
    {"kwh", UNIT_KILOWATT_HOUR},
    {"l", UNIT_LITRE},
    {"lb", UNIT_POUND},
    {"lbs", UNIT_POUND},
    {"liter", UNIT_LITRE},
    {"liters", UNIT_LITRE},
    {"litre", UNIT_LITRE},
    {"litres", UNIT_LITRE},
    {"m", UNIT_METRE},
    {"mb", UNIT_MEGABYTE},
    {"mes", UNIT_MONTH},
    {"meter", UNIT_METRE},
    {"meters", UNIT_METRE},
    {"metre", UNIT_METRE},
    {"metres", UNIT_METRE},
    {"mi", UNIT_MILE},
    {"mile", UNIT_MILE},
    {"miles", UNIT_MILE},
    {"milliliter", UNIT_MILLILITRE},
    {"milliliters", UNIT_MILLILITRE},
    {"millilitre", UNIT_MILLILITRE},
    {"millilitres", UNIT_MILLILITRE},
    {"millimeter", UNIT_MILLIMETRE},
    {"millimeters", UNIT_MILLIMETRE},
    {"millimetre", UNIT_MILLIMETRE},
    {"millimetres", UNIT_MILLIMETRE},
    {"min", UNIT_MINUTE},
    {"mins", UNIT_MINUTE},
    {"minute", UNIT_MINUTE},
    {"minutes", UNIT_MINUTE},
    {"ml", UNIT_MILLILITRE},
    {"mm", UNIT_MILLIMETRE},
    {"mois", UNIT_MONTH},
    {"monat", UNIT_MONTH},
    {"monate", UNIT_MONTH},
    {"monaten", UNIT_MONTH},
    {"month", UNIT_MONTH},
    {"months", UNIT_MONTH},
    {"mwh", UNIT_MEGAWATT_HOUR},
    {"quarter", UNIT_QUARTER},
    {"quarters", UNIT_QUARTER},
    {"sec", UNIT_SECOND},
    {"second", UNIT_SECOND},
    {"seconds", UNIT_SECOND},
    {"secs", UNIT_SECOND},
    {"t", UNIT_TONNE},
    {"tag", UNIT_DAY},
    {"tb", UNIT_TERABYTE},
    {"ton", UNIT_TONNE},
    {"tonne", UNIT_TONNE},
    {"tonnes", UNIT_TONNE},
    {"tons", UNIT_TONNE},
    {"twh", UNIT_TERAWATT_HOUR},
    {"week", UNIT_WEEK},
    {"weeks", UNIT_WEEK},
    {"wh", UNIT_WATT_HOUR},
    {"woche", UNIT_WEEK},
    {"year", UNIT_YEAR},
    {"years", UNIT_YEAR},
    {"yr", UNIT_YEAR},
    {"yrs", UNIT_YEAR},
};

enum unit unit_of_word(struct str word)
{
    for (size_t i = 0; word.len && i < sizeof unit_words / sizeof *unit_words;
         i++) {
        if (unit_words[i].word[0] > word.ptr[0])
            return UNIT_NONE;
        if (unit_words[i].word[0] == word.ptr[0] &&
            str_is(word, unit_words[i].word))
            return unit_words[i].unit;
    }
    return UNIT_NONE;
}

double unit_in(enum unit unit, enum unit other)
{
    return measures[unit].what == OF_NOTHING ||
                   measures[unit].what != measures[other].what
               ? 0
               : measures[unit].size / measures[other].size;
}

bool is_plain_unit(struct str word)
{
    return wording_among(word, " kg km cm lb kwh mwh gwh twh gb tb hl ");
}

/* At its end, in the plural, or one that is nothing else; not what "per" is before. */
enum unit unit_of_name(struct str name)
{
    struct split_name own;
    enum unit found = UNIT_NONE;
    column_name_read(name, &own);
    for (size_t i = 1; i < own.n + 1; i++) {
        struct str word = own.words[i - 1];
        if (i > 1 && str_is(own.words[i - 2], "per"))
            continue;
        /* "Min" may be the least, and an "hour" is one of the day. */
        bool says = (i == own.n && i > 1) || str_ends(word, STR("s")) ||
                    is_plain_unit(word);
        enum unit of =
            says && !str_is(word, "min") ? unit_of_word(word) : UNIT_NONE;
        if (of != UNIT_NONE && found != UNIT_NONE)
            return UNIT_NONE;
        found = of == UNIT_NONE ? found : of;
    }
    return found;
}

/* ---- currencies and scales ------------------------------------------------ */

enum currency currency_of(struct str word)
{
    static const char *const names[] = {
        " $ usd dollar dollars ", " \xe2\x82\xac eur euro euros ",
        " \xc2\xa3 gbp sterling ", " \xc2\xa5 jpy yen ", " chf franc francs "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wording_among(word, names[i]))
            return (enum currency)(i + 1);
    return CURRENCY_NONE;
}

/* "eur" of "keur", and 1000; else the word and 1. */
static struct str without_scale(struct str word, double *by)
{
    static const char codes[] = " eur euro euros usd gbp chf jpy dollars ";
    struct str code = str_from(word, word.len ? 1 : 0);
    char c = word.len ? word.ptr[0] : 0;
    *by = c == 'k' || c == 't' ? 1e3 : c == 'm' ? 1e6 : c == 'b' ? 1e9 : 1;
    if (*by > 1 && wording_among(code, codes))
        return code;
    *by = 1;
    return word;
}

bool is_currency_word(struct str word)
{
    double by;
    return currency_of(without_scale(word, &by)) != CURRENCY_NONE;
}

enum currency currency_of_name(struct str name)
{
    struct split_name own;
    enum currency found = CURRENCY_NONE;
    double by;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n && found == CURRENCY_NONE; i++)
        found = currency_of(without_scale(own.words[i], &by));
    return found;
}

double scale_of_name(struct str name)
{
    static const struct {
        const char *words;
        double by;
    } scales[] = {{" k thousand thousands tsd ", 1e3},
                  {" m mn mio mln million millions ", 1e6},
                  {" bn bln billion billions mrd ", 1e9}};
    static const char money[] = " revenue sales turnover cost costs profit "
                                "budget income amount value ";
    struct split_name own;
    double by = 1;
    bool letter = false;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n; i++) {
        if (str_is(own.words[i], "per"))
            return 1;
        for (size_t k = 0; k < 3 && by == 1; k++)
            if (i && wording_among(own.words[i], scales[k].words)) {
                by = scales[k].by;
                letter = own.words[i].len == 1;
            }
        if (by == 1)
            without_scale(own.words[i], &by);
    }
    /* "height_m" is of metres. */
    return letter && !currency_of_name(name) && !column_name_among(name, money)
               ? 1
               : by;
}
