/* fake_listen.c - db/listen.h without a database: every listener receives a notice
 * at once. */
#include "base/mem.h"
#include "db/listen.h"
#include "fake_db.h"
#include "loop/timer.h"
#include <stddef.h>
#include "base/banned.h"

struct listener {
    struct listener_options options;
    struct timer timer;
    bool up;
};

static struct listener *the_listener;

static void on_up(struct timer *t)
{
    struct listener *l =
        (struct listener *)((char *)t - offsetof(struct listener, timer));
    l->up = true;
    l->options.on_relisten(l->options.who);
}

struct listener *listener_open(const struct listener_options *options)
{
    struct listener *l = mem_new(struct listener);
    l->options = *options;
    timer_start(&l->timer, 1, on_up);
    the_listener = l;
    return l;
}

void listener_close(struct listener **listener)
{
    timer_stop(&(*listener)->timer);
    mem_free(*listener);
    *listener = the_listener = NULL;
}

bool listener_is_up(const struct listener *l)
{
    return l->up;
}

void fake_notify(struct str payload)
{
    struct listener *l = the_listener;
    if (l && l->up)
        l->options.on_notify(l->options.who, STR("sextant"), payload);
}

bool fake_listening(void)
{
    return the_listener && the_listener->up;
}

void fake_relisten(void)
{
    if (the_listener && the_listener->up)
        the_listener->options.on_relisten(the_listener->options.who);
}
