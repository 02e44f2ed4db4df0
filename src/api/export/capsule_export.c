/* capsule_export.c - sends the rows that are kept of a run as a file.
 *
 *   runs_export -> capsule_found -> (capsule_file.h) -> capsule_written */
#include "../request.h"
#include "capsule_file.h"
#include "loop/wait.h"
#include "store/capsules.h"
#include "base/banned.h"

struct capsule_export {
    struct capsule_read capsule;
    struct capsule_file file;
    struct work writing;
};

static struct next capsule_found(struct flow *f),
    capsule_written(struct flow *f);

struct next runs_export(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct capsule_export *e = keep(f, struct capsule_export);
    struct str format = STR("csv");
    q->state = e;
    e->capsule.store = request_store(q);
    e->capsule.user_id = q->user.id;
    e->capsule.run_id = request_param(q, "id");
    http_get_query(q->x, "format", &format);
    e->file.sheet = str_is(format, "xlsx");
    if (!e->file.sheet && !str_is(format, "csv"))
        request_invalid(q, "format", "must be csv or xlsx");
    if (request_refused(q))
        return back(f);
    if (!uuid_valid(e->capsule.run_id))
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    return call(f, capsule_read_begin, &e->capsule, capsule_found);
}

static struct next capsule_found(struct flow *f)
{
    struct capsule_export *e = REQUEST(f)->state;
    if (!e->capsule.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    if (str_is(e->capsule.status, "running"))
        return reply_refusal(f, ERR_CONFLICT, "The run has not ended.");
    e->file.result = capsule_result(e->capsule.query);
    buf_init(&e->file.out, NULL);
    defer(f, capsule_file_done, &e->file);
    work_begin(f, &e->writing, capsule_file_job, &e->file);
    return await(f, capsule_written);
}

static struct next capsule_written(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct capsule_export *e = q->state;
    const struct str result = e->file.result;
    if (!e->file.made)
        return reply_refusal(f, ERR_NOT_FOUND, "The run has no rows.");
    http_set_header(
        q->x, "Content-Disposition",
        arena_printf(&q->memory, "attachment; filename=\"%.8s-result.%s\"",
                     e->capsule.run_id.ptr, e->file.sheet ? "xlsx" : "csv"));
    http_set_header(q->x, "Cache-Control", STR("private, no-store"));
    if (capsule_result_is_cut(result))
        http_set_header(q->x, "X-Rows-Cut", STR("true"));
    reply_bytes(q,
                e->file.sheet ? "application/vnd.openxmlformats-officedocument."
                                "spreadsheetml.sheet"
                              : "text/csv; charset=utf-8; header=present",
                buf_view(&e->file.out));
    return back(f);
}
