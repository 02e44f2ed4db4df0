/* bind_code.c - puts what a field holds in the place of what the question says: codes,
 * flags, singulars. */
#include "bind_code.h"
#include "read/code.h"
#include "read/field.h"
#include "base/banned.h"

/* The filter, to be changed for this query alone. */
static struct asked_filter *own_filter(struct bound_query *query,
                                       struct condition *c)
{
    struct asked_filter *own = arena_new(query->arena, struct asked_filter);
    *own = *c->asked;
    c->asked = own;
    return own;
}

static void note_code(struct bound_query *query, struct str words,
                      struct field_ref ref, struct str code)
{
    query_note(
        query, arena_printf(query->arena, "What is “%.*s”?", STR_ARG(words)),
        arena_printf(query->arena, "%.*s is %.*s.",
                     STR_ARG(field_ref_path(query, ref)), STR_ARG(code)));
}

/* A flag that is no Boolean is compared with its code for yes, or for no: rows
 * that do not say either are not taken for a no. Over a bridge, no row may say yes. */
static void bind_flag(struct bound_query *query, struct condition *c)
{
    struct flag flag;
    const struct field *field = field_of_ref(query, c->ref);
    if (c->asked->comparison != IS_TRUE || !field_flag(field, &flag) ||
        !flag.yes.len)
        return;
    struct asked_filter *own = own_filter(query, c);
    bool joined = query_distance(query, c->ref.dataset) != SIZE_MAX;
    struct str code = own->negated && joined ? flag.no : flag.yes;
    own->negated = own->negated && !joined;
    own->comparison = IS;
    own->n_values = 1;
    own->values[0] =
        (struct filter_value){.text = code, .number = field_is_number(field)};
    note_code(query, own->words, c->ref, code);
}

static bool is_absent(struct str word)
{
    static const char none[] = "unknown missing empty blank unset";
    return list_has(none, word);
}

/* "Sex is unknown", where a code says that it is. */
static bool refuse_absent(struct bound_query *query, const struct condition *c,
                          const struct code *code)
{
    return query_fails(query,
                       "“%.*s” may be the code %.*s of %.*s or no value at all",
                       STR_ARG(code->meaning), STR_ARG(code->code),
                       STR_ARG(field_ref_path(query, c->ref)));
}

/* What the field holds for the words: the code F for "female", "pivot" for
 * "pivots"; the words when that is not known. */
static struct str literal_of(struct bound_query *query,
                             const struct condition *c,
                             const struct filter_value *v)
{
    const struct field *field = field_of_ref(query, c->ref);
    const struct sample *sample =
        sample_of(v->samples, c->ref.dataset, c->ref.field);
    struct code codes[CODES_MOST];
    size_t n = field_codes(field, codes);
    if (sample && (sample->coded || !sample_is_spelled(&query->lexicon->samples,
                                                       sample, v->text)))
        return sample->literal;
    for (size_t i = 0; i < n; i++)
        if (str_eq_nocase(codes[i].meaning, v->text))
            return codes[i].code;
    return v->text;
}

static void bind_literals(struct bound_query *query, struct condition *c)
{
    for (size_t i = 0; c->asked->comparison == IS && i < c->asked->n_values;
         i++) {
        struct filter_value v = c->asked->values[i];
        struct str literal = literal_of(query, c, &v);
        if (str_eq(literal, v.text))
            continue;
        note_code(query, v.text, c->ref, literal);
        v.text = literal;
        v.samples = NULL; /* it is looked up */
        own_filter(query, c)->values[i] = v;
    }
}

static bool check_absent(struct bound_query *query, const struct condition *c)
{
    struct code codes[CODES_MOST];
    size_t n = field_codes(field_of_ref(query, c->ref), codes);
    for (size_t i = 0; i < n; i++) {
        bool said = c->asked->comparison == IS_MISSING &&
                    str_find_nocase(c->asked->words, codes[i].meaning) >= 0;
        for (size_t j = 0; j < c->asked->n_values; j++)
            said = said ||
                   str_eq_nocase(c->asked->values[j].text, codes[i].meaning);
        if (said && is_absent(codes[i].meaning))
            return refuse_absent(query, c, &codes[i]);
    }
    return true;
}

/* "Active", a flag of the things that have a status called so as well. */
static bool check_rival(struct bound_query *query, const struct condition *c)
{
    struct str words = c->asked->what.words;
    const struct sample_list *samples =
        c->asked->comparison == IS_TRUE
            ? samples_find(&query->lexicon->samples, words)
            : NULL;
    for (size_t i = 0; samples && i < samples->n; i++) {
        struct field_ref ref = {samples->items[i].dataset,
                                samples->items[i].field};
        if (ref.dataset == c->ref.dataset && ref.field != c->ref.field)
            return query_fails(query,
                               "“%.*s” may be %.*s or a value of %.*s, and the "
                               "question does not say which is meant",
                               STR_ARG(words),
                               STR_ARG(field_ref_path(query, c->ref)),
                               STR_ARG(field_ref_path(query, ref)));
    }
    return true;
}

bool code_bind_field(struct bound_query *query, struct condition *c)
{
    if (!check_rival(query, c))
        return false;
    bind_flag(query, c);
    if (!check_absent(query, c))
        return false;
    bind_literals(query, c);
    return true;
}

/* "Female patients": the field that has the code is compared with it. The data must
 * hold the code, because the description may be wrong. */
bool code_bind_search(struct bound_query *query, struct condition *c)
{
    const struct value_search *first = &c->searches[0];
    const struct value_search *coded = NULL, *other = NULL;
    for (size_t i = 0; i < c->n_searches; i++) {
        const struct value_search *s = &c->searches[i];
        coded = s->coded ? s : coded;
        if (!s->known ||
            !field_ref_same(s->candidates[0], first->candidates[0]))
            other = s;
    }
    if (!coded)
        return true;
    if (other)
        return query_fails(
            query, "“%.*s” is no value of %.*s", STR_ARG(other->value),
            STR_ARG(field_ref_path(query, first->candidates[0])));
    struct asked_filter *own = own_filter(query, c);
    c->ref = first->candidates[0];
    own->kind = FILTER_FIELD;
    for (size_t i = 0; i < c->n_searches; i++) {
        const struct value_search *s = &c->searches[i];
        if (s->coded)
            note_code(query, s->value, c->ref, s->literal);
        own->values[i] = (struct filter_value){.text = s->literal};
    }
    c->n_searches = 0;
    return true;
}

bool code_may_be_sought(struct bound_query *query,
                        const struct filter_value *value)
{
    const struct sample_list *samples = value->samples;
    for (size_t i = 0; samples && i < samples->n; i++) {
        const struct sample *s = &samples->items[i];
        struct field_ref ref = {s->dataset, s->field};
        if (s->coded)
            return query_fails(
                query,
                "“%.*s” is the code %.*s of %.*s, and I do not see what it "
                "says of the things that the question names",
                STR_ARG(value->text), STR_ARG(s->literal),
                STR_ARG(field_ref_path(query, ref)));
    }
    return true;
}
