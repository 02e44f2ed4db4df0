/* measure.c - tells amounts from rates and from numbers that only identify,
 * by names, keys, links and ranges. In doubt nothing is added up. */
#include "measure.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum { ENDING_LETTERS = 4, SMALL_ROWS = 2, SMALL_MOST = 31 };

/* A mean at most, whatever else the name says. */
static const char *const strong_rates[] = {
    "rate",        "percent",      "percentage",    "pct",
    "perc",        "ratio",        "score",         "rating",
    "average",     "avg",          "mean",          "median",
    "gpa",         "age",          "factor",        "temperature",
    "temp",        "speed",        "density",       "utilization",
    "utilisation", "occupancy",    "probability",   "likelihood",
    "proportion",  "fraction",     "index",         "limit",
    "lim",         "max",          "maximum",       "min",
    "minimum",     "threshold",    "quota",         "cap",
    "ceiling",     "capped",       "allowed",       "apr",
    "apy",         "bps",          "satz",          "prozent",
    "quote",       "taux",         "pourcentage",   "porcentaje",
    "tasa",        "grenze",       "limite",        "percentile",
    "stddev",      "variance",     "level",         "bmi",
    "ph",          "humidity",     "pressure",      "voltage",
    "intensity",   "reading",      "result",        "measured",
    "purity",      "nota",         "notas",         "edad",
    "alter",       "minimo",       "mínimo",        "maximo",
    "máximo",      "promedio",     "media",         "moyenne",
    "medio",       "gemiddelde",   "procent",       "temperatura",
    "température", "snelheid",     "wiek",          "percentuale",
    "процент",     "возраст",      "рейтинг",       "средняя",
    "средний",     "балл",         "оценка",        "лимит",
    "confidence",  "accuracy",     "efficiency",    "prob",
    "iq",          "mpg",          "rpm",           "mph",
    "kmh",         "horsepower",   "displacement",  "acceleration",
    "torque",      "hardness",     "diameter",      "radius",
    "thickness",   "viscosity",    "turbidity",     "salinity",
    "acidity",     "conductivity", "resistance",    "stiffness",
    "elasticity",  "strength",     "roughness",     "brightness",
    "luminance",   "opacity",      "saturation",    "moisture",
    "wavelength",  "amplitude",    "angle",         "slope",
    "gradient",    "velocity",     "celsius",       "fahrenheit",
    "kelvin",      "psi",          "hpa",           "kpa",
    "mpa",         "mbar",         "decibel",       "decibels",
    "hertz",       "bpm",          "pulse",         "systolic",
    "diastolic",   "cholesterol",  "glucose",       "hemoglobin",
    "haemoglobin", "creatinine",   "temperatur",    "härte",
    "haerte",      "durchmesser",  "feuchtigkeit",  "dureza",
    "diámetro",    "diametro",     "dureté",        "diamètre",
    "humedad",     "humidité",     "concentration", NULL};
/* The same at the beginning of a longer word: Mindestbestand. */
static const char *const strong_starts[] = {
    "mindest", "höchst", "hoechst", "durchschnitt", "sollbestand", NULL};
/* A mean, unless the name says that it is a total. */
static const char *const rates[] = {
    "price",     "discount", "margin",    "share",    "fee",     "interest",
    "height",    "width",    "length",    "depth",    "preis",   "prix",
    "precio",    "rabatt",   "remise",    "prezzo",   "prijs",   "msrp",
    "strike",    "bid",      "ask",       "close",    "open",    "high",
    "low",       "vwap",     "yield",     "premium",  "points",  "duty",
    "salaire",   "tariff",   "mileage",   "odometer", "latency", "wait",
    "tarifa",    "tarif",    "descuento", "sconto",   "korting", "cena",
    "preço",     "preco",    "desconto",  "цена",     "скидка",  "star",
    "frequency", "chance",   "cylinder",  NULL};
static const char *const totals[] = {
    "amount",     "total",    "subtotal",   "sum",      "revenue",  "sales",
    "quantity",   "qty",      "volume",     "count",    "paid",     "turnover",
    "tax",        "betrag",   "summe",      "menge",    "montant",  "monto",
    "anzahl",     "stück",    "stueck",     "umsatz",   "cantidad", "importe",
    "quantité",   "quantite", "nombre",     "quantità", "quantita", "importo",
    "quantidade", "valor",    "aantal",     "bedrag",   "kwota",    "ilość",
    "ilosc",      "сумма",    "количество", "выручка",  "объем",    "units",
    "value",      NULL};
/* What identifies, orders or dates, wherever it is in the name. */
static const char *const no_measures[] = {
    "year",      "month",     "epoch",    "version",   "status",   "flag",
    "is",        "has",       "active",   "enabled",   "deleted",  "lat",
    "lng",       "lon",       "latitude", "longitude", "port",     "zip",
    "priority",  "color",     "x",        "y",         "z",        "oid",
    "xid",       "crc",       "mask",     "bits",      "alt",      "altitude",
    "elevation", "tz",        "timezone", "sid",       "uid",      "gid",
    "pid",       "ean",       "upc",      "isbn",      "code",     "cd",
    "date",      "timestamp", "ts",       "unix",      "unixtime", "at",
    "dt",        "sku",       "plz",      "postal",    "jahr",     "monat",
    "datum",     "semester",  "season",   "cohort",    "vintage",  "section",
    "rank",      "isin",      "siren",    "siret",     "barcode",  "checksum",
    "yr",        "yrs",       "anno",     "annee",     "fiscal",   "phone",
    "serial",    "band",      "año",      "anio",      "ano",      "mes",
    "mois",      "mese",      "miesiac",  "miesiąc",   "rok",      "maand",
    "jaar",      "codigo",    "código",   "codice",    "kod",      "год",
    "месяц",     "код",       "номер",    "дата",      "версия",   "статус",
    NULL};
/* The same, unless the name says that it is a total: order_amount. */
static const char *const soft_no_measures[] = {
    "day",      "week",  "quarter",  "hour",      "minute", "position",
    "order",    "sort",  "seq",      "sequence",  "state",  "type",
    "kind",     "grade", "class",    "line",      "row",    "group",
    "category", "term",  "ordinal",  "num",       "region", "pos",
    "rang",     "stage", "sequence", "bucket",    "tier",   "dia",
    "día",      "jour",  "giorno",   "dzień",     "dzien",  "день",
    "tag",      "woche", "semana",   "semaine",   "неделя", "piso",
    "etage",    "étage", "stufe",    "kategorie", "klasse", NULL};
/* In the plural they last: minutes_spent, and not the minute of a moment. */
static const char *const lasting[] = {"hours", "minutes", "seconds", NULL};
/* A state at one moment: its sum over days means nothing. */
static const char *const standings[] = {
    "balance", "stock",   "inventory",  "outstanding", "available", "closing",
    "opening", "onhand",  "saldo",      "bestand",     "holding",   "exposure",
    "hand",    "backlog", "receivable", "headcount",   "solde",     NULL};
static const char *const periods[] = {
    "daily",    "day",     "weekly", "monthly", "quarterly", "yearly",
    "snapshot", "history", "hist",   "eod",     "hourly",    "periodic",
    "taeglich", "month",   "week",   "asof",    "eom",       NULL};

/* ---- names --------------------------------------------------------------- */

static bool has_word(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (word_among(w->one[i], list) || word_among(w->items[i], list))
            return true;
    return false;
}

/* "unitprice", "closingstock": a long word of the list ends a longer one. */
static bool has_beginning(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; list[k]; k++)
            if (str_starts(w->one[i], str_of(list[k])))
                return true;
    return false;
}

static bool has_ending(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; list[k]; k++)
            if (str_of(list[k]).len >= ENDING_LETTERS &&
                w->one[i].len > str_of(list[k]).len &&
                str_ends(w->one[i], str_of(list[k])))
                return true;
    return false;
}

static bool has_short_ending(const struct name_words *w)
{
    static const char *const list[] = {"pct", "gpa", "lim", NULL};
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; list[k]; k++)
            if (str_ends(w->one[i], str_of(list[k])))
                return true;
    return false;
}

static bool has_or_ends(const struct name_words *w, const char *const *list)
{
    return has_word(w, list) || has_ending(w, list);
}

/* The words of a column's name after what its table puts before all. */
static struct name_words measure_words(struct measures *m, size_t table,
                                       size_t column)
{
    struct str name = m->catalog->tables[table].columns[column].name;
    struct str rest = str_from(name, m->cores.shared[table]);
    struct name_words w = name_words(m->arena, rest);
    return w.n ? w : name_words(m->arena, name);
}

/* "customerid", "lineno", "postleitnr"; but "paid" is an amount. */
static bool ends_as_reference(struct str word)
{
    static const char *const others[] = {"paid",  "bid",    "grid",   "void",
                                         "solid", "fluid",  "liquid", "acid",
                                         "kilo",  "casino", NULL};
    bool refers;
    for (size_t i = 0; others[i]; i++)
        if (str_ends(word, str_of(others[i])))
            return false;
    return core_stem(word, &refers) >= 2 && refers;
}

static bool names_reference(struct measures *m, size_t table, size_t column)
{
    struct str name = m->catalog->tables[table].columns[column].name;
    struct column_name c = column_words(m->arena, name);
    struct name_words w = measure_words(m, table, column);
    struct str last = w.n ? w.items[w.n - 1] : STR("");
    if (w.n > 1 && str_is(w.items[0], "num")) /* num_employees */
        return false;
    return c.refers || word_refers(last) || ends_as_reference(last);
}

/* ---- values -------------------------------------------------------------- */

static bool range_of(const struct catalog_column *c, double *least,
                     double *greatest)
{
    char text[64];
    if (!c->least.len || !c->greatest.len || c->least.len > 60 ||
        c->greatest.len > 60)
        return false;
    snprintf(text, sizeof text, "%.*s", STR_ARG(c->least));
    *least = strtod(text, NULL);
    snprintf(text, sizeof text, "%.*s", STR_ARG(c->greatest));
    *greatest = strtod(text, NULL);
    return true;
}

static bool is_switch(const struct catalog_column *c)
{
    return c->kind == COLUMN_INTEGER && c->profiled && c->n_distinct <= 2 &&
           (str_is(c->least, "0") || str_is(c->least, "1")) &&
           (str_is(c->greatest, "1") || str_is(c->greatest, "0"));
}

/* Seconds, milliseconds or microseconds since 1970, all between 1990 and 2100;
 * or days as 20240131. */
static bool is_moment(const struct catalog_column *c)
{
    static const double units[] = {1, 1e3, 1e6};
    double least, greatest;
    if (!range_of(c, &least, &greatest))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (least >= 631152000 * units[i] && greatest <= 4102444800 * units[i])
            return true;
    return c->kind == COLUMN_INTEGER && least >= 19000101 &&
           greatest <= 21001231 && (long long)least % 100 <= 31 &&
           (long long)greatest % 100 <= 31 &&
           (long long)least / 100 % 100 <= 12 &&
           (long long)greatest / 100 % 100 <= 12 && least < greatest;
}

/* Few small numbers under a name in the singular are floors, phases and days of
 * the week, or persons; what is counted has a plural: nights, seats. */
static bool is_small_code(const struct catalog_column *c,
                          const struct name_words *w)
{
    double least, greatest;
    for (size_t i = 0; i < w->n; i++)
        if (!str_eq(w->items[i], w->one[i]))
            return false;
    return c->kind == COLUMN_INTEGER &&
           c->n_values >= SMALL_ROWS * c->n_distinct &&
           range_of(c, &least, &greatest) && least >= 0 &&
           greatest <= SMALL_MOST;
}

/* Shares of one: all between 0 and 1, and not only the two. */
static bool is_share(const struct catalog_column *c)
{
    double least, greatest;
    return c->kind == COLUMN_NUMBER && c->n_distinct > 2 &&
           range_of(c, &least, &greatest) && least >= 0 && greatest <= 1;
}

/* ---- states at one moment ----------------------------------------------- */

static bool has_moment(const struct catalog_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].kind == COLUMN_DATE ||
            t->columns[i].kind == COLUMN_TIMESTAMP)
            return true;
    return false;
}

static bool has_date_key(struct measures *m, size_t table)
{
    static const char *const dates[] = {"date",   "day",   "month", "week",
                                        "period", "datum", NULL};
    const struct catalog_table *t = &m->catalog->tables[table];
    for (size_t i = 0; i < t->n_columns; i++) {
        struct arena_mark mark = arena_mark(m->arena);
        struct name_words w = name_words(m->arena, t->columns[i].name);
        bool date = m->identifies[table][i] && has_word(&w, dates);
        arena_reset(m->arena, mark);
        if (date)
            return true;
    }
    return false;
}

/* Rows of one thing and one day: a table that says so, or one with a moment
 * and without a key of its own. */
static bool is_by_period(struct measures *m, size_t table)
{
    const struct catalog_table *t = &m->catalog->tables[table];
    struct name_words w = name_words(m->arena, t->name);
    const struct catalog_key *key = catalog_primary(t);
    if (!has_moment(t) && !has_date_key(m, table))
        return false;
    return has_or_ends(&w, periods) || has_word(&w, standings) ||
           (w.n == 1 && str_find(w.items[0], STR("daily")) >= 0) || !key ||
           key->n > 1;
}

static bool is_standing(struct measures *m, size_t table,
                        const struct name_words *column)
{
    struct name_words of = name_words(m->arena, m->catalog->tables[table].name);
    return (has_or_ends(column, standings) || has_or_ends(&of, standings)) &&
           is_by_period(m, table);
}

/* ---- all ----------------------------------------------------------------- */

static bool is_of_person(struct measures *m, size_t table,
                         const struct name_words *w)
{
    static const char *const traits[] = {"weight", "size", "points", NULL};
    return has_word(w, traits) &&
           catalog_is_of_persons(m->arena, &m->catalog->tables[table]);
}

static bool is_unit_cost(const struct name_words *w)
{
    static const char *const units[] = {"unit",   "per",      "each", "piece",
                                        "hourly", "standard", "std",  "hrly",
                                        "por",    "pro",      "par",  NULL};
    static const char *const costs[] = {
        "cost",   "value",   "charge", "wage",   "pay",   "cst",  "rt",
        "sueldo", "salario", "coste",  "costo",  "coût",  "cout", "lohn",
        "kosten", "gehalt",  "hora",   "stunde", "heure", NULL};
    if (str_is(w->items[w->n - 1], "per")) /* qty_per */
        return true;
    return has_word(w, units) && has_word(w, costs);
}

static bool is_lasting(const struct name_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (word_among(w->items[i], lasting))
            return true;
    return false;
}

static enum measure_kind kind_of(struct measures *m, size_t table,
                                 size_t column)
{
    const struct catalog_column *x = &m->catalog->tables[table].columns[column];
    if (m->identifies[table][column] || x->refers || x->many == MANY_NAMED ||
        x->many == MANY_FOUND || is_switch(x) ||
        names_reference(m, table, column))
        return NEITHER;
    struct name_words w = measure_words(m, table, column);
    bool total = has_word(&w, totals);
    static const char *const ends[] = {"epoch", "timestamp", "year",   "jahr",
                                       "code",  "status",    "postal", NULL};
    if (!w.n || has_word(&w, no_measures) || has_ending(&w, ends))
        return NEITHER;
    if (has_or_ends(&w, strong_rates) || has_short_ending(&w) ||
        has_beginning(&w, strong_starts))
        return RATE;
    bool counts = w.n > 1 && str_is(w.items[0], "num");
    bool lasts = is_lasting(&w);
    if (!total && !counts && !lasts &&
        (has_word(&w, soft_no_measures) || is_moment(x) ||
         is_small_code(x, &w)))
        return NEITHER;
    if (is_standing(m, table, &w) || is_of_person(m, table, &w) ||
        is_unit_cost(&w))
        return RATE;
    bool plain_value = w.n == 1 && str_is(w.items[0], "value");
    if (plain_value || (!total && (has_or_ends(&w, rates) || is_share(x))))
        return RATE;
    return AMOUNT;
}

enum measure_kind measure_of(struct measures *m, size_t table, size_t column)
{
    const struct catalog_column *x = &m->catalog->tables[table].columns[column];
    if ((x->kind != COLUMN_INTEGER && x->kind != COLUMN_NUMBER) || x->personal)
        return NEITHER;
    struct arena_mark mark = arena_mark(m->arena);
    enum measure_kind kind = kind_of(m, table, column);
    arena_reset(m->arena, mark);
    return kind;
}

static void note_columns(struct measures *m, size_t table,
                         const size_t *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        m->identifies[table][columns[i]] = true;
}

void measures_make(struct arena *arena, const struct catalog *c,
                   struct measures *m)
{
    *m = (struct measures){.arena = arena, .catalog = c};
    table_names_make(arena, c, &m->names);
    name_cores_make(arena, c, &m->names, &m->cores);
    m->identifies = arena_new_array(arena, bool *, c->n_tables + 1);
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        m->identifies[i] = arena_new_array(arena, bool, t->n_columns + 1);
        for (size_t k = 0; k < t->n_keys; k++)
            note_columns(m, i, t->keys[k].columns, t->keys[k].n);
    }
    for (size_t l = 0; l < c->n_links; l++)
        if (c->links[l].origin != LINK_SUGGESTED || c->links[l].n == 1)
            note_columns(m, c->links[l].from, c->links[l].from_columns,
                         c->links[l].n);
}
