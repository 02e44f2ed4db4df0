/* admission.c - tickets and queues; see agent/admission.h. */
#include "agent/admission.h"
#include "base/mem.h"
#include "base/random.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

struct user_queue {
    char user_id[UUID_SIZE];
    struct ticket *first, *last;
    unsigned n;
    struct user_queue *prev, *next; /* in the ring of queues */
};

struct ticket {
    struct admission *admission;
    struct user_queue *queue; /* NULL: it may run */
    struct ticket *prev, *next;
    struct wake wake;
};

void admission_init(struct admission *a, unsigned most, unsigned most_waiting)
{
    *a = (struct admission){.most = most, .most_waiting = most_waiting};
}

/* ---- queues ------------------------------------------------------------- */

static struct user_queue *queue_of(const struct admission *a,
                                   struct str user_id)
{
    struct user_queue *l = a->last_served;
    for (; l; l = l->next == a->last_served ? NULL : l->next)
        if (str_is(user_id, l->user_id))
            return l;
    return NULL;
}

/* The one to be served last. */
static struct user_queue *queue_new(struct admission *a, struct str user_id)
{
    struct user_queue *l = mem_new(struct user_queue);
    size_t size = user_id.len < UUID_SIZE ? user_id.len : UUID_SIZE - 1;
    memcpy(l->user_id, user_id.ptr, size);
    l->prev = l->next = l;
    if (a->last_served) {
        l->prev = a->last_served;
        l->next = a->last_served->next;
        l->prev->next = l->next->prev = l;
    }
    a->last_served = l;
    return l;
}

static void queue_free(struct admission *a, struct user_queue *l)
{
    if (a->last_served == l)
        a->last_served = l->prev == l ? NULL : l->prev;
    l->prev->next = l->next;
    l->next->prev = l->prev;
    mem_free(l);
}

static void queue_add(struct user_queue *l, struct ticket *p)
{
    p->queue = l;
    p->prev = l->last;
    *(l->last ? &l->last->next : &l->first) = p;
    l->last = p;
    l->n++;
}

static void queue_remove(struct admission *a, struct ticket *p)
{
    struct user_queue *l = p->queue;
    *(p->prev ? &p->prev->next : &l->first) = p->next;
    *(p->next ? &p->next->prev : &l->last) = p->prev;
    p->prev = p->next = NULL;
    p->queue = NULL;
    a->waiting--;
    if (--l->n == 0)
        queue_free(a, l);
}

/* ---- tickets ------------------------------------------------------------ */

static struct ticket *ticket_new(struct admission *a)
{
    struct ticket *p = mem_new(struct ticket);
    p->admission = a;
    return p;
}

static bool has_room(const struct admission *a)
{
    return !a->most || a->running < a->most;
}

struct ticket *admission_resume(struct admission *a)
{
    a->running++;
    return ticket_new(a);
}

struct ticket *admission_enter(struct admission *a, struct str user_id)
{
    if (has_room(a))
        return admission_resume(a);
    struct user_queue *l = queue_of(a, user_id);
    unsigned most_of_one = (a->most_waiting + 1) / 2;
    if (a->waiting >= a->most_waiting || (l && l->n >= most_of_one))
        return NULL;
    struct ticket *p = ticket_new(a);
    queue_add(l ? l : queue_new(a, user_id), p);
    a->waiting++;
    return p;
}

bool ticket_runs(const struct ticket *p)
{
    return !p->queue;
}

struct wake *ticket_wake(struct ticket *p)
{
    return &p->wake;
}

static void admit_next(struct admission *a)
{
    while (a->waiting && has_room(a)) {
        assert(a->last_served && "a ticket waits in a queue");
        struct user_queue *l = a->last_served->next;
        struct ticket *p = l->first;
        a->last_served = l;
        queue_remove(a, p);
        a->running++;
        wake_up(&p->wake);
    }
}

void ticket_leave(struct ticket **at)
{
    struct ticket *p = *at;
    *at = NULL;
    if (!p)
        return;
    struct admission *a = p->admission;
    if (p->queue)
        queue_remove(a, p);
    else
        a->running--;
    mem_free(p);
    admit_next(a);
}
