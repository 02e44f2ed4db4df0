/* each_use.c - is a sum over repeated rows meant? The seats of an aircraft are
 * those of each of its flights, the credits of a course are earned with each
 * enrollment in one of its sections. Names, and the steps from the rows of the
 * query to the value, decide. */
#include "each_use.h"
#include "../words.h"
#include "base/banned.h"

/* ---- the name of the value ----------------------------------------------- */

/* The metric's expression is this call of the column alone. */
static bool is_call_of(const struct metric *metric, const char *function,
                       const struct dataset *d, struct str column)
{
    const struct str parts[] = {str_of(function), STR("("), d->name,
                                STR("."),         column,   STR(")")};
    struct str text = metric->expression;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '"'))
            text = str_from(text, 1);
        if (!str_eq_nocase(str_cut(text, 0, parts[i].len), parts[i]))
            return false;
        text = str_from(text, parts[i].len);
    }
    return str_trim(text).len == 0;
}

/* The model takes the mean of the column and never its sum. */
static bool has_only_mean(const struct ontology *o, const struct dataset *d,
                          struct str column)
{
    bool mean = false;
    for (size_t i = 0; i < o->n_metrics; i++) {
        mean = mean || is_call_of(&o->metrics[i], "avg", d, column);
        if (is_call_of(&o->metrics[i], "sum", d, column))
            return false;
    }
    return mean;
}

static bool names_any(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (word_among(w->items[i], list) || word_among(w->one[i], list))
            return true;
    return false;
}

/* Its rows happen at some time. The days on which a thing was made, bought or
 * retired are no such times: it lasts between them. */
static bool has_time(const struct guardrail_check *j, const struct dataset *d)
{
    static const char *const lasting[] = {
        "built",          "manufactured", "delivered",
        "purchased",      "bought",       "acquired",
        "installed",      "commissioned", "founded",
        "opened",         "retired",      "scrapped",
        "decommissioned", "closed",       "removed",
        "renovated",      "inaugurated",  NULL};
    for (size_t i = 0; i < d->n_fields; i++) {
        struct name_words w = name_words(j->arena, d->fields[i].name);
        if (d->fields[i].is_time && !names_any(&w, lasting))
            return true;
    }
    return false;
}

enum each { EACH_NOT, EACH_SHARED, EACH_TRAVELLED, EACH_RATE, EACH_OWN };

/* Each use of the row has the value again: the price of a plan with each of its
 * subscriptions, the seats of an aircraft with each of its flights. What has a
 * date of its own is no such thing: tickets share the seats of one flight. Uses
 * of a use share a capacity (EACH_SHARED), but have a price (EACH_RATE) or a length
 * (EACH_OWN) each. The distance of an event is travelled by all that take part in
 * it (EACH_TRAVELLED). */
static enum each each_of(const struct guardrail_check *j,
                         const struct shape_value *measure)
{
    static const char *const rates[] = {"price",  "rate", "wage",
                                        "tariff", "per",  NULL};
    static const char *const totals[] = {"total", "subtotal", "amount", "sum",
                                         NULL};
    static const char *const shared[] = {"capacity", "seats",   "plazas",
                                         "places",   "payload", NULL};
    static const char *const distances[] = {"distance",  "km",   "kilometers",
                                            "kilometer", "mile", NULL};
    static const char *const own[] = {
        "fee",   "credits", "creditos", "créditos", "length", "duration",
        "hours", "minutes", "calories", "points",   NULL};
    struct column_origin origin = origin_of(measure);
    const struct dataset *d = origin.source ? rule_dataset(j, origin) : NULL;
    if (!d)
        return EACH_NOT;
    struct str column = rule_column_name(origin);
    struct name_words w = name_words(j->arena, column);
    if (names_any(&w, rates) && !names_any(&w, totals))
        return EACH_RATE;
    bool distance = names_any(&w, distances);
    if (has_time(j, d))
        return distance ? EACH_TRAVELLED : EACH_NOT;
    if (distance || names_any(&w, own))
        return EACH_OWN;
    return names_any(&w, shared) || has_only_mean(j->o, d, column) ? EACH_SHARED
                                                                   : EACH_NOT;
}

/* ---- the steps to the value ---------------------------------------------- */

/* The sources of a SELECT between the rows that it aggregates and the row that
 * has the value. */
struct steps {
    const struct grain *g;
    size_t n;
    bool **reached; /* by source */
    bool *kept;     /* by source: the rows of the query have one row of it */
    size_t of;
};

/* Each row of `of` has several of this source. */
static bool repeats(const struct steps *s, size_t source)
{
    return s->kept[source] && s->reached[source][s->of] &&
           !s->reached[s->of][source];
}

/* The one that has a row for each row of all sources that repeat, or SIZE_MAX.
 * `lowest`: the one that all of them have a row of. */
static size_t end_of(const struct steps *s, bool lowest)
{
    for (size_t i = 0; i < s->n; i++) {
        bool all = repeats(s, i);
        for (size_t k = 0; all && k < s->n; k++)
            all = !repeats(s, k) ||
                  (lowest ? s->reached[k][i] : s->reached[i][k]);
        if (all)
            return i;
    }
    return SIZE_MAX;
}

/* The dataset lists types: an aircraft has the seats of its type. */
static bool is_of_types(struct guardrail_check *j,
                        const struct shape_source *source)
{
    static const char *const types[] = {
        "type",    "model",         "class", "kind",   "category", "variant",
        "version", "configuration", "spec",  "design", "template", NULL};
    struct name_words w = {0};
    if (source->kind == SHAPE_TABLE)
        w = name_words(j->arena,
                       model_table_dataset(&j->catalog, source)->name);
    return w.n && word_among(w.one[w.n - 1], types);
}

/* Relationships lead from rows of one dataset to one of the other. */
static bool leads_to(const struct ontology *o, struct arena *arena,
                     const struct dataset *from, const struct dataset *to)
{
    size_t *queue = arena_new_array(arena, size_t, o->n_datasets + 1);
    bool *seen = arena_new_array(arena, bool, o->n_datasets + 1);
    size_t head = 0, tail = 0;
    queue[tail++] = (size_t)(from - o->datasets);
    seen[queue[0]] = true;
    while (head < tail) {
        size_t at = queue[head++];
        for (size_t i = 0; i < o->n_relationships; i++) {
            const struct relationship *r = &o->relationships[i];
            if (r->from != at || seen[r->to])
                continue;
            seen[r->to] = true;
            queue[tail++] = r->to;
        }
    }
    return seen[to - o->datasets];
}

/* One row of this table is meant, which a key gives, and rows of `of` are not
 * about it. */
static bool is_pinned(struct guardrail_check *j, const struct grain *g,
                      const struct shape_source *of,
                      const struct shape_source *source)
{
    if (source->kind != SHAPE_TABLE || of->kind != SHAPE_TABLE ||
        leads_to(j->o, j->arena, model_table_dataset(&j->catalog, of),
                 model_table_dataset(&j->catalog, source)))
        return false;
    for (size_t c = 0; c < source->n_columns; c++) {
        struct column_origin o = {source, c};
        if (g->constant[g->classes[g->offsets[source->index] + c]] &&
            c < source->table->n_columns && rule_is_key(j, o))
            return true;
    }
    return false;
}

/* The groups, or the one row that a key gives, are of a table that has uses and
 * not of what is used: the credits of each student, the distance that a vessel
 * has sailed. */
static bool is_by_use(struct guardrail_check *j, const struct steps *s,
                      struct shape_value *const *groups, size_t n)
{
    bool *marks = grain_no_sources(s->g);
    for (size_t i = 0; i < n; i++)
        grain_sources(s->g, groups[i], marks);
    for (size_t i = 0; i < s->n; i++)
        if ((marks[i] && !s->reached[s->of][i]) ||
            is_pinned(j, s->g, s->g->select->sources[s->of],
                      s->g->select->sources[i]))
            return true;
    return false;
}

static bool is_grouped(const struct shape_source *source)
{
    return source->kind == SHAPE_QUERY && source->query->grouped;
}

/* The rows of one source have the value of a row of `of` each. A source that has
 * it through another one is more than one step away: bookings of a leg share
 * the capacity of its vessel. `kept`: the sources that the rows have one row of. */
static enum use use_of_rows(struct guardrail_check *j, const struct grain *g,
                            const struct shape_source *of, enum each each,
                            bool *kept, const struct shape_source **by)
{
    const bool *fixed = grain_constant_classes(g, NULL, 0);
    struct steps s = {g, g->select->n_sources, NULL, kept, of->index};
    s.reached = arena_new_array(j->arena, bool *, s.n + 1);
    for (size_t i = 0; i < s.n; i++) {
        s.reached[i] = grain_no_sources(g);
        s.reached[i][i] = true;
        grain_reach(g, s.reached[i], fixed);
    }
    size_t top = end_of(&s, false), first = end_of(&s, true);
    if (top == SIZE_MAX)
        return USE_NONE;
    if (first != SIZE_MAX && first != top && !s.reached[first][top] &&
        is_of_types(j, of)) {
        s.of = first;
        first = end_of(&s, true);
    }
    bool one = first != SIZE_MAX && s.reached[first][top], grouped = false;
    *by = g->select->sources[top];
    for (size_t i = 0; i < s.n; i++) {
        if (kept[i] && !s.reached[top][i])
            return USE_NONE;
        grouped = grouped || (kept[i] && s.reached[i][top] &&
                              is_grouped(g->select->sources[i]));
    }
    bool by_use = is_by_use(j, &s, g->select->groups, g->select->n_groups);
    if (each == EACH_TRAVELLED)
        return by_use ? USE_PERHAPS : USE_NONE;
    if (grouped)
        return one ? USE_PREPARED : USE_PERHAPS;
    if (each == EACH_OWN && by_use)
        return USE_PREPARED;
    return one || each != EACH_SHARED ? USE_PERHAPS : USE_NONE;
}

static bool *all_sources(const struct grain *g)
{
    bool *all = grain_no_sources(g);
    for (size_t i = 0; i < g->select->n_sources; i++)
        all[i] = true;
    return all;
}

/* The same for a column of a derived table, in each of its SELECTs. */
static enum use use_within(struct guardrail_check *j,
                           const struct shape_select *q, size_t column,
                           const struct shape_source **by)
{
    enum use use = USE_NONE;
    for (size_t i = 0; i < q->n_arms; i++) {
        enum use one = use_within(j, q->arms[i], column, by);
        if (one == USE_NONE)
            return one;
        use = !i || one < use ? one : use;
    }
    const struct grain *g = q->judged;
    if (q->n_arms || q->collapsed || q->distinct || q->opaque ||
        q->grouping_sets || !g || !g->source_keys || column >= q->n_outputs ||
        j->looked++ >= RULE_STEPS)
        return use;
    const struct shape_value *v = q->outputs[column].value;
    if (v->kind != SHAPE_COLUMN || v->source->kind != SHAPE_TABLE ||
        v->source->select != q)
        return USE_NONE;
    bool *kept = q->grouped ? grain_no_sources(g) : all_sources(g);
    if (q->grouped)
        grain_reach(g, kept, grain_constant_classes(g, q->groups, q->n_groups));
    use = use_of_rows(j, g, v->source, each_of(j, v), kept, by);
    /* one row for each use, with what belongs to it */
    return use == USE_PERHAPS && q->grouped ? USE_PREPARED : use;
}

/* ---- weights ------------------------------------------------------------- */

static bool is_sum(const struct shape_value *v)
{
    return v->kind == SHAPE_AGGREGATE && !v->windowed &&
           str_is(v->function, "sum") && v->n_parts == 1;
}

static bool is_within(const struct shape_value *v,
                      const struct shape_value *part)
{
    for (size_t i = 0; v != part && i < v->n_parts; i++)
        if (is_within(v->parts[i], part))
            return true;
    return v == part;
}

/* The value is a product of this column and another one. */
static bool is_product_with(const struct shape_value *v,
                            const struct shape_value *column)
{
    v = rule_peel(v);
    if (v->form != SHAPE_FORM_OPERATOR || !str_is(v->word, "*") ||
        v->n_parts != 2)
        return false;
    for (size_t i = 0; i < 2; i++) {
        const struct shape_value *factor = v->parts[i];
        const struct shape_value *other = rule_column(v->parts[1 - i]);
        bool same = factor->kind == SHAPE_COLUMN &&
                    factor->source == column->source &&
                    factor->column == column->column;
        if (same && other && other->source != column->source)
            return true;
    }
    return false;
}

static bool holds_product(const struct shape_value *v,
                          const struct shape_value *column)
{
    if (is_sum(v) && is_product_with(v->parts[0], column))
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (holds_product(v->parts[i], column))
            return true;
    return false;
}

/* sum(grade * credits) / sum(credits) */
static bool divides_product(const struct shape_value *v,
                            const struct shape_value *call)
{
    if (v->form == SHAPE_FORM_OPERATOR && str_is(v->word, "/") &&
        v->n_parts == 2 && is_within(v->parts[1], call) &&
        holds_product(v->parts[0], call->parts[0]))
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (divides_product(v->parts[i], call))
            return true;
    return false;
}

static bool is_weight(const struct shape_select *s,
                      const struct shape_value *call)
{
    if (!is_sum(call) || call->n_aside || call->parts[0]->kind != SHAPE_COLUMN)
        return false;
    for (size_t i = 0; i < s->n_outputs; i++)
        if (divides_product(s->outputs[i].value, call))
            return true;
    return false;
}

/* The rows that are aggregated have rows of this source several times. */
static bool is_repeated(const struct grain *g,
                        const struct shape_source *source)
{
    const struct shape_source *culprit;
    bool *from = grain_no_sources(g);
    from[source->index] = true;
    return grain_multiplies(g, from, NULL, 0, &culprit) != MULTIPLIED_NOT;
}

enum use use_of(struct guardrail_check *j, const struct grain *g,
                const struct shape_value *call, const struct measure_grain *m,
                const struct shape_source **by)
{
    if (!str_is(call->function, "sum") || call->n_parts != 1 || !m->of)
        return USE_NONE;
    if (m->culprit && is_weight(g->select, call))
        return USE_PREPARED;
    enum each each = each_of(j, call->parts[0]);
    if (each == EACH_NOT)
        return USE_NONE;
    if (m->culprit)
        return use_of_rows(j, g, m->of, each, all_sources(g), by);
    /* a derived table repeats them, and nothing after it */
    const struct shape_value *column = call->parts[0];
    if (column->kind != SHAPE_COLUMN || column->source->kind != SHAPE_QUERY ||
        column->source->select != g->select || is_repeated(g, column->source))
        return USE_NONE;
    return use_within(j, column->source->query, column->column, by);
}
