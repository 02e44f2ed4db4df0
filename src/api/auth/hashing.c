/* hashing.c - a small queue in front of libuv's thread pool. */
#include "hashing.h"
#include "loop/loop.h"
#include "base/banned.h"

static struct {
    unsigned running, waiting;
    struct hashing *first, **last;
} queue = {.last = &queue.first};

static void start_waiting(void);

/* Runs on another thread. */
static void hash_on_thread(uv_work_t *request)
{
    struct hashing *h = request->data;
    if (h->compare)
        h->matches = password_matches(h->password, h->compare);
    else if (!password_hash(h->password, h->made))
        h->made[0] = '\0';
}

static void hash_done(uv_work_t *request, int status)
{
    struct hashing *h = request->data;
    queue.running--;
    op_complete(&h->op, status == 0 ? OK : ERR_CANCELLED);
    start_waiting();
}

static void start_waiting(void)
{
    while (queue.first && queue.running < HASHING_MOST) {
        struct hashing *h = queue.first;
        queue.first = h->next;
        if (!queue.first)
            queue.last = &queue.first;
        queue.waiting--;
        queue.running++;
        h->next = NULL;
        h->request.data = h;
        uv_queue_work(loop_uv(), &h->request, hash_on_thread, hash_done);
    }
}

/* A hash that is already running finishes first. */
static void hashing_cancel(struct op *op)
{
    struct hashing *h = (struct hashing *)op, **at = &queue.first;
    while (*at && *at != h)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = h->next;
    if (!*at)
        queue.last = at;
    queue.waiting--;
    op_complete(op, ERR_CANCELLED);
}

bool hashing_begin(struct flow *f, struct hashing *h)
{
    if (queue.waiting >= HASHING_QUEUE)
        return false;
    begin(f, &h->op, "hashing", hashing_cancel);
    h->next = NULL;
    *queue.last = h;
    queue.last = &h->next;
    queue.waiting++;
    start_waiting();
    return true;
}
