/* person.c - guesses from names that a dataset is of persons. */
#include "person.h"
#include "field.h"
#include "words.h"
#include <stdint.h>
#include "base/banned.h"

enum { NAME_WORDS = 12 };

/* The words of a field's name without the name of its dataset: birth, date. */
static size_t own_words(struct arena *arena, const struct dataset *d,
                        const struct field *field, struct str *words)
{
    struct str own = words_key(arena, d->name);
    size_t n = full_words(arena, field->name, words, NAME_WORDS);
    size_t skip = n > 1 && str_eq(word_stem(arena, words[0]), own);
    for (size_t i = skip; i < n; i++)
        words[i - skip] = words[i];
    return n - skip;
}

static bool is_birth(struct arena *arena, const struct dataset *d,
                     const struct field *field)
{
    static const char words[] =
        "birth born birthday birthdate birthyear date day year of on";
    static const char births[] = "birth born birthday birthdate birthyear";
    struct str parts[NAME_WORDS];
    size_t n = own_words(arena, d, field, parts);
    bool birth = false;
    for (size_t i = 0; i < n; i++) {
        if (!list_has(words, parts[i]))
            return false;
        birth = birth || list_has(births, parts[i]);
    }
    return birth;
}

size_t birth_field(struct arena *arena, const struct dataset *d)
{
    size_t found[2] = {SIZE_MAX, SIZE_MAX}, n[2] = {0, 0};
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct field *field = &d->fields[i];
        bool date = field_is_date(field);
        if (!is_birth(arena, d, field) || (!date && !field_is_year(field)))
            continue;
        found[!date] = i;
        n[!date]++;
    }
    return n[0] == 1 ? found[0] : n[0] == 0 && n[1] == 1 ? found[1] : SIZE_MAX;
}

/* The word of the dataset's name that says what its rows are: "player" of
 * dim_players. */
static struct str noun_of(struct arena *arena, const struct dataset *d)
{
    static const char others[] = "dim table tbl data info list master details";
    struct str parts[NAME_WORDS];
    size_t n = full_words(arena, d->name, parts, NAME_WORDS);
    while (n > 1 && list_has(others, parts[n - 1]))
        n--;
    return n ? word_stem(arena, parts[n - 1]) : STR("");
}

static bool has_person_names(const struct dataset *d)
{
    static const char parts[] = "first last given family surname forename";
    static const char names[] = "name surname forename";
    for (size_t i = 0; i < d->n_fields; i++)
        if (name_has(d->fields[i].name, parts) &&
            name_has(d->fields[i].name, names))
            return true;
    return false;
}

bool name_fields(const struct dataset *d, size_t *first, size_t *last)
{
    static const char firsts[] = "first given forename";
    static const char lasts[] = "last family surname";
    *first = *last = SIZE_MAX;
    for (size_t i = 0; i < d->n_fields; i++) {
        struct str name = d->fields[i].name;
        if (!field_is_text(&d->fields[i]))
            continue;
        if (name_has(name, firsts))
            *first = *first == SIZE_MAX ? i : *first;
        else if (name_has(name, lasts))
            *last = *last == SIZE_MAX ? i : *last;
    }
    return *first != SIZE_MAX && *last != SIZE_MAX;
}

bool is_called_persons(struct arena *arena, const struct dataset *d)
{
    static const char nouns[] =
        "person people customer client buyer shopper member user patient guest "
        "subscriber student pupil passenger donor visitor employee staff worker "
        "manager player coach referee driver rider pilot actor actress director "
        "author writer editor teacher instructor professor lecturer doctor "
        "physician nurse surgeon therapist dentist lawyer judge agent rep "
        "salesperson seller trainer athlete swimmer runner jockey skater boxer "
        "singer musician composer conductor artist painter politician senator "
        "representative president mayor officer inspector technician engineer "
        "mechanic scientist researcher candidate applicant voter owner tenant "
        "landlord borrower reader resident citizen soldier captain sailor chef "
        "waiter cashier courier volunteer participant contestant speaker host "
        "child parent friend contact attendee learner tutor mentor vet keeper "
        "individual man woman crew umpire fielder pitcher batter";
    return list_has(nouns, noun_of(arena, d));
}

bool is_persons(struct arena *arena, const struct dataset *d)
{
    return is_called_persons(arena, d) || has_person_names(d) ||
           birth_field(arena, d) != SIZE_MAX;
}

bool is_buyers(struct arena *arena, const struct dataset *d)
{
    static const char nouns[] =
        "customer client buyer shopper purchaser consumer account";
    return list_has(nouns, noun_of(arena, d));
}

bool may_be_persons(struct arena *arena, const struct dataset *d)
{
    static const char trades[] = "er or ist ian ant ee man woman";
    static const char things[] =
        "order offer number paper center computer printer container trailer "
        "tower river letter newsletter chapter register filter folder water "
        "semester quarter transfer poster encounter answer tender parameter "
        "counter header banner layer meter disorder sensor motor door floor "
        "color vector error monitor plant restaurant variant grant fee "
        "committee";
    struct str noun = noun_of(arena, d);
    return is_persons(arena, d) ||
           (list_ends(trades, noun) && !list_has(things, noun));
}
