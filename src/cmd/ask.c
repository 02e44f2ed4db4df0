/* ask.c - `sextant ask "QUESTION"`: asks a question and prints the answer.
 *
 *   user -> ontology -> chat -> asking.c -> show */
#include "ask.h"
#include "artifact/vocabulary.h"
#include "asking.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "cli.h"
#include "help.h"
#include "programs.h"
#include "say.h"
#include "store/chats.h"
#include "store/removal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_QUESTION = 10000 };

struct ask_command {
    struct cli cli;
    struct cli_user user;
    struct cli_ontology ontology;
    struct str question, chat_id, agent;
    bool json, dry_run;
    struct shown shown;
    struct progress progress;

    struct chat_create create;
    struct asking asking;
    struct removal removal;
    uint64_t started;
};

static struct next ask_user_known(struct flow *f),
    ask_ontology_known(struct flow *f), chat_ready(struct flow *f),
    ask_chat_made(struct flow *f), ask_sandbox_ready(struct flow *f),
    answer_known(struct flow *f), chat_removed(struct flow *f);

static struct next ask_begin(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    a->user.cli = &a->cli;
    return call(f, cli_user_begin, &a->user, ask_user_known);
}

/* ---- ontology and chat --------------------------------------------------- */

static struct next ask_user_known(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    if (a->chat_id.len)
        return go(f, chat_ready);
    a->ontology.cli = &a->cli;
    return call(f, cli_ontology_begin, &a->ontology, ask_ontology_known);
}

static struct next ask_ontology_known(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    if (a->ontology.n > 1 && !a->json)
        say(stderr,
            "Asking \"%.*s\", the latest of %d ontologies; "
            "--ontology NAME asks another.\n",
            STR_ARG(a->ontology.name), a->ontology.n);
    a->create = (struct chat_create){.store = a->cli.engine.store,
                                     .user_id = a->user.id,
                                     .ontology_id = a->ontology.id,
                                     .agent = a->agent,
                                     .all_ontologies = true};
    return call(f, chat_create_begin, &a->create, ask_chat_made);
}

static struct next ask_chat_made(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    if (!a->create.ontology_found || !a->create.ontology_ready)
        return fail_because(f, ERR_NOT_FOUND, "the ontology is not ready");
    a->chat_id = a->create.id;
    return go(f, chat_ready);
}

/* ---- the question -------------------------------------------------------- */

static void on_ask_event(void *who, struct str type, const json_t *data)
{
    struct ask_command *a = who;
    progress_event(&a->progress, type, data);
}

static void on_ask_tick(void *who)
{
    struct ask_command *a = who;
    progress_tick(&a->progress);
}

static struct next chat_ready(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    return call(f, cluster_sandbox_begin, &a->cli, ask_sandbox_ready);
}

static struct next ask_sandbox_ready(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    a->started = clock_ms();
    a->asking = (struct asking){.engine = &a->cli.engine,
                                .user_id = a->user.id,
                                .chat_id = a->chat_id,
                                .question = a->question,
                                .on_event = on_ask_event,
                                .on_tick = on_ask_tick,
                                .who = a};
    return call(f, asking_begin, &a->asking, answer_known);
}

/* ---- the answer ---------------------------------------------------------- */

static void print_json(const struct ask_command *a)
{
    struct buf out;
    buf_init(&out, NULL);
    json_print_into(&out, a->asking.last);
    buf_char(&out, '\n');
    fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    buf_done(&out);
}

/* The exit status for scripts: whether data answered the question. A refusal, a
 * clarification and small talk have no steps. */
static int exit_status_of(const json_t *last)
{
    const json_t *steps =
        json_object_get(json_object_get(last, "metadata"), "stepResults");
    if (json_get_text(last, "error").len)
        return EXIT_FAILED;
    for (size_t i = 0; i < json_array_size(steps); i++)
        if (!json_get_text(json_array_get(steps, i), "error").len)
            return EXIT_OK;
    return EXIT_NO_ANSWER;
}

/* Whether the run failed before any step had a result, so that there is only an
 * error to show. */
static bool has_error_alone(const json_t *last)
{
    const json_t *steps =
        json_object_get(json_object_get(last, "metadata"), "stepResults");
    return json_get_text(last, "error").len && !json_array_size(steps);
}

static void print_answer(const struct ask_command *a)
{
    ask_show(&a->shown, a->asking.last);
    fprintf(stderr, "\n%.1f s; chat %.*s\n",
            (double)(clock_ms() - a->started) / 1000, STR_ARG(a->chat_id));
}

/* Without control characters, which values may have. */
static void print_prompts(const struct ask_command *a)
{
    struct buf out;
    buf_init(&out, NULL);
    utf8_put_plain(&out, json_get_text(a->asking.last, "content"));
    fprintf(stdout, "%.*s\n", STR_ARG(buf_view(&out)));
    buf_done(&out);
}

static struct next answer_known(struct flow *f)
{
    struct ask_command *a = locals(f, struct ask_command);
    progress_end(&a->progress);
    if (a->json)
        print_json(a);
    else if (has_error_alone(a->asking.last))
        say(stderr, "sextant ask: %.*s\n",
            STR_ARG(json_get_text(a->asking.last, "error")));
    else if (a->dry_run)
        print_prompts(a);
    else
        print_answer(a);
    a->cli.status = exit_status_of(a->asking.last);
    if (!a->dry_run)
        return back(f);
    if (a->cli.status == EXIT_NO_ANSWER)
        a->cli.status = EXIT_OK;
    a->removal = (struct removal){.store = a->cli.engine.store,
                                  .what = REMOVED_CHAT,
                                  .user_id = a->user.id,
                                  .id = a->chat_id};
    return call(f, removal_begin, &a->removal, chat_removed);
}

/* No one reads the chat of a dry run again. */
static struct next chat_removed(struct flow *f)
{
    return back(f);
}

/* ---- the command --------------------------------------------------------- */

static bool check_ask_arguments(const struct ask_command *a, const char *chat,
                                const char *ontology, const char *agent)
{
    const char *wrong = NULL;
    if (agent && agent_of(str_of(agent)) == AGENT_KINDS) {
        fprintf(stderr, "sextant ask: --agent %s\n", agent_choices());
        return false;
    }
    if (!a->question.len)
        wrong = "the question is empty";
    else if (!utf8_valid(a->question))
        wrong = "the question is not UTF-8";
    else if (utf8_count(a->question) > MOST_QUESTION)
        wrong = "a question may have at most 10000 characters";
    else if (chat && !uuid_valid(str_of(chat)))
        wrong = "--chat takes the id of a chat";
    else if (a->dry_run && (chat || agent))
        wrong = "--dry-run asks in a chat of its own: give no --chat and no "
                "--agent";
    else if (chat && agent)
        wrong =
            "the agent of a chat cannot change: give --chat or --agent, not "
            "both";
    else if (chat && ontology)
        wrong =
            "the ontology of a chat cannot change: give --chat or --ontology, "
            "not both";
    if (wrong)
        fprintf(stderr, "sextant ask: %s\n", wrong);
    return !wrong;
}

/* Checked before the question is asked, because its charts would be lost. */
static bool check_charts(const char *folder)
{
    bool good = !folder || access(folder, W_OK) == 0;
    if (!good)
        say(stderr, "sextant ask: %s: %s\n", folder, strerror(errno));
    return good;
}

int cmd_ask(int argc, char **argv)
{
    static struct ask_command a;
    const char *ontology = NULL, *chat = NULL, *charts = NULL, *agent = NULL;
    const struct option own[] = {{"json", &a.json, NULL},
                                 {"ontology", NULL, &ontology},
                                 {"dry-run", &a.dry_run, NULL},
                                 {"chat", NULL, &chat},
                                 {"charts", NULL, &charts},
                                 {"agent", NULL, &agent},
                                 {0}};
    struct arguments args;
    if (!cli_read(&a.cli, "ask", argc, argv, own, &args))
        return EXIT_USAGE;
    if (args.n != 1)
        return usage_error(
            "ask",
            args.n ? "put the question in quotes, so that it is one argument"
                   : NULL);
    a.question = str_trim(str_of(args.items[0]));
    if (!check_ask_arguments(&a, chat, ontology, agent) ||
        !check_charts(charts))
        return EXIT_USAGE;
    a.ontology.wanted = str_of(ontology);
    a.chat_id = str_of(chat);
    a.agent = a.dry_run ? str_of(agent_word(AGENT_DRY_RUN)) : str_of(agent);
    a.shown = (struct shown){colours_for(STDOUT_FILENO), charts ? charts : "."};
    progress_init(&a.progress, a.json);
    a.cli.asks = true;
    return cli_run(&a.cli, ask_begin, &a);
}
