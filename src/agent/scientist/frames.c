/* frames.c - see frames.h.
 *
 *   frames_begin -> frame_due -> frame_read -> frame_due … */
#include "frames.h"
#include "db/source.h"
#include "ontology/columns.h"
#include "programs.h"
#include "summary.h"
#include "base/banned.h"

static struct next frame_due(struct flow *f), frame_read(struct flow *f);

/* Whole files also have what the model hides. */
struct str frames_of_files(const struct run *r)
{
    return r->ontology->model->hides ? STR("") : source_tables(r->tools.source);
}

/* ---- reading ------------------------------------------------------------ */

struct next frames_begin(struct flow *f)
{
    struct data_frames *d = locals(f, struct data_frames);
    if (frames_of_files(d->run).len)
        return back(f);
    size_t n = scientist_of(d->run)->summary->n;
    d->context = d->run->tools;
    if (n && d->context.sql_max_bytes > FRAMES_BYTES / n)
        d->context.sql_max_bytes = FRAMES_BYTES / n;
    d->at = 0;
    return go(f, frame_due);
}

static const struct summary_table *table_of(const struct data_frames *d)
{
    return &scientist_of(d->run)->summary->tables[d->at];
}

static struct next frame_due(struct flow *f)
{
    struct data_frames *d = locals(f, struct data_frames);
    struct run *r = d->run;
    struct buf sql;
    if (d->at == scientist_of(r)->summary->n)
        return back(f);
    const struct dataset *set =
        &r->ontology->model->datasets[table_of(d)->dataset];
    if (!set->n_fields) {
        d->at++;
        return go(f, frame_due);
    }
    buf_init(&sql, &r->scratch);
    buf_text(&sql, "select ");
    summary_put_fields(&sql, set);
    buf_printf(&sql, " from %.*s as t",
               STR_ARG(dataset_relation(&r->scratch, set)));
    d->query =
        (struct query_tool){.context = &r->tools,
                            .sql = buf_finish(&sql),
                            .max_rows = agent_settings(r->agent)->sql_max_rows,
                            .memory = &r->scratch,
                            .json_memory = &r->rows};
    return call(f, query_tool_begin, &d->query, frame_read);
}

static void take_frame(struct data_frames *d)
{
    struct arena *a = &d->run->arena;
    const struct query_tool *q = &d->query;
    size_t n = (size_t)q->n_columns, at = d->n;
    struct str *columns = arena_new_array(a, struct str, n + 1);
    struct str *types = arena_new_array(a, struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        columns[i] = arena_str(a, q->columns[i].name);
        types[i] = arena_str(a, q->columns[i].type);
    }
    d->names[at] = table_of(d)->name;
    d->cut[at] = q->more_rows || q->cut_values;
    d->rows[at] = q->n_rows;
    d->data[at] =
        (struct python_data){.name = arena_printf(a, "table_%zu", at + 1),
                             .json = q->json,
                             .columns = columns,
                             .types = types,
                             .n_columns = n};
    d->n++;
}

static struct next frame_read(struct flow *f)
{
    struct data_frames *d = locals(f, struct data_frames);
    if (d->query.failed)
        d->problem =
            arena_printf(&d->run->arena, "%.*s: %.*s",
                         STR_ARG(table_of(d)->name), STR_ARG(d->query.error));
    else
        take_frame(d);
    d->at++;
    return go(f, frame_due);
}

/* ---- for the code ------------------------------------------------------- */

struct str frames_prelude(struct arena *a, const struct data_frames *d)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, a);
    buf_text(&out, program_before);
    if (!d->n)
        return buf_view(&out);
    /* JSON texts of names are Python literals, too. */
    buf_text(&out, "\n_give_tables({");
    for (size_t i = 0; i < d->n; i++) {
        json_writer_init(&w, &out);
        json_put_str(&w, d->names[i]);
        buf_printf(&out, ": %.*s, ", STR_ARG(d->data[i].name));
    }
    buf_text(&out, "})\n");
    return buf_view(&out);
}

struct str frames_notes(struct arena *a, const struct data_frames *d)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < d->n; i++)
        if (d->cut[i])
            buf_printf(&out,
                       "%s%.*s was cut: only its first %lld rows were read, "
                       "so figures are of these rows alone.",
                       out.len ? " " : "", STR_ARG(d->names[i]),
                       (long long)d->rows[i]);
    if (d->problem.len)
        buf_printf(&out, "%sA table could not be read. %.*s",
                   out.len ? " " : "", STR_ARG(d->problem));
    return buf_view(&out);
}
