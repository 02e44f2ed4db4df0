/* eval.c - `sextant eval SET`: reads a set, asks its questions, several at a
 * time, and prints a report.
 *
 *   set -> user -> ontology -> sandbox -> lanes, each asking one question after
 *   the other -> report */
#include "eval.h"
#include "../help.h"
#include "../programs.h"
#include "../say.h"
#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_PARALLEL = 32, CASE_MEMORY = 256 * 1024 * 1024 };

struct eval_lane {
    struct eval *eval;
    struct eval_case *current;
    struct child lane, question;
};

static struct next eval_user_known(struct flow *f),
    eval_ontology_known(struct flow *f), eval_sandbox_ready(struct flow *f),
    eval_lane_begin(struct flow *f), question_over(struct flow *f),
    eval_lanes_over(struct flow *f);

static struct next eval_begin(struct flow *f)
{
    struct eval *e = locals(f, struct eval);
    if (e->provider.len && !agent_provider(e->cli.engine.agent, e->provider))
        return fail_because(
            f, ERR_NOT_FOUND,
            "the provider \"%.*s\" does not exist or has no key",
            STR_ARG(e->provider));
    e->user.cli = &e->cli;
    return call(f, cli_user_begin, &e->user, eval_user_known);
}

static struct next eval_user_known(struct flow *f)
{
    struct eval *e = locals(f, struct eval);
    e->ontology.cli = &e->cli;
    return call(f, cli_ontology_begin, &e->ontology, eval_ontology_known);
}

static struct next eval_ontology_known(struct flow *f)
{
    struct eval *e = locals(f, struct eval);
    return call(f, cluster_sandbox_begin, &e->cli, eval_sandbox_ready);
}

/* ---- lanes --------------------------------------------------------------- */

static struct next eval_sandbox_ready(struct flow *f)
{
    struct eval *e = locals(f, struct eval);
    size_t n = (size_t)e->parallel < e->n ? (size_t)e->parallel : e->n;
    e->started = clock_ms();
    e->lanes = arena_new_array(&e->cli.arena, struct eval_lane, n);
    for (size_t i = 0; i < n; i++) {
        e->lanes[i].eval = e;
        child_begin(f, &e->lanes[i].lane, eval_lane_begin, &e->lanes[i], "lane",
                    0);
    }
    return await(f, eval_lanes_over);
}

static struct next eval_lane_begin(struct flow *f)
{
    struct eval_lane *lane = locals(f, struct eval_lane);
    struct eval *e = lane->eval;
    if (e->next == e->n)
        return back(f);
    lane->current = &e->cases[e->next++];
    child_begin(f, &lane->question, eval_case_begin, lane->current, "question",
                CASE_MEMORY);
    op_tolerate(&lane->question.op);
    return await(f, question_over);
}

static void print_case_progress(const struct eval *e, const struct eval_case *c)
{
    if (e->live)
        fprintf(stderr, "\r\033[K");
    if (!c->right || !e->live)
        say(stderr, "%s %.*s%s%.*s\n", c->right ? "ok  " : "FAIL",
            STR_ARG(c->question->id), c->right ? "" : ": ",
            c->right ? 0 : (int)c->why.len, c->why.ptr ? c->why.ptr : "");
    if (e->live)
        fprintf(stderr, "%zu of %zu, %zu right, %zu confident and wrong",
                e->n_over, e->n, e->n_right, e->n_confident);
}

static struct next question_over(struct flow *f)
{
    struct eval_lane *lane = locals(f, struct eval_lane);
    struct eval *e = lane->eval;
    struct eval_case *c = lane->current;
    if (lane->question.op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (!c->over) { /* out of memory */
        c->action = ACT_FAIL;
        c->right = false;
        c->why = str_of(err_sentence(lane->question.op.status));
    }
    e->n_over++;
    e->n_right += c->right;
    e->n_confident += eval_confident(c);
    print_case_progress(e, c);
    return go(f, eval_lane_begin);
}

/* ---- the end ------------------------------------------------------------- */

static bool save_report(const char *path, struct str bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool good = fd >= 0;
    while (good && bytes.len) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        good = n > 0 || (n < 0 && errno == EINTR);
        bytes = n > 0 ? str_from(bytes, (size_t)n) : bytes;
    }
    if (fd >= 0)
        good = close(fd) == 0 && good;
    if (!good)
        fprintf(stderr, "sextant eval: %s: %s\n", path, strerror(errno));
    return good;
}

static bool write_report(struct eval *e)
{
    struct buf out;
    if (!e->report)
        return true;
    buf_init(&out, &e->cli.arena);
    if (str_ends(str_of(e->report), STR(".json")))
        eval_json(&e->cli.arena, e, &out);
    else
        eval_html(&e->cli.arena, e, &out);
    return save_report(e->report, buf_view(&out));
}

static struct next eval_lanes_over(struct flow *f)
{
    struct eval *e = locals(f, struct eval);
    struct eval_totals totals;
    struct buf out;
    e->duration_ms = (int64_t)(clock_ms() - e->started);
    if (e->live)
        fprintf(stderr, "\r\033[K");
    if (e->baseline)
        eval_compare(&e->cli.arena, e, e->baseline, &e->changes);
    buf_init(&out, &e->cli.arena);
    if (e->json)
        eval_json(&e->cli.arena, e, &out);
    else
        eval_table(&e->cli.arena, e, &out);
    fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    eval_count(&e->cli.arena, e, STR(""), &totals);
    if (!write_report(e) || eval_percent(&totals) < e->threshold ||
        e->changes.worse)
        e->cli.status = EXIT_FAILED;
    return back(f);
}

/* ---- the command --------------------------------------------------------- */

static bool read_eval_file(struct eval *e, const char *path, size_t most,
                           struct str *text)
{
    struct buf out;
    ssize_t got = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    buf_init(&out, &e->cli.arena);
    while (fd >= 0 && got > 0 && out.len <= most) {
        buf_reserve(&out, 65536);
        got = read(fd, out.ptr + out.len, 65536);
        out.len += got > 0 ? (size_t)got : 0;
    }
    if (fd < 0 || got < 0)
        fprintf(stderr, "sextant eval: %s: %s\n", path, strerror(errno));
    else if (out.len > most)
        fprintf(stderr, "sextant eval: %s: larger than %zu MB\n", path,
                most / (1024 * 1024));
    if (fd >= 0)
        close(fd);
    *text = buf_view(&out);
    return fd >= 0 && got >= 0 && out.len <= most;
}

static bool read_set(struct eval *e, const char *path)
{
    struct str text, line;
    struct buf problems;
    bool csv = str_ends(str_of(path), STR(".csv"));
    if (!read_eval_file(e, path, EVAL_MOST_BYTES, &text))
        return false;
    buf_init(&problems, &e->cli.arena);
    bool good = (csv ? eval_set_read_csv : eval_set_read_yaml)(
        &e->cli.arena, text, &e->set, &problems);
    for (struct str rest = buf_view(&problems);
         str_split(&rest, '\n', &line) && line.len;)
        fprintf(stderr, "%s:%.*s\n", path, STR_ARG(line));
    return good;
}

static bool read_baseline(struct eval *e, const char *path)
{
    struct str text;
    struct buf problem;
    if (!path)
        return true;
    if (!read_eval_file(e, path, EVAL_MOST_BASELINE_BYTES, &text))
        return false;
    buf_init(&problem, &e->cli.arena);
    e->baseline = arena_new(&e->cli.arena, struct eval_baseline);
    bool good = eval_baseline_read(&e->cli.arena, text, e->set.name,
                                   e->baseline, &problem);
    if (good && !eval_comparable(e, e->baseline)) {
        buf_text(&problem, "it has no question of this run");
        good = false;
    }
    if (!good)
        say(stderr, "sextant eval: %s: %.*s\n", path,
            STR_ARG(buf_view(&problem)));
    return good;
}

static bool read_prices(struct eval *e, const char *prices)
{
    bool good = !prices || price_read(str_of(prices), ',', &e->price);
    if (!good)
        fprintf(stderr, "sextant eval: --prices must be what a million prompt "
                        "and a million completion tokens\ncost, such as "
                        "2.50,10\n");
    return good;
}

/* Selects the cases to ask. */
static bool choose_cases(struct eval *e, struct str only)
{
    e->cases = arena_new_array(&e->cli.arena, struct eval_case, e->set.n + 1);
    for (size_t i = 0; i < e->set.n; i++) {
        const struct eval_question *q = &e->set.questions[i];
        if (only.len && !str_eq(only, q->id) && !str_eq(only, q->category))
            continue;
        e->cases[e->n++] = (struct eval_case){.eval = e, .question = q};
    }
    if (!e->n)
        fprintf(stderr,
                "sextant eval: no question has the id or category "
                "%.*s\n",
                STR_ARG(only));
    return e->n > 0;
}

static bool read_numbers(struct eval *e, const char *parallel,
                         const char *threshold)
{
    char *end = "";
    e->parallel = 4;
    e->threshold = e->gold ? 100 : 0;
    if (parallel && (!str_to_int64(str_of(parallel), &e->parallel) ||
                     e->parallel < 1 || e->parallel > MOST_PARALLEL)) {
        fprintf(stderr,
                "sextant eval: --parallel must be a number from 1 to %d\n",
                MOST_PARALLEL);
        return false;
    }
    if (threshold)
        e->threshold = strtod(threshold, &end);
    if (*end || (threshold && !*threshold) ||
        !(e->threshold >= 0 && e->threshold <= 100)) {
        fprintf(stderr, "sextant eval: --threshold must be a percentage\n");
        return false;
    }
    return true;
}

/* Checked before anything is asked, because a model's answers cost time and
 * money. */
static bool check_report(struct eval *e)
{
    if (!e->report)
        return true;
    const char *name = strrchr(e->report, '/');
    const char *folder =
        !name ? "."
              : arena_cstr(&e->cli.arena,
                           str_cut(str_of(e->report), 0,
                                   (size_t)(name + 1 - e->report)));
    bool good = access(e->report, W_OK) == 0 ||
                (errno == ENOENT && access(folder, W_OK) == 0);
    if (!good)
        say(stderr, "sextant eval: %s: %s\n", e->report, strerror(errno));
    return good;
}

int cmd_eval(int argc, char **argv)
{
    static struct eval e;
    const char *provider = NULL, *ontology = NULL, *only = NULL;
    const char *parallel = NULL, *threshold = NULL;
    const char *baseline = NULL, *prices = NULL;
    const struct option own[] = {{"provider", NULL, &provider},
                                 {"ontology", NULL, &ontology},
                                 {"report", NULL, &e.report},
                                 {"threshold", NULL, &threshold},
                                 {"parallel", NULL, &parallel},
                                 {"baseline", NULL, &baseline},
                                 {"prices", NULL, &prices},
                                 {"only", NULL, &only},
                                 {"gold", &e.gold, NULL},
                                 {"json", &e.json, NULL},
                                 {0}};
    struct arguments args;
    if (!cli_read(&e.cli, "eval", argc, argv, own, &args))
        return EXIT_USAGE;
    if (args.n != 1 || (e.gold && provider))
        return usage_error("eval", NULL);
    if (!read_numbers(&e, parallel, threshold) || !read_prices(&e, prices) ||
        !check_report(&e) || !read_set(&e, args.items[0]) ||
        !choose_cases(&e, str_of(only)) || !read_baseline(&e, baseline))
        return EXIT_USAGE;
    if (e.gold && e.set.golden) {
        fprintf(stderr, "sextant eval: --gold needs a set of gold queries, not "
                        "of golden ones\n");
        return EXIT_USAGE;
    }
    e.ontology.wanted = ontology ? str_of(ontology) : e.set.ontology;
    e.provider = e.gold ? STR("gold") : str_of(provider);
    e.live = isatty(STDERR_FILENO);
    if (e.gold) {
        eval_play_gold(&e);
        e.cli.plays = "gold";
    }
    e.cli.asks = e.cli.measures = true;
    return cli_run(&e.cli, eval_begin, &e);
}
