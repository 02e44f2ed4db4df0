/* openapi.c - writes routes.def as an OpenAPI 3.1 document. */
#include "openapi.h"
#include "api/api.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

#define OPENAI_ERROR "#/components/responses/OpenAiError"

static const char about_all[] =
    "Answers questions about data and shows the sources. Success is "
    "{\"data\": …}, a failure is an Error. Unknown names in a body are "
    "ignored. Every response has X-Request-Id.";

/* ---- parameters and bodies ----------------------------------------------- */

static void put_parameter(struct json_writer *w, struct described_field *p,
                          const char *place)
{
    bool path = !strcmp(place, "path");
    json_put_object(w);
    json_field_str(w, "name", p->name);
    json_field_text(w, "in", place);
    if (path || !p->optional)
        json_field_bool(w, "required", true);
    json_field_object(w, "schema");
    type_write(w, p->type, "");
    json_put_object_end(w);
    json_put_object_end(w);
}

/* A path parameter is a UUID unless the operation says otherwise. */
static struct str path_type(const struct operation *o, struct str name)
{
    struct str rest = str_of(o->parameters);
    struct described_field p;
    while (next_field(&rest, &p))
        if (!strcmp(parameter_place(&p), "path") && str_eq(p.name, name))
            return p.type;
    return STR("uuid");
}

static void put_parameter_list(struct json_writer *w,
                               const struct described_route *r,
                               const struct operation *o)
{
    struct str rest = str_of(r->pattern), segment;
    struct described_field p;
    json_field_array(w, "parameters");
    while (str_split(&rest, '/', &segment)) {
        if (!segment.len || *segment.ptr != ':')
            continue;
        struct str name = str_from(segment, 1);
        put_parameter(w, &(struct described_field){name, path_type(o, name), 0},
                      "path");
    }
    rest = str_of(o->parameters);
    while (next_field(&rest, &p)) {
        const char *place = parameter_place(&p);
        if (strcmp(place, "path") != 0)
            put_parameter(w, &p, place);
    }
    json_put_array_end(w);
}

/* One form of the body: JSON of a type, or bytes of a media type. */
static void put_body_form(struct json_writer *w, struct str media,
                          struct str type)
{
    json_put_key_str(w, media);
    json_put_object(w);
    json_field_object(w, "schema");
    if (type.len) {
        type_write(w, type, "");
    } else {
        json_field_text(w, "type", "string");
        json_field_text(w, "format", "binary");
    }
    json_put_object_end(w);
    json_put_object_end(w);
}

static void put_body(struct json_writer *w, const struct operation *o)
{
    struct str type = str_of(o->body), media;
    bool optional = str_ends(type, STR("?"));
    if (!type.len)
        return;
    json_field_object(w, "requestBody");
    json_field_bool(w, "required", !optional);
    json_field_object(w, "content");
    if (str_find_char(type, '/') < 0)
        put_body_form(w, STR("application/json"),
                      str_cut(type, 0, type.len - optional));
    else
        while (str_split(&type, ' ', &media))
            put_body_form(w, media, (struct str){0});
    json_put_object_end(w);
    json_put_object_end(w);
}

/* ---- answers ------------------------------------------------------------- */

static void put_raw_property(struct json_writer *w, const char *name,
                             struct str type)
{
    json_field_object(w, name);
    type_write(w, type, "");
    json_put_object_end(w);
}

static void put_page(struct json_writer *w, struct str type)
{
    static const char *const counts[] = {"total", "page", "pageSize",
                                         "totalPages"};
    json_field_text(w, "type", "object");
    json_field_object(w, "properties");
    json_field_object(w, "items");
    json_field_text(w, "type", "array");
    json_field_object(w, "items");
    type_write(w, type, "");
    json_put_object_end(w);
    json_put_object_end(w);
    put_raw_property(w, "pagination", STR("Pagination"));
    for (int i = 0; i < 4; i++)
        put_raw_property(w, counts[i], STR("integer"));
    json_put_object_end(w);
    json_field_raw(w, "required",
                   STR("[\"items\",\"pagination\",\"total\",\"page\","
                       "\"pageSize\",\"totalPages\"]"));
}

static void put_wrapped(struct json_writer *w, enum answer_form form,
                        struct str type)
{
    json_field_text(w, "type", "object");
    json_field_object(w, "properties");
    json_field_object(w, "data");
    if (form == ANSWER_PAGE)
        put_page(w, type);
    else
        type_write(w, type, "");
    json_put_object_end(w);
    if (form == ANSWER_META)
        json_field_raw(w, "meta",
                       STR("{\"type\":\"object\",\"properties\":{\"timestamp\":"
                           "{\"type\":\"string\",\"format\":\"date-time\"}},"
                           "\"required\":[\"timestamp\"]}"));
    json_put_object_end(w);
    json_field_raw(w, "required",
                   form == ANSWER_META ? STR("[\"data\",\"meta\"]")
                                       : STR("[\"data\"]"));
}

static void put_media_type(struct json_writer *w, struct str name,
                           enum answer_form form, struct str type)
{
    json_put_key_str(w, name);
    json_put_object(w);
    json_field_object(w, "schema");
    if (form == ANSWER_EVENTS)
        type_write(w, type, "");
    else if (form == ANSWER_BARE)
        type_write(w, type, "");
    else if (form == ANSWER_TEXT && str_ends(name, STR("json")))
        json_field_text(w, "type", "object");
    else if (form == ANSWER_TEXT)
        json_field_text(w, "type", "string");
    else
        put_wrapped(w, form, type);
    json_put_object_end(w);
    json_put_object_end(w);
}

static void put_content_object(struct json_writer *w, const struct operation *o)
{
    struct str type, name;
    enum answer_form form = answer_form(o, &type);
    if (form == ANSWER_NONE)
        return;
    json_field_object(w, "content");
    if (form == ANSWER_TEXT)
        for (struct str rest = type; str_split(&rest, ' ', &name);)
            put_media_type(w, name, form, type);
    else
        put_media_type(w,
                       form == ANSWER_EVENTS ? STR("text/event-stream")
                                             : STR("application/json"),
                       form, type);
    json_put_object_end(w);
}

static void put_responses(struct json_writer *w,
                          const struct described_route *r,
                          const struct operation *o)
{
    int statuses[REFUSALS_MOST], n = operation_refusals(r, statuses);
    bool openai = !strncmp(r->pattern, "/v1/", 4);
    char key[8];
    json_field_object(w, "responses");
    snprintf(key, sizeof key, "%d", o->status);
    json_field_object(w, key);
    json_field_text(w, "description",
                    *o->answer ? "Success" : "Success without content");
    put_content_object(w, o);
    json_put_object_end(w);
    for (int i = 0; i < n; i++) {
        snprintf(key, sizeof key, "%d", statuses[i]);
        char link[48] = OPENAI_ERROR;
        if (!openai)
            snprintf(link, sizeof link, "#/components/responses/%s%d",
                     statuses[i] < 400 ? "Status" : "Error", statuses[i]);
        json_field_object(w, key);
        json_field_text(w, "$ref", link);
        json_put_object_end(w);
    }
    json_field_object(w, "default");
    json_field_text(w, "$ref",
                    openai ? OPENAI_ERROR : "#/components/responses/Error");
    json_put_object_end(w);
    json_put_object_end(w);
}

/* ---- operations ---------------------------------------------------------- */

static void put_description_member(struct json_writer *w, struct arena *arena,
                                   const struct described_route *r,
                                   const struct operation *o)
{
    const char *word = route_permission(r);
    struct buf text;
    buf_init(&text, arena);
    buf_text(&text, o->about);
    if (word)
        buf_printf(&text, "%sNeeds `%s`.", text.len ? " " : "", word);
    if (text.len)
        json_field_str(w, "description", buf_view(&text));
}

static void put_operation_object(struct json_writer *w, struct arena *arena,
                                 const struct described_route *r)
{
    const struct operation *o = operation_of(r);
    char method[16] = "";
    for (size_t i = 0; r->method[i] && i + 1 < sizeof method; i++)
        method[i] = (char)(r->method[i] - 'A' + 'a');
    json_field_object(w, method);
    json_field_str(w, "operationId", operation_id(arena, r));
    json_field_text(w, "summary", r->about);
    json_field_array(w, "tags");
    json_put_text(w, o->tag);
    json_put_array_end(w);
    put_description_member(w, arena, r, o);
    if (route_permission(r))
        json_field_text(w, "x-permission", route_permission(r));
    else
        json_field_raw(w, "security", STR("[]"));
    put_parameter_list(w, r, o);
    put_body(w, o);
    put_responses(w, r, o);
    json_put_object_end(w);
}

static void put_path_name(struct json_writer *w, const char *pattern)
{
    struct buf path;
    bool name = false;
    buf_init(&path, NULL);
    for (const char *c = pattern; *c; c++) {
        if (*c == '/' && name)
            buf_char(&path, '}');
        if (*c == '/')
            name = false;
        if (*c == ':')
            name = true;
        buf_char(&path, *c == ':' ? '{' : *c);
    }
    if (name)
        buf_char(&path, '}');
    json_put_key_str(w, buf_view(&path));
    buf_done(&path);
}

static bool seen_before(const struct described_route *route)
{
    for (const struct described_route *r = described_routes; r < route; r++)
        if (!strcmp(r->pattern, route->pattern))
            return true;
    return false;
}

static void put_paths(struct json_writer *w, struct arena *arena)
{
    json_field_object(w, "paths");
    for (const struct described_route *r = described_routes; r->method; r++) {
        if (seen_before(r))
            continue;
        put_path_name(w, r->pattern);
        json_put_object(w);
        for (const struct described_route *s = r; s->method; s++)
            if (!strcmp(s->pattern, r->pattern))
                put_operation_object(w, arena, s);
        json_put_object_end(w);
    }
    json_put_object_end(w);
}

/* ---- the document -------------------------------------------------------- */

static void put_info_object(struct json_writer *w)
{
    json_field_text(w, "openapi", "3.1.0");
    json_field_object(w, "info");
    json_field_text(w, "title", "Sextant");
    json_field_text(w, "version", SEXTANT_VERSION);
    json_field_text(w, "description", about_all);
    json_field_raw(w, "license",
                   STR("{\"name\":\"Apache License 2.0\","
                       "\"identifier\":\"Apache-2.0\"}"));
    json_put_object_end(w);
    json_field_raw(w, "servers", STR("[{\"url\":\"/\"}]"));
    json_field_raw(w, "security", STR("[{\"bearer\":[]}]"));
    json_field_array(w, "tags");
    for (const struct described_tag *t = described_tags; t->name; t++) {
        json_put_object(w);
        json_field_text(w, "name", t->name);
        json_field_text(w, "description", t->about);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_error_response(struct json_writer *w, const char *name,
                               const char *schema, const char *about)
{
    char link[80];
    snprintf(link, sizeof link, "#/components/schemas/%s", schema);
    json_field_object(w, name);
    json_field_text(w, "description", about);
    json_field_raw(w, "content",
                   STR("{\"application/json\":{\"schema\":{\"$ref\":"));
    json_quote(w->out, str_of(link));
    buf_text(w->out, "}}}");
    json_put_object_end(w);
}

/* Only the errors that some operation answers with. */
static void put_error_responses(struct json_writer *w)
{
    bool used[600] = {false};
    int statuses[REFUSALS_MOST];
    for (const struct described_route *r = described_routes; r->method; r++) {
        int n = operation_refusals(r, statuses);
        for (int i = 0; i < n; i++)
            used[statuses[i]] = true;
    }
    for (int status = 300; status < 600; status++) {
        char name[16];
        snprintf(name, sizeof name, "Error%d", status);
        if (used[status] && status >= 400)
            put_error_response(w, name, "Error", refusal_about(status));
    }
    if (used[304])
        json_field_raw(w, "Status304",
                       STR("{\"description\":\"Not modified\"}"));
    put_error_response(w, "Error", "Error", "Failure");
    put_error_response(w, "OpenAiError", "OpenAiError", "Failure");
}

void api_openapi(struct buf *out)
{
    struct json_writer w;
    struct arena arena;
    arena_init(&arena, 0);
    json_writer_init(&w, out);
    json_put_object(&w);
    put_info_object(&w);
    put_paths(&w, &arena);
    json_field_object(&w, "components");
    json_field_raw(&w, "securitySchemes",
                   STR("{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\","
                       "\"bearerFormat\":\"JWT\"}}"));
    json_field_object(&w, "responses");
    put_error_responses(&w);
    json_put_object_end(&w);
    json_field_object(&w, "schemas");
    openapi_write_schemas(&w);
    json_put_object_end(&w);
    json_put_object_end(&w);
    json_put_object_end(&w);
    buf_char(out, '\n');
    arena_done(&arena);
}
