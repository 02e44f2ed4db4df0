/* places.c - finds the program's own files. */
#include "config/places.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

static const char *path_if_accessible(struct arena *arena, const char *folder,
                                      const char *rest, int mode)
{
    const char *path = arena_printf(arena, "%s/%s", folder, rest).ptr;
    return access(path, mode) == 0 ? path : NULL;
}

/* The folder of `sextant`, without a trailing slash: this program's own or, for
 * the supervisor in PREFIX/libexec/sextant, PREFIX/bin. */
static const char *own_folder(struct arena *arena)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path);
    while (len > 0 && path[len - 1] != '/')
        len--;
    if (len <= 1)
        return "";
    const char *own = arena_cstr(arena, (struct str){path, (size_t)len - 1});
    const char *bin = path_if_accessible(arena, own, "../../bin", X_OK);
    return bin && !path_if_accessible(arena, own, "sextant", X_OK) ? bin : own;
}

/* The source tree, if this program is in one of its build folders. An installed
 * program must not run anything from the folder it was built in, because
 * another user may be able to write there. */
static const char *source_folder(const char *own)
{
    static const char tree[] = SEXTANT_SOURCE_DIR "/";
    return strncmp(own, tree, sizeof tree - 1) == 0 ? SEXTANT_SOURCE_DIR : NULL;
}

const char *places_data(struct arena *arena, const struct config *c)
{
    const char *own = own_folder(arena), *source = source_folder(own);
    const char *const folders[] = {
        c->data_dir ? c->data_dir : "",
        arena_printf(arena, "%s/../share/sextant", own).ptr,
        arena_printf(arena, "%s/..", own).ptr,
        source ? source : "",
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char whole[PATH_MAX];
        if (*folders[i] &&
            path_if_accessible(arena, folders[i], "sql/001_core.sql", R_OK) &&
            realpath(folders[i], whole))
            return arena_cstr(arena, str_of(whole));
        if (i == 0 && c->data_dir)
            return NULL;
    }
    return NULL;
}

const char *places_program(struct arena *arena, const char *name)
{
    const char *own = own_folder(arena);
    const char *beside = path_if_accessible(arena, own, name, X_OK);
    if (beside)
        return beside;
    return path_if_accessible(
        arena, arena_printf(arena, "%s/../libexec/sextant", own).ptr, name,
        X_OK);
}

const char *places_python(struct arena *arena, const struct config *c)
{
    if (c->sandbox_python)
        return c->sandbox_python;
    const char *own = own_folder(arena), *source = source_folder(own);
    const char *const folders[] = {
        own,
        arena_printf(arena, "%s/../lib/sextant", own).ptr,
        source ? arena_printf(arena, "%s/build", source).ptr : "",
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *python = *folders[i]
                                 ? path_if_accessible(arena, folders[i],
                                                      "venv/bin/python3", X_OK)
                                 : NULL;
        if (python)
            return python;
    }
    return "/usr/bin/python3";
}
