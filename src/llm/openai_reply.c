/* openai_reply.c - parses a chunk of a chat completion, or a whole one, which
 * differs only in "message" for "delta".
 *
 * Compatible servers omit some parts: the role, the index of a tool call,
 * usage, [DONE]. Some send the arguments of a tool call as an object, some give
 * several tool calls the same index with different ids. */
#include "openai.h"
#include "base/scan.h"
#include <string.h>
#include "base/banned.h"

/* ---- tool calls --------------------------------------------------------- */

struct fragment {
    bool has_index;
    int64_t index;
    struct str id, name, arguments; /* JSON texts */
};

static void read_function(struct scan *s, struct fragment *part)
{
    struct str key;
    if (!scan_object(s))
        return;
    while (scan_member(s, &key)) {
        struct str value = scan_skip(s);
        if (str_is(key, "name"))
            part->name = value;
        else if (str_is(key, "arguments"))
            part->arguments = value;
    }
}

static struct fragment read_fragment(struct scan *s)
{
    struct fragment part = {0};
    struct str key;
    if (!scan_object(s))
        return part;
    while (scan_member(s, &key)) {
        if (str_is(key, "index")) {
            part.has_index = scan_peek(s) != 'n';
            part.index = scan_int(s, 0);
        } else if (str_is(key, "id")) {
            part.id = scan_skip(s);
        } else if (str_is(key, "function")) {
            read_function(s, &part);
        } else {
            scan_skip(s);
        }
    }
    return part;
}

/* Appends the text of a JSON string, or an object as JSON. */
static void append_text(struct buf *out, struct str json)
{
    struct scan s = scan_of(json);
    if (scan_peek(&s) == '"')
        scan_string(&s, out);
    else if (json.len && !str_is(json, "null"))
        buf_str(out, json);
}

/* Whether there is an id, and it is not that of t. */
static bool has_other_id(const struct llm_partial_tool *t, struct str id_json)
{
    return t->id.len && id_json.len > 2 && *id_json.ptr == '"' &&
           !str_eq(str_cut(id_json, 1, id_json.len - 2), buf_view(&t->id));
}

static struct llm_partial_tool *find_tool(struct llm_reply *r,
                                          const struct fragment *part)
{
    int64_t last = r->n_tools ? r->tools[r->n_tools - 1].index : -1;
    if (!part->has_index) /* the first fragment has a name, later ones do not */
        return llm_reply_tool(r, part->name.len || last < 0 ? last + 1 : last);
    struct llm_partial_tool *t = llm_reply_tool(r, part->index);
    if (t && has_other_id(t, part->id))
        return llm_reply_tool(r, last + 1);
    return t;
}

static void read_tool_calls(struct llm_reply *r, struct scan *s)
{
    if (!scan_array(s))
        return;
    while (scan_element(s)) {
        struct fragment part = read_fragment(s);
        struct llm_partial_tool *t = find_tool(r, &part);
        if (!t)
            return;
        if (!t->id.len)
            append_text(&t->id, part.id);
        if (!t->name.len)
            append_text(&t->name, part.name);
        append_text(&t->arguments, part.arguments);
    }
}

/* ---- choices ------------------------------------------------------------ */

static void read_content(struct llm_reply *r, struct scan *s)
{
    size_t before = r->content.len;
    scan_string(s, &r->content);
    llm_reply_show(r, before);
}

static void read_refusal(struct llm_reply *r, struct scan *s)
{
    size_t before = r->refusal.len;
    scan_string(s, &r->refusal);
    r->useful = r->useful || r->refusal.len > before;
}

/* Reasoning is not kept, but shows that the model is working. */
static void read_thought(struct llm_reply *r, struct scan *s)
{
    size_t n = scan_skip(s).len;
    bool any = n > 4; /* not "" or null */
    r->thoughts += any ? n - 2 : 0;
    r->useful = r->useful || any;
}

static void read_delta(struct llm_reply *r, struct scan *s)
{
    struct str key;
    if (!scan_object(s))
        return;
    while (scan_member(s, &key)) {
        if (str_is(key, "content"))
            read_content(r, s);
        else if (str_is(key, "tool_calls"))
            read_tool_calls(r, s);
        else if (str_is(key, "refusal"))
            read_refusal(r, s);
        else if (str_starts(key, STR("reasoning")))
            read_thought(r, s);
        else
            scan_skip(s);
    }
}

static void read_finish(struct llm_reply *r, struct scan *s)
{
    static const struct {
        const char *word;
        enum llm_finish how;
    } known[] = {
        {"\"stop\"", LLM_STOP},
        {"\"tool_calls\"", LLM_TOOL_CALLS},
        {"\"function_call\"", LLM_TOOL_CALLS},
        {"\"length\"", LLM_LENGTH},
        {"\"content_filter\"", LLM_FILTERED},
    };
    struct str word = scan_skip(s);
    if (word.len < 3 || *word.ptr != '"')
        return; /* null or "": not finished */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(word, known[i].word)) {
            llm_reply_finish(r, known[i].how);
            return;
        }
    llm_reply_finish(r, LLM_STOP); /* "eos" and the like */
}

static void read_choices(struct llm_reply *r, struct scan *s)
{
    struct str key;
    if (!scan_array(s))
        return;
    while (scan_element(s)) {
        if (!scan_object(s))
            continue;
        while (scan_member(s, &key)) {
            if (str_is(key, "delta") || str_is(key, "message"))
                read_delta(r, s);
            else if (str_is(key, "finish_reason"))
                read_finish(r, s);
            else
                scan_skip(s);
        }
    }
}

/* ---- usage, errors ------------------------------------------------------ */

static void read_usage(struct llm_reply *r, struct scan *s)
{
    struct llm_usage *u = &r->usage;
    struct str key;
    if (!scan_object(s))
        return; /* null in all chunks but the last */
    while (scan_member(s, &key)) {
        if (str_is(key, "prompt_tokens"))
            u->prompt = scan_int(s, u->prompt);
        else if (str_is(key, "completion_tokens"))
            u->completion = scan_int(s, u->completion);
        else if (str_is(key, "total_tokens"))
            u->total = scan_int(s, u->total);
        else if (str_is(key, "prompt_tokens_details"))
            u->cached = scan_get_int(scan_skip(s), "cached_tokens", u->cached);
        else if (str_is(key, "completion_tokens_details"))
            u->reasoning =
                scan_get_int(scan_skip(s), "reasoning_tokens", u->reasoning);
        else
            scan_skip(s);
    }
    if (!u->total)
        u->total = u->prompt + u->completion;
    r->usage_known = true;
}

static bool is_permanent(struct str code)
{
    return str_find(code, STR("invalid")) >= 0 ||
           str_find(code, STR("quota")) >= 0 ||
           str_find(code, STR("not_found")) >= 0;
}

/* {"error": {"type", "code", "message"}}, or a bare text. */
static void read_error(struct llm_reply *r, struct scan *s)
{
    struct str key;
    struct buf code = {0}, text = {0};
    if (scan_peek(s) == 'n') {
        scan_skip(s);
        return;
    }
    if (scan_peek(s) == '"')
        scan_string(s, &text);
    else if (scan_object(s))
        while (scan_member(s, &key)) {
            bool named = str_is(key, "code") || str_is(key, "type");
            if (named && code.len == 0)
                scan_string(s, &code);
            else if (str_is(key, "message"))
                scan_string(s, &text);
            else
                scan_skip(s);
        }
    struct str name = buf_view(&code);
    llm_reply_error(
        r, is_permanent(name) ? ERR_MODEL_REFUSED : ERR_MODEL_UNAVAILABLE, name,
        buf_view(&text));
    buf_done(&code);
    buf_done(&text);
}

bool openai_on_event(struct llm_reply *r, struct str type, struct str data)
{
    struct str key;
    data = str_trim(data);
    if (str_is(data, "[DONE]")) {
        r->done = true;
        return true;
    }
    struct scan s = scan_of(data);
    if (!scan_object(&s))
        return false;
    while (scan_member(&s, &key)) {
        if (str_is(key, "choices"))
            read_choices(r, &s);
        else if (str_is(key, "usage"))
            read_usage(r, &s);
        else if (str_is(key, "error"))
            read_error(r, &s);
        else
            scan_skip(&s);
    }
    if (str_is(type, "whole"))
        r->done = true;
    return !s.bad;
}
