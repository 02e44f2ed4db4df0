/* model_help.h - models for tests: from literals, and from files that may be
 * absent (then the test is skipped, by name). */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/arena.h"
#include "base/buf.h"
#include "ontology/osi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_str(actual, literal) \
    do { \
        struct str actual_ = (actual); \
        struct str wanted_ = str_of(literal); \
        if (!str_eq(actual_, wanted_)) \
            fail_msg("\"%.*s\" is not \"%.*s\"", STR_ARG(actual_), \
                     STR_ARG(wanted_)); \
    } while (0)

/* A model without errors; prints what was found if there are any. */
static inline struct ontology *model_read(struct arena *arena, struct str text)
{
    struct ontology *model;
    struct osi_report report;
    if (!osi_read(arena, text, &model, &report)) {
        struct buf out;
        buf_init(&out, arena);
        osi_report_print(&report, &out);
        fail_msg("%s", buf_cstr(&out));
    }
    return model;
}

/* The file's text, or an empty one if there is no such file. */
static inline struct str model_file(struct arena *arena, const char *folder,
                                    const char *name)
{
    struct str path = arena_printf(arena, "%s/%s", folder ? folder : ".", name);
    FILE *file = fopen(path.ptr, "rb");
    struct buf text;
    char piece[4096];
    size_t n;
    if (!file)
        return (struct str){NULL, 0};
    buf_init(&text, arena);
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        buf_bytes(&text, piece, n);
    fclose(file);
    return buf_view(&text);
}

/* Data from other projects: $SEXTANT_SHARED_DATA, else next to the source
 * tree. */
static inline struct str model_shared(struct arena *arena, const char *name)
{
    const char *folder = getenv("SEXTANT_SHARED_DATA");
    const char *root = getenv("SEXTANT_SOURCE_ROOT");
    if (folder)
        return model_file(arena, folder, name);
    struct str beside =
        arena_printf(arena, "%s/../shared/data", root ? root : ".");
    return model_file(arena, beside.ptr, name);
}

/* The demo model. */
static inline struct str model_demo(struct arena *arena)
{
    const char *root = getenv("SEXTANT_SOURCE_ROOT");
    return model_file(arena, root, "sql/demo/retail.osi.yaml");
}

static inline int arena_open(void **state)
{
    static struct arena arena;
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static inline int arena_close(void **state)
{
    arena_done(*state);
    return 0;
}

#define model_test(f) \
    cmocka_unit_test_setup_teardown(f, arena_open, arena_close)
