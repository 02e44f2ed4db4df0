/* mcp.c - `sextant mcp`: the Model Context Protocol over standard input and
 * output, for clients that start their servers. It passes each message to the
 * /mcp of a running server and writes down what that answers, so that token,
 * permissions and limits are those of the API.
 *
 * One thread, on curl's multi interface: a cancelling notification goes out
 * while the question that it cancels is in progress. */
#include "base/buf.h"
#include "base/crypto.h"
#include "base/json.h"
#include "config/home.h"
#include "config/options.h"
#include "help.h"
#include "programs.h"
#include "server_url.h"
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    CALLS_MOST = 64,
    LINE_MOST = 1024 * 1024,
    REPLY_MOST = 32 * 1024 * 1024,
    CONNECT_S = 10,
    SILENCE_S = 120, /* the server sends a comment more often */
    POLL_MS = 1000,
};

#define META "io.modelcontextprotocol/"

struct mcp_call {
    CURL *curl; /* NULL: the slot is free */
    struct curl_slist *headers;
    json_t *message;
    struct buf body; /* not written out yet */
    bool events, too_large;
    bool initializes;
};

struct mcp_stdio {
    struct arena arena;
    CURLM *multi;
    struct str url, token;
    const char *ca_file;
    char session[256], version[32]; /* of the handshake; or empty */
    struct buf input;
    bool input_over, skips; /* skips: the rest of a line that is too long */
    bool output_gone;
    struct mcp_call calls[CALLS_MOST];
    unsigned n_calls;
};

/* ---- output --------------------------------------------------------------- */

static void write_line(struct mcp_stdio *b, struct str json)
{
    for (size_t i = 0; i < json.len; i++)
        putchar(json.ptr[i] == '\n' || json.ptr[i] == '\r' ? ' ' : json.ptr[i]);
    putchar('\n');
    if (fflush(stdout) != 0)
        b->output_gone = true;
}

/* Answers the request with an error; a notification gets none. */
static void write_error(struct mcp_stdio *b, const json_t *message, int code,
                        struct str why)
{
    const json_t *id = json_object_get(message, "id");
    struct json_writer w;
    struct buf out;
    if (message && !id) {
        fprintf(stderr, "sextant mcp: %.*s\n", STR_ARG(why));
        return;
    }
    buf_init(&out, NULL);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_text(&w, "jsonrpc", "2.0");
    json_put_key(&w, "id");
    json_print_into(&out, id);
    w.comma = true;
    json_field_object(&w, "error");
    json_field_int(&w, "code", code);
    json_field_str(&w, "message", why);
    json_put_object_end(&w);
    json_put_object_end(&w);
    write_line(b, buf_view(&out));
    buf_done(&out);
}

/* ---- one call ------------------------------------------------------------- */

static struct mcp_stdio the_bridge; /* one per process */

/* Writes the whole lines of an event stream that have data. */
static void pass_events(struct mcp_stdio *b, struct mcp_call *c)
{
    struct str rest = buf_view(&c->body), line;
    size_t used = 0;
    ptrdiff_t end;
    while ((end = str_find_char(rest, '\n')) >= 0) {
        line = str_cut(rest, 0, (size_t)end);
        if (str_starts(line, STR("data: ")))
            write_line(b, str_from(line, 6));
        used += (size_t)end + 1;
        rest = str_from(rest, (size_t)end + 1);
    }
    buf_drop(&c->body, used);
}

static size_t on_reply_bytes(char *bytes, size_t size, size_t n, void *call)
{
    struct mcp_call *c = call;
    char *type = NULL;
    if (c->body.len + size * n > REPLY_MOST) {
        c->too_large = true;
        return 0;
    }
    buf_bytes(&c->body, bytes, size * n);
    curl_easy_getinfo(c->curl, CURLINFO_CONTENT_TYPE, &type);
    c->events = type && !strncmp(type, "text/event-stream", 17);
    if (c->events)
        pass_events(&the_bridge, c);
    return size * n;
}

static size_t on_reply_header(char *bytes, size_t size, size_t n, void *call)
{
    const struct mcp_call *c = call;
    struct str line = {bytes, size * n}, name;
    if (c->initializes && str_split(&line, ':', &name) &&
        str_eq_nocase(name, STR("Mcp-Session-Id")))
        str_copy(the_bridge.session, sizeof the_bridge.session, str_trim(line));
    return size * n;
}

static void add_header(struct mcp_stdio *b, struct mcp_call *c,
                       const char *name, struct str value)
{
    struct curl_slist *more = curl_slist_append(
        c->headers,
        arena_printf(&b->arena, "%s: %.*s", name, STR_ARG(value)).ptr);
    c->headers = more ? more : c->headers;
}

/* A header repeats text of the message only as plain ASCII. */
static struct str header_text(struct mcp_stdio *b, struct str text)
{
    bool plain = str_eq(str_trim(text), text) && !str_starts(text, STR("=?"));
    for (size_t i = 0; i < text.len; i++)
        plain = plain && text.ptr[i] >= ' ' && text.ptr[i] <= '~';
    return plain ? text
                 : arena_printf(&b->arena, "=?base64?%.*s?=",
                                STR_ARG(base64_encode(&b->arena, text)));
}

/* The version that a message without a handshake names; or empty. */
static struct str version_named(const json_t *message)
{
    const json_t *params = json_object_get(message, "params");
    return json_get_text(json_object_get(params, "_meta"),
                         META "protocolVersion");
}

static void add_headers(struct mcp_stdio *b, struct mcp_call *c)
{
    const json_t *params = json_object_get(c->message, "params");
    struct str version = version_named(c->message);
    struct str name = json_get_text(params, "name");
    add_header(b, c, "Authorization",
               arena_printf(&b->arena, "Bearer %.*s", STR_ARG(b->token)));
    add_header(b, c, "Content-Type", STR("application/json"));
    add_header(b, c, "Accept", STR("application/json, text/event-stream"));
    add_header(b, c, "Expect", STR(""));
    if (version.len) {
        add_header(b, c, "MCP-Protocol-Version", header_text(b, version));
        add_header(b, c, "Mcp-Method",
                   header_text(b, json_get_text(c->message, "method")));
        add_header(
            b, c, "Mcp-Name",
            header_text(b, name.len ? name : json_get_text(params, "uri")));
        return;
    }
    if (b->version[0] && !c->initializes)
        add_header(b, c, "MCP-Protocol-Version", str_of(b->version));
    if (b->session[0] && !c->initializes)
        add_header(b, c, "Mcp-Session-Id", str_of(b->session));
}

static void end_call(struct mcp_stdio *b, struct mcp_call *c)
{
    curl_multi_remove_handle(b->multi, c->curl);
    curl_easy_cleanup(c->curl);
    curl_slist_free_all(c->headers);
    json_decref(c->message);
    buf_done(&c->body);
    *c = (struct mcp_call){0};
    b->n_calls--;
}

/* Takes over the message. */
static void begin_call(struct mcp_stdio *b, json_t *message, struct str line)
{
    struct mcp_call *c = b->calls;
    while (c->curl)
        c++;
    struct arena_mark mark = arena_mark(&b->arena);
    *c = (struct mcp_call){.curl = curl_easy_init(), .message = message};
    b->n_calls++;
    c->initializes = str_is(json_get_text(message, "method"), "initialize");
    add_headers(b, c);
    curl_easy_setopt(c->curl, CURLOPT_URL, b->url.ptr);
    curl_easy_setopt(c->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(c->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl_easy_setopt(c->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(c->curl, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_S);
    if (b->ca_file)
        curl_easy_setopt(c->curl, CURLOPT_CAINFO, b->ca_file);
    curl_easy_setopt(c->curl, CURLOPT_HTTPHEADER, c->headers);
    curl_easy_setopt(c->curl, CURLOPT_POSTFIELDSIZE, (long)line.len);
    curl_easy_setopt(c->curl, CURLOPT_COPYPOSTFIELDS, line.ptr);
    curl_easy_setopt(c->curl, CURLOPT_WRITEFUNCTION, on_reply_bytes);
    curl_easy_setopt(c->curl, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(c->curl, CURLOPT_HEADERFUNCTION, on_reply_header);
    curl_easy_setopt(c->curl, CURLOPT_HEADERDATA, c);
    curl_easy_setopt(c->curl, CURLOPT_PRIVATE, c);
    curl_multi_add_handle(b->multi, c->curl);
    arena_reset(&b->arena, mark);
}

/* What the server agreed on is said in all later messages. */
static void note_handshake(struct mcp_stdio *b, struct str body)
{
    json_t *reply = json_read(body, NULL);
    str_copy(
        b->version, sizeof b->version,
        json_get_text(json_object_get(reply, "result"), "protocolVersion"));
    json_decref(reply);
}

/* An answer that is no JSON-RPC message: a token that is not valid, a limit, a
 * server that is no Sextant. */
static void pass_refusal(struct mcp_stdio *b, const struct mcp_call *c,
                         long status, struct str body)
{
    json_t *reply = json_read(body, NULL);
    struct str why = json_get_text(reply, "message");
    struct arena_mark mark = arena_mark(&b->arena);
    write_error(b, c->message, -32000,
                why.len ? why
                        : arena_printf(&b->arena,
                                       "The server answered with status %ld.",
                                       status));
    arena_reset(&b->arena, mark);
    json_decref(reply);
}

static void pass_reply(struct mcp_stdio *b, struct mcp_call *c)
{
    struct str body = str_trim(buf_view(&c->body));
    long status = 0;
    curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    json_t *reply = c->events || !body.len ? NULL : json_read(body, NULL);
    bool rpc = json_is_array(reply) || json_object_get(reply, "jsonrpc");
    if (rpc && json_object_get(c->message, "id")) {
        if (c->initializes)
            note_handshake(b, body);
        write_line(b, body);
    } else if (rpc && json_is_array(c->message)) {
        write_line(b, body);
    } else if (!c->events && status != 202) {
        pass_refusal(b, c, status, body);
    }
    json_decref(reply);
}

static void call_over(struct mcp_stdio *b, struct mcp_call *c, CURLcode how)
{
    if (c->too_large)
        write_error(b, c->message, -32000, STR("The answer is too large."));
    else if (how != CURLE_OK)
        write_error(b, c->message, -32000,
                    STR("The server could not be reached, or went away. Is it "
                        "running?"));
    else
        pass_reply(b, c);
    end_call(b, c);
}

/* ---- input ---------------------------------------------------------------- */

/* Without a handshake, a question is cancelled by closing its connection.
 * Returns true if the message was such a notification. */
static bool cancelled(struct mcp_stdio *b, const json_t *message)
{
    const json_t *id =
        json_object_get(json_object_get(message, "params"), "requestId");
    if (b->version[0] ||
        !str_is(json_get_text(message, "method"), "notifications/cancelled"))
        return false;
    for (size_t i = 0; i < CALLS_MOST && id; i++)
        if (b->calls[i].curl &&
            json_equal(json_object_get(b->calls[i].message, "id"), id))
            end_call(b, &b->calls[i]);
    return true;
}

static void take_line(struct mcp_stdio *b, struct str line)
{
    line = str_trim(line);
    if (!line.len)
        return;
    json_t *message = json_read(line, NULL);
    if (!message)
        write_error(b, NULL, -32700, STR("The line is not JSON."));
    else if (cancelled(b, message))
        json_decref(message);
    else
        begin_call(b, message, line);
}

/* While the handshake is in progress nothing else is sent: it needs the
 * session. */
static bool may_send(const struct mcp_stdio *b)
{
    for (size_t i = 0; i < CALLS_MOST; i++)
        if (b->calls[i].curl && b->calls[i].initializes)
            return false;
    return b->n_calls < CALLS_MOST;
}

static void take_lines(struct mcp_stdio *b)
{
    size_t used = 0;
    struct str all = buf_view(&b->input);
    while (may_send(b)) {
        struct str rest = str_from(all, used);
        ptrdiff_t end = str_find_char(rest, '\n');
        if (end < 0 && !(b->input_over && rest.len))
            break;
        size_t n = end < 0 ? rest.len : (size_t)end;
        if (!b->skips)
            take_line(b, str_cut(rest, 0, n));
        b->skips = false;
        used += end < 0 ? n : n + 1;
    }
    buf_drop(&b->input, used);
    if (b->input.len > LINE_MOST &&
        str_find_char(buf_view(&b->input), '\n') < 0) {
        if (!b->skips)
            write_error(b, NULL, -32600, STR("A message has at most 1 MiB."));
        b->skips = true;
        buf_clear(&b->input);
    }
}

static void read_input(struct mcp_stdio *b)
{
    enum { PIECE = 64 * 1024 };
    buf_reserve(&b->input, PIECE);
    ssize_t n = read(STDIN_FILENO, b->input.ptr + b->input.len, PIECE);
    if (n > 0)
        b->input.len += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        b->input_over = true;
}

/* ---- the loop ------------------------------------------------------------- */

static void take_replies(struct mcp_stdio *b)
{
    CURLMsg *m;
    int left;
    while ((m = curl_multi_info_read(b->multi, &left))) {
        char *call = NULL;
        CURLcode how = m->data.result;
        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &call);
        call_over(b, (struct mcp_call *)(void *)call, how);
    }
}

/* Until the client has closed its end and every request is answered. */
static void run_bridge(struct mcp_stdio *b)
{
    int running;
    while (!b->output_gone && (!b->input_over || b->n_calls || b->input.len)) {
        struct curl_waitfd in = {.fd = STDIN_FILENO,
                                 .events = CURL_WAIT_POLLIN};
        bool reads = !b->input_over && b->input.len <= LINE_MOST;
        curl_multi_perform(b->multi, &running);
        take_replies(b);
        take_lines(b);
        if (b->input_over && !b->n_calls)
            continue;
        curl_multi_perform(b->multi, &running);
        curl_multi_poll(b->multi, &in, reads ? 1 : 0, POLL_MS, NULL);
        if (reads && in.revents)
            read_input(b);
    }
    for (size_t i = 0; i < CALLS_MOST; i++)
        if (b->calls[i].curl)
            end_call(b, &b->calls[i]);
}

int cmd_mcp(int argc, char **argv)
{
    struct mcp_stdio *b = &the_bridge;
    struct config config;
    struct arguments args;
    const char *url = NULL, *token = getenv("SEXTANT_TOKEN");
    const struct option own[] = {{"url", NULL, &url}, {0}};
    arena_init(&b->arena, 0);
    bool good = options_read(&b->arena, argc, argv, own, &args, &config);
    if (!good || args.n) {
        arena_done(&b->arena);
        return good ? usage_error("mcp", NULL) : EXIT_USAGE;
    }
    if (!token || !*token) {
        arena_done(&b->arena);
        return usage_error("mcp", "set SEXTANT_TOKEN to a token; `sextant "
                                  "token` prints one");
    }
    struct str base = url ? str_of(url) : server_url(&b->arena, &config);
    while (str_ends(base, STR("/")))
        base.len--;
    b->url = arena_printf(&b->arena, "%.*s/mcp", STR_ARG(base));
    b->token = str_trim(str_of(token));
    b->ca_file = config.ca_file;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    b->multi = curl_multi_init();
    run_bridge(b);
    curl_multi_cleanup(b->multi);
    buf_done(&b->input);
    arena_done(&b->arena);
    return EXIT_OK;
}
