/* place.c - names and codes of places, from places.def. */
#include "place.h"
#include "read/field.h"
#include "base/banned.h"

struct known_place {
    const char *name;
    const char *others[3]; /* ends in NULL */
    bool country;
};

static const struct known_place places[] = {
#define STATE(a, b, c) {a, {b, c, NULL}, false},
#define COUNTRY(a, b, c) {a, {b, c, NULL}, true},
#include "places.def"
#undef STATE
#undef COUNTRY
};

static const struct known_place *place_of(const struct field *field,
                                          struct str value)
{
    static const char countries[] = "country nation";
    static const char states[] = "state province region territory";
    bool country = name_has(field->name, countries);
    bool state = name_has(field->name, states);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (str_eq_nocase(value, str_of(places[i].name)) &&
            (places[i].country ? country : state))
            return &places[i];
    return NULL;
}

const char *const *place_aliases(const struct field *field, struct str value)
{
    static const char *const none[] = {NULL};
    const struct known_place *place = place_of(field, value);
    return place ? place->others : none;
}

bool place_named(const struct field *field, struct str value)
{
    return place_of(field, value) != NULL;
}
