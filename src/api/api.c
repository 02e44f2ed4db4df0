/* api.c - takes a request from the HTTP server to its handler.
 *
 *   on_request -> find the route -> request_begin -> authenticate_begin
 *   -> user_known -> the handler
 *
 * Each request is a flow. When a flow ends without an answer, request_over
 * answers with the status of its error. A request that matches no route gets a
 * file of the page, or a refusal. */
#include "api/api.h"
#include "auth/access.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "figures.h"
#include "limits.h"
#include "net/sse.h"
#include "protocols/openai_ask.h"
#include "request.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { REQUEST_MEMORY = 16 * 1024 * 1024 };

static const struct handler handlers[] = {
#define ROUTE(method, pattern, permission, handler, about) \
    {handler, MAY_##permission},
#include "api/routes.def"
#undef ROUTE
};

enum { ROUTES = sizeof handlers / sizeof *handlers };

static const struct route routes[ROUTES] = {
#define ROUTE(method, pattern, permission, handler, about) \
    {method, pattern, NULL},
#include "api/routes.def"
#undef ROUTE
};

/* ---- authentication and permission --------------------------------------- */

static struct next user_known(struct flow *f), handled(struct flow *f),
    reply_finished(struct flow *f);

static const struct handler *handler_of(const struct request *q)
{
    return q->match.route->target;
}

static struct next request_begin(struct flow *f)
{
    struct request *q = REQUEST(f);
    if (handler_of(q)->permission == MAY_OPEN)
        return call(f, handler_of(q)->begin, q, handled);
    return call(f, authenticate_begin, q, user_known);
}

/* Cancelling and following a run are cheap, and are never rate-limited. */
static bool is_rate_limited(const struct request *q)
{
    step_fn *begin = handler_of(q)->begin;
    return begin != messages_cancel && begin != events_follow &&
           begin != model_runs_cancel && begin != model_runs_follow;
}

static struct next user_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    int permission = handler_of(q)->permission;
    if (q->answered)
        return back(f);
    if (is_rate_limited(q) && !limits_admit(q))
        return back(f);
    if (permission != MAY_SIGNED_IN &&
        !request_may(q, (enum permission)permission))
        return reply_refusal(f, ERR_FORBIDDEN, NULL);
    return call(f, handler_of(q)->begin, q, handled);
}

static struct next handled(struct flow *f)
{
    struct request *q = REQUEST(f);
    if (!q->large.status)
        return back(f);
    return call(f, reply_finish_begin, q, reply_finished);
}

static struct next reply_finished(struct flow *f)
{
    return back(f);
}

/* ---- routing ------------------------------------------------------------- */

static void log_request_failure(const struct request *q, enum err how,
                                struct str why)
{
    log_event(LOG_ERROR, "request failed",
              (struct log_field[]){{"request", q->x->request_id},
                                   {"cause", str_of(err_name(how))},
                                   {"detail", why},
                                   {"traceId", str_of(q->x->trace.trace_id)},
                                   {NULL, {0}}});
}

static void live_add(struct api *a, struct request *q)
{
    q->next_live = a->live;
    if (a->live)
        a->live->prev_live = q;
    a->live = q;
    a->n_live++;
}

static void live_remove(struct api *a, struct request *q)
{
    *(q->prev_live ? &q->prev_live->next_live : &a->live) = q->next_live;
    if (q->next_live)
        q->next_live->prev_live = q->prev_live;
    a->n_live--;
}

void api_free_if_over(struct api *a)
{
    if (!a->closing || a->live || a->access->watch)
        return;
    access_free(a);
    docs_close(a);
    figures_close(&a->figures);
    mem_free(a);
}

static void request_over(struct flow *f, enum err how, void *who)
{
    struct request *q = who;
    struct api *a = q->api;
    if (!q->answered) {
        if (how == OK)
            how = ERR_INTERNAL;
        if (err_status(how) == 500)
            log_request_failure(q, how, failure_text(f));
        reply_error(q, how, NULL);
    }
    if (q->large.status)
        reply_finish_now(q);
    live_remove(a, q);
    json_decref(q->body);
    arena_done(&q->memory);
    mem_free(q);
    api_free_if_over(a);
}

/* ---- other origins (Fetch, "CORS protocol"): those of the allow-list ----- */

static bool origin_allowed(const struct api *a, const struct http_exchange *x)
{
    struct str origin = http_get_header(x, "Origin");
    for (const char *const *o = a->options.cors_origins; o && *o; o++)
        if (origin.len && str_is(origin, *o))
            return true;
    return false;
}

static void allow_origin(const struct api *a, struct http_exchange *x)
{
    if (a->options.cors_origins && *a->options.cors_origins)
        http_set_header(x, "Vary", STR("Origin"));
    if (!origin_allowed(a, x))
        return;
    http_set_header(x, "Access-Control-Allow-Origin",
                    http_get_header(x, "Origin"));
    /* only these routes use a cookie */
    if (str_starts(x->path, STR("/api/auth/")))
        http_set_header(x, "Access-Control-Allow-Credentials", STR("true"));
    http_set_header(x, "Access-Control-Expose-Headers",
                    STR("X-Request-Id, Retry-After, RateLimit, "
                        "RateLimit-Policy, ETag, Content-Disposition, "
                        "X-Max-Rows, Mcp-Session-Id"));
}

static void answer_preflight(struct http_exchange *x,
                             const struct route_match *m)
{
    http_set_header(x, "Access-Control-Allow-Methods", str_of(m->allow));
    http_set_header(x, "Access-Control-Allow-Headers",
                    STR("Authorization, Content-Type, Last-Event-ID, "
                        "Idempotency-Key, If-Match, If-None-Match, "
                        "X-Request-Id, traceparent, MCP-Protocol-Version, "
                        "Mcp-Session-Id, Mcp-Method, Mcp-Name"));
    http_set_header(x, "Access-Control-Max-Age", STR("600"));
    http_reply(x, 204, NULL, STR(""));
}

static bool is_under(struct str path, struct str folder)
{
    return str_starts(path, folder) &&
           (path.len == folder.len || path.ptr[folder.len] == '/');
}

static bool names_file(struct str path)
{
    size_t i = path.len;
    while (i > 0 && path.ptr[i - 1] != '/' && path.ptr[i - 1] != '.')
        i--;
    return i > 0 && path.ptr[i - 1] == '.';
}

static bool is_page(struct str path)
{
    return str_is(path, "/") || is_under(path, STR("/agent")) ||
           is_under(path, STR("/share")) || is_under(path, STR("/settings")) ||
           is_under(path, STR("/admin")) || is_under(path, STR("/sql")) ||
           is_under(path, STR("/explore"));
}

static bool takes_anything(struct str accept)
{
    return !accept.len || http_accepts(accept, STR("*/*")) ||
           http_accepts(accept, STR("text/*"));
}

/* The paths of the page itself (/agent/:chatId …), and everything else that a
 * browser asks to show: neither an address of the API nor the name of a file. */
static bool wants_page(const struct http_exchange *x)
{
    struct str accept = http_get_header(x, "accept");
    return !is_under(x->path, STR("/api")) && !is_under(x->path, STR("/v1")) &&
           !names_file(x->path) &&
           (http_accepts(accept, STR("text/html")) ||
            (is_page(x->path) && takes_anything(accept)));
}

/* The built page (make web), or the plain one if it was not built. */
static bool serve_page(const struct api *a, struct http_exchange *x)
{
    return static_files_serve(a->files, x, STR("/app/index.html")) ||
           static_files_serve(a->files, x, STR("/index.html"));
}

static bool serve_file(const struct api *a, struct http_exchange *x)
{
    if (!a->files)
        return false;
    if (wants_page(x) && serve_page(a, x))
        return true;
    return static_files_serve(a->files, x, x->path);
}

static void not_routed(struct api *a, struct http_exchange *x,
                       const struct route_match *m)
{
    struct request q = {.api = a, .x = x}; /* reply_error uses no memory */
    if (str_is(x->method, "OPTIONS") && m->path_known && origin_allowed(a, x)) {
        answer_preflight(x, m);
        return;
    }
    if (m->path_known) {
        http_set_header(x, "Allow", str_of(m->allow));
        reply_error(&q, ERR_METHOD_NOT_ALLOWED, NULL);
        return;
    }
    if (serve_file(a, x))
        return;
    reply_error(&q, ERR_NOT_FOUND, NULL);
}

/* Routes that are open to all are those of probes, metrics and sign-in. */
static bool is_traced(int route)
{
    return route < (int)ROUTES && handlers[route].permission != MAY_OPEN;
}

static void record_request(const struct http_exchange *x, int status)
{
    struct span s;
    struct buf name;
    span_begin_as(&s, &x->trace);
    s.began_us = x->started_ms * 1000;
    if (!is_traced(x->route) || !span_is_recorded(&s))
        return;
    const struct route *r = &routes[x->route];
    buf_init(&name, NULL);
    buf_printf(&name, "%s %s", r->method, r->pattern);
    struct json_writer *w = span_end(&s, SPAN_SERVER, buf_view(&name),
                                     status >= 500 ? "5xx" : NULL);
    buf_done(&name);
    if (!w)
        return;
    span_put_text(w, "http.request.method", str_of(r->method));
    span_put_text(w, "http.route", str_of(r->pattern));
    span_put_int(w, "http.response.status_code", status);
    span_put_text(w, "sextant.request.id", x->request_id);
    span_close(w);
}

static void on_ended(const struct http_exchange *x, int status, void *who)
{
    struct api *a = who;
    record_request(x, status);
    figures_count(a->figures, x->route, status,
                  (clock_ms() - x->started_ms) * 1000);
}

/* Paths whose answers have no envelope and names in snake_case. */
static bool is_bare(struct str path)
{
    return is_under(path, STR("/datasets")) || is_under(path, STR("/chat")) ||
           is_under(path, STR("/runs")) || is_under(path, STR("/threads"));
}

/* Paths whose errors say so with `success`, too. */
static bool is_explorer(struct str path)
{
    return is_under(path, STR("/api/agentic-explore-bridge")) ||
           is_under(path, STR("/api/agentic-explore")) ||
           is_under(path, STR("/api/tool-callback")) ||
           is_under(path, STR("/api/report"));
}

/* An upload goes to its handler as it comes. */
static bool streams_body(const struct http_exchange *x, void *who)
{
    const struct api *a = who;
    struct route_match match;
    router_find(a->router, x->method, x->path, &match);
    return match.route &&
           ((const struct handler *)match.route->target)->begin ==
               datasets_create;
}

static void on_request(struct http_exchange *x, void *who)
{
    struct api *a = who;
    struct route_match match;
    x->route = FIGURE_ROUTES;
    x->error_detail = is_bare(x->path);
    x->error_success = is_explorer(x->path);
    if (is_under(x->path, STR("/v1")))
        x->put_error = openai_put_error;
    allow_origin(a, x);
    router_find(a->router, x->method, x->path, &match);
    if (!match.route) {
        not_routed(a, x, &match);
        return;
    }
    x->route = (int)((const struct handler *)match.route->target - handlers);
    struct request *q = mem_new(struct request);
    arena_init(&q->memory, 0);
    q->match = match;
    q->api = a;
    q->x = x;
    live_add(a, q);
    q->flow = flow_start(request_begin, q,
                         &(struct flow_options){.kind = q->match.route->pattern,
                                                .memory_limit = REQUEST_MEMORY,
                                                .on_end = request_over,
                                                .who = q});
}

/* ---- open and close ------------------------------------------------------ */

static struct router *make_router(void)
{
    static struct route all[ROUTES];
    for (size_t i = 0; i < ROUTES; i++) {
        all[i] = routes[i];
        all[i].target = &handlers[i];
    }
    return router_new(all, ROUTES);
}

struct api *api_open(const struct api_options *options, struct str *why)
{
    struct api *a = mem_new(struct api);
    a->options = *options;
    if (!access_open(a, why)) {
        mem_free(a);
        return NULL;
    }
    a->router = make_router();
    if (options->stream_bytes)
        sse_set_budget(options->stream_bytes);
    a->limits = limits_open(options->requests_per_minute);
    a->files =
        options->static_dir ? static_files_open(options->static_dir) : NULL;
    struct http_limits limits = http_default_limits;
    limits.names_under = "/threads/";
    a->server = http_server_open(
        &(struct http_server_options){.host = options->host,
                                      .port = options->port,
                                      .fds = options->fds,
                                      .n_fds = options->n_fds,
                                      .n_own_fds = options->n_own_fds,
                                      .limits = limits,
                                      .access_log = options->access_log,
                                      .secret_after = "/share/",
                                      .on_request = on_request,
                                      .streams_body = streams_body,
                                      .on_ended = on_ended,
                                      .who = a},
        why);
    if (a->server)
        a->figures = figures_open(a, options->figures_fd);
    docs_open(a);
    if (!a->server)
        api_close(&a);
    return a;
}

void api_drain(struct api *a)
{
    a->draining = true;
    http_server_drain(a->server);
}

void api_retire(struct api *a)
{
    http_server_stop_listening(a->server);
}

unsigned api_connections(const struct api *a)
{
    return http_server_connections(a->server);
}

/* A request that was answered and is still live is a stream. */
static void stop_requests(struct api *a, bool streams_alone)
{
    for (struct request *q = a->live; q; q = q->next_live)
        if (q->answered || !streams_alone)
            flow_stop(q->flow, ERR_UNAVAILABLE);
}

void api_stop(struct api *a)
{
    stop_requests(a, true);
}

unsigned api_requests(const struct api *a)
{
    return a->n_live;
}

void api_close(struct api **at)
{
    struct api *a = *at;
    *at = NULL;
    if (!a)
        return;
    a->closing = true;
    stop_requests(a, false);
    access_close(a);
    if (a->figures)
        figures_stop(a->figures);
    if (a->server)
        http_server_close(&a->server);
    router_free(a->router);
    static_files_close(&a->files);
    limits_close(&a->limits);
    api_free_if_over(a);
}
