/* openapi.h - the lists that describe the API, and what turns them into
 * documents.
 *
 *   routes.def      which addresses there are, and who may use them
 *   operations.def  what each takes and answers
 *   schemas.def     the types of those
 *   refusals.def    how a request is refused, and how a run fails
 *
 * Phases, events and artifacts come from include/artifact/. */
#pragma once
#include "artifact/artifact.h"
#include "base/json.h"

struct operation {
    const char *handler, *tag;
    const char *parameters, *body;
    int status;
    const char *answer, *refusals, *about;
};

struct described_route {
    const char *method, *pattern;
    int permission; /* enum permission; MAY_OPEN, MAY_SIGNED_IN */
    const char *handler, *about;
};
extern const struct described_route described_routes[]; /* ends in NULL */
extern const struct operation operations[];             /* likewise */

struct described_tag {
    const char *name, *about;
};
extern const struct described_tag described_tags[]; /* likewise */

struct described_refusal {
    int status; /* 0 for a run's error */
    const char *code, *about;
};
/* Sorted by status; both end with a NULL code. */
extern const struct described_refusal described_refusals[];
extern const struct described_refusal described_run_errors[];

/* schemas.def as a flat table: a schema, its fields, its end; or an alias. */
enum schema_line_kind { LINE_SCHEMA, LINE_FIELD, LINE_END, LINE_ALIAS };
struct schema_line {
    enum schema_line_kind kind;
    const char *name; /* NULL ends the table */
    const char *type; /* of fields and aliases */
    const char *about;
};
extern const struct schema_line schema_lines[];

/* The permission as text ("data_agent:read"); NULL: open to all. */
const char *route_permission(const struct described_route *route);
/* The operation of a route. Never NULL; its handler is NULL if operations.def
 * lacks the route. */
const struct operation *operation_of(const struct described_route *route);
/* "chatsList", and "chatsList2" for the second route of one handler. */
struct str operation_id(struct arena *arena,
                        const struct described_route *route);

enum answer_form {
    ANSWER_NONE,
    ANSWER_DATA,
    ANSWER_PAGE,
    ANSWER_BARE,
    ANSWER_META,
    ANSWER_EVENTS,
    ANSWER_TEXT
};
/* How an operation answers; *type is the type that follows the keyword. */
enum answer_form answer_form(const struct operation *operation,
                             struct str *type);
/* The statuses of its refusals, sorted, without duplicates. Returns how
 * many. */
enum { REFUSALS_MOST = 16 };
int operation_refusals(const struct described_route *route,
                       int out[REFUSALS_MOST]);
/* The description of a status. */
const char *refusal_about(int status);

/* One `name:type` of a parameter list. */
struct described_field {
    struct str name, type;
    bool optional;
};
/* Cuts the next one off `rest`. Returns false at the end. */
bool next_field(struct str *rest, struct described_field *out);
/* Where a parameter is ("query", "header" or "path"). Removes its mark. */
const char *parameter_place(struct described_field *parameter);

/* Writes the members of a JSON Schema object for a type of schemas.def. */
void type_write(struct json_writer *w, struct str type, const char *about);

/* Whether the API omits the artifact: a named list, of which it shows only the
 * items, or a type that only models are asked for. */
bool artifact_is_inner(const struct artifact_type *type);

/* Writes the members of components.schemas. */
void openapi_write_schemas(struct json_writer *w);
