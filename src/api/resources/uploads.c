/* uploads.c - POST /datasets: takes files as they come, stores them, and has
 * their tables found.
 *
 *   datasets_create -> receive_begin: the body, piece by piece, to the intake
 *   -> received -> the sandbox looks for tables -> tables_found -> answer
 *
 * What fails on the way deletes what was stored, and then answers. The body may
 * be much larger than the memory of a request: it is never held. */
#include "../request.h"
#include "agent/file_model.h"
#include "base/utf8.h"
#include "net/body_stream.h"
#include "net/multipart.h"
#include "store/file_sets.h"
#include "tool/file_intake.h"
#include "base/banned.h"

enum {
    UPLOAD_MS = 3600 * 1000,  /* of the whole request */
    FORM_BYTES = 1024 * 1024, /* of a form besides its files */
    NAME_MOST = 255,
    DESCRIPTION_MOST = 2000,
    FIELD_BYTES = 4 * DESCRIPTION_MOST,
};

/* Where the bytes of the current part go. */
enum upload_part { PART_IGNORED, PART_FILE, PART_NAME, PART_DESCRIPTION };

struct upload {
    struct file_intake intake;
    struct file_model model;
    struct file_set_page page;
    struct wait wait;
    struct multipart form;
    bool is_form, form_ended;
    bool begun; /* the file of a body that is no form */
    enum upload_part part;
    struct str pending; /* of a file: bytes for the next chunk */
    char name[FIELD_BYTES], description[FIELD_BYTES];
    size_t name_len, description_len;
    int64_t bytes_most, bytes; /* of the body */
    enum err why;
    struct str text;
};

static struct next receive_begin(struct flow *f), receive_due(struct flow *f),
    chunk_due(struct flow *f), form_due(struct flow *f),
    raw_due(struct flow *f), raw_begun(struct flow *f),
    raw_over(struct flow *f), file_over(struct flow *f),
    received(struct flow *f), tables_found(struct flow *f),
    dataset_modeled(struct flow *f), upload_settled(struct flow *f),
    upload_failed(struct flow *f), upload_dropped(struct flow *f),
    upload_not_dropped(struct flow *f);

#define UPLOAD(q) ((struct upload *)(q)->state)

/* ---- the head ------------------------------------------------------------ */

/* What the form's files may have together, or the only file. */
static int64_t most_bytes(const struct upload *u)
{
    const struct file_limits *l = &u->intake.limits;
    if (!u->is_form)
        return l->file_bytes;
    int64_t all = l->file_bytes * l->files;
    return (all < l->user_bytes ? all : l->user_bytes) + FORM_BYTES;
}

static bool refuse(struct request *q, enum err e, const char *message)
{
    reply_error(q, e, message);
    return false;
}

static bool read_type(struct request *q, struct upload *u)
{
    struct str type = http_get_header(q->x, "Content-Type"), name;
    struct str coding = http_get_header(q->x, "Content-Encoding");
    if (coding.len && !str_eq_nocase(coding, STR("identity")))
        return refuse(q, ERR_MEDIA_TYPE, "The body must not be compressed.");
    if (str_starts(type, STR("multipart/"))) {
        u->is_form = true;
        return multipart_init(&u->form, type) ||
               refuse(q, ERR_VALIDATION,
                      "The body must be multipart/form-data with a boundary.");
    }
    if (!http_get_query(q->x, "name", &name))
        return refuse(q, ERR_MEDIA_TYPE,
                      "Send a form (multipart/form-data) with files, or a file "
                      "as the body with its name in ?name=orders.csv.");
    const char *wrong = intake_name(&q->memory, name, &u->intake.filename);
    return !wrong || refuse(q, ERR_VALIDATION, wrong);
}

/* Refuses what the head alone shows to be wrong, before the body is read. */
static bool read_head(struct request *q, struct upload *u)
{
    if (u->intake.sandbox->off)
        return refuse(q, ERR_SANDBOX_UNAVAILABLE,
                      "Files need the sandbox, which is disabled.");
    if (!read_type(q, u))
        return false;
    u->bytes_most = most_bytes(u);
    if (body_stream_length(q->x) > u->bytes_most)
        return refuse(q, ERR_TOO_LARGE,
                      arena_printf(&q->memory,
                                   "The body has more than %lld bytes.",
                                   (long long)u->bytes_most)
                          .ptr);
    return true;
}

struct next datasets_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    struct upload *u = q->state = keep(f, struct upload);
    u->intake = (struct file_intake){.store = request_store(q),
                                     .sandbox = &s->sandbox,
                                     .limits = s->file_limits,
                                     .owner_id = q->user.id,
                                     .request_id = q->x->request_id};
    if (!read_head(q, u))
        return back(f);
    flow_deadline(f, UPLOAD_MS);
    return attempt(f, receive_begin, q, received, upload_failed);
}

/* ---- the body ------------------------------------------------------------ */

static struct next receive_begin(struct flow *f)
{
    return go(f, receive_due);
}

static struct next body_broken(struct flow *f, struct str why, enum err how)
{
    return fail_with(f, how, why);
}

static struct next body_over(struct flow *f, const struct upload *u)
{
    if (u->is_form && !u->form_ended)
        return fail_because(f, ERR_VALIDATION,
                            "The form ended before it was complete.");
    if (!u->intake.n_files)
        return fail_because(f, ERR_VALIDATION, "There is no file in the body.");
    if (u->is_form)
        return back(f);
    return call(f, intake_end_begin, &UPLOAD(REQUEST(f))->intake, raw_over);
}

static struct next raw_over(struct flow *f)
{
    return back(f);
}

static struct next receive_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct upload *u = q->state;
    struct str why;
    if (intake_is_full(&u->intake))
        return call(f, intake_flush_begin, &u->intake, chunk_due);
    if (body_stream_bytes(q->x).len)
        return u->is_form ? go(f, form_due) : go(f, raw_due);
    enum err how = body_stream_broken(q->x, &why);
    if (how != OK)
        return body_broken(f, why, how);
    if (body_stream_is_whole(q->x))
        return body_over(f, u);
    body_stream_wait(f, &u->wait, q->x);
    return await(f, receive_due);
}

/* The chunk has room again: first for what was left over. */
static struct next chunk_due(struct flow *f)
{
    struct upload *u = UPLOAD(REQUEST(f));
    u->pending = intake_take(&u->intake, u->pending);
    return go(f, receive_due);
}

/* Whether the body has become too large, with n more bytes. */
static bool is_too_large(struct upload *u, size_t n)
{
    u->bytes += (int64_t)n;
    return u->bytes > u->bytes_most;
}

static struct next too_large(struct flow *f, const struct upload *u)
{
    return fail_because(f, ERR_TOO_LARGE, "The body has more than %lld bytes.",
                        (long long)u->bytes_most);
}

/* ---- a file as the body -------------------------------------------------- */

static struct next raw_due(struct flow *f)
{
    struct upload *u = UPLOAD(REQUEST(f));
    if (u->begun)
        return go(f, raw_begun);
    u->begun = true;
    return call(f, intake_file_begin, &u->intake, raw_begun);
}

static struct next raw_begun(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct upload *u = q->state;
    struct str bytes = body_stream_bytes(q->x);
    size_t taken = bytes.len - intake_take(&u->intake, bytes).len;
    body_stream_take(q->x, taken);
    return is_too_large(u, taken) ? too_large(f, u) : go(f, receive_due);
}

/* ---- a form -------------------------------------------------------------- */

static void take_field(char *field, size_t *len, struct str bytes)
{
    for (size_t i = 0; i < bytes.len && *len < FIELD_BYTES; i++)
        field[(*len)++] = bytes.ptr[i];
}

/* An input of a browser's form without a file has an empty name. */
static struct next part_begins(struct flow *f, struct upload *u)
{
    const struct multipart_part *p = &u->form.part;
    u->part = PART_IGNORED;
    if (!p->has_filename && str_is(p->name, "name"))
        u->part = PART_NAME;
    if (!p->has_filename && str_is(p->name, "description"))
        u->part = PART_DESCRIPTION;
    if (!p->has_filename || !p->filename.len)
        return go(f, form_due);
    const char *wrong =
        intake_name(flow_keep(f), p->filename, &u->intake.filename);
    if (wrong)
        return fail_because(f, ERR_VALIDATION, "%s", wrong);
    u->part = PART_FILE;
    return call(f, intake_file_begin, &u->intake, form_due);
}

static void take_data(struct upload *u)
{
    if (u->part == PART_FILE)
        u->pending = intake_take(&u->intake, u->form.data);
    else if (u->part == PART_NAME)
        take_field(u->name, &u->name_len, u->form.data);
    else if (u->part == PART_DESCRIPTION)
        take_field(u->description, &u->description_len, u->form.data);
}

/* Reads up to the next event, and no more bytes than the chunk has room for: so
 * nothing of the body is left over when it is full but what the form's reader
 * holds. */
static enum multipart_event read_form(struct request *q, struct upload *u)
{
    struct str bytes = body_stream_bytes(q->x);
    bytes = str_cut(bytes, 0, intake_room(&u->intake));
    size_t before = bytes.len;
    enum multipart_event event = multipart_feed(&u->form, &bytes);
    if (event == MULTIPART_DATA)
        take_data(u);
    body_stream_take(q->x, before - bytes.len);
    u->bytes += (int64_t)(before - bytes.len);
    return event;
}

/* Handles the events of what has arrived. Data alone takes no step. */
static struct next form_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct upload *u = q->state;
    enum multipart_event event = MULTIPART_DATA;
    while (event == MULTIPART_DATA && !intake_is_full(&u->intake) &&
           body_stream_bytes(q->x).len)
        event = read_form(q, u);
    if (u->bytes > u->bytes_most)
        return too_large(f, u);
    if (event == MULTIPART_BAD)
        return fail_because(f, ERR_VALIDATION, "%s", u->form.why);
    if (event == MULTIPART_PART)
        return part_begins(f, u);
    if (event == MULTIPART_PART_END && u->part == PART_FILE)
        return call(f, intake_end_begin, &u->intake, file_over);
    u->form_ended = u->form_ended || event == MULTIPART_END;
    return go(f, receive_due);
}

static struct next file_over(struct flow *f)
{
    UPLOAD(REQUEST(f))->part = PART_IGNORED;
    return go(f, receive_due);
}

/* ---- the tables, and the answer ------------------------------------------ */

/* A field of the form, trimmed. Returns false if it is too long or no text. */
static bool field_text(const char *field, size_t len, size_t most,
                       struct str *out)
{
    *out = str_trim((struct str){field, len});
    return utf8_valid(*out) && !memchr(out->ptr, '\0', out->len) &&
           utf8_count(*out) <= most && len < FIELD_BYTES;
}

static struct next look_begin(struct flow *f);
static struct next looked_at(struct flow *f);

static struct next received(struct flow *f)
{
    return attempt(f, look_begin, REQUEST(f), looked_at, upload_failed);
}

static struct next look_begin(struct flow *f)
{
    struct upload *u = UPLOAD(REQUEST(f));
    if (!field_text(u->name, u->name_len, NAME_MOST, &u->intake.name))
        return fail_because(f, ERR_VALIDATION,
                            "A dataset's name has 1 to 255 characters.");
    if (!field_text(u->description, u->description_len, DESCRIPTION_MOST,
                    &u->intake.description))
        return fail_because(f, ERR_VALIDATION,
                            "A dataset's description has at most 2000 "
                            "characters.");
    return call(f, intake_look_begin, &u->intake, tables_found);
}

static struct next tables_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct upload *u = UPLOAD(q);
    u->model = (struct file_model){.agent = q->api->options.agent,
                                   .file_set_id = u->intake.set_id};
    return call(f, file_model_begin, &u->model, dataset_modeled);
}

static struct next dataset_modeled(struct flow *f)
{
    return back(f);
}

static struct next looked_at(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct upload *u = q->state;
    u->page = (struct file_set_page){.store = u->intake.store,
                                     .user_id = q->user.id,
                                     .set_id = u->intake.set_id,
                                     .page = 1,
                                     .page_size = 1};
    return call(f, file_set_page_begin, &u->page, upload_settled);
}

static struct next upload_settled(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct upload *u = q->state;
    struct api_reply r;
    if (!u->page.query->n_rows)
        return reply_refusal(f, ERR_CONFLICT, "The dataset was removed.");
    reply_open_bare(q, &r);
    file_set_write(&r.w, u->page.query, 0);
    json_field_raw(&r.w, "problems", u->intake.problems);
    reply_send(q, &r, 201);
    return back(f);
}

/* ---- failure ------------------------------------------------------------- */

static struct next upload_failed(struct flow *f)
{
    struct upload *u = UPLOAD(REQUEST(f));
    u->why = failure(f);
    u->text = arena_str(flow_keep(f), failure_text(f));
    return attempt(f, intake_drop_begin, &u->intake, upload_dropped,
                   upload_not_dropped);
}

static struct next upload_dropped(struct flow *f)
{
    const struct upload *u = UPLOAD(REQUEST(f));
    return reply_refusal(f, u->why, u->text.len ? u->text.ptr : NULL);
}

/* The sweep deletes it: it stays `uploading`. */
static struct next upload_not_dropped(struct flow *f)
{
    return go(f, upload_dropped);
}
