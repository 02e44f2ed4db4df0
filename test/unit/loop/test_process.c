/* Child processes as ops. */
#include "loop/process.h"
#include "loop_help.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/banned.h"

struct process_scene {
    struct process process;
    struct process_options options;
};

static struct next over(struct flow *f)
{
    (void)f;
    tell('o');
    return back(f);
}

static struct next process_first(struct flow *f)
{
    struct process_scene *s = locals(f, struct process_scene);
    process_begin(f, &s->process, &s->options);
    return await(f, over);
}

static const char *const path_env[] = {"PATH=/usr/bin:/bin", NULL};
#define SHELL(text) ((const char *const[]){"/bin/sh", "-c", text, NULL})

static struct str output_of(int fd, char *text, size_t size)
{
    size_t len = 0;
    ssize_t n;
    while (len < size && (n = read(fd, text + len, size - len)) > 0)
        len += (size_t)n;
    return (struct str){text, len};
}

static void test_the_status_of_a_process_is_told(void **state)
{
    (void)state;
    struct process_scene s = {.options = {.argv = SHELL("exit 3")}};
    assert_int_equal(run_flow(process_first, &s), OK);
    assert_int_equal(s.process.exit_status, 3);
    assert_int_equal(s.process.exit_signal, 0);
}

static void test_a_program_that_is_not_there_cannot_be_started(void **state)
{
    (void)state;
    const char *const argv[] = {"/nowhere/at/all", NULL};
    struct process_scene s = {.options = {.argv = argv}};
    assert_int_equal(run_flow(process_first, &s), ERR_INTERNAL);
    assert_int_equal(s.process.exit_status, -1);
}

static void test_the_environment_is_the_given_one_alone(void **state)
{
    (void)state;
    int ends[2];
    char text[256];
    const char *const env[] = {"ONLY=this", NULL};
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const char *const argv[] = {"/usr/bin/env", NULL};
    struct process_scene s = {
        .options = {.argv = argv, .env = env, .stdout_fd = ends[1]}};
    assert_int_equal(run_flow(process_first, &s), OK);
    close(ends[1]);
    assert_true(str_is(output_of(ends[0], text, sizeof text), "ONLY=this\n"));
    close(ends[0]);
}

static void test_descriptors_are_inherited_from_three_on(void **state)
{
    (void)state;
    int ends[2];
    char text[64];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const int fds[] = {ends[1]};
    struct process_scene s = {.options = {.argv = SHELL("echo hello >&3"),
                                          .inherit_fds = fds,
                                          .n_inherit_fds = 1}};
    assert_int_equal(run_flow(process_first, &s), OK);
    close(ends[1]);
    assert_true(str_is(output_of(ends[0], text, sizeof text), "hello\n"));
    close(ends[0]);
}

/* Prints when it is ready, so that no signal arrives before its trap is set. */
static void start_and_hear(struct run_flow *r, struct process_scene *s,
                           int ends[2])
{
    char text[1];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    s->options.stdout_fd = ends[1];
    run_flow_start(r, process_first, s);
    turn_until_quiet();
    assert_int_equal(read(ends[0], text, 1), 1);
}

static void test_a_cancelled_process_is_asked_to_end(void **state)
{
    (void)state;
    struct run_flow r;
    int ends[2];
    struct process_scene s = {
        .options = {
            .argv =
                SHELL("trap 'exit 7' INT; echo; while :; do sleep 0.01; done"),
            .env = path_env,
            .stop_signal = SIGINT}};
    start_and_hear(&r, &s, ends);
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_int_equal(s.process.exit_status, 7);
    assert_false(timer_running(&s.process.grace));
    close(ends[0]);
    close(ends[1]);
}

static void test_a_process_that_will_not_end_is_killed(void **state)
{
    (void)state;
    struct run_flow r;
    int ends[2];
    struct process_scene s = {
        .options = {
            .argv = SHELL("trap '' TERM; echo; while :; do sleep 0.01; done"),
            .env = path_env,
            .grace_ms = 20}};
    start_and_hear(&r, &s, ends);
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(s.process.exit_signal, SIGKILL);
    close(ends[0]);
    close(ends[1]);
}

/* It is about to complete: no timer may outlive it. */
static void test_a_cancel_after_a_failed_start_leaves_no_timer(void **state)
{
    (void)state;
    struct run_flow r;
    const char *const argv[] = {"/nowhere/at/all", NULL};
    struct process_scene s = {.options = {.argv = argv, .grace_ms = 1}};
    run_flow_start(&r, process_first, &s);
    flow_turn();
    flow_cancel(r.flow);
    flow_turn();
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_false(timer_running(&s.process.grace));
}

static struct process_scene exited;

static void cancel_on_exit(uv_handle_t *handle, void *who)
{
    struct run_flow *r = who;
    if (handle == (uv_handle_t *)&exited.process.handle &&
        uv_is_closing(handle) && !r->ended)
        op_cancel(&exited.process.op);
}

static void test_a_cancel_after_the_exit_leaves_no_timer(void **state)
{
    (void)state;
    struct run_flow r;
    exited = (struct process_scene){
        .options = {.argv = SHELL("exit 0"), .grace_ms = 1}};
    run_flow_start(&r, process_first, &exited);
    while (!r.ended) {
        loop_turn(true);
        uv_walk(loop_uv(), cancel_on_exit, &r);
    }
    assert_false(timer_running(&exited.process.grace));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_the_status_of_a_process_is_told),
        LOOP_TEST(test_a_program_that_is_not_there_cannot_be_started),
        LOOP_TEST(test_the_environment_is_the_given_one_alone),
        LOOP_TEST(test_descriptors_are_inherited_from_three_on),
        LOOP_TEST(test_a_cancelled_process_is_asked_to_end),
        LOOP_TEST(test_a_process_that_will_not_end_is_killed),
        LOOP_TEST(test_a_cancel_after_a_failed_start_leaves_no_timer),
        LOOP_TEST(test_a_cancel_after_the_exit_leaves_no_timer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
