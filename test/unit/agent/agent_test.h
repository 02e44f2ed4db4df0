/* agent_test.h - an agent over the fakes with one run, for tests of single
 * parts. */
#pragma once
#include "agent/consult.h"
#include "pipeline/pipeline.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "fake_db.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "ontology/osi.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* flow.h has it, too */

#define TEST_RUN_ID "11111111-1111-4111-8111-111111111111"

static struct {
    struct pool *system;
    struct store *store;
    struct agent *agent;
    struct agent_provider provider;
    struct cached_ontology held;
    struct run *run;
    struct arena memory;
} test;

static inline const struct ontology *test_ontology(const char *osi)
{
    struct ontology *o;
    struct osi_report report;
    assert_true(osi_read(&test.memory, str_of(osi), &o, &report));
    return o;
}

static inline int agent_setup(void **state)
{
    static const uint8_t key[SEAL_KEY_SIZE];
    (void)state;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    loop_open();
    fake_db_open();
    fake_http_open((const struct fake_exchange[]){{0}});
    world_begin(TROUBLE_NONE, 0);
    arena_init(&test.memory, 0);
    test.system = pool_open(&(struct pool_options){.name = "system"});
    test.store = store_open(&(struct store_options){
        .system = test.system, .key = key, .lease_ms = 30000});
    test.provider = (struct agent_provider){
        .id = "openai", .name = "OpenAI", .enabled = true};
    assert_true(
        llm_model_init(&test.provider.model, STR("openai"), STR("gpt-4o")));
    test.provider.model.base_url = STR("http://model.test/v1");
    struct agent_models models = {.n = 1, .items = {test.provider}};
    struct agent_settings settings = {.run_max_calls = 60,
                                      .run_max_tokens = 1000000,
                                      .llm_call_timeout_ms = 300000,
                                      .run_deadline_ms = 600000,
                                      .prompt_budget = 24000,
                                      .vector_top_k = 10,
                                      .run_max_attempts = 3};
    test.agent = agent_open(test.store, &settings, &models);
    struct run *r = test.run = mem_new(struct run);
    r->agent = test.agent;
    r->provider = &test.provider;
    r->started_ms = clock_ms();
    r->started_at = clock_wall_ms();
    r->calls.end = &r->calls.first;
    r->attempt = r->epoch = 1;
    snprintf(r->message_id, sizeof r->message_id, "%s", TEST_RUN_ID);
    flow_arena_init(&r->arena, 0);
    run_set_kind(r, &pipeline_kind);
    flow_arena_init(&r->scratch, 0);
    flow_arena_init(&r->calls.memory, 0);
    r->ontology = &test.held;
    fake_db_run(TEST_RUN_ID, 1);
    r->log = journal_attach(test.store->journal, TEST_RUN_ID, 1, 1, NULL, NULL);
    return 0;
}

static inline int agent_teardown(void **state)
{
    (void)state;
    journal_detach(&test.run->log);
    buf_done(&test.run->visible);
    arena_done(&test.run->arena);
    arena_done(&test.run->scratch);
    arena_done(&test.run->calls.memory);
    arena_done(&test.run->reserve);
    mem_free(test.run);
    agent_close(&test.agent);
    fake_time_settle(60000);
    store_close(&test.store);
    fake_time_settle(60000);
    pool_close(&test.system);
    world_end();
    fake_db_close();
    arena_done(&test.memory);
    test.held = (struct cached_ontology){0};
    assert_int_equal(flow_count(), 0);
    loop_close();
    return 0;
}

#define AGENT_TEST(name) \
    cmocka_unit_test_setup_teardown(name, agent_setup, agent_teardown)
