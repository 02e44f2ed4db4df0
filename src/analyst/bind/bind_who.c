/* bind_who.c - "who scored the most goals" does not say which persons are meant. They
 * are the only ones that each of the measured rows belongs to. */
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
