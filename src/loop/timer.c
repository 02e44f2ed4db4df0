/* timer.c - a 4-ary heap of timers, the soonest on top, and one uv_timer_t that
 * is set to it. */
#include "loop/timer.h"
#include "base/clock.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "base/banned.h"

/* With four children a node the heap has half as many levels as with two, and
 * each move writes to a timer that is elsewhere in memory. */
enum { CHILDREN = 4 };

/* The time is copied next to the pointer, so that comparisons do not have to
 * load the timers themselves, which are scattered over memory. */
struct due {
    uint64_t at;
    struct timer *timer;
};

static struct due *heap;
static size_t count, capacity;
static uv_timer_t driver;

static void heap_set(struct due due, size_t at)
{
    heap[at] = due;
    due.timer->slot = at + 1;
}

static void heap_up(struct due due, size_t at)
{
    while (at > 0 && heap[(at - 1) / CHILDREN].at > due.at) {
        heap_set(heap[(at - 1) / CHILDREN], at);
        at = (at - 1) / CHILDREN;
    }
    heap_set(due, at);
}

static size_t heap_soonest_child(size_t at)
{
    size_t first = CHILDREN * at + 1, soonest = first;
    for (size_t i = first + 1; i < first + CHILDREN && i < count; i++)
        if (heap[i].at < heap[soonest].at)
            soonest = i;
    return soonest;
}

static void heap_down(struct due due, size_t at)
{
    while (CHILDREN * at + 1 < count) {
        size_t child = heap_soonest_child(at);
        if (heap[child].at >= due.at)
            break;
        heap_set(heap[child], at);
        at = child;
    }
    heap_set(due, at);
}

static void on_driver(uv_timer_t *unused);

static void arm_driver(void)
{
    if (count == 0) {
        uv_timer_stop(&driver);
        return;
    }
    uint64_t now = clock_ms(), at = heap[0].at;
    uv_update_time(loop_uv());
    uv_timer_start(&driver, on_driver, at > now ? at - now : 1, 0);
}

static void heap_remove(size_t at)
{
    heap[at].timer->slot = 0;
    struct due last = heap[--count];
    if (at == count)
        return;
    if (at > 0 && heap[(at - 1) / CHILDREN].at > last.at)
        heap_up(last, at);
    else
        heap_down(last, at);
}

static void on_driver(uv_timer_t *unused)
{
    (void)unused;
    uint64_t now = clock_ms();
    while (count && heap[0].at <= now) {
        struct timer *t = heap[0].timer;
        heap_remove(0);
        t->fire(t);
    }
    arm_driver();
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
    heap_up((struct due){t->at, t}, count++);
    if (heap[0].timer == t)
        arm_driver();
}

void timer_stop(struct timer *t)
{
    if (!t->slot)
        return;
    bool soonest = t->slot == 1;
    heap_remove(t->slot - 1);
    if (soonest && count == 0)
        arm_driver();
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
