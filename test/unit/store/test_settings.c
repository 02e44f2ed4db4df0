/* The data agent's settings as runs read them, over a pretended database. */
#include "loop/timer.h"
#include "run_flow.h"
#include "store/settings.h"
#include "../fake_scene.h"
#include "base/banned.h"

static struct pool *pool;
static struct store *store;
static const char *cells[] = {"{}", "{}", "1", "2026-01-01T00:00:00.000Z",
                              NULL};
static const struct fake_rows rows[] = {{.statement = "settings.system",
                                         .n_columns = 5,
                                         .n_rows = 1,
                                         .cells = cells},
                                        {0}};

static int setup(void **state)
{
    static const uint8_t key[SEAL_KEY_SIZE];
    (void)state;
    pool = fake_scene_open("system");
    fake_db.rows = rows;
    fake_db.queries = 0;
    fake_db.fails_with = OK;
    store = store_open(
        &(struct store_options){.system = pool, .key = key, .lease_ms = 30000});
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(&store);
    fake_scene_close(&pool);
    return 0;
}

/* ---- one look ------------------------------------------------------------ */

static char model[80], reasoning[80];
static double temperature;
static int64_t version;

static struct next told(struct flow *f)
{
    const struct settings_agent_config *c =
        locals(f, struct settings_agent_config);
    snprintf(model, sizeof model, "%.*s", STR_ARG(c->model));
    snprintf(reasoning, sizeof reasoning, "%.*s", STR_ARG(c->reasoning));
    temperature = c->temperature;
    version = c->version;
    return back(f);
}

static struct next look(struct flow *f)
{
    return call(f, settings_agent_config_begin,
                locals(f, struct settings_agent_config), told);
}

static enum err config_of(const char *provider)
{
    struct settings_agent_config c = {.store = store,
                                      .provider = str_of(provider)};
    struct run_flow r;
    run_flow_start(&r, look, &c);
    assert_true(fake_time_until(&r.ended, 60000));
    return r.how;
}

static void test_what_an_admin_has_set_is_read(void **state)
{
    (void)state;
    cells[1] = "{\"dataAgent\":{\"openai\":{\"model\":\"o3\",\"temperature\":"
               "0.25,\"reasoningLevel\":\"high\"},\"anthropic\":{"
               "\"reasoningLevel\":4096,\"temperature\":null}}}";
    cells[2] = "7";
    assert_int_equal(config_of("openai"), OK);
    assert_string_equal(model, "o3");
    assert_string_equal(reasoning, "high");
    assert_true(temperature == 0.25);
    assert_int_equal(version, 7);
    assert_int_equal(config_of("anthropic"), OK);
    assert_string_equal(model, "");
    assert_string_equal(reasoning, "4096");
    assert_true(temperature < 0);
    assert_int_equal(config_of("azure"), OK);
    assert_true(temperature < 0 && !*model && !*reasoning);
    assert_int_equal(fake_db.queries, 1);
}

static void on_passed(struct timer *t)
{
    (void)t;
}

static void pass(uint64_t ms)
{
    struct timer t = {0};
    timer_start(&t, ms, on_passed);
    assert_true(fake_time_settle(ms + 1));
}

/* Two at the same moment, when what is known has grown old but not too old. */
static void test_one_reads_anew_while_the_others_go_on(void **state)
{
    (void)state;
    struct settings_agent_config c[2] = {
        {.store = store, .provider = STR("openai")},
        {.store = store, .provider = STR("openai")}};
    struct run_flow r[2];
    assert_int_equal(config_of("openai"), OK);
    pass(4500);
    for (int i = 0; i < 2; i++)
        run_flow_start(&r[i], look, &c[i]);
    for (int i = 0; i < 2; i++)
        assert_true(fake_time_until(&r[i].ended, 60000) && r[i].how == OK);
    assert_int_equal(fake_db.queries, 2);
    pass(6000); /* too old to be used */
    for (int i = 0; i < 2; i++)
        run_flow_start(&r[i], look, &c[i]);
    for (int i = 0; i < 2; i++)
        assert_true(fake_time_until(&r[i].ended, 60000) && r[i].how == OK);
    assert_int_equal(fake_db.queries, 4);
}

static void test_a_change_made_here_is_seen_at_once(void **state)
{
    (void)state;
    cells[1] = "{}";
    assert_int_equal(config_of("openai"), OK);
    assert_string_equal(model, "");
    cells[1] = "{\"dataAgent\":{\"openai\":{\"model\":\"gpt-4.1\"}}}";
    assert_int_equal(config_of("openai"), OK);
    assert_string_equal(model, "");
    settings_cache_invalidate(store);
    assert_int_equal(config_of("openai"), OK);
    assert_string_equal(model, "gpt-4.1");
}

static void test_what_was_known_goes_on_while_the_database_is_away(void **state)
{
    (void)state;
    cells[1] = "{\"dataAgent\":{\"openai\":{\"model\":\"gpt-4.1\"}}}";
    assert_int_equal(config_of("openai"), OK);
    settings_cache_invalidate(store);
    fake_db.fails_with = ERR_DATABASE_UNAVAILABLE;
    world_begin(TROUBLE_FAILS, 1);
    assert_int_equal(config_of("openai"), OK);
    assert_true(world.struck);
    assert_string_equal(model, "gpt-4.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_an_admin_has_set_is_read,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_one_reads_anew_while_the_others_go_on, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_change_made_here_is_seen_at_once,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_was_known_goes_on_while_the_database_is_away, setup,
            teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
