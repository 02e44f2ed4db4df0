/* The requests that are sent, parsed as JSON. */
#include "base/json.h"
#include "llm/provider.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct arena arena;
static struct llm_model model;
static struct llm_call call;
static struct llm_terms terms;
static json_t *sent;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    call = (struct llm_call){.model = &model};
    terms = (struct llm_terms){.temperature_sent = -1};
    sent = NULL;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    json_decref(sent);
    arena_done(&arena);
    return 0;
}

static void use(const char *provider, const char *name)
{
    assert_true(llm_model_init(&model, str_of(provider), str_of(name)));
}

static void write(void)
{
    struct buf out;
    struct json_problem problem = {0};
    buf_init(&out, &arena);
    terms.sent = 0;
    model.provider->request(&call, &terms, &out);
    json_decref(sent);
    sent = json_read(buf_view(&out), &problem);
    if (!sent)
        fail_msg("%s: %s", problem.text, buf_cstr(&out));
}

/* The value at a path like "messages.0.role". */
static const json_t *at(const char *path)
{
    struct str rest = str_of(path), step;
    const json_t *v = sent;
    while (str_split(&rest, '.', &step)) {
        int64_t i;
        v = str_to_int64(step, &i) ? json_array_get(v, (size_t)i)
                                   : json_object_getn(v, step.ptr, step.len);
    }
    return v;
}

static void expect(const char *path, const char *text)
{
    struct str got = at(path) ? json_print(&arena, at(path)) : STR("ABSENT");
    if (!str_is(got, text))
        fail_msg("%s is %.*s, not %s", path, STR_ARG(got), text);
}

static const char *url(enum llm_endpoint what)
{
    struct buf out;
    buf_init(&out, &arena);
    model.provider->url(&model, what, &out);
    return buf_cstr(&out);
}

static const char *headers(void)
{
    struct buf out;
    buf_init(&out, &arena);
    model.provider->headers(&model, &out);
    return buf_cstr(&out);
}

/* ---- a conversation with everything in it ------------------------------- */

static struct llm_tool_call tool_calls[] = {
    {STR("id1"), STR("f"), STR("{\"x\":1}")},
    {STR("id2"), STR("g"), STR("{\"x\":")},
};
static const struct llm_message story[] = {
    {.role = LLM_SYSTEM, .content = STR("Be brief.")},
    {.role = LLM_USER, .content = STR("Hi \"you\"\n\xff")},
    {.role = LLM_ASSISTANT, .tool_calls = tool_calls, .n_tool_calls = 2},
    {.role = LLM_TOOL, .content = STR("1"), .tool_call_id = STR("id1")},
    {.role = LLM_TOOL,
     .content = STR("no"),
     .tool_call_id = STR("id2"),
     .is_error = true},
    {.role = LLM_USER, .content = STR("And now?")},
    {.role = LLM_ASSISTANT, .content = STR("This.")},
};
static const struct llm_tool tool = {
    STR("f"), STR("Does f."),
    STR("{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"integer\"}}}")};
static const struct str schema = STR("{\"type\":\"object\",\"properties\":{}}");

static void tell_story(void)
{
    call.messages = story;
    call.n_messages = sizeof story / sizeof *story;
    call.tools = &tool;
    call.n_tools = 1;
}

/* ---- openai ------------------------------------------------------------- */

static void test_openai_gets_the_whole_conversation(void **state)
{
    (void)state;
    use("openai", "gpt-4o");
    tell_story();
    write();
    expect("model", "\"gpt-4o\"");
    expect("messages.0", "{\"role\":\"system\",\"content\":\"Be brief.\"}");
    expect("messages.1.content", "\"Hi \\\"you\\\"\\n\xef\xbf\xbd\"");
    expect("messages.2.content", "null");
    expect("messages.2.tool_calls.0",
           "{\"id\":\"id1\",\"type\":\"function\",\"function\":"
           "{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}");
    expect("messages.3",
           "{\"role\":\"tool\",\"tool_call_id\":\"id1\",\"content\":\"1\"}");
    expect("messages.6", "{\"role\":\"assistant\",\"content\":\"This.\"}");
    expect("messages.7", "ABSENT");
    expect("tools.0.type", "\"function\"");
    expect("tools.0.function.name", "\"f\"");
    expect("tools.0.function.parameters.type", "\"object\"");
    expect("stream", "true");
    expect("stream_options", "{\"include_usage\":true}");
    expect("max_completion_tokens", "16384");
    expect("max_tokens", "ABSENT");
    expect("temperature", "ABSENT");
    expect("reasoning_effort", "ABSENT");
    expect("response_format", "ABSENT");
}

static void test_openai_is_held_to_a_schema(void **state)
{
    (void)state;
    use("openai", "gpt-4o");
    tell_story();
    call.schema_name = STR("plan");
    call.schema = schema;
    write();
    expect("response_format",
           "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"plan\","
           "\"strict\":true,\"schema\":"
           "{\"type\":\"object\",\"properties\":{}}}}");
    expect("messages.0.content", "\"Be brief.\"");
    assert_true(terms.sent & LLM_JSON_SCHEMA);
}

static void test_without_schemas_the_model_is_asked(void **state)
{
    (void)state;
    use("openai", "gpt-4-turbo");
    tell_story();
    call.schema_name = STR("plan");
    call.schema = schema;
    write();
    expect("response_format", "{\"type\":\"json_object\"}");
    struct str text = json_text(at("messages.0.content"));
    assert_true(str_starts(text, STR("Be brief.\n\n")));
    assert_true(str_ends(text, schema));
    assert_int_equal(json_array_size(at("messages")), 7);
    call.messages++; /* no system message */
    call.n_messages--;
    write();
    expect("messages.0.role", "\"system\"");
    expect("messages.1.role", "\"user\"");
    terms.without = LLM_JSON_SCHEMA | LLM_JSON_OBJECT;
    write();
    expect("response_format", "ABSENT");
    assert_true(str_ends(json_text(at("messages.0.content")), schema));
}

static void test_reasoning_models_get_no_temperature(void **state)
{
    (void)state;
    use("openai", "o3-mini");
    model.temperature = 0.2;
    model.reasoning = STR("minimal");
    write();
    expect("temperature", "ABSENT");
    expect("reasoning_effort", "\"low\""); /* the nearest that it supports */
    assert_true(terms.temperature_sent < 0);
    use("openai", "gpt-4.1-mini");
    model.temperature = 0.5;
    model.reasoning = STR("high");
    write();
    expect("temperature", "0.5");
    expect("reasoning_effort", "ABSENT");
    assert_true(terms.temperature_sent > 0.4);
}

static void test_what_was_refused_is_left_out(void **state)
{
    (void)state;
    use("openai", "gpt-4o");
    model.temperature = 0;
    terms.without = LLM_TEMPERATURE | LLM_MAX_COMPLETION | LLM_STREAM_OPTIONS;
    write();
    expect("temperature", "ABSENT");
    expect("max_completion_tokens", "ABSENT");
    expect("max_tokens", "16384");
    expect("stream_options", "ABSENT");
    terms.without |= LLM_MAX_TOKENS;
    write();
    expect("max_tokens", "ABSENT");
    use("openai", "llama3.1:8b"); /* a compatible server's */
    terms = (struct llm_terms){.max_output = 4000};
    write();
    expect("max_tokens", "4000");
    expect("max_completion_tokens", "ABSENT");
    call.max_output = 100;
    write();
    expect("max_tokens", "100");
}

static void test_more_members_are_added_as_they_are(void **state)
{
    (void)state;
    use("openai", "qwen");
    model.extra_body = STR("\"top_k\":5,\"seed\":1");
    write();
    expect("top_k", "5");
    expect("seed", "1");
}

static void test_a_raw_message_goes_back_unchanged(void **state)
{
    (void)state;
    struct llm_message m = {.role = LLM_ASSISTANT,
                            .content = STR("not this"),
                            .raw = STR("{\"role\":\"assistant\",\"x\":[1]}")};
    call.messages = &m;
    call.n_messages = 1;
    use("openai", "gpt-4o");
    write();
    expect("messages.0", "{\"role\":\"assistant\",\"x\":[1]}");
    use("anthropic", "claude-sonnet-4-5");
    write();
    expect("messages.0", "{\"role\":\"assistant\",\"x\":[1]}");
}

static void test_openai_addresses(void **state)
{
    (void)state;
    use("openai", "gpt-4o");
    assert_string_equal(url(LLM_CHAT),
                        "https://api.openai.com/v1/chat/completions");
    assert_string_equal(headers(), "");
    model.base_url = STR("http://localhost:11434");
    model.key = STR("k");
    assert_string_equal(url(LLM_CHAT),
                        "http://localhost:11434/v1/chat/completions");
    assert_string_equal(headers(), "Authorization: Bearer k\n");
    model.base_url = STR("http://h/api/v3/");
    assert_string_equal(url(LLM_EMBEDDINGS), "http://h/api/v3/embeddings");
}

/* ---- azure -------------------------------------------------------------- */

static void test_azure_has_two_forms(void **state)
{
    (void)state;
    use("azure", "gpt-4o");
    assert_true(model.can.json_schema && model.can.max_completion);
    model.base_url = STR("https://r.openai.azure.com");
    model.key = STR("k");
    assert_string_equal(
        url(LLM_CHAT), "https://r.openai.azure.com/openai/v1/chat/completions");
    assert_string_equal(headers(), "api-key: k\n");
    write();
    expect("model", "\"gpt-4o\"");
    model.base_url = STR("https://r.openai.azure.com/openai/v1/");
    assert_string_equal(
        url(LLM_CHAT), "https://r.openai.azure.com/openai/v1/chat/completions");
    model.base_url = STR("https://r.openai.azure.com/");
    model.deployment = STR("mine");
    model.api_version = STR("2025-01-01");
    model.key = STR("eyJ0.x.y");
    assert_string_equal(url(LLM_CHAT),
                        "https://r.openai.azure.com/openai/deployments/mine/"
                        "chat/completions?api-version=2025-01-01");
    assert_string_equal(url(LLM_EMBEDDINGS),
                        "https://r.openai.azure.com/openai/deployments/mine/"
                        "embeddings?api-version=2025-01-01");
    assert_string_equal(headers(), "Authorization: Bearer eyJ0.x.y\n");
    write();
    expect("model", "ABSENT");
}

/* ---- anthropic ---------------------------------------------------------- */

static void test_anthropic_gets_the_whole_conversation(void **state)
{
    (void)state;
    use("anthropic", "claude-sonnet-4-5");
    model.temperature = 0.3;
    tell_story();
    write();
    expect("model", "\"claude-sonnet-4-5\"");
    expect("max_tokens", "16384");
    expect("system", "\"Be brief.\"");
    expect("messages.0.role", "\"user\"");
    expect("messages.1.content.0",
           "{\"type\":\"tool_use\",\"id\":\"id1\",\"name\":\"f\","
           "\"input\":{\"x\":1}}");
    expect("messages.1.content.1.input", "{}"); /* its text was cut */
    expect("messages.2.role", "\"user\"");
    expect("messages.2.content.0",
           "{\"type\":\"tool_result\",\"tool_use_id\":\"id1\","
           "\"content\":\"1\"}");
    expect("messages.2.content.1.is_error", "true");
    expect("messages.2.content.2", "{\"type\":\"text\",\"text\":\"And now?\"}");
    expect("messages.3.role", "\"assistant\"");
    expect("messages.4", "ABSENT");
    expect("tools.0.name", "\"f\"");
    expect("tools.0.input_schema.type", "\"object\"");
    expect("tool_choice", "ABSENT");
    expect("temperature", "0.3");
    expect("thinking", "ABSENT");
    expect("stream", "true");
}

static void test_anthropic_is_held_to_a_schema(void **state)
{
    (void)state;
    call.schema_name = STR("plan");
    call.schema = schema;
    use("anthropic", "claude-opus-4-7");
    write();
    expect("output_config", "{\"format\":{\"type\":\"json_schema\",\"schema\":"
                            "{\"type\":\"object\",\"properties\":{}}}}");
    expect("tools", "ABSENT");
    terms.without = LLM_JSON_SCHEMA;
    write();
    expect("output_config", "ABSENT");
    expect("tools.0.name", "\"plan\"");
    expect("tools.0.input_schema.type", "\"object\"");
    expect("tool_choice", "{\"type\":\"tool\",\"name\":\"plan\"}");
    model.reasoning = STR("high"); /* reasoning excludes forced tools */
    write();
    expect("tool_choice", "ABSENT");
    expect("tools.0.name", "\"plan\"");
}

static void test_anthropic_thinks_as_the_model_can(void **state)
{
    (void)state;
    use("anthropic", "claude-opus-4-7");
    model.temperature = 0.3;
    model.reasoning = STR("high");
    write();
    expect("thinking", "{\"type\":\"adaptive\"}");
    expect("output_config", "{\"effort\":\"high\"}");
    expect("temperature", "ABSENT");
    use("anthropic", "claude-sonnet-4-5-20250929");
    model.temperature = 0.3;
    model.reasoning = STR("2000");
    write();
    expect("thinking", "{\"type\":\"enabled\",\"budget_tokens\":2000}");
    expect("temperature", "ABSENT");
    expect("max_tokens", "18384"); /* in addition to that of the answer */
    model.reasoning = STR("none");
    write();
    expect("thinking", "ABSENT");
    expect("temperature", "0.3");
    use("anthropic", "claude-3-5-haiku");
    model.reasoning = STR("high");
    write();
    expect("thinking", "ABSENT");
    expect("output_config", "ABSENT");
}

/* A server limits reasoning and answer together; the answer keeps its part. */
static void test_thoughts_leave_room_for_an_answer(void **state)
{
    (void)state;
    static const char *const models[] = {"claude-3-7-sonnet-20250219",
                                         "claude-opus-4-1",
                                         "claude-sonnet-4-5",
                                         "claude-sonnet-4-6",
                                         "claude-opus-4-7",
                                         "claude-sonnet-5",
                                         "unheard-of"};
    static const char *const levels[] = {"1024", "16384",   "128000", "minimal",
                                         "low",  "medium",  "high",   "xhigh",
                                         "max",  "adaptive"};
    static const int limits[] = {0, 64000, 8192, 3000};
    for (size_t i = 0; i < sizeof models / sizeof *models * 40; i++) {
        use("anthropic", models[i / 40]);
        model.reasoning = str_of(levels[i / 4 % 10]);
        terms = (struct llm_terms){.max_output = limits[i % 4]};
        write();
        int64_t most = json_integer_value(at("max_tokens"));
        int64_t budget = json_integer_value(at("thinking.budget_tokens"));
        assert_true(most <= model.can.total_output_limit);
        assert_true(!terms.max_output || most <= terms.max_output);
        assert_true(!budget || budget >= 1024);
        assert_true(most - budget >= 1500);
        assert_true(limits[i % 4] || most - budget >= 16000);
    }
    use("anthropic", "claude-sonnet-4-5");
    model.reasoning = STR("128000");
    terms = (struct llm_terms){0};
    write();
    expect("max_tokens", "64000");
    expect("thinking.budget_tokens", "47616");
    use("anthropic", "claude-opus-4-7");
    model.reasoning = STR("xhigh");
    write();
    expect("max_tokens", "81920");
    use("openai", "o3");
    write();
    expect("max_completion_tokens", "32768");
    model.reasoning = STR("high");
    write();
    expect("max_completion_tokens", "49152");
    call.max_output = 1000;
    write();
    expect("max_completion_tokens", "33768");
    use("openai", "gpt-4o");
    write();
    expect("max_completion_tokens", "1000");
}

/* Chat completions of these models refuse tools with any effort but "none". */
static void test_some_models_do_not_think_in_requests_with_tools(void **state)
{
    (void)state;
    static const struct llm_tool tool = {.name = STR("look")};
    use("openai", "gpt-5.4");
    model.reasoning = STR("high");
    write();
    expect("reasoning_effort", "\"high\"");
    call.tools = &tool;
    call.n_tools = 1;
    write();
    expect("reasoning_effort", "\"none\"");
    use("openai", "gpt-5.1");
    model.reasoning = STR("high");
    write();
    expect("reasoning_effort", "\"high\"");
}

static void test_anthropic_is_told_what_to_keep(void **state)
{
    (void)state;
    char *text = arena_alloc(&arena, 5001);
    memset(text, 'x', 5000);
    struct llm_message said[] = {
        {.role = LLM_SYSTEM, .content = str_of(text)},
        {.role = LLM_USER, .content = STR("Which?")},
        {.role = LLM_ASSISTANT, .content = STR("Look")},
        {.role = LLM_TOOL, .tool_call_id = STR("t"), .content = STR("none")},
    };
    static const struct llm_tool tool = {.name = STR("look")};
    use("anthropic", "claude-sonnet-5");
    call.messages = said;
    call.n_messages = 2;
    write();
    expect("system.0.cache_control", "{\"type\":\"ephemeral\"}");
    expect("messages.0.content", "\"Which?\""); /* it is not repeated */
    call.tools = &tool;
    call.n_tools = 1;
    write(); /* but in the next round */
    expect("messages.0.content.0.cache_control", "{\"type\":\"ephemeral\"}");
    call.n_messages = 4;
    write();
    expect("messages.0.content", "\"Which?\"");
    expect("messages.2.content.0.cache_control", "{\"type\":\"ephemeral\"}");
    terms.without = LLM_CACHE_CONTROL;
    write();
    assert_true(json_is_string(at("system")));
    expect("messages.2.content.0.cache_control", "ABSENT");
    terms.without = 0;
    said[0].content = STR("short");
    write();
    expect("system", "\"short\"");
    expect("messages.2.content.0.cache_control", "ABSENT");
}

static void test_anthropic_addresses(void **state)
{
    (void)state;
    use("anthropic", "claude-opus-5");
    assert_false(model.can.sampling); /* unknown: treated as a new one */
    model.key = STR("k");
    assert_string_equal(url(LLM_CHAT), "https://api.anthropic.com/v1/messages");
    assert_string_equal(headers(), "anthropic-version: 2023-06-01\n"
                                   "x-api-key: k\n");
    model.base_url = STR("http://h/v1");
    assert_string_equal(url(LLM_CHAT), "http://h/v1/messages");
}

/* ---- models ------------------------------------------------------------- */

static void test_the_longest_prefix_wins(void **state)
{
    (void)state;
    use("openai", "gpt-5-chat-latest");
    assert_true(model.can.sampling && !model.can.thinks);
    use("openai", "gpt-5-mini");
    assert_true(!model.can.sampling && model.can.thinks);
    use("openai", "openai/gpt-5-mini"); /* a router's name for it */
    assert_true(model.can.thinks);
    use("openai", "gpt-4o-mini");
    assert_int_equal(model.can.max_output, 16384);
    use("openai", "mistral-large");
    assert_true(model.can.sampling && model.can.json_schema);
    assert_true(model.can.max_output >= 8192);
    assert_false(llm_model_init(&model, STR("nobody"), STR("x")));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_openai_gets_the_whole_conversation),
        CASE(test_openai_is_held_to_a_schema),
        CASE(test_without_schemas_the_model_is_asked),
        CASE(test_reasoning_models_get_no_temperature),
        CASE(test_what_was_refused_is_left_out),
        CASE(test_more_members_are_added_as_they_are),
        CASE(test_a_raw_message_goes_back_unchanged),
        CASE(test_openai_addresses),
        CASE(test_azure_has_two_forms),
        CASE(test_anthropic_gets_the_whole_conversation),
        CASE(test_anthropic_is_held_to_a_schema),
        CASE(test_anthropic_thinks_as_the_model_can),
        CASE(test_thoughts_leave_room_for_an_answer),
        CASE(test_some_models_do_not_think_in_requests_with_tools),
        CASE(test_anthropic_is_told_what_to_keep),
        CASE(test_anthropic_addresses),
        CASE(test_the_longest_prefix_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
