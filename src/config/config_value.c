/* config_value.c - parses and checks a value by the kind of its setting. */
#include "config_value.h"
#include "base/pairs.h"
#include "base/prices.h"
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_BYTES = 256 * 1024, KEY_DIGITS = 64, PAIRS_MOST = 15 };

static void *field_of(struct config *c, enum config_id id)
{
    return (char *)c + config_settings[id].at;
}

/* The field of a setting with a text value. */
static const char **config_text_at(struct config *c, enum config_id id)
{
    return field_of(c, id);
}

/* ---- allowed values ------------------------------------------------------ */

static void allowed_range(const struct config_setting *s, int64_t *least,
                          int64_t *most)
{
    struct str all = str_of(s->allowed);
    ptrdiff_t dots = str_find(all, STR(".."));
    str_to_int64(str_cut(all, 0, (size_t)dots), least);
    str_to_int64(str_from(all, (size_t)dots + 2), most);
}

/* Whether a plain number for this setting is in milliseconds. */
static bool in_ms(const struct config_setting *s)
{
    return str_ends(str_of(s->name), STR("_MS"));
}

static struct str allowed_words(struct arena *arena, const char *allowed)
{
    struct str word, rest = str_of(allowed);
    struct buf out;
    buf_init(&out, arena);
    while (str_split(&rest, '|', &word))
        buf_printf(&out, "%s%.*s", out.len ? ", " : "one of ", STR_ARG(word));
    return buf_view(&out);
}

struct str config_allowed(struct arena *arena, const struct config_setting *s)
{
    int64_t least = 0, most = 0;
    switch (s->kind) {
    case CONFIG_INT:
        allowed_range(s, &least, &most);
        return arena_printf(arena, "a whole number from %lld to %lld",
                            (long long)least, (long long)most);
    case CONFIG_TIME:
        allowed_range(s, &least, &most);
        return arena_printf(
            arena,
            "a time from %lld ms to %lld ms, in %s or with ms, s, m or h",
            (long long)least, (long long)most,
            in_ms(s) ? "milliseconds" : "seconds");
    case CONFIG_BOOL:
        return STR("on or off");
    case CONFIG_WORD:
        return allowed_words(arena, s->allowed);
    case CONFIG_WORDS:
        return STR("texts separated by commas");
    case CONFIG_PATH:
        return STR("a path");
    default:
        break;
    }
    if (!strcmp(s->allowed, "url"))
        return STR("an http:// or https:// address");
    if (!strcmp(s->allowed, "url|off"))
        return STR("an http:// or https:// address, or off");
    if (!strcmp(s->allowed, "postgresql"))
        return STR("a postgresql:// address");
    if (!strcmp(s->allowed, "key"))
        return STR("64 hexadecimal digits");
    if (!strcmp(s->allowed, "prices"))
        return STR("a list model=input/cached input/output,… of prices");
    if (!strcmp(s->allowed, "amount"))
        return STR("an amount such as 12.50");
    if (!strcmp(s->allowed, "pairs"))
        return STR("a list name=value,name=value of 15 pairs at most");
    return STR("any text");
}

/* ---- numbers, times, switches -------------------------------------------- */

static bool parse_time(struct str text, bool bare_ms, int64_t *out)
{
    static const struct time_unit {
        const char *word;
        int64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    int64_t unit = bare_ms ? 1 : 1000;
    size_t digits = 0;
    while (digits < text.len && text.ptr[digits] >= '0' &&
           text.ptr[digits] <= '9')
        digits++;
    struct str word = str_trim(str_from(text, digits));
    bool known = word.len == 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && !known; i++)
        if ((known = str_is(word, units[i].word)))
            unit = units[i].ms;
    return known && str_to_int64(str_cut(text, 0, digits), out) &&
           !__builtin_mul_overflow(*out, unit, out);
}

static bool set_number(struct config *c, enum config_id id, struct str text)
{
    const struct config_setting *s = &config_settings[id];
    int64_t least, most, value = 0;
    allowed_range(s, &least, &most);
    bool read = s->kind == CONFIG_TIME ? parse_time(text, in_ms(s), &value)
                                       : str_to_int64(text, &value);
    if (!read || value < least || value > most)
        return false;
    *(int64_t *)field_of(c, id) = value;
    return true;
}

static bool set_switch(struct config *c, enum config_id id, struct str text)
{
    static const char *const yes[] = {"on", "true", "yes", "1"};
    static const char *const no[] = {"off", "false", "no", "0"};
    for (int i = 0; i < 4; i++) {
        if (str_eq_nocase(text, str_of(yes[i])) ||
            str_eq_nocase(text, str_of(no[i]))) {
            *(bool *)field_of(c, id) = str_eq_nocase(text, str_of(yes[i]));
            return true;
        }
    }
    return false;
}

/* ---- texts --------------------------------------------------------------- */

static bool is_url(struct str text)
{
    static const struct str schemes[] = {{"http://", 7}, {"https://", 8}};
    for (int i = 0; i < 2; i++)
        if (str_starts(text, schemes[i]))
            return text.len > schemes[i].len && text.ptr[schemes[i].len] != '/';
    return false;
}

static bool is_hex_key(struct str text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++)
        digits += strchr("0123456789abcdefABCDEF", text.ptr[i]) != NULL;
    return text.len == KEY_DIGITS && digits == KEY_DIGITS;
}

static bool text_fits(struct str text, const char *allowed)
{
    if (!*allowed)
        return true;
    if (!strcmp(allowed, "postgresql"))
        return str_starts(text, STR("postgresql://")) ||
               str_starts(text, STR("postgres://"));
    if (!strcmp(allowed, "key"))
        return is_hex_key(text);
    if (!strcmp(allowed, "prices"))
        return prices_read(text, &(struct prices){0});
    if (!strcmp(allowed, "amount"))
        return amount_read(text, &(int64_t){0});
    if (!strcmp(allowed, "pairs"))
        return pairs_good(text, PAIRS_MOST);
    if (!strcmp(allowed, "url|off") && str_is(text, "off"))
        return true;
    return is_url(text);
}

static bool word_fits(struct str text, const char *allowed)
{
    struct str word, rest = str_of(allowed);
    while (str_split(&rest, '|', &word))
        if (str_eq(word, text))
            return true;
    return false;
}

const char *config_user_folder(void)
{
    const char *home = getenv("HOME");
    if (home && home[0] == '/')
        return home;
    const struct passwd *who = getpwuid(getuid());
    return who ? who->pw_dir : "/";
}

static char *absolute_path(struct arena *arena, struct str text,
                           const char *base)
{
    if (str_is(text, "~") || str_starts(text, STR("~/"))) {
        base = config_user_folder();
        text = str_from(text, text.len > 1 ? 2 : 1);
    } else if (str_starts(text, STR("/"))) {
        return arena_cstr(arena, text);
    }
    return arena_cstr(arena, arena_printf(arena, "%s%s%.*s", base,
                                          text.len ? "/" : "", STR_ARG(text)));
}

static void set_words(struct arena *arena, struct config *c, enum config_id id,
                      struct str text)
{
    struct str word, rest = text;
    size_t n = 0;
    const char **words = arena_new_array(arena, const char *, text.len + 2);
    while (str_split(&rest, ',', &word))
        if (str_trim(word).len)
            words[n++] = arena_cstr(arena, str_trim(word));
    *(const char *const **)field_of(c, id) = words;
}

static bool set_setting(struct arena *arena, struct config *c,
                        enum config_id id, struct str text, const char *base)
{
    const struct config_setting *s = &config_settings[id];
    switch (s->kind) {
    case CONFIG_INT:
    case CONFIG_TIME:
        return set_number(c, id, text);
    case CONFIG_BOOL:
        return set_switch(c, id, text);
    case CONFIG_WORDS:
        set_words(arena, c, id, text);
        return true;
    case CONFIG_PATH:
        *config_text_at(c, id) = absolute_path(arena, text, base);
        return true;
    default:
        *config_text_at(c, id) = arena_cstr(arena, text);
        return s->kind == CONFIG_WORD ? word_fits(text, s->allowed)
                                      : text_fits(text, s->allowed);
    }
}

bool config_put(struct arena *arena, struct config *c, enum config_id id,
                struct str text, const char *base, struct str *why)
{
    const struct config_setting *s = &config_settings[id];
    if (memchr(text.ptr, '\0', text.len)) {
        *why = STR("it contains a NUL byte");
        return false;
    }
    if (set_setting(arena, c, id, text, base)) {
        c->texts[id] = s->kind == CONFIG_PATH ? *config_text_at(c, id)
                                              : arena_cstr(arena, text);
        return true;
    }
    struct str allowed = config_allowed(arena, s);
    *why = s->kind == CONFIG_SECRET
               ? arena_printf(arena, "its value is not %.*s", STR_ARG(allowed))
               : arena_printf(arena, "\"%.*s\" is not %.*s", STR_ARG(text),
                              STR_ARG(allowed));
    return false;
}

/* ---- files --------------------------------------------------------------- */

bool config_read_file(struct arena *arena, const char *path, struct str *out,
                      struct str *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = arena_alloc(arena, MOST_BYTES + 1);
    size_t len = 0;
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0 && len <= MOST_BYTES) {
        got = read(fd, bytes + len, MOST_BYTES + 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        *why = arena_printf(arena, "%s: %s", path, strerror(errno));
    else if (len > MOST_BYTES)
        *why = arena_printf(arena, "%s: larger than 256 KiB", path);
    if (fd >= 0)
        close(fd);
    *out = (struct str){bytes, len};
    return got >= 0 && len <= MOST_BYTES;
}
