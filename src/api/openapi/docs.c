/* docs.c - serves the description of the API: /openapi.json for programs, /docs
 * for people.
 *
 * /docs is the interactive page if it was built (make docs-ui), else a plain
 * page made from the same lists. A client that accepts text or Markdown and not
 * HTML gets the Markdown. Each is made and compressed when it is first asked
 * for: most workers never are, and all three take a megabyte. */
#include "api/api.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "docs_html.h"
#include "../gzip.h"
#include "../request.h"
#include <inttypes.h>
#include <stdio.h>
#include "base/banned.h"

struct docs {
    struct document {
        struct buf text; /* empty until it is asked for */
        struct str packed;
        char etag[ETAG_SIZE];
    } openapi, page, markdown;
};

void docs_open(struct api *a)
{
    struct docs *d = a->docs = mem_new(struct docs);
    buf_init(&d->openapi.text, NULL);
    buf_init(&d->page.text, NULL);
    buf_init(&d->markdown.text, NULL);
}

static void document_free(struct document *d)
{
    buf_done(&d->text);
    mem_free((char *)d->packed.ptr);
}

void docs_close(struct api *a)
{
    document_free(&a->docs->openapi);
    document_free(&a->docs->page);
    document_free(&a->docs->markdown);
    mem_free(a->docs);
}

static void write_page(struct buf *out)
{
    struct buf markdown;
    buf_init(&markdown, NULL);
    api_openapi_markdown(&markdown);
    docs_html(out, buf_view(&markdown));
    buf_done(&markdown);
}

static void document_make(struct document *d, void (*write)(struct buf *))
{
    uint8_t digest[SHA256_SIZE];
    uint64_t number = 0;
    if (d->packed.ptr)
        return;
    write(&d->text);
    struct str text = buf_view(&d->text);
    sha256(text, digest);
    for (int i = 0; i < 8; i++)
        number = number << 8 | digest[i];
    snprintf(d->etag, sizeof d->etag, "\"%016" PRIx64 "\"", number);
    char *packed = mem_alloc(gzip_room(text.len));
    size_t len = gzip_pack(packed, text);
    d->packed = (struct str){mem_resize(packed, len), len};
}

static void send_document(struct request *q, struct document *d,
                          void (*write)(struct buf *), const char *type)
{
    document_make(d, write);
    struct str body = buf_view(&d->text);
    q->answered = true;
    http_set_etag(q->x, str_of(d->etag));
    http_set_header(q->x, "Cache-Control", STR("no-cache"));
    if (gzip_wanted(q->x, body)) {
        http_set_coding(q->x, "gzip");
        body = d->packed;
    }
    http_reply(q->x, 200, type, body);
}

struct next openapi_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    send_document(q, &q->api->docs->openapi, api_openapi, "application/json");
    return back(f);
}

static bool wants_markdown(const struct http_exchange *x)
{
    struct str accept = http_get_header(x, "Accept");
    return !http_accepts(accept, STR("text/html")) &&
           (http_accepts(accept, STR("text/markdown")) ||
            http_accepts(accept, STR("text/plain")));
}

/* The page has no scripts and loads nothing. */
static void send_page(struct request *q)
{
    http_set_header(q->x, "Content-Security-Policy",
                    STR("default-src 'none'; style-src 'unsafe-inline'; "
                        "form-action 'none'; base-uri 'none'; "
                        "frame-ancestors 'none'"));
    http_set_header(q->x, "Referrer-Policy", STR("same-origin"));
    http_set_header(q->x, "X-Frame-Options", STR("DENY"));
    send_document(q, &q->api->docs->page, write_page,
                  "text/html; charset=utf-8");
}

struct next docs_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    http_set_header(q->x, "Vary", STR("Accept"));
    q->answered = true;
    if (wants_markdown(q->x))
        send_document(q, &q->api->docs->markdown, api_openapi_markdown,
                      "text/plain; charset=utf-8");
    else if (!q->api->files ||
             !static_files_serve(q->api->files, q->x, STR("/docs/index.html")))
        send_page(q);
    return back(f);
}
