/* static_files.c - the files of a folder, in memory; the largest on disk.
 *
 * Files are read, not mapped: truncating a mapped file would crash the process.
 * Large ones (DuckDB for the browser has 35 MB) are sent from disk
 * (disk_file.h), so that idle processes do not hold them.
 * Large files that have a .gz version are kept only in that form, and inflated
 * when a client asks for the plain one, which browsers do not. */
#include "net/static_files.h"
#include "disk_file.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/banned.h"

enum {
    DEPTH_MAX = 8,
    FILES_MAX = 4096,
    DISK_BYTES = 16 * 1024,         /* larger ones stay on disk */
    FILE_BYTES = 256 * 1024 * 1024, /* larger ones are left out */
    DISK_FILES_MAX = 128,           /* each keeps a descriptor */
    MEMORY_BYTES = 1024 * 1024,     /* what memory takes without descriptors */
    DISK_SHARE = 8,                 /* of the process's descriptors */
    LARGE_BYTES = 32 * 1024,
    GZIP_FRAME = 16 + MAX_WBITS, /* for inflateInit2 */
    ETAG_SIZE = 20,              /* 16 digits, quotes */
};

struct content {
    char *bytes; /* NULL: no such version, on disk, or not inflated yet */
    int fd;      /* 0: not on disk */
    size_t len;
    char etag[ETAG_SIZE]; /* empty: no such version */
};

enum coding { PLAIN, BROTLI, GZIP, CODINGS };

struct file {
    char *path; /* "/assets/app.js" */
    const char *type;
    bool forever; /* its name contains a hash of its content */
    struct content in[CODINGS];
};

struct static_files {
    struct map files; /* by path */
    unsigned on_disk;
};

/* ---- file names --------------------------------------------------------- */

static const char *type_of(struct str path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".json", "application/json; charset=utf-8"},
        {".map", "application/json; charset=utf-8"},
        {".webmanifest", "application/manifest+json; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_ends(path, str_of(types[i].ending)))
            return types[i].type;
    }
    return "application/octet-stream";
}

/* "name-Hash1234.js": a dash or dot, eight or more letters and digits of which
 * at least one is a digit or a capital, the ending. */
static bool name_has_hash(struct str path)
{
    ptrdiff_t slash = -1, dot = -1, mark = -1;
    bool looks_random = false;
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] == '/')
            slash = (ptrdiff_t)i;
        if (path.ptr[i] == '.')
            dot = (ptrdiff_t)i;
    }
    for (ptrdiff_t i = slash + 1; i < dot; i++) {
        if (path.ptr[i] == '-' || path.ptr[i] == '.')
            mark = i;
    }
    for (ptrdiff_t i = mark + 1; i < dot; i++) {
        char c = path.ptr[i];
        looks_random |= (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }
    return mark > slash && looks_random && dot - mark > 8;
}

/* "name.worker-Hash1234.js": a script that runs as a worker. It has a policy of
 * its own, which lets it compile WebAssembly; the page's does not. */
static bool is_worker(struct str path)
{
    return str_find(path, STR(".worker-")) >= 0 && str_ends(path, STR(".js"));
}

static enum coding coding_of(struct str *path)
{
    if (str_ends(*path, STR(".br")))
        *path = str_cut(*path, 0, path->len - 3);
    else if (str_ends(*path, STR(".gz")))
        *path = str_cut(*path, 0, path->len - 3);
    else
        return PLAIN;
    return path->ptr[path->len + 1] == 'b' ? BROTLI : GZIP;
}

/* ---- reading the folder ------------------------------------------------- */

static bool read_all(int fd, size_t size, char *bytes)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(fd, bytes + got, size - got);
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static struct file *file_for(struct static_files *files, struct str path)
{
    struct file *f = map_get(&files->files, path);
    if (f)
        return f;
    f = mem_new(struct file);
    f->path = mem_copy(path.ptr, path.len);
    f->type = type_of(path);
    f->forever = name_has_hash(path);
    map_put(&files->files, str_of(f->path), f);
    return f;
}

static void make_etag(struct content *c)
{
    uint8_t digest[SHA256_SIZE];
    uint64_t number = 0;
    sha256((struct str){c->bytes, c->len}, digest);
    for (int i = 0; i < 8; i++)
        number = number << 8 | digest[i];
    snprintf(c->etag, sizeof c->etag, "\"%016" PRIx64 "\"", number);
}

/* Nothing is read, so the ETag is made of the size and the time of the last
 * change, and differs between codings. */
static bool keep_on_disk(int fd, const struct stat *about, enum coding coding,
                         struct content *c)
{
    int64_t about_it[] = {about->st_size, about->st_mtim.tv_sec,
                          about->st_mtim.tv_nsec, coding};
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0)
        return false;
    *c = (struct content){.bytes = (char *)about_it, .len = sizeof about_it};
    make_etag(c);
    c->bytes = NULL;
    c->len = (size_t)about->st_size;
    c->fd = own;
    return true;
}

static bool keep_in_memory(int fd, size_t size, struct content *c)
{
    char *bytes = mem_alloc(size + 1);
    if (!read_all(fd, size, bytes)) {
        mem_free(bytes);
        return false;
    }
    *c = (struct content){.bytes = bytes, .len = size};
    make_etag(c);
    return true;
}

/* A process with few descriptors needs them for connections. */
static bool may_stay_on_disk(const struct static_files *files, off_t size)
{
    struct rlimit limit;
    if (files->on_disk >= DISK_FILES_MAX)
        return false;
    return size > MEMORY_BYTES || getrlimit(RLIMIT_NOFILE, &limit) ||
           files->on_disk < limit.rlim_cur / DISK_SHARE;
}

static void add_file(struct static_files *files, int fd, struct str path)
{
    struct stat about;
    struct content content;
    struct str name = path;
    if (fstat(fd, &about) || !S_ISREG(about.st_mode))
        return;
    bool large =
        about.st_size > DISK_BYTES && (about.st_size > MEMORY_BYTES ||
                                       may_stay_on_disk(files, about.st_size));
    bool kept = false;
    enum coding coding = coding_of(&name);
    if (about.st_size > FILE_BYTES || files->files.count >= FILES_MAX)
        kept = false;
    else if (!large)
        kept = keep_in_memory(fd, (size_t)about.st_size, &content);
    else if (may_stay_on_disk(files, about.st_size))
        kept = keep_on_disk(fd, &about, coding, &content);
    if (!kept) {
        log_line(LOG_WARN, "static file left out", "%.*s", STR_ARG(path));
        return;
    }
    files->on_disk += large;
    file_for(files, name)->in[coding] = content;
}

static void read_folder(struct static_files *files, int folder, struct str path,
                        int depth);

static void add_entry(struct static_files *files, int folder, struct str path,
                      const char *name, int depth)
{
    struct buf full;
    int fd =
        openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (fd < 0)
        return; /* a symbolic link, or not readable */
    buf_init(&full, NULL);
    buf_str(&full, path);
    buf_char(&full, '/');
    buf_text(&full, name);
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        if (depth < DEPTH_MAX)
            read_folder(files, fd, buf_view(&full), depth + 1);
        else
            close(fd);
    } else {
        add_file(files, fd, buf_view(&full));
        close(fd);
    }
    buf_done(&full);
}

/* Closes `folder`. Hidden entries are left out. */
static void read_folder(struct static_files *files, int folder, struct str path,
                        int depth)
{
    DIR *entries = fdopendir(folder);
    struct dirent *entry;
    if (!entries) {
        close(folder);
        return;
    }
    while ((entry = readdir(entries))) {
        if (entry->d_name[0] != '.')
            add_entry(files, folder, path, entry->d_name, depth);
    }
    closedir(entries);
}

/* ---- large files -------------------------------------------------------- */

/* Inflates a .gz version; NULL unless that gives `len` bytes. */
static char *inflate_version(const struct content *gzipped, size_t len)
{
    z_stream z = {.next_in = (Bytef *)gzipped->bytes,
                  .avail_in = (uInt)gzipped->len};
    char *bytes = mem_alloc(len + 1);
    z.next_out = (Bytef *)bytes;
    z.avail_out = (uInt)len + 1;
    bool whole = inflateInit2(&z, GZIP_FRAME) == Z_OK &&
                 inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == len;
    inflateEnd(&z);
    if (!whole) {
        mem_free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* Frees the plain bytes of a large file if its .gz version contains the
 * same. */
static void drop_plain_copy(struct file *f)
{
    struct content *plain = &f->in[PLAIN];
    if (!plain->bytes || plain->len < LARGE_BYTES || !f->in[GZIP].bytes)
        return;
    char *bytes = inflate_version(&f->in[GZIP], plain->len);
    if (bytes && memcmp(bytes, plain->bytes, plain->len) == 0) {
        mem_free(plain->bytes);
        plain->bytes = NULL;
    }
    mem_free(bytes);
}

static bool ensure_bytes(struct file *f, struct content *c)
{
    if (!c->bytes && f->in[GZIP].bytes)
        c->bytes = inflate_version(&f->in[GZIP], c->len);
    return c->bytes;
}

struct static_files *static_files_open(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct static_files *files = mem_new(struct static_files);
    map_init(&files->files, NULL);
    read_folder(files, fd, STR(""), 0);
    for (struct map_entry *e = NULL; (e = map_next(&files->files, e));)
        drop_plain_copy(e->value);
    return files;
}

void static_files_close(struct static_files **files)
{
    if (!*files)
        return;
    struct map *map = &(*files)->files;
    for (struct map_entry *e = NULL; (e = map_next(map, e));) {
        struct file *f = e->value;
        for (int i = 0; i < CODINGS; i++) {
            mem_free(f->in[i].bytes);
            if (f->in[i].fd)
                close(f->in[i].fd);
        }
        mem_free(f->path);
        mem_free(f);
    }
    map_done(map);
    mem_free(*files);
    *files = NULL;
}

/* ---- serving ------------------------------------------------------------ */

static bool exists(const struct content *c)
{
    return c->etag[0];
}

static enum coding choose_coding(const struct file *f,
                                 const struct http_exchange *x)
{
    struct str wanted = http_get_header(x, "accept-encoding");
    if (exists(&f->in[BROTLI]) && http_accepts(wanted, STR("br")))
        return BROTLI;
    if (exists(&f->in[GZIP]) && http_accepts(wanted, STR("gzip")))
        return GZIP;
    return PLAIN;
}

static struct file *file_at(const struct static_files *files, struct str path)
{
    if (str_is(path, "/"))
        path = STR("/index.html");
    struct file *f = map_get(&files->files, path);
    return f && exists(&f->in[PLAIN]) ? f : NULL;
}

static void set_headers(const struct file *f, const struct content *c,
                        enum coding coding, struct http_exchange *x)
{
    static const char *const names[CODINGS] = {NULL, "br", "gzip"};
    http_set_etag(x, str_of(c->etag));
    http_set_header(x, "Cache-Control",
                    f->forever ? STR("public, max-age=31536000, immutable")
                               : STR("no-cache"));
    if (exists(&f->in[BROTLI]) || exists(&f->in[GZIP]))
        http_set_header(x, "Vary", STR("Accept-Encoding"));
    if (names[coding])
        http_set_header(x, "Content-Encoding", str_of(names[coding]));
    if (is_worker(str_of(f->path)))
        http_set_header(x, "Content-Security-Policy",
                        STR("default-src 'none'; "
                            "script-src 'self' 'wasm-unsafe-eval'; "
                            "connect-src 'self'"));
    if (!str_starts(str_of(f->type), STR("text/html")))
        return;
    http_set_header(x, "Content-Security-Policy",
                    STR("default-src 'none'; script-src 'self'; "
                        "style-src 'self' 'unsafe-inline'; "
                        "img-src 'self' data: blob:; font-src 'self'; "
                        "connect-src 'self'; manifest-src 'self'; "
                        "form-action 'self'; base-uri 'none'; "
                        "frame-ancestors 'none'"));
    http_set_header(x, "Referrer-Policy", STR("same-origin"));
    http_set_header(x, "X-Frame-Options", STR("DENY"));
}

bool static_files_serve(const struct static_files *files,
                        struct http_exchange *x, struct str path)
{
    struct file *f = file_at(files, path);
    bool reads = str_is(x->method, "GET") || str_is(x->method, "HEAD");
    if (!f || !reads)
        return false;
    enum coding coding = choose_coding(f, x);
    struct content *c = &f->in[coding];
    if (!c->fd && !ensure_bytes(f, c))
        return false;
    set_headers(f, c, coding, x);
    if (c->fd)
        disk_file_send(x, &(struct disk_file){c->fd, c->len}, f->type);
    else
        http_reply_static(x, 200, f->type, (struct str){c->bytes, c->len});
    return true;
}
