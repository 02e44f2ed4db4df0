/* value.c - conditions of a field: equal to values, containing text. */
#include "base/buf.h"
#include "read/field.h"
#include "read/person.h"
#include "from.h"
#include "bind/place.h"
#include "sql_text.h"
#include "base/banned.h"

struct str field_ref_sql(struct bound_query *query, struct field_ref ref)
{
    struct str problem = {NULL, 0};
    struct str sql =
        field_sql(query->arena, query->o, ref.dataset, ref.field, &problem);
    if (problem.len)
        query_fails(query, "%.*s cannot be used: %.*s",
                    STR_ARG(field_ref_path(query, ref)), STR_ARG(problem));
    return sql;
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static struct str lower_literal(struct bound_query *query, struct str value)
{
    if (is_ascii(value))
        return sql_literal(query->arena, lower_case(query->arena, value));
    return arena_printf(query->arena, "LOWER(%.*s)",
                        STR_ARG(sql_literal(query->arena, value)));
}

/* "Luis" for the letters of "Luís", in lower case: people leave out the accents of a
 * name. */
static struct str folded_sql(struct bound_query *query, struct str sql)
{
    static const char accented[] =
        "áàâäãåāăąçćčďđéèêëēėęěğíìîïīįıłñńňóòôöõøōőřśšşșťțúùûüūůűųýÿžźż";
    static const char bare[] =
        "aaaaaaaaacccddeeeeeeeegiiiiiiilnnnoooooooorssssttuuuuuuuuyyzzz";
    return arena_printf(query->arena, "TRANSLATE(LOWER(%.*s), '%s', '%s')",
                        STR_ARG(sql), accented, bare);
}

struct str full_name_sql(struct bound_query *query, struct field_ref ref)
{
    struct field_ref first = {.dataset = ref.dataset}, last = first;
    name_fields(&query->o->datasets[ref.dataset], &first.field, &last.field);
    return arena_printf(query->arena, "CONCAT_WS(' ', %.*s, %.*s)",
                        STR_ARG(field_ref_sql(query, first)),
                        STR_ARG(field_ref_sql(query, last)));
}

static struct str full_name_is(struct bound_query *query, struct field_ref ref,
                               struct str value)
{
    struct str name = full_name_sql(query, ref);
    struct str text = lower_literal(query, value);
    if (is_ascii(value))
        return arena_printf(query->arena, "%.*s = %.*s",
                            STR_ARG(folded_sql(query, name)), STR_ARG(text));
    return arena_printf(query->arena, "LOWER(%.*s) = %.*s", STR_ARG(name),
                        STR_ARG(text));
}

static struct str text_sql(struct bound_query *query, struct field_ref ref)
{
    const struct field *field = field_of_ref(query, ref);
    struct str sql = field_ref_sql(query, ref);
    bool text = field->datatype.len && field_is_text(field) &&
                !str_eq_nocase(str_cut(field->datatype, 0, 4), STR("enum"));
    return text
               ? sql
               : arena_printf(query->arena, "CAST(%.*s AS text)", STR_ARG(sql));
}

struct str value_is(struct bound_query *query, struct field_ref ref,
                    struct str value)
{
    const char *const *others = place_aliases(field_of_ref(query, ref), value);
    struct buf out;
    if (ref.field == FULL_NAME)
        return full_name_is(query, ref, value);
    buf_init(&out, query->arena);
    buf_printf(&out, "LOWER(%.*s)", STR_ARG(text_sql(query, ref)));
    buf_text(&out, *others ? " IN (" : " = ");
    buf_str(&out, lower_literal(query, value));
    for (size_t i = 0; others[i]; i++)
        buf_printf(&out, ", '%s'", others[i]);
    if (*others)
        buf_char(&out, ')');
    return buf_view(&out);
}

static bool is_number_like(const struct field *field,
                           const struct asked_filter *f)
{
    bool all = f->n_values > 0;
    for (size_t i = 0; i < f->n_values; i++)
        all = all && f->values[i].number;
    return all && field_is_number(field);
}

/* The key is one of those whose rows are called so. */
static struct str reference_is(struct bound_query *query,
                               const struct condition *c)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_printf(&out, "%.*s IN (SELECT %.*s FROM ",
               STR_ARG(field_ref_sql(query, c->ref)),
               STR_ARG(field_ref_sql(query, c->referred)));
    put_relation(query, c->referred.dataset, &out);
    for (size_t i = 0; i < c->n_searches; i++)
        buf_printf(&out, "%s%.*s", i ? " OR " : " WHERE ",
                   STR_ARG(value_is(query, c->searches[i].candidates[0],
                                    c->searches[i].value)));
    buf_char(&out, ')');
    return buf_view(&out);
}

struct str values_are(struct bound_query *query, const struct condition *c)
{
    if (c->has_reference)
        return reference_is(query, c);
    struct buf out;
    const struct field *field = field_of_ref(query, c->ref);
    buf_init(&out, query->arena);
    if (is_number_like(field, c->asked)) {
        buf_printf(&out, "%.*s IN (", STR_ARG(field_ref_sql(query, c->ref)));
        for (size_t i = 0; i < c->asked->n_values; i++)
            buf_printf(&out, "%s%.*s", i ? ", " : "",
                       STR_ARG(c->asked->values[i].text));
        buf_char(&out, ')');
        return buf_view(&out);
    }
    for (size_t i = 0; i < c->asked->n_values; i++) {
        buf_text(&out, i ? " OR " : "");
        buf_str(&out, value_is(query, c->ref, c->asked->values[i].text));
    }
    if (c->asked->n_values < 2)
        return buf_view(&out);
    return arena_printf(query->arena, "(%.*s)", STR_ARG(buf_view(&out)));
}

struct str values_are_like(struct bound_query *query, const struct condition *c)
{
    bool front = c->asked->comparison != IS_BEGINS;
    bool back = c->asked->comparison != IS_ENDS;
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < c->asked->n_values; i++) {
        struct str text =
            sql_like_literal(query->arena, front ? "%" : "",
                             c->asked->values[i].text, back ? "%" : "");
        buf_printf(&out, "%s%.*s ILIKE %.*s", i ? " OR " : "(",
                   STR_ARG(text_sql(query, c->ref)), STR_ARG(text));
    }
    buf_char(&out, ')');
    return buf_view(&out);
}
