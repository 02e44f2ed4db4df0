/* prompt.h - prompts are files with named holes:
 * src/agent/<agent>/prompts/NAME.md.
 *
 * A file has a system part and, after a line "=== user ===", a user part.
 * {{hole}} is replaced by the text of the hole; a section {{#hole}} ...
 * {{/hole}} stays only if the hole is not empty. The text of a hole is data:
 * holes in it are not replaced. Each hole has a budget; when its text is cut,
 * the prompt says so. */
#pragma once
#include "base/arena.h"
#include "llm/llm.h"

struct prompt_hole {
    const char *name; /* NULL ends the list */
    struct str text;
    size_t budget; /* bytes; 0: no limit */
};

/* Two messages (system, user) in `arena`. An unknown name or hole aborts: the
 * files are built in, and a unit test fills each of them. */
enum { PROMPT_MESSAGES = 2 };
struct llm_message *prompt_fill(struct arena *arena, const char *name,
                                const struct prompt_hole *holes);

/* What became of a hole's text. */
struct prompt_section {
    const char *name;
    size_t bytes, cut;    /* of the text; of these, left out */
    struct str shortened; /* what the text itself says that it leaves out */
};
/* The last line of a text that leaves something out begins so. */
#define PROMPT_SHORTENED "# Shortened for lack of room: "

/* The holes that had a text, for messages that prompt_fill made; they live as
 * long as the messages. */
const struct prompt_section *prompt_sections(struct llm_message *messages,
                                             size_t *n);

/* The input of a phase, for the provider that reads no prompts (builtin.c). */
enum builtin_task {
    TASK_PLAN,
    TASK_NAVIGATE,
    TASK_QUERIES,
    TASK_REPAIR,
    TASK_PYTHON,
    TASK_VERIFY,
    TASK_EXPLAIN,
    TASK_REACT,
    TASK_CSV,
    TASK_EXPLORER,
};
struct run;
struct tool_loop;
struct plan_step;
struct phase_inputs {
    enum builtin_task task;
    struct run *run;
    const struct plan_step *step;
    const struct tool_loop *loop; /* of an agent that calls tools */
};
