/* rule_zones.c - conversions between time zones that move a moment.
 *
 *   date AT TIME ZONE z                   becomes midnight of the session's zone
 *   timestamp AT TIME ZONE z              reads the time as one of zone z
 *   timestamptz AT TIME ZONE a AT TIME ZONE b   shifts it by the difference
 *   date_trunc('day', t) AT TIME ZONE z   cuts the day of another zone
 *   date_trunc('day', t - interval '5 hours')   a fixed offset, wrong half of
 *                                               the year where clocks change
 *
 * A timestamp read as a time of one zone is right when it is then compared with
 * moments; it is wrong when its day, month or hour is taken, and anywhere if the
 * model says that the column is in UTC. */
#include "rule.h"
#include "../words.h"
#include <string.h>
#include "base/banned.h"

static bool is_conversion(const struct shape_value *v)
{
    return v && v->form == SHAPE_FORM_CALL && str_is(v->word, "timezone") &&
           v->n_parts == 2;
}

/* The part of a value of which the calendar is taken, or NULL. */
static const struct shape_value *calendar_of(const struct shape_value *v)
{
    static const char *const calls[] = {"date_trunc", "extract", "date_part",
                                        "to_char", NULL};
    if (!v)
        return NULL;
    bool call = v->form == SHAPE_FORM_CALL && word_among(v->word, calls);
    bool dates = v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE &&
                 v->n_parts == 1 &&
                 (str_is(v->cast, "date") || str_is(v->cast, "time"));
    if (call && v->n_parts >= 2)
        return str_is(v->word, "to_char") ? v->parts[0] : v->parts[1];
    if (v->form == SHAPE_FORM_CALL && str_is(v->word, "date") && v->n_parts)
        return v->parts[0];
    return dates ? v->parts[0] : NULL;
}

/* "5 hours", "-05:30", "2 h": hours that are no whole days. */
static bool is_offset(struct str text)
{
    int64_t hours = 0;
    size_t digits = 0;
    text = str_trim(text);
    if (str_starts(text, STR("-")) || str_starts(text, STR("+")))
        text = str_from(text, 1);
    while (digits < text.len && digits < 3 && text.ptr[digits] >= '0' &&
           text.ptr[digits] <= '9')
        digits++;
    if (!digits || !str_to_int64(str_cut(text, 0, digits), &hours))
        return false;
    struct str unit = str_trim(str_from(text, digits));
    bool in_hours = str_is(unit, "h") || str_is(unit, "hour") ||
                    str_is(unit, "hours") || str_is(unit, "hr") ||
                    str_starts(unit, STR(":"));
    return in_hours && hours > 0 && hours <= 14;
}

/* t + interval '5 hours', of a time column. */
static bool is_shifted(struct guardrail_check *j, const struct shape_value *v)
{
    return v->kind == SHAPE_SUM && v->n_parts == 2 &&
           v->parts[1]->kind == SHAPE_CONSTANT &&
           str_is(v->parts[1]->cast, "interval") &&
           is_offset(v->parts[1]->word) && rule_column(v->parts[0]) &&
           type_is_time(rule_type(j, v->parts[0]));
}

static void broken(struct guardrail_check *j, const struct shape_value *of,
                   const char *what)
{
    const struct shape_value *column = rule_column(of);
    struct str name =
        column ? column->source->columns[column->column] : STR("The value");
    rule_broken(j, RULE_TIME_ZONE_SHIFT, ASKS_ANYTHING, STR(""), "%.*s %s",
                STR_ARG(name), what);
}

/* The text has this word as it is. */
static bool has_word(struct str text, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= text.len; i++)
        if (str_is(str_cut(text, i, n), word) &&
            (i == 0 || !str_is_alnum(text.ptr[i - 1])) &&
            (i + n == text.len || !str_is_alnum(text.ptr[i + n])))
            return true;
    return false;
}

/* The model says that this column without a zone holds UTC. */
static bool is_said_utc(struct guardrail_check *j, const struct shape_value *v)
{
    static const char *const stored[] = {"stored in UTC",
                                         "times are UTC",
                                         "times are in UTC",
                                         "kept in UTC",
                                         "timestamps are UTC",
                                         "timestamps are in UTC",
                                         NULL};
    struct column_origin o = origin_of(v);
    const struct field *f = rule_field(j, o);
    const struct dataset *d = rule_dataset(j, o);
    if (!f)
        return false;
    if (str_ends(f->column, STR("_utc")) || has_word(f->description, "UTC") ||
        has_word(f->hints.instructions, "UTC"))
        return str_find_nocase(f->description, STR("not utc")) < 0 &&
               str_find_nocase(f->description, STR("not in utc")) < 0;
    for (const char *const *p = stored; *p; p++)
        if (str_find_nocase(d->description, str_of(*p)) >= 0 ||
            str_find_nocase(d->hints.instructions, str_of(*p)) >= 0 ||
            str_find_nocase(j->o->hints.instructions, str_of(*p)) >= 0)
            return true;
    return false;
}

/* The zone is a literal that is not UTC. */
static bool is_elsewhere(const struct shape_value *zone)
{
    static const char *const utc[] = {"utc",     "gmt",       "z",    "etc/utc",
                                      "etc/gmt", "universal", "zulu", NULL};
    for (const char *const *u = utc; *u; u++)
        if (str_eq_nocase(zone->word, str_of(*u)))
            return false;
    return zone->kind == SHAPE_CONSTANT && zone->form == SHAPE_FORM_TEXT;
}

/* What date_trunc cuts to a day or more in the zone of the session, or NULL. */
static const struct shape_value *cut_of(const struct shape_value *v)
{
    static const char *const units[] = {"day",  "week",   "month", "quarter",
                                        "year", "decade", NULL};
    v = rule_resolve(v);
    while (v && v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE &&
           v->n_parts == 1)
        v = rule_resolve(v->parts[0]);
    bool cuts = v && v->form == SHAPE_FORM_CALL && v->n_parts == 2 &&
                str_is(v->word, "date_trunc") &&
                word_among_nocase(v->parts[0]->word, units);
    return cuts ? rule_resolve(v->parts[1]) : NULL;
}

/* The calendar is taken in one zone and then shown in another. */
static bool is_cut_before(struct guardrail_check *j,
                          const struct shape_value *zone,
                          const struct shape_value *of)
{
    const struct shape_value *cut = cut_of(of);
    if (cut)
        return is_elsewhere(zone) && rule_type(j, cut) == TYPE_TIMESTAMPTZ;
    cut = is_conversion(of) && !is_elsewhere(of->parts[0])
              ? cut_of(of->parts[1])
              : NULL;
    return cut && is_elsewhere(zone) && cut->kind == SHAPE_COLUMN &&
           rule_type(j, cut) == TYPE_TIMESTAMP && is_said_utc(j, cut);
}

static void judge_conversion(struct guardrail_check *j,
                             const struct shape_value *v, bool calendar)
{
    const struct shape_value *of = rule_resolve(v->parts[1]);
    if (!of || !rule_column(of))
        return;
    enum value_type type = rule_type(j, of);
    if (type == TYPE_DATE)
        broken(j, of,
               "is a date and has no time zone; converting it may move "
               "it to another day.");
    else if (is_cut_before(j, v->parts[0], of))
        broken(j, of,
               "is cut by date_trunc in one zone and then shown in another; "
               "convert it first.");
    else if (is_conversion(of) &&
             rule_type(j, of->parts[1]) == TYPE_TIMESTAMPTZ)
        broken(j, of,
               "has a time zone and is converted twice, which shifts "
               "it.");
    else if (calendar && type == TYPE_TIMESTAMP && !is_conversion(of))
        broken(j, of,
               "has no time zone; AT TIME ZONE reads it as a time of "
               "that zone, and the calendar is then that of the "
               "session.");
    else if (type == TYPE_TIMESTAMP && of->kind == SHAPE_COLUMN &&
             is_elsewhere(v->parts[0]) && is_said_utc(j, of))
        broken(j, of,
               "is in UTC without a zone; AT TIME ZONE reads it as a time of "
               "the other zone.");
}

static void find_zones(struct guardrail_check *j, const struct shape_value *v,
                       bool calendar)
{
    const struct shape_value *calendar_part = calendar_of(v);
    const struct shape_value *of =
        calendar_part ? rule_resolve(calendar_part) : NULL;
    if (is_conversion(v))
        judge_conversion(j, v, calendar);
    /* a derived table has converted it */
    if (of && of != calendar_part && is_conversion(of))
        judge_conversion(j, of, true);
    if (of && is_shifted(j, of))
        broken(j, of,
               "is shifted by a fixed number of hours before its day, "
               "month or hour is taken.");
    for (size_t i = 0; v && i < v->n_parts; i++)
        find_zones(j, v->parts[i], v->parts[i] == calendar_part);
}

void judge_zones(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; i < s->n_outputs; i++)
        find_zones(j, s->outputs[i].value, false);
    for (size_t i = 0; i < s->n_conditions; i++)
        find_zones(j, s->conditions[i], false);
    for (size_t i = 0; i < s->n_groups; i++)
        find_zones(j, s->groups[i], false);
}
