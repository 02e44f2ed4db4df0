/* model_probe.c - a YAML parser in its own process; see agent/model_probe.h.
 *
 *   model_probe_begin -> (process) -> probe_over -> (thread) -> answer_taken */
#include "agent/model_probe.h"
#include "base/log.h"
#include "ontology/model_json.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/banned.h"

enum { ANSWER_MOST = 32 * 1024 * 1024 };

static unsigned running;

static struct next probe_over(struct flow *f), answer_taken(struct flow *f);

/* ---- the other process -------------------------------------------------- */

static void probe_done(void *what)
{
    struct model_probe *p = what;
    running--;
    if (p->in >= 0)
        close(p->in);
    if (p->out >= 0)
        close(p->out);
    json_decref(p->answer);
}

static bool put_text(const struct model_probe *p)
{
    size_t at = 0;
    while (at < p->text.len) {
        ssize_t n = write(p->in, p->text.ptr + at, p->text.len - at);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return lseek(p->in, 0, SEEK_SET) == 0;
}

/* Input and output are memory files, so neither process waits for the other. */
struct next model_probe_begin(struct flow *f)
{
    struct model_probe *p = locals(f, struct model_probe);
    p->busy = running >= PROBES_MOST;
    if (p->busy)
        return back(f);
    running++;
    p->in = memfd_create("model", MFD_CLOEXEC);
    p->out = memfd_create("answer", MFD_CLOEXEC);
    defer_kept(f, probe_done, p);
    if (p->in < 0 || p->out < 0 || !put_text(p))
        return fail_because(f, ERR_UNAVAILABLE, "no memory for the probe");
    const char *const words[] = {p->program,
                                 "probe-yaml",
                                 "--fd",
                                 "3",
                                 p->edit        ? "--edit"
                                 : p->questions ? "--questions"
                                 : p->as_yaml   ? "--yaml"
                                                : NULL,
                                 NULL};
    process_begin(f, &p->process,
                  &(struct process_options){.argv = words,
                                            .stop_signal = SIGKILL,
                                            .stdout_fd = p->out,
                                            .stderr_fd = STDERR_FILENO,
                                            .inherit_fds = &p->in,
                                            .n_inherit_fds = 1});
    op_deadline(&p->process.op, PROBE_MS);
    op_tolerate(&p->process.op);
    return await(f, probe_over);
}

/* ---- its answer --------------------------------------------------------- */

/* Runs on another thread. */
static void take_answer(void *what)
{
    struct model_probe *p = what;
    off_t size = lseek(p->out, 0, SEEK_END);
    p->problem = STR("its answer is missing");
    if (size <= 0 || size > ANSWER_MOST)
        return;
    void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, p->out, 0);
    if (bytes == MAP_FAILED)
        return;
    p->answer = json_loadb(bytes, (size_t)size, 0, NULL);
    munmap(bytes, (size_t)size);
    const json_t *model = json_object_get(p->answer, "model");
    if (!json_is_array(json_object_get(p->answer, "findings")))
        p->problem = STR("its answer is not JSON");
    else
        p->problem = STR("");
    if (!p->problem.len && model)
        p->model = ontology_from_json(p->memory, model, &p->problem);
    p->yaml = json_get_text(p->answer, "yaml");
}

static struct next probe_over(struct flow *f)
{
    struct model_probe *p = locals(f, struct model_probe);
    if (p->process.op.status == ERR_INTERNAL)
        return fail_because(f, ERR_UNAVAILABLE, "the probe cannot be started");
    p->problem = p->process.op.status != OK ? STR("it takes too long to read")
                                            : STR("its reader gave up on it");
    if (p->process.op.status != OK || p->process.exit_signal ||
        p->process.exit_status)
        return go(f, answer_taken);
    work_begin(f, &p->work, take_answer, p);
    return await(f, answer_taken);
}

/* When the parser failed, the finding is about the whole text. */
static struct next answer_taken(struct flow *f)
{
    struct model_probe *p = locals(f, struct model_probe);
    if (!p->problem.len)
        return back(f);
    log_line(LOG_WARN, "a model could not be read",
             "%.*s (status %d, signal %d)", STR_ARG(p->problem),
             (int)p->process.exit_status, p->process.exit_signal);
    json_decref(p->answer);
    p->model = NULL;
    p->answer = json_pack("{s:i, s:i, s:[{s:s, s:i, s:i, s:s, s:s%}]}",
                          "errors", 1, "warnings", 0, "findings", "severity",
                          "error", "line", 0, "column", 0, "path", "",
                          "message", p->problem.ptr, p->problem.len);
    return p->answer ? back(f) : fail(f, ERR_NO_MEMORY);
}

void model_probe_findings(struct json_writer *w, const struct model_probe *p,
                          const char *severity, const char *field)
{
    size_t i;
    const json_t *x;
    json_put_array(w);
    json_array_foreach(json_object_get(p->answer, "findings"), i, x)
    {
        if (!str_is(json_get_text(x, "severity"), severity))
            continue;
        json_put_object(w);
        if (field)
            json_field_text(w, "field", field);
        json_field_str(w, "message", json_get_text(x, "message"));
        json_field_int(w, "line", json_get_int(x, "line", 0));
        json_field_int(w, "column", json_get_int(x, "column", 0));
        json_field_str(w, "path", json_get_text(x, "path"));
        json_put_object_end(w);
    }
    json_put_array_end(w);
}
