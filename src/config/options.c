/* options.c - parses a command line and reads the settings. */
#include "config/options.h"
#include "base/mem.h"
#include "config/suggest.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_OPTIONS = 16 }; /* own options per command */

struct option_line {
    struct arena *arena;
    int argc, at;
    char **argv;
    const struct option *own;
    struct config_flag *flags;
    size_t n_flags;
    const char *file; /* --config */
};

static const struct option *own_option(const struct option *own,
                                       struct str name)
{
    for (; own && own->name; own++)
        if (str_is(name, own->name))
            return own;
    return NULL;
}

/* The setting that a flag names, or CONFIG_COUNT. */
static enum config_id flag_setting(struct arena *arena, struct str name)
{
    enum config_id id = 0;
    while (
        id < CONFIG_COUNT &&
        !str_eq(str_from(config_flag_name(arena, config_settings[id].name), 2),
                name))
        id++;
    return id;
}

static bool is_setting(struct arena *arena, struct str name)
{
    return flag_setting(arena, name) < CONFIG_COUNT || str_is(name, "config") ||
           str_ends(name, STR("-file"));
}

/* Whether the option may come without a value: switches, and, as the last word,
 * unknown options, which are reported as such. */
static bool needs_no_value(const struct option_line *l, struct str name)
{
    enum config_id id = flag_setting(l->arena, name);
    if (id < CONFIG_COUNT)
        return config_settings[id].kind == CONFIG_BOOL;
    return l->at + 1 == l->argc && !is_setting(l->arena, name);
}

static bool option_value(struct option_line *l, struct str name,
                         struct str *value)
{
    if (value->ptr)
        return true;
    if (l->at + 1 >= l->argc) {
        fprintf(stderr, "sextant %s: --%.*s needs a value\n", l->argv[0],
                STR_ARG(name));
        return false;
    }
    *value = str_of(l->argv[++l->at]);
    return true;
}

static bool set_own_option(struct option_line *l, const struct option *o,
                           struct str name, struct str value)
{
    if (o->on && value.ptr) {
        fprintf(stderr, "sextant %s: --%.*s takes no value\n", l->argv[0],
                STR_ARG(name));
        return false;
    }
    if (o->on)
        *o->on = true;
    else if (!option_value(l, name, &value))
        return false;
    else
        *o->value = arena_cstr(l->arena, value);
    return true;
}

/* The command's own option closest to the name, unless the name is a
 * setting. */
static const char *suggest_own_option(const struct option_line *l,
                                      struct str name)
{
    const char *known[MOST_OPTIONS];
    size_t n = 0;
    for (const struct option *o = l->own; o && o->name && n < MOST_OPTIONS; o++)
        known[n++] = o->name;
    return is_setting(l->arena, name) ? NULL : suggest(name, known, n);
}

static bool read_option(struct option_line *l)
{
    struct str value = str_from(str_of(l->argv[l->at]), 2), name;
    str_split(&value, '=', &name);
    const struct option *o = own_option(l->own, name);
    if (o)
        return set_own_option(l, o, name, value);
    const char *meant = suggest_own_option(l, name);
    if (meant) {
        fprintf(stderr,
                "sextant %s: unknown option --%.*s; did you mean --%s?\n",
                l->argv[0], STR_ARG(name), meant);
        return false;
    }
    if (!value.ptr && needs_no_value(l, name))
        value = STR("on");
    if (!option_value(l, name, &value))
        return false;
    if (str_is(name, "config"))
        l->file = arena_cstr(l->arena, value);
    else
        l->flags[l->n_flags++] =
            (struct config_flag){.name = name, .value = value};
    return true;
}

static bool read_command_line(struct option_line *l, struct arguments *args)
{
    const char **items =
        arena_new_array(l->arena, const char *, (size_t)l->argc + 1);
    bool options = true;
    for (l->at = 1; l->at < l->argc; l->at++) {
        const char *word = l->argv[l->at];
        if (options && !strcmp(word, "--")) {
            options = false;
        } else if (options && !strncmp(word, "--", 2)) {
            if (!read_option(l))
                return false;
        } else if (options && word[0] == '-' && word[1]) {
            fprintf(stderr,
                    "sextant %s: unknown option %s; options begin with --\n",
                    l->argv[0], word);
            return false;
        } else {
            items[args->n++] = word;
        }
    }
    args->items = items;
    return true;
}

static bool read_all_settings(struct option_line *l, struct config *config,
                              struct buf *problems, struct buf *warnings)
{
    buf_init(problems, l->arena);
    buf_init(warnings, l->arena);
    return config_read(
        l->arena,
        &(struct config_given){.flags = l->flags,
                               .n_flags = l->n_flags,
                               .env = (const char *const *)environ,
                               .file = l->file},
        config, problems, warnings);
}

static bool read_and_print_settings(struct option_line *l,
                                    struct config *config)
{
    struct buf problems, warnings;
    bool good = read_all_settings(l, config, &problems, &warnings);
    struct str line, rest = buf_view(good ? &warnings : &problems);
    while (str_split(&rest, '\n', &line))
        if (line.len)
            fprintf(stderr, "sextant: %.*s\n", STR_ARG(line));
    return good;
}

static struct option_line option_line_of(struct arena *arena, int argc,
                                         char **argv, const struct option *own)
{
    return (struct option_line){
        .arena = arena,
        .argc = argc,
        .argv = argv,
        .own = own,
        .flags = arena_new_array(arena, struct config_flag, (size_t)argc + 1)};
}

bool options_read(struct arena *arena, int argc, char **argv,
                  const struct option *own, struct arguments *args,
                  struct config *config)
{
    struct option_line l = option_line_of(arena, argc, argv, own);
    *args = (struct arguments){0};
    return read_command_line(&l, args) && read_and_print_settings(&l, config);
}

bool options_read_again(struct arena *arena, int argc, char **argv,
                        const struct option *own, struct config *config,
                        struct buf *problems, struct buf *warnings)
{
    struct option_line l = option_line_of(arena, argc, argv, own);
    struct arguments args = {0};
    return read_command_line(&l, &args) &&
           read_all_settings(&l, config, problems, warnings);
}

enum log_level options_log_level(const char *word)
{
    return !strcmp(word, "debug")   ? LOG_DEBUG
           : !strcmp(word, "warn")  ? LOG_WARN
           : !strcmp(word, "error") ? LOG_ERROR
                                    : LOG_INFO;
}
