/* Artifacts from JSON and back: what is accepted, and the path of errors. */
#include "artifact/artifact.h"
#include "artifact/tables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static const struct artifact_type *const types[] = {
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
};
enum { TYPES = sizeof types / sizeof *types };

static struct arena arena;
static struct artifact_problem problem;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    problem.text[0] = '\0';
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static bool decode(const struct artifact_type *type, const char *text,
                   void *out)
{
    json_t *v = json_read(str_of(text), NULL);
    assert_non_null(v);
    bool ok = artifact_decode(&arena, type, v, out, &problem);
    json_decref(v);
    return ok;
}

/* ---- a value for every field -------------------------------------------- */

static json_t *sample(const struct artifact_type *type);

static json_t *sample_of(const struct artifact_field *f)
{
    switch (f->kind) {
    case ARTIFACT_TEXT:
        return json_string("text \xc3\xa9 \"quoted\"");
    case ARTIFACT_TEXTS:
        return json_pack("[s,s]", "one", "");
    case ARTIFACT_INT:
    case ARTIFACT_INT_OR_NULL:
        return json_integer(7);
    case ARTIFACT_INTS:
        return json_pack("[i,i]", 3, -4);
    case ARTIFACT_BOOL:
        return json_true();
    case ARTIFACT_CHOICE:
        return json_string(f->words[1]);
    case ARTIFACT_ONE:
        return sample(f->type);
    default:
        return json_pack("[o,o]", sample(f->type), sample(f->type));
    }
}

static json_t *sample(const struct artifact_type *type)
{
    json_t *v = json_object();
    for (const struct artifact_field *f = type->fields(); f->json; f++)
        json_object_set_new(v, f->json, sample_of(f));
    return v;
}

static void test_every_type_is_read_from_what_it_writes(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; i++) {
        json_t *v = sample(types[i]);
        void *out = arena_alloc(&arena, types[i]->size);
        assert_true(artifact_decode(&arena, types[i], v, out, &problem));
        struct str text = artifact_json(&arena, types[i], out);
        json_t *again = json_read(text, NULL);
        if (!json_equal(v, again))
            print_message("# %s: %.*s\n", types[i]->name, STR_ARG(text));
        assert_true(json_equal(v, again));
        json_decref(v);
        json_decref(again);
    }
}

/* Without what may be absent, and with null in its place. */
static void test_optional_fields_may_be_absent_or_null(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; i++)
        for (int null = 0; null < 2; null++) {
            json_t *v = sample(types[i]);
            for (const struct artifact_field *f = types[i]->fields(); f->json;
                 f++)
                if (!(f->flags & ARTIFACT_MUST)) {
                    json_object_del(v, f->json);
                    if (null)
                        json_object_set_new(v, f->json, json_null());
                }
            void *out = arena_alloc(&arena, types[i]->size);
            assert_true(artifact_decode(&arena, types[i], v, out, &problem));
            struct str text = artifact_json(&arena, types[i], out);
            json_t *again = json_read(text, NULL);
            void *second = arena_alloc(&arena, types[i]->size);
            assert_true(
                artifact_decode(&arena, types[i], again, second, &problem));
            assert_true(str_eq(text, artifact_json(&arena, types[i], second)));
            json_decref(v);
            json_decref(again);
        }
}

static void test_each_missing_field_that_must_be_there_is_named(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; i++)
        for (const struct artifact_field *f = types[i]->fields(); f->json;
             f++) {
            char wanted[200];
            if (!(f->flags & ARTIFACT_MUST))
                continue;
            json_t *v = sample(types[i]);
            json_object_del(v, f->json);
            void *out = arena_alloc(&arena, types[i]->size);
            assert_false(artifact_decode(&arena, types[i], v, out, &problem));
            snprintf(wanted, sizeof wanted, "%s: is missing", f->json);
            assert_string_equal(problem.text, wanted);
            json_decref(v);
        }
}

/* Whatever the value of a field is, decoding is safe. */
static void test_values_of_wrong_kinds_are_told_or_taken(void **state)
{
    (void)state;
    static const char *const values[] = {"1",
                                         "-1.5",
                                         "1e300",
                                         "\"x\"",
                                         "true",
                                         "[]",
                                         "{}",
                                         "[null]",
                                         "[[1]]",
                                         "[{}]",
                                         "\"\"",
                                         "9223372036854775807",
                                         "[\"a\",7,true]",
                                         "-9e18"};
    for (int i = 0; i < TYPES; i++)
        for (const struct artifact_field *f = types[i]->fields(); f->json; f++)
            for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
                json_t *v = sample(types[i]);
                json_object_set_new(v, f->json,
                                    json_read(str_of(values[n]), NULL));
                void *out = arena_alloc(&arena, types[i]->size);
                problem.text[0] = '\0';
                bool ok = artifact_decode(&arena, types[i], v, out, &problem);
                assert_int_equal(ok, problem.text[0] == '\0');
                if (ok)
                    assert_true(artifact_json(&arena, types[i], out).len > 0);
                else
                    assert_true(
                        str_starts(str_of(problem.text), str_of(f->json)));
                json_decref(v);
            }
}

/* ---- tolerances --------------------------------------------------------- */

static void test_small_inexactness_carries_no_doubt(void **state)
{
    (void)state;
    struct plan_step s;
    assert_true(decode(&plan_step_type,
                       "{\"id\":\"3\",\"description\":12.5,"
                       "\"strategy\":\"SQL_Then_Python\",\"dependsOn\":2,"
                       "\"datasets\":\"orders\",\"unknown\":{\"x\":1}}",
                       &s));
    assert_int_equal(s.id, 3);
    assert_true(str_is(s.description, "12.5"));
    assert_int_equal(s.strategy, STEP_SQL_THEN_PYTHON);
    assert_int_equal(s.n_depends_on, 1);
    assert_int_equal(s.depends_on[0], 2);
    assert_true(str_is(s.datasets[0], "orders"));
    assert_null(s.expected_output.ptr);
    struct verification_check c;
    assert_true(decode(&verification_check_type,
                       "{\"name\":\"n\",\"passed\":\"false\"}", &c));
    assert_false(c.passed);
    assert_int_equal(c.severity,
                     CHECK_FAIL); /* the first word is the default */
    assert_true(decode(&plan_step_type,
                       "{\"id\":4.0,\"description\":\"\",\"strategy\":\"sql\"}",
                       &s));
    assert_int_equal(s.id, 4);
}

static void test_a_struct_is_filled_anew(void **state)
{
    (void)state;
    struct plan_step s;
    memset(&s, 0xee, sizeof s);
    assert_true(decode(&plan_step_type,
                       "{\"id\":1,\"description\":\"d\",\"strategy\":\"sql\","
                       "\"datasets\":[\"a\",\"b\"]}",
                       &s));
    assert_true(decode(&plan_step_type,
                       "{\"id\":2,\"description\":\"d\",\"strategy\":\"sql\"}",
                       &s));
    assert_int_equal(s.n_datasets, 0);
    assert_null(s.expected_output.ptr);
}

/* ---- problems ----------------------------------------------------------- */

#define STEP(more) \
    "{\"id\":1,\"description\":\"d\",\"strategy\":\"sql\"" more "}"
#define PLAN(steps) \
    "{\"complexity\":\"simple\",\"intent\":\"i\",\"steps\":" steps "}"

static void test_a_problem_has_its_path(void **state)
{
    (void)state;
    static const struct {
        const char *json, *problem;
    } cases[] = {
        {"[]", "must be an object"},
        {PLAN("7"), "steps: must be a list"},
        {PLAN("[7]"), "steps[0]: must be an object"},
        {PLAN("[" STEP("") ",{}]"), "steps[1].id: is missing"},
        {PLAN("[" STEP(",\"dependsOn\":[1,\"x\"]") "]"),
         "steps[0].dependsOn[1]: must be a whole number"},
        {PLAN("[" STEP(",\"datasets\":[{}]") "]"),
         "steps[0].datasets[0]: must be text"},
        {PLAN("[{\"id\":1.5,\"description\":\"d\",\"strategy\":\"sql\"}]"),
         "steps[0].id: must be a whole number"},
        {PLAN("[{\"id\":1000001,\"description\":\"d\",\"strategy\":\"sql\"}]"),
         "steps[0].id: is out of range"},
        {PLAN("[{\"id\":1,\"description\":\"d\",\"strategy\":\"guess\"}]"),
         "steps[0].strategy: must be one of sql, python, sql_then_python"},
        {PLAN("[{\"id\":1,\"description\":\"d\",\"strategy\":7}]"),
         "steps[0].strategy: must be one of sql, python, sql_then_python"},
        {PLAN("[" STEP(",\"dependsOn\":[1,2,3,4,5,6,7,8,9,10,11,12,13]") "]"),
         "steps[0].dependsOn: has too many items"},
        {"{\"complexity\":\"simple\",\"intent\":null,\"steps\":[]}",
         "intent: is missing"},
        {"{\"complexity\":\"simple\",\"intent\":\"i\",\"shouldClarify\":\"maybe\"}",
         "shouldClarify: must be true or false"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        assert_false(decode(&plan_type, cases[i].json, &plan));
        assert_string_equal(problem.text, cases[i].problem);
    }
}

static void test_texts_are_bounded_in_characters(void **state)
{
    (void)state;
    for (int length = 1000; length <= 1001; length++) {
        struct buf b = {0};
        struct plan plan;
        buf_text(&b, "{\"complexity\":\"simple\",\"intent\":\"");
        for (int i = 0; i < length; i++)
            buf_text(&b, "\xc3\xa9"); /* two bytes, one character */
        buf_text(&b, "\"}");
        assert_int_equal(decode(&plan_type, buf_cstr(&b), &plan),
                         length == 1000);
        buf_done(&b);
    }
    assert_string_equal(problem.text, "intent: is too long");
}

/* What code wrote is read back whatever its length: a chart, a long sentence of
 * a database, more checks than a model may write. */
static void test_what_was_written_is_read_back_without_bounds(void **state)
{
    (void)state;
    enum { LONG = 5000, CHECKS = 150 };
    char text[LONG + 1];
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    struct verification_check checks[CHECKS];
    for (int i = 0; i < CHECKS; i++)
        checks[i] = (struct verification_check){.name = str_of(text),
                                                .message = str_of(text)};
    struct verification_report report = {.checks = checks,
                                         .n_checks = CHECKS,
                                         .diagnosis = str_of(text)},
                               back;
    json_t *v = json_read(
        artifact_json(&arena, &verification_report_type, &report), NULL);
    assert_false(
        artifact_decode(&arena, &verification_report_type, v, &back, &problem));
    assert_true(artifact_read_back(&arena, &verification_report_type, v, &back,
                                   &problem));
    assert_int_equal(back.n_checks, CHECKS);
    json_decref(v);
    struct str chart = str_of(text);
    struct python_result drawn = {.charts = &chart, .n_charts = 1}, again;
    v = json_read(artifact_json(&arena, &python_result_type, &drawn), NULL);
    assert_true(
        artifact_read_back(&arena, &python_result_type, v, &again, &problem));
    assert_int_equal(again.charts[0].len, LONG);
    json_decref(v);
}

static void test_a_deep_path_is_cut_not_overrun(void **state)
{
    (void)state;
    struct step_results r;
    struct buf b = {0};
    buf_text(&b,
             "{\"results\":[{\"stepId\":1,\"strategy\":\"sql\",\"sqlResult\":"
             "{\"columns\":[\"a\",[]]}}]}");
    assert_false(decode(&step_results_type, buf_cstr(&b), &r));
    assert_string_equal(problem.text,
                        "results[0].sqlResult.columns[1]: must be text");
    buf_done(&b);
}

static void test_a_row_count_may_be_null_both_ways(void **state)
{
    (void)state;
    struct data_lineage l;
    assert_true(decode(&data_lineage_type, "{\"rowCount\":null}", &l));
    assert_int_equal(l.row_count, ROW_COUNT_NULL);
    assert_true(str_find(artifact_json(&arena, &data_lineage_type, &l),
                         STR("\"rowCount\":null")) > 0);
    assert_true(decode(&data_lineage_type, "{\"rowCount\":0}", &l));
    assert_true(str_find(artifact_json(&arena, &data_lineage_type, &l),
                         STR("\"rowCount\":0")) > 0);
}

/* ---- words -------------------------------------------------------------- */

static void test_phases_and_events_have_their_words(void **state)
{
    (void)state;
    for (int p = 0; p <= PHASE_DONE; p++)
        assert_int_equal(phase_of(str_of(phase_word((enum phase)p))), p);
    assert_int_equal(phase_of(STR("nonsense")), PHASE_COUNT + 1);
    assert_int_equal(phase_of(STR("")), PHASE_COUNT + 1);
    assert_string_equal(phase_word(PHASE_SQL_BUILDER), "sql_builder");
    for (int e = 0; e < EVENT_COUNT; e++)
        for (int other = 0; other < e; other++)
            assert_string_not_equal(event_word((enum event_type)e),
                                    event_word((enum event_type)other));
}

#define ARTIFACT_TEST(name) \
    cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARTIFACT_TEST(test_every_type_is_read_from_what_it_writes),
        ARTIFACT_TEST(test_optional_fields_may_be_absent_or_null),
        ARTIFACT_TEST(test_each_missing_field_that_must_be_there_is_named),
        ARTIFACT_TEST(test_values_of_wrong_kinds_are_told_or_taken),
        ARTIFACT_TEST(test_small_inexactness_carries_no_doubt),
        ARTIFACT_TEST(test_a_struct_is_filled_anew),
        ARTIFACT_TEST(test_a_problem_has_its_path),
        ARTIFACT_TEST(test_texts_are_bounded_in_characters),
        ARTIFACT_TEST(test_what_was_written_is_read_back_without_bounds),
        ARTIFACT_TEST(test_a_deep_path_is_cut_not_overrun),
        ARTIFACT_TEST(test_a_row_count_may_be_null_both_ways),
        ARTIFACT_TEST(test_phases_and_events_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
