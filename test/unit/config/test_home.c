/* The folder of a server: closed to others, locked by one, keys made once. */
#include "config/home.h"
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;
static char folder[64];
static const char *path; /* of the home: not there yet */

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    snprintf(folder, sizeof folder, "/tmp/sextant-home-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    path = arena_printf(&arena, "%s/a/b", folder).ptr;
    return 0;
}

static int remove_one(const char *name, const struct stat *st, int kind,
                      struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(name);
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct home open_home(void)
{
    struct home home;
    struct str why = STR("");
    if (!home_open(&arena, path, &home, &why))
        fail_msg("%.*s", STR_ARG(why));
    return home;
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    assert_int_equal(stat(arena_printf(&arena, "%s/%s", path, name).ptr, &st),
                     0);
    return st.st_mode & 0777;
}

static void test_folders_and_secrets_are_closed_to_others(void **state)
{
    struct home home = open_home();
    uint8_t key[HOME_KEY_SIZE];
    struct str secret, why;
    (void)state;
    assert_true(home_key(&home, key, &why));
    assert_true(home_jwt_secret(&home, &secret, &why));
    assert_int_equal(mode_of("."), 0700);
    assert_int_equal(mode_of("run"), 0700);
    assert_int_equal(mode_of("key"), 0600);
    assert_int_equal(mode_of("jwt_secret"), 0600);
}

static void test_an_open_folder_is_closed(void **state)
{
    (void)state;
    open_home();
    assert_int_equal(chmod(path, 0755), 0);
    open_home();
    assert_int_equal(mode_of("."), 0700);
}

static void test_secrets_are_made_once(void **state)
{
    struct home home = open_home();
    uint8_t first[HOME_KEY_SIZE], again[HOME_KEY_SIZE];
    struct str one, other, why;
    (void)state;
    assert_true(home_key(&home, first, &why));
    assert_true(home_key(&home, again, &why));
    assert_memory_equal(first, again, HOME_KEY_SIZE);
    assert_true(home_jwt_secret(&home, &one, &why));
    assert_true(home_jwt_secret(&home, &other, &why));
    assert_true(str_eq(one, other));
    assert_int_equal(one.len, 64);
}

static void test_a_cut_key_is_refused(void **state)
{
    struct home home = open_home();
    uint8_t key[HOME_KEY_SIZE];
    struct str why = STR("");
    (void)state;
    assert_true(home_key(&home, key, &why));
    assert_int_equal(truncate(arena_printf(&arena, "%s/key", path).ptr, 5), 0);
    assert_false(home_key(&home, key, &why));
    assert_true(str_find(why, STR("does not have the size")) >= 0);
}

static void test_one_holds_the_lock(void **state)
{
    struct home home = open_home();
    struct str why;
    (void)state;
    int first = home_lock(&home, &why);
    assert_true(first >= 0);
    assert_int_equal(home_lock(&home, &why), -1);
    close(first);
    int second = home_lock(&home, &why);
    assert_true(second >= 0);
    close(second);
}

static void test_who_holds_it_is_written_down(void **state)
{
    struct home home = open_home();
    struct home_server in = {.pid = 42, .serves = true, .url = "http://x:1"};
    struct home_server out;
    (void)state;
    assert_false(home_read_server(&home, &out));
    assert_true(home_write_server(&home, &in));
    assert_true(home_read_server(&home, &out));
    assert_int_equal(out.pid, 42);
    assert_true(out.serves);
    assert_string_equal(out.url, "http://x:1");
    home_forget_server(&home);
    assert_false(home_read_server(&home, &out));
}

static void test_a_path_too_long_for_sockets_is_refused(void **state)
{
    struct home home;
    struct str why;
    char longer[120];
    (void)state;
    memset(longer, 'x', sizeof longer);
    longer[0] = '/';
    longer[sizeof longer - 1] = '\0';
    assert_false(home_open(&arena, longer, &home, &why));
    assert_true(str_find(why, STR("too long")) >= 0);
    assert_int_not_equal(access(longer, F_OK), 0);
}

static void test_a_file_in_its_place_is_refused(void **state)
{
    struct home home;
    struct str why;
    (void)state;
    path = "/dev/null";
    assert_false(home_open(&arena, path, &home, &why));
    assert_true(str_find(why, STR("not a folder")) >= 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_folders_and_secrets_are_closed_to_others),
        TEST(test_an_open_folder_is_closed),
        TEST(test_secrets_are_made_once),
        TEST(test_a_cut_key_is_refused),
        TEST(test_one_holds_the_lock),
        TEST(test_who_holds_it_is_written_down),
        TEST(test_a_path_too_long_for_sockets_is_refused),
        TEST(test_a_file_in_its_place_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
