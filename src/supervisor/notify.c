/* notify.c - sends datagrams to systemd. */
#include "notify.h"
#include "base/clock.h"
#include "base/str.h"
#include "loop/timer.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include "base/banned.h"

enum { EXTEND_MS = 10000 }; /* a third of the time asked for */

static int notify_fd = -1;
static struct sockaddr_un notify_at;
static socklen_t notify_at_size;
static struct timer watchdog, extension;
static uint64_t watchdog_ms;

/* A message is lost if systemd does not read; nothing depends on it. */
static void notify_send(const char *state, int flags)
{
    if (notify_fd >= 0 &&
        sendto(notify_fd, state, strlen(state), MSG_NOSIGNAL | flags,
               (struct sockaddr *)&notify_at, notify_at_size) < 0)
        return;
}

static void feed_watchdog(struct timer *t)
{
    notify_send("WATCHDOG=1", MSG_DONTWAIT);
    timer_start(t, watchdog_ms, feed_watchdog);
}

static int64_t usec_variable(const char *name)
{
    int64_t n = 0;
    const char *text = getenv(name);
    return text && str_to_int64(str_of(text), &n) ? n : 0;
}

/* Feeds the watchdog twice as often as necessary. */
static void start_watchdog(void)
{
    int64_t us = usec_variable("WATCHDOG_USEC");
    int64_t pid = usec_variable("WATCHDOG_PID");
    watchdog_ms = us > 0 && (!pid || pid == getpid()) ? (uint64_t)us / 2000 : 0;
    if (watchdog_ms)
        timer_start(&watchdog, watchdog_ms, feed_watchdog);
}

void notify_open(void)
{
    const struct timeval patience = {.tv_usec = 500000};
    const char *path = getenv("NOTIFY_SOCKET");
    size_t len = path ? strlen(path) : 0;
    notify_at = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (!len || len >= sizeof notify_at.sun_path)
        return;
    memcpy(notify_at.sun_path, path, len);
    if (path[0] == '@') /* an abstract socket */
        notify_at.sun_path[0] = '\0';
    notify_at_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(notify_fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

void notify_close(void)
{
    timer_stop(&watchdog);
    timer_stop(&extension);
    if (notify_fd >= 0)
        close(notify_fd);
    notify_fd = -1;
}

static void extend_start(struct timer *t)
{
    notify_send("EXTEND_TIMEOUT_USEC=30000000", MSG_DONTWAIT);
    timer_start(t, EXTEND_MS, extend_start);
}

void notify_starting(void)
{
    notify_send("STATUS=Starting", 0);
    if (notify_fd >= 0)
        extend_start(&extension);
}

void notify_stopping(void)
{
    timer_stop(&extension);
    notify_send("STOPPING=1", 0);
}

void notify_ready(void)
{
    timer_stop(&extension);
    notify_send("READY=1\nSTATUS=Serving", 0);
    if (notify_fd >= 0 && !timer_running(&watchdog))
        start_watchdog();
}

void notify_reloading(void)
{
    char state[80];
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%llu",
             (unsigned long long)clock_us());
    notify_send(state, 0);
}
