/* verdict.c - judges a finding by what its checks found; see validation.h. A
 * check that fails says why in a sentence with its figures; a check without
 * figures is not made. */
#include "base/json.h"
#include "base/utf8.h"
#include "cells.h"
#include "columns.h"
#include "significance.h"
#include "validation.h"
#include <math.h>
#include "base/banned.h"

enum {
    ROWS_LEAST = 5,   /* fewer carry no finding */
    ROWS_SMALL = 30,  /* fewer carry a weak one */
    STRATA_MOST = 50, /* a column with more values is no category */
};

static const double chance_most = 0.05;
static const double missing_most = 0.2;
static const double missing_notable = 0.05;
static const double shift_most = 0.25;
/* Of the whole difference; a smaller one the other way may be chance. */
static const double reversal_least = 0.25;

struct verdict {
    const struct validation_request *request;
    const struct explorer_call *call;
    struct json_writer w;
    bool failed, warned;
    bool too_small; /* the other checks mean nothing */
    int checks;
};

static void put_check_result(struct verdict *v, const char *name, bool passed,
                             bool fails, struct str message)
{
    v->checks++;
    v->failed |= !passed && fails;
    v->warned |= !passed && !fails;
    json_put_object(&v->w);
    json_field_text(&v->w, "name", name);
    json_field_bool(&v->w, "passed", passed);
    json_field_text(&v->w, "severity", fails ? "fail" : "warn");
    json_field_str(&v->w, "message", message);
    json_put_object_end(&v->w);
}

/* The first row of a query. False: there is none. */
static bool first_row(const struct verdict *v, const char *id, struct cells *c)
{
    cells_init(c, cells_of_query(v->call, id));
    return cells_next(c);
}

/* ---- sample ------------------------------------------------------------- */

static void check_result_rows(struct verdict *v)
{
    struct cells c;
    if (!first_row(v, "result", &c))
        return;
    int64_t n = cells_count(&c, "n_rows");
    put_check_result(v, "result", n > 0, true,
                     n > 0 ? STR("The query has rows.")
                           : STR("The query has no rows."));
    v->too_small = n == 0;
}

static void check_size(struct verdict *v, int64_t n)
{
    struct arena *a = v->call->memory;
    const char *rows = n == 1 ? "row" : "rows";
    v->too_small |= n < ROWS_LEAST;
    if (n < ROWS_LEAST)
        put_check_result(
            v, "sample_size", false, true,
            arena_printf(a, "Only %lld %s: too few for any conclusion.",
                         (long long)n, rows));
    else
        put_check_result(v, "sample_size", n >= ROWS_SMALL, false,
                         arena_printf(a,
                                      n < ROWS_SMALL
                                          ? "Only %lld %s: the finding is weak."
                                          : "%lld %s are enough.",
                                      (long long)n, rows));
}

static void check_groups(struct verdict *v, const struct cells *c)
{
    struct arena *a = v->call->memory;
    int64_t groups = cells_count(c, "n_groups"), tiny = cells_count(c, "tiny");
    int64_t rows = cells_count(c, "n_rows"), most = cells_count(c, "largest");
    if (tiny > 0)
        put_check_result(
            v, "group_size", false, false,
            arena_printf(a, "%lld of %lld groups have fewer than 5 values.",
                         (long long)tiny, (long long)groups));
    if (groups > 1 && rows > 0 && (double)most > 0.9 * (double)rows)
        put_check_result(v, "balance", false, false,
                         arena_printf(a, "One group has %.0f %% of all rows.",
                                      100 * (double)most / (double)rows));
    if (cells_count(c, "no_group") > 0)
        put_check_result(
            v, "missing_groups", false, false,
            arena_printf(a,
                         "%lld rows belong to no group: the value is "
                         "missing.",
                         (long long)cells_count(c, "no_group")));
}

static void check_missing(struct verdict *v, int64_t rows, int64_t values)
{
    double share = rows ? (double)(rows - values) / (double)rows : 0;
    put_check_result(
        v, "missing_values", share <= missing_notable, share > missing_most,
        arena_printf(v->call->memory,
                     "%lld of %lld rows (%.1f %%) have no value.",
                     (long long)(rows - values), (long long)rows, 100 * share));
}

static void check_sample(struct verdict *v)
{
    struct cells c;
    if (!first_row(v, "sample", &c))
        return;
    int64_t rows = cells_count(&c, "n_rows"), values = rows;
    enum query_measure kind = v->request->parts.kind;
    if (kind == MEASURE_VALUE || kind == MEASURE_CORRELATION)
        values = cells_count(&c, "n_values");
    check_size(v, values);
    if (rows > values)
        check_missing(v, rows, values);
    if (v->request->parts.group.len)
        check_groups(v, &c);
}

/* ---- outliers ----------------------------------------------------------- */

static void check_outliers(struct verdict *v)
{
    struct cells c;
    if (v->too_small || !first_row(v, "outliers", &c))
        return;
    int64_t n = cells_count(&c, "outliers");
    double shift = cells_real(&c, "shift");
    struct arena *a = v->call->memory;
    if (n == 0)
        put_check_result(v, "outliers", true, false,
                         STR("There are no outliers."));
    else if (isfinite(shift))
        put_check_result(
            v, "outliers", shift < shift_most, false,
            arena_printf(a,
                         "%lld outlier%s the mean by %.2f standard "
                         "deviations.%s",
                         (long long)n, n == 1 ? " moves" : "s move", shift,
                         shift < shift_most ? "" : " Compare medians, too."));
    else
        put_check_result(v, "outliers", false, false,
                         arena_printf(a, "Outliers: %lld.", (long long)n));
}

/* ---- chance ------------------------------------------------------------- */

static void put_chance(struct verdict *v, double p, const char *test)
{
    struct arena *a = v->call->memory;
    if (!isfinite(p))
        return;
    put_check_result(
        v, "significance", p < chance_most, true,
        p < 0.001
            ? arena_printf(a, "p < 0.001 (%s): hardly by chance.", test)
            : arena_printf(a, "p = %.3f (%s): %s", p, test,
                           p < chance_most ? "hardly by chance."
                                           : "chance alone may explain it."));
}

static double p_of_variance(const struct cells *c)
{
    double k = cells_real(c, "n_groups"), n = cells_real(c, "n_values");
    double between = cells_real(c, "between_groups");
    double within = cells_real(c, "within_groups");
    if (!(k >= 2) || !(n > k))
        return NAN;
    if (within <= 0)
        return between > 0 ? 0 : 1;
    return significance_of_f((between / (k - 1)) / (within / (n - k)), k - 1,
                             n - k);
}

static void check_difference(struct verdict *v)
{
    struct cells c;
    if (v->too_small || !first_row(v, "difference", &c))
        return;
    switch (v->request->parts.kind) {
    case MEASURE_CORRELATION:
        put_chance(v,
                   significance_of_correlation(cells_real(&c, "r"),
                                               cells_real(&c, "n_values")),
                   "correlation");
        break;
    case MEASURE_VALUE:
        put_chance(v, p_of_variance(&c), "analysis of variance of the means");
        break;
    default:
        put_chance(v,
                   significance_of_chi_square(cells_real(&c, "chi_square"),
                                              cells_real(&c, "n_groups") - 1),
                   "chi-square against equal numbers of rows");
    }
}

/* ---- Simpson's reversal ------------------------------------------------- */

/* The comparison turns round in most strata, and as a whole when the strata
 * count by their rows; and not only a little. */
static bool is_reversed(const struct cells *c)
{
    double strata = cells_real(c, "strata"), whole = cells_real(c, "whole");
    double adjusted = cells_real(c, "adjusted");
    double rows = cells_real(c, "compared_rows");
    if (!(strata >= 2 && strata <= STRATA_MOST) || !(rows >= ROWS_SMALL) ||
        !(whole * adjusted < 0) ||
        !(cells_real(c, "reversed_rows") > rows / 2) ||
        !(cells_real(c, "reversed") * 2 > strata))
        return false;
    return fabs(adjusted) >= reversal_least * fabs(whole);
}

static void check_strata(struct verdict *v)
{
    struct arena *a = v->call->memory;
    int made = 0;
    for (size_t i = 0; i < v->request->n_strata && !v->too_small; i++) {
        struct cells c;
        struct buf name;
        if (!first_row(v, arena_printf(a, "strata_%zu", i).ptr, &c) ||
            !(cells_real(&c, "strata") >= 2))
            continue;
        made++;
        if (!is_reversed(&c))
            continue;
        buf_init(&name, a);
        utf8_put_plain(
            &name,
            utf8_first(v->request->table->columns[v->request->strata[i]].name,
                       80));
        put_check_result(
            v, "simpsons_paradox", false, true,
            arena_printf(
                a,
                "Within the values of %.*s the comparison turns round (in "
                "%lld of %lld): compare within them instead.",
                STR_ARG(buf_view(&name)),
                (long long)cells_count(&c, "reversed"),
                (long long)cells_count(&c, "strata")));
        return;
    }
    if (made)
        put_check_result(
            v, "simpsons_paradox", true, true,
            arena_printf(a,
                         "The comparison keeps its direction within %d "
                         "other column%s.",
                         made, made == 1 ? "" : "s"));
}

/* ---- words -------------------------------------------------------------- */

static void check_cause(struct verdict *v)
{
    static const char *const words[] = {
        "cause",     "causes",         "caused",    "because of",
        "due to",    "leads to",       "led to",    "drives",
        "driven by", "results in",     "impact",    "effect of",
        "affects",   "increases when", "thanks to", "responsible for",
        NULL};
    for (const char *const *w = words; *w; w++)
        if (str_find_nocase(v->request->finding, str_of(*w)) >= 0) {
            put_check_result(
                v, "causation", false, false,
                STR("The data show that things go together, not that one "
                    "causes the other. Say so."));
            return;
        }
}

/* ---- the whole ---------------------------------------------------------- */

static void put_real_field(struct json_writer *w, const char *key, double d)
{
    if (!isfinite(d))
        return;
    json_field_real(w, key, d);
}

static void put_statistics(struct verdict *v)
{
    struct cells c;
    json_field_object(&v->w, "statistics");
    if (first_row(v, "sample", &c)) {
        json_field_int(&v->w, "rows", cells_count(&c, "n_rows"));
        if (v->request->parts.group.len)
            json_field_int(&v->w, "groups", cells_count(&c, "n_groups"));
    }
    if (first_row(v, "outliers", &c))
        json_field_int(&v->w, "outliers", cells_count(&c, "outliers"));
    if (first_row(v, "difference", &c) && !v->too_small) {
        put_real_field(&v->w, "correlation", cells_real(&c, "r"));
        put_real_field(&v->w, "chiSquare", cells_real(&c, "chi_square"));
        if (v->request->parts.kind == MEASURE_VALUE)
            put_real_field(&v->w, "pValue", p_of_variance(&c));
    }
    json_put_object_end(&v->w);
}

static const char *confidence_of(const struct verdict *v)
{
    return v->failed ? "low" : v->warned || v->checks < 3 ? "medium" : "high";
}

void validation_put(struct buf *out, const struct validation_request *request,
                    const struct explorer_call *call)
{
    struct verdict v = {.request = request, .call = call};
    json_writer_init(&v.w, out);
    json_put_object(&v.w);
    json_field_str(&v.w, "finding", request->finding);
    json_field_array(&v.w, "checks");
    check_result_rows(&v);
    check_sample(&v);
    check_outliers(&v);
    check_difference(&v);
    check_strata(&v);
    check_cause(&v);
    json_put_array_end(&v.w);
    json_field_bool(&v.w, "passed", v.checks > 0 && !v.failed);
    json_field_text(&v.w, "confidence", confidence_of(&v));
    put_statistics(&v);
    if (!cells_of_query(call, "sample"))
        json_field_text(&v.w, "note",
                        "The query could not be taken apart: only its result "
                        "was checked. A plain SELECT … FROM … GROUP BY can be "
                        "checked in full.");
    json_put_object_end(&v.w);
}
