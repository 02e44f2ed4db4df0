/* Listening sockets: one a worker on one port, that no other server shares. */
#include "supervisor/listener.h"
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "../leave_out.h"
#include "base/banned.h"

static struct arena arena;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static int port_of(int fd)
{
    struct sockaddr_in at;
    socklen_t size = sizeof at;
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    return ntohs(at.sin_port);
}

static int connected_to(int port)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (const struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

static void
test_all_workers_listen_on_one_port_and_refuse_until_then(void **state)
{
    struct listeners l;
    struct str why;
    (void)state;
    assert_true(listeners_open(&arena, "127.0.0.1", 0, 3, &l, &why));
    assert_int_equal(l.n, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(port_of(l.fds[i]), l.port);
    struct str url = arena_printf(&arena, "http://127.0.0.1:%d", l.port);
    assert_true(str_eq(l.url, url));
    assert_int_equal(connected_to(l.port), -1);
    assert_true(listeners_listen(&arena, &l, &why));
    int client = connected_to(l.port);
    assert_true(client >= 0);
    close(client);
    listeners_close(&l);
}

static void test_a_taken_port_is_refused_however_many_workers(void **state)
{
    struct listeners first, second;
    struct str why;
    (void)state;
    for (int n = 1; n <= 2; n++) {
        assert_true(listeners_open(&arena, "127.0.0.1", 0, 2, &first, &why));
        assert_true(listeners_listen(&arena, &first, &why));
        assert_false(
            listeners_open(&arena, "127.0.0.1", first.port, n, &second, &why));
        assert_true(str_find(why, STR("another program uses it")) >= 0);
        assert_int_equal(second.n, 0);
        listeners_close(&first);
    }
}

/* Both could bind it, for neither of them listened. */
static void test_of_two_that_start_at_once_the_second_is_told(void **state)
{
    struct listeners first, second;
    struct str why;
    (void)state;
    for (int n = 1; n <= 2; n++) {
        assert_true(listeners_open(&arena, "127.0.0.1", 0, n, &first, &why));
        assert_true(
            listeners_open(&arena, "127.0.0.1", first.port, n, &second, &why));
        assert_true(listeners_listen(&arena, &first, &why));
        assert_false(listeners_listen(&arena, &second, &why));
        assert_true(str_find(why, STR("another program uses it")) >= 0);
        listeners_close(&first);
        listeners_close(&second);
    }
}

static void test_each_socket_has_an_owner_and_each_worker_a_socket(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n++)
        for (int workers = 1; workers <= 4; workers++) {
            unsigned owned = 0, at_work = 0;
            for (int i = 0; i < n; i++)
                for (int k = 0; k < workers; k++)
                    if (listener_is_own(i, n, k, workers)) {
                        owned |= 1u << i;
                        at_work |= 1u << k;
                    }
            assert_int_equal(owned, (1u << n) - 1);
            assert_int_equal(at_work, (1u << workers) - 1);
        }
}

static void test_a_backlog_outlives_whoever_accepted(void **state)
{
    struct listeners l;
    struct str why;
    (void)state;
    assert_true(listeners_open(&arena, "127.0.0.1", 0, 1, &l, &why));
    assert_true(listeners_listen(&arena, &l, &why));
    int copy = dup(l.fds[0]); /* as a worker has it */
    int client = connected_to(l.port);
    assert_true(client >= 0);
    close(copy);
    int accepted = accept(l.fds[0], NULL, NULL);
    assert_true(accepted >= 0);
    close(accepted);
    close(client);
    listeners_close(&l);
}

static void test_an_unknown_host_is_refused(void **state)
{
    struct listeners l;
    struct str why;
    (void)state;
    assert_false(
        listeners_open(&arena, "256.1.1.1.example.invalid.", 0, 1, &l, &why));
    assert_true(str_starts(why, STR("HOST")));
}

static void test_ipv6_is_shown_in_brackets(void **state)
{
    struct listeners l;
    struct str why;
    (void)state;
    if (!listeners_open(&arena, "::1", 0, 1, &l, &why))
        leave_out("this machine has no IPv6");
    assert_true(str_starts(l.url, STR("http://[::1]:")));
    listeners_close(&l);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_all_workers_listen_on_one_port_and_refuse_until_then),
        TEST(test_a_taken_port_is_refused_however_many_workers),
        TEST(test_of_two_that_start_at_once_the_second_is_told),
        TEST(test_each_socket_has_an_owner_and_each_worker_a_socket),
        TEST(test_a_backlog_outlives_whoever_accepted),
        TEST(test_an_unknown_host_is_refused),
        TEST(test_ipv6_is_shown_in_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
