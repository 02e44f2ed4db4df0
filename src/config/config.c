/* config.c - reads the settings from flags, environment, file and defaults.
 *
 *   flags and environment -> which file -> the file -> NAME_FILE of secrets ->
 *   defaults -> checks */
#include "config/config.h"
#include "config/suggest.h"
#include "config_value.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

const struct config_setting config_settings[CONFIG_COUNT] = {
#define SECTION(title)
#define CONFIG(kind, field, name, otherwise, allowed, about) \
    {CONFIG_##kind, name,  otherwise, \
     allowed,       about, offsetof(struct config, field)},
#include "config/config.def"
#undef CONFIG
#undef SECTION
};

/* ---- names --------------------------------------------------------------- */

static struct str setting_name(struct arena *arena, const char *name,
                               const char *before, char joint)
{
    struct str rest = str_of(name);
    if (str_starts(rest, STR("SEXTANT_")))
        rest = str_from(rest, 8);
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, before);
    for (size_t i = 0; i < rest.len; i++) {
        char c = rest.ptr[i];
        if (c == '_')
            c = joint;
        else if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        buf_char(&out, c);
    }
    return buf_finish(&out);
}

struct str config_flag_name(struct arena *arena, const char *name)
{
    return setting_name(arena, name, "--", '-');
}

struct str config_file_name(struct arena *arena, const char *name)
{
    return setting_name(arena, name, "", '_');
}

/* ---- reading ------------------------------------------------------------- */

struct config_reader {
    struct arena *arena;
    const struct config_given *given;
    struct config *config;
    struct buf *problems, *warnings;
    const char *cwd;
    bool good;
};

/* One source of values: the file, the environment, the flags. */
struct setting_source {
    enum config_from from;
    const char *base; /* folder that paths are relative to */
};

static void report_problem(struct config_reader *r, struct str what,
                           const char *place, struct str why)
{
    buf_printf(r->problems, "%.*s: %.*s", STR_ARG(what), STR_ARG(why));
    if (place)
        buf_printf(r->problems, " (%s)", place);
    buf_char(r->problems, '\n');
    r->good = false;
}

static void set_value(struct config_reader *r, enum config_id id,
                      struct str value, const struct setting_source *origin,
                      const char *place)
{
    struct str why;
    if (!config_put(r->arena, r->config, id, value, origin->base, &why))
        report_problem(r, str_of(config_settings[id].name), place, why);
    r->config->origins[id] =
        (struct config_origin){.from = origin->from, .place = place};
}

static const char *path_at(struct arena *arena, const char *base,
                           struct str path)
{
    if (str_starts(path, STR("/")))
        return arena_cstr(arena, path);
    return arena_printf(arena, "%s/%.*s", base, STR_ARG(path)).ptr;
}

/* Reads a secret from the file that NAME_FILE names. */
static void set_secret_from_file(struct config_reader *r, enum config_id id,
                                 struct str path,
                                 const struct setting_source *origin,
                                 const char *place)
{
    struct str text, why;
    const char *name = config_settings[id].name;
    if (r->config->origins[id].from == origin->from && r->config->texts[id]) {
        report_problem(
            r, str_of(name), place,
            arena_printf(r->arena, "give %s or %s_FILE, not both", name, name));
        return;
    }
    if (!config_read_file(r->arena, path_at(r->arena, origin->base, path),
                          &text, &why))
        report_problem(r, arena_printf(r->arena, "%s_FILE", name), place, why);
    else if (!str_trim(text).len)
        report_problem(r, arena_printf(r->arena, "%s_FILE", name), place,
                       STR("the file is empty"));
    else
        set_value(r, id, str_trim(text), origin, place);
}

/* ---- the environment ----------------------------------------------------- */

static struct str env_value(const struct config_reader *r, const char *name)
{
    size_t len = strlen(name);
    for (const char *const *at = r->given->env; at && *at; at++)
        if (!strncmp(*at, name, len) && (*at)[len] == '=')
            return str_of(*at + len + 1);
    return (struct str){NULL, 0};
}

static void read_environment(struct config_reader *r)
{
    const struct setting_source origin = {FROM_ENVIRONMENT, r->cwd};
    for (enum config_id id = 0; id < CONFIG_COUNT; id++) {
        const struct config_setting *s = &config_settings[id];
        struct str value = env_value(r, s->name);
        if (value.len)
            set_value(r, id, value, &origin, "environment");
        if (s->kind != CONFIG_SECRET)
            continue;
        const char *name = arena_printf(r->arena, "%s_FILE", s->name).ptr;
        if (env_value(r, name).len)
            set_secret_from_file(
                r, id, env_value(r, name), &origin,
                arena_printf(r->arena, "environment, %s", name).ptr);
    }
}

static bool is_known_variable(struct str name)
{
    /* SEXTANT_TOKEN is for `sextant mcp`; the last three belong to our tests and
     * bench. */
    static const char *const known[] = {"SEXTANT_HOME",  "SEXTANT_CONFIG",
                                        "SEXTANT_TOKEN", "SEXTANT_SHARED_DATA",
                                        "SEXTANT_BENCH", "SEXTANT_PROGRAM"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(name, known[i]))
            return true;
    return !str_starts(name, STR("SEXTANT_"));
}

static void warn_unknown_variables(struct config_reader *r)
{
    for (const char *const *at = r->given->env; at && *at; at++) {
        struct str name = str_of(*at);
        ptrdiff_t end = str_find_char(name, '=');
        name = str_cut(name, 0, end < 0 ? 0 : (size_t)end);
        if (!is_known_variable(name))
            buf_printf(r->warnings, "%.*s is not a setting and has no effect\n",
                       STR_ARG(name));
    }
}

/* ---- the file ------------------------------------------------------------ */

static struct str suggest_setting(struct config_reader *r, struct str name,
                                  bool flag)
{
    const char *known[CONFIG_COUNT];
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const char *full = config_settings[i].name;
        known[i] = flag ? config_flag_name(r->arena, full).ptr
                        : config_file_name(r->arena, full).ptr;
    }
    const char *near = suggest(name, known, CONFIG_COUNT);
    const char *what = flag ? "option" : "setting";
    return near ? arena_printf(r->arena, "unknown %s; did you mean %s?", what,
                               near)
                : arena_printf(r->arena, "unknown %s", what);
}

/* Finds the setting that the file or a flag names; *file if it is the NAME_FILE
 * of a secret. CONFIG_COUNT: none. */
static enum config_id find_setting(struct arena *arena, struct str name,
                                   char joint, bool *file)
{
    for (enum config_id id = 0; id < CONFIG_COUNT; id++) {
        const struct config_setting *s = &config_settings[id];
        struct str own = setting_name(arena, s->name, "", joint);
        *file = s->kind == CONFIG_SECRET && name.len == own.len + 5 &&
                str_starts(name, own) &&
                str_is(str_from(name, own.len + 1), "file") &&
                name.ptr[own.len] == joint;
        if (*file || str_eq(own, name))
            return id;
    }
    return CONFIG_COUNT;
}

static const char *entry_place(const struct config_reader *r, const char *path,
                               const struct config_entry *e)
{
    return arena_printf(r->arena, "%s:%d:%d", path, e->line, e->column).ptr;
}

static void set_entry(struct config_reader *r, const struct config_entry *e,
                      const char *path, const struct setting_source *origin)
{
    bool from_file;
    const char *place = entry_place(r, path, e);
    enum config_id id = find_setting(r->arena, e->name, '_', &from_file);
    if (id == CONFIG_COUNT)
        report_problem(r, e->name, place, suggest_setting(r, e->name, false));
    else if (e->value.len && from_file)
        set_secret_from_file(r, id, e->value, origin, place);
    else if (e->value.len)
        set_value(r, id, e->value, origin, place);
}

static bool given_twice(const struct config_entry *entries, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(entries[i].name, entries[at].name))
            return true;
    return false;
}

static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_cstr(arena, (struct str){path, (size_t)(slash - path)})
                 : "";
}

static void read_settings_file(struct config_reader *r, const char *path)
{
    struct str text, why;
    struct config_entry *entries;
    size_t n;
    const struct setting_source origin = {FROM_FILE, folder_of(r->arena, path)};
    if (!config_read_file(r->arena, path, &text, &why)) {
        report_problem(r, STR("settings file"), NULL, why);
        return;
    }
    if (!config_file_read(r->arena, text, &entries, &n, &why)) {
        report_problem(r, str_of(path), NULL,
                       arena_printf(r->arena, "line %.*s", STR_ARG(why)));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (given_twice(entries, i))
            report_problem(r, entries[i].name,
                           entry_place(r, path, &entries[i]),
                           STR("it is set twice"));
        else
            set_entry(r, &entries[i], path, &origin);
    }
}

static const struct str *flag_of(const struct config_reader *r,
                                 const char *name)
{
    for (size_t i = r->given->n_flags; i-- > 0;)
        if (str_is(r->given->flags[i].name, name))
            return &r->given->flags[i].value;
    return NULL;
}

/* The path of the file: as named, or in the home folder if it exists. */
static const char *file_path(struct config_reader *r)
{
    struct str named = str_of(r->given->file);
    if (!named.len)
        named = env_value(r, "SEXTANT_CONFIG");
    if (named.len)
        return path_at(r->arena, r->cwd, named);
    const struct str *flag = flag_of(r, "home");
    struct str home = flag ? *flag : env_value(r, "SEXTANT_HOME"), why;
    if (home.len &&
        !config_put(r->arena, r->config, CONFIG_home, home, r->cwd, &why))
        return NULL;
    const char *path =
        arena_printf(r->arena, "%s/config.yaml", r->config->home).ptr;
    return access(path, F_OK) == 0 ? path : NULL;
}

/* ---- flags --------------------------------------------------------------- */

static void read_flags(struct config_reader *r)
{
    const struct setting_source origin = {FROM_FLAG, r->cwd};
    for (size_t i = 0; i < r->given->n_flags; i++) {
        const struct config_flag *f = &r->given->flags[i];
        bool from_file;
        const char *place =
            arena_printf(r->arena, "--%.*s", STR_ARG(f->name)).ptr;
        enum config_id id = find_setting(r->arena, f->name, '-', &from_file);
        if (id == CONFIG_COUNT)
            report_problem(r, str_of(place), NULL,
                           suggest_setting(r, str_of(place), true));
        else if (from_file)
            set_secret_from_file(r, id, f->value, &origin, place);
        else if (config_settings[id].kind == CONFIG_SECRET)
            report_problem(
                r, str_of(place), NULL,
                arena_printf(
                    r->arena,
                    "other users can see a command line; use %s or %s-file",
                    config_settings[id].name, place));
        else
            set_value(r, id, f->value, &origin, place);
    }
}

/* ---- everything ---------------------------------------------------------- */

static void put_defaults(struct config_reader *r)
{
    struct str why;
    for (enum config_id id = 0; id < CONFIG_COUNT; id++)
        if (*config_settings[id].otherwise)
            config_put(r->arena, r->config, id,
                       str_of(config_settings[id].otherwise), r->cwd, &why);
    memset(r->config->texts, 0, sizeof r->config->texts);
}

bool config_read(struct arena *arena, const struct config_given *given,
                 struct config *out, struct buf *problems, struct buf *warnings)
{
    char cwd[4096];
    struct config_reader r = {.arena = arena,
                              .given = given,
                              .config = out,
                              .problems = problems,
                              .warnings = warnings,
                              .good = true};
    *out = (struct config){0};
    r.cwd = getcwd(cwd, sizeof cwd) ? arena_cstr(arena, str_of(cwd)) : "/";
    put_defaults(&r);
    const char *path = given->no_file ? NULL : file_path(&r);
    if (path)
        read_settings_file(&r, path);
    read_environment(&r);
    read_flags(&r);
    warn_unknown_variables(&r);
    return config_check(out, problems, warnings) && r.good;
}

const char **config_environment(struct arena *arena, const struct config *c,
                                const char *const *extra)
{
    size_t n = 0, n_extra = 0;
    while (extra && extra[n_extra])
        n_extra++;
    const char **env =
        arena_new_array(arena, const char *, CONFIG_COUNT + n_extra + 2);
    for (size_t id = 0; id < CONFIG_COUNT; id++)
        if (c->texts[id])
            env[n++] = arena_printf(arena, "%s=%s", config_settings[id].name,
                                    c->texts[id])
                           .ptr;
    if (!c->texts[CONFIG_home])
        env[n++] = arena_printf(arena, "SEXTANT_HOME=%s", c->home).ptr;
    for (size_t i = 0; i < n_extra; i++)
        env[n++] = extra[i];
    return env;
}
