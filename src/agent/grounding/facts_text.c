/* facts_text.c - words and figures of the texts around results; see facts_text.h. */
#include "facts_text.h"
#include "wording.h"
#include <math.h>
#include "base/banned.h"

enum { FIGURES_MOST = 600 /* of one text */ };

/* ---- words and figures --------------------------------------------------- */

void facts_add_words(struct facts *facts, struct str text)
{
    char lower[NAME_BYTES];
    text = str_cut(text, 0, GROUNDING_TEXT_MOST);
    for (size_t at = 0, end; wording_next(text, &at, &end); at = end) {
        struct str word = {lower, end - at};
        if (word.len > sizeof lower)
            continue;
        wording_lower(lower, str_cut(text, at, word.len));
        if (!map_get(&facts->words, word))
            map_put(&facts->words, arena_str(facts->arena, word), facts);
    }
}

bool fact_figures_add(struct arena *arena, struct fact_figures *to,
                      const struct figure *f)
{
    if (to->n == FIGURES_MOST)
        return false;
    if (to->n == to->cap) {
        size_t cap = to->cap ? 2 * to->cap : 4;
        to->items = (struct figure *)(void *)arena_resize(
            arena, (char *)to->items, to->cap * sizeof *f, cap * sizeof *f);
        to->cap = cap;
    }
    to->items[to->n++] = *f;
    return true;
}

static void add_figures(struct facts *facts, struct fact_figures *to,
                        struct str text)
{
    struct figure f;
    size_t at = 0;
    text = str_cut(text, 0, GROUNDING_TEXT_MOST);
    while (figure_next(text, &at, &f))
        if (!fact_figures_add(facts->arena, to, &f))
            return;
}

/* ---- the texts ----------------------------------------------------------- */

/* What Python printed is computed from rows, as far as its code does not hold
 * the number itself. */
static void read_printed(struct facts *facts, const struct step_result *step)
{
    const struct python_result *p = step->python_result;
    struct fact_figures printed = {0}, code = {0};
    if (!p || step->error.len)
        return;
    add_figures(facts, &printed, p->out);
    add_figures(facts, &code, p->code);
    for (size_t k = 0; k < printed.n; k++) {
        bool planted = false;
        for (size_t c = 0; c < code.n; c++)
            planted = planted || (fabs(printed.items[k].value) >= 10 &&
                                  fabs(printed.items[k].value) ==
                                      fabs(code.items[c].value));
        if (!planted)
            fact_figures_add(facts->arena, &facts->said, &printed.items[k]);
    }
}

/* A period that a query excludes with "<" ends the day before. */
static void add_sql(struct facts *facts, struct str sql)
{
    size_t before = facts->context.n;
    sql = str_trim(sql);
    add_figures(facts, &facts->context, sql);
    for (size_t i = before; i < facts->context.n; i++) {
        struct figure *f = &facts->context.items[i];
        size_t at = f->from;
        while (at && strchr(" '(\"", sql.ptr[at - 1]) && sql.ptr[at - 1])
            at--;
        struct str lead = str_cut(sql, 0, at);
        static const char *const types[] = {"date", "timestamp", "timestamptz"};
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (lead.len > strlen(types[k]) &&
                str_eq_nocase(str_from(lead, lead.len - strlen(types[k])),
                              str_of(types[k])))
                lead = str_trim(str_cut(lead, 0, lead.len - strlen(types[k])));
        if (f->kind == FIGURE_PERIOD && f->first == f->last &&
            str_ends(lead, STR("<"))) {
            int64_t year;
            int day;
            f->first = --f->last;
            figure_date(f->first, &year, &f->month, &day);
        }
    }
}

static void read_sql(struct facts *facts, const struct step_result *step)
{
    if (!step->sql_result)
        return;
    add_sql(facts, step->sql_result->sql);
    facts_add_words(facts, step->sql_result->sql);
}

static void read_plan(struct facts *facts)
{
    const struct plan *plan = facts->of->plan;
    if (!plan)
        return;
    add_figures(facts, &facts->context, plan->time_window);
    facts_add_words(facts, plan->time_window);
    for (size_t i = 0; i < plan->n_filters; i++) {
        add_figures(facts, &facts->context, plan->filters[i]);
        facts_add_words(facts, plan->filters[i]);
    }
    for (size_t i = 0; i < plan->n_metrics; i++)
        facts_add_words(facts, plan->metrics[i]);
    for (size_t i = 0; i < plan->n_dimensions; i++)
        facts_add_words(facts, plan->dimensions[i]);
    for (size_t i = 0; i < plan->n_ambiguities; i++) {
        add_figures(facts, &facts->context, plan->ambiguities[i].assumption);
        facts_add_words(facts, plan->ambiguities[i].question);
        facts_add_words(facts, plan->ambiguities[i].assumption);
    }
}

bool facts_read_text(struct facts *facts, size_t i)
{
    const struct grounding_of *of = facts->of;
    if (i == 0) {
        add_figures(facts, &facts->asked, of->question);
        facts_add_words(facts, of->question);
    } else if (i <= of->n_names) {
        facts_add_words(facts, of->names[i - 1]);
    } else if (i <= of->n_names + of->n_said) {
        struct str said = of->said[i - of->n_names - 1];
        add_figures(facts, &facts->said, said);
        facts_add_words(facts, said);
    } else {
        size_t n = of->results ? of->results->n_results : 0;
        i -= of->n_names + of->n_said + 1;
        if (i < n)
            read_printed(facts, &of->results->results[i]);
        else if (i < 2 * n)
            read_sql(facts, &of->results->results[i - n]);
        else if (i == 2 * n)
            read_plan(facts);
        return i < 2 * n;
    }
    return true;
}

/* The only year of the periods and years in two lists; 0: none, or several. */
static int64_t only_year(const struct fact_figures *a,
                         const struct fact_figures *b)
{
    enum { LEAST = 1900, MOST = 2100 };
    int64_t found = 0, years[2];
    int month, day;
    for (size_t i = 0; i < a->n + b->n; i++) {
        const struct figure *f = i < a->n ? &a->items[i] : &b->items[i - a->n];
        if (f->kind == FIGURE_PERIOD) {
            figure_date(f->first, &years[0], &month, &day);
            figure_date(f->last, &years[1], &month, &day);
        } else if (f->kind == FIGURE_NUMBER && f->whole &&
                   f->to - f->from == 4 && f->value >= LEAST &&
                   f->value <= MOST) {
            years[0] = years[1] = (int64_t)f->value;
        } else {
            continue;
        }
        if (years[0] != years[1] || (found && found != years[0]))
            return 0;
        found = years[0];
    }
    return found;
}

void facts_date_periods(struct facts *facts)
{
    int64_t year = only_year(&facts->context, &facts->asked), of;
    int month, day;
    for (size_t t = 0; year && t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++) {
            struct fact_column *c = &facts->tables[t].columns[i];
            for (size_t k = 0; c->no_year && k < facts->tables[t].n_rows; k++) {
                if (c->days[k] == INT64_MIN)
                    continue;
                figure_date(c->days[k], &of, &month, &day);
                c->days[k] = figure_day(year, month, 1);
            }
        }
}
