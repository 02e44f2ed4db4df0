/* grain_keys.c - finds the keys of a result: outputs whose values no two rows
 * share. */
#include "grain_keys.h"
#include <stdint.h>
#include <string.h>
#include "base/banned.h"

/* ---- outputs
 * -------------------------------------------------------------- */

bool grain_same(const struct grain *g, const struct shape_value *a,
                const struct shape_value *b)
{
    size_t left = grain_column(g, a), right = grain_column(g, b);
    if (left != SIZE_MAX && right != SIZE_MAX)
        return g->classes[left] == g->classes[right];
    return a == b || (a->print && a->print == b->print);
}

static size_t output_of(const struct grain *g, const struct shape_value *value)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_outputs; i++)
        if (grain_same(g, s->outputs[i].value, value))
            return i;
    return SIZE_MAX;
}

static size_t output_of_id(const struct grain *g, size_t id)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_outputs; i++) {
        size_t other = grain_column(g, s->outputs[i].value);
        if (other != SIZE_MAX && g->classes[other] == g->classes[id])
            return i;
    }
    return SIZE_MAX;
}

/* ---- rows that a list of values makes unique
 * ------------------------------- */

/* Drops values that the others determine: GROUP BY id, name. */
static size_t reduce(const struct grain *g, struct shape_value **values,
                     size_t n)
{
    for (size_t i = n; i-- > 0;) {
        struct shape_value **others =
            arena_new_array(g->arena, struct shape_value *, n + 1);
        size_t left = 0;
        for (size_t k = 0; k < n; k++)
            if (k != i)
                others[left++] = values[k];
        bool *fixed = grain_constant_classes(g, others, left);
        bool *reached = grain_no_sources(g), *needs = grain_no_sources(g),
             all = true;
        grain_reach(g, reached, fixed);
        grain_sources(g, values[i], needs);
        size_t id = grain_column(g, values[i]);
        for (size_t k = 0; k < g->select->n_sources; k++)
            all = all && (!needs[k] || reached[k]);
        if (all || (id != SIZE_MAX && fixed[g->classes[id]])) {
            memmove(values + i, values + i + 1, (n - i - 1) * sizeof *values);
            n--;
        }
    }
    return n;
}

static void unique_by(struct grain *g, struct shape_value *const *values,
                      size_t n)
{
    struct shape_value **kept =
        arena_new_array(g->arena, struct shape_value *, n + 1);
    size_t *columns = arena_new_array(g->arena, size_t, n + 1);
    if (n)
        memcpy(kept, values, n * sizeof *kept);
    n = reduce(g, kept, n);
    g->keys.known = true;
    for (size_t i = 0; i < n; i++) {
        columns[i] = output_of(g, kept[i]);
        if (columns[i] != SIZE_MAX)
            continue;
        /* A value that is not an output: rows may repeat, unless it is an
         * expression that is there in another form. */
        g->keys.known = grain_column(g, kept[i]) != SIZE_MAX;
        return;
    }
    grain_keys_add(g->arena, &g->keys, columns, n);
}

struct shape_value **grain_output_values(const struct grain *g)
{
    const struct shape_select *s = g->select;
    struct shape_value **values =
        arena_new_array(g->arena, struct shape_value *, s->n_outputs + 1);
    for (size_t i = 0; i < s->n_outputs; i++)
        values[i] = s->outputs[i].value;
    return values;
}

/* ---- rows of a join
 * -------------------------------------------------------- */

/* The keys of `source` whose columns are outputs. */
static void keys_through(struct grain *g, size_t source)
{
    const struct grain_keys *keys = &g->source_keys[source];
    for (size_t k = 0; k < keys->n; k++) {
        const struct grain_key *key = &keys->items[k];
        size_t *columns = arena_new_array(g->arena, size_t, key->n + 1), n = 0;
        bool all = true;
        for (size_t c = 0; all && c < key->n; c++) {
            size_t id = g->offsets[source] + key->columns[c];
            columns[n] = output_of_id(g, id);
            all = columns[n] != SIZE_MAX || g->constant[g->classes[id]];
            n += columns[n] != SIZE_MAX;
        }
        if (all)
            grain_keys_add(g->arena, &g->keys, columns, n);
    }
}

/* No source reaches all others: the key consists of one key of each source that
 * no other reaches. */
static void combined_key(struct grain *g, const bool *fixed)
{
    const struct shape_select *s = g->select;
    bool *needed = grain_no_sources(g);
    size_t *columns =
               arena_new_array(g->arena, size_t, g->offsets[s->n_sources] + 1),
           n = 0;
    memset(needed, true, s->n_sources);
    for (size_t i = s->n_sources; i-- > 0;) {
        bool *reached = grain_no_sources(g);
        memcpy(reached, needed, s->n_sources);
        reached[i] = false;
        grain_reach(g, reached, fixed);
        needed[i] = !reached[i];
    }
    for (size_t i = 0; i < s->n_sources; i++) {
        if (!needed[i])
            continue;
        if (!g->source_keys[i].n)
            return;
        const struct grain_key *key = &g->source_keys[i].items[0];
        for (size_t c = 0; c < key->n; c++) {
            columns[n] = output_of_id(g, g->offsets[i] + key->columns[c]);
            if (columns[n++] == SIZE_MAX)
                return;
        }
    }
    grain_keys_add(g->arena, &g->keys, columns, n);
}

/* row_number() is unique together with its PARTITION BY. */
static void numbered_keys(struct grain *g)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *v = s->outputs[i].value;
        size_t *columns = arena_new_array(g->arena, size_t, v->n_aside + 1);
        bool all = v->kind == SHAPE_ROW_NUMBER;
        for (size_t p = 0; all && p < v->n_aside; p++) {
            columns[p] = output_of(g, v->aside[p]);
            all = columns[p] != SIZE_MAX;
        }
        columns[v->n_aside] = i;
        if (all)
            grain_keys_add(g->arena, &g->keys, columns, v->n_aside + 1);
    }
}

static void keys_of_join(struct grain *g)
{
    const struct shape_select *s = g->select;
    const bool *fixed = grain_constant_classes(g, NULL, 0);
    bool any = s->n_sources == 0;
    g->keys.known = true;
    if (s->n_sources == 0)
        grain_keys_add(g->arena, &g->keys, NULL, 0);
    for (size_t i = 0; i < s->n_sources; i++) {
        bool *reached = grain_no_sources(g);
        reached[i] = true;
        g->keys.known =
            g->keys.known && g->source_keys[i].known && !g->vague[i];
        if (grain_reach(g, reached, fixed)) {
            keys_through(g, i);
            any = true;
        }
    }
    if (!any)
        combined_key(g, fixed);
    numbered_keys(g);
}

/* A step of whole days: the moments stay different as dates. */
static bool is_in_days(const struct shape_value *step)
{
    static const char *const shorter[] = {"hour", "minute", "min",
                                          "sec",  ":",      NULL};
    if (step->kind != SHAPE_CONSTANT || !str_is(step->cast, "interval"))
        return false;
    for (const char *const *w = shorter; *w; w++)
        if (str_find_nocase(step->word, str_of(*w)) >= 0)
            return false;
    return step->word.len > 0;
}

/* The only output is a series of days, months …: no value occurs twice. */
static bool is_series(const struct shape_select *s)
{
    const struct shape_value *step =
        s->n_outputs == 1 && s->n_sources <= (s->opaque ? 0 : 1) && !s->n_arms
            ? grain_series_step(s->outputs[0].value)
            : NULL;
    return step && is_in_days(step);
}

/* All that the value is computed from has one value for each of `fixed`. */
static bool is_determined(const struct grain *g,
                          const struct shape_value *value, const bool *reached,
                          const bool *fixed)
{
    size_t id = grain_column(g, value);
    if (id != SIZE_MAX)
        return fixed[g->classes[id]] || reached[value->source->index];
    if (value->kind == SHAPE_COLUMN || value->query)
        return false;
    for (size_t i = 0; i < value->n_parts; i++)
        if (!is_determined(g, value->parts[i], reached, fixed))
            return false;
    for (size_t i = 0; i < value->n_aside; i++)
        if (!is_determined(g, value->aside[i], reached, fixed))
            return false;
    return true;
}

/* min(x) and max(x) of groups are unique together with the groups that x does
 * not determine: the first order of each customer, the last day of a month. */
static void picked_keys(struct grain *g)
{
    const struct shape_select *s = g->select;
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *v = s->outputs[i].value;
        bool picks = v->kind == SHAPE_AGGREGATE && !v->windowed &&
                     v->n_parts == 1 &&
                     (str_is(v->function, "min") || str_is(v->function, "max"));
        if (!picks || grain_column(g, v->parts[0]) == SIZE_MAX)
            continue;
        const bool *fixed = grain_constant_classes(g, v->parts, 1);
        bool *reached = grain_no_sources(g), all = true;
        size_t *columns = arena_new_array(g->arena, size_t, s->n_groups + 1);
        size_t n = 0;
        grain_reach(g, reached, fixed);
        columns[n++] = i;
        for (size_t k = 0; all && k < s->n_groups; k++) {
            if (is_determined(g, s->groups[k], reached, fixed))
                continue;
            columns[n] = output_of(g, s->groups[k]);
            all = columns[n++] != SIZE_MAX;
        }
        if (all && n <= s->n_groups)
            grain_keys_add(g->arena, &g->keys, columns, n);
    }
}

void grain_find_keys(struct grain *g)
{
    const struct shape_select *s = g->select;
    struct shape_value **outputs = grain_output_values(g);
    size_t *columns = arena_new_array(g->arena, size_t, s->n_outputs + 1);
    for (size_t i = 0; i < s->n_outputs; i++)
        columns[i] = i;
    if (s->collapsed || s->limit_one) {
        grain_keys_add(g->arena, &g->keys, NULL, 0);
        g->keys.known = true;
    } else if (!s->grouped && is_series(s)) {
        grain_keys_add(g->arena, &g->keys, columns, 1);
        g->keys.known = true;
    } else if (s->opaque || s->open || s->grouping_sets) {
        g->keys.known = false;
    } else if (s->n_arms) {
        g->keys.known = !s->all;
        if (!s->all)
            grain_keys_add(g->arena, &g->keys, columns, s->n_outputs);
    } else if (s->n_distinct_on) {
        unique_by(g, s->distinct_on, s->n_distinct_on);
    } else if (s->grouped) {
        unique_by(g, s->groups, s->n_groups);
        picked_keys(g);
    } else if (s->distinct) {
        keys_of_join(g);
        unique_by(g, outputs, s->n_outputs);
    } else {
        keys_of_join(g);
    }
}
