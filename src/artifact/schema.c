/* schema.c - the JSON Schema of an artifact in the dialect that every provider
 * accepts as "strict": all names required, optional ones nullable, no bounds.
 * Nested types are inline or, in a document that has all types, references. */
#include "artifact/tables.h"
#include <stdio.h>
#include "base/banned.h"

enum { TITLE_SIZE = 64 };

static void put_object(struct json_writer *w, const struct artifact_type *type,
                       bool nullable, const char *refs);

static void put_type(struct json_writer *w, const char *name, bool nullable)
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

static void put_words(struct json_writer *w, const char *const *list,
                      bool nullable)
{
    json_field_array(w, "enum");
    for (; *list; list++)
        json_put_text(w, *list);
    if (nullable)
        json_put_null(w);
    json_put_array_end(w);
}

static void put_reference(struct json_writer *w,
                          const struct artifact_type *type, const char *refs)
{
    char link[2 * TITLE_SIZE], title[TITLE_SIZE];
    artifact_title(type, title, sizeof title);
    snprintf(link, sizeof link, "%s%s", refs, title);
    json_put_object(w);
    json_field_text(w, "$ref", link);
    json_put_object_end(w);
}

static void put_nested(struct json_writer *w, const struct artifact_type *type,
                       bool nullable, const char *refs)
{
    if (!refs) {
        put_object(w, type, nullable, NULL);
        return;
    }
    if (!nullable) {
        put_reference(w, type, refs);
        return;
    }
    json_put_object(w);
    json_field_array(w, "anyOf");
    put_reference(w, type, refs);
    json_put_raw(w, STR("{\"type\":\"null\"}"));
    json_put_array_end(w);
    json_put_object_end(w);
}

static void put_items(struct json_writer *w, const struct artifact_field *f,
                      const char *refs)
{
    put_type(w, "array", false);
    json_put_key(w, "items");
    if (f->kind == ARTIFACT_MANY) {
        put_nested(w, f->type, false, refs);
        return;
    }
    json_put_object(w);
    put_type(w, f->kind == ARTIFACT_TEXTS ? "string" : "integer", false);
    json_put_object_end(w);
}

static void put_scalar(struct json_writer *w, const struct artifact_field *f)
{
    bool nullable = !(f->flags & ARTIFACT_MUST);
    switch (f->kind) {
    case ARTIFACT_INT:
    case ARTIFACT_INT_OR_NULL:
        put_type(w, "integer", nullable);
        break;
    case ARTIFACT_BOOL:
        put_type(w, "boolean", false);
        break;
    case ARTIFACT_CHOICE:
        put_type(w, "string", nullable);
        put_words(w, f->words, nullable);
        break;
    default:
        put_type(w, "string", nullable);
    }
}

static void put_field(struct json_writer *w, const struct artifact_field *f,
                      const char *refs)
{
    json_put_key(w, f->json);
    if (f->kind == ARTIFACT_ONE) {
        put_nested(w, f->type, !(f->flags & ARTIFACT_MUST), refs);
        return;
    }
    json_put_object(w);
    if (f->kind == ARTIFACT_MANY || f->kind == ARTIFACT_TEXTS ||
        f->kind == ARTIFACT_INTS)
        put_items(w, f, refs);
    else
        put_scalar(w, f);
    if (*f->about)
        json_field_text(w, "description", f->about);
    json_put_object_end(w);
}

static void put_object(struct json_writer *w, const struct artifact_type *type,
                       bool nullable, const char *refs)
{
    json_put_object(w);
    put_type(w, "object", nullable);
    json_field_object(w, "properties");
    for (const struct artifact_field *f = type->fields(); f->json; f++)
        put_field(w, f, refs);
    json_put_object_end(w);
    json_field_array(w, "required");
    for (const struct artifact_field *f = type->fields(); f->json; f++)
        json_put_text(w, f->json);
    json_put_array_end(w);
    json_field_bool(w, "additionalProperties", false);
    json_put_object_end(w);
}

void artifact_schema(struct buf *out, const struct artifact_type *type)
{
    struct json_writer w;
    json_writer_init(&w, out);
    put_object(&w, type, false, NULL);
}

void artifact_schema_linked(struct json_writer *w,
                            const struct artifact_type *type, const char *refs)
{
    put_object(w, type, false, refs);
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
