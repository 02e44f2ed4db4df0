/* made_up.c - columns that are taken, and their values. made_up_value.c
 * evaluates. */
#include "made_up_value.h"
#include "../known.h"
#include "../words.h"
#include "base/banned.h"

void made_up_init(struct made_up *m, struct guardrail_check *j)
{
    *m = (struct made_up){.check = j};
    m->columns = arena_new_array(j->arena, struct made_column, MADE_UP_COLUMNS);
}

/* ---- columns ------------------------------------------------------------- */

/* The model says that the column may have no value. */
static bool is_said_to_be_null(const struct field *f)
{
    static const char *const denials[] = {"not null", "never null", "no null",
                                          "non-null", NULL};
    if (!f || str_find_nocase(f->description, STR("null")) < 0)
        return false;
    for (const char *const *d = denials; *d; d++)
        if (str_find_nocase(f->description, str_of(*d)) >= 0)
            return false;
    return true;
}

/* The column is part of a key, or refers to one or is referred to. */
static bool identifies(const struct guardrail_check *j, struct column_origin o,
                       bool refers)
{
    const struct dataset *d = rule_dataset(j, o);
    if (d && origin_within(o, d->primary_key))
        return true;
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if ((origin_in_dataset(o, r->to) && origin_within(o, r->to_columns)) ||
            (refers && origin_in_dataset(o, r->from) &&
             origin_within(o, r->from_columns)))
            return true;
    }
    return false;
}

/* The only relationship of the dataset with another one that has this column
 * alone, or NULL. */
static const struct relationship *
only_reference(const struct guardrail_check *j, const struct dataset *d,
               struct str column)
{
    const struct relationship *found = NULL;
    for (size_t i = 0; i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (&j->o->datasets[r->from] == d && r->from != r->to &&
            r->from_columns.n == 1 &&
            str_list_contains(r->from_columns, column))
            found = found ? NULL : r;
    }
    for (size_t i = 0; found && i < j->o->n_relationships; i++) {
        const struct relationship *r = &j->o->relationships[i];
        if (r != found && r->from == found->from && r->to == found->to)
            return NULL;
    }
    return found;
}

/* A reference has the values of the key that it refers to. */
static uint64_t name_hash(const struct guardrail_check *j,
                          struct column_origin o, bool nullable)
{
    enum { STEPS = 4 };
    const struct dataset *d = rule_dataset(j, o);
    struct str column = rule_column_name(o);
    for (size_t step = 0; d && !nullable && step < STEPS; step++) {
        const struct relationship *r = only_reference(j, d, column);
        if (!r)
            break;
        d = &j->o->datasets[r->to];
        column = r->to_columns.items[0];
    }
    return str_hash(column) * 31 + (d ? str_hash(d->name) : 0);
}

struct made_column *made_column_of(const struct made_up *m,
                                   struct column_origin o)
{
    for (size_t i = 0; i < m->n_columns; i++)
        if (m->columns[i].origin.source->table == o.source->table &&
            m->columns[i].origin.column == o.column)
            return &m->columns[i];
    return NULL;
}

static struct made_column *take_column(struct made_up *m,
                                       const struct shape_value *v)
{
    struct column_origin o = origin_of(v);
    struct made_column *c = o.source ? made_column_of(m, o) : NULL;
    if (c || !o.source || m->n_columns == MADE_UP_COLUMNS)
        return c;
    c = &m->columns[m->n_columns++];
    c->origin = o;
    c->type = rule_type(m->check, v);
    c->nullable = is_said_to_be_null(rule_field(m->check, o)) &&
                  !identifies(m->check, o, false);
    c->hash = name_hash(m->check, o, c->nullable);
    return c;
}

/* ---- constants ----------------------------------------------------------- */

static void add_point(struct made_column *c, double x)
{
    for (size_t i = 0; i < c->n_points; i++)
        if (c->points[i] == x)
            return;
    if (c->n_points < MADE_UP_POINTS)
        c->points[c->n_points++] = x;
}

/* Gives the constants among the parts to the columns among them. */
static void add_points(struct made_up *m, const struct shape_value *v,
                       const struct shape_value *of)
{
    struct made_number x;
    if (m->check->looked++ >= RULE_STEPS)
        return;
    v = rule_resolve(v);
    if (v->kind == SHAPE_COLUMN) {
        struct made_column *c = take_column(m, v);
        for (size_t i = 0; c && of && i < of->n_parts; i++)
            if (made_constant(of->parts[i], &x) && !x.null)
                add_point(c, x.x);
        for (size_t i = 0; c && of && i < of->n_parts; i++)
            for (size_t k = 0;
                 made_is_list(of->parts[i]) && k < of->parts[i]->n_parts; k++)
                if (made_constant(of->parts[i]->parts[k], &x) && !x.null)
                    add_point(c, x.x);
        return;
    }
    for (size_t i = 0; !v->query && i < v->n_parts; i++)
        add_points(m, v->parts[i], of);
}

static bool compares(const struct shape_value *v)
{
    static const char *const signs[] = {"<>", "=", "!=", "NOT BETWEEN", NULL};
    return v->kind == SHAPE_EQUAL || v->kind == SHAPE_RANGE ||
           (v->form == SHAPE_FORM_OPERATOR && word_among(v->word, signs)) ||
           (v->form == SHAPE_FORM_CALL && str_is(v->word, "nullif"));
}

static void take(struct made_up *m, struct made_formula *f,
                 const struct shape_value *v)
{
    if (m->check->looked++ >= RULE_STEPS) {
        f->failed = true;
        return;
    }
    v = rule_resolve(v);
    if (v->kind == SHAPE_COLUMN) {
        struct made_column *c = take_column(m, v);
        f->failed = f->failed || !c;
        if (c)
            c->of_model = c->of_model || f->defined;
        return;
    }
    if (compares(v))
        add_points(m, v, v);
    bool counts = v->kind == SHAPE_AGGREGATE && !v->distinct &&
                  str_is(v->function, "count") && v->n_parts == 1;
    const struct shape_value *counted = counts ? rule_resolve(v->parts[0]) : v;
    if (v->form == SHAPE_FORM_CASE && v->n_aside && str_is(v->word, "of")) {
        struct shape_value all = {.parts = v->aside, .n_parts = v->n_aside};
        add_points(m, v->aside[0], &all);
    }
    for (size_t i = 0; !v->query && i < v->n_parts; i++)
        take(m, f, v->parts[i]);
    for (size_t i = 0; i < v->n_aside; i++)
        take(m, f, v->aside[i]);
    struct made_column *c =
        counted->kind == SHAPE_COLUMN ? take_column(m, counted) : NULL;
    if (!c)
        return;
    /* Who counts a column means those that have it. */
    bool time = type_is_time(c->type);
    if ((f->defined || (time && !c->of_model)) &&
        !identifies(m->check, c->origin, true)) {
        c->nullable = true;
        c->hash = name_hash(m->check, c->origin, true);
    }
}

void made_up_take(struct made_up *m, struct made_formula *f)
{
    take(m, f, f->value);
}

/* ---- rows ---------------------------------------------------------------- */

/* Rows of a SELECT are those of one table: its key does not repeat. */
static void mark_unique(struct made_up *m, struct shape_select *s)
{
    struct rule_rows rows = rule_rows_of(m->check, s);
    const struct grain *g =
        rows.select ? grain_of(m->check->arena, &m->check->catalog, rows.select)
                    : NULL;
    for (size_t i = 0; g && g->source_keys && i < rows.select->n_sources; i++) {
        const struct shape_source *source = rows.select->sources[i];
        bool *reached = grain_no_sources(g);
        reached[i] = true;
        if (source->kind != SHAPE_TABLE ||
            !grain_reach(g, reached, grain_constant_classes(g, NULL, 0)))
            continue;
        for (size_t c = 0; c < m->n_columns; c++)
            if (m->columns[c].origin.source->table == source->table &&
                rule_is_key(m->check, m->columns[c].origin))
                m->columns[c].unique = true;
    }
}

/* How many columns of the condition are taken, and whether it needs others. */
static size_t taken_in(const struct made_up *m, const struct shape_value *v,
                       bool *others)
{
    struct column_origin o = origin_of(v);
    size_t n = 0;
    if (m->check->looked++ >= RULE_STEPS)
        *others = true;
    else if (v->kind == SHAPE_COLUMN && o.source && made_column_of(m, o))
        n++;
    else if (v->kind == SHAPE_COLUMN)
        *others = true;
    else
        for (size_t i = 0; i < v->n_parts; i++)
            n += taken_in(m, v->parts[i], others);
    return n;
}

/* A condition on another column of a table may leave out the rows where those
 * that are taken are NULL: only cancelled flights have no delay. A period does
 * not. */
static void fill(struct made_up *m, const struct shape_value *column)
{
    struct column_origin o = origin_of(column);
    if (!o.source || type_is_time(rule_type(m->check, column)) ||
        identifies(m->check, o, true))
        return;
    for (size_t i = 0; i < m->n_columns; i++)
        if (m->columns[i].origin.source->table == o.source->table)
            m->columns[i].nullable = false;
}

static void add_filter(struct made_up *m, const struct shape_select *s,
                       size_t i)
{
    const struct shape_value *c = s->conditions[i];
    const struct shape_value *column = rule_column(c);
    bool others = false;
    bool joins = i < s->first_where && column && column->source->optional;
    size_t n = taken_in(m, c, &others);
    if (!n && !joins && column)
        fill(m, column);
    if (!n || joins)
        return;
    if (others && c->kind == SHAPE_EQUAL)
        return; /* a join */
    if (others || c->query || m->n_filters == MADE_UP_COLUMNS) {
        m->unsure = true;
        return;
    }
    add_points(m, c, compares(c) ? c : NULL);
    m->filters[m->n_filters++] = c;
}

static void add_filters(struct made_up *m, const struct shape_select *s)
{
    while (s->n_arms)
        s = s->arms[0];
    for (size_t i = 0; i < s->n_conditions; i++)
        add_filter(m, s, i);
    for (size_t i = 0; i < s->n_sources && m->check->looked++ < RULE_STEPS;
         i++) {
        const struct shape_source *source = s->sources[i];
        if (source->kind == SHAPE_TABLE)
            continue;
        m->unsure = m->unsure || !rule_passes_rows(source);
        if (source->kind == SHAPE_QUERY)
            add_filters(m, source->query);
    }
}

void made_up_rows(struct made_up *m, struct shape_select *s)
{
    mark_unique(m, s);
    add_filters(m, s);
}

/* ---- values -------------------------------------------------------------- */

double made_up_number(uint64_t hash, size_t row)
{
    uint64_t x = (hash + row + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    return (double)(x % 100003);
}

struct made_number made_column_value(const struct made_up *m,
                                     const struct made_column *c, size_t row)
{
    enum { NULL_EACH = 6, KINDS = 23, DAY = 20000 };
    const double around[] = {0, 0, -1, 1, -0.5, 0.5};
    bool whole = c->type != TYPE_NUMBER && c->type != TYPE_UNKNOWN;
    size_t sides = whole ? 4 : 6;
    size_t pick = (size_t)made_up_number(c->hash, row);
    size_t points = c->n_points * sides;
    if (c->unique)
        return (struct made_number){(double)row + 1, false};
    if (c->nullable && !m->no_nulls && pick % NULL_EACH == 0)
        return (struct made_number){0, true};
    pick /= NULL_EACH;
    if (points) {
        size_t at = pick % (points + 3);
        if (at < points) {
            double x = c->points[at / sides];
            bool steps = c->type != TYPE_TEXT && c->type != TYPE_BOOLEAN;
            return (struct made_number){x + (steps ? around[at % sides] : 0),
                                        false};
        }
    }
    if (c->type == TYPE_BOOLEAN)
        return (struct made_number){(double)(pick % 2), false};
    double x = (double)(pick / 40 % KINDS);
    x = type_is_time(c->type) ? DAY + x : 1 + (whole ? x : x * 0.71);
    return (struct made_number){x, false};
}
