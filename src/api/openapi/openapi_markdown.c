/* openapi_markdown.c - writes docs/api.md from the lists. */
#include "openapi.h"
#include "api/api.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* ---- types --------------------------------------------------------------- */

/* Links a schema's name to its section, and escapes "|" in table cells. */
static void put_type(struct buf *out, struct str type)
{
    struct str term;
    bool first = true;
    while (str_split(&type, '|', &term)) {
        bool link = term.len && *term.ptr >= 'A' && *term.ptr <= 'Z';
        if (!first)
            buf_text(out, " \\| ");
        first = false;
        if (!link) {
            buf_printf(out, "`%.*s`", STR_ARG(term));
            continue;
        }
        struct str name = term;
        bool list = str_ends(name, STR("[]"));
        if (list)
            name = str_cut(name, 0, name.len - 2);
        buf_printf(out, "[%.*s](#", STR_ARG(name));
        for (size_t i = 0; i < name.len; i++)
            buf_char(out, (char)(name.ptr[i] <= 'Z' && name.ptr[i] >= 'A'
                                     ? name.ptr[i] - 'A' + 'a'
                                     : name.ptr[i]));
        buf_printf(out, ")%s", list ? "`[]`" : "");
    }
}

static void put_table_row(struct buf *out, struct str name, struct str type,
                          bool optional, const char *about)
{
    buf_printf(out, "| `%.*s`%s | ", STR_ARG(name), optional ? "?" : "");
    put_type(out, type);
    buf_printf(out, " | %s |\n", about);
}

static void put_table_head(struct buf *out, const char *name, const char *about)
{
    buf_printf(out, "\n### %s\n\n", name);
    if (*about)
        buf_printf(out, "%s.\n\n", about);
}

static void begin_table(struct buf *out)
{
    buf_text(out, "| field | type | what |\n|---|---|---|\n");
}

static void put_schemas(struct buf *out)
{
    for (const struct schema_line *l = schema_lines; l->name; l++) {
        struct str type = str_of(l->type);
        bool optional = str_ends(type, STR("?"));
        switch (l->kind) {
        case LINE_SCHEMA:
            put_table_head(out, l->name, l->about);
            begin_table(out);
            break;
        case LINE_FIELD:
            put_table_row(out, str_of(l->name),
                          str_cut(type, 0, type.len - optional), optional,
                          l->about);
            break;
        case LINE_ALIAS:
            put_table_head(out, l->name, l->about);
            put_type(out, type);
            buf_char(out, '\n');
            break;
        case LINE_END:
            break;
        }
    }
}

/* ---- phases, events, artifacts ------------------------------------------- */

static void put_event_table(struct buf *out)
{
    struct described_field p;
    for (int i = 0; i < EVENT_COUNT; i++) {
        struct str fields = str_of(event_fields((enum event_type)i));
        buf_printf(out, "| `%s` | ", event_word((enum event_type)i));
        for (bool first = true; next_field(&fields, &p); first = false) {
            buf_printf(out, "%s`%.*s`%s ", first ? "" : ", ", STR_ARG(p.name),
                       p.optional ? "?" : "");
            put_type(out, p.type);
        }
        buf_text(out, " |\n");
    }
}

static void put_json_type(struct buf *out, const json_t *schema);

static void put_schema_link(struct buf *out, struct str link)
{
    struct str piece = link;
    while (str_split(&link, '/', &piece))
        ;
    put_type(out, piece);
}

static void put_union(struct buf *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (i)
            buf_text(out, " \\| ");
        if (json_is_string(json_array_get(list, i)))
            buf_printf(out, "`%s`", json_string_value(json_array_get(list, i)));
        else
            put_json_type(out, json_array_get(list, i));
    }
}

static void put_json_type(struct buf *out, const json_t *schema)
{
    const json_t *any = json_object_get(schema, "anyOf");
    const json_t *type = json_object_get(schema, "type");
    const json_t *words = json_object_get(schema, "enum");
    struct str link = json_get_text(schema, "$ref");
    if (link.len) {
        put_schema_link(out, link);
    } else if (any) {
        put_union(out, any);
    } else if (words) {
        for (size_t i = 0; i < json_array_size(words); i++)
            buf_printf(out, "%s`%s`", i ? " \\| " : "",
                       json_is_string(json_array_get(words, i))
                           ? json_string_value(json_array_get(words, i))
                           : "null");
    } else if (str_is(json_text(type), "array")) {
        put_json_type(out, json_object_get(schema, "items"));
        buf_text(out, "`[]`");
    } else if (json_is_array(type)) {
        put_union(out, type);
    } else {
        buf_printf(out, "`%.*s`", STR_ARG(json_text(type)));
    }
}

static void put_artifact_section(struct buf *out,
                                 const struct artifact_type *type)
{
    struct buf text;
    struct json_writer w;
    char title[64];
    const char *name;
    json_t *field;
    artifact_title(type, title, sizeof title);
    buf_init(&text, NULL);
    json_writer_init(&w, &text);
    artifact_schema_linked(&w, type, "#/");
    json_t *schema = json_read(buf_view(&text), NULL);
    put_table_head(out, title, "");
    begin_table(out);
    json_object_foreach(json_object_get(schema, "properties"), name, field)
    {
        buf_printf(out, "| `%s` | ", name);
        put_json_type(out, field);
        buf_printf(out, " | %.*s |\n",
                   STR_ARG(json_get_text(field, "description")));
    }
    json_decref(schema);
    buf_done(&text);
}

/* ---- operations ---------------------------------------------------------- */

static void put_parameter_table(struct buf *out, const struct operation *o)
{
    struct str rest = str_of(o->parameters);
    struct described_field p;
    if (!rest.len)
        return;
    buf_text(out, "| parameter | type | where |\n|---|---|---|\n");
    while (next_field(&rest, &p)) {
        const char *place = parameter_place(&p);
        put_table_row(out, p.name, p.type, p.optional, place);
    }
    buf_char(out, '\n');
}

static void put_answer(struct buf *out, const struct operation *o)
{
    static const char *const before[] = {
        "", "data: ", "a page of ", "", "data: ", "a stream of ", ""};
    struct str type;
    enum answer_form form = answer_form(o, &type);
    buf_printf(out, "Answers %d%s%s", o->status,
               form == ANSWER_NONE ? "" : ", ", before[form]);
    if (form == ANSWER_EVENTS && str_is(type, "StreamEvent"))
        buf_text(out, "[events](#events)");
    else if (form != ANSWER_NONE)
        put_type(out, type);
}

static void put_media_types(struct buf *out, struct str types)
{
    struct str type;
    for (int n = 0; str_split(&types, ' ', &type); n++)
        buf_printf(out, "%s`%.*s`", n ? " or " : "", STR_ARG(type));
}

static void put_operation_section(struct buf *out,
                                  const struct described_route *r)
{
    const struct operation *o = operation_of(r);
    const char *word = route_permission(r);
    int statuses[REFUSALS_MOST], n = operation_refusals(r, statuses);
    struct str body = str_of(o->body);
    bool asks = str_ends(str_of(r->about), STR("?"));
    buf_printf(out, "\n### %s %s\n\n%s%s %s%s", r->method, r->pattern, r->about,
               asks ? "" : ".", o->about, *o->about ? " " : "");
    buf_printf(out, "%s%s%s\n\n", word ? "Needs `" : "Open to all.",
               word ? word : "", word ? "`." : "");
    put_parameter_table(out, o);
    if (body.len) {
        bool optional = str_ends(body, STR("?"));
        buf_text(out, "Takes ");
        if (str_find_char(body, '/') >= 0)
            put_media_types(out, body);
        else
            put_type(out, str_cut(body, 0, body.len - optional));
        buf_printf(out, "%s. ", optional ? " or nothing" : "");
    }
    put_answer(out, o);
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%d", i ? ", " : "; refuses with ", statuses[i]);
    buf_text(out, ".\n");
}

/* ---- begin --------------------------------------------------------------- */

/* test/story/test_docs.py runs these lines unchanged. */
static const char first_answer[] =
    "```sh\n"
    "URL=${URL:-http://127.0.0.1:8080} EMAIL=${EMAIL:-admin@localhost} # "
    "and PASSWORD, that account's\n"
    "JSON='Content-Type: application/json'\n"
    "id() { grep -o '\"id\":\"[^\"]*' | cut -d'\"' -f4 | sed -n \"$1p\"; } "
    "# the n-th id of an answer\n"
    "TOKEN=$(curl -fsS $URL/api/auth/login -H \"$JSON\" -d "
    "\"{\\\"email\\\":\\\"$EMAIL\\\",\\\"password\\\":\\\"$PASSWORD\\\"}\" "
    "| grep -o '\"accessToken\":\"[^\"]*' | cut -d'\"' -f4)\n"
    "AUTH=\"Authorization: Bearer $TOKEN\"\n"
    "ONTOLOGY=$(curl -fsS $URL/api/ontologies -H \"$AUTH\" | id 1)\n"
    "CHAT=$(curl -fsS $URL/api/data-agent/chats -H \"$AUTH\" -H \"$JSON\" "
    "-d \"{\\\"ontologyId\\\":\\\"$ONTOLOGY\\\"}\" | id 1)\n"
    "ANSWER=$(curl -fsS $URL/api/data-agent/chats/$CHAT/messages -H "
    "\"$AUTH\" -H \"$JSON\" -d '{\"content\":\"revenue by city in 2025\"}' "
    "| id 2)\n"
    "curl -fsSN -X POST $URL/api/data-agent/chats/$CHAT/messages/$ANSWER/"
    "stream -H \"$AUTH\" # its events as they come\n"
    "curl -fsS $URL/api/data-agent/messages/$ANSWER -H \"$AUTH\" # all of it\n"
    "```\n\n";

static void put_refusals(struct buf *out)
{
    buf_text(
        out,
        "\n## Errors\n\nThe response to a refused request is an "
        "[Error](#error); its `code` is one of these.\n\n| status | code | "
        "when |\n|---|---|---|\n");
    for (const struct described_refusal *r = described_refusals; r->code; r++)
        if (*r->code)
            buf_printf(out, "| %d | `%s` | %s |\n", r->status, r->code,
                       r->about);
    buf_text(
        out,
        "\nA failed run ends with the event `message_error`; its `code` is "
        "one of these.\n\n| code | when |\n|---|---|\n");
    for (const struct described_refusal *r = described_run_errors; r->code; r++)
        buf_printf(out, "| `%s` | %s |\n", r->code, r->about);
}

void api_openapi_markdown(struct buf *out)
{
    buf_text(out, "# The API\n\nA first answer, from a shell:\n\n");
    buf_text(out, first_answer);
    buf_text(
        out,
        "Generated by `sextant openapi --markdown`; do not edit. As OpenAPI "
        "3.1: `/openapi.json` of a server, or\n`sextant openapi`. To try it "
        "out: `/docs`.\n\nA token goes into `Authorization: Bearer …`. "
        "Success is `{\"data\": …}`, a failure is an\n[Error](#error). Names "
        "in a path are UUIDs unless a table says otherwise. `?` after a name: "
        "optional.\n");
    for (const struct described_tag *t = described_tags; t->name; t++) {
        buf_printf(out, "\n## %s\n\n%s.\n", t->name, t->about);
        for (const struct described_route *r = described_routes; r->method; r++)
            if (!strcmp(operation_of(r)->tag, t->name))
                put_operation_section(out, r);
    }
    put_refusals(out);
    buf_text(out,
             "\n## Events\n\nThe `data` of an event is one line of JSON: "
             "its `type` and these fields.\n\n| type | fields |\n|---|---|\n");
    put_event_table(out);
    buf_text(out, "\n## Types\n");
    put_schemas(out);
    put_table_head(out, "Phase", "");
    for (int i = 0; i < PHASE_COUNT; i++)
        buf_printf(out, "%s`%s`", i ? " \\| " : "", phase_word((enum phase)i));
    buf_char(out, '\n');
    for (int i = 0; artifact_types[i]; i++)
        if (!artifact_is_inner(artifact_types[i]))
            put_artifact_section(out, artifact_types[i]);
}
