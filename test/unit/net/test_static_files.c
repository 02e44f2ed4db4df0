/* Files of a folder over a socket: what is served, what is not, and 304s. */
#include "net_help.h"
#include "loop/loop.h"
#include "net/static_files.h"
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <cmocka.h>
#include "base/banned.h"

static char folder[64];
static struct static_files *files;

static void put_file(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void in_folder(const char *name, int (*act)(const char *))
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    act(path);
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

static const char *const names[] = {"index.html",
                                    "assets/app-3fA9x01b.js",
                                    "assets/app-3fA9x01b.js.br",
                                    "assets/app-3fA9x01b.js.gz",
                                    "assets/plain.css",
                                    "assets/only.txt.gz",
                                    ".secret",
                                    "link",
                                    "outside",
                                    "a b.txt",
                                    "empty.json",
                                    "assets/readme.md",
                                    "large.txt",
                                    "large.txt.gz",
                                    "stale.txt",
                                    "stale.txt.gz",
                                    "assets/huge-3fA9x01b.wasm",
                                    "assets/huge-3fA9x01b.wasm.gz",
                                    "assets/huge-3fA9x01b.wasm.br",
                                    "shrinks.bin",
                                    "assets/engine.worker-3fA9x01b.js"};

enum { LARGE = 200000 };
static char large[LARGE + 1];

static void make_large(void)
{
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)('a' + i * i % 23);
}

/* More than what is kept in memory. */
enum { HUGE_FILE = 3 * 1024 * 1024 + 17 };

static char huge_byte(size_t i, char first)
{
    return (char)(first + (i / 1021 + i) % 23);
}

static void put_huge(const char *name, size_t size, char first)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = huge_byte(i, first);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    free(bytes);
}

static bool is_huge(struct str body, size_t size, char first)
{
    for (size_t i = 0; i < body.len; i++)
        if (body.ptr[i] != huge_byte(i, first))
            return false;
    return body.len == size;
}

static void put_gzip(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void serve(struct http_exchange *x, void *who)
{
    (void)who;
    if (!static_files_serve(files, x, x->path))
        http_reply_error(x, ERR_NOT_FOUND, (struct str){0}, (struct str){0});
}

static int setup(void **state)
{
    memcpy(folder, "/tmp/static_files_XXXXXX",
           sizeof "/tmp/static_files_XXXXXX");
    assert_non_null(mkdtemp(folder));
    in_folder("assets", make_folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], "link") && strcmp(names[i], "outside"))
            put_file(names[i], names[i]);
    }
    put_file("empty.json", "");
    make_large();
    put_file("large.txt", large);
    put_gzip("large.txt.gz", large);
    put_file("stale.txt", large);
    put_gzip("stale.txt.gz", "of yesterday");
    put_huge("assets/huge-3fA9x01b.wasm", HUGE_FILE, 'a');
    put_huge("assets/huge-3fA9x01b.wasm.gz", HUGE_FILE / 2, 'b');
    put_huge("assets/huge-3fA9x01b.wasm.br", HUGE_FILE / 3, 'c');
    put_huge("shrinks.bin", HUGE_FILE, 'a');
    char path[160];
    snprintf(path, sizeof path, "%s/link", folder);
    assert_int_equal(symlink("index.html", path), 0);
    snprintf(path, sizeof path, "%s/outside", folder);
    assert_int_equal(symlink("/etc", path), 0);
    files = static_files_open(folder);
    assert_non_null(files);
    help_setup(state);
    help_serve(http_default_limits);
    help.on_request = serve;
    return 0;
}

static int teardown(void **state)
{
    help_teardown(state);
    static_files_close(&files);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        in_folder(names[i], unlink);
    in_folder("assets", rmdir);
    rmdir(folder);
    return 0;
}

/* One GET with more header lines. */
static struct http_answer get(const char *path, const char *headers)
{
    struct client *c = client_open(help.port);
    struct buf b;
    buf_init(&b, NULL);
    buf_printf(&b, "GET %s HTTP/1.1\r\nHost: a\r\n%s\r\n", path, headers);
    client_send(c, buf_view(&b));
    struct http_answer a = client_answer(c);
    buf_done(&b);
    client_close(c);
    return a;
}

static void test_a_file_is_served_with_its_type(void **state)
{
    (void)state;
    struct http_answer a = get("/", "");
    assert_int_equal(a.status, 200);
    assert_true(str_is(a.body, "index.html"));
    assert_true(
        str_is(answer_header(a, "Content-Type"), "text/html; charset=utf-8"));
    assert_true(str_is(answer_header(a, "Cache-Control"), "no-cache"));
    assert_true(str_starts(answer_header(a, "Content-Security-Policy"),
                           STR("default-src 'none'")));
    assert_true(str_is(answer_header(a, "X-Frame-Options"), "DENY"));
    a = get("/assets/plain.css", "");
    assert_true(
        str_is(answer_header(a, "Content-Type"), "text/css; charset=utf-8"));
    assert_int_equal(answer_header(a, "Content-Security-Policy").len, 0);
    a = get("/assets/readme.md", "");
    assert_true(
        str_is(answer_header(a, "Content-Type"), "application/octet-stream"));
    a = get("/a%20b.txt", "");
    assert_true(str_is(a.body, "a b.txt"));
    a = get("/empty.json", "");
    assert_int_equal(a.status, 200);
    assert_int_equal(a.body.len, 0);
}

static void test_what_is_not_in_the_folder_is_not_found(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/nope",
        "/assets",
        "/assets/",
        "/.secret",
        "/link",
        "/outside",
        "/outside/passwd",
        "//index.html",
        "/assets//plain.css",
        "/index.html/",
        "/INDEX.HTML",
        "/assets/only.txt",
        "/assets/only.txt.gz",
        "/%2esecret",
        "/etc/passwd",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (get(paths[i], "").status != 404)
            print_error("%s\n", paths[i]);
        assert_int_equal(get(paths[i], "").status, 404);
    }
    assert_int_equal(get("/../etc/passwd", "").status, 400);
    assert_int_equal(get("/%2e%2e/etc/passwd", "").status, 400);
}

static void
test_a_large_file_is_served_to_who_takes_it_plain_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct http_answer a = get("/large.txt", "");
        assert_int_equal(a.status, 200);
        assert_int_equal(answer_header(a, "Content-Encoding").len, 0);
        assert_true(str_is(a.body, large));
    }
    struct http_answer packed = get("/large.txt", "Accept-Encoding: gzip\r\n");
    assert_true(str_is(answer_header(packed, "Content-Encoding"), "gzip"));
    assert_true(packed.body.len < LARGE);
}

static void
test_a_compressed_file_that_is_not_the_same_is_not_unpacked(void **state)
{
    (void)state;
    assert_true(str_is(get("/stale.txt", "").body, large));
}

static void test_what_the_client_has_is_not_sent_again(void **state)
{
    (void)state;
    char tag[64], header[128];
    struct http_answer a = get("/index.html", "");
    snprintf(tag, sizeof tag, "%.*s", STR_ARG(answer_header(a, "ETag")));
    assert_int_equal(strlen(tag), 18);
    static const char *const forms[] = {"If-None-Match: %s\r\n",
                                        "If-None-Match: W/%s\r\n",
                                        "If-None-Match: \"x\", %s\r\n"};
    for (int i = 0; i < 3; i++) {
        const char *form = forms[i];
        int at = (int)(strstr(form, "%s") - form);
        snprintf(header, sizeof header, "%.*s%s\r\n", at, form, tag);
        a = get("/index.html", header);
        assert_int_equal(a.status, 304);
        assert_int_equal(a.body.len, 0);
        assert_true(str_is(answer_header(a, "ETag"), tag));
    }
    assert_int_equal(get("/", "If-None-Match: *\r\n").status, 304);
    assert_int_equal(get("/", "If-None-Match: \"x\"\r\n").status, 200);
    assert_int_equal(get("/", "If-None-Match: x\r\n").status, 200);
}

static void test_the_best_coding_is_chosen(void **state)
{
    (void)state;
    const char *path = "/assets/app-3fA9x01b.js";
    static const struct {
        const char *accept, *coding, *body;
    } cases[] = {
        {"", "", ""},
        {"Accept-Encoding: gzip\r\n", "gzip", ".gz"},
        {"Accept-Encoding: gzip, deflate, br\r\n", "br", ".br"},
        {"Accept-Encoding: br;q=0, gzip;q=0.5\r\n", "gzip", ".gz"},
        {"Accept-Encoding: br; q=0.000, gzip; q=0\r\n", "", ""},
        {"Accept-Encoding: identity\r\n", "", ""},
        {"Accept-Encoding: xbr, gzipx\r\n", "", ""},
        {"Accept-Encoding: BR\r\n", "br", ".br"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_answer a = get(path, cases[i].accept);
        assert_true(
            str_is(answer_header(a, "Content-Encoding"), cases[i].coding));
        assert_true(str_ends(a.body, *cases[i].body ? str_of(cases[i].body)
                                                    : STR(".js")));
        assert_true(str_is(answer_header(a, "Vary"), "Accept-Encoding"));
        assert_true(str_starts(answer_header(a, "Content-Type"),
                               STR("text/javascript")));
        assert_true(
            str_find(answer_header(a, "Cache-Control"), STR("immutable")) > 0);
    }
}

static void test_each_coding_has_its_own_tag(void **state)
{
    (void)state;
    char tag[64];
    struct http_answer a = get("/assets/app-3fA9x01b.js", "");
    snprintf(tag, sizeof tag, "%.*s", STR_ARG(answer_header(a, "ETag")));
    a = get("/assets/app-3fA9x01b.js", "Accept-Encoding: br\r\n");
    assert_false(str_is(answer_header(a, "ETag"), tag));
}

static const char huge_path[] = "/assets/huge-3fA9x01b.wasm";

/* Of the sanitizer's heap, if the test is built with it. */
extern size_t __sanitizer_get_current_allocated_bytes(void)
    __attribute__((weak));

/* The bytes of the heap that are in use. */
static size_t heap_in_use(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static void test_a_huge_file_is_sent_from_disk(void **state)
{
    (void)state;
    struct http_answer a = get(huge_path, "");
    assert_int_equal(a.status, 200);
    assert_true(is_huge(a.body, HUGE_FILE, 'a'));
    assert_true(str_is(answer_header(a, "Content-Type"), "application/wasm"));
    assert_true(str_is(answer_header(a, "Content-Length"), "3145745"));
    assert_true(str_is(answer_header(a, "Vary"), "Accept-Encoding"));
    assert_true(str_find(answer_header(a, "Cache-Control"), STR("immutable")) >
                0);
    a = get(huge_path, "Accept-Encoding: gzip\r\n");
    assert_true(str_is(answer_header(a, "Content-Encoding"), "gzip"));
    assert_true(is_huge(a.body, HUGE_FILE / 2, 'b'));
    a = get(huge_path, "Accept-Encoding: gzip, br\r\n");
    assert_true(str_is(answer_header(a, "Content-Encoding"), "br"));
    assert_true(is_huge(a.body, HUGE_FILE / 3, 'c'));
}

static void test_huge_files_are_not_held_in_memory(void **state)
{
    (void)state;
    size_t before = heap_in_use();
    struct static_files *again = static_files_open(folder);
    assert_non_null(again);
    /* Some 8 MiB are on disk. */
    assert_true(heap_in_use() - before < 1024 * 1024);
    static_files_close(&again);
}

static void test_a_connection_goes_on_after_a_huge_file(void **state)
{
    (void)state;
    char tag[64];
    struct buf b;
    struct client *c = client_open(help.port);
    client_send_text(c, "HEAD /shrinks.bin HTTP/1.1\r\nHost: a\r\n\r\n");
    struct http_answer a = client_answer_head(c);
    assert_true(str_is(answer_header(a, "Content-Length"), "3145745"));
    snprintf(tag, sizeof tag, "%.*s", STR_ARG(answer_header(a, "ETag")));
    assert_int_equal(strlen(tag), 18);
    client_send_text(c, "GET /shrinks.bin HTTP/1.1\r\nHost: a\r\n\r\n"
                        "GET /assets/plain.css HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_true(is_huge(client_answer(c).body, HUGE_FILE, 'a'));
    assert_true(str_is(client_answer(c).body, "assets/plain.css"));
    buf_init(&b, NULL);
    buf_printf(&b,
               "GET /shrinks.bin HTTP/1.1\r\nHost: a\r\n"
               "If-None-Match: %s\r\n\r\n",
               tag);
    client_send(c, buf_view(&b));
    assert_int_equal(client_answer(c).status, 304);
    buf_done(&b);
    client_close(c);
}

static void
test_a_huge_file_of_before_is_sent_after_it_is_replaced(void **state)
{
    (void)state;
    in_folder("shrinks.bin", unlink);
    put_file("shrinks.bin", "of today");
    assert_true(is_huge(get("/shrinks.bin", "").body, HUGE_FILE, 'a'));
}

static void test_a_huge_file_that_shrinks_breaks_the_connection(void **state)
{
    (void)state;
    put_file("shrinks.bin", "cut");
    struct client *c = client_open(help.port);
    client_send_text(c, "GET /shrinks.bin HTTP/1.1\r\nHost: a\r\n\r\n");
    client_wait_end(c);
    assert_true(c->got.len < 4096);
    client_close(c);
    assert_int_equal(get("/", "").status, 200);
}

static bool is_deserted(void *who)
{
    (void)who;
    return http_server_connections(help.server) == 0 &&
           http_server_counts(help.server)->cut == 1;
}

static void test_a_client_that_leaves_in_a_huge_file_frees_it(void **state)
{
    (void)state;
    struct client *c = client_open_small(help.port, 4096);
    client_send_text(c, "GET /shrinks.bin HTTP/1.1\r\nHost: a\r\n\r\n");
    client_wait_bytes(c, 1000);
    client_reset(c);
    help_wait(is_deserted, NULL);
}

static void test_a_worker_may_compile_what_a_page_may_not(void **state)
{
    (void)state;
    struct http_answer a = get("/assets/engine.worker-3fA9x01b.js", "");
    assert_true(str_find(answer_header(a, "Content-Security-Policy"),
                         STR("script-src 'self' 'wasm-unsafe-eval'")) > 0);
    a = get("/", "");
    assert_true(
        str_find(answer_header(a, "Content-Security-Policy"), STR("eval")) < 0);
}

static void test_only_reading_is_served(void **state)
{
    (void)state;
    struct client *c = client_open(help.port);
    client_send_text(c, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
    struct http_answer a = client_answer_head(c);
    assert_int_equal(a.status, 200);
    assert_true(str_is(answer_header(a, "Content-Length"), "10"));
    client_send_text(c, "POST / HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(client_answer(c).status, 404);
    client_close(c);
}

static void test_no_folder_is_no_files(void **state)
{
    (void)state;
    assert_null(static_files_open("/nonexistent"));
    assert_null(static_files_open("/etc/passwd"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_file_is_served_with_its_type),
        TEST(test_what_is_not_in_the_folder_is_not_found),
        TEST(test_a_large_file_is_served_to_who_takes_it_plain_alone),
        TEST(test_a_compressed_file_that_is_not_the_same_is_not_unpacked),
        TEST(test_what_the_client_has_is_not_sent_again),
        TEST(test_the_best_coding_is_chosen),
        TEST(test_each_coding_has_its_own_tag),
        TEST(test_a_huge_file_is_sent_from_disk),
        TEST(test_huge_files_are_not_held_in_memory),
        TEST(test_a_connection_goes_on_after_a_huge_file),
        TEST(test_a_huge_file_of_before_is_sent_after_it_is_replaced),
        TEST(test_a_huge_file_that_shrinks_breaks_the_connection),
        TEST(test_a_client_that_leaves_in_a_huge_file_frees_it),
        TEST(test_a_worker_may_compile_what_a_page_may_not),
        TEST(test_only_reading_is_served),
        TEST(test_no_folder_is_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
