/* bind_who.c - "who scored the most goals" does not say which persons are meant. They
 * are the only ones that each of the measured rows belongs to. */
#include "read/field.h"
#include "query.h"
#include "read/person.h"
#include "base/banned.h"

/* The persons that the root reaches; SIZE_MAX: there are none, or there are others
 * who may be meant. */
static size_t persons_of(struct bound_query *query, size_t root)
{
    const struct reach *reach = reach_from(&query->reaches, root);
    size_t found = SIZE_MAX, n = 0;
    for (size_t i = 0; i < query->o->n_datasets; i++) {
        const struct dataset *d = &query->o->datasets[i];
        if (reach->distance[i] == SIZE_MAX || !may_be_persons(query->arena, d))
            continue;
        n++;
        if (is_persons(query->arena, d) && !reach->ambiguous[i])
            found = i;
    }
    return n == 1 ? found : SIZE_MAX;
}

bool bind_who(struct bound_query *query)
{
    struct question *q = &query->question;
    if (!q->who)
        return true;
    size_t persons = query->n_parts == 1
                         ? persons_of(query, query->parts[0].root)
                         : SIZE_MAX;
    if (persons == SIZE_MAX)
        return query_fails(query,
                           "“who” asks for people, and I do not see which");
    struct term term = {TERM_DATASET, WEIGHT_NAME, persons, persons};
    struct str name = query->o->datasets[persons].name;
    q->dimensions[0] = (struct asked_dimension){
        .what = choice_one(query->arena, term, spoken(query->arena, name), 1),
        .ranked = true};
    q->n_dimensions = 1;
    query_note(query, STR("Who is asked for?"),
               arena_printf(query->arena, "One of %.*s.", STR_ARG(name)));
    return true;
}

bool who_check_named(struct bound_query *query,
                     const struct asked_filter *asked, struct field_ref place)
{
    const struct ontology *o = query->o;
    size_t far = query_distance(query, place.dataset);
    /* Those who buy are named right away, and not those who sold to them. */
    static const char buyers[] =
        "customer customers client clients buyer buyers shopper shoppers";
    if (!asked->named || asked->near != SIZE_MAX ||
        !is_persons(query->arena, &o->datasets[place.dataset]) ||
        name_has(o->datasets[place.dataset].name, buyers) ||
        query_mentions(query, place.dataset))
        return true;
    for (size_t i = 0; i < o->n_datasets; i++)
        if (i != place.dataset && query_distance(query, i) <= far &&
            query_distance(query, i) > 0 &&
            query_distance(query, i) != SIZE_MAX &&
            is_persons(query->arena, &o->datasets[i]))
            return query_fails(query,
                               "“%.*s” may be one of the %.*s or of the %.*s; "
                               "say which",
                               STR_ARG(asked->words),
                               STR_ARG(o->datasets[place.dataset].name),
                               STR_ARG(o->datasets[i].name));
    return true;
}
