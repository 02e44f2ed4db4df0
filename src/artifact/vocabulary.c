/* vocabulary.c - the words of agents.def and events.def, by their enums. */
#include "artifact/vocabulary.h"
#include "base/banned.h"

static const char *const phase_words[] = {
#define PHASE(name, word, about) word,
#include "artifact/agents.def"
    "done"};

static const char *const phase_abouts[] = {
#define PHASE(name, word, about) about,
#include "artifact/agents.def"
    ""};

static const struct {
    const char *word;
    enum phase first;
} agents[] = {
#define AGENT(name, word, first) {#word, PHASE_##first},
#include "artifact/agents.def"
};

static const char *const event_words[] = {
#define EVENT(name, type, fields) type,
#include "artifact/events.def"
#undef EVENT
    "run_progress"};

static const char *const event_field_lists[] = {
#define EVENT(name, type, fields) fields,
#include "artifact/events.def"
#undef EVENT
};

const char *phase_word(enum phase p)
{
    return phase_words[p];
}

const char *phase_about(enum phase p)
{
    return phase_abouts[p];
}

enum phase phase_of(struct str word)
{
    unsigned p = 0;
    while (p <= PHASE_DONE && !str_is(word, phase_words[p]))
        p++;
    return (enum phase)p;
}

const char *agent_word(enum agent_kind_id a)
{
    return agents[a].word;
}

const char *agent_choices(void)
{
    return "must be one of:"
#define AGENT(name, word, first) " " #word
#include "artifact/agents.def"
        ;
}

enum phase agent_first_phase(enum agent_kind_id a)
{
    return agents[a].first;
}

enum agent_kind_id agent_of(struct str word)
{
    unsigned a = 0;
    while (a < AGENT_KINDS && !str_is(word, agents[a].word))
        a++;
    return (enum agent_kind_id)a;
}

const char *event_word(enum event_type t)
{
    return event_words[t];
}

const char *event_fields(enum event_type t)
{
    return event_field_lists[t];
}
