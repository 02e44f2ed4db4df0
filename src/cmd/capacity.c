/* capacity.c - `sextant capacity`: what a number of users needs, from the figures
 * of a bench. */
#include "capacity_model.h"
#include "config/options.h"
#include "help.h"
#include "programs.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum { FIGURES_BYTES = 64 * 1024 };

/* False, after printing why. */
static bool read_figures(const char *path, struct capacity_figures *figures)
{
    static char text[FIGURES_BYTES];
    struct str problem = STR("it cannot be read");
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    json_t *v = json_read((struct str){text, n}, NULL);
    bool good = file && capacity_read(v, figures, &problem);
    if (!good)
        fprintf(stderr, "sextant capacity: %s: %.*s\n", path, STR_ARG(problem));
    json_decref(v);
    return good;
}

static bool read_positive(const char *name, const char *text, double *out)
{
    char *end = "";
    *out = text ? strtod(text, &end) : 0;
    if (text && *text && !*end && *out > 0 && *out <= 1e9)
        return true;
    fprintf(stderr, "sextant capacity: --%s must be a number above 0\n", name);
    return false;
}

int cmd_capacity(int argc, char **argv)
{
    struct arena arena;
    struct config config;
    struct arguments args;
    const char *users = NULL, *questions = NULL, *path = NULL;
    const struct option own[] = {{"users", NULL, &users},
                                 {"questions-per-hour", NULL, &questions},
                                 {"figures", NULL, &path},
                                 {0}};
    struct capacity_figures figures = capacity_defaults();
    struct capacity_load load;
    struct buf out;
    arena_init(&arena, 0);
    buf_init(&out, &arena);
    bool good = options_read(&arena, argc, argv, own, &args, &config) &&
                read_positive("users", users, &load.users) &&
                read_positive("questions-per-hour", questions,
                              &load.questions_per_hour) &&
                (!path || read_figures(path, &figures));
    if (good && args.n) {
        arena_done(&arena);
        return usage_error("capacity", NULL);
    }
    if (good) {
        capacity_tell(&out, &figures, &load);
        fputs(buf_cstr(&out), stdout);
    }
    arena_done(&arena);
    return good ? EXIT_OK : EXIT_USAGE;
}
