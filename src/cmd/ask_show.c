/* ask_show.c - prints the last event of a run: SQL, rows, checks, answer,
 * caveats, lineage, charts. */
#include "ask.h"
#include "ask_table.h"
#include "base/crypto.h"
#include "say.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_CHARTS = 9999 }; /* per folder */

struct answer_page {
    const struct shown *how;
    struct arena arena;
    struct buf out;
};

/* Our own colour codes bypass the page, which is printed as plain text. */
static void print_page(struct answer_page *p, const char *colour)
{
    say_text(stdout, buf_view(&p->out));
    buf_clear(&p->out);
    if (p->how->colours)
        fputs(colour, stdout);
}

static void put_title(struct answer_page *p, const char *text)
{
    buf_char(&p->out, '\n');
    print_page(p, "\033[1m");
    buf_text(&p->out, text);
    print_page(p, "\033[0m");
    buf_char(&p->out, '\n');
}

/* ---- steps --------------------------------------------------------------- */

static void put_indented(struct answer_page *p, struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        buf_printf(&p->out, "  %.*s\n", STR_ARG(line));
}

static void show_rows(struct answer_page *p, const json_t *result)
{
    json_t *rows = json_read(json_get_text(result, "data"), NULL);
    buf_char(&p->out, '\n');
    ask_table(&p->out, json_object_get(result, "columns"), rows,
              json_get_int(result, "rowCount", 0));
    if (json_get_bool(result, "truncated", false))
        buf_text(&p->out, "The result was cut; there are more rows.\n");
    if (json_get_bool(result, "valuesCut", false))
        buf_text(&p->out, "Some values were too long and were cut.\n");
    json_decref(rows);
}

/* The SQL that ran; older runs only have the plan's. */
static struct str step_sql(const json_t *metadata, const json_t *step)
{
    struct str sql = json_get_text(json_object_get(step, "sqlResult"), "sql");
    const json_t *specs = json_object_get(metadata, "querySpecs");
    for (size_t i = 0; !sql.len && i < json_array_size(specs); i++) {
        const json_t *spec = json_array_get(specs, i);
        if (json_get_int(spec, "stepId", -1) ==
            json_get_int(step, "stepId", -2))
            sql = json_get_text(spec, "fullSql");
    }
    return sql;
}

static void show_step(struct answer_page *p, const json_t *metadata,
                      const json_t *step)
{
    struct str sql = step_sql(metadata, step);
    const json_t *result = json_object_get(step, "sqlResult");
    struct str error = json_get_text(step, "error");
    put_title(p, arena_printf(&p->arena, "Step %lld: %.*s",
                              (long long)json_get_int(step, "stepId", 0),
                              STR_ARG(json_get_text(step, "description")))
                     .ptr);
    if (sql.len)
        put_indented(p, sql);
    if (json_is_object(result))
        show_rows(p, result);
    if (error.len)
        buf_printf(&p->out, "failed: %.*s\n", STR_ARG(error));
}

static void show_steps(struct answer_page *p, const json_t *metadata)
{
    const json_t *steps = json_object_get(metadata, "stepResults");
    for (size_t i = 0; i < json_array_size(steps); i++)
        show_step(p, metadata, json_array_get(steps, i));
}

/* ---- checks, lineage ----------------------------------------------------- */

static void show_checks(struct answer_page *p, const json_t *report)
{
    const json_t *checks = json_object_get(report, "checks");
    struct str status = json_get_text(report, "status");
    if (!json_is_object(report))
        return;
    put_title(p, str_is(status, "passed")   ? "Checks: passed"
                 : str_is(status, "failed") ? "Checks: failed"
                                            : "Checks: not verified");
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *c = json_array_get(checks, i);
        struct str message = json_get_text(c, "message");
        bool warns = str_is(json_get_text(c, "severity"), "warn");
        buf_printf(&p->out, "  %s %.*s%s%.*s\n",
                   json_get_bool(c, "passed", false) ? "ok  "
                   : warns                           ? "warn"
                                                     : "FAIL",
                   STR_ARG(json_get_text(c, "name")), message.len ? ": " : "",
                   STR_ARG(message));
    }
}

static void show_texts(struct answer_page *p, const char *label,
                       const json_t *texts)
{
    for (size_t i = 0; i < json_array_size(texts); i++)
        buf_printf(&p->out, "%s%.*s", i ? ", " : label,
                   STR_ARG(json_text(json_array_get(texts, i))));
    if (json_array_size(texts))
        buf_char(&p->out, '\n');
}

static void show_text(struct answer_page *p, const char *label, struct str text)
{
    if (text.len)
        buf_printf(&p->out, "%s%.*s\n", label, STR_ARG(text));
}

static void show_lineage(struct answer_page *p, const json_t *l)
{
    const json_t *joins = json_object_get(l, "joins");
    if (!json_is_object(l))
        return;
    put_title(p, "Lineage");
    show_texts(p, "  datasets: ", json_object_get(l, "datasets"));
    for (size_t i = 0; i < json_array_size(joins); i++)
        show_text(p, "  join: ", json_get_text(json_array_get(joins, i), "on"));
    show_text(p, "  time window: ", json_get_text(l, "timeWindow"));
    show_texts(p, "  filters: ", json_object_get(l, "filters"));
    show_text(p, "  grain: ", json_get_text(l, "grain"));
    if (json_is_integer(json_object_get(l, "rowCount")))
        buf_printf(&p->out, "  rows read: %lld\n",
                   (long long)json_get_int(l, "rowCount", 0));
}

/* ---- answer, charts ------------------------------------------------------ */

static void show_caveats(struct answer_page *p, const json_t *caveats)
{
    if (!json_array_size(caveats))
        return;
    put_title(p, "Caveats");
    for (size_t i = 0; i < json_array_size(caveats); i++)
        buf_printf(&p->out, "- %.*s\n",
                   STR_ARG(json_text(json_array_get(caveats, i))));
}

/* Creates a file with the next free number, so that earlier charts stay. */
static int create_chart(struct answer_page *p, unsigned *number,
                        const char **path)
{
    int fd;
    do {
        *path = arena_printf(&p->arena, "%s/sextant-chart-%u.png",
                             p->how->charts, ++*number)
                    .ptr;
        fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    } while (fd < 0 && errno == EEXIST && *number < MOST_CHARTS);
    return fd;
}

static bool write_chart(int fd, struct str bytes)
{
    bool good =
        fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    return good;
}

static void save_charts(struct answer_page *p, const json_t *charts)
{
    unsigned number = 0;
    for (size_t i = 0; i < json_array_size(charts); i++) {
        struct str bytes;
        const char *path;
        if (!base64_decode(&p->arena, json_text(json_array_get(charts, i)),
                           &bytes))
            buf_printf(&p->out, "Chart %zu cannot be read.\n", i + 1);
        else if (write_chart(create_chart(p, &number, &path), bytes))
            buf_printf(&p->out, "%sChart: %s\n", i ? "" : "\n", path);
        else
            buf_printf(&p->out, "%s: %s\n", path, strerror(errno));
    }
}

void ask_show(const struct shown *how, const json_t *data)
{
    struct answer_page p = {.how = how};
    const json_t *metadata = json_object_get(data, "metadata");
    const json_t *output = json_object_get(metadata, "explainerOutput");
    struct str error = json_get_text(data, "error");
    arena_init(&p.arena, 0);
    buf_init(&p.out, &p.arena);
    show_steps(&p, metadata);
    show_checks(&p, json_object_get(metadata, "verificationReport"));
    put_title(&p, error.len ? "Failed" : "Answer");
    struct str text = error.len ? error : json_get_text(data, "content");
    buf_printf(&p.out, "%.*s\n", STR_ARG(text));
    show_caveats(&p, json_object_get(output, "caveats"));
    show_lineage(&p, json_object_get(metadata, "dataLineage"));
    save_charts(&p, json_object_get(output, "charts"));
    print_page(&p, "");
    fflush(stdout);
    arena_done(&p.arena);
}
