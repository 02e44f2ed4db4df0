/* scene.c - runs one story over the fakes and checks what must hold; see
 * scene.h. */
#include "scene.h"
#include "../../src/llm/breaker.h"
#include "../../src/llm/quirks.h"
#include "agent/agent.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "engine/duckdb.h"
#include "ontology/model_json.h"
#include "ontology/osi.h"
#include "store/graph_search.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"
#define CHAT "22222222-2222-4222-8222-222222222222"
#define ONTOLOGY "33333333-3333-4333-8333-333333333333"
#define CONNECTION "44444444-4444-4444-8444-444444444444"

enum {
    EVENTS_BEFORE = 7, /* of a run that is taken over */
    AWAY_MS = 20000,   /* another process has the run for this time */
    LATER_MS = 3000,
    MOST_MS = 7200000, /* virtual; then the story hangs */
    FLOATS = 4,
    ATTEMPTS = 3,
};

struct ontology_cache { /* as in the store */
    struct cached_ontology *first;
};

struct watcher { /* a stream without a socket */
    struct journal_reader reader;
    struct buf heard, end;
    int ends;
    bool early; /* it got events that were not committed */
};

static struct scene {
    const struct story *story;
    enum trouble trouble;
    unsigned at;
    struct pool *system;
    struct store *store;
    struct agent *agent;
    struct fake_run *row;
    struct watcher watcher;
    struct ticket *other; /* of a run that is before ours */
    char hit[64];         /* the operation in trouble */
    bool sound;
    bool must_cancel; /* it was asked to, in time */
    struct timer later;
} scene;

static struct buf shop_json;
static struct arena memory;
static struct llm_model chat_model, embedding_model;

/* ---- failed checks ------------------------------------------------------ */

static bool check(bool holds, const char *what)
{
    if (holds)
        return true;
    if (scene.sound)
        printf("# %s: %s, at %u (%s)\n", scene.story->name,
               trouble_word(scene.trouble), scene.at, scene.hit);
    printf("#   %s\n", what);
    scene.sound = false;
    return false;
}

static void show_flow(struct flow *f, void *who)
{
    struct arena arena;
    (void)who;
    arena_init(&arena, 0);
    printf("#   %.*s\n", STR_ARG(flow_describe(f, &arena)));
    arena_done(&arena);
}

/* ---- the rows of the system database ------------------------------------ */

enum { LOADED = 27 };
static const char *load_cells[LOADED], *hold_cells[6];
static char vectors[256];
static const char *const history_asked[] = {
    "assistant", "Which year?", "clarification_needed",
    NULL,        "user",        "Revenue?",
    "complete",  NULL};
static const char *const history_plain[] = {
    "assistant", "Hello.", "complete", "Plan: a greeting",
    "user",      "Hi",     "complete", NULL};
static const char *source_cells[] = {
    "db.test",    "5432", "shop", "reader", "",        "disable",    "f",
    "2026-11-21", NULL,   NULL,   NULL,     NULL,      "postgresql", NULL,
    NULL,         "user", "shop", NULL,     "private", NULL,         NULL};
static const struct duckdb_options files_options = {
    .url = {"http://sandbox.test", 19}};

static struct source *open_files(const void *who, struct str tables,
                                 struct str time_zone)
{
    return duckdb_open(who, tables, time_zone);
}

static const struct file_sources scene_files = {
    .open = open_files, .close = duckdb_close, .who = &files_options};
static const char *preferred_cells[] = {"auto_capture_mode", NULL, "grain",
                                        "monthly"};
static const char *const saved_cells[] = {"window", "2024"};
static const char *const setting_cells[] = {
    "{}", "{\"dataAgent\":{\"openai\":{\"model\":\"gpt-4.1\"}}}", "2", "", ""};
static const char *trusted_cells[] = {"33333333-3333-4333-8333-333333333333",
                                      "What is the revenue by city?",
                                      NULL,
                                      "",
                                      "ann@example.org",
                                      "2026-11-21T00:00:00.000Z",
                                      "1"};
static const char *const similar_cells[] = {
    "What is the revenue by customer?",
    ("select o.customer_id, sum(o.total) as revenue from public.orders o "
     "group by o.customer_id"),
    "What is the revenue by planet?",
    "select p.planet, 1 as revenue from public.planets p",
    "Who is it?",
    "select 1 as one"};
static const char *const near_cells[] = {"1", "0.75", "0", "0.5"};
static struct fake_rows rows[] = {
    {.statement = "settings.system",
     .n_columns = 5,
     .n_rows = 1,
     .cells = setting_cells},
    {.statement = "runs.load",
     .n_columns = LOADED,
     .n_rows = 1,
     .cells = load_cells},
    {.statement = "runs.history", .n_columns = 4, .n_rows = 2},
    {.statement = "ontologies.hold",
     .n_columns = 6,
     .n_rows = 1,
     .cells = hold_cells},
    {.statement = "connections.source",
     .n_columns = 21,
     .n_rows = 1,
     .cells = source_cells},
    {.statement = "preferences.effective",
     .n_columns = 2,
     .n_rows = 2,
     .cells = preferred_cells},
    {.statement = "preferences.capture",
     .n_columns = 2,
     .n_rows = 1,
     .cells = saved_cells},
    {.statement = "ontologies.search",
     .n_columns = 2,
     .n_rows = 2,
     .cells = near_cells},
    {.statement = "trusted.match", .n_columns = 7, .cells = trusted_cells},
    {.statement = "trusted.pool", .n_columns = 2, .cells = similar_cells},
    {0}};
enum { TRUSTED_ROWS = 8, SIMILAR_ROWS }; /* their places */

static void fill_rows(const struct story *s)
{
    const char *load[LOADED] = {
        CHAT,
        "user",
        ONTOLOGY,
        CONNECTION,
        "1",
        s->ontology_status ? s->ontology_status : "ready",
        s->provider ? s->provider : "openai",
        s->question ? s->question : "What is the revenue by city?",
        "f",
        "1",
        "0",
        "planner",
        "3",
        "0",
        "f",
        "2026-11-21",
        s->clarified ? "t" : "f",
        s->clarified ? "[{\"key\":\"window\",\"question\":\"Which year?\","
                       "\"assumption\":\"2025\"}]"
                     : NULL,
        s->share ? s->share : "all",
        NULL,
        s->agent ? s->agent : "pipeline",
        NULL,
        NULL,
        NULL,
        ONTOLOGY};
    preferred_cells[1] = s->capture ? s->capture : "auto";
    memcpy(load_cells, load, sizeof load);
    rows[2].cells = s->clarified ? history_asked : history_plain;
    hold_cells[0] = s->model ? s->model : buf_cstr(&shop_json);
    hold_cells[1] = s->embeds ? "text-embedding-3-small" : "lexical:1";
    hold_cells[2] = s->embeds ? "4" : "0";
    hold_cells[3] = s->embeds && !s->by_pgvector ? vectors : NULL;
    hold_cells[4] = "1";
    hold_cells[5] = s->by_pgvector ? "t" : "f";
    source_cells[19] = s->files ? ONTOLOGY : NULL;
    source_cells[20] = s->files ? "[{\"name\":\"orders\"}]" : NULL;
    trusted_cells[2] = s->trusted;
    rows[TRUSTED_ROWS].n_rows = s->trusted ? 1 : 0;
    rows[SIMILAR_ROWS].n_rows = s->similar ? 3 : 0;
    fake_db.rows = rows;
    fake_db.on_read = s->on_read;
}

static size_t phase_number(const char *word)
{
    return (size_t)phase_of(str_of(word));
}

/* A round of the ReAct agent, or an earlier phase of the pipeline or of the
 * scientist. */
static bool was_left(const struct artifact_record *a, const struct story *s)
{
    bool by_loop = !strcmp(a->phase, "react");
    bool by_code = phase_number(a->phase) >= PHASE_SCIENTIST_PLAN;
    bool codes = s->agent && !strcmp(s->agent, "scientist");
    if (by_code || codes)
        return by_code && codes &&
               phase_number(a->phase) < phase_number(s->phase);
    if (!s->trusted && !strcmp(a->kind, "trusted"))
        return false;
    return s->agent
               ? by_loop || !strcmp(a->kind, "trusted")
               : !by_loop && phase_number(a->phase) < phase_number(s->phase);
}

/* The row of the run, and what earlier phases left. */
static void make_row(const struct story *s)
{
    struct fake_run *r = scene.row = fake_db_run(ID, 1);
    if (!s->phase)
        return;
    r->ours = false;
    r->lease_until = 0;
    r->started_ms = clock_ms() - s->age_ms;
    r->attempt = s->attempt - 1;
    r->last = EVENTS_BEFORE;
    r->last_call = 2;
    snprintf(r->phase, sizeof r->phase, "%s", s->phase);
    for (const struct artifact_record *a = record; a->kind; a++)
        if (was_left(a, s))
            fake_db_put_artifact(r, a->kind,
                                 s->damaged && !strcmp(s->damaged, a->kind)
                                     ? STR("{\"complexity\":")
                                     : str_of(a->body));
}

/* ---- a reader ----------------------------------------------------------- */

static bool on_frames(struct journal_reader *r, struct str frames)
{
    struct watcher *w = r->who;
    w->early = w->early || r->at > scene.row->last;
    check(!w->ends, "frames came behind the terminal event");
    buf_str(&w->heard, frames);
    if (str_find(frames, STR("\"reason\":\"queued\"")) >= 0)
        ticket_leave(&scene.other);
    if (scene.story->watched)
        fake_notify(STR("tell " ID));
    return true;
}

static bool on_end(struct journal_reader *r, struct str frame)
{
    struct watcher *w = r->who;
    w->ends++;
    check(scene.row->ended, "the end was told before the row was closed");
    buf_str(&w->end, frame);
    return true;
}

static void follow(void)
{
    struct watcher *w = &scene.watcher;
    w->reader = (struct journal_reader){.message_id = ID,
                                        .at = scene.row->last,
                                        .on_frames = on_frames,
                                        .on_end = on_end,
                                        .who = w};
    journal_follow(scene.store->journal, &w->reader);
}

/* ---- opening ------------------------------------------------------------ */

static void count_labels(struct flow *f, void *who)
{
    *(int *)who += str_starts(flow_get_label(f), STR("run "));
}

/* Before its turn, and after its work, a run has only its outer flow. */
static int run_flows(void)
{
    int flows = 0;
    flow_each(count_labels, &flows);
    return flows;
}

static void cancel_run(void)
{
    int flows = run_flows();
    bool waits = scene.agent && agent_waiting(scene.agent);
    if (scene.agent && agent_cancel_run(scene.agent, STR(ID)) &&
        (flows != 1 || waits))
        scene.must_cancel = true;
}

static void take_run(void)
{
    fake_db_take(scene.row, AWAY_MS);
}

static void on_cancel_there(struct timer *t)
{
    (void)t;
    if (scene.agent)
        agent_cancel_anywhere(scene.agent, STR(ID), !scene.row->ended);
}

/* The user cancels it here, some time after another process took it. */
static void ask_cancel(void)
{
    scene.row->cancel_requested = true;
    if (scene.trouble == TROUBLE_TAKEN_CANCELLED)
        timer_start(&scene.later, LATER_MS, on_cancel_there);
}

static void tell_cancel(void)
{
    int flows = run_flows();
    scene.row->cancel_requested = true;
    scene.must_cancel = fake_listening() && flows > 1;
    fake_notify(STR("cancel " ID));
}

static void release_runs(void)
{
    if (scene.agent)
        agent_release(scene.agent);
}

void scenes_open(const char *model_path)
{
    static char text[64 * 1024];
    static float numbers[4 * FLOATS];
    struct ontology *shop;
    struct osi_report report;
    FILE *file = fopen(model_path, "re");
    size_t len = file ? fread(text, 1, sizeof text, file) : 0;
    arena_init(&memory, 0);
    if (file)
        fclose(file);
    if (!osi_read(&memory, (struct str){text, len}, &shop, &report)) {
        printf("Bail out! %s cannot be read\n", model_path);
        exit(1);
    }
    ontology_to_json(shop, &shop_json);
    for (int i = 0; i < 4 * FLOATS; i++)
        numbers[i] = (float)(i % 3);
    struct str bytes = {(const char *)numbers, sizeof numbers};
    snprintf(vectors, sizeof vectors, "%.*s",
             STR_ARG(base64_encode(&memory, bytes)));
    if (!llm_model_init(&chat_model, STR("openai"), STR("gpt-4o")) ||
        !llm_model_init(&embedding_model, STR("openai"),
                        STR("text-embedding-3-small")))
        abort();
    chat_model.base_url = embedding_model.base_url =
        STR("http://model.test/v1");
    world.cancel = cancel_run;
    world.taken = take_run;
    world.release = release_runs;
    world.ask_cancel = ask_cancel;
    world.tell_cancel = tell_cancel;
}

void scenes_close(void)
{
    breakers_reset();
    quirks_reset();
    buf_done(&shop_json);
    arena_done(&memory);
}

static struct agent_settings settings_of(const struct story *s)
{
    return (struct agent_settings){
        .sql_timeout_ms = 30000,
        .python_timeout_ms = 30000,
        .sql_max_rows = 1000,
        .sql_max_bytes = 16 << 20,
        .vector_top_k = 10,
        .history_limit = 10,
        .llm_call_timeout_ms = 300000,
        .run_deadline_ms = 600000,
        .run_max_attempts = ATTEMPTS,
        .run_max_calls = s->max_calls ? s->max_calls : 60,
        .traces_days = 1,
        .run_max_tokens = 1000000,
        .claim_timeout_ms = 60000,
        .max_runs = s->queued,
        .queue_max = 1,
        .prompt_budget = 24000,
        .sandbox = {.url = STR("http://sandbox.test")},
        .embedding = s->embeds ? &embedding_model : NULL};
}

static void open_scene(const struct story *s, enum trouble trouble, unsigned k)
{
    static const uint8_t key[SEAL_KEY_SIZE] = {7};
    scene =
        (struct scene){.story = s, .trouble = trouble, .at = k, .sound = true};
    breakers_reset();
    quirks_reset();
    loop_open();
    fake_db_open();
    fake_http_open(s->script);
    fake_http.secret = s->share ? FAKE_VALUE : NULL;
    fill_rows(s);
    make_row(s);
    world_begin(trouble, k);
    scene.system = pool_open(&(struct pool_options){.name = "system"});
    scene.store = store_open(&(struct store_options){
        .system = scene.system,
        .key = key,
        .lease_ms = 30000,
        .source_most = 4,
        .neo4j = &(struct neo4j_options){.url = s->neo4j ? "http://graph.test"
                                                         : NULL,
                                         .user = "neo4j",
                                         .password = "graph",
                                         .database = "neo4j"}});
    scene.store->files = &scene_files;
    struct agent_settings settings = settings_of(s);
    if (!prices_read(STR("gpt-4o=2/8,text-embedding-3-small=1/0"),
                     &settings.prices))
        abort();
    struct agent_models models = {.n = 1};
    models.items[0] = (struct agent_provider){
        .model = chat_model, .id = "openai", .name = "OpenAI", .enabled = true};
    follow();
    store_listen(scene.store, "host=nowhere");
    scene.agent = agent_open(scene.store, &settings, &models);
    if (s->queued)
        scene.other = agent_ticket(scene.agent, STR("another user"));
    if (!s->phase)
        agent_start_run(scene.agent, STR(ID), STR(CHAT),
                        agent_ticket(scene.agent, STR("user")), NULL);
}

/* ---- telling ------------------------------------------------------------ */

static bool is_over(void)
{
    if (agent_runs(scene.agent))
        return false;
    return scene.row->ended ||
           (scene.trouble == TROUBLE_RELEASE && world.struck);
}

static void run_to_the_end(void)
{
    uint64_t begun = clock_ms();
    bool moves = true;
    while (!is_over() && moves) {
        while (flow_any_ready())
            loop_turn(false);
        if (is_over())
            break;
        moves = fake_time_step() && clock_ms() - begun < MOST_MS;
    }
    if (!check(moves, "the run never ends"))
        flow_each(show_flow, NULL);
}

/* ---- the oracle --------------------------------------------------------- */

/* Frames with the numbers first..last, each once, and no terminal event. */
static void check_frames(struct str frames, int64_t first, int64_t last)
{
    int64_t next = first;
    struct str rest = frames;
    for (ptrdiff_t at; (at = str_find(rest, STR("\nid: "))) >= 0; next++) {
        struct str number = str_from(rest, (size_t)at + 5);
        ptrdiff_t end = str_find_char(number, '\n');
        int64_t id = 0;
        bool sound =
            end > 0 && str_to_int64(str_cut(number, 0, (size_t)end), &id);
        if (!check(sound && id == next, "events are not contiguous"))
            return;
        rest = str_from(number, (size_t)end + 2);
    }
    check(next == last + 1, "the number of events is not the last one's");
    check(str_find(frames, STR("event: message_complete")) < 0 &&
              str_find(frames, STR("event: message_error")) < 0,
          "a terminal event is in the log");
    if (frames.len && first == 1)
        check(str_starts(frames, STR("event: message_start\n")),
              "the first event is not message_start");
    check(str_find(str_from(frames, 21), STR("event: message_start\n")) < 0,
          "message_start came twice");
}

static void check_terminal(const struct watcher *w)
{
    const struct fake_run *r = scene.row;
    struct str end = buf_view(&w->end);
    bool failed = !strcmp(r->status, "failed");
    char id[40];
    snprintf(id, sizeof id, "\nid: %lld\n\n", (long long)r->last + 1);
    check(w->ends <= 1, "more than one terminal event");
    if (!w->ends)
        return; /* it reads the row */
    check(str_starts(end, failed ? STR("event: message_error\n")
                                 : STR("event: message_complete\n")),
          "the terminal event does not agree with the row");
    check(str_ends(end, str_of(id)), "the terminal event has another number");
    check(str_eq(buf_view(&w->heard), buf_view(&r->events)),
          "the end was told to a reader that has a gap");
}

static const json_t *error_of(const json_t *metadata)
{
    return json_object_get(metadata, "error");
}

static void check_metadata(const struct fake_run *r)
{
    json_t *v = json_read(buf_view(&r->metadata), NULL);
    struct str code = json_get_text(error_of(v), "code");
    bool failed = !strcmp(r->status, "failed");
    check(v != NULL, "the metadata is not JSON");
    check(failed == (code.len > 0), "error and status do not agree");
    if (!failed)
        check(r->content.len > 0, "an answer without a word");
    json_decref(v);
}

static bool one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list))
        list++;
    return *list != NULL;
}

/* Trouble with one operation fails a run only while it is being loaded. */
static bool may_fail(const struct fake_run *r)
{
    static const char *const loading[] = {"runs.load",
                                          "runs.history",
                                          "preferences.effective",
                                          "runs.artifacts",
                                          "settings.system",
                                          "ontologies.hold",
                                          "connections.source",
                                          NULL};
    switch (scene.trouble) {
    case TROUBLE_NONE:
        return false;
    case TROUBLE_FAILS:
    case TROUBLE_LOSES_ANSWER:
    case TROUBLE_NEVER:
        return one_of(world.hit, loading);
    case TROUBLE_TAKEN:
        return r->attempt > ATTEMPTS;
    default:
        return true;
    }
}

/* When no other process took it. */
static int first_attempt(const struct story *s)
{
    return s->phase ? s->attempt : 1;
}

/* No takeover is needed. */
static void check_attempt(const struct fake_run *r)
{
    static const bool may[TROUBLE_COUNT] = {[TROUBLE_OUTAGE] = true,
                                            [TROUBLE_LONG_OUTAGE] = true,
                                            [TROUBLE_TAKEN] = true,
                                            [TROUBLE_TAKEN_CANCELLED] = true};
    bool unknown = scene.trouble == TROUBLE_LOSES_ANSWER &&
                   !strcmp(world.hit, "runs.take_over");
    check(may[scene.trouble] || unknown ||
              r->attempt == first_attempt(scene.story),
          "it had to be taken over");
}

static void check_cancelled(const struct fake_run *r)
{
    if (!scene.must_cancel)
        return;
    check(str_find(buf_view(&r->metadata), STR("CANCELLED")) > 0,
          "it was cancelled and went on to its end");
    check(world.behind == 0, "it was cancelled and went on to ask the world");
    static const char *const ending[] = {"journal.write", "journal.write.again",
                                         "runs.finish", NULL};
    if (scene.trouble == TROUBLE_CANCEL_HEARD && !one_of(world.hit, ending))
        check(r->ended_ms - world.struck_ms < 1000, "its end took a second");
}

static void check_status(const struct fake_run *r)
{
    const struct story *s = scene.story;
    bool failed = !strcmp(r->status, "failed");
    bool asked_for = str_find(buf_view(&r->metadata), STR("CANCELLED")) < 0 ||
                     trouble_counts_ops(scene.trouble) ||
                     scene.row->cancel_requested ||
                     scene.trouble == TROUBLE_FAILS_CANCEL ||
                     scene.trouble == TROUBLE_CANCEL_INSIDE;
    check(!strcmp(r->status, s->status) || (failed && may_fail(r)),
          "it ended otherwise than it may");
    check(asked_for, "it was cancelled, but nobody asked for that");
    if (scene.trouble == TROUBLE_TAKEN_CANCELLED &&
        r->attempt > first_attempt(s) && r->attempt <= ATTEMPTS)
        check(str_find(buf_view(&r->metadata), STR("CANCELLED")) > 0,
              "its user cancelled it, and it went on");
    if (scene.trouble != TROUBLE_NONE)
        return;
    check(str_find(buf_view(&r->metadata), str_of(s->says)) >= 0 ||
              str_find(buf_view(&r->charts), str_of(s->says)) >= 0 ||
              str_find(buf_view(&r->content), str_of(s->says)) >= 0,
          "it does not say what it should");
    check(scene.watcher.ends == 1, "its reader did not hear of the end");
    check(fake_http.unknown == 0, "it asked what the script does not know");
}

static void check_row(void)
{
    const struct fake_run *r = scene.row;
    const struct watcher *w = &scene.watcher;
    int64_t first = scene.story->phase ? EVENTS_BEFORE + 1 : 1;
    check(!r->torn, "a batch does not follow the one before");
    check(!w->early, "a reader heard what was not committed");
    check(str_starts(buf_view(&r->events), buf_view(&w->heard)),
          "a reader heard other events than the log has");
    check_frames(buf_view(&r->events), first, r->last);
    if (scene.trouble == TROUBLE_RELEASE && world.struck && !r->ended) {
        check(w->ends == 0, "a released run told an end");
        return;
    }
    if (!check(r->ended, "the row was not closed"))
        return;
    check(r->closings == 1, "the row was closed more than once");
    check_terminal(w);
    check_metadata(r);
    check_status(r);
    check_attempt(r);
    check_cancelled(r);
}

static void check_secret(void)
{
    check(fake_http.betrayals == 0, "a model saw what it may not see");
}

static void check_nothing_left(void)
{
    for (const struct cached_ontology *h =
             scene.store->ontologies ? scene.store->ontologies->first : NULL;
         h; h = h->next)
        check(h->holders == 0, "an ontology is still held");
    check(journal_stats(scene.store->journal).entries == 0,
          "a journal entry is left");
}

static void settle_journal(void)
{
    static const bool never;
    fake_time_until(&never, 15000); /* the latest retry of a flush */
}

static void close_scene(void)
{
    settle_journal();
    check_nothing_left();
    journal_unfollow(&scene.watcher.reader);
    ticket_leave(&scene.other);
    timer_stop(&scene.later);
    agent_close(&scene.agent);
    fake_time_settle(60000);
    store_close(&scene.store);
    check(fake_time_settle(60000), "timers go on after the end");
    pool_close(&scene.system);
    http_client_close();
    if (!check(flow_count() == 0, "a flow is left"))
        flow_each(show_flow, NULL);
    check(world.in_flight == 0, "an op is in flight");
    check(fake_time_timers() == 0, "a timer is left");
    buf_done(&scene.watcher.heard);
    buf_done(&scene.watcher.end);
    world_end();
    fake_db_close();
    loop_close();
}

bool scene_tell(const struct story *s, enum trouble trouble, unsigned k,
                struct case_counts *counts)
{
    open_scene(s, trouble, k);
    run_to_the_end();
    *counts = world_counts();
    snprintf(scene.hit, sizeof scene.hit, "%s", world.hit);
    check_row();
    check_secret();
    close_scene();
    return scene.sound;
}
