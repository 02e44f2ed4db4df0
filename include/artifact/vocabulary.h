/* vocabulary.h - phases, agents and events as enums and words (phases.def,
 * agents.def, events.def). */
#pragma once
#include "base/str.h"

enum phase {
#define PHASE(name, word, about) PHASE_##name,
#include "artifact/phases.def"
#undef PHASE
    PHASE_COUNT,
    PHASE_DONE = PHASE_COUNT /* a run that needs no phase more */
};

const char *phase_word(enum phase p); /* "sql_builder"; PHASE_DONE: "done" */
const char *phase_about(enum phase p);
/* PHASE_COUNT + 1 when the word is none. */
enum phase phase_of(struct str word);

/* Which agent answers in a chat (agents.def). */
enum agent_kind_id {
#define AGENT(name, word, first, title, about) AGENT_##name,
#include "artifact/agents.def"
#undef AGENT
    AGENT_KINDS
};

const char *agent_word(enum agent_kind_id a); /* "react" */
const char *agent_title(enum agent_kind_id a);
const char *agent_about(enum agent_kind_id a);
enum phase agent_first_phase(enum agent_kind_id a);
/* AGENT_KINDS when the word is none. */
enum agent_kind_id agent_of(struct str word);

enum event_type {
#define EVENT(name, type, fields) EVENT_##name,
#include "artifact/events.def"
#undef EVENT
    EVENT_COUNT
};

const char *event_word(enum event_type t);
const char *event_fields(enum event_type t);
