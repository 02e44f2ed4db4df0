/* preferences.c - what a user wants remembered: list, set, change, delete.
 *
 * A bulk delete whose ontologyId is empty, malformed or of another user deletes
 * nothing. The capture mode survives a bulk delete. */
#include "store/preferences.h"
#include "base/utf8.h"
#include "../request.h"
#include "base/banned.h"

static struct next preferences_found(struct flow *f),
    preference_kept(struct flow *f), preference_altered(struct flow *f),
    preference_deleted(struct flow *f);

/* ---- reading the request ------------------------------------------------- */

/* Reads `ontologyId` of the query string. If present, it must be a UUID;
 * misspelled names (`ontologyid=`, `ontology_id=`) are refused. */
static void read_ontology_query(struct request *q, struct str *out)
{
    struct str id = {"", 0};
    bool given = http_get_query(q->x, "ontologyId", &id);
    bool misspelt =
        !given && (str_find_nocase(q->x->query, STR("ontologyid")) >= 0 ||
                   str_find_nocase(q->x->query, STR("ontology_id")) >= 0);
    if (misspelt || (given && !uuid_valid(id)))
        request_invalid(q, "ontologyId", "must be a UUID");
    *out = id;
}

static void read_scope(struct request *q, struct preference_list *l)
{
    static const char *const words[] = {"all", "global", "ontology",
                                        "effective"};
    struct str word = l->ontology_id.len ? STR("ontology") : STR("all");
    http_get_query(q->x, "scope", &word);
    int i = 0;
    while (i < 4 && !str_is(word, words[i]))
        i++;
    if (i == 4)
        request_invalid(q, "scope",
                        "must be all, global, ontology or effective");
    l->scope = (enum preference_scope)i;
    if (i >= SCOPE_ONTOLOGY && i < 4 && !l->ontology_id.len)
        request_invalid(q, "ontologyId", "is required for this scope");
}

static bool length_within(struct str s, size_t most)
{
    size_t n = utf8_count(s);
    return n >= 1 && n <= most;
}

static void read_key(struct request *q, struct str *out)
{
    *out = utf8_trim(json_get_text(q->body, "key"));
    if (!length_within(*out, PREFERENCE_KEY_MOST) || str_has_control(*out))
        request_invalid(
            q, "key", "must be 1 to 255 characters without control characters");
}

static void read_value(struct request *q, struct str *out)
{
    *out = utf8_trim(json_get_text(q->body, "value"));
    if (!length_within(*out, PREFERENCE_VALUE_MOST))
        request_invalid(q, "value", "must be 1 to 2000 characters");
}

static void read_ontology(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "ontologyId");
    if (!v || json_is_null(v))
        return;
    *out = json_text(v);
    if (!uuid_valid(*out))
        request_invalid(q, "ontologyId", "must be a UUID or null");
}

static void read_source(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "source");
    *out = STR("manual");
    if (!v || json_is_null(v))
        return;
    *out = json_text(v);
    if (!str_is(*out, "manual") && !str_is(*out, "auto_captured"))
        request_invalid(q, "source", "must be manual or auto_captured");
}

static void check_capture(struct request *q, const struct preference_put *p)
{
    enum capture_mode mode;
    if (!str_is(p->key, CAPTURE_KEY))
        return;
    if (!capture_mode_of(p->value, &mode))
        request_invalid(q, "value", "must be off, auto or ask");
    if (p->ontology_id.len)
        request_invalid(q, "ontologyId",
                        "must be left out: " CAPTURE_KEY " is global");
}

/* ---- GET ----------------------------------------------------------------- */

struct next preferences_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct preference_list *l = keep(f, struct preference_list);
    *l = (struct preference_list){.store = request_store(q),
                                  .user_id = q->user.id,
                                  .all_ontologies = request_may(q, MAY_ADMIN)};
    q->state = l;
    read_ontology_query(q, &l->ontology_id);
    read_scope(q, l);
    if (request_refused(q))
        return back(f);
    return call(f, preference_list_begin, l, preferences_found);
}

static struct next refuse_ontology(struct flow *f)
{
    return reply_refusal(f, ERR_NOT_FOUND, "Ontology not found");
}

static struct next preferences_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct preference_list *l = q->state;
    struct api_reply r;
    if (!l->ontology_found)
        return refuse_ontology(f);
    reply_open(q, &r);
    json_put_array(&r.w);
    for (int i = 0; i < preference_rows(l->query); i++)
        preference_write(&r.w, l->query, i);
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

static struct next reply_preference(struct flow *f, const struct query *row,
                                    int status)
{
    struct request *q = REQUEST(f);
    struct api_reply r;
    reply_open(q, &r);
    preference_write(&r.w, row, 0);
    reply_send(q, &r, status);
    return back(f);
}

/* ---- POST ---------------------------------------------------------------- */

struct next preferences_put(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct preference_put *p = keep(f, struct preference_put);
    if (!request_body(q))
        return back(f);
    *p = (struct preference_put){.store = request_store(q),
                                 .user_id = q->user.id,
                                 .all_ontologies = request_may(q, MAY_ADMIN)};
    q->state = p;
    read_key(q, &p->key);
    read_value(q, &p->value);
    read_ontology(q, &p->ontology_id);
    read_source(q, &p->source);
    check_capture(q, p);
    if (request_refused(q))
        return back(f);
    return call(f, preference_put_begin, p, preference_kept);
}

static struct next preference_kept(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct preference_put *p = q->state;
    if (!p->ontology_found)
        return refuse_ontology(f);
    if (p->room)
        return reply_preference(f, p->query, 201);
    return reply_refusal(f, ERR_CONFLICT,
                         arena_printf(&q->memory,
                                      "There are %d preferences already. "
                                      "Delete some first.",
                                      PREFERENCES_MOST)
                             .ptr);
}

/* ---- PATCH, PUT ---------------------------------------------------------- */

struct next preferences_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct preference_change *c = keep(f, struct preference_change);
    *c = (struct preference_change){.store = request_store(q),
                                    .user_id = q->user.id};
    q->state = c;
    if (!request_uuid(q, "id", &c->id) || !request_body(q))
        return back(f);
    read_value(q, &c->value);
    if (request_refused(q))
        return back(f);
    return call(f, preference_change_begin, c, preference_altered);
}

static struct next preference_altered(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct preference_change *c = q->state;
    if (!c->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Preference not found");
    if (c->allowed)
        return reply_preference(f, c->query, 200);
    request_invalid(q, "value", "must be off, auto or ask");
    request_refused(q);
    return back(f);
}

/* ---- DELETE -------------------------------------------------------------- */

static struct preference_delete *preference_delete_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct preference_delete *d = keep(f, struct preference_delete);
    *d =
        (struct preference_delete){.store = request_store(q),
                                   .user_id = q->user.id,
                                   .all_ontologies = request_may(q, MAY_ADMIN)};
    q->state = d;
    return d;
}

struct next preferences_delete(struct flow *f)
{
    struct preference_delete *d = preference_delete_new(f);
    if (!request_uuid(REQUEST(f), "id", &d->id))
        return back(f);
    return call(f, preference_delete_begin, d, preference_deleted);
}

struct next preferences_clear(struct flow *f)
{
    struct preference_delete *d = preference_delete_new(f);
    read_ontology_query(REQUEST(f), &d->ontology_id);
    if (request_refused(REQUEST(f)))
        return back(f);
    return call(f, preference_delete_begin, d, preference_deleted);
}

static struct next preference_deleted(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct preference_delete *d = q->state;
    if (!d->found && !d->id.len)
        return refuse_ontology(f);
    if (!d->found)
        reply_error(q, ERR_NOT_FOUND, "Preference not found");
    else
        reply_empty(q, 204);
    return back(f);
}
