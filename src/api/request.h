/* request.h - one request as its handler sees it, and how it is answered.
 *
 * A handler is a flow; it answers once through reply_… and goes back. What fails
 * on the way is answered by the dispatcher with the error's status. */
#pragma once
#include "api/api.h"
#include "net/router.h"
#include "net/static_files.h"
#include "store/removal.h"
#include "store/users.h"

enum { ETAG_SIZE = 20 }; /* 16 digits, quotes */

struct api {
    struct api_options options;
    struct http_server *server;
    struct router *router;
    struct static_files *files;
    struct limits *limits; /* NULL: none */
    struct access *access;
    struct docs *docs;
    struct figures_share *figures;
    bool draining, closing;
    struct request *live; /* requests whose flow has not ended */
    unsigned n_live;
};

struct handler {
    step_fn *begin;
    int permission; /* enum permission, MAY_OPEN or MAY_SIGNED_IN */
};

struct request {
    struct api *api;
    struct http_exchange *x; /* not after the answer */
    struct arena memory;     /* goes with the request, after the exchange */
    struct route_match match;
    struct user_of_token user;
    int64_t until_ms; /* since 1970: when the token ends its streams */
    json_t *body;     /* after request_body; goes with the request */
    struct flow *flow;
    struct request *prev_live, *next_live;
    void *state;       /* the handler's */
    struct buf errors; /* items of details */
    bool answered;
    struct large_reply { /* waits to be compressed: see reply_finish_begin */
        struct str body, packed;
        int status; /* 0: there is none */
    } large;
};

#define REQUEST(f) locals(f, struct request)

struct store *request_store(struct request *q);
bool request_may(const struct request *q, enum permission p);
/* A path parameter as it is; empty when the route has none of that name. */
struct str request_param(const struct request *q, const char *name);
/* A path parameter that must be a UUID, in lower case; false: answered 400. */
bool request_uuid(struct request *q, const char *name, struct str *out);
/* One that counts from 0 to `most`; false: answered 404. */
bool request_index(struct request *q, const char *name, int most, int *out);
/* Parses the body as a JSON object; false: there is none, or it is something else,
 * which is answered 400 or 415. */
bool request_body(struct request *q);
/* The same where operations.def allows to leave the body out; q->body is NULL
 * then. */
bool request_body_if_any(struct request *q);
/* A number of the query within 1..most; wrong, it is noted. */
bool request_number(struct request *q, const char *name, int64_t most,
                    int usual, int *out);
/* Paging within 1..100; false: answered 400. */
bool request_paging(struct request *q, int *page, int *page_size, int usual);

/* Of a stream: after which event, by Last-Event-ID or else `after` (a browser that
 * comes back has both, and the header is the later one); 0: from the first. False:
 * answered 400. */
bool request_position(struct request *q, int64_t *after);

/* Validation: note what is wrong, then ask whether anything was. */
void request_invalid(struct request *q, const char *field, const char *message);
bool request_refused(struct request *q); /* answers 400 with details */
/* A text of the body, trimmed, of that many characters; one that may have none may
 * be null. True: it is there and good. Absent, *out stays; wrong, it is noted. */
bool request_text_given(struct request *q, const char *field, size_t least,
                        size_t most, struct str *out);
/* The same, empty when absent, which is wrong where it may not be empty. */
void request_text(struct request *q, const char *field, size_t least,
                  size_t most, struct str *out);
/* A UUID in the body, in lower case; anything else is noted. */
void request_uuid_given(struct request *q, const char *field, struct str *out);
/* `visibility` in the body. True: it is there and good. Absent, *shared stays;
 * wrong, it is noted. */
bool request_visibility(struct request *q, bool *shared);
/* Is what was looked for there, and the user's own, or he an admin? False: answered
 * 404 or 403. */
bool request_for_owner(struct request *q, bool found, struct str owner_id,
                       const char *missing);
/* Was it there, and hidden? Its runs are told to stop. False: answered 404. */
bool request_removed(struct request *q, const struct removal *r,
                     const char *missing);
/* `llmProvider` in the body; empty when it is null or absent; one that is not
 * known or not enabled here is noted as invalid. */
void request_provider(struct request *q, struct str *out);

/* A writer into a fresh buffer in the request's memory, "{"data":" written. */
struct reply {
    struct buf out;
    struct json_writer w;
};
void reply_open(struct request *q, struct reply *r);
/* Compressed where the client accepts it; a large one on another thread, when the
 * handler is back. */
void reply_send(struct request *q, struct reply *r, int status);
/* The same for what holds a token: never compressed. */
void reply_send_secret(struct request *q, struct reply *r, int status);
/* Subflow of the dispatcher: sends what reply_send has left over. */
struct next reply_finish_begin(struct flow *f);
/* The same at once, uncompressed: its flow was stopped. */
void reply_finish_now(struct request *q);
void reply_empty(struct request *q, int status); /* 204: no body */
/* What is no JSON: 200 with these bytes, never sniffed for another type. */
void reply_bytes(struct request *q, const char *media_type, struct str bytes);
void reply_error(struct request *q, enum err e, const char *message);
void reply_error_with(struct request *q, enum err e, const char *message,
                      struct str details);
/* A page: "items":[ …, then pagination in both seeds' shapes, and 200. */
void reply_page_open(struct request *q, struct reply *r);
void reply_page_send(struct request *q, struct reply *r, int page,
                     int page_size, int64_t total);
/* The same with each row of the query as an object. */
void reply_page(struct request *q, const struct query *rows,
                void (*put)(struct json_writer *w, const struct query *q,
                            int row),
                int page, int page_size, int64_t total);
/* `search`: at most 255 characters of UTF-8, else noted as invalid. */
void request_search(struct request *q, struct str *out);

/* The api goes when it was closed and nothing of it is left. */
void api_free_if_over(struct api *a);

/* The description of the API is made; its memory goes. */
void docs_open(struct api *a);
void docs_close(struct api *a);

/* Handlers, from routes.def. */
#define ROUTE(method, pattern, permission, handler, about) step_fn handler;
#include "api/routes.def"
#undef ROUTE
