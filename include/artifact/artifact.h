/* artifact.h - the phases' artifacts as structs, and what walks their tables.
 *
 * artifacts.def is the list; nothing else names a field twice. A decoded
 * artifact lives in one arena and borrows nothing from the JSON tree. Absent and
 * null texts have ptr NULL. */
#pragma once
#include "artifact/vocabulary.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- words -------------------------------------------------------------- */

enum plan_complexity { PLAN_SIMPLE, PLAN_ANALYTICAL, PLAN_CONVERSATIONAL };
enum step_strategy { STEP_SQL, STEP_PYTHON, STEP_SQL_THEN_PYTHON };
enum answer_source { ANSWER_GIVEN, ANSWER_ASSUMED };
enum check_severity { CHECK_FAIL, CHECK_WARN };
enum verification_status { CHECKS_PASSED, CHECKS_FAILED, CHECKS_SKIPPED };
extern const char *const plan_complexities[],
    *const step_strategies[],
        *const answer_sources[],
            *const check_severities[],
                *const verification_statuses[]; /* each ends in NULL */

enum { ROW_COUNT_NULL = -1 };

/* ---- structs, from the list --------------------------------------------- */

#define OBJECT(name) struct name {
#define END(name) \
    } \
    ;
#define TEXT(c, json, most, flags, about) struct str c;
#define TEXTS(c, json, most, flags, about) \
    struct str *c; \
    size_t n_##c;
#define INT(c, json, most, flags, about) int64_t c;
#define INT_OR_NULL(c, json, about) int64_t c; /* ROW_COUNT_NULL: null */
#define INTS(c, json, most, flags, about) \
    int64_t *c; \
    size_t n_##c;
#define BOOL(c, json, flags, about) bool c;
#define CHOICE(c, json, words, flags, about) int c;
#define ONE(c, json, type, flags, about) struct type *c;
#define MANY(c, json, type, most, flags, about) \
    struct type *c; \
    size_t n_##c;
#include "artifact/artifacts.def"
#undef OBJECT
#undef END
#undef TEXT
#undef TEXTS
#undef INT
#undef INT_OR_NULL
#undef INTS
#undef BOOL
#undef CHOICE
#undef ONE
#undef MANY

/* ---- tables ------------------------------------------------------------- */

struct artifact_type;
#define OBJECT(name) extern const struct artifact_type name##_type;
#define END(name)
#define TEXT(...)
#define TEXTS(...)
#define INT(...)
#define INT_OR_NULL(...)
#define INTS(...)
#define BOOL(...)
#define CHOICE(...)
#define ONE(...)
#define MANY(...)
#include "artifact/artifacts.def"
#undef OBJECT
#undef END
#undef TEXT
#undef TEXTS
#undef INT
#undef INT_OR_NULL
#undef INTS
#undef BOOL
#undef CHOICE
#undef ONE
#undef MANY

/* Where and why a JSON value does not fit: "steps[2].strategy: must be one of
 * sql, python, sql_then_python". */
struct artifact_problem {
    char text[300];
};

/* Fills the struct of `type` from v; what was in it is gone. Unknown names are
 * ignored; texts longer than they may be are refused. False with *problem. */
bool artifact_decode(struct arena *arena, const struct artifact_type *type,
                     const json_t *v, void *out,
                     struct artifact_problem *problem);

/* The same for what artifact_encode wrote: no bound is judged, for code adds
 * what a model may not write (charts, long messages of a database). */
bool artifact_read_back(struct arena *arena, const struct artifact_type *type,
                        const json_t *v, void *out,
                        struct artifact_problem *problem);

void artifact_encode(struct json_writer *w, const struct artifact_type *type,
                     const void *artifact);
struct str artifact_json(struct arena *arena, const struct artifact_type *type,
                         const void *artifact);

/* Copies an artifact of `type` into `copy`, with all that it points at, so that
 * the copy needs nothing but `arena`. */
void artifact_copy(struct arena *arena, const struct artifact_type *type,
                   const void *artifact, void *copy);

/* JSON Schema in the strict dialect: a root object, every name required, what is
 * optional nullable, additionalProperties false; bounds are the decoder's. */
void artifact_schema(struct buf *out, const struct artifact_type *type);
/* The same of the type's own fields, for a document that holds every type under
 * its title: what is nested is a "$ref" of `refs` and the nested type's title. */
void artifact_schema_linked(struct json_writer *w,
                            const struct artifact_type *type, const char *refs);
const char *artifact_name(const struct artifact_type *type);
/* "PlanStep" for plan_step; `out` gets at most `size` bytes with its NUL. */
void artifact_title(const struct artifact_type *type, char *out, size_t size);
/* All of the list, in its order; ends in NULL. */
extern const struct artifact_type *const artifact_types[];

/* Beyond the table: ids positive and unique, dependsOn known, no cycle, steps
 * present unless conversational or clarifying, at most one question round. */
bool plan_check(const struct plan *plan, struct artifact_problem *problem);
/* Each step's index in an order that respects dependsOn (plan_check passed). */
size_t *plan_order(struct arena *arena, const struct plan *plan);
const struct plan_step *plan_find_step(const struct plan *plan, int64_t id);
