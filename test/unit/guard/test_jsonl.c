/* `sextant guard`: lines in, lines out. */
#include "cmd/guard.h"
#include "guard_help.h"
#include "base/buf.h"
#include <stdio.h>
#include <unistd.h>
#include "base/banned.h"

static char output[64 * 1024];

/* cmd_guard with `input` on standard input; its standard output is kept. */
static int run(struct str input, int argc, char **argv)
{
    FILE *in = tmpfile(), *out = tmpfile();
    int old_in = dup(0), old_out = dup(1);
    fwrite(input.ptr, 1, input.len, in);
    rewind(in);
    fflush(stdout);
    clearerr(stdin);
    dup2(fileno(in), 0);
    dup2(fileno(out), 1);
    int status = cmd_guard(argc, argv);
    fflush(stdout);
    dup2(old_in, 0);
    dup2(old_out, 1);
    close(old_in);
    close(old_out);
    rewind(out);
    output[fread(output, 1, sizeof output - 1, out)] = '\0';
    fclose(in);
    fclose(out);
    return status;
}

static void test_each_line_gets_an_answer(void **state)
{
    (void)state;
    char *argv[] = {"guard", "--jsonl", NULL};
    assert_int_equal(
        run(STR("\"select * from b, a.c\"\nnonsense\n[1]\n\n"
                "\"drop table x\"\n\"select \\u0000\"\n\"select 1\""),
            2, argv),
        0);
    assert_non_null(strstr(output,
                           "{\"ok\":true,\"relations\":[\"b\",\"a.c\"]}\n"
                           "{\"ok\":false,\"code\":\"input\""));
    assert_non_null(
        strstr(output, "{\"ok\":false,\"code\":\"input\",\"reason\":\"The line "
                       "is not a JSON string.\",\"position\":0}\n"));
    assert_non_null(strstr(output, "\"code\":\"not_select\""));
    assert_non_null(strstr(output, "{\"ok\":true,\"relations\":[]}\n"));
    int lines = 0;
    for (const char *c = output; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 7);
}

static void test_a_line_of_more_than_a_mebibyte_is_no_query(void **state)
{
    (void)state;
    char *argv[] = {"guard", "--jsonl", NULL};
    struct buf b;
    buf_init(&b, &arena);
    for (int i = 0; i < GUARD_MAX_LINE + 10; i++)
        buf_char(&b, ' ');
    buf_text(&b, "\n\"select 1\"\n");
    assert_int_equal(run(buf_view(&b), 2, argv), 0);
    assert_non_null(strstr(output, "The line is too long."));
    assert_non_null(strstr(output, "{\"ok\":true,\"relations\":[]}"));
}

static void test_relations_are_a_list(void **state)
{
    (void)state;
    char *argv[] = {"guard", "--jsonl", "--relations", "a, b.c", NULL};
    run(STR("\"select * from a, b.c\"\n\"select * from d\"\n"), 4, argv);
    assert_non_null(
        strstr(output, "{\"ok\":true,\"relations\":[\"a\",\"b.c\"]}"));
    assert_non_null(strstr(output, "\"code\":\"relation\""));
}

static void test_a_person_gets_a_line_and_a_status(void **state)
{
    (void)state;
    char *good[] = {"guard", "select * from a", NULL};
    char *bad[] = {"guard", "drop table a", NULL};
    char *wrong[] = {"guard", NULL};
    assert_int_equal(run(STR(""), 2, good), 0);
    assert_string_equal(output, "allowed; reads a\n");
    assert_int_equal(run(STR(""), 2, bad), 1);
    assert_non_null(strstr(output, "refused (not_select, at 1)"));
    assert_int_equal(run(STR(""), 1, wrong), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_each_line_gets_an_answer),
        guard_test(test_a_line_of_more_than_a_mebibyte_is_no_query),
        guard_test(test_relations_are_a_list),
        guard_test(test_a_person_gets_a_line_and_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
