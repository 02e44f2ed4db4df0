/* chats.c - chats: list, create, read, change, remove and restore. */
#include "artifact/vocabulary.h"
#include "base/utf8.h"
#include "../request.h"
#include "store/chats.h"
#include "store/messages.h"
#include <string.h>
#include "base/banned.h"

enum { NAME_MOST = 255, NEWEST = 100 };

/* What a handler keeps between its steps. */
struct chat_work {
    struct chat_page page;
    struct chat_create create;
    struct chat_change change;
    struct removal remove;
    struct chat_restore restore;
    struct message_page messages;
    int status; /* of the response */
    bool with_messages;
};

static struct next chats_found(struct flow *f), chat_made(struct flow *f),
    chat_found(struct flow *f), chat_messages_found(struct flow *f),
    chat_changed(struct flow *f), chat_removed(struct flow *f),
    chat_restored(struct flow *f);

static struct chat_work *chat_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = keep(f, struct chat_work);
    x->page.store = x->create.store = x->messages.store = x->change.store =
        x->remove.store = x->restore.store = request_store(q);
    x->page.user_id = x->create.user_id = x->messages.user_id =
        x->change.user_id = x->remove.user_id = x->restore.user_id = q->user.id;
    x->remove.request_id = x->restore.request_id = q->x->request_id;
    x->page.sort_by = "updatedAt";
    x->page.page = x->page.page_size = 1;
    q->state = x;
    return x;
}

/* ---- GET /chats ---------------------------------------------------------- */

static void read_sorting(struct request *q, struct chat_page *p)
{
    static const char *const keys[] = {"updatedAt", "createdAt", "name"};
    struct str key = STR("updatedAt"), order = STR("desc");
    http_get_query(q->x, "sortBy", &key);
    http_get_query(q->x, "sortOrder", &order);
    p->sort_by = NULL;
    for (int i = 0; i < 3; i++)
        if (str_is(key, keys[i]))
            p->sort_by = keys[i];
    if (!p->sort_by)
        request_invalid(q, "sortBy", "must be updatedAt, createdAt or name");
    if (!str_is(order, "asc") && !str_is(order, "desc"))
        request_invalid(q, "sortOrder", "must be asc or desc");
    p->ascending = str_is(order, "asc");
}

/* "true", "false", or what it was. */
static void read_flag(struct request *q, const char *name, struct str *out)
{
    if (http_get_query(q->x, name, out) && !str_is(*out, "true") &&
        !str_is(*out, "false"))
        request_invalid(q, name, "must be true or false");
}

struct next chats_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_page *p = &chat_work_new(f)->page;
    read_sorting(q, p);
    request_uuid_query(q, "ontologyId", &p->ontology_id);
    request_search(q, &p->search);
    p->archived = p->search.len ? STR("") : STR("false");
    read_flag(q, "archived", &p->archived);
    read_flag(q, "pinned", &p->pinned);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, chat_page_begin, p, chats_found);
}

static struct next chats_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct chat_page *p = &((struct chat_work *)q->state)->page;
    reply_page(q, p->query, chat_write, p->page, p->page_size, p->total);
    return back(f);
}

/* ---- POST /chats --------------------------------------------------------- */

static void read_chat_name(struct request *q, const json_t *name,
                           struct str *out)
{
    *out = utf8_trim(json_text(name));
    size_t n = utf8_count(*out);
    if (!json_is_string(name) || n < 1 || n > NAME_MOST)
        request_invalid(q, "name", "must be 1 to 255 characters");
}

static void read_chat_agent(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "agent");
    *out = str_of(agent_word(AGENT_PIPELINE));
    if (!v || json_is_null(v))
        return;
    *out = json_text(v);
    if (agent_of(*out) == AGENT_KINDS)
        request_invalid(q, "agent", agent_choices());
}

struct next chats_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = chat_work_new(f);
    if (!request_body(q))
        return back(f);
    const json_t *name = json_object_get(q->body, "name");
    if (name && !json_is_null(name))
        read_chat_name(q, name, &x->create.name);
    request_uuid_given(q, "ontologyId", &x->create.ontology_id);
    request_provider(q, &x->create.llm_provider);
    read_chat_agent(q, &x->create.agent);
    if (request_refused(q))
        return back(f);
    x->create.all_ontologies = request_may(q, MAY_ADMIN);
    return call(f, chat_create_begin, &x->create, chat_made);
}

static struct next chat_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = q->state;
    if (!x->create.ontology_found)
        return reply_refusal(f, ERR_NOT_FOUND, "Ontology not found");
    if (!x->create.ontology_ready)
        return reply_refusal(f, ERR_VALIDATION, "The ontology is not ready.");
    x->page.chat_id = x->create.id;
    x->status = 201;
    return call(f, chat_page_begin, &x->page, chat_found);
}

/* ---- GET /chats/:chatId -------------------------------------------------- */

struct next chats_get(struct flow *f)
{
    struct chat_work *x = chat_work_new(f);
    if (!request_uuid(REQUEST(f), "chatId", &x->page.chat_id))
        return back(f);
    x->status = 200;
    x->with_messages = true;
    return call(f, chat_page_begin, &x->page, chat_found);
}

static struct next chat_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = q->state;
    if (x->page.query->n_rows == 0)
        return reply_refusal(f, ERR_NOT_FOUND, "Chat not found");
    if (!x->with_messages)
        return go(f, chat_messages_found);
    x->messages.chat_id = x->page.chat_id;
    x->messages.descending = true; /* the newest ones, shown oldest first */
    x->messages.page = 1;
    x->messages.page_size = NEWEST;
    return call(f, message_page_begin, &x->messages, chat_messages_found);
}

static struct next chat_messages_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct chat_work *x = q->state;
    const struct query *m = x->messages.query;
    struct api_reply r;
    reply_open_object(q, &r);
    chat_write(&r.w, x->page.query, 0);
    if (x->with_messages || x->status == 201) { /* a new chat has no messages */
        json_field_array(&r.w, "messages");
        for (int i = m ? m->n_rows - 1 : -1; i >= 0; i--) {
            json_put_object(&r.w);
            message_write(&r.w, m, i);
            json_put_object_end(&r.w);
        }
        json_put_array_end(&r.w);
    }
    json_put_object_end(&r.w);
    http_set_etag(q->x,
                  chat_tag(&q->memory, x->page.query, 0, buf_view(&r.out)));
    reply_send(q, &r, x->status);
    return back(f);
}

/* ---- PATCH /chats/:chatId ------------------------------------------------ */

static void read_switch(struct request *q, const char *field, struct str *out)
{
    bool on;
    if (request_bool_given(q, field, &on))
        *out = on ? STR("true") : STR("false");
}

struct next chats_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = chat_work_new(f);
    struct chat_change *c = &x->change;
    if (!request_uuid(q, "chatId", &c->chat_id) || !request_body(q))
        return back(f);
    const json_t *name = json_object_get(q->body, "name");
    if (name)
        read_chat_name(q, name, &c->name);
    c->set_provider = json_object_get(q->body, "llmProvider") != NULL;
    request_provider(q, &c->llm_provider);
    read_switch(q, "pinned", &c->pinned);
    read_switch(q, "archived", &c->archived);
    if (json_object_get(q->body, "agent"))
        request_invalid(q, "agent", "cannot be changed");
    c->if_match = http_get_header(q->x, "If-Match");
    if (request_refused(q))
        return back(f);
    return call(f, chat_change_begin, c, chat_changed);
}

static struct next chat_changed(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = q->state;
    if (x->change.found && !x->change.matched)
        return reply_refusal(f, ERR_CONFLICT,
                             "The chat was changed by another request.");
    x->page.chat_id = x->change.chat_id;
    x->status = 200;
    return call(f, chat_page_begin, &x->page, chat_found);
}

/* ---- DELETE /chats/:chatId ----------------------------------------------- */

struct next chats_remove(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct removal *r = &chat_work_new(f)->remove;
    if (!request_uuid(q, "chatId", &r->id))
        return back(f);
    return call(f, removal_begin, r, chat_removed);
}

static struct next chat_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct chat_work *x = q->state;
    if (request_removed(q, &x->remove, "Chat not found"))
        reply_empty(q, 204);
    return back(f);
}

/* ---- POST /chats/:chatId/restore ----------------------------------------- */

struct next chats_restore(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_restore *r = &chat_work_new(f)->restore;
    if (!request_uuid(q, "chatId", &r->chat_id))
        return back(f);
    return call(f, chat_restore_begin, r, chat_restored);
}

static struct next chat_restored(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chat_work *x = q->state;
    if (!x->restore.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Chat not found");
    x->page.chat_id = x->restore.chat_id;
    x->status = 200;
    return call(f, chat_page_begin, &x->page, chat_found);
}
