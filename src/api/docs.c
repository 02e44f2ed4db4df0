/* docs.c - the description of the API: for programs at /openapi.json, for people
 * at /docs. */
#include "api/api.h"
#include "base/crypto.h"
#include "request.h"
#include <inttypes.h>
#include <stdio.h>
#include "base/banned.h"

void docs_open(struct api *a)
{
    uint8_t digest[SHA256_SIZE];
    uint64_t number = 0;
    buf_init(&a->openapi, NULL);
    api_openapi(&a->openapi);
    sha256(buf_view(&a->openapi), digest);
    for (int i = 0; i < 8; i++)
        number = number << 8 | digest[i];
    snprintf(a->openapi_etag, sizeof a->openapi_etag, "\"%016" PRIx64 "\"",
             number);
}

void docs_close(struct api *a)
{
    buf_done(&a->openapi);
}

struct next openapi_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct api *a = q->api;
    http_set_etag(q->x, str_of(a->openapi_etag));
    http_set_header(q->x, "Cache-Control", STR("no-cache"));
    q->answered = true;
    http_reply(q->x, 200, "application/json", buf_view(&a->openapi));
    return back(f);
}

/* Without the pages' files (make docs-ui) there is still the text. */
struct next docs_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct buf text;
    q->answered = true;
    if (q->api->files &&
        static_files_serve(q->api->files, q->x, STR("/docs/index.html")))
        return back(f);
    buf_init(&text, &q->memory);
    api_openapi_markdown(&text);
    http_reply(q->x, 200, "text/plain; charset=utf-8", buf_view(&text));
    return back(f);
}
