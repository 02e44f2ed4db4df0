/* decode.c - decodes JSON into the struct of an artifact; an error names the
 * path.
 *
 * Models make small mistakes that are not ambiguous: a number written as text,
 * one text instead of a list of texts, a word in another case. The decoder
 * accepts these and reports the first other one. */
#include "artifact/tables.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { PATH = 120 };

struct decoder {
    struct arena *arena;
    struct artifact_problem *problem;
    char path[PATH];
    size_t path_len;
    bool unbounded; /* it was accepted before: no bound is checked */
};

static bool decode_object(struct decoder *d, const struct artifact_type *type,
                          const json_t *v, void *out);

static bool problem_at(struct decoder *d, const char *what)
{
    snprintf(d->problem->text, sizeof d->problem->text, "%.*s%s%s",
             (int)d->path_len, d->path, d->path_len ? ": " : "", what);
    return false;
}

static size_t enter_name(struct decoder *d, const char *name)
{
    size_t before = d->path_len;
    int n = snprintf(d->path + before, PATH - before, "%s%s", before ? "." : "",
                     name);
    d->path_len = before + (size_t)n < PATH ? before + (size_t)n : PATH - 1;
    return before;
}

static size_t enter_index(struct decoder *d, size_t i)
{
    size_t before = d->path_len;
    int n = snprintf(d->path + before, PATH - before, "[%zu]", i);
    d->path_len = before + (size_t)n < PATH ? before + (size_t)n : PATH - 1;
    return before;
}

static bool decode_text(struct decoder *d, const json_t *v, int64_t most,
                        struct str *out)
{
    if (json_is_number(v) || json_is_boolean(v)) {
        *out = json_print(d->arena, v);
        return true;
    }
    if (!json_is_string(v))
        return problem_at(d, "must be text");
    *out = arena_str(d->arena, json_text(v));
    if (most && !d->unbounded && utf8_count(*out) > (size_t)most)
        return problem_at(d, "is too long");
    return true;
}

static bool decode_integer(struct decoder *d, const json_t *v, int64_t most,
                           int64_t *out)
{
    if (json_is_integer(v))
        *out = json_integer_value(v);
    else if (json_is_real(v) && fabs(json_real_value(v)) < 9e15 &&
             json_real_value(v) == floor(json_real_value(v)))
        *out = (int64_t)json_real_value(v);
    else if (!json_is_string(v) || !str_to_int64(json_text(v), out))
        return problem_at(d, "must be a whole number");
    if (most && !d->unbounded && (*out > most || *out < -most))
        return problem_at(d, "is out of range");
    return true;
}

static bool decode_boolean(struct decoder *d, const json_t *v, bool *out)
{
    if (json_is_boolean(v))
        *out = json_is_true(v);
    else if (str_is(json_text(v), "true") || str_is(json_text(v), "false"))
        *out = str_is(json_text(v), "true");
    else
        return problem_at(d, "must be true or false");
    return true;
}

static bool decode_choice(struct decoder *d, const json_t *v,
                          const char *const *words, int *out)
{
    for (int i = 0; words[i]; i++)
        if (str_eq_nocase(json_text(v), str_of(words[i]))) {
            *out = i;
            return true;
        }
    char what[200];
    size_t n = (size_t)snprintf(what, sizeof what, "must be one of");
    for (int i = 0; words[i] && n < sizeof what; i++)
        n += (size_t)snprintf(what + n, sizeof what - n, "%s%s", i ? ", " : " ",
                              words[i]);
    return problem_at(d, what);
}

/* Decodes one item of a list into its element of the array. */
static bool decode_item(struct decoder *d, const struct artifact_field *field,
                        const json_t *v, char *out)
{
    switch (field->kind) {
    case ARTIFACT_TEXTS:
        return decode_text(d, v, 4000, (struct str *)out);
    case ARTIFACT_INTS:
        return decode_integer(d, v, 1000000, (int64_t *)out);
    default:
        return decode_object(d, field->type, v, out);
    }
}

static bool list(struct decoder *d, const struct artifact_field *field,
                 const json_t *v, char *out)
{
    bool alone = field->kind != ARTIFACT_MANY && !json_is_array(v);
    if (!alone && !json_is_array(v))
        return problem_at(d, "must be a list");
    size_t n = alone ? 1 : json_array_size(v), size = artifact_item_size(field);
    if (field->most && !d->unbounded && n > (size_t)field->most)
        return problem_at(d, "has too many items");
    char *items = n ? arena_alloc_array(d->arena, n, size) : NULL;
    for (size_t i = 0; i < n; i++) {
        size_t before = enter_index(d, i);
        const json_t *one = alone ? v : json_array_get(v, i);
        if (!decode_item(d, field, one, items + i * size))
            return false;
        d->path_len = before;
    }
    memcpy(out + field->at, &items, sizeof items);
    memcpy(out + field->count_at, &n, sizeof n);
    return true;
}

static bool value(struct decoder *d, const struct artifact_field *field,
                  const json_t *v, char *out)
{
    switch (field->kind) {
    case ARTIFACT_TEXT:
        return decode_text(d, v, field->most, (struct str *)(out + field->at));
    case ARTIFACT_INT:
    case ARTIFACT_INT_OR_NULL:
        return decode_integer(d, v, field->most, (int64_t *)(out + field->at));
    case ARTIFACT_BOOL:
        return decode_boolean(d, v, (bool *)(out + field->at));
    case ARTIFACT_CHOICE:
        return decode_choice(d, v, field->words, (int *)(out + field->at));
    case ARTIFACT_ONE: {
        void *one = arena_alloc(d->arena, field->type->size);
        memcpy(out + field->at, &one, sizeof one);
        return decode_object(d, field->type, v, one);
    }
    default:
        return list(d, field, v, out);
    }
}

static bool decode_object(struct decoder *d, const struct artifact_type *type,
                          const json_t *v, void *out)
{
    if (!json_is_object(v))
        return problem_at(d, "must be an object");
    for (const struct artifact_field *f = type->fields(); f->json; f++) {
        const json_t *member = json_object_get(v, f->json);
        size_t before = enter_name(d, f->json);
        if (!member || json_is_null(member)) {
            if (f->flags & ARTIFACT_MUST)
                return problem_at(d, "is missing");
            if (f->kind == ARTIFACT_INT_OR_NULL)
                *(int64_t *)((char *)out + f->at) = ROW_COUNT_NULL;
        } else if (!value(d, f, member, out)) {
            return false;
        }
        d->path_len = before;
    }
    return true;
}

bool artifact_decode(struct arena *arena, const struct artifact_type *type,
                     const json_t *v, void *out,
                     struct artifact_problem *problem)
{
    struct decoder d = {.arena = arena, .problem = problem};
    memset(out, 0, type->size);
    return decode_object(&d, type, v, out);
}

bool artifact_read_back(struct arena *arena, const struct artifact_type *type,
                        const json_t *v, void *out,
                        struct artifact_problem *problem)
{
    struct decoder d = {.arena = arena, .problem = problem, .unbounded = true};
    memset(out, 0, type->size);
    return decode_object(&d, type, v, out);
}
