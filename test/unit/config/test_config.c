/* Settings: which source wins, what is refused, what is never shown. */
#include "config/config.h"
#include "config/suggest.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

struct setting {
    struct arena arena;
    struct buf problems, warnings;
    struct config config;
    char folder[64];
};

static struct setting t;

static int begin(void **state)
{
    (void)state;
    arena_init(&t.arena, 0);
    buf_init(&t.problems, &t.arena);
    buf_init(&t.warnings, &t.arena);
    snprintf(t.folder, sizeof t.folder, "/tmp/sextant-config-XXXXXX");
    return mkdtemp(t.folder) ? 0 : -1;
}

static const char *file(const char *name, const char *text)
{
    const char *path = arena_printf(&t.arena, "%s/%s", t.folder, name).ptr;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return path;
}

static int end(void **state)
{
    static const char *const names[] = {"config.yaml", "secret", "given.yaml"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(arena_printf(&t.arena, "%s/%s", t.folder, names[i]).ptr);
    rmdir(t.folder);
    arena_done(&t.arena);
    return 0;
}

static bool read_all(const char *const *env, const struct config_flag *flags,
                     size_t n_flags, const char *given)
{
    return config_read(
        &t.arena,
        &(struct config_given){
            .env = env, .flags = flags, .n_flags = n_flags, .file = given},
        &t.config, &t.problems, &t.warnings);
}

static bool read_env(const char *one)
{
    const char *env[] = {
        arena_printf(&t.arena, "SEXTANT_HOME=%s", t.folder).ptr, one, NULL};
    return read_all(env, NULL, 0, NULL);
}

static bool told(const struct buf *b, const char *words)
{
    return str_find(buf_view(b), str_of(words)) >= 0;
}

/* ---- who wins ----------------------------------------------------------- */

static void test_without_anything_the_defaults_hold(void **state)
{
    (void)state;
    assert_true(read_env(NULL));
    assert_string_equal(t.config.host, "127.0.0.1");
    assert_int_equal(t.config.port, 8080);
    assert_string_equal(t.config.openai_model, "gpt-5.4");
    assert_string_equal(t.config.anthropic_model, "claude-sonnet-5");
    assert_string_equal(t.config.azure_openai_api_version, "2024-10-21");
    assert_int_equal(t.config.sql_query_timeout_ms, 30000);
    assert_int_equal(t.config.claim_timeout_ms, 600000);
    assert_null(t.config.database_url);
    assert_true(t.config.access_log);
}

static void test_the_file_beats_the_default(void **state)
{
    (void)state;
    file("config.yaml", "port: 9001\ncors_origins: [https://a.example, b]\n");
    assert_true(read_env(NULL));
    assert_int_equal(t.config.port, 9001);
    assert_string_equal(t.config.cors_origins[1], "b");
    assert_null(t.config.cors_origins[2]);
    assert_int_equal(t.config.origins[CONFIG_port].from, FROM_FILE);
}

static void test_the_environment_beats_the_file(void **state)
{
    (void)state;
    file("config.yaml", "port: 9001\n");
    assert_true(read_env("PORT=9002"));
    assert_int_equal(t.config.port, 9002);
    assert_int_equal(t.config.origins[CONFIG_port].from, FROM_ENVIRONMENT);
}

static void test_a_flag_beats_the_environment(void **state)
{
    const char *env[] = {"SEXTANT_HOME=/nowhere", "PORT=9002", NULL};
    const struct config_flag flags[] = {{STR("port"), STR("9003")}};
    (void)state;
    assert_true(read_all(env, flags, 1, NULL));
    assert_int_equal(t.config.port, 9003);
    assert_string_equal(t.config.origins[CONFIG_port].place, "--port");
}

static void test_an_empty_value_counts_as_not_given(void **state)
{
    (void)state;
    assert_true(read_env("PORT="));
    assert_int_equal(t.config.port, 8080);
}

static void test_a_named_file_is_read_in_place_of_the_homes(void **state)
{
    const char *env[] = {
        arena_printf(&t.arena, "SEXTANT_HOME=%s", t.folder).ptr, NULL};
    (void)state;
    file("config.yaml", "port: 9001\n");
    assert_true(read_all(env, NULL, 0, file("given.yaml", "port: 9004\n")));
    assert_int_equal(t.config.port, 9004);
}

static void test_the_environment_carries_all_to_another_process(void **state)
{
    (void)state;
    assert_true(read_env("OPENAI_API_KEY=sk-1"));
    const char **env = config_environment(&t.arena, &t.config, NULL);
    assert_true(config_read(&t.arena,
                            &(struct config_given){.env = env, .no_file = true},
                            &t.config, &t.problems, &t.warnings));
    assert_string_equal(t.config.openai_api_key, "sk-1");
    assert_string_equal(t.config.home, t.folder);
}

/* ---- times, secrets ----------------------------------------------------- */

static void test_times_are_read_with_and_without_units(void **state)
{
    static const struct {
        const char *text;
        int64_t lease, claim; /* of LEASE_MS and of CLAIM_TIMEOUT; 0: refused */
    } rows[] = {{"2000", 2000, 2000000},
                {"2s", 2000, 2000},
                {"1500ms", 1500, 1500},
                {"2m", 120000, 120000},
                {"2 s", 2000, 2000},
                {"2x", 0, 0},
                {"-2s", 0, 0},
                {"s", 0, 0},
                {"9223372036854775807h", 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *lease =
            arena_printf(&t.arena, "LEASE_MS=%s", rows[i].text).ptr;
        const char *claim =
            arena_printf(&t.arena, "CLAIM_TIMEOUT=%s", rows[i].text).ptr;
        assert_int_equal(read_env(lease), rows[i].lease != 0);
        if (rows[i].lease)
            assert_int_equal(t.config.lease_ms, rows[i].lease);
        assert_int_equal(read_env(claim), rows[i].claim != 0);
        if (rows[i].claim)
            assert_int_equal(t.config.claim_timeout_ms, rows[i].claim);
    }
}

static void test_a_secret_may_lie_in_a_file(void **state)
{
    const char *path = file("secret", "sk-from-file\n");
    (void)state;
    assert_true(
        read_env(arena_printf(&t.arena, "OPENAI_API_KEY_FILE=%s", path).ptr));
    assert_string_equal(t.config.openai_api_key, "sk-from-file");
}

static void test_secrets_are_never_shown(void **state)
{
    struct buf out;
    (void)state;
    assert_true(read_env("OPENAI_API_KEY=sk-hidden"));
    buf_init(&out, &t.arena);
    config_print(&t.config, &out);
    config_print_json(&t.config, &out);
    assert_false(told(&out, "sk-hidden"));
    assert_true(told(&out, "(set, hidden)"));
    assert_false(read_env("DATABASE_URL=mysql://u:hidden@h/d"));
    assert_false(told(&t.problems, "hidden"));
}

static void test_a_secret_is_no_flag(void **state)
{
    const char *env[] = {NULL};
    const struct config_flag flags[] = {{STR("openai-api-key"), STR("sk-x")}};
    (void)state;
    assert_false(read_all(env, flags, 1, NULL));
    assert_true(told(&t.problems, "--openai-api-key-file"));
    assert_false(told(&t.problems, "sk-x"));
}

/* ---- what is wrong ------------------------------------------------------ */

static void
test_wrong_values_are_refused_with_name_and_what_is_allowed(void **state)
{
    static const char *const rows[][2] = {
        {"PORT=65536", "PORT: \"65536\" is not a whole number from 0 to 65535"},
        {"PORT=80a", "PORT"},
        {"ACCESS_LOG=maybe", "ACCESS_LOG: \"maybe\" is not on or off"},
        {"LOG_LEVEL=loud", "one of debug, info, warn, error"},
        {"SANDBOX_URL=sandbox:8000", "an http:// or https:// address, or off"},
        {"OPENAI_BASE_URL=off", "an http:// or https:// address"},
        {"DATABASE_URL=host=x", "a postgresql:// address"},
        {"CREDENTIALS_KEY=abc", "64 hexadecimal digits"},
        {"OPENAI_API_KEY_FILE=/nowhere/at/all", "OPENAI_API_KEY_FILE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&t.problems);
        assert_false(read_env(rows[i][0]));
        assert_true(told(&t.problems, rows[i][1]));
    }
    assert_true(read_env("SANDBOX_URL=off"));
}

static void test_all_that_is_wrong_is_said_at_once(void **state)
{
    const char *env[] = {"PORT=x", "WORKERS=0", NULL};
    (void)state;
    assert_false(read_all(env, NULL, 0, NULL));
    assert_true(told(&t.problems, "PORT"));
    assert_true(told(&t.problems, "WORKERS"));
}

static void test_a_bad_file_is_refused_with_its_line(void **state)
{
    static const char *const rows[][2] = {
        {"port: 1\nprot: 2\n", "did you mean port? (%s/config.yaml:2:1)"},
        {"port: 1\nport: 2\n", "set twice (%s/config.yaml:2:1)"},
        {"a: b: c\n", "line 1"},
        {"- port\n", "line 1"},
        {"port:\n  deep: 1\n", "line 2, column 3: settings cannot be nested"},
        {"port: &a 1\n", "line 1, column 7: settings cannot have anchors"},
        {"host: *a\n", "line 1, column 7: settings cannot have aliases"},
        {"port: 1\n---\nport: 2\n",
         "line 2, column 1: there is a second document"},
        {"port: [1, 2]\n", "config.yaml:1"},
        {"port: !!int 1\n",
         "line 1, column 7: settings cannot have anchors or tags"},
        {"{port: 1", "line"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *mark = strstr(rows[i][1], "%s");
        const char *words = mark ? mark + 2 : rows[i][1];
        file("config.yaml", rows[i][0]);
        buf_clear(&t.problems);
        assert_false(read_env(NULL));
        assert_true(told(&t.problems, words));
    }
}

static void test_an_empty_file_is_good(void **state)
{
    (void)state;
    file("config.yaml", "# nothing\n");
    assert_true(read_env(NULL));
}

static void test_unknown_names_of_ours_are_warned_about(void **state)
{
    (void)state;
    assert_true(read_env("SEXTANT_PORT=1"));
    assert_true(told(&t.warnings, "SEXTANT_PORT"));
    buf_clear(&t.warnings);
    assert_true(read_env("OTHERS=1"));
    assert_true(read_env("SEXTANT_SHARED_DATA=/data"));
    assert_true(read_env("SEXTANT_BENCH=/bench"));
    assert_int_equal(t.warnings.len, 0);
}

static void test_a_secret_given_twice_is_refused(void **state)
{
    const char *env[] = {"JWT_SECRET=a", "JWT_SECRET_FILE=/tmp/x", NULL};
    (void)state;
    assert_false(read_all(env, NULL, 0, NULL));
    assert_true(told(&t.problems, "not both"));
}

static void
test_a_provider_without_a_key_is_refused_as_the_default(void **state)
{
    const char *env[] = {"LLM_DEFAULT_PROVIDER=anthropic", NULL, NULL};
    (void)state;
    assert_false(read_all(env, NULL, 0, NULL));
    assert_true(told(&t.problems, "needs ANTHROPIC_API_KEY"));
    env[1] = "ANTHROPIC_API_KEY=sk-ant";
    assert_true(read_all(env, NULL, 0, NULL));
    assert_true(read_env("LLM_DEFAULT_PROVIDER=builtin"));
}

static void test_a_short_token_secret_is_warned_about(void **state)
{
    (void)state;
    assert_true(read_env("JWT_SECRET=short"));
    assert_true(told(&t.warnings, "JWT_SECRET is short"));
    assert_false(told(&t.warnings, "=short"));
}

static void test_every_setting_is_told_in_the_documentation(void **state)
{
    struct buf out;
    (void)state;
    buf_init(&out, &t.arena);
    config_print_markdown(&out);
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        assert_true(told(&out, config_settings[i].name));
        assert_true(*config_settings[i].about);
    }
}

static void test_the_nearest_word_is_suggested(void **state)
{
    static const char *const known[] = {"serve", "config", "connection"};
    (void)state;
    assert_string_equal(suggest(STR("confg"), known, 3), "config");
    assert_string_equal(suggest(STR("sreve"), known, 3), "serve");
    assert_null(suggest(STR("zzzzzz"), known, 3));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_without_anything_the_defaults_hold),
        TEST(test_the_file_beats_the_default),
        TEST(test_the_environment_beats_the_file),
        TEST(test_a_flag_beats_the_environment),
        TEST(test_an_empty_value_counts_as_not_given),
        TEST(test_a_named_file_is_read_in_place_of_the_homes),
        TEST(test_the_environment_carries_all_to_another_process),
        TEST(test_times_are_read_with_and_without_units),
        TEST(test_a_secret_may_lie_in_a_file),
        TEST(test_secrets_are_never_shown),
        TEST(test_a_secret_is_no_flag),
        TEST(test_wrong_values_are_refused_with_name_and_what_is_allowed),
        TEST(test_all_that_is_wrong_is_said_at_once),
        TEST(test_a_bad_file_is_refused_with_its_line),
        TEST(test_an_empty_file_is_good),
        TEST(test_unknown_names_of_ours_are_warned_about),
        TEST(test_a_secret_given_twice_is_refused),
        TEST(test_a_provider_without_a_key_is_refused_as_the_default),
        TEST(test_a_short_token_secret_is_warned_about),
        TEST(test_every_setting_is_told_in_the_documentation),
        TEST(test_the_nearest_word_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
