/* lookup.c - what the lookup of values says about a question: a value that no
 * field holds, or that several do, has no figure. */
#include "lookup.h"
#include "read/field.h"
#include "read/person.h"
#include "base/banned.h"

/* The fields in which the lookup found a value, in the order of the search. */
struct places {
    struct str fields[QUERY_CANDIDATES];
    double matches[QUERY_CANDIDATES]; /* rows that hold it */
    size_t n;
};

static struct places places_of(const struct data_frame *lookup,
                               struct str value)
{
    size_t values = data_frame_column(lookup, STR("value"));
    size_t fields = data_frame_column(lookup, STR("field"));
    size_t matches = data_frame_column(lookup, STR("matches"));
    struct places places = {.n = 0};
    for (size_t r = 0; r < lookup->n_rows; r++) {
        double n;
        struct str field = data_frame_cell(lookup, r, fields)->text;
        bool new = true;
        if (!str_eq(data_frame_cell(lookup, r, values)->text, value) ||
            !cell_number(data_frame_cell(lookup, r, matches), &n) || n <= 0)
            continue;
        for (size_t i = 0; i < places.n; i++)
            new = new && !str_eq(places.fields[i], field);
        if (!new || places.n == QUERY_CANDIDATES)
            continue;
        places.matches[places.n] = n;
        places.fields[places.n++] = field;
    }
    return places;
}

static struct str candidates_words(struct bound_query *query,
                                   const struct value_search *s)
{
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < s->n; i++)
        buf_printf(&out, "%s%.*s",
                   i == 0          ? ""
                   : i + 1 == s->n ? " and "
                                   : ", ",
                   STR_ARG(field_ref_path(query, s->candidates[i])));
    return buf_view(&out);
}

static size_t dataset_of(const struct bound_query *query, struct str field)
{
    ptrdiff_t dot = str_find_char(field, '.');
    for (size_t i = 0; i < query->o->n_datasets; i++)
        if (dot > 0 &&
            str_eq(query->o->datasets[i].name, str_cut(field, 0, (size_t)dot)))
            return i;
    return SIZE_MAX;
}

/* The first place is in the dataset that the question names with the value, and
 * the second does not belong to it: "customers in Germany" live there, but
 * "orders from Germany" may be those of German customers. */
static bool is_named(struct bound_query *query, const struct condition *c,
                     const struct places *p)
{
    if (c->asked->near == SIZE_MAX)
        return false;
    for (size_t i = 1; i < p->n; i++) {
        size_t other = dataset_of(query, p->fields[i]);
        if (other == SIZE_MAX ||
            reach_has(&query->reaches, c->asked->near, other))
            return false;
    }
    return dataset_of(query, p->fields[0]) == c->asked->near;
}

/* Every text of the model was looked at. */
static bool covers_all(const struct bound_query *query,
                       const struct value_search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < query->o->n_datasets; i++)
        for (size_t j = 0; j < query->o->datasets[i].n_fields; j++)
            n += field_is_text(&query->o->datasets[i].fields[j]);
    return s->n >= n;
}

/* Empty: the search found one place. */
static struct str search_problem(struct bound_query *query,
                                 const struct condition *c,
                                 const struct value_search *s,
                                 const struct places *p)
{
    bool named = c->asked->kind == FILTER_FIELD;
    if (!p->n && !named && (s->cut || !covers_all(query, s)))
        return arena_printf(query->arena,
                            "I did not find “%.*s” in %.*s, which are not all "
                            "fields, so it may be in another one; name the "
                            "field to have it looked for there.",
                            STR_ARG(s->value),
                            STR_ARG(candidates_words(query, s)));
    if (!p->n)
        return arena_printf(query->arena,
                            "%s “%.*s”, so there is no figure for it. I looked "
                            "in %.*s.",
                            named ? "I did not find" : "No field holds",
                            STR_ARG(s->value),
                            STR_ARG(candidates_words(query, s)));
    for (size_t i = 0; i < query->n_parts && !c->has_reference; i++) {
        size_t dataset = dataset_of(query, p->fields[0]);
        const struct reach *reach =
            reach_from(&query->reaches, query->parts[i].root);
        if (dataset != SIZE_MAX && reach->distance[dataset] != SIZE_MAX &&
            reach->ambiguous[dataset])
            return arena_printf(
                query->arena,
                "“%.*s” is a value of %.*s, to which %.*s lead in several "
                "ways, and the question does not say which is meant.",
                STR_ARG(s->value), STR_ARG(p->fields[0]),
                STR_ARG(query->o->datasets[query->parts[i].root].name));
    }
    if (p->n == 1 || s->n == 1 || is_named(query, c, p))
        return STR("");
    return arena_printf(query->arena,
                        "“%.*s” is a value of %.*s and of %.*s, and the "
                        "question does not say which is meant.",
                        STR_ARG(s->value), STR_ARG(p->fields[0]),
                        STR_ARG(p->fields[1]));
}

/* The one field that the condition turned out to be about; empty: none. */
static struct str field_found(struct bound_query *query,
                              const struct condition *c,
                              const struct data_frame *lookup)
{
    const struct value_search *s = &c->searches[0];
    if (c->asked->negated || !c->n_searches || c->n_searches > 1)
        return STR("");
    if (s->known)
        return field_ref_path(query, s->candidates[0]);
    struct places p = places_of(lookup, s->value);
    return p.n ? p.fields[0] : STR("");
}

/* Two conditions apart that turn out to be about one column. */
static struct str pair_problem(struct bound_query *query,
                               const struct data_frame *lookup)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        for (size_t j = i + 1; j < query->n_conditions; j++) {
            const struct condition *a = &query->conditions[i];
            const struct condition *b = &query->conditions[j];
            struct str field = field_found(query, a, lookup);
            if (field.len && str_eq(field, field_found(query, b, lookup)))
                return arena_printf(
                    query->arena,
                    "“%.*s” and “%.*s” are both values of %.*s, and no row "
                    "has two; say “or” to have both.",
                    STR_ARG(a->searches[0].value),
                    STR_ARG(b->searches[0].value), STR_ARG(field));
        }
    return STR("");
}

struct str lookup_problem(struct bound_query *query,
                          const struct data_frame *lookup)
{
    if (!lookup->n_rows)
        return STR("");
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        for (size_t j = 0; j < c->n_searches; j++) {
            const struct value_search *s = &c->searches[j];
            struct places p = places_of(lookup, s->value);
            struct str problem =
                s->known ? STR("") : search_problem(query, c, s, &p);
            if (problem.len)
                return problem;
        }
    }
    return pair_problem(query, lookup);
}

/* Two persons of one name are added up, which nothing else in the answer shows. */
static void tell_namesakes(struct bound_query *query, const struct places *p,
                           struct str value, const char *lead, struct buf *out)
{
    size_t i = dataset_of(query, p->fields[0]);
    const struct dataset *d = i == SIZE_MAX ? NULL : &query->o->datasets[i];
    size_t label = d && d->primary_key.n ? dataset_label(d) : SIZE_MAX;
    size_t first, last;
    if (p->matches[0] < 2 || label == SIZE_MAX)
        return;
    bool full = name_fields(d, &first, &last) &&
                str_eq(field_ref_path(query, (struct field_ref){i, FULL_NAME}),
                       p->fields[0]);
    if (!full && !str_eq(field_ref_path(query, (struct field_ref){i, label}),
                         p->fields[0]))
        return;
    buf_printf(out, "%s%.0f of the ", lead, p->matches[0]);
    put_escaped(out, d->name);
    buf_text(out, " are called “");
    put_escaped(out, value);
    buf_text(out, "”, and all of them are meant here.");
}

void lookup_tell(struct bound_query *query, const struct data_frame *lookup,
                 struct buf *out)
{
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        for (size_t j = 0; j < c->n_searches; j++) {
            const struct value_search *s = &c->searches[j];
            struct places p = places_of(lookup, s->value);
            if (!p.n || (c->asked->kind != FILTER_SEARCH && !s->known))
                continue;
            if (!s->known) {
                buf_printf(out, "\n\n“%.*s” was found in ", STR_ARG(s->value));
                put_escaped(out, p.fields[0]);
                buf_char(out, '.');
            }
            tell_namesakes(query, &p, s->value, s->known ? "\n\n" : " ", out);
        }
    }
}

/* "Which plan has the fewest members": one without members has the fewest. */
struct str absent_problem(struct bound_query *query,
                          const struct data_frame *absent)
{
    size_t column = data_frame_column(absent, STR("absent"));
    const struct cell *cell = data_frame_cell(absent, 0, column);
    double n;
    if (query_absent(query) == SIZE_MAX || !cell_number(cell, &n) || n <= 0)
        return STR("");
    return arena_printf(
        query->arena,
        "I compare only each %.*s with at least one of the %.*s asked about, "
        "and there are others without any: %.*s.",
        STR_ARG(dimension_words(query, query_absent(query))),
        STR_ARG(query->o->datasets[query->parts[0].root].name),
        STR_ARG(cell->text));
}

struct str results_problem(struct bound_query *query,
                           const struct step_results *results)
{
    struct step_ids ids = step_ids_of(query);
    struct data_frame lookup =
        data_frame_read(query->arena, results, ids.lookup);
    struct data_frame absent =
        data_frame_read(query->arena, results, ids.absent);
    struct data_frame periods =
        data_frame_read(query->arena, results, ids.periods);
    struct str problem = lookup_problem(query, &lookup);
    if (!problem.len)
        problem = period_problem(query, &periods);
    return problem.len ? problem : absent_problem(query, &absent);
}

bool analyst_cannot(struct arena *arena, const struct analyst_context *context,
                    const struct step_results *results,
                    struct cannot_answer *cannot)
{
    struct analysis analysis;
    analysis_make(arena, context, &analysis);
    *cannot = (struct cannot_answer){.n_missing_joins = 0};
    if (analysis.kind != ANALYSIS_DATA || analysis.why)
        return false;
    cannot->reason = results_problem(analysis.query, results);
    return cannot->reason.len > 0;
}
