/* anthropic_reply.c - parses the events of a message, or a whole message.
 *
 * A message is a sequence of blocks; each starts, gets deltas and stops.
 * Finished blocks are written to `raw`, which the next round sends back.
 * Unknown blocks and events are skipped, but unknown blocks are kept in
 * `raw`. */
#include "anthropic.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/banned.h"

enum message_block {
    BLOCK_NONE,
    BLOCK_TEXT,
    BLOCK_TOOL,
    BLOCK_ANSWER, /* a call of the tool that carries the structured output */
    BLOCK_THINKING,
    BLOCK_OTHER,
};

struct str anthropic_input(struct str arguments)
{
    json_t *v = json_read(arguments, NULL);
    bool usable = json_is_object(v);
    json_decref(v);
    return usable ? arguments : STR("{}");
}

/* ---- a block ends ------------------------------------------------------- */

static void write_tool(struct json_writer *w, const struct llm_partial_tool *t)
{
    json_field_text(w, "type", "tool_use");
    json_field_str(w, "id", buf_view(&t->id));
    json_field_str(w, "name", buf_view(&t->name));
    json_field_raw(w, "input", anthropic_input(buf_view(&t->arguments)));
}

static void write_block(struct llm_reply *r)
{
    struct json_writer w;
    json_writer_init(&w, &r->raw);
    json_put_object(&w);
    if (r->block == BLOCK_TOOL) {
        write_tool(&w, &r->tools[r->block_tool]);
    } else if (r->block == BLOCK_THINKING) {
        json_field_text(&w, "type", "thinking");
        json_field_str(&w, "thinking", buf_view(&r->block_text));
        json_field_str(&w, "signature", buf_view(&r->block_signature));
    } else {
        json_field_text(&w, "type", "text");
        json_field_str(&w, "text", buf_view(&r->block_text));
    }
    json_put_object_end(&w);
}

static void end_block(struct llm_reply *r)
{
    bool empty = (r->block == BLOCK_TEXT || r->block == BLOCK_ANSWER) &&
                 !r->block_text.len; /* refused by the server when sent back */
    if (r->block != BLOCK_NONE && !empty) {
        if (r->raw.len)
            buf_char(&r->raw, ',');
        if (r->block == BLOCK_OTHER)
            buf_str(&r->raw, buf_view(&r->block_start));
        else
            write_block(r);
    }
    r->block = BLOCK_NONE;
    buf_clear(&r->block_text);
    buf_clear(&r->block_signature);
    buf_clear(&r->block_start);
}

/* ---- its pieces --------------------------------------------------------- */

/* Text of a text block or of the structured output, from a JSON string. */
static void add_text(struct llm_reply *r, struct scan *s)
{
    size_t from = r->content.len;
    scan_string(s, &r->content);
    buf_str(&r->block_text, str_from(buf_view(&r->content), from));
    llm_reply_show(r, from);
}

static void add_thought(struct llm_reply *r, struct scan *s, struct buf *to)
{
    size_t from = to->len;
    scan_string(s, to);
    r->useful = r->useful || to->len > from;
    r->thoughts += to == &r->block_text ? to->len - from : 0;
}

static void add_arguments(struct llm_reply *r, struct scan *s)
{
    if (r->block == BLOCK_ANSWER) {
        add_text(r, s);
    } else if (r->block == BLOCK_TOOL) {
        scan_string(s, &r->tools[r->block_tool].arguments);
        r->useful = true;
    } else {
        scan_skip(s);
    }
}

static void read_delta(struct llm_reply *r, struct scan *s)
{
    struct str key;
    if (!scan_object(s))
        return;
    while (scan_member(s, &key)) {
        if (str_is(key, "text") && r->block == BLOCK_TEXT)
            add_text(r, s);
        else if (str_is(key, "partial_json"))
            add_arguments(r, s);
        else if (str_is(key, "thinking") && r->block == BLOCK_THINKING)
            add_thought(r, s, &r->block_text);
        else if (str_is(key, "signature") && r->block == BLOCK_THINKING)
            add_thought(r, s, &r->block_signature);
        else
            scan_skip(s);
    }
}

/* ---- a block begins ----------------------------------------------------- */

static void begin_tool(struct llm_reply *r, struct str start)
{
    struct buf name = {0};
    struct scan s = scan_of(scan_get(start, "name"));
    struct str input = scan_get(start, "input");
    scan_string(&s, &name);
    const struct str schema = r->call->schema_name;
    if (schema.len && str_eq(buf_view(&name), schema)) {
        r->block = BLOCK_ANSWER;
        if (input.len > 2) {
            buf_str(&r->content, input);
            buf_str(&r->block_text, input);
            llm_reply_show(r, r->content.len - input.len);
        }
        buf_done(&name);
        return;
    }
    struct llm_partial_tool *t = llm_reply_tool(r, (int64_t)r->n_tools);
    r->block = t ? BLOCK_TOOL : BLOCK_NONE;
    if (t) {
        r->block_tool = r->n_tools - 1;
        struct scan id = scan_of(scan_get(start, "id"));
        scan_string(&id, &t->id);
        buf_str(&t->name, buf_view(&name));
        if (input.len > 2) /* {} only announces the deltas */
            buf_str(&t->arguments, input);
    }
    buf_done(&name);
}

static void begin_block(struct llm_reply *r, struct str start)
{
    struct str type = scan_get(start, "type");
    end_block(r);
    struct scan s = scan_of(start);
    if (str_is(type, "\"tool_use\"")) {
        begin_tool(r, start);
    } else if (str_is(type, "\"text\"")) {
        r->block = BLOCK_TEXT;
        read_delta(r, &s); /* may already contain text */
    } else if (str_is(type, "\"thinking\"")) {
        r->block = BLOCK_THINKING;
        r->useful = true;
        read_delta(r, &s);
    } else {
        r->block = BLOCK_OTHER;
        buf_str(&r->block_start, start);
        r->useful = true;
    }
}

/* ---- around the blocks -------------------------------------------------- */

static void read_usage(struct llm_reply *r, struct str usage)
{
    struct llm_usage *u = &r->usage;
    struct str key;
    struct scan s = scan_of(usage);
    int64_t input = -1, read = 0, written = 0;
    if (!scan_object(&s))
        return;
    while (scan_member(&s, &key)) {
        if (str_is(key, "input_tokens"))
            input = scan_int(&s, -1);
        else if (str_is(key, "cache_read_input_tokens"))
            read = scan_int(&s, 0);
        else if (str_is(key, "cache_creation_input_tokens"))
            written = scan_int(&s, 0);
        else if (str_is(key, "output_tokens"))
            u->completion = scan_int(&s, u->completion);
        else if (str_is(key, "output_tokens_details"))
            u->reasoning =
                scan_get_int(scan_skip(&s), "thinking_tokens", u->reasoning);
        else
            scan_skip(&s);
    }
    if (input >= 0 && input + read + written > u->prompt) {
        u->prompt = input + read + written;
        u->cached = read;
    }
    u->total = u->prompt + u->completion;
    r->usage_known = true;
}

static void read_stop(struct llm_reply *r, struct str reason)
{
    if (reason.len < 3 || *reason.ptr != '"')
        return; /* null */
    enum llm_finish how = LLM_STOP;
    if (str_is(reason, "\"tool_use\""))
        how = LLM_TOOL_CALLS;
    else if (str_is(reason, "\"max_tokens\"") ||
             str_is(reason, "\"model_context_window_exceeded\""))
        how = LLM_LENGTH;
    else if (str_is(reason, "\"refusal\""))
        how = LLM_FILTERED;
    llm_reply_finish(r, how);
}

static void read_error(struct llm_reply *r, struct str error)
{
    struct str type = scan_get(error, "type");
    if (type.len > 2)
        type = str_cut(type, 1, type.len - 2);
    bool passing = str_is(type, "overloaded_error") ||
                   str_is(type, "rate_limit_error") ||
                   str_is(type, "api_error") || str_is(type, "timeout_error");
    struct scan message = scan_of(scan_get(error, "message"));
    struct buf text = {0};
    if (scan_peek(&message) == '"')
        scan_string(&message, &text);
    llm_reply_error(r, passing ? ERR_MODEL_UNAVAILABLE : ERR_MODEL_REFUSED,
                    type, buf_view(&text));
    buf_done(&text);
}

static void read_whole(struct llm_reply *r, struct str data)
{
    struct scan s = scan_of(scan_get(data, "content"));
    if (str_is(scan_get(data, "type"), "\"error\""))
        read_error(r, scan_get(data, "error"));
    if (s.at < s.end && scan_array(&s))
        while (scan_element(&s)) {
            begin_block(r, scan_skip(&s));
            end_block(r);
        }
    read_usage(r, scan_get(data, "usage"));
    read_stop(r, scan_get(data, "stop_reason"));
    r->done = true;
}

static void read_event(struct llm_reply *r, struct str type, struct str data)
{
    if (str_is(type, "content_block_delta")) {
        struct scan s = scan_of(scan_get(data, "delta"));
        read_delta(r, &s);
    } else if (str_is(type, "content_block_start")) {
        begin_block(r, scan_get(data, "content_block"));
    } else if (str_is(type, "content_block_stop")) {
        end_block(r);
    } else if (str_is(type, "message_start")) {
        read_usage(r, scan_get(scan_get(data, "message"), "usage"));
    } else if (str_is(type, "message_delta")) {
        read_stop(r, scan_get(scan_get(data, "delta"), "stop_reason"));
        read_usage(r, scan_get(data, "usage"));
    } else if (str_is(type, "message_stop")) {
        end_block(r);
        r->done = true;
    } else if (str_is(type, "error")) {
        read_error(r, scan_get(data, "error"));
        r->done = true;
    }
}

bool anthropic_on_event(struct llm_reply *r, struct str type, struct str data)
{
    struct scan whole = scan_of(data);
    if (scan_peek(&whole) != '{')
        return false;
    scan_skip(&whole);
    if (whole.bad)
        return false;
    if (str_is(type, "whole")) {
        read_whole(r, data);
        return true;
    }
    if (str_is(type, "message")) { /* the event was not named */
        struct str own_type = scan_get(data, "type");
        type = own_type.len > 2 ? str_cut(own_type, 1, own_type.len - 2) : type;
    }
    read_event(r, type, data);
    return true;
}
