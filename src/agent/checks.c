/* checks.c - checks by code; see checks.h. */
#include "checks.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "checked_rows.h"
#include "cut_totals.h"
#include "grounding/figure.h"
#include "period_told.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { MESSAGE_MOST = 1900 };

/* A step with a query, whether it ran or not. */
struct checked_step {
    int64_t id;
    struct str sql;
    const struct query_spec *spec;   /* NULL: none */
    const struct sql_result *result; /* NULL: it failed */
    struct query_findings findings;
    struct query_outline outline;
    struct checked_rows rows;
};

struct check_context {
    struct arena *arena;
    const struct checks_of *of;
    struct checked_step *steps;
    size_t n_steps;
    struct verification_check *out;
    size_t n;
};

/* ---- one check ---------------------------------------------------------- */

struct code_check {
    struct check_context *all;
    const char *name, *fine; /* fine: the message when it passed */
    struct buf problems;
    bool looked, grave;
};

static struct code_check check_begin(struct check_context *all,
                                     const char *name, const char *fine)
{
    struct code_check c = {.all = all, .name = name, .fine = fine};
    buf_init(&c.problems, all->arena);
    return c;
}

__attribute__((format(printf, 4, 5))) static void
add_problem(struct code_check *c, const struct checked_step *step, bool grave,
            const char *format, ...)
{
    va_list args;
    buf_printf(&c->problems, "%sStep %lld: ", c->problems.len ? " " : "",
               (long long)step->id);
    va_start(args, format);
    buf_vprintf(&c->problems, format, args);
    va_end(args);
    c->grave = c->grave || grave;
}

static void check_end(struct code_check *c)
{
    struct check_context *all = c->all;
    bool passed = c->problems.len == 0;
    if (!c->looked)
        return;
    struct str text = buf_view(&c->problems);
    all->out[all->n++] = (struct verification_check){
        .name = str_of(c->name),
        .passed = passed,
        .severity = !passed && !c->grave ? CHECK_WARN : CHECK_FAIL,
        .message = passed ? str_of(c->fine)
                          : arena_printf(all->arena, "%.*s%s",
                                         STR_ARG(utf8_cut(text, MESSAGE_MOST)),
                                         text.len > MESSAGE_MOST ? " …" : "")};
}

/* ---- of the SQL text ---------------------------------------------------- */

/* Findings of the kinds from `first` to `last`. A query with unknown names did
 * not run, so it is only a warning, and nothing else is known of it. */
static void check_findings(struct check_context *all, enum finding_kind first,
                           enum finding_kind last, const char *name,
                           const char *fine)
{
    struct code_check c = check_begin(all, name, fine);
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        bool runs = !findings_count(&s->findings, FINDING_UNKNOWN_TABLE) &&
                    !findings_count(&s->findings, FINDING_UNKNOWN_COLUMN);
        c.looked = c.looked || (s->findings.read &&
                                (runs || first == FINDING_UNKNOWN_TABLE));
        for (size_t k = 0; k < s->findings.n; k++) {
            const struct query_finding *f = &s->findings.items[k];
            bool unsure = f->kind == FINDING_NOT_JUDGED;
            if (f->kind >= first && f->kind <= last)
                add_problem(&c, s, f->grave && runs, "%s%.*s",
                            unsure ? "Not judged. " : "", STR_ARG(f->message));
        }
    }
    check_end(&c);
}

struct str checks_question(struct arena *arena, const struct plan *plan,
                           struct str question, int64_t step)
{
    for (size_t i = 0; plan && i < plan->n_steps; i++)
        if (plan->steps[i].id == step)
            return arena_printf(
                arena, "%.*s\n%.*s", STR_ARG(plan->steps[i].description),
                STR_ARG(plan->n_steps == 1 ? question : STR("")));
    return question;
}

/* One rule; true when a query breaks it. */
static bool check_rule(struct check_context *all, const struct query_rule *rule)
{
    struct code_check c = check_begin(all, rule->id, "");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        for (size_t k = 0; k < s->findings.n; k++) {
            const struct query_finding *f = &s->findings.items[k];
            c.looked = c.looked || f->rule == rule;
            if (f->rule == rule)
                add_problem(&c, s, f->grave, "%.*s", STR_ARG(f->message));
        }
    }
    check_end(&c);
    return c.looked;
}

/* Each broken rule is a check; if there is none, the list as a whole passed. */
static void check_rules(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "query_rules", "The queries break none of the rules.");
    size_t n, broken = 0;
    const struct query_rule *rules = query_rules(&n);
    for (size_t i = 0; i < n; i++)
        broken += check_rule(all, &rules[i]);
    for (size_t i = 0; i < all->n_steps; i++)
        c.looked = c.looked || all->steps[i].findings.read;
    if (!broken)
        check_end(&c);
}

/* ---- of the result ------------------------------------------------------ */

static bool has_column(const struct sql_result *r, struct str name)
{
    for (size_t i = 0; i < r->n_columns; i++)
        if (str_eq_nocase(r->columns[i], name))
            return true;
    return false;
}

/* Columns with other names are a warning; fewer columns are a failure. */
static void check_columns(struct check_context *all)
{
    struct code_check c = check_begin(
        all, "expected_columns", "All expected columns are in the result.");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        struct buf missing;
        buf_init(&missing, all->arena);
        if (!s->result || !s->spec || !s->spec->n_expected_columns)
            continue;
        c.looked = true;
        for (size_t k = 0; k < s->spec->n_expected_columns; k++)
            if (!has_column(s->result, s->spec->expected_columns[k]))
                buf_printf(&missing, "%s%.*s", missing.len ? ", " : "",
                           STR_ARG(s->spec->expected_columns[k]));
        if (missing.len)
            add_problem(
                &c, s, s->result->n_columns < s->spec->n_expected_columns,
                "the result does not have %.*s.", STR_ARG(buf_view(&missing)));
    }
    check_end(&c);
}

static void check_count(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "row_count", "Every query found rows.");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        c.looked = c.looked || s->result;
        if (s->result && s->result->row_count == 0)
            add_problem(&c, s, false, "no row was found.");
    }
    check_end(&c);
}

static void check_truncated(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "not_truncated", "All rows were read.");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        c.looked = c.looked || s->result;
        if (s->result && s->result->truncated)
            add_problem(&c, s, false,
                        "only the first %lld rows were read; there are more.",
                        (long long)s->result->row_count);
        if (s->result && s->result->values_cut)
            add_problem(&c, s, false, "long values were cut.");
    }
    check_end(&c);
}

/* The answer is of the plan's period only if some query is. */
static void check_period(struct check_context *all)
{
    const struct plan *plan = all->of->plan;
    const struct plan_period *p = plan ? plan->period : NULL;
    struct code_check c = check_begin(all, "period_applied",
                                      "The queries are of the plan's period.");
    bool named = false;
    for (size_t i = 0; p && i < all->n_steps; i++) {
        c.looked = c.looked || all->steps[i].result;
        named = named || !all->steps[i].result ||
                period_is_named(all->arena, all->steps[i].sql, p);
    }
    if (p && c.looked && !named)
        add_problem(&c, &all->steps[0], true,
                    "no query is of the period, %.*s to %.*s.",
                    STR_ARG(p->from), STR_ARG(p->to));
    check_end(&c);
}

static void check_values(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "values_exist",
                    "The data have every value that an empty query looks for.");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct sql_result *r = all->steps[i].result;
        c.looked = c.looked || (r && r->no_rows.ptr);
        if (r && r->no_rows.len)
            add_problem(&c, &all->steps[i], false, "%.*s", STR_ARG(r->no_rows));
    }
    check_end(&c);
}

/* The code of a step names the DataFrame of a result of which only the first
 * rows were read. */
static bool reads_cut(struct check_context *all, const struct step_result *s,
                      const struct checked_step *cut)
{
    struct str code = s->python_result->code;
    struct str frame =
        arena_printf(all->arena, "step_%lld_data", (long long)cut->id);
    return str_find(code, frame) >= 0 ||
           (s->step_id == cut->id && str_find(code, STR("current_data")) >= 0);
}

/* Blanks a number where it is not a part of a longer one. */
static void blank_out(struct buf *text, struct str number)
{
    size_t at = 0;
    for (ptrdiff_t found;
         number.len &&
         (found = str_find(str_from(buf_view(text), at), number)) >= 0;) {
        size_t from = at + (size_t)found, to = from + number.len;
        bool inside =
            (from && strchr("0123456789.,", text->ptr[from - 1])) ||
            (to < text->len && text->ptr[to] >= '0' && text->ptr[to] <= '9');
        if (!inside)
            memset(text->ptr + from, ' ', number.len);
        at = to;
    }
}

static bool has_digit(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9')
            return true;
    return false;
}

/* Python printed a number that is no total computed in SQL. */
static bool prints_figure(struct check_context *all,
                          const struct step_result *s,
                          const struct checked_step *cut)
{
    const struct sql_result *result = cut->result;
    struct buf rest;
    buf_init(&rest, all->arena);
    buf_str(&rest, s->python_result->out);
    for (size_t i = 0; i < result->n_totals; i++)
        blank_out(&rest, result->totals[i].sum);
    return has_digit(buf_view(&rest));
}

/* What Python makes of the first rows is no total, share or rank of all. It may
 * still draw them. */
static void check_cut(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "cut_rows_not_summed", "No figure rests on cut rows.");
    for (size_t i = 0; i < all->n_steps; i++)
        for (size_t k = 0;
             all->steps[i].result && all->steps[i].result->truncated &&
             k < all->of->results->n_results;
             k++) {
            const struct step_result *s = &all->of->results->results[k];
            c.looked = c.looked || s->python_result;
            if (s->python_result && reads_cut(all, s, &all->steps[i]))
                add_problem(
                    &c, &all->steps[i], prints_figure(all, s, &all->steps[i]),
                    "only its first %lld rows were read, and the Python of "
                    "step %lld uses them: totals, shares and ranks must be "
                    "computed in SQL. %.*s",
                    (long long)all->steps[i].result->row_count,
                    (long long)s->step_id,
                    STR_ARG(cut_totals_text(all->arena, all->steps[i].result)));
        }
    check_end(&c);
}

/* ---- of the rows -------------------------------------------------------- */

static bool tells_apart(const struct checked_step *s, size_t column)
{
    return column >= s->outline.n_outputs ||
           !s->outline.outputs[column].aggregate;
}

/* Equal groups are a warning: they may lack what tells them apart, as two
 * people with one name do. So are equal rows of a query without groups. */
static void check_grain(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "grain_unique", "No two rows are of the same group.");
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        size_t columns = s->rows.n_columns, n = 0;
        bool *by = arena_new_array(all->arena, bool, columns + 1);
        if (!s->rows.read || !s->outline.read)
            continue;
        c.looked = true;
        for (size_t k = 0; k < columns; k++)
            n += by[k] = !s->outline.grouped || tells_apart(s, k);
        size_t doubled = checked_rows_doubled(all->arena, &s->rows, by);
        if (n == 0 && s->rows.n_rows > 1)
            add_problem(&c, s, false, "%zu rows where one was expected.",
                        s->rows.n_rows);
        else if (n && doubled)
            add_problem(
                &c, s, false,
                "%zu of %zu rows repeat %s; different things may have one "
                "name.",
                doubled, s->rows.n_rows,
                s->outline.grouped ? "what another row is broken down by"
                                   : "another row");
    }
    check_end(&c);
}

/* NULL in keys, or in measures of groups. */
static void check_nulls(struct check_context *all, bool measures,
                        const char *name, const char *good)
{
    struct code_check c = check_begin(all, name, good);
    for (size_t i = 0; i < all->n_steps; i++) {
        const struct checked_step *s = &all->steps[i];
        for (size_t k = 0;
             s->rows.read && k < s->outline.n_outputs && k < s->rows.n_columns;
             k++) {
            if (measures ? !s->outline.outputs[k].aggregate || !s->rows.n_rows
                         : !s->outline.outputs[k].key)
                continue;
            c.looked = true;
            if (s->rows.columns[k].nulls)
                add_problem(&c, s, false, "%.*s is NULL in %zu of %zu rows.",
                            STR_ARG(s->result->columns[k]),
                            s->rows.columns[k].nulls, s->rows.n_rows);
        }
    }
    check_end(&c);
}

/* ---- across steps ------------------------------------------------------- */

static bool comparable(const struct checked_step *a,
                       const struct checked_step *b)
{
    return a->rows.read && b->rows.read && a->outline.whole &&
           b->outline.whole && !a->result->truncated && !b->result->truncated &&
           a->outline.filter_hash == b->outline.filter_hash;
}

static bool nearly_equal(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A failure only when both queries have the same joins: other joins may leave
 * out rows on purpose. */
static void compare_totals(struct code_check *c, const struct checked_step *a,
                           const struct checked_step *b)
{
    for (size_t i = 0; i < a->outline.n_outputs && i < a->rows.n_columns; i++)
        for (size_t k = 0; k < b->outline.n_outputs && k < b->rows.n_columns;
             k++) {
            const struct outline_output *x = &a->outline.outputs[i],
                                        *y = &b->outline.outputs[k];
            if (!x->additive || !y->additive || x->print != y->print ||
                !a->rows.columns[i].numbers || !b->rows.columns[k].numbers)
                continue;
            c->looked = true;
            if (!nearly_equal(a->rows.columns[i].sum, b->rows.columns[k].sum))
                add_problem(c, b, a->outline.from_hash == b->outline.from_hash,
                            "%.*s adds up to %.10g, in step %lld to %.10g.",
                            STR_ARG(b->result->columns[k]),
                            b->rows.columns[k].sum, (long long)a->id,
                            a->rows.columns[i].sum);
        }
}

static void check_totals(struct check_context *all)
{
    struct code_check c =
        check_begin(all, "totals_agree",
                    "The same measure has the same total in all steps.");
    for (size_t i = 0; i < all->n_steps; i++)
        for (size_t k = i + 1; k < all->n_steps; k++)
            if (comparable(&all->steps[i], &all->steps[k]))
                compare_totals(&c, &all->steps[i], &all->steps[k]);
    check_end(&c);
}

/* ---- the whole ---------------------------------------------------------- */

static void read_step(struct check_context *all, size_t at)
{
    const struct checks_of *of = all->of;
    const struct step_result *result = &of->results->results[at];
    const struct query_spec *spec = query_spec_of(of->queries, result->step_id);
    struct checked_step *s = &all->steps[all->n_steps];
    if (!result->sql_result && !spec)
        return;
    *s = (struct checked_step){
        .id = result->step_id, .spec = spec, .result = result->sql_result};
    s->sql = s->result && s->result->sql.len ? s->result->sql
             : spec                          ? spec->full_sql
                                             : STR("");
    analysis_cache_get(of->judged, all->arena, of->ontology, s->sql,
                       &s->findings, &s->outline);
    findings_for_question(
        all->arena, &s->findings,
        checks_question(all->arena, of->plan, of->question, s->id));
    if (s->result)
        checked_rows_read(all->arena, of->full_data[at], s->result, &s->rows);
    all->n_steps++;
}

static bool have_data(const struct step_results *results)
{
    for (size_t i = 0; results && i < results->n_results; i++)
        if (results->results[i].sql_result)
            return true;
    return false;
}

/* What the rows of a result hold at most. */
enum rows_hold { HOLD_NULL, HOLD_ZEROS, HOLD_VALUES };

static bool is_zero_cell(const json_t *cell)
{
    double value;
    return json_is_number(cell) ? json_number_value(cell) == 0
           : json_is_string(cell)
               ? figure_of_cell(json_text(cell), &value) && value == 0
               : false;
}

/* That there are no rows is a finding. Longer results are not read. */
static enum rows_hold rows_hold(const struct sql_result *s)
{
    enum { ROWS_MOST = 20 };
    enum rows_hold most = HOLD_NULL;
    const char *name;
    json_t *cell, *rows;
    if (s->row_count == 0 || s->row_count > ROWS_MOST)
        return HOLD_VALUES;
    rows = json_read(s->data, NULL);
    if (json_array_size(rows) != (size_t)s->row_count)
        most = HOLD_VALUES;
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_object_foreach(json_array_get(rows, i), name, cell)
        {
            enum rows_hold one = json_is_null(cell)   ? HOLD_NULL
                                 : is_zero_cell(cell) ? HOLD_ZEROS
                                                      : HOLD_VALUES;
            most = one > most ? one : most;
        }
    json_decref(rows);
    return most;
}

/* A query of the analyst that checks its answer: how many rows are joined, and which
 * days of a period the data have. */
static bool checks_answer(const struct sql_result *s)
{
    return str_starts(s->data, STR("[{\"joined_rows\":")) ||
           (str_starts(s->data, STR("[{\"place\":")) &&
            str_find(s->data, STR("\"data_begin\":")) > 0);
}

/* A result is all NULL, and no other has a value: there is no figure that could
 * be right. A count of nothing, 0, alone is one. */
static bool have_only_null(const struct step_results *results)
{
    bool null = false;
    for (size_t i = 0; results && i < results->n_results; i++) {
        const struct sql_result *s = results->results[i].sql_result;
        enum rows_hold holds =
            s && !checks_answer(s) ? rows_hold(s) : HOLD_ZEROS;
        if (holds == HOLD_VALUES)
            return false;
        null = null || holds == HOLD_NULL;
    }
    return null;
}

void checks_decide(struct verification_report *report,
                   const struct step_results *results, bool ran)
{
    bool nothing = have_only_null(results);
    report->status =
        ran && have_data(results) && !nothing ? CHECKS_PASSED : CHECKS_SKIPPED;
    if (ran && report->status == CHECKS_SKIPPED)
        report->diagnosis =
            nothing ? STR("The result has nothing but NULL, so there was no "
                          "figure to verify.")
                    : STR("No step has data, so there was nothing to verify.");
    for (size_t i = 0; i < report->n_checks; i++)
        if (!report->checks[i].passed &&
            report->checks[i].severity == CHECK_FAIL)
            report->status = CHECKS_FAILED;
    report->passed = report->status == CHECKS_PASSED;
}

struct str checks_failures(struct arena *arena,
                           const struct verification_report *report)
{
    struct buf why;
    buf_init(&why, arena);
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct verification_check *c = &report->checks[i];
        if (!c->passed && c->severity == CHECK_FAIL)
            buf_printf(&why, "%s%.*s: %.*s", why.len ? "; " : "",
                       STR_ARG(c->name), STR_ARG(c->message));
    }
    return buf_view(&why);
}

size_t checks_by_code(struct arena *arena, const struct checks_of *of,
                      struct verification_check *out)
{
    struct check_context all = {.arena = arena, .of = of, .out = out};
    if (!of->results)
        return 0;
    all.steps =
        arena_new_array(arena, struct checked_step, of->results->n_results + 1);
    for (size_t i = 0; i < of->results->n_results; i++)
        read_step(&all, i);
    check_findings(&all, FINDING_UNKNOWN_TABLE, FINDING_UNKNOWN_COLUMN,
                   "tables_and_columns",
                   "Every table and column is in the semantic model.");
    check_findings(&all, FINDING_UNRELATED_JOIN, FINDING_UNRELATED_JOIN,
                   "joins_follow_model",
                   "Joins follow the relationships of the semantic model.");
    check_findings(&all, FINDING_FAN_OUT, FINDING_NOT_JUDGED, "fan_out",
                   "No measure is summed over rows that a join repeats.");
    check_rules(&all);
    check_columns(&all);
    check_count(&all);
    check_period(&all);
    check_values(&all);
    check_truncated(&all);
    check_cut(&all);
    check_grain(&all);
    check_nulls(&all, false, "keys_not_null", "No key column holds NULL.");
    check_nulls(&all, true, "measures_not_null", "No measure is missing.");
    check_totals(&all);
    return all.n;
}
