/* encode.c - an artifact's struct as JSON, by its field table. */
#include "artifact/tables.h"
#include <string.h>
#include "base/banned.h"

enum { JSON_BYTES = 1024 };

/* How a document is written. */
enum artifact_form {
    WHOLE,
    WITHOUT_CHARTS, /* fields with ARTIFACT_CHART are empty lists */
};

static void encode(struct json_writer *w, const struct artifact_type *type,
                   const char *from, enum artifact_form form);

static void encode_list(struct json_writer *w, const struct artifact_field *f,
                        const char *from, enum artifact_form form)
{
    const char *items;
    size_t n;
    memcpy(&items, from + f->at, sizeof items);
    memcpy(&n, from + f->count_at, sizeof n);
    if (form == WITHOUT_CHARTS && f->flags & ARTIFACT_CHART)
        n = 0;
    json_put_array(w);
    for (size_t i = 0; i < n; i++) {
        if (f->kind == ARTIFACT_TEXTS)
            json_put_str(w, ((const struct str *)(const void *)items)[i]);
        else if (f->kind == ARTIFACT_INTS)
            json_put_int(w, ((const int64_t *)(const void *)items)[i]);
        else
            encode(w, f->type, items + i * f->type->size, form);
    }
    json_put_array_end(w);
}

static void encode_text(struct json_writer *w, const struct artifact_field *f,
                        struct str s)
{
    if (!s.ptr && !(f->flags & ARTIFACT_MUST))
        json_put_null(w);
    else
        json_put_str(w, s);
}

static void encode_child(struct json_writer *w, const struct artifact_field *f,
                         const char *from, enum artifact_form form)
{
    const char *child;
    memcpy(&child, from + f->at, sizeof child);
    if (child)
        encode(w, f->type, child, form);
    else
        json_put_null(w);
}

static void encode_field(struct json_writer *w, const struct artifact_field *f,
                         const char *from, enum artifact_form form)
{
    const void *at = from + f->at;
    switch (f->kind) {
    case ARTIFACT_TEXT:
        encode_text(w, f, *(const struct str *)at);
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
        encode_child(w, f, from, form);
        break;
    default:
        encode_list(w, f, from, form);
    }
}

static void encode(struct json_writer *w, const struct artifact_type *type,
                   const char *from, enum artifact_form form)
{
    json_put_object(w);
    for (const struct artifact_field *f = type->fields(); f->json; f++) {
        json_put_key(w, f->json);
        encode_field(w, f, from, form);
    }
    json_put_object_end(w);
}

void artifact_encode(struct json_writer *w, const struct artifact_type *type,
                     const void *artifact)
{
    encode(w, type, artifact, WHOLE);
}

struct str artifact_json(struct arena *arena, const struct artifact_type *type,
                         const void *artifact)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    buf_reserve(&out, JSON_BYTES); /* of most artifacts: it seldom grows */
    json_writer_init(&w, &out);
    artifact_encode(&w, type, artifact);
    return buf_finish(&out);
}

/* ---- for readers -------------------------------------------------------- */

/* The only field of a type that wraps a list; NULL: it is no wrapper. */
static const struct artifact_field *wrapped_list(const struct artifact_type *t)
{
    const struct artifact_field *f = t->fields();
    return f->kind == ARTIFACT_MANY && !f[1].json ? f : NULL;
}

void artifact_encode_bare(struct json_writer *w,
                          const struct artifact_type *type,
                          const void *artifact, bool charts)
{
    const struct artifact_field *list = wrapped_list(type);
    enum artifact_form form = charts ? WHOLE : WITHOUT_CHARTS;
    if (list)
        encode_list(w, list, artifact, form);
    else
        encode(w, type, artifact, form);
}

struct str artifact_bare(const struct artifact_type *type, struct str json)
{
    const struct artifact_field *list = wrapped_list(type);
    size_t around = list ? strlen(list->json) + strlen("{\"\":") : 0;
    return list ? str_cut(json, around, json.len - around - 1) : json;
}
