/* Schemas in the dialect that every provider takes as strict. */
#include "artifact/artifact.h"
#include "artifact/tables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static json_t *schema_of(const struct artifact_type *type)
{
    struct buf b = {0};
    artifact_schema(&b, type);
    json_t *v = json_read(buf_view(&b), NULL);
    buf_done(&b);
    assert_non_null(v);
    return v;
}

static bool names(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (str_is(json_text(json_array_get(list, i)), word))
            return true;
    return false;
}

/* "object", or ["object", "null"]. */
static bool is_type(const json_t *schema, const char *word)
{
    const json_t *type = json_object_get(schema, "type");
    return str_is(json_text(type), word) || names(type, word);
}

static const char *const allowed[] = {
    "type", "properties", "required", "items", "additionalProperties",
    "enum", "description"};

static void check(const json_t *schema)
{
    const char *key;
    json_t *child;
    json_object_foreach((json_t *)schema, key, child)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            known = known || !strcmp(key, allowed[i]);
        assert_true(known); /* no bound, no $ref, no default */
    }
    if (is_type(schema, "array"))
        check(json_object_get(schema, "items"));
    if (!is_type(schema, "object"))
        return;
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    assert_int_equal(json_array_size(required), json_object_size(properties));
    json_object_foreach((json_t *)properties, key, child)
    {
        assert_true(names(required, key));
        check(child);
    }
}

static void test_all_names_are_required_and_no_other_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; artifact_types[i]; i++) {
        json_t *schema = schema_of(artifact_types[i]);
        assert_true(str_is(json_get_text(schema, "type"), "object"));
        check(schema);
        json_decref(schema);
    }
}

static const json_t *property(const json_t *schema, const char *name)
{
    return json_object_get(json_object_get(schema, "properties"), name);
}

static void test_what_is_optional_is_nullable(void **state)
{
    (void)state;
    json_t *plan = schema_of(&plan_type);
    assert_true(
        names(json_object_get(property(plan, "timeWindow"), "type"), "null"));
    assert_true(
        str_is(json_get_text(property(plan, "intent"), "type"), "string"));
    assert_true(is_type(property(plan, "shouldClarify"), "boolean"));
    const json_t *complexity = property(plan, "complexity");
    assert_true(names(json_object_get(complexity, "enum"), "conversational"));
    assert_int_equal(json_array_size(json_object_get(complexity, "enum")), 3);
    assert_true(json_get_text(property(plan, "grain"), "description").len > 0);
    json_decref(plan);
    json_t *check_schema = schema_of(&verification_check_type);
    const json_t *words =
        json_object_get(property(check_schema, "severity"), "enum");
    assert_true(json_is_null(json_array_get(words, 2))); /* null is a choice */
    json_decref(check_schema);
}

static void test_in_a_document_what_is_nested_is_a_link(void **state)
{
    (void)state;
    struct buf b = {0};
    struct json_writer w;
    json_writer_init(&w, &b);
    artifact_schema_linked(&w, &plan_type, "#/types/");
    json_t *plan = json_read(buf_view(&b), NULL);
    buf_done(&b);
    const json_t *steps = property(plan, "steps");
    assert_true(str_is(json_get_text(json_object_get(steps, "items"), "$ref"),
                       "#/types/PlanStep"));
    json_decref(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_names_are_required_and_no_other_is_allowed),
        cmocka_unit_test(test_what_is_optional_is_nullable),
        cmocka_unit_test(test_in_a_document_what_is_nested_is_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
