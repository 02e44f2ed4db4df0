/* vocabulary.h - agents, phases and events as enums and as the words that JSON
 * has for them (agents.def, events.def). */
#pragma once
#include "base/str.h"

/* ---- phases ------------------------------------------------------------- */

enum phase {
#define PHASE(name, word, about) PHASE_##name,
#include "artifact/agents.def"
    PHASE_COUNT,
    PHASE_DONE = PHASE_COUNT /* the run has no phase left */
};

const char *phase_word(enum phase p); /* "sql_builder"; PHASE_DONE: "done" */
/* What the phase does, in a few words for its reader. */
const char *phase_about(enum phase p);
/* The phase of a word; PHASE_COUNT + 1 when there is none. */
enum phase phase_of(struct str word);

/* ---- agents ------------------------------------------------------------- */

enum agent_kind_id {
#define AGENT(name, word, first) AGENT_##name,
#include "artifact/agents.def"
    AGENT_KINDS
};

const char *agent_word(enum agent_kind_id a); /* "react" */
/* "must be one of: pipeline react …": what is wrong with any other word. */
const char *agent_choices(void);
enum phase agent_first_phase(enum agent_kind_id a);
/* The agent of a word; AGENT_KINDS when there is none. */
enum agent_kind_id agent_of(struct str word);

/* ---- events ------------------------------------------------------------- */

enum event_type {
#define EVENT(name, type, fields) EVENT_##name,
#include "artifact/events.def"
#undef EVENT
    EVENT_COUNT,
    EVENT_RUN_PROGRESS =
        EVENT_COUNT /* of a build; streams of chats have none */
};

const char *event_word(enum event_type t); /* "message_start" */
/* Its fields as events.def lists them, for generated descriptions. */
const char *event_fields(enum event_type t);
