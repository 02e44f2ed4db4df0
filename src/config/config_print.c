/* config_print.c - prints settings: their values, and their documentation. */
#include "base/json.h"
#include "config/config.h"
#include "config_value.h"
#include "base/banned.h"

static const char *const from_words[] = {"default", "file", "environment",
                                         "flag"};

static struct str shown(struct arena *arena, const struct config *c,
                        enum config_id id)
{
    const struct config_setting *s = &config_settings[id];
    (void)arena;
    if (s->kind == CONFIG_SECRET)
        return c->texts[id] ? STR("(set, hidden)") : STR("(not set)");
    if (c->texts[id])
        return str_of(c->texts[id]);
    if (id == CONFIG_home)
        return str_of(c->home);
    return *s->otherwise ? str_of(s->otherwise) : STR("(not set)");
}

void config_print(const struct config *c, struct buf *out)
{
    struct arena arena;
    arena_init(&arena, 0);
    for (enum config_id id = 0; id < CONFIG_COUNT; id++) {
        const struct config_origin *o = &c->origins[id];
        struct str value = shown(&arena, c, id);
        buf_printf(out, "%-28s %-32.*s %s\n", config_settings[id].name,
                   STR_ARG(value), o->place ? o->place : from_words[o->from]);
    }
    arena_done(&arena);
}

void config_print_json(const struct config *c, struct buf *out)
{
    struct arena arena;
    struct json_writer w;
    arena_init(&arena, 0);
    json_write_to(&w, out);
    json_put_object(&w);
    for (enum config_id id = 0; id < CONFIG_COUNT; id++) {
        const struct config_setting *s = &config_settings[id];
        json_put_key(&w, s->name);
        json_put_object(&w);
        if (s->kind == CONFIG_SECRET)
            json_field_bool(&w, "set", c->texts[id] != NULL);
        else if (c->texts[id] || *s->otherwise)
            json_field_str(&w, "value", shown(&arena, c, id));
        else
            json_field_null(&w, "value");
        json_field_text(&w, "source", from_words[c->origins[id].from]);
        json_field_text(&w, "place", c->origins[id].place);
        json_put_object_end(&w);
    }
    json_put_object_end(&w);
    buf_char(out, '\n');
    arena_done(&arena);
}

static void heading(struct buf *out, const char *title)
{
    buf_printf(out,
               "\n## %s\n\n| setting | default | allowed | what |\n"
               "|---|---|---|---|\n",
               title);
}

static void row(struct arena *arena, struct buf *out, enum config_id id)
{
    const struct config_setting *s = &config_settings[id];
    struct str allowed = config_allowed(arena, s);
    buf_printf(out, "| `%s`%s | %s%s%s | %.*s | %s |\n", s->name,
               s->kind == CONFIG_SECRET ? " (secret)" : "",
               *s->otherwise ? "`" : "", s->otherwise, *s->otherwise ? "`" : "",
               STR_ARG(allowed), s->about);
}

void config_print_markdown(struct buf *out)
{
    struct arena arena;
    arena_init(&arena, 0);
    buf_text(
        out,
        "# Settings\n\n"
        "Made by `sextant config --markdown`; do not edit.\n\n"
        "A flag wins over the environment, that over the file, that over the "
        "default. `SQL_MAX_ROWS`\nis `--sql-max-rows` on the command line and "
        "`sql_max_rows` in the file; `SEXTANT_HOME` is `--home`\nand `home`. "
        "The file is YAML: `--config FILE`, `SEXTANT_CONFIG`, or "
        "`config.yaml` in `SEXTANT_HOME`.\nA secret is never a flag; "
        "`NAME_FILE` (`--name-file`, `name_file`) names a file that holds it.\n"
        "An empty value counts as not given.\n");
#define SECTION(title) heading(out, title);
#define CONFIG(kind, field, name, otherwise, allowed, about) \
    row(&arena, out, CONFIG_##field);
#include "config/config.def"
#undef CONFIG
#undef SECTION
    arena_done(&arena);
}
