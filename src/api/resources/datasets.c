/* datasets.c - datasets: listed, shown, removed and restored. uploads.c adds
 * them; the store calls them file sets. */
#include "../request.h"
#include "dataset_schema.h"
#include "loop/wait.h"
#include "store/file_sets.h"
#include "base/banned.h"

enum { PAGE_MOST = 100 };

static const char dataset_missing[] = "Dataset not found";

struct dataset_work {
    struct file_set_page page;
    struct file_list files;
    struct removal remove;
    struct file_set_restore restore;
    struct work writing;
    struct dataset_schema schema;
};

static struct next datasets_found(struct flow *f),
    dataset_found(struct flow *f), schema_set_found(struct flow *f),
    schema_files_found(struct flow *f), schema_written(struct flow *f),
    dataset_remove_due(struct flow *f), dataset_removed(struct flow *f),
    dataset_restored(struct flow *f);

static struct dataset_work *dataset_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = keep(f, struct dataset_work);
    x->page.store = x->files.store = x->remove.store = x->restore.store =
        request_store(q);
    x->page.user_id = x->remove.user_id = x->restore.user_id = q->user.id;
    x->remove.request_id = x->restore.request_id = q->x->request_id;
    x->page.all = x->restore.all = request_may(q, MAY_ADMIN);
    x->page.page = x->page.page_size = 1;
    q->state = x;
    return x;
}

/* ---- GET /datasets, /:id ------------------------------------------------- */

struct next datasets_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct file_set_page *p = &dataset_work_new(f)->page;
    if (!request_paging(q, &p->page, &p->page_size, PAGE_MOST))
        return back(f);
    return call(f, file_set_page_begin, p, datasets_found);
}

static struct next datasets_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct file_set_page *p = &((struct dataset_work *)q->state)->page;
    struct api_reply r;
    reply_open_bare(q, &r);
    json_field_array(&r.w, "datasets");
    for (int i = 0; i < p->query->n_rows; i++) {
        json_put_object(&r.w);
        file_set_write(&r.w, p->query, i);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    json_field_int(&r.w, "total", p->total);
    reply_send(q, &r, 200);
    return back(f);
}

struct next datasets_get(struct flow *f)
{
    struct dataset_work *x = dataset_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.set_id))
        return back(f);
    return call(f, file_set_page_begin, &x->page, dataset_found);
}

static struct next dataset_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct dataset_work *x = q->state;
    struct api_reply r;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, dataset_missing);
    reply_open_bare(q, &r);
    file_set_write(&r.w, x->page.query, 0);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- GET /datasets/:id/schema -------------------------------------------- */

struct next datasets_schema(struct flow *f)
{
    struct dataset_work *x = dataset_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.set_id))
        return back(f);
    return call(f, file_set_page_begin, &x->page, schema_set_found);
}

static struct next schema_set_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, dataset_missing);
    x->files.set_id = x->page.set_id;
    return call(f, file_list_begin, &x->files, schema_files_found);
}

static struct next schema_files_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = q->state;
    x->schema.set_id = x->page.set_id;
    x->schema.files = x->files.files;
    x->schema.n_files = x->files.n;
    buf_init(&x->schema.out, NULL);
    defer(f, dataset_schema_done, &x->schema);
    work_begin(f, &x->writing, dataset_schema_job, &x->schema);
    return await(f, schema_written);
}

static struct next schema_written(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct dataset_work *x = q->state;
    struct api_reply r;
    reply_open_bare(q, &r);
    buf_str(&r.out, buf_view(&x->schema.out));
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- DELETE /datasets/:id ------------------------------------------------ */

struct next datasets_remove(struct flow *f)
{
    struct dataset_work *x = dataset_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.set_id))
        return back(f);
    return call(f, file_set_page_begin, &x->page, dataset_remove_due);
}

static struct next dataset_remove_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = q->state;
    if (!request_for_owner(q, x->page.query->n_rows > 0, x->page.owner_id,
                           dataset_missing))
        return back(f);
    x->remove.what = REMOVED_FILE_SET;
    x->remove.id = x->page.set_id;
    return call(f, removal_begin, &x->remove, dataset_removed);
}

static struct next dataset_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct dataset_work *x = q->state;
    if (request_removed(q, &x->remove, dataset_missing))
        reply_empty(q, 204);
    return back(f);
}

/* ---- POST /datasets/:id/restore ------------------------------------------ */

struct next datasets_restore(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = dataset_work_new(f);
    if (!request_uuid(q, "id", &x->restore.set_id))
        return back(f);
    return call(f, file_set_restore_begin, &x->restore, dataset_restored);
}

static struct next dataset_restored(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct dataset_work *x = q->state;
    if (!x->restore.found)
        return reply_refusal(f, ERR_NOT_FOUND, dataset_missing);
    x->page.set_id = x->restore.set_id;
    return call(f, file_set_page_begin, &x->page, dataset_found);
}
