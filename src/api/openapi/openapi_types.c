/* openapi_types.c - turns the types of schemas.def into JSON Schema, and lists
 * all schemas of a document. */
#include "openapi.h"
#include "artifact/tables.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

#define REFS "#/components/schemas/"

/* ---- one type ------------------------------------------------------------ */

static const struct scalar {
    const char *word, *type, *format;
} scalars[] = {{"uuid", "string", "uuid"},   {"time", "string", "date-time"},
               {"email", "string", "email"}, {"uri", "string", "uri-reference"},
               {"string", "string", NULL},   {"integer", "integer", NULL},
               {"number", "number", NULL},   {"boolean", "boolean", NULL},
               {"object", "object", NULL},   {0}};

static const struct scalar *scalar_of(struct str word)
{
    const struct scalar *s = scalars;
    while (s->word && !str_is(word, s->word))
        s++;
    return s->word ? s : NULL;
}

static bool is_literal(struct str term)
{
    return term.len >= 2 && *term.ptr == '\'';
}

/* Whether every alternative except null is a literal. */
static bool all_literals(struct str type)
{
    struct str term;
    while (str_split(&type, '|', &term))
        if (!is_literal(term) && !str_is(term, "null"))
            return false;
    return true;
}

static void write_kind(struct json_writer *w, const char *kind, bool nullable)
{
    json_put_key(w, "type");
    if (!nullable) {
        json_put_text(w, kind);
        return;
    }
    json_put_array(w);
    json_put_text(w, kind);
    json_put_text(w, "null");
    json_put_array_end(w);
}

static void write_words(struct json_writer *w, struct str type, bool nullable)
{
    struct str term;
    write_kind(w, "string", nullable);
    json_field_array(w, "enum");
    while (str_split(&type, '|', &term)) {
        if (is_literal(term))
            json_put_str(w, str_cut(term, 1, term.len - 2));
        else
            json_put_null(w);
    }
    json_put_array_end(w);
}

static void write_bounds(struct json_writer *w, bool text, struct str bounds)
{
    ptrdiff_t dots = str_find(bounds, STR(".."));
    int64_t least, most;
    if (dots < 0)
        return;
    if (str_to_int64(str_cut(bounds, 0, (size_t)dots), &least))
        json_field_int(w, text ? "minLength" : "minimum", least);
    if (str_to_int64(str_from(bounds, (size_t)dots + 2), &most))
        json_field_int(w, text ? "maxLength" : "maximum", most);
}

static void write_link(struct json_writer *w, struct str name)
{
    char link[160];
    snprintf(link, sizeof link, REFS "%.*s", STR_ARG(name));
    json_field_text(w, "$ref", link);
}

/* Writes one term: "string(1..255)", "Name", "uuid[]", "integer{}". */
static void write_term(struct json_writer *w, struct str term, bool nullable)
{
    bool list = str_ends(term, STR("[]")), names = str_ends(term, STR("{}"));
    if (list || names) {
        write_kind(w, list ? "array" : "object", nullable);
        json_put_key(w, list ? "items" : "additionalProperties");
        json_put_object(w);
        write_term(w, str_cut(term, 0, term.len - 2), false);
        json_put_object_end(w);
        return;
    }
    ptrdiff_t open = str_find_char(term, '(');
    struct str word = open < 0 ? term : str_cut(term, 0, (size_t)open);
    const struct scalar *s = scalar_of(word);
    if (!s && !str_is(word, "any"))
        write_link(w, word);
    if (!s)
        return;
    write_kind(w, s->type, nullable);
    if (s->format)
        json_field_text(w, "format", s->format);
    if (open >= 0)
        write_bounds(
            w, !strcmp(s->type, "string"),
            str_cut(term, (size_t)open + 1, term.len - 2 - (size_t)open));
}

static bool may_be_null(struct str type, int *others)
{
    struct str term;
    bool null = false;
    *others = 0;
    while (str_split(&type, '|', &term)) {
        bool is = str_is(term, "null");
        null = null || is;
        *others += !is;
    }
    return null;
}

static void write_alternatives(struct json_writer *w, struct str type)
{
    struct str term;
    json_field_array(w, "anyOf");
    while (str_split(&type, '|', &term)) {
        json_put_object(w);
        if (str_is(term, "null"))
            write_kind(w, "null", false);
        else if (is_literal(term))
            json_field_str(w, "const", str_cut(term, 1, term.len - 2));
        else
            write_term(w, term, false);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

void type_write(struct json_writer *w, struct str type, const char *about)
{
    int others;
    bool nullable = may_be_null(type, &others);
    struct str rest = type, first;
    str_split(&rest, '|', &first);
    bool link =
        *first.ptr >= 'A' && *first.ptr <= 'Z' && !str_ends(first, STR("]"));
    if (all_literals(type))
        write_words(w, type, nullable);
    else if (others > 1 || (nullable && link))
        write_alternatives(w, type);
    else
        write_term(w, first, nullable);
    if (*about)
        json_field_text(w, "description", about);
}

/* ---- objects ------------------------------------------------------------- */

static void begin_object(struct json_writer *w, const char *about)
{
    json_put_object(w);
    json_field_text(w, "type", "object");
    if (*about)
        json_field_text(w, "description", about);
    json_field_object(w, "properties");
}

static void end_object(struct json_writer *w, const struct buf *required)
{
    json_put_object_end(w);
    if (required->len) {
        json_field_array(w, "required");
        json_put_raw(w, buf_view(required));
        json_put_array_end(w);
    }
    json_put_object_end(w);
}

static void put_property(struct json_writer *w, struct buf *required,
                         const struct described_field *p, const char *about)
{
    json_put_key_str(w, p->name);
    json_put_object(w);
    type_write(w, p->type, about);
    json_put_object_end(w);
    if (p->optional)
        return;
    if (required->len)
        buf_char(required, ',');
    json_quote(required, p->name);
}

static const struct schema_line *write_object(struct json_writer *w,
                                              const struct schema_line *line)
{
    struct buf required;
    buf_init(&required, NULL);
    json_put_key(w, line->name);
    begin_object(w, line->about);
    for (line++; line->kind == LINE_FIELD; line++) {
        struct str type = str_of(line->type);
        bool optional = str_ends(type, STR("?"));
        struct described_field p = {str_of(line->name),
                                    str_cut(type, 0, type.len - optional),
                                    optional};
        put_property(w, &required, &p, line->about);
    }
    end_object(w, &required);
    buf_done(&required);
    return line + 1;
}

static void write_listed(struct json_writer *w)
{
    const struct schema_line *line = schema_lines;
    while (line->name) {
        if (line->kind == LINE_SCHEMA) {
            line = write_object(w, line);
            continue;
        }
        json_put_key(w, line->name);
        json_put_object(w);
        type_write(w, str_of(line->type), line->about);
        json_put_object_end(w);
        line++;
    }
}

/* ---- what comes from include/artifact/ ----------------------------------- */

/* The schema name of an event: "MessageStartEvent". */
static struct str event_title(struct arena *arena, enum event_type type)
{
    struct buf out;
    bool capital = true;
    buf_init(&out, arena);
    for (const char *c = event_word(type); *c; c++) {
        if (*c != '_')
            buf_char(&out, (char)(capital ? *c - 'a' + 'A' : *c));
        capital = *c == '_';
    }
    buf_text(&out, "Event");
    return buf_view(&out);
}

static void write_event(struct json_writer *w, struct arena *arena,
                        enum event_type type)
{
    struct str fields = str_of(event_fields(type));
    struct described_field p;
    struct buf required;
    buf_init(&required, arena);
    json_put_key_str(w, event_title(arena, type));
    begin_object(w, "");
    json_field_object(w, "type");
    json_field_text(w, "type", "string");
    json_field_text(w, "const", event_word(type));
    json_put_object_end(w);
    json_quote(&required, STR("type"));
    while (next_field(&fields, &p))
        put_property(w, &required, &p, "");
    end_object(w, &required);
}

static void write_any_event(struct json_writer *w, struct arena *arena)
{
    json_field_object(w, "StreamEvent");
    json_field_text(w, "description", "The data of one event of a stream");
    json_field_array(w, "oneOf");
    for (int i = 0; i < EVENT_COUNT; i++) {
        json_put_object(w);
        write_link(w, event_title(arena, (enum event_type)i));
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_field_object(w, "discriminator");
    json_field_text(w, "propertyName", "type");
    json_field_object(w, "mapping");
    for (int i = 0; i < EVENT_COUNT; i++)
        json_field_str(
            w, event_word((enum event_type)i),
            arena_printf(arena, REFS "%.*s",
                         STR_ARG(event_title(arena, (enum event_type)i))));
    json_put_object_end(w);
    json_put_object_end(w);
    json_put_object_end(w);
}

static void write_phases(struct json_writer *w)
{
    json_field_object(w, "Phase");
    json_field_text(w, "type", "string");
    json_field_array(w, "enum");
    for (int i = 0; i < PHASE_COUNT; i++)
        json_put_text(w, phase_word((enum phase)i));
    json_put_array_end(w);
    json_put_object_end(w);
}

bool artifact_is_inner(const struct artifact_type *type)
{
    const struct artifact_field *fields = type->fields();
    static const struct artifact_type *const inner[] = {
        &table_description_type, &column_description_type, &loop_call_type,
        &loop_round_type,        &code_execution_type,     &explorer_kept_type};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (type == inner[i])
            return true;
    return fields[0].kind == ARTIFACT_MANY && !fields[1].json;
}

void openapi_write_schemas(struct json_writer *w)
{
    struct arena arena;
    arena_init(&arena, 0);
    write_listed(w);
    write_phases(w);
    for (int i = 0; artifact_types[i]; i++) {
        char title[64];
        if (artifact_is_inner(artifact_types[i]))
            continue;
        artifact_title(artifact_types[i], title, sizeof title);
        json_put_key(w, title);
        artifact_schema_linked(w, artifact_types[i], REFS);
    }
    for (int i = 0; i < EVENT_COUNT; i++)
        write_event(w, &arena, (enum event_type)i);
    write_any_event(w, &arena);
    arena_done(&arena);
}
