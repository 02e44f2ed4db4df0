/* openapi.h - the lists that describe the API, and who turns them into a document.
 *
 *   routes.def      which addresses there are, and who may use them
 *   operations.def  what each takes and answers
 *   schemas.def     what that is made of
 *   refusals.def    how a request is refused, and a run fails
 *
 * with phases, events and artifacts of include/artifact/. */
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
    int status; /* of a run's error: 0 */
    const char *code, *about;
};
/* By status; both end in NULL. */
extern const struct described_refusal described_refusals[];
extern const struct described_refusal described_run_errors[];

/* schemas.def, flat: a schema, its fields, its end; or an alias. */
enum schema_line_kind { LINE_SCHEMA, LINE_FIELD, LINE_END, LINE_ALIAS };
struct schema_line {
    enum schema_line_kind kind;
    const char *name; /* NULL ends the table */
    const char *type; /* of fields and aliases */
    const char *about;
};
extern const struct schema_line schema_lines[];

/* "data_agent:read"; NULL: open to all. */
const char *route_permission(const struct described_route *route);
/* Never NULL; its handler is NULL when the route is not described. */
const struct operation *operation_of(const struct described_route *route);
/* "chatsList", and "chatsList2" for a second route of one handler. */
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
/* How `operation` answers; *type is what stands behind the word. */
enum answer_form answer_form(const struct operation *operation,
                             struct str *type);
/* Statuses of refusals, least first and without doubles; how many. */
enum { REFUSALS_MOST = 16 };
int operation_refusals(const struct described_route *route,
                       int out[REFUSALS_MOST]);
const char *refusal_about(int status);

/* One `name:type` of a list of them; false at the end. */
struct described_field {
    struct str name, type;
    bool optional;
};
bool next_field(struct str *rest, struct described_field *out);
/* Where a parameter stands: "query", "header" or "path"; its mark goes. */
const char *parameter_place(struct described_field *parameter);

/* The members of a JSON Schema object for a type as schemas.def writes it. */
void type_write(struct json_writer *w, struct str type, const char *about);

/* "MessageStartEvent" */
struct str event_title(struct arena *arena, enum event_type type);

/* The API does not show it: a list with a name, of which it shows the items alone,
 * or what only models are asked for. */
bool artifact_is_inner(const struct artifact_type *type);

/* The members of components.schemas. */
void openapi_write_schemas(struct json_writer *w);
