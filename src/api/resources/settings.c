/* settings.c - settings of a user and of the whole server.
 *
 * PUT replaces (absent fields get their default), PATCH merges (RFC 7386). The
 * version is the ETag; with If-Match, a concurrent change is answered 409. */
#include "store/settings.h"
#include "base/utf8.h"
#include "model_settings.h"
#include "../request.h"
#include <stdio.h>
#include "base/banned.h"

enum {
    PART_MOST = 8192,
    URL_MOST = 2048,
    TEXT_MOST = 255,
    FEATURES_MOST = 100
};

struct settings_work {
    struct user_settings user;
    struct user_settings_put user_put;
    struct system_settings system;
    struct system_settings_put system_put;
    bool merges, writes, wrote;
    json_t *all; /* the future settings: an object */
};

static struct next user_settings_read(struct flow *f),
    user_settings_written(struct flow *f), system_settings_read(struct flow *f),
    system_settings_written(struct flow *f);

static struct settings_work *settings_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct settings_work *s = keep(f, struct settings_work);
    s->user.store = s->user_put.store = s->system.store = s->system_put.store =
        request_store(q);
    s->user.user_id = s->user_put.user_id = q->user.id;
    s->system_put.actor_id = q->user.id;
    s->system_put.request_id = q->x->request_id;
    q->state = s;
    return s;
}

/* ---- shared by both ------------------------------------------------------ */

/* RFC 7386. The JSON reader bounds the depth. */
static void merge_patch(json_t *into, const json_t *patch)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)patch, key, value)
    {
        if (json_is_null(value)) {
            json_object_del(into, key);
        } else if (json_is_object(value)) {
            json_t *inner = json_object_get(into, key);
            if (!json_is_object(inner)) {
                inner = json_object();
                json_object_set_new(into, key, inner);
            }
            merge_patch(inner, value);
        } else {
            json_object_set(into, key, value);
        }
    }
}

/* "3", W/"3" and 3 mean version 3. Returns false after answering 409. */
static bool version_fits(struct request *q, int64_t version)
{
    struct str tag = str_trim(http_get_header(q->x, "If-Match"));
    int64_t wanted;
    if (!tag.len || str_is(tag, "*"))
        return true;
    if (str_starts(tag, STR("W/")))
        tag = str_from(tag, 2);
    if (tag.len >= 2 && tag.ptr[0] == '"' && tag.ptr[tag.len - 1] == '"')
        tag = str_cut(tag, 1, tag.len - 2);
    if (str_to_int64(tag, &wanted) && wanted == version)
        return true;
    reply_error(q, ERR_CONFLICT,
                "The settings were changed by another request.");
    return false;
}

/* The version that must still be current: the one read, if the client named it
 * or merges. */
static int64_t expected_version(struct request *q, bool merges, int64_t version)
{
    return merges || http_get_header(q->x, "If-Match").len
               ? version
               : SETTINGS_ANY_VERSION;
}

static void set_etag(struct request *q, int64_t version)
{
    char tag[32];
    snprintf(tag, sizeof tag, "\"%lld\"", (long long)version);
    http_set_etag(q->x, str_of(tag));
}

static struct str part_text(struct request *q, const json_t *v)
{
    return v ? json_print(&q->memory, v) : STR("{}");
}

static void check_size(struct request *q, const char *field, struct str text)
{
    if (text.len > PART_MOST)
        request_invalid(q, field, "must be at most 8192 bytes");
}

/* ---- /api/user-settings -------------------------------------------------- */

static struct next user_read_begin(struct flow *f, bool writes, bool merges)
{
    struct settings_work *s = settings_work_new(f);
    s->writes = writes;
    s->merges = merges;
    if (writes && !request_body(REQUEST(f)))
        return back(f);
    return call(f, user_settings_begin, &s->user, user_settings_read);
}

struct next user_settings_show(struct flow *f)
{
    return user_read_begin(f, false, false);
}

struct next user_settings_replace(struct flow *f)
{
    return user_read_begin(f, true, false);
}

struct next user_settings_merge(struct flow *f)
{
    return user_read_begin(f, true, true);
}

static void add_json_part(json_t *all, const char *key, struct str text)
{
    json_object_set_new(all, key, json_read(text, NULL));
}

static json_t *user_settings_json(const struct user_settings *u)
{
    json_t *all = json_object();
    json_object_set_new(all, "theme", json_stringn(u->theme.ptr, u->theme.len));
    add_json_part(all, "profile", u->profile);
    add_json_part(all, "notifications", u->notifications);
    if (u->default_provider.len)
        json_object_set_new(
            all, "defaultProvider",
            json_stringn(u->default_provider.ptr, u->default_provider.len));
    return all;
}

static bool is_one_of(struct str s, const char *words)
{
    struct str rest = str_of(words), word;
    while (str_split(&rest, ' ', &word))
        if (str_eq(word, s))
            return true;
    return false;
}

static void read_theme(struct request *q, struct settings_work *s)
{
    const json_t *v = json_object_get(s->all, "theme");
    s->user_put.theme = v && !json_is_null(v) ? json_text(v) : STR("system");
    if (!is_one_of(s->user_put.theme, "light dark system"))
        request_invalid(q, "theme", "must be light, dark or system");
}

static void read_default_provider(struct request *q, struct settings_work *s)
{
    const json_t *v = json_object_get(s->all, "defaultProvider");
    s->user_put.default_provider = json_text(v);
    if (v && !json_is_null(v) &&
        !is_one_of(json_text(v), "openai anthropic azure builtin"))
        request_invalid(q, "defaultProvider",
                        "must be openai, anthropic, azure, builtin or null");
}

static bool web_address(struct str s)
{
    return str_starts(s, STR("https://")) || str_starts(s, STR("http://"));
}

static void read_profile(struct request *q, struct settings_work *s)
{
    const json_t *v = json_object_get(s->all, "profile");
    const json_t *name = json_object_get(v, "displayName");
    const json_t *image = json_object_get(v, "profileImageUrl");
    if (v && !json_is_null(v) && !json_is_object(v))
        request_invalid(q, "profile", "must be an object");
    if (name && !json_is_null(name) &&
        (!json_is_string(name) || utf8_count(json_text(name)) > TEXT_MOST))
        request_invalid(q, "profile.displayName",
                        "must be at most 255 characters");
    if (image && !json_is_null(image) &&
        (!json_is_string(image) || !web_address(json_text(image)) ||
         json_text(image).len > URL_MOST))
        request_invalid(q, "profile.profileImageUrl",
                        "must be an http address of at most 2048 bytes");
    s->user_put.profile = part_text(q, json_is_object(v) ? v : NULL);
    check_size(q, "profile", s->user_put.profile);
}

static void read_notifications(struct request *q, struct settings_work *s)
{
    const json_t *v = json_object_get(s->all, "notifications");
    if (v && !json_is_null(v) && !json_is_object(v))
        request_invalid(q, "notifications", "must be an object");
    s->user_put.notifications = part_text(q, json_is_object(v) ? v : NULL);
    check_size(q, "notifications", s->user_put.notifications);
}

static struct next reply_user_settings(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct user_settings *u = &((struct settings_work *)q->state)->user;
    struct api_reply r;
    set_etag(q, u->version);
    reply_open_object(q, &r);
    json_field_str(&r.w, "theme", u->theme);
    json_field_raw(&r.w, "profile", u->profile);
    json_field_str_or_null(&r.w, "defaultProvider", u->default_provider);
    json_field_raw(&r.w, "notifications", u->notifications);
    json_field_int(&r.w, "version", u->version);
    json_field_str_or_null(&r.w, "updatedAt", u->updated_at);
    reply_send_object(q, &r, 200);
    return back(f);
}

static struct next user_settings_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct settings_work *s = q->state;
    if (!s->writes || s->wrote)
        return reply_user_settings(f);
    if (!version_fits(q, s->user.version))
        return back(f);
    s->all = s->merges ? user_settings_json(&s->user) : json_object();
    defer_kept(f, json_drop, s->all);
    merge_patch(s->all, q->body);
    read_theme(q, s);
    read_default_provider(q, s);
    read_profile(q, s);
    read_notifications(q, s);
    if (request_refused(q))
        return back(f);
    s->user_put.expected = expected_version(q, s->merges, s->user.version);
    return call(f, user_settings_put_begin, &s->user_put,
                user_settings_written);
}

static struct next user_settings_written(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct settings_work *s = q->state;
    s->wrote = true;
    if (s->user_put.changed)
        return call(f, user_settings_begin, &s->user, user_settings_read);
    return reply_refusal(f, ERR_CONFLICT,
                         "The settings were changed by another request.");
}

/* ---- /api/system-settings ------------------------------------------------ */

static struct next system_read_begin(struct flow *f, bool writes, bool merges)
{
    struct settings_work *s = settings_work_new(f);
    s->writes = writes;
    s->merges = merges;
    if (writes && !request_body(REQUEST(f)))
        return back(f);
    return call(f, system_settings_begin, &s->system, system_settings_read);
}

struct next system_settings_show(struct flow *f)
{
    return system_read_begin(f, false, false);
}

struct next system_settings_replace(struct flow *f)
{
    return system_read_begin(f, true, false);
}

struct next system_settings_merge(struct flow *f)
{
    return system_read_begin(f, true, true);
}

/* Also accepts `dataAgent` at the top level. */
static void read_top_level_agent(struct request *q)
{
    json_t *body = q->body;
    json_t *seeds = json_object_get(body, "dataAgent");
    json_t *configs = json_object_get(body, "agentConfigs");
    if (seeds && !json_is_null(seeds) && !json_is_object(seeds))
        request_invalid(q, "dataAgent", "must be an object");
    if (!json_is_object(seeds) || json_object_get(configs, "dataAgent"))
        return;
    if (!json_is_object(configs)) {
        configs = json_object();
        json_object_set_new(body, "agentConfigs", configs);
    }
    json_object_set(configs, "dataAgent", seeds);
}

static void check_features(struct request *q, const json_t *v)
{
    const char *key;
    json_t *value;
    bool good = !v || json_is_object(v);
    json_object_foreach((json_t *)v, key, value) good =
        good && json_is_boolean(value) && utf8_count(str_of(key)) <= TEXT_MOST;
    if (!good || json_object_size(v) > FEATURES_MOST)
        request_invalid(q, "features",
                        "must be an object with at most 100 booleans");
}

static struct next reply_system_settings(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct system_settings *s =
        &((struct settings_work *)q->state)->system;
    struct api_reply r;
    set_etag(q, s->version);
    reply_open_object(q, &r);
    json_field_raw(&r.w, "ui", STR("{\"allowUserThemeOverride\":true}"));
    json_field_raw(&r.w, "features", s->features);
    json_field_raw(&r.w, "agentConfigs",
                   str_is(s->agent_configs, "{}") ? STR("{\"dataAgent\":{}}")
                                                  : s->agent_configs);
    json_field_int(&r.w, "version", s->version);
    json_field_str(&r.w, "updatedAt", s->updated_at);
    json_field_str_or_null(&r.w, "updatedBy", s->updated_by);
    reply_send_object(q, &r, 200);
    return back(f);
}

static struct next system_settings_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct settings_work *s = q->state;
    if (!s->writes || s->wrote)
        return reply_system_settings(f);
    if (!version_fits(q, s->system.version))
        return back(f);
    s->all = json_object();
    defer_kept(f, json_drop, s->all);
    if (s->merges) {
        add_json_part(s->all, "features", s->system.features);
        add_json_part(s->all, "agentConfigs", s->system.agent_configs);
    }
    read_top_level_agent(q);
    merge_patch(s->all, q->body);
    check_features(q, json_object_get(s->all, "features"));
    s->system_put.agent_configs = model_settings_take(q, s->all);
    if (request_refused(q))
        return back(f);
    s->system_put.features = part_text(q, json_object_get(s->all, "features"));
    s->system_put.expected = expected_version(q, s->merges, s->system.version);
    return call(f, system_settings_put_begin, &s->system_put,
                system_settings_written);
}

static struct next system_settings_written(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct settings_work *s = q->state;
    s->wrote = true;
    if (s->system_put.changed)
        return call(f, system_settings_begin, &s->system, system_settings_read);
    return reply_refusal(f, ERR_CONFLICT,
                         "The settings were changed by another request.");
}
