/* postgres_programs.c - looks for PostgreSQL where distributions install it. */
#include "config/postgres_programs.h"
#include "base/buf.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/banned.h"

enum { LEAST_MAJOR = 13, MOST_FOUND = 32 };

int postgres_data_major(const char *data)
{
    char path[4096], text[16] = "";
    int64_t major = -1;
    snprintf(path, sizeof path, "%s/PG_VERSION", data);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    return got > 0 && str_to_int64(str_trim(str_of(text)), &major) && major > 0
               ? (int)major
               : -1;
}

/* Parses `postgres --version`: "postgres (PostgreSQL) 15.20 (Debian …)". */
static int program_major(const char *folder)
{
    char program[4096], text[128] = "";
    int ends[2];
    snprintf(program, sizeof program, "%s/postgres", folder);
    if (access(program, X_OK) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(program, program, "--version", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t got = child > 0 ? read(ends[0], text, sizeof text - 1) : -1;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    const char *number = got > 0 ? strstr(text, ") ") : NULL;
    return number ? (int)strtol(number + 2, NULL, 10) : 0;
}

struct found {
    struct postgres_programs items[MOST_FOUND];
    int n;
};

static void add_folder(struct arena *arena, struct found *all,
                       const char *folder)
{
    char initdb[4096];
    snprintf(initdb, sizeof initdb, "%s/initdb", folder);
    int major = access(initdb, X_OK) == 0 ? program_major(folder) : 0;
    if (major >= LEAST_MAJOR && all->n < MOST_FOUND)
        all->items[all->n++] = (struct postgres_programs){
            arena_cstr(arena, str_of(folder)), major};
}

static void add_path_folders(struct arena *arena, struct found *all)
{
    struct str folder, rest = str_of(getenv("PATH"));
    while (str_split(&rest, ':', &folder))
        if (folder.len)
            add_folder(arena, all, arena_cstr(arena, folder));
}

static void find_programs(struct arena *arena, const struct config *c,
                          struct found *all)
{
    static const char *const patterns[] = {
        "/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
        "/usr/lib64/pgsql/bin"};
    *all = (struct found){.n = 0};
    if (c->pg_bindir) {
        add_folder(arena, all, c->pg_bindir);
        return;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t names;
        if (glob(patterns[i], 0, NULL, &names) == 0)
            for (size_t k = 0; k < names.gl_pathc; k++)
                add_folder(arena, all, names.gl_pathv[k]);
        globfree(&names);
    }
    add_path_folders(arena, all);
}

static bool refuse_version(struct arena *arena, const struct found *all,
                           const char *data, int major, struct str *why)
{
    struct buf have;
    buf_init(&have, arena);
    for (int i = 0; i < all->n; i++)
        if (i == 0 || all->items[i].major != all->items[i - 1].major)
            buf_printf(&have, "%s%d", i ? ", " : "", all->items[i].major);
    *why = arena_printf(
        arena,
        "the data in %s was created by PostgreSQL %d, but this machine has "
        "%.*s. Install that version (apt install postgresql-%d), or upgrade "
        "the data while Sextant is down: pg_upgrade -b OLD_BIN -B NEW_BIN -d "
        "%s -D NEW_DATA, then put NEW_DATA in its place",
        data, major, STR_ARG(buf_view(&have)), major, data);
    return false;
}

bool postgres_find(struct arena *arena, const struct config *c,
                   const char *data, struct postgres_programs *out,
                   struct str *why)
{
    struct found all;
    int wanted = postgres_data_major(data);
    if (wanted < 0) {
        *why = arena_printf(arena, "%s/PG_VERSION cannot be read", data);
        return false;
    }
    find_programs(arena, c, &all);
    *out = (struct postgres_programs){0};
    for (int i = 0; i < all.n; i++)
        if (wanted ? all.items[i].major == wanted
                   : all.items[i].major > out->major)
            *out = all.items[i];
    if (out->folder)
        return true;
    if (all.n)
        return refuse_version(arena, &all, data, wanted, why);
    *why = arena_printf(arena,
                        "no PostgreSQL (%d or newer) was found%s%s. Install "
                        "it (apt install postgresql), or set DATABASE_URL",
                        LEAST_MAJOR, c->pg_bindir ? " in " : "",
                        c->pg_bindir ? c->pg_bindir : "");
    return false;
}
