/* artifact.h - the artifacts of phases as structs, and the functions that walk
 * their field tables: decoder, encoder, JSON Schema.
 *
 * artifacts.def is the only list of fields. A decoded artifact lives in one
 * arena and borrows nothing from the JSON tree. A text that is absent or null
 * has ptr NULL. */
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
        *const period_units[],
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

/* Fills the struct of `type` from v, which replaces what was in it. Ignores
 * unknown names; refuses texts longer than their bound. False: *problem says
 * why. */
bool artifact_decode(struct arena *arena, const struct artifact_type *type,
                     const json_t *v, void *out,
                     struct artifact_problem *problem);

/* The same for what artifact_encode wrote, without bounds: code adds what a
 * model may not write, such as charts and long messages of a database. */
bool artifact_read_back(struct arena *arena, const struct artifact_type *type,
                        const json_t *v, void *out,
                        struct artifact_problem *problem);

/* Writes the artifact as a JSON object with every field of its type. */
void artifact_encode(struct json_writer *w, const struct artifact_type *type,
                     const void *artifact);
/* The same as text in the arena. */
struct str artifact_json(struct arena *arena, const struct artifact_type *type,
                         const void *artifact);

/* Copies an artifact of `type` into `copy`, with all that it points at, so that
 * the copy needs nothing but `arena`. */
void artifact_copy(struct arena *arena, const struct artifact_type *type,
                   const void *artifact, void *copy);

/* A model must answer with an object, so a list of queries or results is an
 * object with one field. Streams and metadata have the bare list; any other
 * artifact is written as it is. Without `charts`, the lists of charts are
 * empty: the store keeps charts apart from the message. */
void artifact_encode_bare(struct json_writer *w,
                          const struct artifact_type *type,
                          const void *artifact, bool charts);
/* The bare list within the text that artifact_json made; not copied. */
struct str artifact_bare(const struct artifact_type *type, struct str json);

/* Writes the JSON Schema in the dialect that providers call strict: a root
 * object, every name required, optional ones nullable, additionalProperties
 * false. Only the decoder checks bounds. */
void artifact_schema(struct buf *out, const struct artifact_type *type);
/* The same for a document that holds every type under its title: a nested type
 * is a "$ref" made of `refs` and its title. */
void artifact_schema_linked(struct json_writer *w,
                            const struct artifact_type *type, const char *refs);
/* Writes "PlanStep" for plan_step, at most `size` bytes with the NUL. */
void artifact_title(const struct artifact_type *type, char *out, size_t size);
/* All types in the order of artifacts.def; ends in NULL. */
extern const struct artifact_type *const artifact_types[];

/* Checks what the field table cannot: ids are positive and unique, dependsOn
 * names steps and has no cycle, and there are steps unless the plan is
 * conversational or asks the user. False: *problem says why. */
bool plan_check(const struct plan *plan, struct artifact_problem *problem);
/* The indexes of all steps in an order that respects dependsOn; plan_check must
 * have passed. In the arena. */
size_t *plan_order(struct arena *arena, const struct plan *plan);
/* The query of a step; NULL: there is none, or `specs` is NULL. */
const struct query_spec *query_spec_of(const struct query_specs *specs,
                                       int64_t step_id);
/* NULL: the plan has no such step. */
const struct plan_step *plan_find_step(const struct plan *plan, int64_t id);
