#include "agent/admission.h"
#include "base/mem.h"
#include "base/random.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

struct line {
    char user_id[UUID_SIZE];
    struct ticket *first, *last;
    unsigned n;
    struct line *prev, *next; /* in the ring */
};

struct ticket {
    struct admission *admission;
    struct line *line; /* NULL: it runs */
    struct ticket *prev, *next;
    struct wake wake;
};

void admission_init(struct admission *a, unsigned most, unsigned most_waiting)
{
    *a = (struct admission){.most = most, .most_waiting = most_waiting};
}

/* ---- lines -------------------------------------------------------------- */

static struct line *line_of(const struct admission *a, struct str user_id)
{
    struct line *l = a->turn;
    for (; l; l = l->next == a->turn ? NULL : l->next)
        if (str_is(user_id, l->user_id))
            return l;
    return NULL;
}

/* At the end of the round. */
static struct line *line_new(struct admission *a, struct str user_id)
{
    struct line *l = mem_new(struct line);
    size_t size = user_id.len < UUID_SIZE ? user_id.len : UUID_SIZE - 1;
    memcpy(l->user_id, user_id.ptr, size);
    l->prev = l->next = l;
    if (a->turn) {
        l->prev = a->turn;
        l->next = a->turn->next;
        l->prev->next = l->next->prev = l;
    }
    a->turn = l;
    return l;
}

static void line_free(struct admission *a, struct line *l)
{
    if (a->turn == l)
        a->turn = l->prev == l ? NULL : l->prev;
    l->prev->next = l->next;
    l->next->prev = l->prev;
    mem_free(l);
}

static void line_add(struct line *l, struct ticket *p)
{
    p->line = l;
    p->prev = l->last;
    *(l->last ? &l->last->next : &l->first) = p;
    l->last = p;
    l->n++;
}

static void line_remove(struct admission *a, struct ticket *p)
{
    struct line *l = p->line;
    *(p->prev ? &p->prev->next : &l->first) = p->next;
    *(p->next ? &p->next->prev : &l->last) = p->prev;
    p->prev = p->next = NULL;
    p->line = NULL;
    a->waiting--;
    if (--l->n == 0)
        line_free(a, l);
}

/* ---- places ------------------------------------------------------------- */

static struct ticket *place_new(struct admission *a)
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
    return place_new(a);
}

struct ticket *admission_enter(struct admission *a, struct str user_id)
{
    if (has_room(a))
        return admission_resume(a);
    struct line *l = line_of(a, user_id);
    unsigned most_of_one = (a->most_waiting + 1) / 2;
    if (a->waiting >= a->most_waiting || (l && l->n >= most_of_one))
        return NULL;
    struct ticket *p = place_new(a);
    line_add(l ? l : line_new(a, user_id), p);
    a->waiting++;
    return p;
}

bool ticket_runs(const struct ticket *p)
{
    return !p->line;
}

struct wake *ticket_wake(struct ticket *p)
{
    return &p->wake;
}

static void admit_next(struct admission *a)
{
    while (a->waiting && has_room(a)) {
        assert(a->turn && "whoever waits stands in a line");
        struct line *l = a->turn->next;
        struct ticket *p = l->first;
        a->turn = l;
        line_remove(a, p);
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
    if (p->line)
        line_remove(a, p);
    else
        a->running--;
    mem_free(p);
    admit_next(a);
}
