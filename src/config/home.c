/* home.c - creates and opens $SEXTANT_HOME, its lock, keys and files. */
#include "config/home.h"
#include "base/json.h"
#include "base/random.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "base/banned.h"

enum { SECRET_DIGITS = 64, MOST_SERVER_BYTES = 4096 };

static bool refuse_path(const struct home *h, struct str *why, const char *path,
                        const char *what)
{
    *why = arena_printf(h->arena, "%s: %s", path, what);
    return false;
}

static bool path_failed(const struct home *h, struct str *why, const char *path)
{
    return refuse_path(h, why, path, strerror(errno));
}

/* ---- folders ------------------------------------------------------------- */

/* Creates the missing parent folders, as `mkdir -p` does. */
static bool make_parents(const struct home *h, struct str *why)
{
    char *path = arena_cstr(h->arena, str_of(h->path));
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            return path_failed(h, why, path);
        *at = '/';
    }
    return true;
}

struct owner {
    uid_t uid;
    gid_t gid;
    mode_t mode; /* 0700, or 0710: the group may pass through */
};

static bool make_owned_folder(const struct home *h, const char *path,
                              const struct owner *o, struct str *why)
{
    struct stat st;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return path_failed(h, why, path);
    if (lstat(path, &st) != 0)
        return path_failed(h, why, path);
    if (!S_ISDIR(st.st_mode))
        return refuse_path(h, why, path, "this is not a folder");
    if (st.st_uid != o->uid && geteuid() != 0)
        return refuse_path(h, why, path, "this folder belongs to another user");
    if ((st.st_uid != o->uid || st.st_gid != o->gid) &&
        lchown(path, o->uid, o->gid) != 0)
        return path_failed(h, why, path);
    if ((st.st_mode & 0777) != o->mode && chmod(path, o->mode) != 0)
        return path_failed(h, why, path);
    return true;
}

static const char *home_path(const struct home *h, const char *name)
{
    return arena_printf(h->arena, "%s/%s", h->path, name).ptr;
}

/* Whether the sockets' paths fit into sun_path, NUL included. */
static bool sockets_fit(const struct home *h, struct str *why)
{
    const char *longest = home_path(h, "run/postgres/.s.PGSQL.5432");
    const size_t most = sizeof((struct sockaddr_un *)0)->sun_path - 1;
    if (strlen(longest) <= most)
        return true;
    *why = arena_printf(
        h->arena,
        "%s: this path is too long: the path of a socket in it would have %zu "
        "bytes, but at most %zu are possible. Set SEXTANT_HOME to a shorter "
        "path",
        h->path, strlen(longest), most);
    return false;
}

bool home_open(struct arena *arena, const char *path, struct home *h,
               struct str *why)
{
    const struct owner us = {geteuid(), getegid(), 0700};
    *h = (struct home){.arena = arena, .path = path};
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    h->path = arena_cstr(arena, (struct str){path, len});
    h->run = home_path(h, "run");
    h->postgres_socket = home_path(h, "run/postgres");
    h->sandbox_socket = home_path(h, "run/sandbox.sock");
    h->postgres_data = home_path(h, "postgres/data");
    h->postgres_conf = home_path(h, "postgres/conf");
    return sockets_fit(h, why) && make_parents(h, why) &&
           make_owned_folder(h, h->path, &us, why) &&
           make_owned_folder(h, h->run, &us, why) &&
           make_owned_folder(h, home_path(h, "log"), &us, why);
}

bool home_make_cluster(const struct home *h, uid_t uid, gid_t gid,
                       struct str *why)
{
    const struct owner us = {geteuid(), getegid(), 0700};
    const struct owner theirs = {uid, gid, 0700};
    const struct owner between = {geteuid(), gid, 0710};
    return make_owned_folder(h, home_path(h, "postgres"), &us, why) &&
           make_owned_folder(h, h->postgres_conf, &between, why) &&
           make_owned_folder(h, h->postgres_socket, &theirs, why) &&
           (access(h->postgres_data, F_OK) != 0 ||
            make_owned_folder(h, h->postgres_data, &theirs, why));
}

struct str home_conninfo(const struct home *h, const char *user,
                         const char *database)
{
    struct buf out;
    buf_init(&out, h->arena);
    buf_text(&out, "host='");
    for (const char *c = h->postgres_socket; *c; c++) {
        if (*c == '\'' || *c == '\\')
            buf_char(&out, '\\');
        buf_char(&out, *c);
    }
    buf_printf(&out, "' port=5432 user=%s dbname=%s sslmode=disable", user,
               database);
    return buf_finish(&out);
}

/* ---- the lock ------------------------------------------------------------ */

int home_lock(const struct home *h, struct str *why)
{
    const char *path = home_path(h, "lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        path_failed(h, why, path);
        return -2;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    int problem = errno;
    close(fd);
    if (problem == EWOULDBLOCK)
        return -1;
    refuse_path(h, why, path, strerror(problem));
    return -2;
}

/* ---- small files --------------------------------------------------------- */

/* Renames the new file into place. With `first`, an existing file is kept. */
static bool move_into_place(const char *fresh, const char *path, bool first)
{
    if (!first)
        return rename(fresh, path) == 0;
    bool good = link(fresh, path) == 0 || errno == EEXIST;
    return unlink(fresh) == 0 && good;
}

/* Writes atomically: under another name first. */
static bool write_atomically(const struct home *h, const char *path,
                             struct str text, bool first, struct str *why)
{
    const char *fresh =
        arena_printf(h->arena, "%s.%d", path, (int)getpid()).ptr;
    unlink(fresh);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len &&
                fsync(fd) == 0 && move_into_place(fresh, path, first);
    if (!good) {
        path_failed(h, why, path);
        unlink(fresh);
    }
    if (fd >= 0)
        close(fd);
    return good;
}

/* Reads at most `most` bytes. Returns false if it is absent or longer. */
static bool read_small_file(const struct home *h, const char *path, size_t most,
                            struct str *text)
{
    char *bytes = arena_alloc(h->arena, most + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, most + 1);
    if (fd >= 0)
        close(fd);
    *text = (struct str){bytes, got < 0 ? 0 : (size_t)got};
    return got >= 0 && (size_t)got <= most;
}

/* ---- secrets ------------------------------------------------------------- */

static bool keep_secret(const struct home *h, const char *path, size_t size,
                        struct str fresh, struct str *secret, struct str *why)
{
    if (access(path, F_OK) != 0 && errno == ENOENT &&
        !write_atomically(h, path, fresh, true, why))
        return false;
    if (!read_small_file(h, path, size, secret))
        return path_failed(h, why, path);
    if (secret->len == size)
        return true;
    return refuse_path(
        h, why, path,
        "this file does not have the size that Sextant gave it; restore the "
        "right one");
}

bool home_key(const struct home *h, uint8_t key[HOME_KEY_SIZE], struct str *why)
{
    uint8_t fresh[HOME_KEY_SIZE];
    struct str text;
    random_bytes(fresh, sizeof fresh);
    if (!keep_secret(h, home_path(h, "key"), sizeof fresh,
                     (struct str){(char *)fresh, sizeof fresh}, &text, why))
        return false;
    memcpy(key, text.ptr, HOME_KEY_SIZE);
    return true;
}

bool home_jwt_secret(const struct home *h, struct str *secret, struct str *why)
{
    uint8_t bytes[SECRET_DIGITS / 2];
    struct buf fresh;
    random_bytes(bytes, sizeof bytes);
    buf_init(&fresh, h->arena);
    for (size_t i = 0; i < sizeof bytes; i++)
        buf_printf(&fresh, "%02x", bytes[i]);
    return keep_secret(h, home_path(h, "jwt_secret"), SECRET_DIGITS,
                       buf_view(&fresh), secret, why);
}

bool home_write_file(const struct home *h, const char *name, struct str text,
                     struct str *why)
{
    return write_atomically(h, home_path(h, name), text, false, why);
}

bool home_copy_secrets(const struct home *from, const struct home *to,
                       struct str *why)
{
    static const char *const names[] = {"key", "jwt_secret"};
    struct str text;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = home_path(from, names[i]);
        if (access(path, F_OK) != 0 && errno == ENOENT)
            continue;
        if (!read_small_file(from, path, MOST_SERVER_BYTES, &text))
            return path_failed(from, why, path);
        if (!home_write_file(to, names[i], text, why))
            return false;
    }
    return true;
}

/* ---- the lock ------------------------------------------------------------ */

bool home_write_server(const struct home *h, const struct home_server *s)
{
    struct buf text;
    struct json_writer w;
    struct str why;
    buf_init(&text, h->arena);
    json_writer_init(&w, &text);
    json_put_object(&w);
    json_field_int(&w, "pid", s->pid);
    json_field_bool(&w, "serves", s->serves);
    json_field_text(&w, "url", s->url);
    json_put_object_end(&w);
    buf_char(&text, '\n');
    return write_atomically(h, home_path(h, "server.json"), buf_view(&text),
                            false, &why);
}

bool home_read_server(const struct home *h, struct home_server *s)
{
    struct str text;
    *s = (struct home_server){0};
    if (!read_small_file(h, home_path(h, "server.json"), MOST_SERVER_BYTES,
                         &text))
        return false;
    json_t *v = json_read(text, NULL);
    s->pid = (pid_t)json_get_int(v, "pid", 0);
    s->serves = json_get_bool(v, "serves", false);
    struct str url = json_get_text(v, "url");
    s->url = url.len ? arena_cstr(h->arena, url) : NULL;
    json_decref(v);
    return s->pid > 0;
}

void home_forget_server(const struct home *h)
{
    unlink(home_path(h, "server.json"));
}
