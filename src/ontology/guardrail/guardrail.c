/* guardrail.c - judges a query: its names here, its joins in related.c, its
 * measures in fanout.c. Joins and measures are judged only if all names
 * exist. */
#include "ontology/guardrail.h"
#include "base/buf.h"
#include "findings.h"
#include "rule.h"
#include "../known.h"
#include "../nearest.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include <string.h>
#include "base/banned.h"

enum { NAMED_NEAREST = 3, NAMED_COLUMNS = 30, NAMED_TABLES = 20 };

void finding_add(struct guardrail_check *j, enum finding_kind kind, bool grave,
                 const char *format, ...)
{
    struct query_findings *f = j->findings;
    va_list args;
    va_start(args, format);
    struct str message = arena_vprintf(j->arena, format, args);
    va_end(args);
    for (size_t i = 0; i < f->n; i++)
        if (str_eq(f->items[i].message, message))
            return;
    if (f->n < FINDINGS_MOST)
        f->items[f->n++] = (struct query_finding){
            .kind = kind, .grave = grave, .message = message};
}

struct str source_label(const struct guardrail_check *j,
                        const struct shape_source *source)
{
    if (source->kind == SHAPE_TABLE)
        return model_table_dataset(&j->catalog, source)->name;
    return source->name.len ? source->name : STR("a subquery");
}

/* ---- names
 * ------------------------------------------------------------------ */

static void put_names(struct buf *out, struct str_list names)
{
    for (size_t i = 0; i < names.n; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(names.items[i]));
}

static struct str_list nearest_tables(struct guardrail_check *j,
                                      struct str name)
{
    struct nearest nearest;
    ptrdiff_t dot = str_find_char(name, '.');
    nearest_begin(&nearest, dot < 0 ? name : str_from(name, (size_t)dot + 1));
    for (size_t i = 0; i < j->o->n_datasets; i++)
        nearest_offer(&nearest, j->o->datasets[i].table);
    return nearest_names(j->arena, &nearest, NAMED_NEAREST);
}

static void put_tables(struct guardrail_check *j, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < j->o->n_datasets && n < NAMED_TABLES; i++)
        if (j->o->datasets[i].table.len)
            buf_printf(out, "%s%.*s", n++ ? ", " : "; it has ",
                       STR_ARG(j->o->datasets[i].table));
    buf_text(out, n < j->o->n_datasets ? ", …" : "");
}

static void add_unknown_table(struct guardrail_check *j, struct str name)
{
    struct buf near;
    struct str_list list = nearest_tables(j, name);
    const struct dataset *d = ontology_dataset(j->o, name);
    buf_init(&near, j->arena);
    if (d && d->table.len) {
        buf_printf(&near, "; the table of %.*s is %.*s.%.*s", STR_ARG(d->name),
                   STR_ARG(d->schema), STR_ARG(d->table));
    } else if (list.n) {
        buf_text(&near, "; there is ");
        put_names(&near, list);
    } else {
        put_tables(j, &near);
    }
    finding_add(j, FINDING_UNKNOWN_TABLE, true,
                "The model has no table %.*s%.*s.", STR_ARG(name),
                STR_ARG(buf_view(&near)));
}

/* A computed field has a name, but there is no column of that name. */
static bool add_computed_field(struct guardrail_check *j,
                               const struct shape_source *source,
                               struct str name)
{
    if (source->kind != SHAPE_TABLE)
        return false;
    const struct dataset *d = model_table_dataset(&j->catalog, source);
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct field *f = &d->fields[i];
        if (!str_eq_nocase(f->name, name) ||
            (f->column.len && str_eq(f->column, name)))
            continue;
        finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                    "%.*s is a field of %.*s, but no column: write %.*s.",
                    STR_ARG(name), STR_ARG(d->name), STR_ARG(f->expression));
        return true;
    }
    return false;
}

static void add_unknown_column(struct guardrail_check *j,
                               const struct shape_problem *p)
{
    struct nearest nearest;
    struct buf where, near;
    nearest_begin(&nearest, p->name);
    buf_init(&where, j->arena);
    buf_init(&near, j->arena);
    for (size_t i = 0; i < p->n_sources; i++) {
        const struct shape_source *source = p->sources[i];
        if (add_computed_field(j, source, p->name))
            return;
        buf_printf(&where, "%s%.*s", i ? ", " : " in ",
                   STR_ARG(source_label(j, source)));
        for (size_t c = 0; c < source->n_columns; c++)
            nearest_offer(&nearest, source->columns[c]);
    }
    struct str_list list = nearest_names(j->arena, &nearest, NAMED_NEAREST);
    if (list.n) {
        buf_text(&near, "; did you mean ");
        put_names(&near, list);
        buf_char(&near, '?');
    } else if (p->n_sources == 1) {
        const struct shape_source *s = p->sources[0];
        struct str_list all = {s->columns, s->n_columns < NAMED_COLUMNS
                                               ? s->n_columns
                                               : NAMED_COLUMNS};
        buf_text(&near, "; it has ");
        put_names(&near, all);
        buf_text(&near, s->n_columns > all.n ? ", …" : ".");
    } else {
        buf_char(&near, '.');
    }
    finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                "There is no column %.*s%.*s%.*s", STR_ARG(p->name),
                STR_ARG(buf_view(&where)), STR_ARG(buf_view(&near)));
}

static void add_problem(struct guardrail_check *j,
                        const struct shape_problem *p)
{
    if (p->kind == SHAPE_UNKNOWN_COLUMN)
        add_unknown_column(j, p);
    else if (p->kind == SHAPE_UNKNOWN_QUALIFIER)
        finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                    "%.*s.%.*s: nothing in scope is called %.*s.",
                    STR_ARG(p->qualifier), STR_ARG(p->name),
                    STR_ARG(p->qualifier));
    else if (p->kind == SHAPE_UNCLEAR)
        finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                    "%.*s may be a column of %.*s that the model hides: say "
                    "which is meant by the table's alias.",
                    STR_ARG(p->name), STR_ARG(source_label(j, p->sources[0])));
    else if (p->kind == SHAPE_STAR)
        finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                    "The model hides columns of %.*s: list the columns that "
                    "you need, by their names, in place of *.",
                    STR_ARG(source_label(j, p->sources[0])));
    else
        finding_add(j, FINDING_UNKNOWN_COLUMN, true,
                    "%.*s is a column of %.*s and of %.*s: say which by the "
                    "table's alias.",
                    STR_ARG(p->name), STR_ARG(source_label(j, p->sources[0])),
                    STR_ARG(source_label(j, p->sources[1])));
}

void judge_names(struct guardrail_check *j)
{
    for (size_t i = 0; i < j->catalog.unknown.n; i++)
        add_unknown_table(j, j->catalog.unknown.items[i]);
    for (size_t i = 0; i < j->shape.n_problems; i++)
        add_problem(j, &j->shape.problems[i]);
}

/* ---- the whole
 * -------------------------------------------------------------- */

static void sort_by_kind(struct guardrail_check *j)
{
    struct query_findings *f = j->findings;
    struct query_finding *sorted =
        arena_new_array(j->arena, struct query_finding, f->n + 1);
    size_t n = 0;
    for (int kind = 0; kind <= FINDING_RULE; kind++)
        for (size_t i = 0; i < f->n; i++)
            if (f->items[i].kind == (enum finding_kind)kind)
                sorted[n++] = f->items[i];
    f->items = sorted;
}

static void judge_by_rules(struct guardrail_check *j, struct shape_select *s)
{
    judge_rows(j, s);
    judge_order(j, s);
    judge_arithmetic(j, s);
    judge_zones(j, s);
    judge_counts(j, s);
    judge_grouped_names(j, s);
    judge_shares(j, s);
    judge_self_joins(j, s);
    judge_dates(j, s);
}

static void judge_selects(struct guardrail_check *j)
{
    for (struct shape_select *s = j->shape.selects; s; s = s->next) {
        if (s->n_sources > GRAIN_SOURCES) {
            finding_add(j, FINDING_NOT_JUDGED, false,
                        "A query over %zu tables and subqueries at once is too "
                        "large to be judged.",
                        s->n_sources);
            continue;
        }
        judge_joins(j, s);
        judge_measures(j, s);
        judge_by_rules(j, s);
    }
    judge_metrics(j);
    sort_by_kind(j);
}

void query_analyze(struct arena *arena, const struct ontology *o,
                   struct str sql, struct query_findings *findings,
                   struct query_outline *out)
{
    struct guardrail_check j = {.arena = arena, .o = o, .findings = findings};
    j.joined = arena_new_array(arena, bool, o->n_relationships + 1);
    *findings = (struct query_findings){
        .items = arena_new_array(arena, struct query_finding, FINDINGS_MOST)};
    *out = (struct query_outline){0};
    model_tables_init(&j.catalog, arena, o);
    findings->read = shape_read(arena, sql, &j.catalog.shape, &j.shape);
    if (!findings->read)
        return;
    outline_fill(&j, out);
    judge_names(&j);
    if (findings->n == 0) /* a missing table has no grain */
        judge_selects(&j);
    out->joins = arena_new_array(arena, size_t, o->n_relationships + 1);
    for (size_t i = 0; i < o->n_relationships; i++)
        if (j.joined[i])
            out->joins[out->n_joins++] = i;
}

size_t findings_count(const struct query_findings *findings,
                      enum finding_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < findings->n; i++)
        n += findings->items[i].kind == kind;
    return n;
}

struct str findings_to_repair(struct arena *arena,
                              const struct query_findings *findings)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < findings->n; i++) {
        const struct query_finding *f = &findings->items[i];
        if (f->kind == FINDING_UNKNOWN_TABLE ||
            f->kind == FINDING_UNKNOWN_COLUMN || f->kind == FINDING_FAN_OUT ||
            f->kind == FINDING_RULE ||
            (f->kind == FINDING_UNRELATED_JOIN && f->grave))
            buf_printf(&out, "%s%.*s", out.len ? "\n" : "",
                       STR_ARG(f->message));
    }
    return buf_view(&out);
}
