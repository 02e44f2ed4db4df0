/* Texts made to hang, crash or exhaust a reader. */
#include "model_help.h"
#include <time.h>
#include "base/banned.h"

static bool reads(struct arena *arena, struct str text,
                  struct osi_report *report)
{
    struct ontology *model;
    bool fine = osi_read(arena, text, &model, report);
    assert_int_equal(fine, model != NULL);
    assert_int_equal(fine, report->n_errors == 0);
    return fine;
}

static void refused(struct arena *arena, struct str text, const char *why)
{
    struct osi_report report;
    assert_false(reads(arena, text, &report));
    if (str_find(report.findings[0].message, str_of(why)) < 0)
        fail_msg("refused for \"%.*s\", not for \"%s\"",
                 STR_ARG(report.findings[0].message), why);
}

/* Each of these broke libfyaml 0.7.12: a hang in a directive, a use after free
 * in its list of simple keys, a crash when it printed an empty literal. */
static void test_the_strings_that_broke_libfyaml_are_refused(void **state)
{
    refused(*state, STR("%\xB3"), "not UTF-8");
    refused(*state, STR("? i:\t:"), "a key must be a text");
    refused(*state, STR("- |\n"), "must be a mapping");
    refused(*state, STR("? i:\t:::\n"), "a key must be a text");
}

static void test_keys_are_texts_of_bounded_length(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "name: a\ntable: a\n? ");
    for (int i = 0; i <= OSI_MAX_KEY; i++)
        buf_char(&text, 'k');
    buf_text(&text, "\n: 1\n");
    refused(*state, buf_view(&text), "a key of more than 250 bytes");
    refused(*state, STR("name: a\ntable: a\n? [x]\n: 1\n"),
            "a key must be a text");
}

static void test_an_empty_literal_is_an_empty_text(void **state)
{
    struct ontology *o =
        model_read(*state, STR("name: a\ntable: a\ndescription: |\nzzz: |\n"));
    assert_str(o->datasets[0].description, "");
    assert_str(o->datasets[0].yaml,
               "name: a\ntable: a\ndescription: \"\"\nzzz: \"\"\n");
}

/* libfyaml 0.7.12 misreads two doubled quotes in a row. */
static void test_doubled_quotes_are_not_misread(void **state)
{
    const struct ontology *o = model_read(
        *state, STR("name: a\ntable: a\nfields:\n"
                    "- {name: x, expression: 'coalesce(y, '''')'}\n"
                    "- {name: z, expression: 'a || '''''''' || b'}\n"));
    assert_str(o->datasets[0].fields[0].expression, "coalesce(y, '')");
    assert_str(o->datasets[0].fields[1].expression, "a || '''' || b");
}

static void test_a_billion_laughs_are_refused_at_the_first(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "a: &a [x, x, x]\n");
    for (char c = 'b'; c < 'm'; c++)
        buf_printf(&text, "%c: &%c [*%c, *%c, *%c]\n", c, c, c - 1, c - 1,
                   c - 1);
    refused(*state, buf_view(&text), "anchors");
}

static void repeat(struct buf *text, const char *piece, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_text(text, piece);
}

static void test_depth_is_bounded(void **state)
{
    struct osi_report report;
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "name: a\ntable: a\nx: ");
    repeat(&text, "[", OSI_MAX_DEPTH - 1);
    repeat(&text, "]", OSI_MAX_DEPTH - 1);
    assert_true(reads(*state, buf_view(&text), &report));
    buf_clear(&text);
    repeat(&text, "[", OSI_MAX_BYTES);
    refused(*state, buf_view(&text), "levels deep");
    buf_clear(&text);
    repeat(&text, "- ", OSI_MAX_BYTES / 2);
    refused(*state, buf_view(&text), "levels deep");
    buf_clear(&text);
    repeat(&text, "{a: ", OSI_MAX_BYTES / 4);
    refused(*state, buf_view(&text), "levels deep");
}

static void test_the_number_of_nodes_is_bounded(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    repeat(&text, "- x\n", OSI_MAX_NODES);
    refused(*state, buf_view(&text), "more than 60000 nodes");
}

static void test_the_size_is_bounded(void **state)
{
    struct osi_report report;
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "name: a\ntable: a\ndescription: ");
    repeat(&text, "x", OSI_MAX_BYTES - text.len);
    assert_true(reads(*state, buf_view(&text), &report));
    buf_char(&text, 'x');
    refused(*state, buf_view(&text), "larger than 256 KB");
}

/* Nothing here may be quadratic: the limit is a hundred times the usual CPU
 * time. */
static void in_time(struct arena *arena, struct buf *text)
{
    struct osi_report report;
    clock_t start = clock();
    assert_true(text->len <= OSI_MAX_BYTES);
    reads(arena, buf_view(text), &report);
    assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
    buf_clear(text);
}

static void test_large_texts_are_read_in_linear_time(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    for (int i = 0; i < 9900; i++) /* many keys */
        buf_printf(&text, "k%d: %d\n", i, i);
    in_time(*state, &text);
    for (int i = 0; i < 9900; i++) /* the same key */
        buf_text(&text, "same: 1\n");
    in_time(*state, &text);
    repeat(&text, "# comment\n", OSI_MAX_BYTES / 10);
    in_time(*state, &text);
    repeat(&text, "\n", OSI_MAX_BYTES);
    in_time(*state, &text);
    buf_text(&text, "a: |\n");
    repeat(&text, "  x\n", OSI_MAX_BYTES / 4 - 2);
    in_time(*state, &text);
    buf_text(&text, "a: \"");
    repeat(&text, "\\x20", OSI_MAX_BYTES / 4 - 2);
    in_time(*state, &text);
    buf_text(&text, "a: x\n");
    repeat(&text, "  y\n", OSI_MAX_BYTES / 4 - 2);
    in_time(*state, &text);
}

/* n expressions of some length each; beyond a total they are not checked. */
static bool reads_many(struct arena *arena, int n, int length)
{
    struct osi_report report;
    struct buf text;
    bool told = false;
    buf_init(&text, arena);
    buf_text(&text, "name: a\ntable: a\nfields:\n");
    for (int i = 0; i < n; i++) {
        buf_printf(&text, "- {name: f%d, expression: \"1", i);
        repeat(&text, "+x", (size_t)length / 2);
        buf_text(&text, "\"}\n");
    }
    assert_true(reads(arena, buf_view(&text), &report));
    for (size_t i = 0; i < report.n_findings; i++)
        told = told || str_find(report.findings[i].message,
                                STR("too many expressions")) >= 0;
    return told;
}

static void test_a_model_of_the_worst_kind_is_read_in_time(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "datasets:\n");
    for (int i = 0; i < 1200; i++)
        buf_printf(&text, "- {name: d%d, table: t, fields: [{name: c}]}\n", i);
    buf_text(&text, "metrics:\n- {name: m, expression: \"");
    for (int i = 0; i < 900; i++)
        buf_printf(&text, "%sd%d.x%d", i ? "+" : "", i, i);
    buf_text(&text, "\"}\nrelationships:\n");
    for (int i = 0; i < 500; i++)
        buf_printf(&text,
                   "- {name: r%d, from: e%d, to: d%d, from_columns: c, "
                   "to_columns: c}\n",
                   i, i, i);
    in_time(*state, &text);
    assert_true(reads_many(*state, 2500, 60));
    assert_true(reads_many(*state, 28, 8000));
}

/* An expression can be deep, though the YAML is flat. */
static void test_deep_expressions_do_not_break_the_stack(void **state)
{
    struct osi_report report;
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "name: a\ntable: a\nfields:\n- {name: x, expression: \"");
    repeat(&text, "(", 4000);
    buf_text(&text, "1");
    repeat(&text, ")", 4000);
    buf_text(&text, "\"}\n- {name: y, expression: \"1");
    repeat(&text, "+1", 4000);
    buf_text(&text, "\"}\n- {name: z, expression: \"1");
    repeat(&text, "+1", 40000);
    buf_text(&text, "\"}\n");
    assert_true(reads(*state, buf_view(&text), &report));
    assert_int_equal(report.n_warnings, 2); /* parentheses alone do no harm */
}

/* Every prefix of a model, and the model with each byte changed. */
static void test_broken_copies_of_a_model_do_no_harm(void **state)
{
    static const char model[] =
        "version: \"0.1.1\"\nsemantic_model:\n- name: m\n  datasets:\n"
        "  - {name: a, source: 'x.a', primary_key: [k], \"fields\": []}\n"
        "  - name: b\n    source: |\n      b\n    fields:\n    - name: k\n"
        "      expression: {dialects: [{dialect: ANSI_SQL, expression: k}]}\n"
        "  relationships: [{name: r, from: b, to: a, from_columns: [k],\n"
        "                   to_columns: [k]}]\n"
        "  metrics:\n  - {name: n, expression: \"count(b.k)\"}\n";
    static const char odd[] = "\t\r\n:-?[]{}#&*!|>'\"%@`\\,\x85 \xc2\xff";
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof model - 1; i++) {
        char copy[sizeof model];
        struct osi_report report;
        struct arena_mark mark = arena_mark(arena);
        memcpy(copy, model, sizeof model);
        reads(arena, (struct str){copy, i}, &report);
        for (size_t j = 0; j < sizeof odd - 1; j++) {
            copy[i] = odd[j];
            reads(arena, (struct str){copy, sizeof model - 1}, &report);
        }
        arena_reset(arena, mark);
    }
}

static void leave(void *who)
{
    longjmp(*(jmp_buf *)who, 1);
}

/* The leak checker sees what osi_read holds when its arena gives up. */
static void test_nothing_is_held_when_the_arena_gives_up(void **state)
{
    static const char model[] =
        "semantic_model:\n- name: m\n  datasets:\n"
        "  - name: a\n    source: a\n    primary_key: [k]\n    fields:\n"
        "    - {name: k, expression: k, description: \"x\\u263ay\"}\n"
        "    - {name: l, expression: k + 1}\n"
        "  metrics:\n  - {name: n, expression: \"count(a.k)\"}\n";
    volatile unsigned gave_up = 0;
    (void)state;
    for (volatile unsigned n = 1; n < 200; n++) {
        jmp_buf out;
        struct arena arena;
        arena_init(&arena, 0);
        arena.on_exhausted = leave;
        arena.who = &out;
        arena_fail_block(n);
        if (!setjmp(out)) {
            struct osi_report report;
            assert_true(reads(&arena, str_of(model), &report));
        } else {
            gave_up++;
        }
        arena_fail_block(0);
        arena_done(&arena);
    }
    assert_true(gave_up > 2 && gave_up < 199);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_keys_are_texts_of_bounded_length),
        model_test(test_the_strings_that_broke_libfyaml_are_refused),
        model_test(test_an_empty_literal_is_an_empty_text),
        model_test(test_doubled_quotes_are_not_misread),
        model_test(test_a_billion_laughs_are_refused_at_the_first),
        model_test(test_depth_is_bounded),
        model_test(test_the_number_of_nodes_is_bounded),
        model_test(test_the_size_is_bounded),
        model_test(test_large_texts_are_read_in_linear_time),
        model_test(test_a_model_of_the_worst_kind_is_read_in_time),
        model_test(test_deep_expressions_do_not_break_the_stack),
        model_test(test_broken_copies_of_a_model_do_no_harm),
        model_test(test_nothing_is_held_when_the_arena_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
