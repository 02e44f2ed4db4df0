/* disk_file.c - sends a file from disk, a piece at a time.
 *
 * read → write → the client has taken it → read …, until all bytes are written.
 * A client that disconnects during a read is noticed when the read ends,
 * because the thread pool writes into the transfer until then. */
#include "disk_file.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <uv.h>
#include "base/banned.h"

enum { PIECE_BYTES = 64 * 1024 };

struct transfer_from_disk {
    uv_fs_t read;
    struct http_exchange *x;
    struct disk_file file;
    size_t at; /* bytes written to the stream */
    bool reading;
    char piece[PIECE_BYTES];
};

static void transfer_end(struct transfer_from_disk *t, bool whole)
{
    struct http_exchange *x = t->x;
    x->on_gone = x->on_drained = NULL;
    mem_free(t);
    if (whole)
        http_stream_end(x);
    else
        http_abort(x);
}

static void on_read(uv_fs_t *request);

static void read_piece(struct transfer_from_disk *t)
{
    size_t left = t->file.len - t->at;
    uv_buf_t piece = uv_buf_init(
        t->piece, (unsigned)(left < PIECE_BYTES ? left : PIECE_BYTES));
    t->reading = uv_fs_read(loop_uv(), &t->read, t->file.fd, &piece, 1,
                            (int64_t)t->at, on_read) == 0;
    if (!t->reading)
        transfer_end(t, false);
}

static void on_read(uv_fs_t *request)
{
    struct transfer_from_disk *t =
        container_of(request, struct transfer_from_disk, read);
    ssize_t got = request->result;
    uv_fs_req_cleanup(request);
    t->reading = false;
    if (got <= 0 && !http_disconnected(t->x))
        log_line(LOG_ERROR, "static file cut short", "%.*s",
                 STR_ARG(t->x->path));
    if (got <= 0 || http_disconnected(t->x)) {
        transfer_end(t, false);
        return;
    }
    t->at += (size_t)got;
    http_stream_write(t->x, (struct str){t->piece, (size_t)got});
    if (t->at == t->file.len)
        transfer_end(t, true);
}

static void on_transfer_drained(struct http_exchange *x)
{
    struct transfer_from_disk *t = x->owner;
    if (!t->reading)
        read_piece(t);
}

static void on_transfer_gone(struct http_exchange *x)
{
    struct transfer_from_disk *t = x->owner;
    if (!t->reading)
        transfer_end(t, false);
}

void disk_file_send(struct http_exchange *x, const struct disk_file *file,
                    const char *type)
{
    if (http_not_modified(x))
        return;
    http_stream_begin_sized(x, 200, type, file->len);
    if (str_is(x->method, "HEAD") || file->len == 0) {
        http_stream_end(x);
        return;
    }
    struct transfer_from_disk *t = mem_new(struct transfer_from_disk);
    t->x = x;
    t->file = *file;
    x->owner = t;
    x->on_gone = on_transfer_gone;
    x->on_drained = on_transfer_drained;
    read_piece(t);
}
