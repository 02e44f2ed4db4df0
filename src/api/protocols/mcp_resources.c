/* mcp_resources.c - the resources of the MCP server: semantic models
 * (sextant://ontologies/ID) and answers (sextant://answers/ID).
 *
 *   mcp_resources_list -> list_ontologies_known -> list_answers_known
 *   mcp_resources_read -> read_ontology_known -> read_text_known
 *                      -> read_answer_known */
#include "base/random.h"
#include "mcp.h"
#include "base/banned.h"

#define ONTOLOGIES "sextant://ontologies/"
#define ANSWERS "sextant://answers/"

static struct next list_ontologies_known(struct flow *f),
    list_answers_known(struct flow *f), read_ontology_known(struct flow *f),
    read_text_known(struct flow *f), read_answer_known(struct flow *f);

static struct next find_models(struct flow *f, struct str wanted)
{
    struct mcp *m = mcp_of(f);
    struct request *q = m->request;
    m->ontologies = (struct askable_list){.store = request_store(q),
                                          .user_id = q->user.id,
                                          .all = request_may(q, MAY_ADMIN),
                                          .wanted = wanted};
    return wanted.len ? call(f, askable_list_begin, &m->ontologies,
                             read_ontology_known)
                      : call(f, askable_list_begin, &m->ontologies,
                             list_ontologies_known);
}

/* ---- list ---------------------------------------------------------------- */

struct next mcp_resources_list(struct flow *f)
{
    return find_models(f, STR(""));
}

static struct next list_ontologies_known(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    m->recent = (struct recent_answers){.store = request_store(m->request),
                                        .user_id = m->request->user.id};
    return call(f, recent_answers_begin, &m->recent, list_answers_known);
}

static void put_resource(struct json_writer *w, struct str uri, struct str name,
                         struct str about, const char *media_type)
{
    json_put_object(w);
    json_field_str(w, "uri", uri);
    json_field_str(w, "name", name);
    if (about.len)
        json_field_str(w, "description", about);
    json_field_text(w, "mimeType", media_type);
    json_put_object_end(w);
}

static struct next list_answers_known(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct arena *memory = &m->request->memory;
    struct api_reply r;
    mcp_open(m, &r);
    json_field_array(&r.w, "resources");
    for (size_t i = 0; i < m->ontologies.n; i++) {
        const struct askable *a = &m->ontologies.items[i];
        put_resource(&r.w,
                     arena_printf(memory, ONTOLOGIES "%.*s", STR_ARG(a->id)),
                     a->name, a->description, "application/yaml");
    }
    for (size_t i = 0; i < m->recent.n; i++) {
        const struct recent_answer *a = &m->recent.items[i];
        put_resource(&r.w, arena_printf(memory, ANSWERS "%.*s", STR_ARG(a->id)),
                     a->question, STR(""), "application/json");
    }
    json_put_array_end(&r.w);
    mcp_put_caching(m, &r.w);
    return mcp_answer(f, &r);
}

/* ---- read ---------------------------------------------------------------- */

static struct next no_resource(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct buf data;
    struct json_writer w;
    buf_init(&data, &m->request->memory);
    json_writer_init(&w, &data);
    json_put_object(&w);
    json_field_str(&w, "uri", json_get_text(m->params, "uri"));
    json_put_object_end(&w);
    return mcp_refuse(f, m->modern ? MCP_INVALID_PARAMS : MCP_NO_RESOURCE,
                      STR("There is no such resource."), buf_view(&data));
}

struct next mcp_resources_read(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct str uri = json_get_text(m->params, "uri");
    if (str_starts(uri, STR(ONTOLOGIES))) {
        struct str id = str_from(uri, sizeof ONTOLOGIES - 1);
        bool may = request_may(m->request, MAY_SEMANTIC_MODELS_READ);
        return uuid_valid(id) && may ? find_models(f, id) : no_resource(f);
    }
    m->answer =
        (struct answer_read){.store = request_store(m->request),
                             .user_id = m->request->user.id,
                             .answer_id = str_from(uri, sizeof ANSWERS - 1)};
    if (!str_starts(uri, STR(ANSWERS)) || !uuid_valid(m->answer.answer_id))
        return no_resource(f);
    return call(f, answer_read_begin, &m->answer, read_answer_known);
}

static struct next read_ontology_known(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    if (!m->ontologies.n)
        return no_resource(f);
    m->text = (struct semantic_model_text){
        .store = request_store(m->request),
        .user_id = m->request->user.id,
        .model_id = m->ontologies.items[0].model_id,
        .all = request_may(m->request, MAY_ADMIN)};
    return attempt(f, semantic_model_text_begin, &m->text, read_text_known,
                   no_resource);
}

static struct next answer_contents(struct flow *f, const char *media_type,
                                   struct str text)
{
    struct mcp *m = mcp_of(f);
    struct api_reply r;
    mcp_open(m, &r);
    json_field_array(&r.w, "contents");
    json_put_object(&r.w);
    json_field_str(&r.w, "uri", json_get_text(m->params, "uri"));
    json_field_text(&r.w, "mimeType", media_type);
    json_field_str(&r.w, "text", text);
    json_put_object_end(&r.w);
    json_put_array_end(&r.w);
    mcp_put_caching(m, &r.w);
    return mcp_answer(f, &r);
}

static struct next read_text_known(struct flow *f)
{
    return answer_contents(f, "application/yaml", mcp_of(f)->text.text);
}

static struct next read_answer_known(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct buf out;
    struct json_writer w;
    if (!m->answer.found)
        return no_resource(f);
    buf_init(&out, &m->request->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    mcp_put_answer(&w, &m->answer);
    json_put_object_end(&w);
    return answer_contents(f, "application/json", buf_view(&out));
}
