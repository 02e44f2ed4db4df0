/* survey_read.c - see survey_read.h.
 *
 *   survey_read_begin -> dataset_due -> times_read -> values_read
 *                             \__________________________/  | all seen
 *                                                           v
 *                                          search_due -> search_read
 *                                               \____________/ | all searched
 *
 * The texts are made in one step at the end, because another run may replace
 * what was seen between two steps. */
#include "survey_read.h"
#include "base/clock.h"
#include "context.h"
#include "llm/provider.h"
#include "base/banned.h"

static struct next dataset_due(struct flow *f), times_read(struct flow *f),
    values_read(struct flow *f), search_due(struct flow *f),
    search_read(struct flow *f);

static struct survey *survey_here(const struct survey_read *s)
{
    return &s->run->ontology->survey;
}

static const struct ontology *model_of(const struct survey_read *s)
{
    return s->run->ontology->model;
}

/* Rows that must have a value before it may be shown. */
static int64_t least_rows(const struct survey_read *s)
{
    return s->run->tools.share_rows == SHARE_ALL ? 1 : SURVEY_GROUP;
}

static bool time_is_left(const struct survey_read *s)
{
    return !s->gone && clock_ms() - s->started_ms < SURVEY_ALL_MS;
}

/* A query that is refused or too slow says nothing about the next one. */
static void note_failure(struct survey_read *s)
{
    const struct query_tool *q = &s->query;
    s->gone = s->gone || (q->failed && q->why != ERR_SQL_REFUSED &&
                          q->why != ERR_SQL_FAILED && q->why != ERR_TIMEOUT);
    s->seen.failed = s->seen.failed || q->failed;
}

/* ---- one query ---------------------------------------------------------- */

/* A query that is empty, or for which no time is left, gives no rows. */
#define look(f, sql, rows, then) look_then(f, sql, rows, then, #then)
static struct next look_then(struct flow *f, struct str sql, int rows,
                             step_fn *then, const char *then_name)
{
    struct survey_read *s = locals(f, struct survey_read);
    bool late = !time_is_left(s);
    s->query = (struct query_tool){.context = &s->context,
                                   .failed = late,
                                   .sql = sql,
                                   .max_rows = rows,
                                   .memory = &s->run->scratch};
    if (!sql.len || late)
        return flow_go(f, then, then_name);
    return flow_call(f, query_tool_begin, "query_tool_begin", &s->query, then,
                     then_name, NULL, NULL);
}

static bool is_looked_at(const size_t *datasets, size_t n, size_t dataset)
{
    for (size_t i = 0; i < n; i++)
        if (datasets[i] == dataset)
            return true;
    return false;
}

/* The city of "guests in Lisbon" is in the hotels, which no word names. First
 * come the datasets that those given refer to, then those that refer to them. */
static void add_neighbours(struct survey_read *s)
{
    const struct ontology *o = model_of(s);
    size_t *all =
        arena_new_array(&s->run->scratch, size_t, SURVEY_DATASETS + 1);
    for (size_t i = 0; i < s->n_given; i++)
        all[i] = s->datasets[i];
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0;
             i < o->n_relationships && s->n_datasets < SURVEY_DATASETS; i++) {
            const struct relationship *r = &o->relationships[i];
            size_t near = turn ? r->to : r->from, far = turn ? r->from : r->to;
            if (is_looked_at(all, s->n_given, near) &&
                !is_looked_at(all, s->n_datasets, far))
                all[s->n_datasets++] = far;
        }
    s->datasets = all;
}

struct next survey_read_begin(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    bool read = s->for_people || !s->run->provider->model.provider->local;
    if (!read || s->run->tools.share_rows == SHARE_NONE)
        return back(f);
    if (s->n_datasets > SURVEY_DATASETS)
        s->n_datasets = SURVEY_DATASETS;
    s->n_given = s->n_datasets;
    if (s->widens)
        add_neighbours(s);
    s->started_ms = clock_ms();
    s->context = s->run->tools;
    if (s->context.sql_timeout_ms > SURVEY_QUERY_MS)
        s->context.sql_timeout_ms = SURVEY_QUERY_MS;
    survey_words_of(s->run->load.question, &s->words);
    survey_words_mark(&s->words, model_of(s), s->datasets, s->n_datasets);
    return go(f, dataset_due);
}

/* ---- datasets that no run has looked at for a while --------------------- */

static bool is_fresh(const struct surveyed_dataset *d)
{
    uint64_t kept = d && d->failed ? SURVEY_FAILED_MS : SURVEY_KEPT_MS;
    return d && clock_ms() - d->at_ms < kept;
}

static struct next dataset_due(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    while (s->at < s->n_datasets &&
           is_fresh(survey_of(survey_here(s), s->datasets[s->at])))
        s->at++;
    if (s->at == s->n_datasets || !time_is_left(s)) {
        s->at = 0;
        return go(f, search_due);
    }
    s->seen = (struct surveyed_dataset){0};
    return look(f,
                survey_times_sql(&s->run->scratch, model_of(s),
                                 s->datasets[s->at], &s->seen),
                1, times_read);
}

static struct next times_read(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    note_failure(s);
    s->times = s->query.cells;
    s->n_times = s->query.n_rows ? s->query.n_columns : 0;
    return look(f,
                survey_values_sql(&s->run->scratch, model_of(s),
                                  s->datasets[s->at], &s->seen),
                SURVEY_FIELDS * (SURVEY_VALUES + 1) + 1, values_read);
}

static struct next values_read(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    const struct query_tool *q = &s->query;
    note_failure(s);
    struct surveyed_dataset *d = survey_begin_dataset(
        survey_here(s), model_of(s), s->datasets[s->at], &s->seen, clock_ms());
    survey_keep_times(d, s->times, s->n_times);
    survey_keep_values(d, q->cells, q->n_rows, q->n_columns);
    survey_end_dataset(survey_here(s), d);
    s->at++;
    return go(f, dataset_due);
}

/* ---- values that only a search finds ------------------------------------ */

static void put_texts(struct flow *f);

static struct next search_due(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    struct str sql = STR("");
    while (s->at < s->n_datasets && !sql.len && time_is_left(s)) {
        const struct surveyed_dataset *d =
            survey_of(survey_here(s), s->datasets[s->at]);
        if (d && !d->failed) {
            s->seen = *d; /* the numbers of its fields; not the values */
            sql = survey_search_sql(&s->run->scratch, model_of(s),
                                    s->datasets[s->at], d, &s->words);
        }
        s->at += !sql.len;
    }
    if (sql.len)
        return look(f, sql, SURVEY_FIELDS * SURVEY_FOUND, search_read);
    put_texts(f);
    return back(f);
}

static void keep_found(struct survey_read *s, const struct str *cell)
{
    int64_t field, rows;
    if (!str_to_int64(cell[0], &field) || !str_to_int64(cell[2], &rows) ||
        field < 0 || (size_t)field >= s->seen.n_fields)
        return;
    struct survey_found *x = arena_new(&s->run->scratch, struct survey_found);
    *x = (struct survey_found){s->datasets[s->at], s->seen.fields[field].field,
                               cell[1], rows, s->found};
    s->found = x;
}

static struct next search_read(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    const struct query_tool *q = &s->query;
    note_failure(s);
    for (int i = 0; q->n_columns == 3 && i < q->n_rows; i++)
        keep_found(s, &q->cells[3 * i]);
    s->at++;
    return go(f, search_due);
}

/* ---- the texts ---------------------------------------------------------- */

static void put_values(struct survey_read *s, struct buf *out)
{
    int64_t least = least_rows(s);
    value_hints_begin(&s->hints);
    for (const struct survey_found *x = s->found; x; x = x->next)
        if (x->rows >= least)
            value_hints_offer(&s->hints, &s->words, x->dataset, x->field,
                              x->text);
    for (size_t i = 0; i < s->n_datasets; i++) {
        const struct surveyed_dataset *d =
            survey_of(survey_here(s), s->datasets[i]);
        if (d)
            value_hints_offer_all(&s->hints, &s->words, s->datasets[i], d,
                                  least);
    }
    survey_put_hints(model_of(s), &s->hints, out);
}

static bool has_hint(const struct survey_read *s, size_t dataset)
{
    for (size_t i = 0; i < s->hints.n; i++)
        if (s->hints.items[i].dataset == dataset)
            return true;
    return false;
}

/* The texts grow in the frame's memory, which is freed next. */
static void put_texts(struct flow *f)
{
    struct survey_read *s = locals(f, struct survey_read);
    struct buf dates, values;
    buf_init(&dates, flow_here(f));
    buf_init(&values, flow_here(f));
    put_values(s, &values);
    for (size_t i = 0; i < s->n_datasets; i++) {
        const struct surveyed_dataset *d =
            survey_of(survey_here(s), s->datasets[i]);
        if (!d || (i >= s->n_given && !has_hint(s, s->datasets[i])))
            continue;
        if (i >= s->n_given)
            discovery_add(s->run, s->datasets[i]);
        survey_put_times(model_of(s), s->datasets[i], d, &dates);
        survey_put_few(model_of(s), s->datasets[i], d, least_rows(s), &values);
    }
    s->dates = context_lines(s->memory, str_trim(buf_view(&dates)));
    s->values = context_lines(s->memory, str_trim(buf_view(&values)));
}
