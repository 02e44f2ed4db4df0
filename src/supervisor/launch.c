/* launch.c - prepares this process, then replaces it with the program. */
#include "supervisor/launch.h"
#include "base/str.h"
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum { CANNOT_START = 126 };

struct launch {
    int64_t uid, gid, as_bytes, signal_number, parent;
};

static int launch_failed(const char *what)
{
    fprintf(stderr, "sextant: launch: %s: %s\n", what, strerror(errno));
    return CANNOT_START;
}

static bool read_options(int argc, char **argv, struct launch *l)
{
    static const struct option options[] = {
        {"uid", required_argument, NULL, 'u'},
        {"gid", required_argument, NULL, 'g'},
        {"as-bytes", required_argument, NULL, 'a'},
        {"signal", required_argument, NULL, 's'},
        {"parent", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    int option;
    optind = 0;
    while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
        int64_t *field = option == 'u'   ? &l->uid
                         : option == 'g' ? &l->gid
                         : option == 'a' ? &l->as_bytes
                         : option == 's' ? &l->signal_number
                         : option == 'p' ? &l->parent
                                         : NULL;
        if (!field || !str_to_int64(str_of(optarg), field) || *field < 0)
            return false;
    }
    return optind < argc;
}

/* A stricter limit of our own stays, because it cannot be raised. */
static bool limit_memory(rlim_t bytes)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_AS, &most) != 0)
        return false;
    if (most.rlim_max > bytes)
        most.rlim_max = bytes;
    most.rlim_cur = most.rlim_max;
    return setrlimit(RLIMIT_AS, &most) == 0;
}

/* In this order: changing the user cancels the signal at the parent's death. */
static const char *become_user(const struct launch *l)
{
    if (l->uid >= 0 && setgroups(0, NULL) != 0)
        return "setgroups";
    if (l->gid >= 0 && setgid((gid_t)l->gid) != 0)
        return "setgid";
    if (l->uid >= 0 && setuid((uid_t)l->uid) != 0)
        return "setuid";
    if (setsid() < 0 && errno != EPERM)
        return "setsid";
    if (l->signal_number && prctl(PR_SET_PDEATHSIG, l->signal_number) != 0)
        return "prctl";
    if (l->as_bytes && !limit_memory((rlim_t)l->as_bytes))
        return "setrlimit";
    return NULL;
}

int cmd_launch(int argc, char **argv)
{
    struct launch l = {.uid = -1, .gid = -1, .parent = -1};
    if (!read_options(argc, argv, &l)) {
        errno = EINVAL;
        return launch_failed("options");
    }
    umask(022);
    const char *stuck = become_user(&l);
    if (stuck)
        return launch_failed(stuck);
    if (l.parent >= 0 && getppid() != (pid_t)l.parent)
        return CANNOT_START; /* the parent died before we could watch it */
    execvp(argv[optind], argv + optind);
    return launch_failed(argv[optind]);
}
