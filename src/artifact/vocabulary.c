#include "artifact/vocabulary.h"
#include "base/banned.h"

static const char *const phase_words[] = {
#define PHASE(name, word, about) word,
#include "artifact/phases.def"
#undef PHASE
    "done"};

static const char *const phase_abouts[] = {
#define PHASE(name, word, about) about,
#include "artifact/phases.def"
#undef PHASE
    ""};

static const char *const event_words[] = {
#define EVENT(name, type, fields) type,
#include "artifact/events.def"
#undef EVENT
};

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

const char *event_word(enum event_type t)
{
    return event_words[t];
}

const char *event_fields(enum event_type t)
{
    return event_field_lists[t];
}
