#include "pg_fixture.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 256, MOST_BACKENDS = 256 };

struct pg {
    char directory[PATH], bin[PATH], text[PATH * 2];
    pid_t server, owner;
    uid_t uid;
    gid_t gid;
    char certificate[PATH + 32];
    int port;
    bool frozen;
};

static struct pg *only; /* for atexit */

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "pg_fixture: %s: %s\n", what, strerror(errno));
    exit(99);
}

__attribute__((format(printf, 3, 4))) static const char *
path(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vsnprintf(out, size, format, args) >= (int)size)
        die("a path is too long");
    va_end(args);
    return out;
}

static void find_programs(struct pg *pg)
{
    glob_t found;
    if (glob("/usr/lib/postgresql/*/bin/postgres", 0, NULL, &found) == 0) {
        path(pg->bin, PATH, "%s", found.gl_pathv[found.gl_pathc - 1]);
        *strrchr(pg->bin, '/') = 0;
        globfree(&found);
        return;
    }
    FILE *tell = popen("pg_config --bindir", "r");
    if (!tell || !fgets(pg->bin, PATH, tell))
        die("no PostgreSQL server programs (apt install postgresql)");
    pclose(tell);
    pg->bin[strcspn(pg->bin, "\n")] = 0;
}

/* PostgreSQL refuses root: the server then runs as the user postgres. */
static void find_user(struct pg *pg)
{
    pg->uid = getuid();
    pg->gid = getgid();
    if (pg->uid != 0)
        return;
    struct passwd *user = getpwnam("postgres");
    if (!user)
        die("run as root, but there is no user postgres");
    pg->uid = user->pw_uid;
    pg->gid = user->pw_gid;
}

/* A program of PostgreSQL's, or (with a slash) any other. */
static pid_t spawn(struct pg *pg, char *argv[])
{
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return child;
    if (getuid() == 0 &&
        (setgroups(0, NULL) || setgid(pg->gid) || setuid(pg->uid)))
        _exit(98);
    setsid(); /* what it signals to its group shall not be us */
    prctl(PR_SET_PDEATHSIG, SIGQUIT);      /* after setuid, which clears it */
    if (getppid() != parent || chdir("/")) /* it may not see where we are */
        _exit(97);
    char log[PATH + 16];
    int fd = open(path(log, sizeof log, "%s/log", pg->directory),
                  O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    char program[PATH + 16];
    if (!strchr(argv[0],
                '/')) /* they look for each other in their own folder */
        argv[0] =
            (char *)path(program, sizeof program, "%s/%s", pg->bin, argv[0]);
    execv(argv[0], argv);
    _exit(96);
}

static bool is_free(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool can = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
    close(fd);
    return can;
}

/* One that the kernel gives to no process by itself: it stays free while the server
 * is down. */
static int free_port(void)
{
    FILE *range = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r");
    int least = 0;
    if (!range || fscanf(range, "%d", &least) != 1 || least < 2048)
        die("no free port");
    fclose(range);
    for (int tries = 0; tries < 1000; tries++) {
        unsigned short chance;
        if (getrandom(&chance, sizeof chance, 0) != sizeof chance)
            die("getrandom");
        int port = least / 2 + chance % (least / 2);
        if (is_free(port))
            return port;
    }
    die("no free port");
}

static void init_cluster(struct pg *pg)
{
    char data[PATH + 16];
    path(data, sizeof data, "%s/data", pg->directory);
    pid_t child =
        spawn(pg, (char *[]){"initdb", "--no-sync", "--auth=trust",
                             "--username=postgres", "--locale=C.UTF-8",
                             "--encoding=UTF8", "-D", data, NULL});
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
        die("initdb failed");
}

/* Blocks until the server answers; polls, since it has no event to wait on. */
static void wait_until_ready(struct pg *pg)
{
    for (int tries = 0; tries < 5000; tries++) {
        if (PQping(pg_conninfo(pg, "postgres")) == PQPING_OK)
            return;
        poll(NULL, 0, 20);
        if (waitpid(pg->server, NULL, WNOHANG) == pg->server)
            die("the server did not start");
    }
    die("the server did not come up");
}

void pg_start(struct pg *pg)
{
    char data[PATH + 16], port[16];
    if (pg->server)
        return;
    path(data, sizeof data, "%s/data", pg->directory);
    path(port, sizeof port, "%d", pg->port);
    pg->server = spawn(
        pg, (char *[]){"postgres", "-D", data, "-k", pg->directory, "-p", port,
                       "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1",
                       "-c", "max_connections=60", "-c", "shared_buffers=32MB",
                       "-c", "jit=off", NULL});
    wait_until_ready(pg);
}

static void end_server(struct pg *pg, int signal_number)
{
    if (!pg->server)
        return;
    pg_thaw(pg);
    kill(pg->server, signal_number);
    waitpid(pg->server, NULL, 0);
    pg->server = 0;
}

void pg_stop(struct pg *pg)
{
    end_server(pg, SIGINT);
}

void pg_kill(struct pg *pg)
{
    end_server(pg, SIGQUIT);
}

/* While the server is stopped: the list of its children is whole only when
 * none comes or goes. */
static void signal_children(struct pg *pg, int signal_number)
{
    char name[64];
    path(name, sizeof name, "/proc/%d/task/%d/children", pg->server,
         pg->server);
    FILE *children = fopen(name, "r");
    int pid;
    while (children && fscanf(children, "%d", &pid) == 1)
        kill(pid, signal_number);
    if (children)
        fclose(children);
}

void pg_freeze(struct pg *pg)
{
    if (pg->server <= 0) {
        errno = ESRCH;
        die("the server does not run");
    }
    kill(pg->server, SIGSTOP);
    waitpid(pg->server, NULL, WUNTRACED);
    signal_children(pg, SIGSTOP);
    pg->frozen = true;
}

void pg_thaw(struct pg *pg)
{
    if (pg->frozen) {
        signal_children(pg, SIGCONT);
        kill(pg->server, SIGCONT);
    }
    pg->frozen = false;
}

static int remove_one(const char *name, const struct stat *st, int kind,
                      struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(name);
}

void pg_free(struct pg **pg)
{
    struct pg *p = *pg;
    *pg = NULL;
    only = NULL;
    end_server(p, SIGQUIT);
    nftw(p->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(p);
}

static void at_exit(void)
{
    if (only && only->owner == getpid())
        pg_free(&only);
}

struct pg *pg_new(void)
{
    struct pg *pg = calloc(1, sizeof *pg);
    const char *tmp = getenv("TMPDIR");
    path(pg->directory, PATH, "%s/sextant-pg-XXXXXX", tmp ? tmp : "/tmp");
    find_programs(pg);
    find_user(pg);
    if (!mkdtemp(pg->directory) || chown(pg->directory, pg->uid, pg->gid))
        die("no directory for the cluster");
    pg->owner = getpid();
    pg->port = free_port();
    only = pg;
    atexit(at_exit);
    init_cluster(pg);
    pg_start(pg);
    return pg;
}

const char *pg_conninfo(struct pg *pg, const char *database)
{
    return path(pg->text, sizeof pg->text,
                "host=%s port=%d user=postgres dbname=%s", pg->directory,
                pg->port, database);
}

const char *pg_conninfo_tcp(struct pg *pg, const char *database)
{
    return path(pg->text, sizeof pg->text,
                "host=localhost port=%d user=postgres dbname=%s "
                "sslmode=disable",
                pg->port, database);
}

static void no_notice(void *who, const PGresult *notice)
{
    (void)who;
    (void)notice;
}

const char *pg_ask(struct pg *pg, const char *database, const char *sql)
{
    PGconn *c = PQconnectdb(pg_conninfo(pg, database));
    PQsetNoticeReceiver(c, no_notice, NULL);
    PGresult *r = PQexec(c, sql);
    ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        fprintf(stderr, "pg_fixture: %s: %s\n", sql, PQerrorMessage(c));
        exit(99);
    }
    path(pg->text, sizeof pg->text, "%.500s",
         PQntuples(r) ? PQgetvalue(r, 0, 0) : "");
    PQclear(r);
    PQfinish(c);
    return pg->text;
}

void pg_run(struct pg *pg, const char *database, const char *sql)
{
    pg_ask(pg, database, sql);
}

const char *pg_use_tls(struct pg *pg)
{
    char key[PATH + 32];
    path(key, sizeof key, "%s/data/server.key", pg->directory);
    path(pg->certificate, sizeof pg->certificate, "%s/data/server.crt",
         pg->directory);
    pid_t child = spawn(
        pg, (char *[]){"/usr/bin/openssl", "req", "-new", "-x509", "-nodes",
                       "-days", "2", "-subj", "/CN=localhost", "-addext",
                       "subjectAltName=DNS:localhost", "-newkey", "rsa:2048",
                       "-keyout", key, "-out", pg->certificate, NULL});
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
        return NULL;
    chmod(key, 0600);
    pg_run(pg, "postgres", "alter system set ssl = on");
    pg_run(pg, "postgres", "select pg_reload_conf()");
    while (strcmp(pg_ask(pg, "postgres", "show ssl"), "on") != 0)
        ; /* each ask is a new backend, which reads the settings again */
    return pg->certificate;
}
