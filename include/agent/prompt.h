/* prompt.h - prompts are files (pipeline/prompts/NAME.md) with named holes.
 *
 * A file has a system part and, behind a line "=== user ===", a user part.
 * {{hole}} is replaced by the hole's text; a section {{#hole}} … {{/hole}} stays
 * only when the hole is not empty. A hole's text is data: it is never read for
 * holes again. Each hole has a budget; what is cut is said in the text. */
#pragma once
#include "base/arena.h"
#include "llm/llm.h"

struct prompt_hole {
    const char *name; /* NULL ends the list */
    struct str text;
    size_t budget; /* bytes; 0: as long as it is */
};

/* Two messages (system, user) in `arena`. An unknown name or hole ends the process: the
 * files are built in, and a unit test fills each of them. */
enum { PROMPT_MESSAGES = 2 };
struct llm_message *prompt_fill(struct arena *arena, const char *name,
                                const struct prompt_hole *holes);

/* What a phase hands over, for a provider that reads no prompts. */
enum builtin_task {
    TASK_PLAN,
    TASK_NAVIGATE,
    TASK_QUERIES,
    TASK_REPAIR,
    TASK_PYTHON,
    TASK_VERIFY,
    TASK_EXPLAIN,
    TASK_REACT,
};
struct run;
struct tool_loop;
struct plan_step;
struct phase_inputs {
    enum builtin_task task;
    struct run *run;
    const struct plan_step *step;
    struct str sql, error;        /* of a repair */
    const struct tool_loop *loop; /* of an agent that calls tools */
};
