/* request.h - one request as its handler sees it, and the ways to answer it.
 *
 * A handler is a flow. It answers once, through a reply_… function, and goes
 * back. If it fails, api.c answers with the status of the error.
 *
 * Validation collects problems: call request_invalid for each, then
 * request_refused once, which answers 400 with all of them. */
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
    struct limits *limits; /* NULL: no limit */
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
    struct http_exchange *x; /* not valid after the answer */
    struct arena memory;     /* freed with the request, after the exchange */
    struct route_match match;
    struct user_of_token user;
    int64_t until_ms; /* when the token expires, in ms since 1970 */
    json_t *body;     /* set by request_body; freed with the request */
    struct flow *flow;
    struct request *prev_live, *next_live;
    void *state;       /* for the handler */
    struct buf errors; /* items of `details` */
    bool answered;
    struct large_reply { /* an answer to compress: see reply_finish_begin */
        struct str body, packed;
        int status; /* 0: none */
    } large;
};

#define REQUEST(f) locals(f, struct request)

/* The store of the process. */
struct store *request_store(struct request *q);
/* Whether the user has the permission. */
bool request_may(const struct request *q, enum permission p);
/* A path parameter, unchanged; empty when the route does not have it. */
struct str request_param(const struct request *q, const char *name);
/* A path parameter that is a name: with its slashes (http_server.h). */
struct str request_name(struct request *q, const char *name);
/* A path parameter that must be a UUID, in lower case. Returns false after
 * answering 400. */
bool request_uuid(struct request *q, const char *name, struct str *out);
/* A UUID of the query string, unchanged; anything else is noted. If absent, *out
 * is unchanged. */
void request_uuid_query(struct request *q, const char *name, struct str *out);
/* A boolean of the body. Returns true if it is present and valid. If absent,
 * *out is unchanged; if invalid, that is noted. */
bool request_bool_given(struct request *q, const char *field, bool *out);
/* A path parameter from 0 to `most`. Returns false after answering 404. */
bool request_index(struct request *q, const char *name, int most, int *out);
/* Parses the body as a JSON object. Returns false after answering 400 or 415
 * when it is missing or something else. */
bool request_body(struct request *q);
/* Whether it has the media type of JSON. */
bool request_is_json(const struct request *q);
/* The same as request_body, but the body may be missing; q->body is NULL then. */
bool request_body_if_any(struct request *q);
/* A query parameter from 1 to `most`. A wrong one is noted. */
bool request_number(struct request *q, const char *name, int64_t most,
                    int usual, int *out);
/* Reads page and pageSize (1 to 100). Returns false after answering 400. */
bool request_paging(struct request *q, int *page, int *page_size, int usual);

/* Reads where a stream starts: after which event, by Last-Event-ID or else by
 * `after`; 0: at the first. A browser that reconnects sends both, and the
 * header is newer. Returns false after answering 400. */
bool request_position(struct request *q, int64_t *after);

/* Notes that a field is invalid. */
void request_invalid(struct request *q, const char *field, const char *message);
/* answers 400 if anything is invalid */
bool request_refused(struct request *q);
/* A trimmed text of the body with `least` to `most` characters; null counts as
 * empty where that is allowed. Returns true if it is present and valid. If
 * absent, *out is unchanged; if invalid, that is noted. */
bool request_text_given(struct request *q, const char *field, size_t least,
                        size_t most, struct str *out);
/* The same, but an absent text is empty, and invalid if `least` is above 0. */
void request_text(struct request *q, const char *field, size_t least,
                  size_t most, struct str *out);
/* A UUID of the body, in lower case; anything else is noted. */
void request_uuid_given(struct request *q, const char *field, struct str *out);
/* `visibility` of the body. Returns true if it is present and valid. If absent,
 * *shared is unchanged; if invalid, that is noted. */
bool request_visibility(struct request *q, bool *shared);
/* Whether the object was found and belongs to the user, or the user is an
 * admin. Returns false after answering 404 or 403. */
bool request_for_owner(struct request *q, bool found, struct str owner_id,
                       const char *missing);
/* Whether the object was found and hidden; its runs are then cancelled. Returns
 * false after answering 404. */
bool request_removed(struct request *q, const struct removal *r,
                     const char *missing);
/* `llmProvider` of the body; empty when null or absent. A provider that is
 * unknown or not enabled is noted. */
void request_provider(struct request *q, struct str *out);

/* A JSON writer into a buffer of the request's memory. */
struct api_reply {
    struct buf out;
    struct json_writer w;
};
/* Opens the writer and writes {: for the paths whose answers have no envelope.
 * reply_send closes it. */
void reply_open_bare(struct request *q, struct api_reply *r);
/* Opens the writer and writes {"data":. */
void reply_open(struct request *q, struct api_reply *r);
/* Sends the reply, compressed if the client accepts that. A large one is
 * compressed on another thread after the handler has gone back. */
void reply_send(struct request *q, struct api_reply *r, int status);
/* The same for a reply that holds a token: never compressed. */
void reply_send_secret(struct request *q, struct api_reply *r, int status);
/* Subflow of api.c: compresses and sends what reply_send left. */
struct next reply_finish_begin(struct flow *f);
/* Sends it at once, uncompressed, because its flow was stopped. */
void reply_finish_now(struct request *q);
void reply_empty(struct request *q, int status); /* 204: no body */
/* Answers 200 with bytes that are not JSON; browsers must not guess their
 * type. */
void reply_bytes(struct request *q, const char *media_type, struct str bytes);
/* Opens the writer and writes {"data":{. */
void reply_open_object(struct request *q, struct api_reply *r);
/* Closes the object and sends the reply. */
void reply_send_object(struct request *q, struct api_reply *r, int status);
/* Answers with the first row of a query as an object, and goes back. */
struct next reply_row(struct flow *f, const struct query *rows,
                      void (*put)(struct json_writer *w, const struct query *q,
                                  int row),
                      int status);
/* Answers with an error, as reply_error, and goes back. */
struct next reply_refusal(struct flow *f, enum err e, const char *message);
/* Answers with an error; `message` NULL: the error's own sentence. */
void reply_error(struct request *q, enum err e, const char *message);
/* The same with `details`, which is JSON text. */
void reply_error_with(struct request *q, enum err e, const char *message,
                      struct str details);
/* Opens a page: writes "items":[. */
void reply_page_open(struct request *q, struct api_reply *r);
/* Closes the items, writes the pagination and sends 200. */
void reply_page_send(struct request *q, struct api_reply *r, int page,
                     int page_size, int64_t total);
/* The same with each row of a query as an object. */
void reply_page(struct request *q, const struct query *rows,
                void (*put)(struct json_writer *w, const struct query *q,
                            int row),
                int page, int page_size, int64_t total);
/* `search` of the query string: at most 255 characters of UTF-8, else it is
 * noted. */
void request_search(struct request *q, struct str *out);

/* Frees the api once it was closed and nothing of it is left. */
void api_free_if_over(struct api *a);

/* Makes the description of the API, and frees it. */
void docs_open(struct api *a);
void docs_close(struct api *a);

/* Handlers, from routes.def. */
#define ROUTE(method, pattern, permission, handler, about) step_fn handler;
#include "api/routes.def"
#undef ROUTE
