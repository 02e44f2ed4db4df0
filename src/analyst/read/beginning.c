/* beginning.c - dates and years by what their names say. */
#include "beginning.h"
#include "field.h"
#include "person.h"
#include "words.h"
#include <stdint.h>
#include "base/banned.h"

enum { NAME_WORDS = 12 };

static const char when[] = "date day year on at in of time timestamp datetime";

/* The name has nothing but the words, what says that it is a date, and the name of
 * the dataset; with `some`, one of the words. */
static bool is_called(struct arena *arena, const struct dataset *d,
                      const struct field *field, const char *words, bool some)
{
    struct str parts[NAME_WORDS], own[NAME_WORDS];
    size_t n = full_words(arena, field->name, parts, NAME_WORDS);
    size_t n_own = name_parts(arena, d->name, own, NAME_WORDS);
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool theirs = false;
        for (size_t j = 0; j < n_own; j++)
            theirs = theirs || str_eq(word_stem(arena, parts[i]),
                                      word_stem(arena, own[j]));
        bool said = list_has(words, parts[i]);
        if (!said && !theirs && !list_has(when, parts[i]))
            return false;
        found = found || said;
    }
    return found || !some;
}

static bool is_when(const struct field *field)
{
    return field_is_date(field) || field_is_year(field);
}

/* The only day or year that is called so; *n counts them. */
static size_t called_field(struct arena *arena, const struct dataset *d,
                           const char *words, size_t *n)
{
    size_t found = SIZE_MAX;
    *n = 0;
    for (size_t i = 0; i < d->n_fields; i++) {
        if (!is_when(&d->fields[i]) ||
            !is_called(arena, d, &d->fields[i], words, true))
            continue;
        found = i;
        ++*n;
    }
    return *n == 1 ? found : SIZE_MAX;
}

/* Its own date: order_date of orders, "date". */
static size_t plain_date(struct arena *arena, const struct dataset *d)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < d->n_fields; i++) {
        if (!field_is_date(&d->fields[i]) ||
            !is_called(arena, d, &d->fields[i], "", false))
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

/* What persons joined; what things came into being. Rows are created in a database,
 * too, long after what they are about. */
static const char joining[] =
    "joined join joining reg registered registration register signed signup sign up "
    "hired hire hiring enrolled enrolment enrollment employed employment member "
    "membership since";
static const char coming[] =
    "founded founding foundation established establishment built build "
    "construction constructed opened opening open inaugurated inauguration "
    "inception launched launch released release introduced introduction "
    "published publication";
static const char made[] =
    "created create creation added made registered registration posted "
    "submitted written recorded issued placed received logged sent uploaded "
    "ordered booked reported";

size_t beginning_field(struct arena *arena, const struct dataset *d)
{
    size_t n, found;
    if (is_persons(arena, d))
        return called_field(arena, d, joining, &n);
    found = called_field(arena, d, coming, &n);
    if (n)
        return found;
    found = plain_date(arena, d);
    if (found != SIZE_MAX)
        return found;
    return may_be_persons(arena, d) ? SIZE_MAX
                                    : called_field(arena, d, made, &n);
}

/* Says when something ended, was due or changed, or is of somebody's life. */
static bool is_other_date(const struct field *field)
{
    static const char words[] =
        "birth born birthday birthdate death died end ended ending finish "
        "finished due deadline expiry expiration expires expired exp updated update "
        "modified modification changed change edited edit deleted delete "
        "cancelled canceled cancellation dismissed left leave leaving exit "
        "return returned discontinued closed close valid until to retired last "
        "next first original planned expected scheduled required estimated "
        "archived review paid";
    return name_has(field->name, words);
}

/* Of the dates, the only one; with `marked`, of those that the model marks. */
static size_t only_date(const struct dataset *d, bool marked)
{
    size_t found = SIZE_MAX, n = 0;
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct field *field = &d->fields[i];
        if (!field_is_date(field) || (marked && !field->is_time))
            continue;
        found = i;
        n++;
    }
    return n == 1 && !is_other_date(&d->fields[found]) ? found : SIZE_MAX;
}

size_t event_field(struct arena *arena, const struct dataset *d)
{
    size_t n, found;
    if (may_be_persons(arena, d))
        return SIZE_MAX;
    found = plain_date(arena, d);
    if (found == SIZE_MAX)
        found = only_date(d, true);
    if (found == SIZE_MAX)
        found = only_date(d, false);
    return found == SIZE_MAX ? called_field(arena, d, coming, &n) : found;
}
