/* related.c - checks that joins follow relationships of the model, with all
 * their columns. */
#include "base/buf.h"
#include "rule.h"
#include "../words.h"
#include "../known.h"
#include <stdint.h>
#include "base/banned.h"

struct column_origin origin_of(const struct shape_value *value)
{
    while (value && value->kind == SHAPE_COLUMN &&
           value->column != SHAPE_WHOLE_ROW) {
        const struct shape_source *source = value->source;
        if (source->kind == SHAPE_TABLE &&
            value->column < source->table->n_columns)
            return (struct column_origin){source, value->column};
        const struct shape_select *query = source->query;
        if (source->kind != SHAPE_QUERY)
            break;
        while (query->n_arms)
            query = query->arms[0];
        value = value->column < query->n_outputs
                    ? query->outputs[value->column].value
                    : NULL;
    }
    return (struct column_origin){NULL, 0};
}

static struct str origin_name(struct column_origin origin)
{
    return origin.source->columns[origin.column];
}

bool origin_in_dataset(struct column_origin origin, size_t dataset)
{
    const struct model_table *table = model_table_of(origin.source);
    for (size_t i = 0; i < table->n_datasets; i++)
        if (table->datasets[i] == dataset)
            return true;
    return false;
}

bool origin_within(struct column_origin origin, struct str_list columns)
{
    return str_list_contains(columns,
                             origin.source->table->columns[origin.column]);
}

/* The index of the pair of columns in the relationship, or SIZE_MAX. */
static size_t pair_in(const struct relationship *r, struct column_origin from,
                      struct column_origin to)
{
    for (size_t i = 0; i < r->from_columns.n; i++)
        if (str_eq_nocase(r->from_columns.items[i],
                          from.source->table->columns[from.column]) &&
            str_eq_nocase(r->to_columns.items[i],
                          to.source->table->columns[to.column]))
            return i;
    return SIZE_MAX;
}

static bool is_pair(const struct relationship *r, struct column_origin from,
                    struct column_origin to)
{
    return origin_in_dataset(from, r->from) && origin_in_dataset(to, r->to) &&
           pair_in(r, from, to) != SIZE_MAX;
}

/* A column of a dataset, as relationships name it. */
struct named_column {
    size_t dataset;
    struct str name;
};

enum { KEYS_MOST = 16 };

static void add_key(struct named_column *keys, size_t *n, size_t dataset,
                    struct str name)
{
    for (size_t i = 0; i < *n; i++)
        if (keys[i].dataset == dataset && str_eq_nocase(keys[i].name, name))
            return;
    if (*n < KEYS_MOST)
        keys[(*n)++] = (struct named_column){dataset, name};
}

/* The columns that this one has the values of: those of its datasets, then the
 * keys that it refers to, also through each other. */
static size_t keys_of(const struct ontology *o, struct column_origin of,
                      struct named_column *keys)
{
    const struct model_table *table = model_table_of(of.source);
    size_t n = 0;
    for (size_t i = 0; i < table->n_datasets; i++)
        add_key(keys, &n, table->datasets[i],
                of.source->table->columns[of.column]);
    for (size_t at = 0; at < n; at++)
        for (size_t i = 0; i < o->n_relationships; i++) {
            const struct relationship *r = &o->relationships[i];
            for (size_t c = 0;
                 r->from == keys[at].dataset && c < r->from_columns.n; c++)
                if (str_eq_nocase(r->from_columns.items[c], keys[at].name))
                    add_key(keys, &n, r->to, r->to_columns.items[c]);
        }
    return n;
}

/* Both columns refer to the same key, perhaps through another one, or one to the
 * other, or they are the same column. */
static bool share_key(const struct ontology *o, struct column_origin a,
                      struct column_origin b)
{
    struct named_column left[KEYS_MOST], right[KEYS_MOST];
    if (a.source->table == b.source->table && a.column == b.column)
        return true;
    size_t n = keys_of(o, a, left), m = keys_of(o, b, right);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            if (left[i].dataset == right[k].dataset &&
                str_eq_nocase(left[i].name, right[k].name))
                return true;
    return false;
}

static bool are_related(const struct ontology *o, struct column_origin a,
                        struct column_origin b)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (is_pair(&o->relationships[i], a, b) ||
            is_pair(&o->relationships[i], b, a))
            return true;
    return share_key(o, a, b);
}

/* ---- which sources are joined
 * ----------------------------------------------- */

struct joint {
    const struct shape_source *left, *right; /* of the SELECT */
    struct column_origin a, b;
    bool related;
};

struct joints {
    struct joint *items;
    size_t n;
};

static struct joints joints_of(struct guardrail_check *j,
                               const struct shape_select *s)
{
    struct joints all = {
        arena_new_array(j->arena, struct joint, s->n_conditions + 1), 0};
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        if (c->kind != SHAPE_EQUAL || c->n_parts != 2 ||
            c->parts[0]->kind != SHAPE_COLUMN ||
            c->parts[1]->kind != SHAPE_COLUMN ||
            c->parts[0]->source == c->parts[1]->source)
            continue;
        struct joint one = {.left = c->parts[0]->source,
                            .right = c->parts[1]->source,
                            .a = origin_of(c->parts[0]),
                            .b = origin_of(c->parts[1])};
        one.related =
            !one.a.source || !one.b.source || are_related(j->o, one.a, one.b);
        all.items[all.n++] = one;
    }
    return all;
}

/* The two are joined, perhaps through others, along relationships. */
static bool are_connected(struct guardrail_check *j, const struct joints *all,
                          const struct shape_source *from,
                          const struct shape_source *to)
{
    const struct shape_source **queue =
        arena_new_array(j->arena, const struct shape_source *, 2 * all->n + 2);
    size_t head = 0, tail = 0;
    queue[tail++] = from;
    while (head < tail) {
        const struct shape_source *at = queue[head++];
        for (size_t i = 0; i < all->n; i++) {
            const struct joint *one = &all->items[i];
            const struct shape_source *next = at == one->left    ? one->right
                                              : at == one->right ? one->left
                                                                 : NULL;
            bool seen = !next || !one->related;
            for (size_t k = 0; !seen && k < tail; k++)
                seen = queue[k] == next;
            if (!seen)
                queue[tail++] = next;
        }
    }
    for (size_t k = 0; k < tail; k++)
        if (queue[k] == to)
            return true;
    return false;
}

/* "a.x = b.y (name), …", or empty. */
static struct str relations_between(const struct guardrail_check *j,
                                    struct column_origin a,
                                    struct column_origin b)
{
    struct buf out;
    buf_init(&out, j->arena);
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        bool along =
            origin_in_dataset(a, r->from) && origin_in_dataset(b, r->to);
        bool against =
            origin_in_dataset(b, r->from) && origin_in_dataset(a, r->to);
        for (size_t c = 0; (along || against) && c < r->from_columns.n; c++)
            buf_printf(&out, "%s%.*s.%.*s = %.*s.%.*s", out.len ? ", " : "",
                       STR_ARG(j->o->datasets[r->from].name),
                       STR_ARG(r->from_columns.items[c]),
                       STR_ARG(j->o->datasets[r->to].name),
                       STR_ARG(r->to_columns.items[c]));
    }
    return buf_view(&out);
}

/* ---- other columns than the model's
 * ------------------------------------------- */

static bool are_neighbours(const struct ontology *o, struct column_origin a,
                           struct column_origin b)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from != r->to &&
            ((origin_in_dataset(a, r->from) && origin_in_dataset(b, r->to)) ||
             (origin_in_dataset(b, r->from) && origin_in_dataset(a, r->to))))
            return true;
    }
    return false;
}

/* A column "…_type" of this source is fixed: it says what another one refers
 * to. */
static bool is_typed_in(struct guardrail_check *j, const struct shape_select *s,
                        const struct shape_source *source)
{
    static const char *const kinds[] = {"type", "kind", "class", NULL};
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *column = rule_column(s->conditions[i]);
        if (!column || column->source != source)
            continue;
        struct name_words w =
            name_words(j->arena, source->columns[column->column]);
        if (w.n && word_among(w.items[w.n - 1], kinds))
            return true;
    }
    return false;
}

/* Also in the derived table that reads it. */
static bool is_typed(struct guardrail_check *j, const struct shape_select *s,
                     const struct shape_source *source)
{
    return is_typed_in(j, s, source) ||
           (source->select && is_typed_in(j, source->select, source));
}

/* `from` may refer to the key `to` in a role that the model does not list. */
static bool may_refer(struct guardrail_check *j, const struct shape_select *s,
                      struct column_origin from, struct column_origin to)
{
    struct name_words w = name_words(j->arena, rule_column_name(from));
    bool refers =
        w.n && (word_refers(w.items[w.n - 1]) ||
                word_is_preposition(w.items[w.n - 1]) ||
                (w.n > 1 && str_is(w.items[0], "id")) || /* id_director */
                str_eq_nocase(rule_column_name(from), rule_column_name(to)));
    if (!rule_is_key(j, to) || rule_is_key(j, from) || !refers)
        return false;
    return !rule_target(j, from) || is_typed(j, s, from.source);
}

/* The rows are those of a table: their keys mean what they mean there. */
static bool has_rows_of_table(const struct shape_source *source)
{
    return source->kind == SHAPE_TABLE || rule_passes_rows(source);
}

/* The model relates the two tables, and the columns are plainly others. */
static bool is_wrong(struct guardrail_check *j, const struct shape_select *s,
                     const struct joint *one)
{
    return has_rows_of_table(one->left) && has_rows_of_table(one->right) &&
           one->left->select == s && one->right->select == s &&
           are_neighbours(j->o, one->a, one->b) &&
           !may_refer(j, s, one->a, one->b) && !may_refer(j, s, one->b, one->a);
}

static void add_unrelated_join(struct guardrail_check *j,
                               const struct shape_select *s,
                               const struct joint *one)
{
    struct str a = source_label(j, one->a.source);
    struct str b = source_label(j, one->b.source);
    struct str known = relations_between(j, one->a, one->b);
    finding_add(j, FINDING_UNRELATED_JOIN, is_wrong(j, s, one),
                "The join %.*s.%.*s = %.*s.%.*s follows no relationship of the "
                "model%s%.*s%s.",
                STR_ARG(a), STR_ARG(origin_name(one->a)), STR_ARG(b),
                STR_ARG(origin_name(one->b)),
                known.len ? "; the model joins them on " : "", STR_ARG(known),
                known.len ? "" : ", so it is perhaps not what the tables mean");
}

/* ---- keys of several columns
 * ------------------------------------------------ */

static bool joined_on(const struct joints *all, const struct relationship *r,
                      size_t column, const struct joint *like)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct joint *one = &all->items[i];
        bool same = (one->left == like->left && one->right == like->right) ||
                    (one->left == like->right && one->right == like->left);
        if (!same || !one->a.source || !one->b.source)
            continue;
        if ((origin_in_dataset(one->a, r->from) &&
             pair_in(r, one->a, one->b) == column) ||
            (origin_in_dataset(one->b, r->from) &&
             pair_in(r, one->b, one->a) == column))
            return true;
    }
    return false;
}

/* The index of the first column of the relationship that the join leaves
 * out, or the number of its columns. */
static size_t missing_of(const struct joints *all, const struct relationship *r,
                         const struct joint *one)
{
    size_t c = 0;
    while (c < r->from_columns.n && joined_on(all, r, c, one))
        c++;
    return c;
}

static bool is_part_of(const struct relationship *r, const struct joint *one)
{
    return is_pair(r, one->a, one->b) || is_pair(r, one->b, one->a);
}

/* A derived table that has aggregated may have lost the column. */
static bool offers(const struct shape_source *source, size_t dataset,
                   struct str column)
{
    const struct shape_select *q = source->query;
    if (source->kind != SHAPE_QUERY || q->n_arms || rule_passes_rows(source))
        return true;
    for (size_t i = 0; i < q->n_outputs; i++) {
        struct column_origin o = origin_of(q->outputs[i].value);
        if (o.source && origin_in_dataset(o, dataset) &&
            str_eq_nocase(origin_name(o), column))
            return true;
    }
    return false;
}

/* Both sides could be joined on this column of the relationship. */
static bool could_join(const struct relationship *r, size_t c,
                       const struct joint *one)
{
    bool along = is_pair(r, one->a, one->b);
    return offers(along ? one->left : one->right, r->from,
                  r->from_columns.items[c]) &&
           offers(along ? one->right : one->left, r->to,
                  r->to_columns.items[c]);
}

/* Reports a join on some columns of a relationship but on all of none. */
static void judge_whole(struct guardrail_check *j, const struct joints *all,
                        const struct joint *one)
{
    const struct relationship *half = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (!is_part_of(r, one))
            continue;
        missing = missing_of(all, r, one);
        if (missing == r->from_columns.n || !could_join(r, missing, one))
            return;
        half = r;
    }
    if (half)
        finding_add(j, FINDING_UNRELATED_JOIN, false,
                    "The join of %.*s and %.*s takes only part of the key of "
                    "relationship %.*s: %.*s = %.*s is missing.",
                    STR_ARG(j->o->datasets[half->from].name),
                    STR_ARG(j->o->datasets[half->to].name), STR_ARG(half->name),
                    STR_ARG(half->from_columns.items[missing]),
                    STR_ARG(half->to_columns.items[missing]));
}

/* The column on the other side of a pair that joins these two sources by the
 * relationship, from its column `c` at `from`; or SIZE_MAX. */
static size_t joined_to(const struct joints *all, const struct relationship *r,
                        size_t c, const struct shape_source *from,
                        const struct shape_source *to)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct joint *one = &all->items[i];
        bool along = one->left == from && one->right == to;
        bool against = one->right == from && one->left == to;
        if ((!along && !against) || !one->a.source || !one->b.source)
            continue;
        struct column_origin a = along ? one->a : one->b;
        struct column_origin b = along ? one->b : one->a;
        if (!origin_in_dataset(a, r->from) || !origin_in_dataset(b, r->to) ||
            !str_eq_nocase(origin_name(a), r->from_columns.items[c]))
            continue;
        for (size_t k = 0; k < r->to_columns.n; k++)
            if (str_eq_nocase(origin_name(b), r->to_columns.items[k]))
                return k;
    }
    return SIZE_MAX;
}

/* All columns of the relationship are joined, and some with the partner of
 * another one: origin = destination, destination = origin. */
static bool is_exchanged(const struct joints *all, const struct relationship *r,
                         const struct shape_source *from,
                         const struct shape_source *to)
{
    bool exchanged = false;
    for (size_t c = 0; c < r->from_columns.n; c++) {
        size_t k = joined_to(all, r, c, from, to);
        if (k == SIZE_MAX)
            return false;
        exchanged = exchanged || k != c;
    }
    return exchanged;
}

static void judge_pairs(struct guardrail_check *j, const struct joints *all,
                        const struct joint *one)
{
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (r->from_columns.n < 2 || r->from == r->to ||
            (!is_exchanged(all, r, one->left, one->right) &&
             !is_exchanged(all, r, one->right, one->left)))
            continue;
        rule_broken(j, RULE_OTHER_COLUMNS, ASKS_WITHOUT,
                    STR("return|returns|reverse|reversed|back|opposite|"
                        "inverse|swapped|vice versa|other direction|"
                        "both directions|either direction"),
                    "The columns of relationship %.*s are exchanged: the model "
                    "joins on %.*s.",
                    STR_ARG(r->name),
                    STR_ARG(relations_between(j, one->a, one->b)));
        return;
    }
}

/* Marks the relationships of a join. If several share a column (a tenant's id),
 * only those joined on all columns, or, if there are none, those in part. */
static void mark_joined(struct guardrail_check *j, const struct joints *all,
                        const struct joint *one)
{
    bool whole = false;
    for (int pass = 0; pass < 2 && !whole; pass++)
        for (size_t i = 0; i < j->o->n_relationships; i++) {
            const struct relationship *r = &j->o->relationships[i];
            if (!is_part_of(r, one))
                continue;
            bool all_of_it = missing_of(all, r, one) == r->from_columns.n;
            whole = whole || all_of_it;
            j->joined[i] = j->joined[i] || all_of_it || pass;
        }
}

static bool follows(const struct ontology *o, const struct joint *one)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (is_part_of(&o->relationships[i], one))
            return true;
    return false;
}

/* Two tables that the model relates are joined only by what both refer to: each
 * valuation with all lots of its expert, and not with its own. */
static void judge_shared(struct guardrail_check *j, const struct joints *all,
                         const struct shape_select *s, const struct joint *one)
{
    bool only = all->n == 1 && s->n_sources == 2 &&
                has_rows_of_table(one->left) && has_rows_of_table(one->right);
    if (!only || !are_neighbours(j->o, one->a, one->b) || follows(j->o, one) ||
        rule_is_key(j, one->a) || rule_is_key(j, one->b))
        return;
    finding_add(j, FINDING_UNRELATED_JOIN, false,
                "%.*s and %.*s are joined by %.*s, which both refer to; the "
                "model joins them on %.*s.",
                STR_ARG(source_label(j, one->a.source)),
                STR_ARG(source_label(j, one->b.source)),
                STR_ARG(origin_name(one->a)),
                STR_ARG(relations_between(j, one->a, one->b)));
}

/* ---- detours ------------------------------------------------------------- */

/* Sources joined with this one without the pair at `left_out`. */
static bool *joined_without(struct guardrail_check *j, const struct joints *all,
                            const struct shape_select *s,
                            const struct shape_source *from, size_t left_out)
{
    bool *joined = arena_new_array(j->arena, bool, s->n_sources + 1);
    joined[from->index] = true;
    for (size_t round = 0; round < s->n_sources; round++)
        for (size_t i = 0; i < all->n; i++) {
            const struct joint *one = &all->items[i];
            bool here = i != left_out && one->left->select == s &&
                        one->right->select == s;
            if (here && joined[one->left->index] != joined[one->right->index])
                joined[one->left->index] = joined[one->right->index] = true;
        }
    return joined;
}

/* A source on the other side has a reference to `to`, which is joined by nothing
 * but a key that both sides share: each order with all technicians of its
 * district, and not with its own. */
static void judge_detour(struct guardrail_check *j, const struct joints *all,
                         const struct shape_select *s, size_t at,
                         const struct shape_source *to)
{
    const struct joint *one = &all->items[at];
    const struct shape_source *from = one->left == to ? one->right : one->left;
    struct column_origin shared = one->left == to ? one->a : one->b;
    const struct dataset *by = rule_target(j, shared);
    if (!by || to->kind != SHAPE_TABLE)
        return;
    bool *side = joined_without(j, all, s, from, at);
    for (size_t i = 0; !side[to->index] && i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        struct column_origin key = {to, 0};
        for (size_t k = 0; k < s->n_sources; k++) {
            struct column_origin of = {s->sources[k], 0};
            if (!side[k] || s->sources[k]->kind != SHAPE_TABLE ||
                r->from == r->to || !r->to_is_key ||
                !origin_in_dataset(of, r->from) ||
                !origin_in_dataset(key, r->to))
                continue;
            struct query_findings *f = j->findings;
            size_t before = f->n;
            finding_add(j, FINDING_UNRELATED_JOIN, false,
                        "%.*s and %.*s are joined only by %.*s, which both "
                        "sides share; the model joins them on %.*s.",
                        STR_ARG(source_label(j, s->sources[k])),
                        STR_ARG(source_label(j, to)),
                        STR_ARG(origin_name(shared)),
                        STR_ARG(relations_between(j, of, key)));
            if (f->n > before) {
                f->items[before].asked = ASKS_WITHOUT;
                f->items[before].asked_of = rule_names_of(j, by);
            }
            return;
        }
    }
}

static void judge_detours(struct guardrail_check *j, const struct joints *all,
                          const struct shape_select *s)
{
    for (size_t i = 0; i < all->n && all->n > 1; i++) {
        const struct joint *one = &all->items[i];
        if (!one->a.source || !one->b.source || !one->related ||
            one->left->select != s || one->right->select != s ||
            follows(j->o, one) || rule_is_key(j, one->a) ||
            rule_is_key(j, one->b) || j->looked++ >= RULE_STEPS)
            continue;
        judge_detour(j, all, s, i, one->left);
        judge_detour(j, all, s, i, one->right);
    }
}

/* key IN (SELECT other_key …) of two tables that the model relates. */
static void judge_members(struct guardrail_check *j,
                          const struct shape_select *s,
                          const struct shape_value *c)
{
    bool negated = c->form == SHAPE_FORM_NOT && c->n_parts == 1;
    const struct shape_value *in = negated ? c->parts[0] : c;
    const struct shape_select *q = in->query;
    if ((in->form != SHAPE_FORM_IN && in->form != SHAPE_FORM_NOT_IN) || !q ||
        !in->n_parts || q->n_arms || q->n_outputs != 1)
        return;
    struct column_origin a = origin_of(in->parts[in->n_parts - 1]);
    struct column_origin b = origin_of(q->outputs[0].value);
    if (!a.source || !b.source || are_related(j->o, a, b) ||
        !are_neighbours(j->o, a, b) || may_refer(j, s, a, b) ||
        may_refer(j, q, b, a))
        return;
    finding_add(j, FINDING_UNRELATED_JOIN, true,
                "%.*s.%.*s IN a query of %.*s.%.*s follows no relationship of "
                "the model; the model joins them on %.*s.",
                STR_ARG(source_label(j, a.source)), STR_ARG(origin_name(a)),
                STR_ARG(source_label(j, b.source)), STR_ARG(origin_name(b)),
                STR_ARG(relations_between(j, a, b)));
}

void judge_joins(struct guardrail_check *j, struct shape_select *select)
{
    struct joints all = joints_of(j, select);
    for (size_t i = 0; i < all.n; i++) {
        const struct joint *one = &all.items[i];
        if (one->a.source && one->b.source) {
            mark_joined(j, &all, one);
            judge_pairs(j, &all, one);
        }
        if (!one->related) {
            /* In addition to a join it is only a filter. */
            if (!are_connected(j, &all, one->left, one->right))
                add_unrelated_join(j, select, one);
        } else if (one->a.source && one->b.source) {
            judge_whole(j, &all, one);
            judge_shared(j, &all, select, one);
        }
    }
    judge_detours(j, &all, select);
    for (size_t i = 0; i < select->n_conditions; i++)
        judge_members(j, select, select->conditions[i]);
}
