/* draft_metrics.c - finds the columns that are measures, and makes metrics.
 *
 *   amount   may be added up over rows: a total, a quantity, a weight
 *   rate     may not: prices, percentages, scores; the metric is its mean
 *   neither  keys, references, years, positions, switches */
#include "base/buf.h"
#include "draft.h"
#include "ontology/osi_write.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum { METRICS_MOST = 300, METRICS_A_TABLE = 6 };

enum measure_kind { NEITHER, AMOUNT, RATE };

static const char *const rates[] = {
    "price",  "rate",        "percent", "percentage", "pct",
    "ratio",  "score",       "rating",  "discount",   "average",
    "avg",    "mean",        "age",     "margin",     "share",
    "factor", "temperature", "speed",   "fee",        "interest",
    "height", "width",       "length",  "depth",      NULL};
static const char *const no_measures[] = {
    "year",     "month",    "day",       "week",      "quarter", "hour",
    "minute",   "rank",     "position",  "order",     "sort",    "seq",
    "sequence", "index",    "version",   "status",    "state",   "type",
    "kind",     "level",    "grade",     "class",     "flag",    "is",
    "has",      "active",   "enabled",   "deleted",   "lat",     "lng",
    "lon",      "latitude", "longitude", "port",      "zip",     "line",
    "row",      "group",    "category",  "priority",  "color",   "x",
    "y",        "z",        "oid",       "xid",       "crc",     "mask",
    "bits",     "alt",      "altitude",  "elevation", "tz",      "timezone",
    "num",      "sid",      "uid",       "gid",       "pid",     "ean",
    "upc",      "isbn",     NULL};

static bool is_switch(const struct catalog_column *c)
{
    return c->kind == COLUMN_INTEGER && c->profiled && c->n_distinct <= 2 &&
           (str_is(c->least, "0") || str_is(c->least, "1")) &&
           (str_is(c->greatest, "1") || str_is(c->greatest, "0"));
}

static bool has_word(const struct name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (word_among(w->one[i], list) || word_among(w->items[i], list))
            return true;
    return false;
}

static bool in_link_or_key(const struct catalog *c, size_t table, size_t column)
{
    const struct catalog_table *t = &c->tables[table];
    for (size_t k = 0; k < t->n_keys; k++)
        for (size_t i = 0; i < t->keys[k].n; i++)
            if (t->keys[k].columns[i] == column)
                return true;
    for (size_t l = 0; l < c->n_links; l++)
        for (size_t i = 0; i < c->links[l].n; i++)
            if (c->links[l].from == table &&
                c->links[l].from_columns[i] == column)
                return true;
    return false;
}

/* "customerid" refers to something; "paid" is an amount. */
static bool ends_as_id(struct str word)
{
    return word.len >= 6 && str_ends(word, STR("id")) &&
           !str_ends(word, STR("paid"));
}

static enum measure_kind measure_of(struct arena *arena,
                                    const struct catalog *c, size_t table,
                                    size_t column)
{
    const struct catalog_column *x = &c->tables[table].columns[column];
    if ((x->kind != COLUMN_INTEGER && x->kind != COLUMN_NUMBER) || x->personal)
        return NEITHER;
    struct name_words w = name_words(arena, x->name);
    if (!w.n || word_refers(w.items[w.n - 1]) || is_switch(x) ||
        ends_as_id(w.items[w.n - 1]) || has_word(&w, no_measures) ||
        in_link_or_key(c, table, column))
        return NEITHER;
    return has_word(&w, rates) ? RATE : AMOUNT;
}

/* ---- metrics
 * ----------------------------------------------------------------- */

struct metric_drafts {
    struct arena *arena;
    const struct catalog *catalog;
    struct ontology *ontology;
    struct draft_names names;
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
        enum measure_kind kind = measure_of(m->arena, m->catalog, m->table, i);
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
    for (; m.table < c->n_tables && o->n_metrics < METRICS_MOST; m.table++) {
        const struct catalog_table *t = &c->tables[m.table];
        m.here = 0;
        add_count(&m);
        add_line(&m);
        for (size_t i = 0; i < t->n_columns; i++) {
            enum measure_kind kind = measure_of(arena, c, m.table, i);
            if (kind != NEITHER)
                add_measure(&m, i, kind == RATE);
        }
    }
}
