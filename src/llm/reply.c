/* reply.c - collects a reply while it arrives. It grows inside curl, so it is
 * on the heap; call.c bounds its size. */
#include "base/mem.h"
#include "llm/provider.h"
#include "base/banned.h"

void llm_reply_init(struct llm_reply *r, const struct llm_call *call)
{
    *r = (struct llm_reply){.call = call};
}

void llm_reply_done(struct llm_reply *r)
{
    for (size_t i = 0; i < r->n_tools; i++) {
        buf_done(&r->tools[i].id);
        buf_done(&r->tools[i].name);
        buf_done(&r->tools[i].arguments);
    }
    mem_free(r->tools);
    buf_done(&r->content);
    buf_done(&r->refusal);
    buf_done(&r->raw);
    buf_done(&r->error_text);
    buf_done(&r->block_text);
    buf_done(&r->block_signature);
    buf_done(&r->block_start);
    llm_reply_init(r, r->call);
}

void llm_reply_show(struct llm_reply *r, size_t from)
{
    struct str piece = str_from(buf_view(&r->content), from);
    if (!piece.len)
        return;
    r->useful = true;
    if (!r->call->on_text)
        return;
    r->shown = true;
    r->call->on_text(r->call->who, piece);
}

struct llm_partial_tool *llm_reply_tool(struct llm_reply *r, int64_t index)
{
    r->useful = true;
    for (size_t i = r->n_tools; i-- > 0;)
        if (r->tools[i].index == index)
            return &r->tools[i];
    if (r->n_tools == LLM_MOST_TOOL_CALLS) {
        r->bad = "too many tool calls";
        return NULL;
    }
    if (r->n_tools % 4 == 0)
        r->tools = mem_resize(r->tools, (r->n_tools + 4) * sizeof *r->tools);
    struct llm_partial_tool *t = &r->tools[r->n_tools++];
    *t = (struct llm_partial_tool){.index = index};
    return t;
}

void llm_reply_error(struct llm_reply *r, enum err e, struct str code,
                     struct str text)
{
    if (r->error != OK)
        return;
    r->error = e;
    str_copy(r->error_code, sizeof r->error_code, code);
    buf_str(&r->error_text, text);
}

size_t llm_reply_size(const struct llm_reply *r)
{
    size_t size = r->content.len + r->refusal.len + r->thoughts;
    for (size_t i = 0; i < r->n_tools; i++)
        size += r->tools[i].name.len + r->tools[i].arguments.len;
    return size;
}

void llm_reply_finish(struct llm_reply *r, enum llm_finish how)
{
    r->finished = true;
    r->finish = how;
}
