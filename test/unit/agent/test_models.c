/* A provider's model with the settings of an admin. */
#include "agent/agent.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;

static struct agent_provider provider_of(const char *id, const char *model)
{
    struct agent_provider p = {.id = id, .enabled = true};
    assert_true(llm_model_init(&p.model, str_of(id), str_of(model)));
    p.model.key = STR("secret");
    p.model.base_url = STR("https://models.test");
    return p;
}

static const struct agent_provider *set(const struct agent_provider *p,
                                        const char *model, double temperature,
                                        const char *reasoning)
{
    return agent_provider_configured(
        &arena, p,
        &(struct settings_agent_config){.model = str_of(model),
                                        .temperature = temperature,
                                        .reasoning = str_of(reasoning)});
}

static void test_nothing_set_changes_nothing(void **state)
{
    (void)state;
    struct agent_provider p = provider_of("openai", "gpt-4o");
    assert_ptr_equal(set(&p, "", -1, ""), &p);
}

static void test_another_model_has_capabilities_of_its_own(void **state)
{
    (void)state;
    struct agent_provider p = provider_of("openai", "gpt-4o");
    const struct agent_provider *o = set(&p, "o3", 0.5, "low");
    assert_true(str_is(o->model.name, "o3"));
    assert_false(o->model.can.sampling);
    assert_true(o->model.can.efforts & LLM_EFFORT_LOW);
    assert_true(str_is(o->model.reasoning, "low"));
    assert_true(o->model.temperature == 0.5);
    assert_true(str_is(o->model.key, "secret"));
    assert_true(str_is(o->model.base_url, "https://models.test"));
    assert_true(o->enabled);
    assert_true(p.model.can.sampling && p.model.temperature < 0);
}

static void test_azures_classic_address_follows_the_deployment(void **state)
{
    (void)state;
    struct agent_provider p = provider_of("azure", "gpt-4o");
    assert_int_equal(set(&p, "other", -1, "")->model.deployment.len, 0);
    p.model.deployment = STR("gpt-4o");
    assert_true(str_is(set(&p, "other", -1, "")->model.deployment, "other"));
    assert_true(str_is(set(&p, "", 0, "")->model.deployment, "gpt-4o"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_set_changes_nothing),
        cmocka_unit_test(test_another_model_has_capabilities_of_its_own),
        cmocka_unit_test(test_azures_classic_address_follows_the_deployment),
    };
    arena_init(&arena, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_done(&arena);
    return failed;
}
