/* openapi_lists.c - the .def lists as tables, and lookups in them. */
#include "openapi.h"
#include "store/users.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* ---- tables -------------------------------------------------------------- */

const struct described_route described_routes[] = {
#define ROUTE(method, pattern, permission, handler, about) \
    {method, pattern, MAY_##permission, #handler, about},
#include "api/routes.def"
#undef ROUTE
    {0}};

const struct described_tag described_tags[] = {
#define TAG(name, about) {name, about},
#define OPERATION(...)
#include "api/operations.def"
#undef TAG
#undef OPERATION
    {0}};

const struct operation operations[] = {
#define TAG(name, about)
#define OPERATION(handler, tag, parameters, body, status, answer, refusals, \
                  about) \
    {#handler, tag, parameters, body, status, answer, refusals, about},
#include "api/operations.def"
#undef TAG
#undef OPERATION
    {0}};

const struct schema_line schema_lines[] = {
#define SCHEMA(name, about) {LINE_SCHEMA, #name, "", about},
#define FIELD(name, type, about) {LINE_FIELD, name, type, about},
#define END {LINE_END, "", "", ""},
#define ALIAS(name, type, about) {LINE_ALIAS, #name, type, about},
#include "api/schemas.def"
#undef SCHEMA
#undef FIELD
#undef END
#undef ALIAS
    {0}};

const struct described_refusal described_refusals[] = {
#define REFUSAL(status, code, about) {status, code, about},
#define RUN_ERROR(...)
#include "api/refusals.def"
#undef REFUSAL
#undef RUN_ERROR
    {0}};

const struct described_refusal described_run_errors[] = {
#define REFUSAL(...)
#define RUN_ERROR(code, about) {0, code, about},
#include "api/refusals.def"
#undef REFUSAL
#undef RUN_ERROR
    {0}};

/* ---- routes -------------------------------------------------------------- */

const char *route_permission(const struct described_route *route)
{
    static const char *const words[] = {
#define X(name, word, viewer, contributor, admin) word,
        PERMISSIONS(X)
#undef X
            NULL,
        "signed_in"};
    return words[route->permission];
}

const struct operation *operation_of(const struct described_route *route)
{
    static const struct operation unknown = {.tag = "Operations",
                                             .parameters = "",
                                             .body = "",
                                             .status = 200,
                                             .answer = "any",
                                             .refusals = "",
                                             .about = ""};
    const struct operation *o = operations;
    while (o->handler && strcmp(o->handler, route->handler) != 0)
        o++;
    return o->handler ? o : &unknown;
}

struct str operation_id(struct arena *arena,
                        const struct described_route *route)
{
    struct buf out;
    int same = 1;
    bool capital = false;
    buf_init(&out, arena);
    for (const char *c = route->handler; *c; c++) {
        if (*c != '_')
            buf_char(&out, (char)(capital && *c >= 'a' ? *c - 'a' + 'A' : *c));
        capital = *c == '_';
    }
    for (const struct described_route *r = described_routes; r < route; r++)
        same += !strcmp(r->handler, route->handler);
    if (same > 1)
        buf_int(&out, same);
    return buf_view(&out);
}

/* ---- answers ------------------------------------------------------------- */

enum answer_form answer_form(const struct operation *operation,
                             struct str *type)
{
    static const struct {
        const char *word;
        enum answer_form form;
    } words[] = {{"page", ANSWER_PAGE},
                 {"bare", ANSWER_BARE},
                 {"meta", ANSWER_META},
                 {"events", ANSWER_EVENTS}};
    struct str word, rest = str_of(operation->answer);
    *type = rest;
    if (!rest.len)
        return ANSWER_NONE;
    if (str_find_char(rest, '/') >= 0)
        return ANSWER_TEXT;
    str_split(&rest, ' ', &word);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i].word)) {
            *type = rest.len ? rest : STR("StreamEvent");
            return words[i].form;
        }
    return ANSWER_DATA;
}

const char *refusal_about(int status)
{
    for (const struct described_refusal *r = described_refusals; r->code; r++)
        if (r->status == status)
            return r->about;
    return "Failure";
}

static bool is_implied(const struct described_route *route,
                       const struct operation *o, int status)
{
    bool names = strchr(route->pattern, ':') != NULL;
    switch (status) {
    case 400: /* malformed HTTP is refused everywhere */
        return true;
    case 401:
    case 403:
        return route->permission != PERMISSION_COUNT;
    case 404:
        return names;
    case 413:
    case 415:
        return *o->body;
    default:
        return false;
    }
}

int operation_refusals(const struct described_route *route,
                       int out[REFUSALS_MOST])
{
    const struct operation *o = operation_of(route);
    int n = 0;
    for (const struct described_refusal *r = described_refusals; r->code; r++) {
        struct str word, rest = str_of(o->refusals);
        bool named = is_implied(route, o, r->status);
        int64_t status;
        while (str_split(&rest, ' ', &word))
            named =
                named || (str_to_int64(word, &status) && status == r->status);
        if (named && n < REFUSALS_MOST && (!n || out[n - 1] != r->status))
            out[n++] = r->status;
    }
    return n;
}

/* ---- fields -------------------------------------------------------------- */

bool next_field(struct str *rest, struct described_field *out)
{
    struct str word;
    do {
        if (!str_split(rest, ' ', &word))
            return false;
    } while (!word.len);
    ptrdiff_t colon = str_find_char(str_from(word, 1), ':') + 1;
    out->name = str_cut(word, 0, (size_t)colon);
    out->type = str_from(word, (size_t)colon + 1);
    out->optional = str_ends(out->type, STR("?"));
    if (out->optional)
        out->type = str_cut(out->type, 0, out->type.len - 1);
    return true;
}

const char *parameter_place(struct described_field *parameter)
{
    char mark = *parameter->name.ptr;
    if (mark != '@' && mark != ':')
        return "query";
    parameter->name = str_from(parameter->name, 1);
    return mark == '@' ? "header" : "path";
}
