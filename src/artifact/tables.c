/* tables.c - the field tables that artifacts.def expands to. Each table is in a
 * function, so that SELF can name its struct. */
#include "artifact/tables.h"
#include <stddef.h>
#include "base/banned.h"

const char *const plan_complexities[] = {"simple", "analytical",
                                         "conversational", NULL};
const char *const step_strategies[] = {"sql", "python", "sql_then_python",
                                       NULL};
const char *const period_units[] = {"day",     "week", "month",
                                    "quarter", "year", NULL};
const char *const answer_sources[] = {"answer", "assumption", NULL};
const char *const check_severities[] = {"fail", "warn", NULL};
const char *const verification_statuses[] = {"passed", "failed", "skipped",
                                             NULL};

enum { MUST = ARTIFACT_MUST, CHART = ARTIFACT_CHART };

#define OBJECT(name) \
    static const struct artifact_field *name##_fields(void); \
    const struct artifact_type name##_type = {#name, sizeof(struct name), \
                                              name##_fields}; \
    static const struct artifact_field *name##_fields(void) \
    { \
        typedef struct name SELF; \
        static const struct artifact_field fields[] = {
#define END(name) \
    {0}                                                                        \
    } \
    ; \
    return fields; \
    }
#define AT(c) offsetof(SELF, c)
#define TEXT(c, json, most, flags, about) \
    {json, ARTIFACT_TEXT, flags, most, AT(c), 0, NULL, NULL, about},
#define TEXTS(c, json, most, flags, about) \
    {json, ARTIFACT_TEXTS, flags, most, AT(c), AT(n_##c), NULL, NULL, about},
#define INT(c, json, most, flags, about) \
    {json, ARTIFACT_INT, flags, most, AT(c), 0, NULL, NULL, about},
#define INT_OR_NULL(c, json, about) \
    {json, ARTIFACT_INT_OR_NULL, 0, 0, AT(c), 0, NULL, NULL, about},
#define INTS(c, json, most, flags, about) \
    {json, ARTIFACT_INTS, flags, most, AT(c), AT(n_##c), NULL, NULL, about},
#define BOOL(c, json, flags, about) \
    {json, ARTIFACT_BOOL, flags, 0, AT(c), 0, NULL, NULL, about},
#define CHOICE(c, json, words, flags, about) \
    {json, ARTIFACT_CHOICE, flags, 0, AT(c), 0, NULL, words, about},
#define ONE(c, json, type, flags, about) \
    {json, ARTIFACT_ONE, flags, 0, AT(c), 0, &type##_type, NULL, about},
#define MANY(c, json, type, most, flags, about) \
    {json,      ARTIFACT_MANY, flags, most, AT(c), \
     AT(n_##c), &type##_type,  NULL,  about},
#include "artifact/artifacts.def"

const struct artifact_type *const artifact_types[] = {
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
#define OBJECT(name) &name##_type,
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
    NULL};
