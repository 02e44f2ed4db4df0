/* The lists that describe the API fit one another: routes, operations, types. */
#include "openapi/openapi.h"
#include "api/api.h"
#include "base/err.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_every_route_is_described(void **state)
{
    (void)state;
    int missing = 0;
    for (const struct described_route *r = described_routes; r->method; r++)
        if (!operation_of(r)->handler) {
            print_error("include/api/operations.def lacks %s (%s %s)\n",
                        r->handler, r->method, r->pattern);
            missing++;
        }
    assert_int_equal(missing, 0);
}

static void test_every_operation_is_of_a_route_and_a_tag(void **state)
{
    (void)state;
    for (const struct operation *o = operations; o->handler; o++) {
        bool routed = false, tagged = false;
        for (const struct described_route *r = described_routes; r->method; r++)
            routed = routed || !strcmp(r->handler, o->handler);
        for (const struct described_tag *t = described_tags; t->name; t++)
            tagged = tagged || !strcmp(t->name, o->tag);
        if (!routed || !tagged)
            fail_msg("%s: no route, or no tag %s", o->handler, o->tag);
        for (const struct operation *other = operations; other != o; other++)
            assert_string_not_equal(other->handler, o->handler);
    }
}

static bool is_described(const struct described_refusal *list, int status,
                         const char *code)
{
    for (; list->code; list++)
        if (list->status == status && !strcmp(list->code, code))
            return true;
    return false;
}

/* Each is what a request is refused with, as it is or after another one, or what
 * a run fails with. */
static void test_every_error_is_described(void **state)
{
    (void)state;
    static const char *const behind_others[] = {"SQL_REFUSED", "SQL_FAILED"};
    for (int e = OK + 1; e < ERR_COUNT; e++) {
        const char *code = err_code((enum err)e);
        bool known =
            is_described(described_run_errors, 0, code) ||
            is_described(described_refusals, err_status((enum err)e), code);
        for (int i = 0; i < 2; i++)
            known = known || !strcmp(code, behind_others[i]);
        if (!known)
            fail_msg("include/api/refusals.def lacks %s",
                     err_name((enum err)e));
    }
}

static json_t *document(void)
{
    struct buf out;
    struct json_problem problem = {0};
    buf_init(&out, NULL);
    api_openapi(&out);
    json_t *v = json_read(buf_view(&out), &problem);
    if (!v)
        fail_msg("%d: %s", problem.line, problem.text);
    buf_done(&out);
    return v;
}

static json_t *at(json_t *v, const char *path)
{
    struct str rest = str_of(path), name;
    while (v && str_split(&rest, '/', &name)) {
        char key[128];
        snprintf(key, sizeof key, "%.*s", STR_ARG(name));
        v = json_object_get(v, key);
    }
    return v;
}

static void check_links(json_t *whole, json_t *v)
{
    const char *key;
    json_t *child;
    size_t i;
    json_object_foreach(v, key, child)
    {
        if (!strcmp(key, "$ref") && !at(whole, json_string_value(child) + 2))
            fail_msg("nothing is called %s", json_string_value(child));
        check_links(whole, child);
    }
    if (json_is_array(v))
        json_array_foreach(v, i, child) check_links(whole, child);
}

static void test_every_name_of_a_type_is_known(void **state)
{
    (void)state;
    json_t *whole = document();
    check_links(whole, whole);
    json_decref(whole);
}

static json_t *type_of(const char *type)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, NULL);
    json_writer_init(&w, &out);
    json_put_object(&w);
    type_write(&w, str_of(type), "");
    json_put_object_end(&w);
    json_t *v = json_read(buf_view(&out), NULL);
    buf_done(&out);
    assert_non_null(v);
    return v;
}

static void check_type(const char *type, const char *json)
{
    json_t *is = type_of(type), *wanted = json_read(str_of(json), NULL);
    assert_non_null(wanted);
    if (!json_equal(is, wanted)) {
        struct arena arena;
        arena_init(&arena, 0);
        fail_msg("%s is %.*s", type, STR_ARG(json_print(&arena, is)));
    }
    json_decref(is);
    json_decref(wanted);
}

static void test_types_become_json_schema(void **state)
{
    (void)state;
    check_type("uuid", "{\"type\":\"string\",\"format\":\"uuid\"}");
    check_type("any", "{}");
    check_type("string(1..255)|null",
               "{\"type\":[\"string\",\"null\"],\"minLength\":1,"
               "\"maxLength\":255}");
    check_type("integer(0..9)[]",
               "{\"type\":\"array\",\"items\":{\"type\":\"integer\","
               "\"minimum\":0,\"maximum\":9}}");
    check_type("boolean{}", "{\"type\":\"object\",\"additionalProperties\":"
                            "{\"type\":\"boolean\"}}");
    check_type("'a'|'b'|null",
               "{\"type\":[\"string\",\"null\"],\"enum\":[\"a\",\"b\",null]}");
    check_type("Chat", "{\"$ref\":\"#/components/schemas/Chat\"}");
    check_type("Chat|null",
               "{\"anyOf\":[{\"$ref\":\"#/components/schemas/Chat\"},"
               "{\"type\":\"null\"}]}");
    check_type("Chat[]|null", "{\"type\":[\"array\",\"null\"],\"items\":"
                              "{\"$ref\":\"#/components/schemas/Chat\"}}");
    check_type("string|integer",
               "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}");
}

static void test_parameters_say_where_they_stand(void **state)
{
    (void)state;
    struct str rest =
        STR("page:integer(1..9)?  @If-Match:string :token:string");
    struct described_field p;
    assert_true(next_field(&rest, &p));
    assert_string_equal(parameter_place(&p), "query");
    assert_true(str_is(p.name, "page") && p.optional);
    assert_true(str_is(p.type, "integer(1..9)"));
    assert_true(next_field(&rest, &p));
    assert_string_equal(parameter_place(&p), "header");
    assert_true(str_is(p.name, "If-Match") && !p.optional);
    assert_true(next_field(&rest, &p));
    assert_string_equal(parameter_place(&p), "path");
    assert_true(str_is(p.name, "token") && str_is(p.type, "string"));
    assert_false(next_field(&rest, &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_route_is_described),
        cmocka_unit_test(test_every_error_is_described),
        cmocka_unit_test(test_every_operation_is_of_a_route_and_a_tag),
        cmocka_unit_test(test_every_name_of_a_type_is_known),
        cmocka_unit_test(test_types_become_json_schema),
        cmocka_unit_test(test_parameters_say_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
