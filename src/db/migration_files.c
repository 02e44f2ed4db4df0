/* migration_files.c - see migration_files.h. An arena that is exhausted leaves
 * by a jump, so no file is open while memory is allocated. */
#include "migration_files.h"
#include "base/crypto.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/banned.h"

enum { MOST_FILES = 1000, MOST_BYTES = 4 * 1024 * 1024, NAME_SIZE = 256 };

typedef char file_name[NAME_SIZE];

/* The number of a name NNN_[a-z0-9_]….sql, or 0. */
static int file_version(const char *name)
{
    int version = 0;
    const char *at = name;
    for (; isdigit((unsigned char)*at) && at - name < 6; at++)
        version = version * 10 + (*at - '0');
    if (at == name || *at != '_')
        return 0;
    while (islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
           *at == '_')
        at++;
    return strcmp(at, ".sql") == 0 ? version : 0;
}

static int file_order(const void *a, const void *b)
{
    int left = file_version(a), right = file_version(b);
    return (left > right) - (left < right);
}

/* Lists the scripts into `names` (NULL: only counts them); -1: no directory. */
static int files_list(const char *directory, file_name *names, int most)
{
    DIR *open = opendir(directory);
    int n = 0;
    if (!open)
        return -1;
    for (struct dirent *entry; n < most && (entry = readdir(open));) {
        if (entry->d_name[0] == '.' ||
            !str_ends(str_of(entry->d_name), STR(".sql")))
            continue;
        if (names)
            snprintf(names[n], NAME_SIZE, "%s", entry->d_name);
        n++;
    }
    closedir(open);
    return n;
}

/* The text of a file; NULL when it cannot be read, is too large or contains a
 * NUL byte. */
static const char *file_text(struct arena *arena, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size > MOST_BYTES)
        return NULL;
    size_t size = (size_t)about.st_size;
    char *text = arena_alloc(arena, size + 1);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    bool whole = fread(text, 1, size, file) == size;
    fclose(file);
    return whole && strlen(text) == size ? text : NULL;
}

/* Reads one file into m. Answers the sentence that says what is wrong with it,
 * or the empty slice. */
static struct str file_read(struct migrate *m, const char *name,
                            struct arena *keep, struct arena *here)
{
    struct migration *one = &m->list[m->n];
    uint8_t hash[SHA256_SIZE];
    one->version = file_version(name);
    if (!one->version)
        return arena_printf(keep, "%s: the name is not NNN_name.sql", name);
    if (m->n > 0 && one[-1].version == one->version)
        return arena_printf(keep, "%s and %s have the same number",
                            one[-1].name.ptr, name);
    const char *path = arena_printf(here, "%s/%s", m->directory, name).ptr;
    m->texts[m->n] = str_of(file_text(here, path));
    if (!m->texts[m->n].ptr)
        return arena_printf(keep, "%s cannot be read", name);
    one->name = arena_str(keep, str_of(name));
    sha256(m->texts[m->n], hash);
    one->checksum = hex_encode(keep, hash, sizeof hash);
    m->n++;
    return STR("");
}

enum err migration_files_read(struct migrate *m, struct arena *keep,
                              struct arena *here, struct str *text)
{
    int n = files_list(m->directory, NULL, MOST_FILES);
    if (n < 0) {
        *text = arena_printf(keep, "%s: no such directory", m->directory);
        return ERR_NOT_FOUND;
    }
    file_name *names = arena_new_array(here, file_name, (size_t)n + 1);
    m->list = arena_new_array(keep, struct migration, (size_t)n + 1);
    m->texts = arena_new_array(here, struct str, (size_t)n + 1);
    m->n = 0;
    n = files_list(m->directory, names, n);
    qsort(names, n > 0 ? (size_t)n : 0, sizeof *names, file_order);
    for (int i = 0; i < n; i++) {
        *text = file_read(m, names[i], keep, here);
        if (text->len)
            return ERR_VALIDATION;
    }
    return OK;
}
