/* import.c - `sextant import FILE --connection NAME`: reads a semantic model
 * (OSI) and makes an ontology of it. Findings in the file, and what the
 * database lacks, go to standard error; the ontology's id goes to standard
 * output.
 *
 * With --from-database the model is made from the connection's database;
 * further candidates for relationships are printed with their evidence. */
#include "agent/model_compare.h"
#include "agent/model_probe.h"
#include "agent/modeler.h"
#include "agent/vectors.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli.h"
#include "import_files.h"
#include "config/places.h"
#include "loop/loop.h"
#include "ontology/osi.h"
#include "help.h"
#include "programs.h"
#include "say.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include "tool/file_intake.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { ABSENT_SHOWN = 10, MOST_NAME = 255 };

struct import {
    struct cli cli;
    struct cli_user user;
    const char *path;
    struct str text;
    struct model_probe probe;
    struct ontology *model;
    struct connection_find find;
    struct model_compare compare;
    bool from_database, print;
    struct source_open source;
    struct modeler modeler;
    struct dataset_vectors vectors;
    struct ontology_import work;
};

/* ---- the file ------------------------------------------------------------ */

static bool read_model_file(struct import *i)
{
    char *bytes = arena_alloc(&i->cli.arena, OSI_MAX_BYTES + 2);
    int fd = open(i->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 1;
    size_t len = 0;
    while (got > 0 && len <= OSI_MAX_BYTES) {
        got = read(fd, bytes + len, OSI_MAX_BYTES + 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        fprintf(stderr, "sextant import: %s: %s\n", i->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    i->text = (struct str){bytes, len};
    return got >= 0;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_findings(const struct import *i)
{
    const json_t *answer = i->probe.answer, *x;
    size_t k;
    json_array_foreach(json_object_get(answer, "findings"), k, x)
    {
        struct str path = json_get_text(x, "path");
        int line = (int)json_get_int(x, "line", 0);
        say(stderr, "%s:", i->path);
        if (line) /* otherwise it is about the text as a whole */
            fprintf(stderr, "%d:%d:", line, (int)json_get_int(x, "column", 0));
        say(stderr, " %.*s: %.*s%s%.*s\n",
            STR_ARG(json_get_text(x, "severity")), STR_ARG(path),
            path.len ? ": " : "", STR_ARG(json_get_text(x, "message")));
    }
    int64_t errors = json_get_int(answer, "errors", 0),
            warnings = json_get_int(answer, "warnings", 0);
    if (errors || warnings)
        fprintf(stderr, "%lld error%s, %lld warning%s\n", (long long)errors,
                plural((size_t)errors), (long long)warnings,
                plural((size_t)warnings));
}

static struct next file_probed(struct flow *f)
{
    struct import *i = locals(f, struct import);
    print_findings(i);
    i->model = i->probe.model;
    return back(f);
}

static struct next file_probe_begin(struct flow *f)
{
    return call(f, model_probe_begin, &locals(f, struct import)->probe,
                file_probed);
}

static void file_probe_over(struct flow *f, enum err how, void *who)
{
    (void)who;
    if (how != OK)
        say(stderr, "sextant import: %.*s\n",
            STR_ARG(failure_text(f).len ? failure_text(f)
                                        : str_of(err_sentence(how))));
}

static bool probe_model_file(struct import *i)
{
    if (!read_model_file(i))
        return false;
    i->probe = (struct model_probe){
        .program = places_program(&i->cli.arena, "sextant"),
        .text = i->text,
        .memory = &i->cli.arena};
    loop_open();
    flow_start(file_probe_begin, i,
               &(struct flow_options){
                   .kind = "probe", .on_end = file_probe_over, .who = i});
    loop_run();
    loop_close();
    return i->model != NULL;
}

/* ---- storing ------------------------------------------------------------- */

static struct next import_owner_known(struct flow *f),
    import_connection_known(struct flow *f), model_compared(struct flow *f),
    model_not_compared(struct flow *f), import_source_opened(struct flow *f),
    database_model_made(struct flow *f), vectors_begin(struct flow *f),
    store_begin(struct flow *f), ontology_stored(struct flow *f);

static struct next import_begin(struct flow *f)
{
    struct import *i = locals(f, struct import);
    return call(f, cli_user_begin, &i->user, import_owner_known);
}

static struct next import_owner_known(struct flow *f)
{
    struct import *i = locals(f, struct import);
    i->find.store = i->cli.engine.store;
    i->find.owner_id = i->user.id;
    return call(f, connection_find_begin, &i->find, import_connection_known);
}

static struct next import_connection_known(struct flow *f)
{
    struct import *i = locals(f, struct import);
    if (!i->find.id.len)
        return fail_because(f, ERR_NOT_FOUND,
                            "there is no connection \"%.*s\"; `sextant "
                            "connection list` shows them",
                            STR_ARG(i->find.name));
    if (!i->from_database) {
        i->compare =
            (struct model_compare){.source = {.store = i->cli.engine.store,
                                              .connection_id = i->find.id},
                                   .model = i->model,
                                   .memory = &i->cli.arena};
        return attempt(f, model_compare_begin, &i->compare, model_compared,
                       model_not_compared);
    }
    i->source.store = i->cli.engine.store;
    i->source.connection_id = i->find.id;
    return call(f, source_open_begin, &i->source, import_source_opened);
}

/* ---- comparing the model with the database ------------------------------- */

/* A warning only: the tables may be created later. */
static struct next model_compared(struct flow *f)
{
    const struct import *i = locals(f, struct import);
    struct str_list absent = i->compare.absent;
    if (absent.n)
        say(stderr,
            "warning: the database of \"%.*s\" lacks the following, or this "
            "connection cannot see it; queries that use it will fail\n",
            STR_ARG(i->find.name));
    for (size_t k = 0; k < absent.n && k < ABSENT_SHOWN; k++)
        say(stderr, "  %.*s\n", STR_ARG(absent.items[k]));
    if (absent.n > ABSENT_SHOWN)
        fprintf(stderr, "  and %zu more\n", absent.n - ABSENT_SHOWN);
    return go(f, vectors_begin);
}

static struct next model_not_compared(struct flow *f)
{
    const struct import *i = locals(f, struct import);
    struct str why = failure_text(f);
    say(stderr,
        "warning: the model could not be compared with the database of "
        "\"%.*s\": %.*s\n",
        STR_ARG(i->find.name),
        STR_ARG(why.len ? why : str_of(err_sentence(failure(f)))));
    return go(f, vectors_begin);
}

/* ---- from the database --------------------------------------------------- */

static void print_progress(void *who, const char *what, size_t done,
                           size_t total)
{
    (void)who;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s: %zu of %zu", what, done, total);
}

static struct next import_source_opened(struct flow *f)
{
    struct import *i = locals(f, struct import);
    struct modeler *m = &i->modeler;
    m->source = i->source.opened;
    m->database = i->find.name;
    m->name = i->work.name;
    m->no_samples = i->source.share_rows != SHARE_ALL;
    m->memory = &i->cli.arena;
    m->on_progress = print_progress;
    return call(f, modeler_begin, m, database_model_made);
}

static void print_columns(const struct catalog_table *t, const size_t *columns,
                          size_t n)
{
    if (!str_is(t->schema, "public"))
        say(stderr, "%.*s.", STR_ARG(t->schema));
    say(stderr, "%.*s (", STR_ARG(t->name));
    for (size_t i = 0; i < n; i++)
        say(stderr, "%s%.*s", i ? ", " : "",
            STR_ARG(t->columns[columns[i]].name));
    say(stderr, ")");
}

/* Prints the keys that are guesses, and the columns that refer to several
 * tables. */
static void print_guesses(const struct catalog *c)
{
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        const struct catalog_key *key = catalog_primary(t);
        if (key && catalog_key_is_guess(key)) {
            fprintf(stderr, "guess: ");
            print_columns(t, key->columns, key->n);
            fprintf(stderr, " is the key: %lld rows show no value twice\n",
                    (long long)key->rows);
        }
        for (size_t k = 0; k < t->n_columns; k++) {
            const struct catalog_column *x = &t->columns[k];
            if (x->many != MANY_NAMED && x->many != MANY_FOUND)
                continue;
            fprintf(stderr, "several: ");
            print_columns(t, &k, 1);
            say(stderr, " refers to rows of several tables: see %.*s\n",
                STR_ARG(t->columns[x->teller].name));
        }
    }
}

/* Prints the relationships that were inferred, and those that were not. */
static void print_links(const struct catalog *c)
{
    for (size_t i = 0; i < c->n_links; i++) {
        const struct catalog_link *l = &c->links[i];
        if (l->origin == LINK_DECLARED)
            continue;
        fprintf(stderr, "%s: ",
                l->origin == LINK_SUGGESTED ? "perhaps"
                : l->origin == LINK_BY_NAME ? "by name"
                                            : "inferred");
        print_columns(&c->tables[l->from], l->from_columns, l->n);
        fprintf(stderr, " -> ");
        print_columns(&c->tables[l->to], l->to_columns, l->n);
        say(stderr, ": %.*s\n", STR_ARG(l->evidence));
    }
    print_guesses(c);
    if (c->n_left_out)
        fprintf(stderr, "warning: %zu tables were left out\n", c->n_left_out);
}

static struct next database_model_made(struct flow *f)
{
    struct import *i = locals(f, struct import);
    const struct modeler *m = &i->modeler;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    print_links(&m->catalog);
    if (m->n_unread)
        fprintf(
            stderr,
            "warning: %zu queries about the data were refused or timed out\n",
            m->n_unread);
    i->model = m->model;
    i->text = m->text;
    if (!i->print)
        return go(f, vectors_begin);
    printf("%.*s", STR_ARG(i->text));
    return back(f);
}

/* ---- storing ------------------------------------------------------------- */

static struct next vectors_begin(struct flow *f)
{
    struct import *i = locals(f, struct import);
    engine_open_models(&i->cli.engine);
    i->vectors = (struct dataset_vectors){
        .with = i->cli.engine.embeds ? &i->cli.engine.embedding : NULL,
        .model = i->model,
        .memory = &i->cli.arena};
    return call(f, dataset_vectors_begin, &i->vectors, store_begin);
}

static struct next store_begin(struct flow *f)
{
    struct import *i = locals(f, struct import);
    if (i->vectors.problem.len)
        say(stderr,
            "warning: the embedding model did not answer (%.*s); datasets "
            "will be found by their words\n",
            STR_ARG(i->vectors.problem));
    i->work.model = i->model;
    dataset_vectors_into(&i->vectors, &i->work);
    i->work.store = i->cli.engine.store;
    i->work.owner_id = i->user.id;
    i->work.connection_id = i->find.id;
    i->work.source_text = i->text;
    return call(f, ontology_import_begin, &i->work, ontology_stored);
}

static struct next ontology_stored(struct flow *f)
{
    const struct import *i = locals(f, struct import);
    say(stderr,
        "Ontology \"%.*s\" is %s: %zu dataset%s, %zu relationship%s, %zu "
        "metric%s, %s\n",
        STR_ARG(i->work.name), i->work.replaced ? "replaced" : "imported",
        i->model->n_datasets, plural(i->model->n_datasets),
        i->model->n_relationships, plural(i->model->n_relationships),
        i->model->n_metrics, plural(i->model->n_metrics),
        i->work.shared ? "shared" : "private");
    printf("%.*s\n", STR_ARG(i->work.ontology_id));
    return back(f);
}

/* ---- the command --------------------------------------------------------- */

static struct str_list split_names(struct arena *arena, const char *text)
{
    struct str rest = str_of(text), piece;
    struct str_list list = {arena_new_array(arena, struct str, rest.len + 1),
                            0};
    while (rest.len && str_split(&rest, ',', &piece))
        if (piece.len)
            list.items[list.n++] = piece;
    return list;
}

static bool name_fits(struct str name)
{
    size_t characters = utf8_count(name);
    if (utf8_valid(name) && characters >= 1 && characters <= MOST_NAME)
        return true;
    fprintf(stderr, "sextant import: a name has 1 to %d characters\n",
            MOST_NAME);
    return false;
}

static int files_command(struct cli *cli, struct arguments paths,
                         struct str name, struct str owner, bool shared)
{
    static struct file_import files;
    files = (struct file_import){.cli = cli,
                                 .user = {.cli = cli, .email = owner},
                                 .paths = paths,
                                 .name = name,
                                 .shared = shared};
    if (name.ptr && !name_fits(name))
        return EXIT_USAGE;
    return import_files(&files);
}

/* Takes --file, which may be given several times, from the command line.
 * Returns how many there are. */
static int take_files(int *argc, char **argv, const char **paths)
{
    int n = 0, left = 0;
    for (int i = 0; i < *argc; i++) {
        const char *path = NULL;
        if (!strcmp(argv[i], "--file") && i + 1 < *argc)
            path = argv[++i];
        else if (!strncmp(argv[i], "--file=", 7))
            path = argv[i] + 7;
        if (!path)
            argv[left++] = argv[i];
        else if (n <= INTAKE_FILES_MOST)
            paths[n++] = path;
    }
    *argc = left;
    argv[left] = NULL;
    return n;
}

int cmd_import(int argc, char **argv)
{
    static struct import i;
    bool shared = false, private = false, check = false;
    const char *connection = NULL, *name = NULL, *owner = NULL;
    const char *paths[INTAKE_FILES_MOST + 1];
    struct arguments files = {paths, take_files(&argc, argv, paths)};
    const char *database = NULL, *schemas = NULL, *tables = NULL;
    const struct option own[] = {{"from-database", NULL, &database},
                                 {"schema", NULL, &schemas},
                                 {"table", NULL, &tables},
                                 {"print", &i.print, NULL},
                                 {"connection", NULL, &connection},
                                 {"name", NULL, &name},
                                 {"owner", NULL, &owner},
                                 {"shared", &shared, NULL},
                                 {"private", &private, NULL},
                                 {"check", &check, NULL},
                                 {0}};
    struct arguments args;
    if (!cli_read(&i.cli, "import", argc, argv, own, &args))
        return EXIT_USAGE;
    if (files.n) {
        if (args.n || connection || database || schemas || tables || i.print ||
            check)
            return usage_error("import", "--file takes only --name, --private "
                                         "and --owner besides");
        return files_command(&i.cli, files, str_of(name), str_of(owner),
                             shared || (!private && !owner));
    }
    i.from_database = database != NULL;
    bool misused = i.from_database ? args.n || connection || check
                                   : args.n != 1 || (!connection && !check);
    const char *wrong = NULL;
    if (!i.from_database && (schemas || tables || i.print))
        wrong = "--schema, --table and --print require --from-database";
    else if (shared && private)
        wrong = "--shared and --private exclude each other";
    else if (misused && !i.from_database && args.n == 1)
        wrong = "--connection is required: the connection to the database that "
                "the model describes";
    if (misused || wrong)
        return usage_error("import", wrong);
    i.modeler.schemas = split_names(&i.cli.arena, schemas);
    i.modeler.tables = split_names(&i.cli.arena, tables);
    i.path = args.n ? args.items[0] : NULL;
    if (!i.from_database && !probe_model_file(&i))
        return EXIT_FAILED;
    if (check) {
        printf("%s is valid.\n", i.path);
        return EXIT_OK;
    }
    i.user = (struct cli_user){.cli = &i.cli, .email = str_of(owner)};
    i.find.name = str_of(database ? database : connection);
    i.work.name = name       ? str_of(name)
                  : database ? str_of(database)
                             : i.model->name;
    if (!name_fits(i.work.name))
        return EXIT_USAGE;
    i.work.shared = shared || (!private && !owner);
    return cli_run(&i.cli, import_begin, &i);
}
