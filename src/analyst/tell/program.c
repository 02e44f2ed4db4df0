/* program.c - the Python programs with their configuration as JSON: what
 * the result must look like, and what to draw. */
#include "analysis.h"
#include "lookup.h"
#include "base/json.h"
#include "read/calendar.h"
#include "sql/compose.h"
#include "data_frame.h"
#include "programs.h"
#include "bind/why.h"
#include "base/banned.h"

/* A Python string literal that holds the JSON. Backticks are escaped, so
 * that the code can be shown inside a Markdown fence. */
static void put_literal(struct buf *out, struct str json)
{
    struct buf quoted;
    buf_init(&quoted, out->arena);
    json_quote(&quoted, json);
    struct str text = buf_view(&quoted);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '`')
            buf_text(out, "\\u0060");
        else
            buf_char(out, text.ptr[i]);
    }
}

static struct str program_text(struct arena *arena, struct str config,
                               const char *code)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, "import json\n\nCONFIG = json.loads(");
    put_literal(&out, config);
    buf_text(&out, ")\n\n");
    buf_text(&out, code);
    return buf_view(&out);
}

static void put_dimensions(struct json_writer *w,
                           const struct bound_query *query, bool beside)
{
    json_put_key(w, "dimensions");
    json_put_array(w);
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (beside || !query->dimensions[i].beside)
            json_put_str(w, query->dimensions[i].name);
    json_put_array_end(w);
}

enum measure_choice { ALL_MEASURES, ADDING_MEASURES, COUNTING_MEASURES };

static void put_measures(struct json_writer *w, const struct bound_query *query,
                         const char *key, enum measure_choice choice)
{
    json_put_key(w, key);
    json_put_array(w);
    for (size_t i = 0; !query->question.lists && i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        if ((choice == ADDING_MEASURES && !query_has_total(query)) ||
            (choice == ADDING_MEASURES && !m->adds) ||
            (choice == COUNTING_MEASURES &&
             (!m->counts || query->question.share)))
            continue;
        json_put_str(w, query_output(query, i));
    }
    json_put_array_end(w);
}

static const struct dimension *time_dimension(const struct bound_query *query)
{
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (query->dimensions[i].is_time && !query->dimensions[i].beside)
            return &query->dimensions[i];
    return NULL;
}

/* The ranges that dates of the result must be in. The first day of a period
 * may be before the window, so ranges begin with a whole period. */
static void put_ranges(struct json_writer *w, struct bound_query *query)
{
    const struct window *window = &query->question.window;
    const struct dimension *d = time_dimension(query);
    json_put_key(w, "ranges");
    json_put_array(w);
    for (size_t i = 0; d && i < window->n; i++) {
        const struct range *r = &window->ranges[i];
        int64_t from = r->from;
        struct date start = date_of_days(from);
        if (d->grain == UNIT_MONTH)
            from = days_of_date((struct date){start.year, start.month, 1});
        else if (d->grain == UNIT_QUARTER)
            from = days_of_date(
                (struct date){start.year, (start.month - 1) / 3 * 3 + 1, 1});
        else if (d->grain == UNIT_YEAR)
            from = days_of_date((struct date){start.year, 1, 1});
        else if (d->grain == UNIT_WEEK)
            from -= 6;
        json_put_array(w);
        if (r->has_from)
            json_put_str(w, date_text(query->arena, from));
        else
            json_put_null(w);
        if (r->has_to)
            json_put_str(w, date_text(query->arena, r->to));
        else
            json_put_null(w);
        json_put_array_end(w);
    }
    json_put_array_end(w);
}

static void put_time(struct json_writer *w, const struct bound_query *query)
{
    const struct dimension *d = time_dimension(query);
    if (d)
        json_field_str(w, "time_column", d->name);
    else
        json_field_null(w, "time_column");
    json_field_text(w, "grain", d && d->grain ? unit_words[d->grain] : NULL);
}

static void put_sorting(struct json_writer *w, const struct bound_query *query)
{
    const struct question *q = &query->question;
    const struct dimension *d = time_dimension(query);
    bool years = false, parted = query_is_parted(query);
    for (size_t i = 0; i < query->n_dimensions; i++)
        years = years ||
                (query->dimensions[i].is_year && !query->dimensions[i].beside);
    if (q->lists || q->sort_by_name.len || parted || !query->n_dimensions ||
        (years && !q->top.ranked)) {
        json_field_null(w, "sorted_by");
        json_field_null(w, "sorted_as");
    } else if (d && !q->top.ranked) {
        json_field_str(w, "sorted_by", d->name);
        json_field_text(w, "sorted_as", "time");
    } else {
        json_field_str(w, "sorted_by", query_output(query, 0));
        json_field_text(w, "sorted_as", q->top.lowest ? "rising" : "falling");
    }
    json_field_int(w, "top",
                   parted || !query->n_dimensions ? 0 : (int64_t)q->top.n);
    json_field_bool(w, "partial", q->top.n && query->n_dimensions);
}

static void put_values(struct json_writer *w, const struct bound_query *query)
{
    json_put_key(w, "values");
    json_put_array(w);
    for (size_t i = 0; i < query->n_conditions; i++)
        for (size_t j = 0; j < query->conditions[i].n_searches; j++)
            if (!query->conditions[i].searches[j].known)
                json_put_str(w, query->conditions[i].searches[j].value);
    json_put_array_end(w);
}

/* The steps of breakdowns, each of which must add up to step 2. */
static void put_parts(struct json_writer *w, const struct why *why)
{
    json_put_key(w, "parts");
    json_put_array(w);
    for (size_t i = 0; why && i < why->n_parts; i++)
        json_put_int(w, (int64_t)i + 3);
    json_put_array_end(w);
}

static struct str check_config(struct arena *arena, struct bound_query *query,
                               const struct why *why,
                               const struct step_results *results)
{
    struct step_ids ids = step_ids_of(query);
    if (why)
        ids = (struct step_ids){.answer = 1};
    const struct step_result *answer = result_of_step(results, ids.answer);
    bool things = false;
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_dimensions(&w, query, true);
    put_measures(&w, query, "measures", ALL_MEASURES);
    put_measures(&w, query, "adding", ADDING_MEASURES);
    put_measures(&w, query, "counts", COUNTING_MEASURES);
    if (query->question.lists)
        json_field_str(&w, "listed", query->measures[0].formula.name);
    else
        json_field_null(&w, "listed");
    json_put_key(&w, "shares");
    json_put_array(&w);
    if (query->question.share)
        json_put_str(&w, query_output(query, 0));
    json_put_array_end(&w);
    put_time(&w, query);
    put_ranges(&w, query);
    put_sorting(&w, query);
    put_values(&w, query);
    put_parts(&w, why);
    struct data_frame lookup = data_frame_read(arena, results, ids.lookup);
    json_field_str(&w, "problem", lookup_problem(query, &lookup));
    struct data_frame absent = data_frame_read(arena, results, ids.absent);
    json_field_str(&w, "absent", absent_problem(query, &absent));
    struct data_frame periods = data_frame_read(arena, results, ids.periods);
    json_field_str(&w, "outside", period_problem(query, &periods));
    for (size_t i = 0; i < query->n_dimensions; i++)
        things = things || query->dimensions[i].things;
    json_field_bool(&w, "things", things);
    json_field_int(&w, "total_step", ids.total);
    json_field_int(&w, "keys_step", ids.keys);
    json_field_int(&w, "lookup_step", ids.lookup);
    json_field_int(&w, "absent_step", ids.absent);
    json_field_bool(&w, "period_looked_up", periods.n_rows > 0);
    json_field_bool(&w, "truncated",
                    answer && answer->sql_result &&
                        answer->sql_result->truncated);
    json_field_str(&w, "error", answer ? answer->error : STR(""));
    json_put_object_end(&w);
    return buf_view(&out);
}

struct str analyst_verification(struct arena *arena,
                                const struct analyst_context *context,
                                const struct plan *plan,
                                const struct step_results *results)
{
    struct analysis analysis;
    analysis_make(arena, context, &analysis);
    if (analysis.kind != ANALYSIS_DATA || !plan->n_steps)
        return STR("");
    return program_text(
        arena, check_config(arena, analysis.query, analysis.why, results),
        program_check);
}

static struct str chart_config(struct arena *arena,
                               const struct bound_query *query,
                               const struct why *why)
{
    struct buf out;
    struct json_writer w;
    enum chart chart = query->question.chart;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_dimensions(&w, query, false);
    put_measures(&w, query, "measures", ALL_MEASURES);
    json_put_key(&w, "labels");
    json_put_object(&w);
    for (size_t i = 0; i < query->n_measures; i++) {
        json_put_key_str(&w, query_output(query, i));
        json_put_str(&w, query->question.share
                             ? measures_words(query)
                             : query->measures[i].formula.words);
    }
    json_put_object_end(&w);
    put_time(&w, query);
    json_field_bool(&w, "bars",
                    (chart == CHART_BAR && !time_dimension(query)) ||
                        query->question.top.ranked);
    json_field_str(&w, "title", query_words(query));
    /* Sides of very different size are drawn relative to their averages. */
    json_field_bool(&w, "indexed", why && why->sided);
    json_put_object_end(&w);
    return buf_view(&out);
}

struct str analyst_python(struct arena *arena,
                          const struct analyst_context *context,
                          const struct plan *plan, const struct plan_step *step)
{
    struct analysis analysis;
    analysis_make(arena, context, &analysis);
    if (analysis.kind != ANALYSIS_DATA || !plan->n_steps)
        return STR("");
    int64_t chart = analysis.why ? why_chart_step(analysis.why)
                                 : step_ids_of(analysis.query).chart;
    if (step->id != chart)
        return STR("");
    return program_text(arena,
                        chart_config(arena, analysis.query, analysis.why),
                        program_chart);
}
