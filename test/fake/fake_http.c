#include "fake_http.h"
#include "base/json.h"
#include "base/mem.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_LINES = 64, PIECES = 3 };

struct fake_http fake_http;
static int used[MOST_LINES];
static unsigned in_flight;

struct transfer {
    struct deed deed;
    struct http_call *call;
    size_t line; /* of the script */
    bool halved; /* the first piece was sent */
    struct timer deadline;
};

void fake_http_open(const struct fake_exchange *script)
{
    fake_http = (struct fake_http){.script = script, .ms = 5};
    memset(used, 0, sizeof used);
}

void http_client_open(const struct http_client_options *options)
{
    (void)options;
}

void http_client_close(void)
{
    assert(in_flight == 0 && "a call outlives the client");
}

struct http_client_counts http_client_count(void)
{
    return (struct http_client_counts){.in_flight = in_flight};
}

void http_call_useful(struct http_call *c)
{
    (void)c;
}

void http_call_hold(struct http_call *c, bool held)
{
    (void)c;
    (void)held;
}

void http_call_resume(struct http_call *c)
{
    (void)c;
}

/* ---- which line --------------------------------------------------------- */

static bool holds(const struct http_call *c, struct str body, const char *text)
{
    return str_find(c->url, str_of(text)) >= 0 ||
           str_find(body, str_of(text)) >= 0;
}

static size_t line_of(const struct http_call *c, struct str body)
{
    const struct fake_exchange *x = fake_http.script;
    size_t i = 0;
    for (; x[i].has; i++)
        if (holds(c, body, x[i].has) &&
            (!x[i].and_has || holds(c, body, x[i].and_has)) &&
            (!x[i].times || used[i] < x[i].times))
            return i;
    return i;
}

/* Python may see all data; models only what shareRows allows. */
static void look_for_secret(const struct http_call *c, struct str body)
{
    bool to_model = str_find(c->url, STR("//model.")) >= 0;
    if (fake_http.secret && to_model && holds(c, body, fake_http.secret))
        fake_http.betrayals++;
}

static size_t requested_line(struct http_call *c)
{
    struct buf body = {0};
    if (c->write_body)
        c->write_body(c, &body);
    for (size_t i = 0; i < c->n_parts; i++)
        buf_str(&body, c->parts[i]);
    struct str whole = body.len ? buf_view(&body) : c->body;
    size_t line = line_of(c, whole);
    look_for_secret(c, whole);
    buf_done(&body);
    return line;
}

/* ---- bodies ------------------------------------------------------------- */

static void put_choice(struct buf *out, const char *member, struct str json)
{
    buf_printf(out, "data: {\"choices\":[{\"delta\":{\"%s\":%.*s}}]}\n\n",
               member, STR_ARG(json));
}

static void put_text(struct buf *out, const char *text)
{
    struct str all = str_of(text);
    size_t each = all.len / PIECES + 1;
    for (size_t at = 0; at < all.len; at += each) {
        struct buf quoted = {0};
        json_quote(&quoted, str_cut(all, at, each)); /* ASCII: cut anywhere */
        put_choice(out, "content", buf_view(&quoted));
        buf_done(&quoted);
    }
}

static void put_tools(struct buf *out, const char *text)
{
    struct str rest = str_of(text), call;
    int index = 0;
    while (str_split(&rest, '\n', &call)) {
        struct str name;
        struct buf json = {0}, quoted = {0};
        str_split(&call, ' ', &name);
        json_quote(&quoted, call);
        buf_printf(&json,
                   "[{\"index\":%d,\"id\":\"t%d\",\"type\":\"function\","
                   "\"function\":{\"name\":\"%.*s\",\"arguments\":%.*s}}]",
                   index, index, STR_ARG(name), STR_ARG(buf_view(&quoted)));
        put_choice(out, "tool_calls", buf_view(&json));
        buf_done(&json);
        buf_done(&quoted);
        index++;
    }
}

static void put_end(struct buf *out, const char *finish)
{
    buf_printf(
        out,
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"%s\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,"
        "\"completion_tokens\":20,\"total_tokens\":120}}\n\n"
        "data: [DONE]\n\n",
        finish);
}

static void put_body(struct buf *out, const struct fake_exchange *x)
{
    if (x->form == FORM_RAW) {
        buf_text(out, x->reply);
    } else if (x->form == FORM_TOOLS) {
        put_tools(out, x->reply);
        put_end(out, "tool_calls");
    } else {
        put_text(out, x->reply);
        put_end(out, "stop");
    }
}

/* False: the caller wants no more. */
static bool give(struct http_call *c, struct str bytes)
{
    if (c->on_body)
        return c->on_body(c, bytes);
    buf_str(&c->reply, bytes);
    return true;
}

/* Sends the body in two pieces, cut within an event. */
static bool give_part(struct transfer *t, bool whole)
{
    const struct fake_exchange *x = &fake_http.script[t->line];
    struct http_call *c = t->call;
    struct buf body = {0};
    c->status = x->status ? x->status : 200;
    put_body(&body, x);
    size_t half = body.len * 2 / 5;
    bool goes_on = (t->halved || give(c, str_cut(buf_view(&body), 0, half))) &&
                   (!whole || give(c, str_from(buf_view(&body), half)));
    t->halved = true;
    buf_done(&body);
    return goes_on;
}

/* ---- the deed ----------------------------------------------------------- */

static bool reached(const struct transfer *t)
{
    const struct fake_exchange *x = &fake_http.script[t->line];
    return x->has && x->reply;
}

static void http_effect(struct deed *d)
{
    struct transfer *t = (struct transfer *)d;
    fake_http.exchanges++;
    if (!reached(t)) {
        fake_http.unknown += !fake_http.script[t->line].has;
        d->ends = ERR_BAD_GATEWAY;
        return;
    }
    used[t->line]++;
    if (!give_part(t, true))
        d->ends = ERR_BAD_REPLY;
    else if (fake_http.on_call && !d->lost)
        fake_http.on_call(t->call, fake_http.script[t->line].reply);
}

static enum err http_failure(struct deed *d)
{
    struct transfer *t = (struct transfer *)d;
    if (d->lost || !reached(t))
        return ERR_BAD_GATEWAY;
    switch (world.at % 3) {
    case 0:
        return ERR_BAD_GATEWAY; /* before anything came */
    case 1:
        t->call->status = 500;
        give(t->call, STR("{\"error\":{\"message\":\"no\",\"type\":\"x\"}}"));
        return OK;
    default: /* cut in the middle */
        give_part(t, false);
        return ERR_BAD_GATEWAY;
    }
}

static void http_half(struct deed *d)
{
    struct transfer *t = (struct transfer *)d;
    if (reached(t))
        give_part(t, false);
}

static void http_done(struct deed *d)
{
    struct transfer *t = (struct transfer *)d;
    timer_stop(&t->deadline);
    t->call->state = NULL;
    in_flight--;
}

static void on_deadline(struct timer *timer)
{
    struct transfer *t =
        (struct transfer *)((char *)timer -
                            offsetof(struct transfer, deadline));
    snprintf(t->call->detail, sizeof t->call->detail, "no answer in time");
    deed_over(&t->deed, ERR_TIMEOUT);
}

static void http_cancel(struct op *op)
{
    deed_cancel(&((struct http_call *)op)->state->deed);
}

static void call_done(void *what)
{
    buf_done(&((struct http_call *)what)->reply);
}

void http_call_begin(struct flow *f, struct http_call *c)
{
    defer(f, call_done, c);
    buf_done(&c->reply);
    buf_init(&c->reply, NULL);
    c->status = 0;
    c->retry_after_ms = c->should_retry = -1;
    c->detail[0] = '\0';
    struct transfer *t = mem_new(struct transfer);
    t->deed = (struct deed){.op = &c->op,
                            .kind = DEED_HTTP,
                            .name = "http",
                            .ms = fake_http.ms,
                            .effect = http_effect,
                            .failure = http_failure,
                            .half = http_half,
                            .done = http_done};
    t->call = c;
    t->line = requested_line(c);
    c->state = t;
    begin(f, &c->op, "http", http_cancel);
    in_flight++;
    unsigned first = c->first_ms ? c->first_ms : 30000;
    unsigned total = c->total_ms ? c->total_ms : 300000;
    timer_start(&t->deadline, first < total ? first : total, on_deadline);
    if (fake_http.on_call)
        fake_http.on_call(c, NULL);
    deed_begin(&t->deed);
}
