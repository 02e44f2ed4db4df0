/* draft_metrics.c - makes metrics of the columns that are measures: sums of
 * amounts, means of rates, price times quantity, and numbers of rows. */
#include "base/buf.h"
#include "draft.h"
#include "measure.h"
#include "ontology/osi_write.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum { METRICS_MOST = 300, METRICS_A_TABLE = 6 };

/* ---- metrics
 * ----------------------------------------------------------------- */

struct metric_drafts {
    struct arena *arena;
    const struct catalog *catalog;
    struct ontology *ontology;
    struct draft_names names;
    struct measures measures;
    size_t table, here;
};

static void put_field(struct metric_drafts *m, struct buf *out, size_t column)
{
    osi_write_name(out, m->ontology->datasets[m->table].name);
    buf_char(out, '.');
    osi_write_name(out, m->catalog->tables[m->table].columns[column].name);
}

static void add_metric(struct metric_drafts *m, struct str name,
                       struct buf *expression, struct str description,
                       const char *datatype)
{
    struct ontology *o = m->ontology;
    if (o->n_metrics >= METRICS_MOST || m->here >= METRICS_A_TABLE)
        return;
    struct metric *x = &o->metrics[o->n_metrics++];
    m->here++;
    *x = (struct metric){.name = draft_name(&m->names, name),
                         .expression = buf_finish(expression),
                         .description = description,
                         .datatype = str_of(datatype),
                         .n_datasets = 1};
    x->datasets = arena_new(m->arena, size_t);
    x->datasets[0] = m->table;
}

static struct str snake_case(struct arena *arena, struct str name)
{
    struct str words = draft_words(arena, name);
    char *copy = arena_cstr(arena, words);
    for (size_t i = 0; i < words.len; i++)
        if (copy[i] == ' ')
            copy[i] = '_';
    return (struct str){copy, words.len};
}

/* The name that the metrics of the current table contain. */
static struct str table_name(const struct metric_drafts *m)
{
    return m->ontology->datasets[m->table].name;
}

static void add_count(struct metric_drafts *m)
{
    const struct catalog_table *t = &m->catalog->tables[m->table];
    const struct catalog_key *key = catalog_primary(t);
    struct buf e;
    if (!key || key->n != 1)
        return;
    buf_init(&e, m->arena);
    buf_text(&e, "count(");
    put_field(m, &e, key->columns[0]);
    buf_char(&e, ')');
    struct str words = draft_words(m->arena, table_name(m));
    add_metric(
        m,
        arena_printf(m->arena, "number_of_%.*s",
                     STR_ARG(snake_case(m->arena, table_name(m)))),
        &e, arena_printf(m->arena, "How many %.*s there are.", STR_ARG(words)),
        "Integer");
}

static void add_measure(struct metric_drafts *m, size_t column, bool rate)
{
    const struct catalog_table *t = &m->catalog->tables[m->table];
    const struct catalog_column *c = &t->columns[column];
    struct str table = draft_words(m->arena, table_name(m));
    struct str words = draft_words(m->arena, c->name);
    struct buf e;
    buf_init(&e, m->arena);
    buf_text(&e, rate ? "avg(" : "sum(");
    put_field(m, &e, column);
    buf_char(&e, ')');
    add_metric(
        m,
        arena_printf(m->arena, "%s_%.*s_%.*s", rate ? "average" : "total",
                     STR_ARG(snake_case(m->arena, table_name(m))),
                     STR_ARG(snake_case(m->arena, c->name))),
        &e,
        arena_printf(m->arena, "%s of %.*s over %.*s.", rate ? "Mean" : "Sum",
                     STR_ARG(words), STR_ARG(table)),
        c->kind == COLUMN_INTEGER && !rate ? "Integer"
        : c->floating                      ? "Float"
                                           : "Decimal");
}

/* ---- price times quantity
 * ------------------------------------------------------ */

struct line_amount {
    size_t price, quantity, discount; /* columns; n_columns: none */
};

static bool is_between_0_and_1(const struct catalog_column *c)
{
    double least, greatest;
    if (!c->least.len || !c->greatest.len || c->least.len > 60 ||
        c->greatest.len > 60)
        return false;
    char text[64];
    snprintf(text, sizeof text, "%.*s", STR_ARG(c->least));
    least = strtod(text, NULL);
    snprintf(text, sizeof text, "%.*s", STR_ARG(c->greatest));
    greatest = strtod(text, NULL);
    return least >= 0 && greatest <= 1;
}

static bool find_line(struct metric_drafts *m, struct line_amount *line)
{
    static const char *const prices[] = {"price", NULL};
    static const char *const quantities[] = {"quantity", "qty", "units", NULL};
    static const char *const discounts[] = {"discount", NULL};
    const struct catalog_table *t = &m->catalog->tables[m->table];
    *line = (struct line_amount){t->n_columns, t->n_columns, t->n_columns};
    for (size_t i = t->n_columns; i-- > 0;) {
        enum measure_kind kind = measure_of(&m->measures, m->table, i);
        struct name_words w = name_words(m->arena, t->columns[i].name);
        struct str last = w.n ? w.items[w.n - 1] : STR("");
        if (kind == RATE && word_among(last, prices))
            line->price = i;
        else if (kind == AMOUNT && word_among(last, quantities))
            line->quantity = i;
        else if (kind == RATE && word_among(last, discounts) &&
                 is_between_0_and_1(&t->columns[i]))
            line->discount = i;
    }
    return line->price < t->n_columns && line->quantity < t->n_columns;
}

static void add_line(struct metric_drafts *m)
{
    size_t n_columns = m->catalog->tables[m->table].n_columns;
    struct line_amount line;
    struct buf e;
    if (!find_line(m, &line))
        return;
    bool less = line.discount < n_columns;
    buf_init(&e, m->arena);
    buf_text(&e, "sum(");
    put_field(m, &e, line.price);
    buf_text(&e, " * ");
    put_field(m, &e, line.quantity);
    if (less) {
        buf_text(&e, " * (1 - ");
        put_field(m, &e, line.discount);
        buf_char(&e, ')');
    }
    buf_char(&e, ')');
    add_metric(m,
               arena_printf(m->arena, "%.*s_amount",
                            STR_ARG(snake_case(m->arena, table_name(m)))),
               &e,
               arena_printf(m->arena, "Price times quantity%s over %.*s.",
                            less ? ", less the discount," : "",
                            STR_ARG(draft_words(m->arena, table_name(m)))),
               "Decimal");
}

void draft_metrics(struct arena *arena, const struct catalog *c,
                   struct ontology *o)
{
    struct metric_drafts m = {.arena = arena, .catalog = c, .ontology = o};
    o->metrics = arena_new_array(arena, struct metric, METRICS_MOST);
    draft_names_init(&m.names, arena);
    measures_make(arena, c, &m.measures);
    for (; m.table < c->n_tables && o->n_metrics < METRICS_MOST; m.table++) {
        const struct catalog_table *t = &c->tables[m.table];
        m.here = 0;
        add_count(&m);
        add_line(&m);
        for (size_t i = 0; i < t->n_columns; i++) {
            enum measure_kind kind = measure_of(&m.measures, m.table, i);
            if (kind != NEITHER)
                add_measure(&m, i, kind == RATE);
        }
    }
}
