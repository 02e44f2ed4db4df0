/* browser.c - parses Cookie and Origin headers, and writes Set-Cookie. */
#include "browser.h"
#include "base/banned.h"

bool cookie_find(struct str header, const char *name, struct str *out)
{
    struct str pair;
    while (str_split(&header, ';', &pair)) {
        struct str value = str_trim(pair), key;
        if (!str_split(&value, '=', &key) || !value.ptr || !str_is(key, name))
            continue;
        if (value.len >= 2 && value.ptr[0] == '"' &&
            value.ptr[value.len - 1] == '"')
            value = str_cut(value, 1, value.len - 2);
        *out = value;
        return true;
    }
    return false;
}

struct str cookie_write(struct arena *arena, const struct cookie *c)
{
    return arena_printf(arena,
                        "%s=%.*s; Path=%s; Max-Age=%lld; HttpOnly; "
                        "SameSite=Strict%s",
                        c->name, STR_ARG(c->value), c->path,
                        (long long)c->lifetime_s, c->secure ? "; Secure" : "");
}

static struct str without_port(struct str host, const char *port)
{
    return str_ends(host, str_of(port))
               ? str_cut(host, 0, host.len - str_of(port).len)
               : host;
}

bool origin_is_of(struct str origin, struct str host)
{
    bool https = str_starts(origin, STR("https://"));
    const char *port = https ? ":443" : ":80";
    if (!https && !str_starts(origin, STR("http://")))
        return false;
    origin = str_from(origin, https ? 8 : 7);
    return host.len > 0 &&
           str_eq_nocase(without_port(origin, port), without_port(host, port));
}
