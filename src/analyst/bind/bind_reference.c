/* bind_reference.c - a reference that is compared with a name, "rooms cleaned by Nora
 * Quinn", "employees who report to Andrew Fuller": the column holds keys, and the
 * rows that have these keys have names. */
#include "read/field.h"
#include "read/person.h"
#include "query.h"
#include "base/banned.h"

/* The only relationship of the column alone; NULL: there is none, or several. */
static const struct relationship *relationship_of(struct bound_query *query,
                                                  struct field_ref ref)
{
    const struct ontology *o = query->o;
    const struct relationship *only = NULL;
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from != ref.dataset || r->from_columns.n != 1 ||
            field_of_column(&o->datasets[r->from], r->from_columns.items[0]) !=
                ref.field)
            continue;
        if (only)
            return NULL;
        only = r;
    }
    return only;
}

/* The values are words, and none that the field is known to hold itself. */
static bool are_names(const struct asked_filter *asked, struct field_ref ref)
{
    bool names = asked->n_values > 0 && asked->comparison == IS;
    for (size_t i = 0; i < asked->n_values; i++)
        names = names && !asked->values[i].number &&
                !sample_of(asked->values[i].samples, ref.dataset, ref.field);
    return names;
}

/* What the rows are called, by as many words as the value has. */
static size_t name_of(const struct dataset *d, struct str value)
{
    size_t first, last;
    if (!name_fields(d, &first, &last))
        return dataset_label(d);
    return str_find_char(value, ' ') < 0 ? last : FULL_NAME;
}

bool reference_is_named(struct bound_query *query, const struct condition *c)
{
    const struct relationship *r = relationship_of(query, c->ref);
    const struct field *field = field_of_ref(query, c->ref);
    return r && are_names(c->asked, c->ref) &&
           (field_is_number(field) || field_is_id(field)) &&
           dataset_label(&query->o->datasets[r->to]) != SIZE_MAX;
}

bool bind_reference(struct bound_query *query, struct condition *c)
{
    const struct relationship *r = relationship_of(query, c->ref);
    const struct dataset *to = &query->o->datasets[r->to];
    c->referred =
        (struct field_ref){r->to, field_of_column(to, r->to_columns.items[0])};
    if (c->referred.field == SIZE_MAX)
        return query_cannot_join(query, c->asked->words);
    for (size_t i = 0; i < c->asked->n_values; i++) {
        struct str value = c->asked->values[i].text;
        struct field_ref name = {r->to, name_of(to, value)};
        c->searches[c->n_searches++] =
            (struct value_search){.value = value, .candidates = {name}, .n = 1};
    }
    c->has_reference = true;
    return true;
}
