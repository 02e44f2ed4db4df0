/* state.c - fields that say in what state a thing is: the severity of a diagnosis is
 * not that of what happened in its treatment. */
#include "state.h"
#include "read/field.h"
#include "base/banned.h"

static const char *const families[] = {
    "severity grade priority urgency seriousness serious",
    "status stage phase outcome result",
    "condition cond quality",
};

/* The words of a name that say the same of another thing; NULL: it is no state. */
static const char *family_of(const struct field *field)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (name_has(field->name, families[i]))
            return families[i];
    return NULL;
}

/* Lines of an order are in the order's state. */
static bool is_part(const struct dataset *d)
{
    static const char parts[] =
        "item items line lines detail details position positions entry entries";
    return name_has(d->name, parts);
}

bool state_is_of_others(const struct bound_query *query, size_t things,
                        struct field_ref ref)
{
    return things != SIZE_MAX && ref.dataset != things &&
           !is_part(&query->o->datasets[things]) &&
           family_of(field_of_ref(query, ref)) != NULL;
}

/* What the rows have themselves that says the same; SIZE_MAX: nothing. */
static size_t own_state(const struct dataset *d, const char *family)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (name_has(d->fields[i].name, family))
            return i;
    return SIZE_MAX;
}

bool state_check_group(struct bound_query *query, struct str words,
                       struct field_ref ref)
{
    const struct field *field = field_of_ref(query, ref);
    const char *family = family_of(field);
    for (size_t i = 0; i < query->n_parts; i++) {
        size_t root = query->parts[i].root;
        if (!state_is_of_others(query, root, ref))
            continue;
        size_t own = own_state(&query->o->datasets[root], family);
        if (own != SIZE_MAX && !query_mentions(query, ref.dataset))
            return query_fails(
                query,
                "“%.*s” would be %.*s, while %.*s have a %.*s of their own",
                STR_ARG(words), STR_ARG(field_ref_path(query, ref)),
                STR_ARG(query->o->datasets[root].name),
                STR_ARG(spoken(query->arena,
                               query->o->datasets[root].fields[own].name)));
        query_note_meaning(query, words,
                           arena_printf(query->arena, "%.*s.",
                                        STR_ARG(field_ref_path(query, ref))));
    }
    return true;
}
