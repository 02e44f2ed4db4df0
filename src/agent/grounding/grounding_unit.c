/* grounding_unit.c - units of figures; see grounding_unit.h. */
#include "grounding_unit.h"
#include "column_name.h"
#include "prose.h"
#include <math.h>
#include "base/banned.h"

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

static enum unit unit_of(struct str word)
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

bool is_unit(struct str word)
{
    return unit_of(word) != UNIT_NONE;
}

/* The unit right after a figure: "17 \xc2\xb0C", "17 degrees Celsius", "2.5 m". */
static enum unit unit_after(const struct grounding_walk *w,
                            const struct figure *f)
{
    static const char *const degrees[] = {" \xc2\xb0", "\xc2\xb0", " degrees ",
                                          "-degree "};
    struct str after = str_from(w->wording.text, f->to);
    struct str word = walk_word_beside(w, f->to, 1);
    enum unit unit = unit_of(word);
    size_t skip = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees && !skip; i++)
        if (str_starts(after, str_of(degrees[i])))
            skip = strlen(degrees[i]);
    if (skip) {
        unit = unit_of(walk_word_beside(w, f->to + skip, 1));
        return unit >= UNIT_CELSIUS ? unit : UNIT_NONE;
    }
    /* "5 of", and a letter may be the name of anything. */
    bool degree = unit >= UNIT_CELSIUS;
    return !after.len || !strchr(" -", after.ptr[0]) || degree ? UNIT_NONE
                                                               : unit;
}

/* The only unit in a column's name: at its end, or in the plural. */
static enum unit unit_of_name(struct str name)
{
    struct split_name own;
    enum unit found = UNIT_NONE;
    column_name_read(name, &own);
    for (size_t i = 1; i < own.n + 1; i++) {
        struct str word = own.words[i - 1];
        /* "Min" may be the least, and an "hour" is one of the day. */
        bool says = (i == own.n && i > 1) || str_ends(word, STR("s"));
        enum unit of = says && !str_is(word, "min") ? unit_of(word) : UNIT_NONE;
        if (of != UNIT_NONE && found != UNIT_NONE)
            return UNIT_NONE;
        found = of == UNIT_NONE ? found : of;
    }
    return found;
}

/* "1,245 GWh", where what shows it is the sum of a column of MWh. */
static bool is_sum_of_other(const struct grounding_scope *s,
                            const struct figure *f, enum unit unit)
{
    bool against = false;
    if (scope_has_cell(s, f, false))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->n_sorted || !facts_work(s->facts, 4) ||
                !scope_column_shows(s, t, i, f))
                continue;
            enum unit of = unit_of_name(c->name);
            if (of == UNIT_NONE || of == unit || of == UNIT_METRE)
                return false;
            against = true;
        }
    }
    return against;
}

/* "3 hours", where all cells of the row that are 3 are of minutes. */
static bool is_other_unit(const struct grounding_walk *w,
                          const struct figure *f,
                          const struct grounding_scope *s)
{
    enum unit unit = unit_after(w, f);
    bool against = false;
    if (unit == UNIT_NONE || unit == UNIT_METRE)
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t n = s->rows[t].n ? s->rows[t].n : table->n_rows;
        if (!facts_work(s->facts, n * table->n_columns))
            return false;
        for (size_t i = 0; i < table->n_columns; i++)
            for (size_t k = 0; table->columns[i].n_sorted && k < n; k++) {
                size_t row = s->rows[t].n ? s->rows[t].rows[k] : k;
                if (!scope_cell_shows(s, t, i, row, f))
                    continue;
                enum unit of = unit_of_name(table->columns[i].name);
                /* "revenue_m" is of millions. */
                if (of == UNIT_NONE || of == UNIT_METRE || of == unit)
                    return false;
                against = true;
            }
    }
    return against || is_sum_of_other(s, f, unit);
}

bool is_converted(struct grounding_walk *w, size_t figure)
{
    const struct figure *f = &w->now.figures[figure];
    enum unit unit = unit_after(w, f);
    struct grounding_scope scope;
    if (f->kind != FIGURE_NUMBER || measures[unit].what == OF_NOTHING)
        return false;
    walk_scope(w, figure, &scope);
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++) {
            const struct fact_column *c = &w->facts.tables[t].columns[i];
            enum unit of = c->n_sorted ? unit_of_name(c->name) : UNIT_NONE;
            struct figure g = *f;
            if (of == unit || measures[of].what != measures[unit].what)
                continue;
            double by = measures[unit].size / measures[of].size;
            g.value *= by;
            g.unit *= by;
            g.other_unit = 0;
            g.whole = false;
            if (scope_column_shows(&scope, t, i, &g))
                return true;
        }
    return false;
}

/* ---- currencies ----------------------------------------------------------- */

enum currency { CURRENCY_NONE, DOLLAR, EURO, STERLING, YEN, FRANC };

static enum currency currency_of(struct str word)
{
    static const char *const names[] = {
        " $ usd dollar dollars ", " \xe2\x82\xac eur euro euros ",
        " \xc2\xa3 gbp sterling ", " \xc2\xa5 jpy yen ", " chf franc francs "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wording_among(word, names[i]))
            return (enum currency)(i + 1);
    return CURRENCY_NONE;
}

static enum currency currency_of_name(struct str name)
{
    struct split_name own;
    enum currency found = CURRENCY_NONE;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n && found == CURRENCY_NONE; i++)
        found = currency_of(own.words[i]);
    return found;
}

/* The sign or the code right before or after the figure. */
static enum currency currency_of_figure(const struct grounding_walk *w,
                                        const struct figure *f)
{
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3",
                                        "\xc2\xa5"};
    struct str text = w->wording.text;
    size_t from = f->from < 4 ? 0 : f->from - 4;
    struct str near = str_cut(text, from, f->to - from),
               after = str_trim(str_cut(text, f->to, 4));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_starts(after, str_of(signs[i])) ||
            str_find(near, str_of(signs[i])) >= 0)
            return currency_of(str_of(signs[i]));
    enum currency code = currency_of(walk_word_beside(w, f->to, 1));
    return code ? code : currency_of(walk_word_beside(w, f->from, -1));
}

/* "$5", where each cell that is 5 is in a column of another currency. */
static bool is_other_currency(const struct grounding_walk *w,
                              const struct figure *f,
                              const struct grounding_scope *s)
{
    enum currency said = currency_of_figure(w, f);
    bool against = false;
    for (size_t t = 0; said && t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!table->columns[i].n_sorted || !facts_work(s->facts, 4) ||
                !scope_column_shows(s, t, i, f))
                continue;
            enum currency of = currency_of_name(table->columns[i].name);
            if (of == CURRENCY_NONE || of == said)
                return false;
            against = true;
        }
    }
    return against;
}

/* ---- losses --------------------------------------------------------------- */

/* "Lost about 5", "made a loss of 5". */
static bool is_said_lost(const struct grounding_walk *w, const struct figure *f)
{
    static const char links[] = " of about around roughly approximately nearly "
                                "almost over just ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    bool of = false;
    for (; at && wording_among(words[at - 1].lower, links); at--)
        of = of || str_is(words[at - 1].lower, "of");
    return at &&
           wording_among(words[at - 1].lower,
                         of ? " loss deficit " : " lost loses lose losing ");
}

/* "Lost 5", where each cell, or with `total` each sum, that is 5 is above zero
 * in a column of profits. */
static bool is_profit(const struct grounding_scope *s, const struct figure *f,
                      bool total)
{
    bool against = false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        const struct scope_rows *rows = &s->rows[t];
        if (total ? rows->n || !table->whole : rows->n != 1)
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || !c->n_sorted || !facts_work(s->facts, 2))
                continue;
            double x = total ? c->sum : c->values[rows->rows[0]];
            if (total ? !figure_near(f, fabs(x))
                      : !scope_cell_shows(s, t, i, rows->rows[0], f))
                continue;
            if (x < 0 || c->sorted[0].value >= 0)
                return false;
            against = true;
        }
    }
    return against;
}

static bool is_no_loss(const struct grounding_walk *w, const struct figure *f,
                       const struct grounding_scope *s)
{
    return f->money && is_said_lost(w, f) && !walk_says(w, PROSE_NEGATION) &&
           (is_profit(s, f, false) ||
            (!w->now.n_mentions && !scope_has_cell(s, f, false) &&
             is_profit(s, f, true)));
}

bool unit_contradicts(const struct grounding_walk *w, size_t figure,
                      const struct grounding_scope *scope)
{
    const struct figure *f = &w->now.figures[figure];
    return w->english && f->kind == FIGURE_NUMBER &&
           (is_other_unit(w, f, scope) || is_other_currency(w, f, scope) ||
            is_no_loss(w, f, scope));
}

/* ---- dates --------------------------------------------------------------- */

/* Whether the days of the column are in their order, without one twice. */
static bool days_rise(const struct fact_table *t)
{
    const int64_t *days = t->columns[t->period].days;
    for (size_t i = 0; i < t->n_rows; i++)
        if (days[i] == INT64_MIN || (i && days[i] <= days[i - 1]))
            return false;
    return t->n_rows > 1;
}

/* `start`: the row before the first change; n_rows: any. */
static bool has_run(const struct fact_column *c, size_t n_rows, double n,
                    bool up, size_t start)
{
    size_t run = 0;
    for (size_t i = 1; i <= n_rows; i++) {
        bool goes = i < n_rows && (up ? c->values[i] > c->values[i - 1]
                                      : c->values[i] < c->values[i - 1]);
        /* Of three changes, four months are. */
        if (!goes && run && ((double)run == n || (double)run + 1 == n) &&
            (start == n_rows || i - 1 - run == start))
            return true;
        run = goes ? run + 1 : 0;
    }
    return false;
}

/* "After February": the row of the only period that the sentence names so; n_rows:
 * none. */
static size_t run_start(struct grounding_walk *w, size_t table)
{
    const struct fact_table *t = &w->facts.tables[table];
    size_t found = t->n_rows;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        struct scope_rows rows = {0};
        if (m->place || !str_is(walk_word_beside(w, m->from, -1), "after"))
            continue;
        scope_of_table_period(&w->facts, &m->period, table, &rows);
        if (found < t->n_rows || rows.n != 1)
            return t->n_rows;
        found = rows.rows[0];
    }
    return found;
}

bool is_no_run(struct grounding_walk *w, const struct figure *f)
{
    static const char runs[] = " straight consecutive successive ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    const struct fact_table *t = w->facts.tables;
    return w->english && f->kind == FIGURE_NUMBER && f->whole && at > 1 &&
           wording_among(walk_word_beside(w, f->to, 1), runs) &&
           str_is(words[at - 1].lower, "for") &&
           (words[at - 2].says & (PROSE_UP | PROSE_DOWN)) &&
           w->facts.n_tables == 1 && t->whole && t->period < t->n_columns &&
           days_rise(t) && !is_run(w, f);
}

bool is_run(struct grounding_walk *w, const struct figure *f)
{
    bool up = walk_says(w, PROSE_UP), down = walk_says(w, PROSE_DOWN);
    if (f->kind != FIGURE_NUMBER || !f->whole ||
        !wording_among(walk_word_beside(w, f->to, 1),
                       " straight consecutive successive "))
        return false;
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        if (table->period == table->n_columns || !table->whole ||
            !facts_work(&w->facts, 3 * table->n_rows * table->n_columns) ||
            !days_rise(table))
            continue;
        size_t start = run_start(w, t);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->adds && c->n_sorted == table->n_rows &&
                (((up || !down) &&
                  has_run(c, table->n_rows, f->value, true, start)) ||
                 ((down || !up) &&
                  has_run(c, table->n_rows, f->value, false, start))))
                return true;
        }
    }
    return false;
}

static bool is_day(const struct figure *f)
{
    return (f->kind == FIGURE_PERIOD && f->first == f->last) ||
           (f->kind == FIGURE_MONTH && f->month && f->day);
}

/* The table's only column of days, each of which is known. */
static const struct fact_column *day_column(const struct fact_table *t)
{
    const struct fact_column *found = NULL;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].dated)
            continue;
        if (found || t->columns[i].grain != GRAIN_DAY)
            return NULL;
        found = &t->columns[i];
    }
    return found;
}

bool day_contradicts(struct grounding_walk *w, const struct figure *f)
{
    const struct fact_place *place = NULL;
    size_t n = 0, days = 0;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (w->mentions[i].place && w->mentions[i].place != place) {
            place = w->mentions[i].place;
            n++;
        }
    for (size_t i = 0; i < w->now.n_figures; i++)
        days += is_day(&w->now.figures[i]);
    if (!w->english || !is_day(f) || n != 1 || days != 1 || place->next ||
        walk_says(w, PROSE_NEGATION) || w->facts.n_tables != 1 ||
        !str_is(walk_word_beside(w, f->from, -1), "on"))
        return false;
    const struct fact_table *t = &w->facts.tables[place->table];
    const struct fact_column *c = day_column(t);
    if (!c || !t->whole || c->days[place->row] == INT64_MIN)
        return false;
    int64_t year, day = c->days[place->row];
    int month, of_month;
    figure_date(day, &year, &month, &of_month);
    return f->kind == FIGURE_PERIOD ? day != f->first
                                    : month != f->month || of_month != f->day;
}

/* ---- rates --------------------------------------------------------------- */

/* The days that the queries are about; false: they say none. */
static bool queried_days(const struct facts *facts, int64_t *first,
                         int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (size_t i = 0; i < facts->context.n; i++) {
        const struct figure *f = &facts->context.items[i];
        if (f->kind != FIGURE_PERIOD)
            continue;
        *first = f->first < *first ? f->first : *first;
        *last = f->last > *last ? f->last : *last;
    }
    return *first < *last;
}

/* How many whole units the days are; 0: they are no whole ones. */
static int64_t units_in(int64_t first, int64_t last, enum unit unit)
{
    static const int of_months[] = {1, 3, 12};
    int64_t from, to;
    int month, end, day, next_day;
    if (unit == UNIT_DAY)
        return last - first + 1;
    if (unit == UNIT_WEEK)
        return (last - first + 1) % 7 ? 0 : (last - first + 1) / 7;
    if (unit < UNIT_MONTH || unit > UNIT_YEAR)
        return 0;
    figure_date(first, &from, &month, &day);
    figure_date(last + 1, &to, &end, &next_day);
    int64_t months = 12 * (to - from) + end - month;
    int64_t size = of_months[unit - UNIT_MONTH];
    return day == 1 && next_day == 1 && months % size == 0 ? months / size : 0;
}

bool is_length(struct grounding_walk *w, const struct figure *f)
{
    int64_t first, last;
    return f->kind == FIGURE_NUMBER && f->whole &&
           wording_among(walk_word_beside(w, f->from, -1),
                         " over the all across of in these those ") &&
           queried_days(&w->facts, &first, &last) &&
           f->value == (double)units_in(first, last,
                                        unit_of(walk_word_beside(w, f->to, 1)));
}

bool is_rate(struct grounding_walk *w, const struct figure *f)
{
    const struct wording_word *words = walk_words(w);
    int64_t first, last, n = 0;
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].from < f->to)
        at++;
    if (f->kind != FIGURE_NUMBER || at + 1 >= w->now.sentence->n_words ||
        !wording_among(words[at].lower, " per a each every pro par por al "))
        return false;
    if (queried_days(&w->facts, &first, &last))
        n = units_in(first, last, unit_of(words[at + 1].lower));
    for (size_t t = 0; n > 1 && t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        for (size_t i = 0; table->whole && i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->adds && c->n_sorted && !c->percent && !c->averages &&
                facts_work(&w->facts, 1) && figure_near(f, c->sum / (double)n))
                return true;
        }
    }
    return false;
}
