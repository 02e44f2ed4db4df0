/* snapshot.c - rows that say how things were on a day: the same car is in the stock of
 * each month, and a sum over several of these days would count it as often. */
#include "read/field.h"
#include "query.h"
#include "sql/expression.h"
#include "base/banned.h"

/* What is looked at again and again, by the names of datasets and their days. */
static bool is_snapshot_name(struct str name)
{
    static const char words[] =
        "snapshot snapshots snap asof inventory inventories stock stocks balance "
        "balances headcount headcounts census holding holdings position "
        "positions level levels";
    return name_has(name, words);
}

/* A level, which one day hands on to the next. */
static bool is_lasting(const struct field *field)
{
    static const char words[] =
        "balance stock hand onhand inventory headcount outstanding open value "
        "level occupancy available";
    return field_is_level(field) || name_has(field->name, words);
}

/* The day that is part of the key, next to what it is of; SIZE_MAX: there is none. */
static size_t day_in_key(const struct dataset *d)
{
    for (size_t i = 0; d->primary_key.n > 1 && i < d->primary_key.n; i++) {
        size_t field = field_of_column(d, d->primary_key.items[i]);
        if (field != SIZE_MAX && field_is_date(&d->fields[field]))
            return field;
    }
    return SIZE_MAX;
}

/* The day of the rows, if they say how the things were then. *lasting: only levels
 * do not add up over the days. */
static size_t snapshot_day(const struct dataset *d, bool *lasting)
{
    static const char asof[] = "snapshot snap asof";
    size_t day = day_in_key(d);
    *lasting = false;
    for (size_t i = 0; i < d->n_fields; i++)
        if (field_is_date(&d->fields[i]) && name_has(d->fields[i].name, asof))
            return i;
    *lasting = !is_snapshot_name(d->name);
    return day;
}

/* The sum is of levels. */
static bool sums_lasting(struct bound_query *query, const struct aggregate *a)
{
    const struct dataset *d = &query->o->datasets[a->grain];
    for (size_t i = 0; i < d->n_fields; i++) {
        struct str problem = {NULL, 0};
        struct str sql =
            field_sql(query->arena, query->o, a->grain, i, &problem);
        if (is_lasting(&d->fields[i]) && sql.len && str_find(a->sql, sql) >= 0)
            return true;
    }
    return false;
}

/* The question is about one of these days, or about each of them. */
static bool is_of_day(const struct bound_query *query, struct field_ref day)
{
    const struct window *w = &query->question.window;
    const struct range *range = &w->ranges[0];
    bool one = w->relative == RELATIVE_NONE && w->n == 1 && range->has_from &&
               range->has_to && range->to == range->from + 1;
    bool same = field_ref_same(query->parts[0].time, day);
    for (size_t i = 0; i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        if (d->grain ? same && d->grain == UNIT_DAY
                     : field_ref_same(d->ref, day))
            return true;
    }
    return one && same;
}

bool check_snapshots(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct formula *f = &query->measures[i].formula;
        for (size_t j = 0; j < f->n; j++) {
            const struct aggregate *a = &f->aggregates[j];
            const struct dataset *d = &query->o->datasets[a->grain];
            bool lasting;
            size_t field = snapshot_day(d, &lasting);
            struct field_ref day = {a->grain, field};
            if (!a->adds || a->counts || field == SIZE_MAX ||
                is_of_day(query, day) || (lasting && !sums_lasting(query, a)))
                continue;
            return query_fails(
                query,
                "%.*s say how things were on a day, so that a sum over several "
                "days counts each of them several times; say of which day",
                STR_ARG(d->name));
        }
    }
    return true;
}
