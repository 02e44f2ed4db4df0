/* Spans: which are recorded, as what, and what the queue does when it is
 * full. */
#include "base/span.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static int batches_full;

static void on_batch(void *who)
{
    (void)who;
    batches_full++;
}

static void open_queue(size_t most, size_t batch)
{
    batches_full = 0;
    span_queue_open(&(struct span_queue_options){
        .most = most, .batch = batch, .on_batch = on_batch});
}

static bool record(const struct trace *parent, const char *name)
{
    struct span s;
    span_begin(&s, parent);
    struct json_writer *w = span_end(&s, SPAN_CLIENT, str_of(name), NULL);
    if (w)
        span_close(w);
    return w != NULL;
}

static struct trace a_trace(bool sampled)
{
    struct trace t;
    trace_begin(&t, STR(""));
    t.sampled = sampled;
    return t;
}

static void test_nothing_is_recorded_without_a_queue_or_a_trace(void **state)
{
    (void)state;
    struct trace t = a_trace(true), unsampled = a_trace(false);
    assert_false(record(&t, "too early"));
    open_queue(10, 10);
    assert_false(record(NULL, "no trace"));
    assert_false(record(&unsampled, "not sampled"));
    assert_true(record(&t, "good"));
    assert_int_equal(span_counts().waiting, 1);
    span_queue_close();
    assert_int_equal(span_counts().waiting, 0);
    assert_false(record(&t, "too late"));
}

static json_t *read_batch(const struct span_batch *b)
{
    struct buf all;
    buf_init(&all, NULL);
    buf_char(&all, '[');
    buf_str(&all, buf_view(&b->records));
    buf_char(&all, ']');
    json_t *v = json_read(buf_view(&all), NULL);
    buf_done(&all);
    return v;
}

static void test_a_record_has_ids_times_status_and_attributes(void **state)
{
    (void)state;
    struct trace t = a_trace(true);
    struct span s;
    open_queue(10, 10);
    span_begin(&s, &t);
    struct json_writer *w =
        span_end(&s, SPAN_SERVER, STR("a \"name\""), "TIMEOUT");
    assert_non_null(w);
    span_put_text(w, "text", STR("x\n"));
    span_put_text(w, "absent", STR(""));
    span_put_int(w, "count", INT64_MAX);
    span_put_real(w, "real", 0.5);
    span_put_word_list(w, "list", "stop");
    span_close(w);
    assert_null(span_end(&s, SPAN_SERVER, STR("twice"), NULL));

    struct span_batch *b = span_batch_take();
    json_t *all = read_batch(b), *one = json_array_get(all, 0);
    assert_int_equal(json_array_size(all), 1);
    assert_true(str_is(json_get_text(one, "traceId"), t.trace_id));
    assert_true(str_is(json_get_text(one, "parentSpanId"), t.span_id));
    assert_true(str_is(json_get_text(one, "spanId"), s.trace.span_id));
    assert_true(str_is(json_get_text(one, "name"), "a \"name\""));
    assert_int_equal(json_get_int(one, "kind", 0), SPAN_SERVER);
    assert_int_equal(json_get_int(json_object_get(one, "status"), "code", 0),
                     2);
    assert_int_equal(json_array_size(json_object_get(one, "attributes")), 5);
    struct str began = json_get_text(one, "startTimeUnixNano");
    struct str ended = json_get_text(one, "endTimeUnixNano");
    assert_int_equal(began.len, 19);
    assert_true(strcmp(began.ptr, ended.ptr) <= 0);
    json_decref(all);
    span_batch_done(&b, 0);
    assert_null(b);
    span_queue_close();
}

static void test_a_full_queue_drops_and_counts(void **state)
{
    (void)state;
    struct trace t = a_trace(true);
    struct span_counts before = span_counts();
    open_queue(5, 2);
    for (int i = 0; i < 8; i++)
        record(&t, "one of many");
    assert_int_equal(span_counts().waiting, 5);
    assert_int_equal(span_counts().dropped - before.dropped, 3);
    assert_int_equal(batches_full, 2);

    struct span_batch *b = span_batch_take();
    assert_int_equal(b->n, 2);
    assert_false(record(&t, "while the batch is sent"));
    span_batch_done(&b, 1);
    assert_int_equal(span_counts().failed - before.failed, 1);
    assert_int_equal(span_counts().exported - before.exported, 1);
    assert_true(record(&t, "there is room"));
    span_queue_close();
}

static void test_a_record_that_was_not_closed_leaves_nothing(void **state)
{
    (void)state;
    struct trace t = a_trace(true);
    struct span s;
    open_queue(5, 5);
    record(&t, "first");
    span_begin(&s, &t);
    assert_non_null(span_end(&s, SPAN_CLIENT, STR("broken"), NULL));
    record(&t, "second");
    struct span_batch *b = span_batch_take();
    json_t *all = read_batch(b);
    assert_int_equal(json_array_size(all), 2);
    assert_int_equal(b->n, 2);
    json_decref(all);
    span_batch_done(&b, 0);
    span_queue_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_recorded_without_a_queue_or_a_trace),
        cmocka_unit_test(test_a_record_has_ids_times_status_and_attributes),
        cmocka_unit_test(test_a_full_queue_drops_and_counts),
        cmocka_unit_test(test_a_record_that_was_not_closed_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
