/* tables.h - the field tables of artifacts.def: for this floor, its tests, and
 * code that describes artifacts (the API description). */
#pragma once
#include "artifact/artifact.h"
#include <stddef.h>

enum artifact_kind {
    ARTIFACT_END,
    ARTIFACT_TEXT,
    ARTIFACT_TEXTS,
    ARTIFACT_INT,
    ARTIFACT_INT_OR_NULL,
    ARTIFACT_INTS,
    ARTIFACT_BOOL,
    ARTIFACT_CHOICE,
    ARTIFACT_ONE,
    ARTIFACT_MANY
};

enum {
    ARTIFACT_MUST = 1,  /* a model has to give it */
    ARTIFACT_CHART = 2, /* charts, which the store keeps apart */
};

struct artifact_field {
    const char *json; /* NULL ends a table */
    enum artifact_kind kind;
    int flags;
    int64_t most;    /* characters, items, or the largest number; 0: no bound */
    size_t at;       /* offset of the value */
    size_t count_at; /* offset of its count */
    const struct artifact_type *type; /* of ONE and MANY */
    const char *const *words;         /* of CHOICE */
    const char *about;
};

struct artifact_type {
    const char *name;
    size_t size;
    const struct artifact_field *(*fields)(void);
};

/* The bytes that one item of a list takes. */
size_t artifact_item_size(const struct artifact_field *field);
