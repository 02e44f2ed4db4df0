/* models.c - looks up models.def, and computes reasoning and token limits. */
#include "models.h"
#include "base/banned.h"

enum model_thinking { NO, SILENT, APART, BUDGET, ADAPTIVE, EITHER, ALWAYS };

enum {
    LOW_TO_HIGH = LLM_EFFORT_LOW | LLM_EFFORT_MEDIUM | LLM_EFFORT_HIGH,
    MINIMAL_TO_HIGH = LLM_EFFORT_MINIMAL | LOW_TO_HIGH,
    NONE_TO_HIGH = LLM_EFFORT_NONE | LOW_TO_HIGH,
    NONE_TO_XHIGH = NONE_TO_HIGH | LLM_EFFORT_XHIGH,
    NONE_TO_MAX = NONE_TO_XHIGH | LLM_EFFORT_MAX,
    LOW_TO_MAX = LOW_TO_HIGH | LLM_EFFORT_XHIGH | LLM_EFFORT_MAX,
};

struct model_row {
    const char *provider, *prefix;
    bool sampling, json_schema, tools;
    enum model_thinking thinking;
    unsigned efforts;
    int max_output, total_output_limit;
};

static const struct model_row rows[] = {
#define MODEL(...) {__VA_ARGS__},
#include "llm/models.def"
#undef MODEL
};

/* Without the vendor: routers name models "vendor/model". */
static struct str without_vendor(struct str name)
{
    for (size_t i = name.len; i-- > 0;)
        if (name.ptr[i] == '/')
            return str_from(name, i + 1);
    return name;
}

static const struct model_row *find_row(struct str provider, struct str name)
{
    const struct model_row *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str prefix = str_of(rows[i].prefix);
        if (str_is(provider, rows[i].provider) && str_starts(name, prefix) &&
            (!best || prefix.len >= str_of(best->prefix).len))
            best = &rows[i];
    }
    return best;
}

struct llm_capabilities model_capabilities(struct str provider, struct str name)
{
    const struct model_row *row = find_row(provider, without_vendor(name));
    if (!row)
        return (struct llm_capabilities){.sampling = true,
                                         .json_schema = true,
                                         .tools = true,
                                         .max_output = 8192};
    bool openai = str_is(provider, "openai");
    enum model_thinking how = row->thinking;
    return (struct llm_capabilities){
        .sampling = row->sampling,
        .json_schema = row->json_schema,
        .tools = row->tools,
        .thinks = how != NO,
        .thinks_by_default = how == SILENT || how == APART || how == ALWAYS,
        .thinks_without_tools = how == APART,
        .max_completion = openai && *row->prefix,
        .thinking_budget = how == BUDGET || how == EITHER,
        .thinking_adaptive = how == ADAPTIVE || how == EITHER || how == ALWAYS,
        .efforts = row->efforts,
        .max_output = row->max_output,
        .total_output_limit = row->total_output_limit,
    };
}

/* ---- efforts ------------------------------------------------------------ */

static const char *const effort_names[] = {"none", "minimal", "low", "medium",
                                           "high", "xhigh",   "max"};
enum { EFFORTS = sizeof effort_names / sizeof *effort_names };

const char *model_effort(const struct llm_capabilities *can, struct str wanted)
{
    int at = 0;
    while (at < EFFORTS && !str_is(wanted, effort_names[at]))
        at++;
    if (at == EFFORTS)
        return NULL;
    for (int i = at; i >= 0; i--) /* the same or the next lower one */
        if (can->efforts & 1u << i)
            return effort_names[i];
    for (int i = at; i < EFFORTS; i++)
        if (can->efforts & 1u << i)
            return effort_names[i];
    return NULL;
}

/* ---- token limits ------------------------------------------------------- */

enum { THOUGHTS = 16384, LEAST_BUDGET = 1024, MOST_BUDGET = 1 << 20 };

bool model_thinks(const struct llm_model *m)
{
    const struct llm_capabilities *can = &m->can;
    if (!can->thinks)
        return false;
    if (!m->reasoning.len)
        return can->thinks_by_default;
    if (!str_is(m->reasoning, "none"))
        return true;
    return can->thinks_by_default && !(can->efforts & LLM_EFFORT_NONE);
}

/* The token budget for reasoning that its settings ask for. */
static int model_budget(const struct llm_model *m)
{
    int64_t n;
    if (str_to_int64(m->reasoning, &n))
        return n < LEAST_BUDGET  ? LEAST_BUDGET
               : n > MOST_BUDGET ? MOST_BUDGET
                                 : (int)n;
    if (str_is(m->reasoning, "minimal") || str_is(m->reasoning, "low"))
        return LEAST_BUDGET;
    return str_is(m->reasoning, "medium") ? 4096 : 8192;
}

/* What a model may spend on reasoning without a budget, generously. */
static int reasoning_tokens(const struct llm_model *m)
{
    const char *effort = model_effort(&m->can, m->reasoning);
    struct str word = str_of(effort);
    if (str_is(word, "high"))
        return 2 * THOUGHTS;
    if (str_is(word, "xhigh"))
        return 4 * THOUGHTS;
    return str_is(word, "max") ? 6 * THOUGHTS : THOUGHTS;
}

struct token_limits model_token_limits(const struct llm_call *c,
                                       int server_most, bool budgeted)
{
    const struct llm_model *m = c->model;
    int answer = c->max_output ? c->max_output : m->can.max_output;
    int most = m->can.total_output_limit;
    struct token_limits room = {0};
    if (answer <= 0)
        return room; /* the server's default */
    if (server_most && (!most || server_most < most))
        most = server_most;
    if (model_thinks(m))
        room.thoughts = budgeted ? model_budget(m) : reasoning_tokens(m);
    if (most && answer + room.thoughts > most) {
        if (answer > most / 2 && room.thoughts)
            answer = most / 2;
        else if (answer > most)
            answer = most;
        if (room.thoughts > most - answer)
            room.thoughts = most - answer;
    }
    room.total = answer + room.thoughts;
    return room;
}
