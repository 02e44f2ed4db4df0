/* quirks.c - parameters that servers have refused, and how to recognise them in
 * the text of a refusal. */
#include "quirks.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include <string.h>
#include "base/banned.h"

/* ---- remembering -------------------------------------------------------- */

enum { MOST_QUIRKS = 256 };

struct quirk {
    struct quirk *next;
    char *key;
    unsigned without;
    int max_output;
};

static struct quirk *quirks;
static unsigned n_quirks;

static struct str quirk_key(const struct llm_model *m, struct arena *arena)
{
    return arena_printf(arena, "%s %.*s %.*s %.*s", m->provider->id,
                        STR_ARG(m->base_url), STR_ARG(m->deployment),
                        STR_ARG(m->name));
}

static struct quirk *quirk_find(struct str key)
{
    for (struct quirk *q = quirks; q; q = q->next)
        if (str_is(key, q->key))
            return q;
    return NULL;
}

struct llm_terms quirks_of(const struct llm_model *m)
{
    struct llm_terms terms = {.temperature_sent = -1};
    if (!quirks)
        return terms;
    struct arena arena;
    arena_init(&arena, 0);
    const struct quirk *q = quirk_find(quirk_key(m, &arena));
    arena_done(&arena);
    if (q) {
        terms.without = q->without;
        terms.max_output = q->max_output;
    }
    return terms;
}

void quirks_keep(const struct llm_model *m, const struct llm_terms *terms)
{
    if (!terms->without && !terms->max_output)
        return;
    struct arena arena;
    arena_init(&arena, 0);
    struct str key = quirk_key(m, &arena);
    struct quirk *q = quirk_find(key);
    if (!q && n_quirks < MOST_QUIRKS) {
        q = mem_new(struct quirk);
        q->key = mem_copy(key.ptr, key.len);
        q->next = quirks;
        quirks = q;
        n_quirks++;
    }
    if (q) {
        q->without = terms->without;
        q->max_output = terms->max_output;
    }
    arena_done(&arena);
}

void quirks_reset(void)
{
    while (quirks) {
        struct quirk *q = quirks;
        quirks = q->next;
        mem_free(q->key);
        mem_free(q);
    }
    n_quirks = 0;
}

/* ---- understanding a refusal -------------------------------------------- */

/* How servers name parameters. A refusal is about the first one in its text
 * that the request had. */
static const struct param_name {
    const char *word;
    unsigned params; /* the first of these that was sent */
} names[] = {
    {"max_completion_tokens", LLM_MAX_COMPLETION},
    {"max_tokens", LLM_MAX_TOKENS},
    {"temperature", LLM_TEMPERATURE},
    {"reasoning_effort", LLM_REASONING},
    {"effort", LLM_REASONING},
    {"reasoning", LLM_REASONING},
    {"adaptive thinking", LLM_THINKING},
    {"thinking", LLM_THINKING},
    {"budget_tokens", LLM_THINKING},
    {"response_format", LLM_JSON_SCHEMA | LLM_JSON_OBJECT},
    {"json_schema", LLM_JSON_SCHEMA},
    {"json_object", LLM_JSON_OBJECT},
    {"output_config", LLM_JSON_SCHEMA},
    {"output_format", LLM_JSON_SCHEMA},
    {"structured output", LLM_JSON_SCHEMA},
    {"stream_options", LLM_STREAM_OPTIONS},
    {"include_usage", LLM_STREAM_OPTIONS},
    {"tool_choice", LLM_TOOL_CHOICE},
    {"cache_control", LLM_CACHE_CONTROL},
};

static bool is_word_byte(char c)
{
    return str_is_alnum(c) || c == '_';
}

/* Offset of `word` in s as a whole word, or -1. */
static ptrdiff_t find_word(struct str s, struct str word)
{
    for (size_t from = 0; from < s.len;) {
        ptrdiff_t at = str_find_nocase(str_from(s, from), word);
        if (at < 0)
            return -1;
        size_t start = from + (size_t)at, end = start + word.len;
        if ((start == 0 || !is_word_byte(s.ptr[start - 1])) &&
            (end == s.len || !is_word_byte(s.ptr[end])))
            return (ptrdiff_t)start;
        from = start + 1;
    }
    return -1;
}

/* The parameter of the request that `text` names first; 0: none. */
static unsigned named_first(struct str text, unsigned sent)
{
    unsigned param = 0;
    ptrdiff_t first = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned here = names[i].params & sent;
        ptrdiff_t at = here ? find_word(text, str_of(names[i].word)) : -1;
        if (at >= 0 && (first < 0 || at < first)) {
            first = at;
            param = here;
        }
    }
    return param;
}

/* The limit in a sentence ("at most 16384", "> 8192"): the largest number below
 * what was sent; 0: none. */
static int limit_in_text(struct str text, int sent)
{
    int best = 0;
    for (size_t i = 0; i < text.len;) {
        size_t end = i;
        while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
            end++;
        int64_t n = 0;
        if (end > i && str_to_int64(str_cut(text, i, end - i), &n) &&
            n >= 256 && n < sent && n > best)
            best = (int)n;
        i = end > i ? end : i + 1;
    }
    return best;
}

static const char *param_word(unsigned param)
{
    size_t i = 0;
    while (!(names[i].params & param))
        i++;
    return names[i].word;
}

static bool learn_param(struct llm_terms *terms, unsigned param,
                        struct str message)
{
    int limit = param & (LLM_MAX_TOKENS | LLM_MAX_COMPLETION)
                    ? limit_in_text(message, terms->max_sent)
                    : 0;
    if (limit) {
        terms->max_output = limit;
    } else if (param && !(terms->without & param)) {
        terms->without |= param;
    } else {
        return false;
    }
    if (limit)
        log_line(LOG_WARN, "a model's server reported its token limit", "%s %d",
                 param_word(param), limit);
    else
        log_line(LOG_WARN, "a model's server refused a parameter", "%s",
                 param_word(param));
    return true;
}

bool quirks_learn(struct llm_terms *terms, struct str body)
{
    json_t *reply = json_read(body, NULL);
    const json_t *error = json_object_get(reply, "error");
    struct str message = json_get_text(error, "message");
    struct str code = json_get_text(error, "code");
    if (!message.len) /* another format */
        message = body;
    bool learnt = false;
    if (!str_is(code, "context_length_exceeded") &&
        str_find_nocase(message, STR("context length")) < 0) {
        unsigned param =
            named_first(json_get_text(error, "param"), terms->sent);
        if (!param)
            param = named_first(message, terms->sent);
        learnt = learn_param(terms, param, message);
    }
    json_decref(reply);
    return learnt;
}
