/* config.h - the settings of the operator: one struct, from one table
 * (config.def).
 *
 *   setting   a row of the table
 *   source    where its value comes from: flag > environment > file > default
 *
 * An empty value counts as not given. The file is YAML: one mapping of names to
 * scalars or lists. --config or SEXTANT_CONFIG names it; otherwise it is
 * config.yaml in SEXTANT_HOME, if that exists. Every value is checked when it
 * is read, and all problems are reported at once, with the name, the place and
 * what is allowed. Values of secrets are never shown. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

enum config_id {
#define SECTION(title)
#define CONFIG(kind, field, name, otherwise, allowed, about) CONFIG_##field,
#include "config/config.def"
#undef CONFIG
#undef SECTION
    CONFIG_COUNT
};

enum config_from { FROM_DEFAULT, FROM_FILE, FROM_ENVIRONMENT, FROM_FLAG };

struct config_origin {
    enum config_from from;
    const char *place; /* "config.yaml:12:1", "PORT", "--port"; NULL: default */
};

/* Texts end in NUL; NULL means not set. WORDS end in NULL. */
struct config {
#define TEXT const char *
#define SECRET const char *
#define PATH const char *
#define WORD const char *
#define WORDS const char *const *
#define INT int64_t
#define TIME int64_t
#define BOOL bool
#define SECTION(title)
#define CONFIG(kind, field, name, otherwise, allowed, about) kind field;
#include "config/config.def"
#undef CONFIG
#undef SECTION
#undef TEXT
#undef SECRET
#undef PATH
#undef WORD
#undef WORDS
#undef INT
#undef TIME
#undef BOOL
    struct config_origin origins[CONFIG_COUNT];
    const char *texts[CONFIG_COUNT]; /* as written; NULL for defaults */
};

enum config_kind {
    CONFIG_TEXT,
    CONFIG_SECRET,
    CONFIG_PATH,
    CONFIG_WORD,
    CONFIG_WORDS,
    CONFIG_INT,
    CONFIG_TIME,
    CONFIG_BOOL
};

struct config_setting {
    enum config_kind kind;
    const char *name;      /* in the environment */
    const char *otherwise; /* the default, as text */
    const char *allowed;
    const char *about;
    size_t at; /* offset in struct config */
};
extern const struct config_setting config_settings[CONFIG_COUNT];

/* "--sql-max-rows" and "sql_max_rows" for SQL_MAX_ROWS, in the arena. */
struct str config_flag_name(struct arena *arena, const char *name);
struct str config_file_name(struct arena *arena, const char *name);

struct config_flag {
    struct str name, value; /* "port", "9000" */
};

struct config_given {
    const struct config_flag *flags;
    size_t n_flags;
    const char *const *env; /* NULL: none */
    const char *file;       /* from --config */
    bool no_file; /* do not read a file: the environment has everything */
};

/* Reads all sources. Returns false if something is wrong, with one line for
 * each problem in *problems. Warnings go to *warnings and do not make it fail.
 * The texts are in the arena. */
bool config_read(struct arena *arena, const struct config_given *given,
                 struct config *out, struct buf *problems,
                 struct buf *warnings);

/* The environment that gives a child process the same settings and nothing
 * else: NAME=value, secrets included, NULL at the end. `extra` is appended. */
const char **config_environment(struct arena *arena, const struct config *c,
                                const char *const *extra);

/* Appends all settings with values and sources, secrets hidden: one line each,
 * or JSON. */
void config_print(const struct config *c, struct buf *out);
void config_print_json(const struct config *c, struct buf *out);
/* Appends the table of the documentation (docs/configuration.md). */
void config_print_markdown(struct buf *out);
/* What a value may be, as words: "a whole number from 0 to 65535". */
struct str config_allowed(struct arena *arena,
                          const struct config_setting *setting);

/* The user's home folder, without a trailing slash. */
const char *config_user_folder(void);

/* Reads a whole file of at most 256 KiB. Returns false with *why. */
bool config_read_file(struct arena *arena, const char *path, struct str *out,
                      struct str *why);
