#include "models.h"
#include "base/banned.h"

enum thinking { NO, SILENT, BUDGET, ADAPTIVE, EITHER };

enum {
    LOW_TO_HIGH = LLM_EFFORT_LOW | LLM_EFFORT_MEDIUM | LLM_EFFORT_HIGH,
    MINIMAL_TO_HIGH = LLM_EFFORT_MINIMAL | LOW_TO_HIGH,
    NONE_TO_HIGH = LLM_EFFORT_NONE | LOW_TO_HIGH,
    NONE_TO_XHIGH = NONE_TO_HIGH | LLM_EFFORT_XHIGH,
    LOW_TO_MAX = LOW_TO_HIGH | LLM_EFFORT_XHIGH | LLM_EFFORT_MAX,
};

struct row {
    const char *provider, *prefix;
    bool sampling, json_schema, tools;
    enum thinking thinking;
    unsigned efforts;
    int max_output, context;
};

static const struct row rows[] = {
#define MODEL(...) {__VA_ARGS__},
#include "llm/models.def"
#undef MODEL
};

/* "vendor/model" is how routers name them. */
static struct str bare(struct str name)
{
    for (size_t i = name.len; i-- > 0;)
        if (name.ptr[i] == '/')
            return str_from(name, i + 1);
    return name;
}

static const struct row *find(struct str provider, struct str name)
{
    const struct row *best = NULL;
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
    const struct row *row = find(provider, bare(name));
    if (!row)
        return (struct llm_capabilities){.sampling = true, .json_schema = true,
                                         .tools = true, .max_output = 8192,
                                         .context = 128000};
    bool openai = str_is(provider, "openai");
    return (struct llm_capabilities){
        .sampling = row->sampling,
        .json_schema = row->json_schema,
        .tools = row->tools,
        .thinks = row->thinking != NO,
        .max_completion = openai && *row->prefix,
        .thinking_budget = row->thinking == BUDGET || row->thinking == EITHER,
        .thinking_adaptive =
            row->thinking == ADAPTIVE || row->thinking == EITHER,
        .efforts = row->efforts,
        .max_output = row->max_output,
        .context = row->context,
    };
}

/* ---- efforts ------------------------------------------------------------ */

static const char *const words[] = {"none", "minimal", "low", "medium",
                                    "high", "xhigh",   "max"};
enum { WORDS = sizeof words / sizeof *words };

const char *model_effort(const struct llm_capabilities *can, struct str wanted)
{
    int at = 0;
    while (at < WORDS && !str_is(wanted, words[at]))
        at++;
    if (at == WORDS)
        return NULL;
    for (int i = at; i >= 0; i--) /* what it has, or the next below */
        if (can->efforts & 1u << i)
            return words[i];
    for (int i = at; i < WORDS; i++)
        if (can->efforts & 1u << i)
            return words[i];
    return NULL;
}
