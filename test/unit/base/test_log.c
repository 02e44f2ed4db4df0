/* What the log writes, buffers, suppresses and drops. */
#include "base/json.h"
#include "base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

static int ends[2]; /* read from 0 */
static char text[1 << 20];

static int open_pipe(void **state)
{
    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    log_to_fd(ends[1]);
    return 0;
}

static int close_pipe(void **state)
{
    (void)state;
    log_buffered(false);
    log_to_fd(STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* Reads what is available. */
static struct str read_all(void)
{
    size_t len = 0;
    ssize_t n;
    while ((n = read(ends[0], text + len, sizeof text - len)) > 0)
        len += (size_t)n;
    return (struct str){text, len};
}

static size_t count_lines(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == '\n';
    return n;
}

static void test_a_line_is_one_json_object(void **state)
{
    (void)state;
    log_event(LOG_WARN, "line \"one\"",
              (struct log_field[]){{"who", STR("a\r\nb\xff")}, {NULL, {0}}});
    struct str s = read_all();
    assert_int_equal(count_lines(s), 1);
    json_t *v = json_read(s, NULL);
    assert_true(str_is(json_get_text(v, "level"), "warn"));
    assert_true(str_is(json_get_text(v, "msg"), "line \"one\""));
    assert_true(str_is(json_get_text(v, "who"), "a\r\nb\xef\xbf\xbd"));
    assert_int_equal(json_get_int(v, "pid", 0), getpid());
    json_decref(v);
}

static void test_a_burst_of_one_message_is_held_back(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        log_line(LOG_INFO, "burst", "%d", i);
    size_t lines = count_lines(read_all());
    assert_true(lines >= 50 &&
                lines <= 101); /* the second may have ended in between */
}

static void test_ready_fields_are_not_held_back(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++)
        log_fields(LOG_INFO, "request", STR("\"path\":\"/a\",\"n\":1"));
    struct str s = read_all(), line;
    assert_int_equal(count_lines(s), 200);
    for (int i = 0; i < 200 && str_split(&s, '\n', &line); i++) {
        json_t *v = json_read(line, NULL);
        assert_non_null(v);
        assert_int_equal(json_get_text(v, "time").len, 24);
        assert_true(str_is(json_get_text(v, "path"), "/a"));
        json_decref(v);
    }
}

static void test_gathered_lines_go_out_with_a_flush(void **state)
{
    (void)state;
    log_buffered(true);
    log_fields(LOG_INFO, "request", STR("\"n\":1"));
    log_fields(LOG_INFO, "request", STR("\"n\":2"));
    assert_int_equal(read_all().len, 0);
    log_flush();
    assert_int_equal(count_lines(read_all()), 2);
    log_flush();
    assert_int_equal(read_all().len, 0);
}

static void test_an_error_flushes(void **state)
{
    (void)state;
    log_buffered(true);
    log_fields(LOG_INFO, "request", STR("\"n\":1"));
    log_line(LOG_ERROR, "bad", "x");
    assert_int_equal(count_lines(read_all()), 2);
}

static void test_many_gathered_lines_go_out_by_themselves(void **state)
{
    (void)state;
    log_buffered(true);
    for (int i = 0; i < 400; i++)
        log_fields(LOG_INFO, "request", STR("\"n\":1"));
    size_t before = count_lines(read_all());
    assert_true(before > 0 && before < 400);
    log_buffered(false);
    assert_int_equal(before + count_lines(read_all()), 400);
}

/* The pipe is in blocking mode; still, the log must not block. */
static void test_a_full_pipe_drops_lines_and_counts_them(void **state)
{
    (void)state;
    uint64_t before = log_dropped();
    log_buffered(true);
    for (int i = 0; i < 10000; i++)
        log_fields(LOG_INFO, "request", STR("\"n\":1"));
    assert_true(log_dropped() > before);
    size_t lines = 0, more;
    while ((more = count_lines(read_all()))) {
        lines += more;
        log_flush();
    }
    assert_int_equal(lines + (log_dropped() - before), 10000);
}

/* A file with a size limit, as on a full disk; later the limit is raised. */
static void test_a_full_disk_breaks_no_line(void **state)
{
    (void)state;
    enum { ROOM = 1000 };
    struct rlimit old, small;
    FILE *file = tmpfile();
    int fd = fileno(file);
    uint64_t before = log_dropped();
    log_to_fd(fd);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = ROOM; /* not a multiple of a line */
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 100; i++)
        log_fields(LOG_INFO, "request", STR("\"n\":1"));
    setrlimit(RLIMIT_FSIZE, &old);
    off_t end = lseek(fd, 0, SEEK_END);
    assert_true(end > ROOM / 2 && end <= ROOM);
    assert_int_equal(write(fd, "{}\n", 3), 3); /* another process */
    log_fields(LOG_INFO, "request", STR("\"n\":2"));
    log_fields(LOG_INFO, "request", STR("\"n\":3"));
    struct str all = {text, 0}, line;
    all.len = (size_t)pread(fd, text, sizeof text, 0);
    assert_int_equal(text[all.len - 1], '\n');
    assert_int_equal(count_lines(all) + (log_dropped() - before), 103);
    while (str_split(&all, '\n', &line) && line.len) {
        json_t *v = json_read(line, NULL);
        assert_non_null(v);
        json_decref(v);
    }
    log_to_fd(ends[1]);
    fclose(file);
}

static void test_a_socket_is_not_waited_for(void **state)
{
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair),
                     0);
    log_to_fd(pair[1]);
    uint64_t before = log_dropped();
    for (int i = 0; i < 10000; i++)
        log_fields(LOG_INFO, "request", STR("\"n\":1"));
    assert_true(log_dropped() > before);
    log_to_fd(ends[1]);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pipe, close_pipe)
    const struct CMUnitTest tests[] = {
        TEST(test_a_line_is_one_json_object),
        TEST(test_a_burst_of_one_message_is_held_back),
        TEST(test_ready_fields_are_not_held_back),
        TEST(test_gathered_lines_go_out_with_a_flush),
        TEST(test_an_error_flushes),
        TEST(test_many_gathered_lines_go_out_by_themselves),
        TEST(test_a_full_pipe_drops_lines_and_counts_them),
        TEST(test_a_full_disk_breaks_no_line),
        TEST(test_a_socket_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
