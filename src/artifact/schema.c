/* schema.c - the JSON Schema of an artifact in the dialect that every provider
 * takes as "strict": all names required, optional ones nullable, no bounds. What
 * is nested stands in its place, or, in a document that holds all types, as a
 * link to it. */
#include "artifact/tables.h"
#include <stdio.h>
#include "base/banned.h"

enum { TITLE_SIZE = 64 };

static void object(struct json_writer *w, const struct artifact_type *type,
                   bool nullable, const char *refs);

static void type_of(struct json_writer *w, const char *name, bool nullable)
{
    json_put_key(w, "type");
    if (!nullable) {
        json_put_text(w, name);
        return;
    }
    json_put_array(w);
    json_put_text(w, name);
    json_put_text(w, "null");
    json_put_array_end(w);
}

static void words(struct json_writer *w, const char *const *list, bool nullable)
{
    json_put_key(w, "enum");
    json_put_array(w);
    for (; *list; list++)
        json_put_text(w, *list);
    if (nullable)
        json_put_null(w);
    json_put_array_end(w);
}

static void link_to(struct json_writer *w, const struct artifact_type *type,
                    const char *refs)
{
    char link[2 * TITLE_SIZE], title[TITLE_SIZE];
    artifact_title(type, title, sizeof title);
    snprintf(link, sizeof link, "%s%s", refs, title);
    json_put_object(w);
    json_field_text(w, "$ref", link);
    json_put_object_end(w);
}

static void nested(struct json_writer *w, const struct artifact_type *type,
                   bool nullable, const char *refs)
{
    if (!refs) {
        object(w, type, nullable, NULL);
        return;
    }
    if (!nullable) {
        link_to(w, type, refs);
        return;
    }
    json_put_object(w);
    json_put_key(w, "anyOf");
    json_put_array(w);
    link_to(w, type, refs);
    json_put_raw(w, STR("{\"type\":\"null\"}"));
    json_put_array_end(w);
    json_put_object_end(w);
}

static void items(struct json_writer *w, const struct artifact_field *f,
                  const char *refs)
{
    type_of(w, "array", false);
    json_put_key(w, "items");
    if (f->kind == ARTIFACT_MANY) {
        nested(w, f->type, false, refs);
        return;
    }
    json_put_object(w);
    type_of(w, f->kind == ARTIFACT_TEXTS ? "string" : "integer", false);
    json_put_object_end(w);
}

static void scalar(struct json_writer *w, const struct artifact_field *f)
{
    bool nullable = !(f->flags & ARTIFACT_MUST);
    switch (f->kind) {
    case ARTIFACT_INT:
    case ARTIFACT_INT_OR_NULL:
        type_of(w, "integer", nullable);
        break;
    case ARTIFACT_BOOL:
        type_of(w, "boolean", false);
        break;
    case ARTIFACT_CHOICE:
        type_of(w, "string", nullable);
        words(w, f->words, nullable);
        break;
    default:
        type_of(w, "string", nullable);
    }
}

static void field(struct json_writer *w, const struct artifact_field *f,
                  const char *refs)
{
    json_put_key(w, f->json);
    if (f->kind == ARTIFACT_ONE) {
        nested(w, f->type, !(f->flags & ARTIFACT_MUST), refs);
        return;
    }
    json_put_object(w);
    if (f->kind == ARTIFACT_MANY || f->kind == ARTIFACT_TEXTS ||
        f->kind == ARTIFACT_INTS)
        items(w, f, refs);
    else
        scalar(w, f);
    if (*f->about)
        json_field_text(w, "description", f->about);
    json_put_object_end(w);
}

static void object(struct json_writer *w, const struct artifact_type *type,
                   bool nullable, const char *refs)
{
    json_put_object(w);
    type_of(w, "object", nullable);
    json_put_key(w, "properties");
    json_put_object(w);
    for (const struct artifact_field *f = type->fields(); f->json; f++)
        field(w, f, refs);
    json_put_object_end(w);
    json_put_key(w, "required");
    json_put_array(w);
    for (const struct artifact_field *f = type->fields(); f->json; f++)
        json_put_text(w, f->json);
    json_put_array_end(w);
    json_field_bool(w, "additionalProperties", false);
    json_put_object_end(w);
}

void artifact_schema(struct buf *out, const struct artifact_type *type)
{
    struct json_writer w;
    json_write_to(&w, out);
    object(&w, type, false, NULL);
}

void artifact_schema_linked(struct json_writer *w,
                            const struct artifact_type *type, const char *refs)
{
    object(w, type, false, refs);
}

void artifact_title(const struct artifact_type *type, char *out, size_t size)
{
    size_t n = 0;
    bool capital = true;
    for (const char *c = type->name; *c && n + 1 < size; c++) {
        bool gap = *c == '_';
        if (!gap)
            out[n++] = (char)(capital && *c >= 'a' ? *c - 'a' + 'A' : *c);
        capital = gap;
    }
    out[n] = '\0';
}
