/* postgres_files.c - writes postgresql.conf, pg_hba.conf and pg_ident.conf. */
#include "postgres_files.h"
#include "base/buf.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

static const char settings[] =
    "# Written by Sextant at each start.\n"
    "listen_addresses = ''\n"
    "max_connections = 100\n"
    "superuser_reserved_connections = 3\n"
    "password_encryption = 'scram-sha-256'\n"
    "shared_buffers = '32MB'\n"
    "work_mem = '8MB'\n"
    "maintenance_work_mem = '64MB'\n"
    "temp_file_limit = '2GB'\n"
    "max_wal_size = '512MB'\n"
    "min_wal_size = '32MB'\n"
    "checkpoint_timeout = '15min'\n"
    "jit = off\n"
    "max_parallel_workers_per_gather = 0\n"
    "autovacuum_max_workers = 2\n"
    "max_worker_processes = 4\n"
    "max_logical_replication_workers = 0\n"
    "client_connection_check_interval = '1s'\n"
    "idle_in_transaction_session_timeout = '10min'\n"
    "log_destination = 'stderr'\n"
    "logging_collector = off\n"
    "log_min_messages = warning\n"
    "log_checkpoints = off\n"
    "log_min_error_statement = panic\n" /* no SQL and no values in logs */
    "log_error_verbosity = terse\n"
    "log_line_prefix = 'postgres[%p] '\n"
    "timezone = 'UTC'\n"
    "log_timezone = 'UTC'\n"
    "datestyle = 'ISO, YMD'\n"
    "lc_messages = 'C'\n";

/* The first matching line decides; without one the connection is refused. */
static const char access_rules[] =
    "# Written by Sextant at each start.\n"
    "local " POSTGRES_DATABASE " " POSTGRES_OWNER " peer map=server\n"
    "local all " POSTGRES_ADMIN " peer map=server\n"
    "local sextant_demo sextant_demo_reader scram-sha-256\n";

/* PostgreSQL reads them as its own user, through an open descriptor of the
 * folder. */
static bool write_conf_file(const struct home *h, const char *name,
                            struct str text, gid_t gid, struct str *why)
{
    const char *path =
        arena_printf(h->arena, "%s/%s", h->postgres_conf, name).ptr;
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && fchown(fd, (uid_t)-1, gid) == 0 &&
                fchmod(fd, 0640) == 0 &&
                write(fd, text.ptr, text.len) == (ssize_t)text.len;
    if (!good)
        *why = arena_printf(h->arena, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

bool postgres_write_files(const struct home *h, const char *user, gid_t gid,
                          struct str *why)
{
    static const char *const roles[] = {POSTGRES_OWNER, POSTGRES_ADMIN};
    struct buf conf, ident;
    buf_init(&conf, h->arena);
    buf_init(&ident, h->arena);
    buf_text(&conf, settings);
    for (int i = 0; i < 2; i++) {
        buf_text(&ident, "server ");
        buf_quoted(&ident, str_of(user), '"');
        buf_printf(&ident, " %s\n", roles[i]);
    }
    return write_conf_file(h, "postgresql.conf", buf_view(&conf), gid, why) &&
           write_conf_file(h, "pg_hba.conf", STR(access_rules), gid, why) &&
           write_conf_file(h, "pg_ident.conf", buf_view(&ident), gid, why);
}
