/* unit.h - units of measure, currencies and scales, as words and names of columns say
 * them: "18.4 t", `kg_bought`, "$5", `revenue_keur`. */
#pragma once
#include "base/str.h"

enum unit {
    UNIT_NONE,
    UNIT_SECOND,
    UNIT_MINUTE,
    UNIT_HOUR,
    UNIT_DAY,
    UNIT_WEEK,
    UNIT_MONTH,
    UNIT_QUARTER,
    UNIT_YEAR,
    UNIT_GRAM,
    UNIT_KILOGRAM,
    UNIT_TONNE,
    UNIT_POUND,
    UNIT_MILLIMETRE,
    UNIT_CENTIMETRE,
    UNIT_METRE,
    UNIT_KILOMETRE,
    UNIT_INCH,
    UNIT_FOOT,
    UNIT_MILE,
    UNIT_MILLILITRE,
    UNIT_LITRE,
    UNIT_HECTOLITRE,
    UNIT_GALLON,
    UNIT_WATT_HOUR,
    UNIT_KILOWATT_HOUR,
    UNIT_MEGAWATT_HOUR,
    UNIT_GIGAWATT_HOUR,
    UNIT_TERAWATT_HOUR,
    UNIT_KILOBYTE,
    UNIT_MEGABYTE,
    UNIT_GIGABYTE,
    UNIT_TERABYTE,
    UNIT_CELSIUS,
    UNIT_FAHRENHEIT
};

enum currency { CURRENCY_NONE, DOLLAR, EURO, STERLING, YEN, FRANC };

/* The unit that a word in lower case is, or UNIT_NONE. */
enum unit unit_of_word(struct str word);
/* How many of the other unit one is, 1000 of a tonne in kilograms; 0: they do not measure
 * the same, or have no fixed size. */
double unit_in(enum unit unit, enum unit other);
/* Whether a word is a unit wherever it is in a name: "kg", and not "t" or "min". */
bool is_plain_unit(struct str word);
/* The only unit in a column's name, or UNIT_NONE. */
enum unit unit_of_name(struct str name);
/* The currency that a sign, or a word in lower case, is. */
enum currency currency_of(struct str word);
/* Whether a word of a name is a currency, perhaps with a scale: "keur". */
bool is_currency_word(struct str word);
/* The first currency in a column's name. */
enum currency currency_of_name(struct str name);
/* What one of a column is, as its name says: 1000 of `revenue_keur`; else 1. */
double scale_of_name(struct str name);
