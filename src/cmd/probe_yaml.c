/* probe_yaml.c - `sextant probe-yaml`: reads an untrusted semantic model in a
 * process without privileges.
 *
 * The server never gives such a text to a YAML library itself. It spawns this
 * command with an empty environment, few system calls and a deadline, and reads
 * the result. The text comes on standard input (with `--fd N` on that
 * descriptor). The answer goes to standard output: {"errors", "warnings",
 * "findings": [{"severity", "line", "column", "path", "message"}], "model"};
 * with --yaml also "yaml", the text as block YAML. With --questions the text is a
 * set of questions (docs/eval.md), and instead of a model the answer has
 * "questions": [{"line", "question", "sql", "asked"}] and how many were "skipped"
 * because they have no query. With --edit it is a request to change a text
 * (probe_edit.h). The exit status only says whether there is an answer. */
#include "base/json.h"
#include "base/utf8.h"
#include "config/options.h"
#include "ontology/model_json.h"
#include "ontology/osi.h"
#include "eval/set.h"
#include "help.h"
#include "probe_edit.h"
#include "programs.h"
#include "syscalls.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    CPU_SECONDS = 5,
    ADDRESS_SPACE = 512 * 1024 * 1024,
    ANSWER_MOST = 32 * 1024 * 1024,
    FILES_MOST = 16,
    FINDINGS_MOST = 100,
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

static void set_limit(int what, rlim_t most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

static void drop_privileges(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, CPU_SECONDS);
    set_limit(RLIMIT_FSIZE, ANSWER_MOST);
    set_limit(RLIMIT_NOFILE, FILES_MOST);
    if (sanitized) /* sanitizers need more memory and more system calls */
        return;
    set_limit(RLIMIT_AS, ADDRESS_SPACE);
    syscalls_of_a_reader();
}

static bool read_input(struct arena *arena, int fd, size_t most,
                       struct str *text)
{
    char *bytes = arena_alloc(arena, most + 2);
    ssize_t got = 1;
    size_t len = 0;
    while (got > 0 && len <= most) {
        got = read(fd, bytes + len, most + 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    *text = (struct str){bytes, len};
    return got >= 0;
}

void probe_put_findings(struct json_writer *w, const struct osi_report *report)
{
    json_field_int(w, "errors", (int64_t)report->n_errors);
    json_field_int(w, "warnings", (int64_t)report->n_warnings);
    json_field_array(w, "findings");
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct osi_finding *x = &report->findings[i];
        json_put_object(w);
        json_field_text(w, "severity",
                        x->severity == OSI_ERROR ? "error" : "warning");
        json_field_int(w, "line", x->line);
        json_field_int(w, "column", x->column);
        json_field_str(w, "path", x->path);
        json_field_str(w, "message", x->message);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static bool write_answer(struct arena *arena, struct str text, bool with_yaml)
{
    struct osi_report report;
    struct ontology *model;
    struct json_writer w;
    struct buf out, yaml;
    bool good = osi_read(arena, text, &model, &report);
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    probe_put_findings(&w, &report);
    if (good) {
        json_put_key(&w, "model");
        ontology_to_json(model, &out);
        w.comma = true;
    }
    buf_init(&yaml, arena);
    if (good && with_yaml && osi_to_yaml(arena, text, &yaml))
        json_field_str(&w, "yaml", buf_view(&yaml));
    json_put_object_end(&w);
    buf_char(&out, '\n');
    return fwrite(out.ptr, 1, out.len, stdout) == out.len &&
           fflush(stdout) == 0;
}

/* ---- sets of questions ---------------------------------------------------- */

/* A problem is "LINE: what is wrong". */
static void put_set_findings(struct json_writer *w, struct str problems)
{
    struct str line;
    size_t n = 0;
    json_field_array(w, "findings");
    while (n < FINDINGS_MOST && str_split(&problems, '\n', &line)) {
        ptrdiff_t colon = str_find_char(line, ':');
        int64_t at = 0;
        if (colon < 0 || !str_to_int64(str_cut(line, 0, (size_t)colon), &at))
            continue;
        n++;
        json_put_object(w);
        json_field_text(w, "severity", "error");
        json_field_int(w, "line", at);
        json_field_int(w, "column", 0);
        json_field_text(w, "path", "");
        json_field_str(w, "message",
                       str_trim(str_from(line, (size_t)colon + 1)));
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_field_int(w, "errors", (int64_t)n);
    json_field_int(w, "warnings", 0);
}

/* Those that have a query. */
static void put_questions(struct json_writer *w, const struct eval_set *set)
{
    int64_t skipped = 0;
    json_field_array(w, "questions");
    for (size_t i = 0; i < set->n; i++) {
        const struct eval_question *q = &set->questions[i];
        if (!q->n_sql) {
            skipped++;
            continue;
        }
        json_put_object(w);
        json_field_int(w, "line", q->line);
        json_field_str(w, "question", q->question);
        json_field_str(w, "sql", q->sql[0]);
        json_field_str(w, "asked", q->asked);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_field_int(w, "skipped", skipped);
}

static bool write_questions(struct arena *arena, struct str text)
{
    struct eval_set set = {0};
    struct json_writer w;
    struct buf out, problems;
    buf_init(&problems, arena);
    bool good = text.len <= OSI_MAX_BYTES && utf8_valid(text) &&
                eval_set_read_yaml(arena, text, &set, &problems);
    if (!good && !problems.len)
        buf_text(&problems, "0: not a text in UTF-8, or too large\n");
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_set_findings(&w, buf_view(&problems));
    if (good)
        put_questions(&w, &set);
    json_put_object_end(&w);
    buf_char(&out, '\n');
    return fwrite(out.ptr, 1, out.len, stdout) == out.len &&
           fflush(stdout) == 0;
}

/* ---- edits ---------------------------------------------------------------- */

static bool write_edited(struct arena *arena, struct str request)
{
    struct buf out;
    buf_init(&out, arena);
    return request.len <= PROBE_REQUEST_MOST &&
           probe_edit(arena, request, &out) &&
           fwrite(out.ptr, 1, out.len, stdout) == out.len &&
           fflush(stdout) == 0;
}

/* ---- the command ---------------------------------------------------------- */

struct probe_options {
    bool with_yaml, questions, edit;
    int64_t fd;
};

static bool read_probe_arguments(int argc, char **argv, struct probe_options *o)
{
    for (int i = 1; i < argc; i++) {
        bool number = !strcmp(argv[i], "--fd") && i + 1 < argc;
        if (!strcmp(argv[i], "--yaml"))
            o->with_yaml = true;
        else if (!strcmp(argv[i], "--questions"))
            o->questions = true;
        else if (!strcmp(argv[i], "--edit"))
            o->edit = true;
        else if (!number || !str_to_int64(str_of(argv[++i]), &o->fd))
            return false;
    }
    return true;
}

static bool answer_probe(struct arena *arena, const struct probe_options *o)
{
    struct str text;
    size_t most = o->edit ? PROBE_REQUEST_MOST : OSI_MAX_BYTES;
    if (!read_input(arena, (int)o->fd, most, &text))
        return false;
    if (o->edit)
        return write_edited(arena, text);
    return o->questions ? write_questions(arena, text)
                        : write_answer(arena, text, o->with_yaml);
}

int cmd_probe_yaml(int argc, char **argv)
{
    struct arena arena;
    struct probe_options options = {.fd = STDIN_FILENO};
    if (!read_probe_arguments(argc, argv, &options))
        return usage_error("probe-yaml", NULL);
    json_object_seed(0); /* opens a file, so call it before the filter */
    drop_privileges();
    arena_init(&arena, 0);
    bool good = answer_probe(&arena, &options);
    arena_done(&arena);
    return good ? EXIT_OK : EXIT_FAILED;
}
