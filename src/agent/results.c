/* results.c - results of tools as artifacts of the run; see agent/results.h. */
#include "agent/results.h"
#include "base/banned.h"

struct sql_result *run_sql_result(struct run *r, const struct query_tool *q,
                                  struct str sql)
{
    struct arena *a = &r->arena;
    size_t n = (size_t)q->n_columns;
    struct sql_result *out = arena_new(a, struct sql_result);
    *out = (struct sql_result){.row_count = q->n_rows,
                               .truncated = q->more_rows,
                               .values_cut = q->cut_values,
                               .elapsed_ms = q->elapsed_ms,
                               .sql = sql,
                               .aggregated = q->aggregated,
                               .columns = arena_new_array(a, struct str, n + 1),
                               .n_columns = n,
                               .column_types =
                                   arena_new_array(a, struct str, n + 1),
                               .n_column_types = n,
                               .data = q->json_first};
    for (size_t i = 0; i < n; i++) {
        out->columns[i] = arena_str(a, q->columns[i].name);
        out->column_types[i] = arena_str(a, q->columns[i].type);
    }
    return out;
}

/* Copies strings that are in memory with a shorter life than the run's. */
struct python_result *run_python_result(struct run *r,
                                        const struct python_tool *p)
{
    struct arena *a = &r->arena;
    struct python_result *out = arena_new(a, struct python_result);
    bool copy = p->memory != a;
    *out = (struct python_result){.code = p->code,
                                  .out = p->out,
                                  .err = p->err,
                                  .charts = p->charts,
                                  .n_charts = p->n_charts};
    if (!copy)
        return out;
    out->code = arena_str(a, p->code);
    out->out = arena_str(a, p->out);
    out->err = arena_str(a, p->err);
    out->charts = arena_new_array(a, struct str, p->n_charts + 1);
    for (size_t i = 0; i < p->n_charts; i++)
        out->charts[i] = arena_str(a, p->charts[i]);
    return out;
}

struct python_data *run_frames_of_results(struct arena *arena, struct run *r,
                                          const struct step_result *current,
                                          size_t *n)
{
    size_t steps = r->results ? r->results->n_results : 0;
    struct python_data *data =
        arena_new_array(arena, struct python_data, steps + 2);
    *n = 0;
    for (size_t i = 0; i < steps; i++) {
        const struct step_result *s = &r->results->results[i];
        if (!s->sql_result)
            continue;
        struct python_data one = {.name = arena_printf(arena, "step_%lld_data",
                                                       (long long)s->step_id),
                                  .json = r->full_data[i],
                                  .columns = s->sql_result->columns,
                                  .types = s->sql_result->column_types,
                                  .n_columns = s->sql_result->n_columns};
        data[(*n)++] = one;
        if (s == current) {
            one.name = STR("current_data");
            data[(*n)++] = one;
        }
    }
    return data;
}

/* ---- records ------------------------------------------------------------ */

void run_record_artifact(struct run *r, const char *name,
                         const struct artifact_type *type, const void *artifact,
                         bool emit)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct str json = artifact_json(&scratch, type, artifact);
    if (emit)
        run_emit_artifact(r, r->phase, artifact_bare(type, json));
    journal_artifact(r->log, name, json);
    arena_done(&scratch);
}

size_t run_count_charts(const struct run *r)
{
    size_t n = 0;
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        if (r->results->results[i].python_result)
            n += r->results->results[i].python_result->n_charts;
    return n;
}
