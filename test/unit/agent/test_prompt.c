/* The prompt files, each filled; holes, sections and budgets. */
#include "agent/prompt.h"
#include "base/buf.h"
#include "prompts.h"
#include "../arena_test.h"
#include "base/banned.h"

enum { MOST_HOLES = 32 };

/* The names that a file mentions, each once. */
static size_t holes_of(const char *text, struct prompt_hole *holes)
{
    struct str rest = str_of(text);
    size_t n = 0;
    for (ptrdiff_t at; (at = str_find(rest, STR("{{"))) >= 0;) {
        rest = str_from(rest, (size_t)at + 2);
        struct str name = str_cut(rest, 0, (size_t)str_find(rest, STR("}}")));
        if (name.ptr[0] == '#' || name.ptr[0] == '/')
            name = str_from(name, 1);
        size_t i = 0;
        while (i < n && !str_is(name, holes[i].name))
            i++;
        if (i == n)
            holes[n++].name = arena_cstr(&arena, name);
        assert_true(n < MOST_HOLES);
    }
    return n;
}

static struct llm_message *fill(const char *name, struct prompt_hole *holes)
{
    struct llm_message *m = prompt_fill(&arena, name, holes);
    assert_int_equal(m[0].role, LLM_SYSTEM);
    assert_int_equal(m[1].role, LLM_USER);
    return m;
}

static void test_every_file_can_be_filled(void **state)
{
    (void)state;
    for (const struct prompt_file *p = prompt_files; p->name; p++) {
        struct prompt_hole holes[MOST_HOLES] = {{0}};
        size_t n = holes_of(p->text, holes);
        assert_true(n > 0);
        for (size_t i = 0; i < n; i++)
            holes[i].text = arena_printf(&arena, "<text of %s>", holes[i].name);
        struct llm_message *m = fill(p->name, holes);
        struct str all = arena_printf(&arena, "%.*s%.*s", STR_ARG(m[0].content),
                                      STR_ARG(m[1].content));
        assert_true(str_find(all, STR("{{")) < 0);
        assert_true(str_starts(m[0].content, STR("You are ")));
        for (size_t i = 0; i < n; i++)
            assert_true(str_find(all, holes[i].text) >= 0);
    }
}

static void test_empty_sections_leave_no_heading(void **state)
{
    (void)state;
    for (const struct prompt_file *p = prompt_files; p->name; p++) {
        struct prompt_hole holes[MOST_HOLES] = {{0}};
        holes_of(p->text, holes);
        struct llm_message *m = fill(p->name, holes);
        for (int i = 0; i < 2; i++) {
            assert_true(str_find(m[i].content, STR("{{")) < 0);
            assert_true(str_find(m[i].content, STR("## Revision")) < 0);
            assert_true(str_find(m[i].content, STR("## Conversation so far")) <
                        0);
            assert_true(str_find(m[i].content, STR("## User Preferences")) < 0);
            assert_true(str_find(m[i].content, STR("## Sample rows")) < 0);
        }
    }
}

static const struct prompt_hole *repair_holes(struct str sql, size_t budget,
                                              struct str samples)
{
    static struct prompt_hole holes[9];
    holes[0] = (struct prompt_hole){"step", STR("the step"), 0};
    holes[1] = (struct prompt_hole){"sql", sql, budget};
    holes[2] = (struct prompt_hole){"error", STR("the error"), 0};
    holes[3] = (struct prompt_hole){"datasets", STR("the datasets"), 0};
    holes[4] = (struct prompt_hole){"samples", samples, 0};
    holes[5] = (struct prompt_hole){"functions", STR("- numbers: abs"), 0};
    holes[6] = (struct prompt_hole){"engine", STR("PostgreSQL"), 0};
    holes[7] = (struct prompt_hole){"dialect", STR("PostgreSQL"), 0};
    return holes;
}

static struct str user_part(const struct prompt_hole *holes)
{
    return prompt_fill(&arena, "sql_repair", holes)[1].content;
}

static void test_the_text_of_a_hole_is_never_read_for_holes(void **state)
{
    (void)state;
    struct str text = user_part(
        repair_holes(STR("{{error}} {{#samples}} {{/x}} {{"), 0, STR("")));
    assert_true(str_find(text, STR("{{error}} {{#samples}} {{/x}} {{")) > 0);
}

static void test_a_section_stays_when_its_hole_has_text(void **state)
{
    (void)state;
    struct str with = user_part(repair_holes(STR("s"), 0, STR("row one")));
    struct str without = user_part(repair_holes(STR("s"), 0, STR("")));
    assert_true(
        str_find(with,
                 STR("## Sample rows (some of many)\n```\nrow one\n```")) > 0);
    assert_true(str_find(without, STR("## Sample rows")) < 0);
}

static void test_what_is_cut_is_said(void **state)
{
    (void)state;
    struct str all = STR("0123456789");
    struct str text = user_part(repair_holes(all, 4, STR("")));
    assert_true(str_find(text, STR("0123\n[… 6 more bytes of this section were "
                                   "cut]")) > 0);
    text = user_part(repair_holes(all, 10, STR("")));
    assert_true(str_find(text, STR("0123456789\n")) > 0);
    assert_true(str_find(text, STR("were cut")) < 0);
    text = user_part(repair_holes(STR("a\xe2\x82\xac"), 2, STR("")));
    assert_true(str_find(text, STR("a\n[… 3 more bytes")) > 0);
}

static void test_sections_tell_what_of_them_was_cut(void **state)
{
    (void)state;
    size_t n;
    const struct prompt_hole *holes =
        repair_holes(STR("0123456789"), 4, STR(""));
    const struct prompt_section *s =
        prompt_sections(prompt_fill(&arena, "sql_repair", holes), &n);
    assert_int_equal(n, 7); /* no samples */
    assert_string_equal(s[1].name, "sql");
    assert_int_equal(s[1].bytes, 10);
    assert_int_equal(s[1].cut, 6);
    assert_int_equal(s[2].cut, 0);
    assert_int_equal(s[2].shortened.len, 0);
    s = prompt_sections(
        prompt_fill(
            &arena, "sql_repair",
            repair_holes(STR("a\n" PROMPT_SHORTENED "x, y\n"), 0, STR("row"))),
        &n);
    assert_int_equal(n, 8);
    assert_true(str_is(s[1].shortened, "x, y"));
    s = prompt_sections(
        prompt_fill(&arena, "sql_repair",
                    repair_holes(STR(PROMPT_SHORTENED "x\nb"), 0, STR(""))),
        &n);
    assert_int_equal(s[1].shortened.len, 0); /* not its last line */
}

static void test_sections_are_parted_by_one_empty_line(void **state)
{
    (void)state;
    struct str with = user_part(repair_holes(STR("s"), 0, STR("row one")));
    assert_true(str_find(with, STR("\n\n\n")) < 0);
    struct prompt_hole holes[MOST_HOLES] = {{0}};
    size_t n = 0;
    for (const struct prompt_file *p = prompt_files; p->name; p++)
        if (!strcmp(p->name, "sql_builder"))
            n = holes_of(p->text, holes);
    for (size_t i = 0; i < n; i++)
        holes[i].text = STR("x");
    struct llm_message *m = fill("sql_builder", holes);
    assert_true(str_find(m[1].content, STR("\n\n\n")) < 0);
    assert_true(str_find(m[1].content,
                         STR("x\n```\n\n## Metrics\n```\nx\n```\n\n")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_every_file_can_be_filled),
        ARENA_TEST(test_empty_sections_leave_no_heading),
        ARENA_TEST(test_the_text_of_a_hole_is_never_read_for_holes),
        ARENA_TEST(test_a_section_stays_when_its_hole_has_text),
        ARENA_TEST(test_what_is_cut_is_said),
        ARENA_TEST(test_sections_tell_what_of_them_was_cut),
        ARENA_TEST(test_sections_are_parted_by_one_empty_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
