/* copy.c - a deep copy of an artifact: an artifact made in one arena moves to
 * another without going through JSON. */
#include "artifact/tables.h"
#include <string.h>
#include "base/banned.h"

static struct str copy_text(struct arena *arena, struct str text)
{
    return text.ptr ? arena_str(arena, text) : text;
}

size_t artifact_item_size(const struct artifact_field *field)
{
    switch (field->kind) {
    case ARTIFACT_TEXTS:
        return sizeof(struct str);
    case ARTIFACT_INTS:
        return sizeof(int64_t);
    default:
        return field->type->size;
    }
}

/* `at` is the field in the copy: a pointer to items of the original, which the
 * items of the copy replace. */
static void copy_items(struct arena *arena, const struct artifact_field *field,
                       size_t n, char *at)
{
    size_t size = artifact_item_size(field);
    const char *from;
    memcpy(&from, at, sizeof from);
    char *items = n ? arena_alloc_array(arena, n, size) : NULL;
    for (size_t i = 0; i < n; i++) {
        char *item = items + i * size;
        memcpy(item, from + i * size, size);
        if (field->kind == ARTIFACT_TEXTS)
            *(struct str *)(void *)item =
                copy_text(arena, *(struct str *)(void *)item);
        else if (field->type)
            artifact_copy(arena, field->type, from + i * size, item);
    }
    memcpy(at, &items, sizeof items);
}

void artifact_copy(struct arena *arena, const struct artifact_type *type,
                   const void *artifact, void *copy)
{
    memcpy(copy, artifact, type->size);
    for (const struct artifact_field *f = type->fields(); f->json; f++) {
        char *at = (char *)copy + f->at;
        size_t n = 1;
        switch (f->kind) {
        case ARTIFACT_TEXT:
            *(struct str *)(void *)at =
                copy_text(arena, *(struct str *)(void *)at);
            break;
        case ARTIFACT_ONE:
            n = *(void **)(void *)at != NULL;
            copy_items(arena, f, n, at);
            break;
        case ARTIFACT_TEXTS:
        case ARTIFACT_INTS:
        case ARTIFACT_MANY:
            memcpy(&n, (char *)copy + f->count_at, sizeof n);
            copy_items(arena, f, n, at);
            break;
        default:
            break;
        }
    }
}
