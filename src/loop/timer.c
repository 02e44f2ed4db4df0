/* timer.c - a binary heap of timers, the soonest on top. */
#include "loop/timer.h"
#include "base/clock.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "base/banned.h"

static struct timer **heap;
static size_t count, capacity;
static uv_timer_t driver;

static void place(struct timer *t, size_t at)
{
    heap[at] = t;
    t->slot = at + 1;
}

static void rise(struct timer *t, size_t at)
{
    while (at > 0 && heap[(at - 1) / 2]->at > t->at) {
        place(heap[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    place(t, at);
}

static void sink(struct timer *t, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1]->at < heap[child]->at)
            child++;
        if (heap[child]->at >= t->at)
            break;
        place(heap[child], at);
    }
    place(t, at);
}

static void on_driver(uv_timer_t *unused);

static void arm(void)
{
    if (count == 0) {
        uv_timer_stop(&driver);
        return;
    }
    uint64_t now = clock_ms(), at = heap[0]->at;
    uv_update_time(loop_uv());
    uv_timer_start(&driver, on_driver, at > now ? at - now : 1, 0);
}

static void remove_at(size_t at)
{
    heap[at]->slot = 0;
    struct timer *last = heap[--count];
    if (at == count)
        return;
    if (at > 0 && heap[(at - 1) / 2]->at > last->at)
        rise(last, at);
    else
        sink(last, at);
}

static void on_driver(uv_timer_t *unused)
{
    (void)unused;
    uint64_t now = clock_ms();
    while (count && heap[0]->at <= now) {
        struct timer *t = heap[0];
        remove_at(0);
        t->fire(t);
    }
    arm();
}

void timer_start(struct timer *t, uint64_t ms, void (*fire)(struct timer *t))
{
    timer_stop(t);
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 64;
        heap = mem_resize(heap, capacity * sizeof *heap);
    }
    t->at = clock_ms() + ms;
    t->fire = fire;
    rise(t, count++);
    if (heap[0] == t)
        arm();
}

void timer_stop(struct timer *t)
{
    if (!t->slot)
        return;
    bool soonest = t->slot == 1;
    remove_at(t->slot - 1);
    if (soonest && count == 0)
        arm();
}

bool timer_running(const struct timer *t)
{
    return t->slot != 0;
}

void timer_open(void)
{
    uv_timer_init(loop_uv(), &driver);
    heap = NULL;
    count = capacity = 0;
}

void timer_close(void)
{
    uv_close((uv_handle_t *)&driver, NULL);
    mem_free(heap);
    heap = NULL;
    count = capacity = 0;
}
