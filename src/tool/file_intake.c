/* file_intake.c - see file_intake.h. What the sandbox found is read in
 * file_tables.c. */
#include "tool/file_intake.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "engine/sandbox_refusal.h"
#include "file_tables.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    NAME_BYTES_MOST = 255,
    LOOK_MS = 120 * 1000,
    LOOKS_MOST = 3, /* it may lack files again when its cache is full */
    SANDBOX_WAIT_MS = 30000, /* while it starts, or has no place */
    SANDBOX_AGAIN_MS = 500,
};

static struct next set_there(struct flow *f), file_there(struct flow *f),
    chunk_stored(struct flow *f), last_chunk_due(struct flow *f),
    last_chunk_stored(struct flow *f), file_whole(struct flow *f),
    look_due(struct flow *f), looked(struct flow *f),
    files_supplied(struct flow *f), tables_known(struct flow *f),
    tables_stored(struct flow *f), intake_dropped(struct flow *f);

/* ---- names --------------------------------------------------------------- */

const char *intake_name(struct arena *arena, struct str sent, struct str *out)
{
    size_t from = sent.len;
    while (from && sent.ptr[from - 1] != '/' && sent.ptr[from - 1] != '\\')
        from--;
    struct str name = str_trim(str_from(sent, from));
    if (!utf8_valid(name) || str_has_control(name))
        return "A file's name has characters that are not allowed.";
    if (!name.len || str_is(name, ".") || str_is(name, ".."))
        return "A file has no name.";
    if (name.len > NAME_BYTES_MOST)
        return "A file's name is longer than 255 bytes.";
    *out = arena_str(arena, name);
    return NULL;
}

/* "orders" of "orders.2024.csv.gz": up to the first dot that is not its first
 * byte. */
static struct str stem(struct str name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.ptr[i] == '.')
            return str_cut(name, 0, i);
    return name;
}

/* What the name says; the sandbox looks into the file. */
static struct str format_of(struct str name)
{
    static const char *const endings[][2] = {
        {".tsv", "tsv"},      {".parquet", "parquet"}, {".jsonl", "jsonl"},
        {".ndjson", "jsonl"}, {".json", "jsonl"},      {".xlsx", "xlsx"},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct str ending = str_of(endings[i][0]);
        if (name.len > ending.len &&
            str_eq_nocase(str_from(name, name.len - ending.len), ending))
            return str_of(endings[i][1]);
    }
    return STR("csv");
}

/* ---- a file begins ------------------------------------------------------- */

static struct intake_file *current(struct file_intake *i)
{
    return &i->files[i->n_files - 1];
}

struct next intake_file_begin(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (i->n_files >= i->limits.files || i->n_files >= INTAKE_FILES_MOST)
        return fail_because(f, ERR_VALIDATION,
                            "A dataset has at most %d files.", i->limits.files);
    for (int k = 0; k < i->n_files; k++)
        if (str_eq(i->files[k].name, i->filename))
            return fail_because(f, ERR_VALIDATION,
                                "Two of the files have the name %.*s.",
                                STR_ARG(i->filename));
    i->files[i->n_files++] = (struct intake_file){.name = i->filename};
    i->chunk_n = 0;
    i->chunk_len = 0;
    sha256_begin(&i->hash);
    if (!i->chunk)
        i->chunk = arena_alloc(flow_keep(f), FILE_CHUNK_BYTES);
    if (i->set_id.len)
        return go(f, set_there);
    i->work.set = (struct file_set_add){
        .store = i->store, .owner_id = i->owner_id, .name = stem(i->filename)};
    return call(f, file_set_add_begin, &i->work.set, set_there);
}

static struct next set_there(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (!i->set_id.len)
        i->set_id = i->work.set.id;
    i->work.file = (struct file_add){.store = i->store,
                                     .set_id = i->set_id,
                                     .place = i->n_files - 1,
                                     .name = i->filename,
                                     .format = format_of(i->filename)};
    return call(f, file_add_begin, &i->work.file, file_there);
}

static struct next file_there(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    i->file_id = i->work.file.id;
    return back(f);
}

/* ---- its bytes ----------------------------------------------------------- */

size_t intake_room(const struct file_intake *i)
{
    return FILE_CHUNK_BYTES - i->chunk_len;
}

bool intake_is_full(const struct file_intake *i)
{
    return intake_room(i) == 0;
}

struct str intake_take(struct file_intake *i, struct str bytes)
{
    size_t room = FILE_CHUNK_BYTES - i->chunk_len;
    struct str some = str_cut(bytes, 0, room);
    if (some.len)
        memcpy(i->chunk + i->chunk_len, some.ptr, some.len);
    i->chunk_len += some.len;
    current(i)->bytes += (int64_t)some.len;
    sha256_add(&i->hash, some);
    return str_from(bytes, some.len);
}

/* "256 MiB", or bytes where that is not exact. */
static struct str size_text(struct arena *arena, int64_t bytes)
{
    enum { MIB = 1024 * 1024 };
    if (bytes % MIB)
        return arena_printf(arena, "%lld bytes", (long long)bytes);
    return arena_printf(arena, "%lld MiB", (long long)(bytes / MIB));
}

struct next intake_flush_begin(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    struct str size = size_text(flow_here(f), i->limits.file_bytes);
    if (current(i)->bytes > i->limits.file_bytes)
        return fail_because(f, ERR_TOO_LARGE, "%.*s is larger than %.*s.",
                            STR_ARG(current(i)->name), STR_ARG(size));
    if (!i->chunk_len)
        return back(f);
    i->work.append = (struct file_append){.store = i->store,
                                          .file_id = i->file_id,
                                          .n = i->chunk_n,
                                          .bytes = {i->chunk, i->chunk_len},
                                          .quota = i->limits.user_bytes};
    return call(f, file_append_begin, &i->work.append, chunk_stored);
}

static struct next chunk_stored(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (!i->work.append.alive)
        return fail_because(f, ERR_CONFLICT, "The upload was removed.");
    if (!i->work.append.kept)
        return fail_because(
            f, ERR_TOO_LARGE,
            "Your files would have more than %.*s together. Delete some first.",
            STR_ARG(size_text(flow_here(f), i->limits.user_bytes)));
    i->chunk_n++;
    i->chunk_len = 0;
    return back(f);
}

struct next intake_end_begin(struct flow *f)
{
    return go(f, last_chunk_due);
}

static struct next last_chunk_due(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (!current(i)->bytes)
        return fail_because(f, ERR_UNREADABLE_FILE, "%.*s is empty.",
                            STR_ARG(current(i)->name));
    return call(f, intake_flush_begin, i, last_chunk_stored);
}

static struct next last_chunk_stored(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    uint8_t digest[SHA256_SIZE];
    sha256_done(&i->hash, digest);
    current(i)->sha256 = hex_encode(flow_keep(f), digest, sizeof digest);
    i->work.end = (struct file_end){
        .store = i->store, .file_id = i->file_id, .sha256 = current(i)->sha256};
    return call(f, file_end_begin, &i->work.end, file_whole);
}

static struct next file_whole(struct flow *f)
{
    return back(f);
}

/* ---- its tables ---------------------------------------------------------- */

static struct str look_request(struct arena *arena, const struct file_intake *i)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_array(&w, "files");
    for (int k = 0; k < i->n_files; k++) {
        json_put_object(&w);
        json_field_str(&w, "sha256", i->files[k].sha256);
        json_field_str(&w, "filename", i->files[k].name);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    json_field_real(&w, "timeout", LOOK_MS / 1000.0);
    json_put_object_end(&w);
    return buf_finish(&out);
}

struct next intake_look_begin(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (!i->n_files)
        return fail_because(f, ERR_VALIDATION, "There is no file.");
    if (i->sandbox->off)
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "Files need the sandbox, which is disabled.");
    i->asked = look_request(flow_keep(f), i);
    i->asks = 0;
    i->busy_until_ms = clock_ms() + SANDBOX_WAIT_MS;
    return go(f, look_due);
}

static struct next look_due(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    i->http = (struct http_call){.body = i->asked,
                                 .first_ms = LOOK_MS + 15000,
                                 .total_ms = LOOK_MS + 30000,
                                 .max_bytes = FILE_TABLES_BYTES};
    sandbox_call(f, i->sandbox, i->owner_id, "POST", STR("/tables"), &i->http);
    http_call_begin(f, &i->http);
    op_tolerate(&i->http.op);
    i->asks++;
    return await(f, looked);
}

static struct next supply(struct flow *f, struct file_intake *i)
{
    struct str *missing;
    size_t n = sandbox_missing(f, buf_view(&i->http.reply), i->asked, &missing);
    if (!n || i->asks >= LOOKS_MOST)
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "The sandbox has no room for the files.");
    i->work.supply = (struct sandbox_supply){.store = i->store,
                                             .sandbox = i->sandbox,
                                             .user_id = i->owner_id,
                                             .sha256s = missing,
                                             .n = n};
    return call(f, sandbox_supply_begin, &i->work.supply, files_supplied);
}

static struct next files_supplied(struct flow *f)
{
    return go(f, look_due);
}

static struct next refused_by_sandbox(struct flow *f, const struct http_call *h)
{
    struct str why =
        sandbox_refusal(flow_here(f), h->status, buf_view(&h->reply));
    return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                        "The sandbox is not available%s%.*s.",
                        why.len ? ": " : "", STR_ARG(why));
}

static struct next looked(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    const struct http_call *h = &i->http;
    if (h->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (h->op.status == OK && h->status == 404)
        return supply(f, i);
    if (h->op.status == OK && h->status == 503) {
        if (clock_ms() >= i->busy_until_ms)
            return refused_by_sandbox(f, h);
        i->asks--;
        pause_begin(f, &i->pause, SANDBOX_AGAIN_MS);
        return await(f, look_due);
    }
    if (h->op.status != OK || h->status != 200)
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "The sandbox could not look at the files (%d%s%s).",
                            h->status, *h->detail ? ": " : "", h->detail);
    i->read = keep(f, struct tables_read);
    i->read->reply = buf_view(&h->reply);
    i->read->n_files = (size_t)i->n_files;
    i->read->sent = i->files;
    arena_init(&i->read->memory, 0);
    defer(f, tables_read_done, i->read);
    work_begin(f, &i->reading, tables_read_job, i->read);
    return await(f, tables_known);
}

static struct next tables_known(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    const struct tables_read *r = i->read;
    if (!r->good)
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "What the sandbox answered cannot be used.");
    if (!r->n_tables)
        return fail_with(f, ERR_UNREADABLE_FILE, r->refusal);
    i->problems = arena_str(flow_keep(f), r->problems);
    i->work.profile = (struct file_set_profile){
        .store = i->store,
        .set_id = i->set_id,
        .name = i->name,
        .description = i->description,
        .files = r->files,
        .prompts = r->prompts,
        .user_id = i->owner_id,
        .request_id = i->request_id,
    };
    return call(f, file_set_profile_begin, &i->work.profile, tables_stored);
}

static struct next tables_stored(struct flow *f)
{
    return back(f);
}

/* ---- the end of a failed one --------------------------------------------- */

struct next intake_drop_begin(struct flow *f)
{
    struct file_intake *i = locals(f, struct file_intake);
    if (!i->set_id.len)
        return back(f);
    i->work.drop =
        (struct file_set_drop){.store = i->store, .set_id = i->set_id};
    return call(f, file_set_drop_begin, &i->work.drop, intake_dropped);
}

static struct next intake_dropped(struct flow *f)
{
    return back(f);
}
