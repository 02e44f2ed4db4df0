#include "artifact/tables.h"
#include <string.h>
#include "base/banned.h"

static void list(struct json_writer *w, const struct artifact_field *f,
                 const char *from)
{
    const char *items;
    size_t n;
    memcpy(&items, from + f->at, sizeof items);
    memcpy(&n, from + f->count_at, sizeof n);
    json_put_array(w);
    for (size_t i = 0; i < n; i++) {
        if (f->kind == ARTIFACT_TEXTS)
            json_put_str(w, ((const struct str *)(const void *)items)[i]);
        else if (f->kind == ARTIFACT_INTS)
            json_put_int(w, ((const int64_t *)(const void *)items)[i]);
        else
            artifact_encode(w, f->type, items + i * f->type->size);
    }
    json_put_array_end(w);
}

static void text(struct json_writer *w, const struct artifact_field *f,
                 struct str s)
{
    if (!s.ptr && !(f->flags & ARTIFACT_MUST))
        json_put_null(w);
    else
        json_put_str(w, s);
}

static void one(struct json_writer *w, const struct artifact_field *f,
                const char *from)
{
    const void *child;
    memcpy(&child, from + f->at, sizeof child);
    if (child)
        artifact_encode(w, f->type, child);
    else
        json_put_null(w);
}

static void value(struct json_writer *w, const struct artifact_field *f,
                  const char *from)
{
    const void *at = from + f->at;
    switch (f->kind) {
    case ARTIFACT_TEXT:
        text(w, f, *(const struct str *)at);
        break;
    case ARTIFACT_INT_OR_NULL:
        if (*(const int64_t *)at == ROW_COUNT_NULL) {
            json_put_null(w);
            break;
        }
        /* fall through */
    case ARTIFACT_INT:
        json_put_int(w, *(const int64_t *)at);
        break;
    case ARTIFACT_BOOL:
        json_put_bool(w, *(const bool *)at);
        break;
    case ARTIFACT_CHOICE:
        json_put_text(w, f->words[*(const int *)at]);
        break;
    case ARTIFACT_ONE:
        one(w, f, from);
        break;
    default:
        list(w, f, from);
    }
}

void artifact_encode(struct json_writer *w, const struct artifact_type *type,
                     const void *artifact)
{
    json_put_object(w);
    for (const struct artifact_field *f = type->fields(); f->json; f++) {
        json_put_key(w, f->json);
        value(w, f, artifact);
    }
    json_put_object_end(w);
}

struct str artifact_json(struct arena *arena, const struct artifact_type *type,
                         const void *artifact)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    json_write_to(&w, &out);
    artifact_encode(&w, type, artifact);
    return buf_finish(&out);
}

const char *artifact_name(const struct artifact_type *type)
{
    return type->name;
}
