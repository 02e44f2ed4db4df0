/* ask.c - `sextant ask "QUESTION"`: the same run as a server's, in this process,
 * followed as any stream follows it.
 *
 *   user -> ontology -> chat -> the pair of messages -> claim -> run -> show */
#include "ask.h"
#include "agent/run.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "cli.h"
#include "net/sse_decoder.h"
#include "programs.h"
#include "store/chats.h"
#include "store/messages.h"
#include "store/runs.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    MOST_QUESTION = 10000,
    MOST_EVENT = 64 * 1024 * 1024,
    TICK_MS = 120,
    LOOK_AGAIN_MS = 2000,
};

struct ask {
    struct cli cli;
    struct cli_user user;
    struct str question, ontology, chat_id;
    bool json;
    struct shown shown;
    struct progress progress;

    struct query *query;
    struct str ontology_id, ontology_name;
    struct chat_create create;
    struct message_pair pair;
    struct run_claim claim;
    struct run_frames frames;
    struct journal_reader reader;
    struct sse_decoder decoder;
    struct wait wait;
    json_t *last; /* data of the terminal event */
    uint64_t started, looked;
};

static struct next user_known(struct flow *f), ontologies_known(struct flow *f),
    chat_ready(struct flow *f), chat_made(struct flow *f),
    pair_ready(struct flow *f), claimed(struct flow *f),
    sandbox_warm(struct flow *f), follow(struct flow *f),
    frames_read(struct flow *f), answer_known(struct flow *f);

static struct next ask_begin(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    a->user.cli = &a->cli;
    return call(f, cli_user_begin, &a->user, user_known);
}

/* ---- which ontology, which chat ----------------------------------------- */

static const struct statement ontology_statement = {
    .name = "cmd.ontologies", .again = true,
    .sql = "select id, name from ontologies where status = 'ready'"
           " and deleted_at is null"
           " and ($1 = '' or name = $1 or id::text = $1)"
           " order by updated_at desc, id",
};

static struct next user_known(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    if (a->chat_id.len)
        return go(f, chat_ready);
    a->query = query_new(f, a->cli.engine.pool, &ontology_statement);
    query_str(f, a->query, a->ontology);
    query_begin(f, a->query);
    return await(f, ontologies_known);
}

static struct next ontologies_known(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    const struct query *q = a->query;
    if (!q->n_rows && a->ontology.len)
        return fail_because(f, ERR_NOT_FOUND, "there is no ontology \"%.*s\"",
                            STR_ARG(a->ontology));
    if (!q->n_rows)
        return fail_because(f, ERR_NOT_FOUND,
                            "there is nothing to ask about yet: `sextant demo "
                            "load`, or `sextant connection add` and `sextant "
                            "import`");
    a->ontology_id = arena_str(&a->cli.arena, query_cell(q, 0, 0));
    if (q->n_rows > 1 && !a->json)
        fprintf(stderr, "Asking \"%.*s\", the latest of %d ontologies; "
                        "--ontology NAME asks another.\n",
                STR_ARG(query_cell(q, 0, 1)), q->n_rows);
    a->create = (struct chat_create){
        .store = a->cli.engine.store, .user_id = a->user.id,
        .ontology_id = a->ontology_id, .all_ontologies = true};
    return call(f, chat_create_begin, &a->create, chat_made);
}

static struct next chat_made(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    if (!a->create.ontology_found || !a->create.ontology_ready)
        return fail_because(f, ERR_NOT_FOUND, "the ontology is not ready");
    a->chat_id = a->create.id;
    return go(f, chat_ready);
}

/* ---- the question ------------------------------------------------------- */

static struct next chat_ready(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    a->pair = (struct message_pair){.store = a->cli.engine.store,
                                    .user_id = a->user.id,
                                    .chat_id = a->chat_id,
                                    .content = a->question};
    return call(f, message_pair_begin, &a->pair, pair_ready);
}

static struct next pair_ready(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    if (a->pair.outcome == ASK_BUSY)
        return fail(f, ERR_CHAT_BUSY);
    if (a->pair.outcome != ASKED)
        return fail_because(f, ERR_NOT_FOUND, "there is no chat %.*s",
                            STR_ARG(a->chat_id));
    a->claim = (struct run_claim){.store = a->cli.engine.store,
                                  .user_id = a->user.id,
                                  .chat_id = a->chat_id,
                                  .message_id = a->pair.made_answer};
    return call(f, run_claim_begin, &a->claim, claimed);
}

static struct next claimed(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    if (a->claim.outcome != CLAIMED)
        return fail_because(f, ERR_CONFLICT,
                            "the message was taken by somebody else");
    return call(f, cluster_sandbox_begin, &a->cli, sandbox_warm);
}

/* ---- following ---------------------------------------------------------- */

static bool on_event(void *who, const struct sse_event *event)
{
    struct ask *a = who;
    json_t *data = json_read(event->data, NULL);
    if (str_is(event->type, "message_complete") ||
        str_is(event->type, "message_error"))
        a->last = json_incref(data);
    else
        progress_event(&a->progress, event->type, data);
    json_decref(data);
    return true;
}

static void on_frames(struct journal_reader *r, struct str frames)
{
    struct ask *a = r->who;
    sse_decoder_feed(&a->decoder, frames);
}

static void on_end(struct journal_reader *r, struct str frame)
{
    struct ask *a = r->who;
    sse_decoder_feed(&a->decoder, frame);
    wake_up(&r->wake);
}

static void stop_following(void *who)
{
    struct ask *a = who;
    if (a->reader.journal)
        journal_unfollow(&a->reader);
    sse_decoder_done(&a->decoder);
}

static struct next sandbox_warm(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    const struct message_pair *p = &a->pair;
    a->reader.on_frames = on_frames;
    a->reader.on_end = on_end;
    a->reader.who = a;
    memcpy(a->reader.message_id, p->made_answer.ptr, UUID_SIZE - 1);
    sse_decoder_init(&a->decoder, MOST_EVENT, on_event, a);
    journal_follow(a->cli.engine.store->journal, &a->reader);
    defer(f, stop_following, a);
    a->started = a->looked = clock_ms();
    agent_start_run(a->cli.engine.agent, p->made_answer, a->chat_id, 1,
                    1, NULL, NULL);
    return go(f, follow);
}

static struct next follow(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    if (a->last)
        return go(f, answer_known);
    progress_tick(&a->progress);
    if (agent_runs(a->cli.engine.agent) ||
        clock_ms() - a->looked < LOOK_AGAIN_MS) {
        wait_begin(f, &a->wait, &a->reader.wake, TICK_MS);
        return await(f, follow);
    }
    /* Somebody else has taken it over: the log says how it goes on. */
    a->looked = clock_ms();
    a->frames = (struct run_frames){.store = a->cli.engine.store,
                                    .user_id = a->user.id,
                                    .message_id = a->claim.message_id,
                                    .after = a->reader.at};
    return call(f, run_frames_begin, &a->frames, frames_read);
}

static struct next frames_read(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    const struct run_frames *r = &a->frames;
    struct buf frame;
    if (!r->found)
        return fail_because(f, ERR_NOT_FOUND, "the message is gone");
    a->reader.at = r->last;
    sse_decoder_feed(&a->decoder, r->frames);
    if (r->ended && !r->more) {
        buf_init(&frame, flow_here(f));
        terminal_frame(&frame, a->claim.message_id, r->status, r->content,
                       r->metadata, r->last + 1);
        sse_decoder_feed(&a->decoder, buf_view(&frame));
    }
    return go(f, follow);
}

/* ---- the answer --------------------------------------------------------- */

static void print_json(const struct ask *a)
{
    struct buf out;
    buf_init(&out, NULL);
    json_print_into(&out, a->last);
    buf_char(&out, '\n');
    fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    buf_done(&out);
}

static struct next answer_known(struct flow *f)
{
    struct ask *a = locals(f, struct ask);
    progress_end(&a->progress);
    if (a->json)
        print_json(a);
    else
        ask_show(&a->shown, a->last);
    if (!a->json)
        fprintf(stderr, "\n%.1f s; chat %.*s\n",
                (double)(clock_ms() - a->started) / 1000, STR_ARG(a->chat_id));
    if (json_get_text(a->last, "error").len)
        a->cli.status = EXIT_FAILED;
    json_decref(a->last);
    return back(f);
}

/* ---- the command -------------------------------------------------------- */

static bool check_question(const struct ask *a, const char *chat)
{
    const char *wrong = NULL;
    if (!a->question.len)
        wrong = "the question is empty";
    else if (!utf8_valid(a->question))
        wrong = "the question is not UTF-8";
    else if (utf8_count(a->question) > MOST_QUESTION)
        wrong = "a question has at most 10000 characters";
    else if (chat && !uuid_valid(str_of(chat)))
        wrong = "--chat takes the id of a chat";
    if (wrong)
        fprintf(stderr, "sextant ask: %s\n", wrong);
    return !wrong;
}

int cmd_ask(int argc, char **argv)
{
    static struct ask a;
    const char *ontology = NULL, *chat = NULL, *charts = ".";
    const struct option own[] = {
        {"json", &a.json, NULL}, {"ontology", NULL, &ontology},
        {"chat", NULL, &chat}, {"charts", NULL, &charts}, {0}};
    struct words words;
    cli_init(&a.cli, "ask");
    if (!options_read(&a.cli.arena, argc, argv, own, &words, &a.cli.config))
        return EXIT_WRONG_USE;
    if (words.n != 1) {
        fprintf(stderr, "usage: sextant ask \"QUESTION\" [--ontology NAME] "
                        "[--chat ID] [--charts FOLDER] [--json]\n");
        return EXIT_WRONG_USE;
    }
    a.question = str_trim(str_of(words.items[0]));
    if (!check_question(&a, chat))
        return EXIT_WRONG_USE;
    a.ontology = str_of(ontology);
    a.chat_id = str_of(chat);
    a.shown = (struct shown){colours_for(STDOUT_FILENO), charts};
    progress_init(&a.progress, a.json);
    a.cli.asks = true;
    a.cli.begin = ask_begin;
    a.cli.locals = &a;
    return cli_run(&a.cli);
}
