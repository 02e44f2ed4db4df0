/* prompts.h - the files of pipeline/prompts, built in by embed.py. */
#pragma once

struct prompt_file {
    const char *name, *text; /* name NULL ends the list */
};
extern const struct prompt_file prompt_files[];
