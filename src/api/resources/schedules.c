/* schedules.c - schedules: listed, made, changed, removed; their runs and
 * deliveries; the next times of a cron line.
 *
 * A schedule belongs to one user; others get 404. The secret of a webhook is
 * shown once, in the answer to the request that made it. */
#include "agent/schedule_condition.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/utf8.h"
#include "store/ontologies.h"
#include "store/schedules.h"
#include "store/time_zones.h"
#include "../request.h"
#include "base/banned.h"

enum { CRON_MOST = 200, TIMES_SHOWN = 5, SECRET_BYTES = 24 };

static const char schedule_missing[] = "Schedule not found";
static const char schedule_ontology_missing[] = "Ontology not found";

struct schedule_work {
    struct schedule_query item;
    struct ontology_page ontology;
    struct time_zone_find zone;
    struct zone_read clock;
    struct cron cron;
    struct str secret; /* a new one, to be shown; empty: none */
    bool new_secret;
    step_fn *then;
};

static struct next schedules_paged(struct flow *f),
    schedule_ontology_known(struct flow *f), schedule_known(struct flow *f),
    zone_known(struct flow *f), clock_known(struct flow *f),
    put_due(struct flow *f), schedule_put_done(struct flow *f),
    schedule_shown(struct flow *f), schedule_gone(struct flow *f),
    runs_owner_known(struct flow *f), runs_paged(struct flow *f),
    deliveries_owner_known(struct flow *f), deliveries_paged(struct flow *f),
    times_due(struct flow *f);

static struct schedule_work *schedule_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = keep(f, struct schedule_work);
    x->item.store = x->ontology.store = x->zone.store = x->clock.store =
        request_store(q);
    x->item.user_id = x->ontology.user_id = q->user.id;
    x->item.request_id = q->x->request_id;
    x->ontology.all = request_may(q, MAY_ADMIN);
    x->ontology.page = x->ontology.page_size = 1;
    x->item.page = x->item.page_size = 1;
    q->state = x;
    return x;
}

static struct schedule_work *schedule_work_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- GET /schedules ------------------------------------------------------- */

struct next schedules_list(struct flow *f)
{
    struct schedule_work *x = schedule_work_new(f);
    if (!request_paging(REQUEST(f), &x->item.page, &x->item.page_size, 20))
        return back(f);
    return call(f, schedule_list_begin, &x->item, schedules_paged);
}

static struct next schedules_paged(struct flow *f)
{
    const struct schedule_query *s = &schedule_work_of(f)->item;
    reply_page(REQUEST(f), s->query, schedule_write, s->page, s->page_size,
               s->total);
    return back(f);
}

/* ---- what a body says ----------------------------------------------------- */

static void read_cron(struct request *q, struct schedule_work *x)
{
    const char *why;
    request_text_given(q, "cron", 1, CRON_MOST, &x->item.set.cron);
    if (!x->item.set.cron.len) {
        if (!json_object_get(q->body, "cron"))
            request_invalid(q, "cron", "is missing");
        return;
    }
    if (!cron_parse(x->item.set.cron, &x->cron, &why))
        request_invalid(q, "cron", why);
    else if (cron_per_hour(&x->cron) > SCHEDULE_PER_HOUR_MOST)
        request_invalid(q, "cron", "must be due at most 12 times in an hour");
}

static void read_zone(struct request *q, struct schedule_work *x)
{
    request_text_given(q, "timeZone", 1, TIME_ZONE_NAME_MOST,
                       &x->item.set.time_zone);
    if (!x->item.set.time_zone.len)
        x->item.set.time_zone = STR("UTC");
    x->zone.name = x->item.set.time_zone;
}

static void read_condition(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "condition");
    struct schedule_condition condition;
    const char *why;
    if (!v)
        return;
    *out = STR("");
    if (json_is_null(v))
        return;
    if (!condition_read(v, &condition, &why))
        request_invalid(q, "condition", why);
    else
        *out = condition_write(&q->memory, &condition);
}

/* One of the words; the first if it is absent. */
static struct str read_word(struct request *q, const json_t *of,
                            const char *field, const char *const *words)
{
    const json_t *v = json_object_get(of, field);
    if (!v)
        return str_of(words[0]);
    if (str_is_one_of(json_text(v), words))
        return json_text(v);
    request_invalid(q, "webhook", "has an unknown word in `on` or `sends`");
    return STR("");
}

/* The address is judged again, by its numbers, when it is connected to. */
static bool is_web_address(struct str url)
{
    bool plain = url.len <= SCHEDULE_URL_MOST;
    for (size_t i = 0; i < url.len; i++)
        plain = plain && url.ptr[i] > ' ' && url.ptr[i] < 0x7f;
    struct str rest = str_starts(url, STR("https://"))  ? str_from(url, 8)
                      : str_starts(url, STR("http://")) ? str_from(url, 7)
                                                        : STR("");
    ptrdiff_t slash = str_find_char(rest, '/');
    struct str host = slash < 0 ? rest : str_cut(rest, 0, (size_t)slash);
    return plain && host.len && str_find_char(host, '@') < 0;
}

static void read_webhook(struct request *q, struct schedule_work *x)
{
    static const char *const when[] = {"condition", "failure", "always", NULL};
    static const char *const what[] = {"state", "value", "rows", NULL};
    const json_t *v = json_object_get(q->body, "webhook");
    struct schedule_fields *set = &x->item.set;
    struct str before = set->webhook_url;
    if (!v)
        return;
    set->webhook_url = json_get_text(v, "url");
    if (json_is_null(v))
        return;
    if (!is_web_address(set->webhook_url))
        request_invalid(q, "webhook",
                        "must have a url that begins with https:// or http://, "
                        "without user information");
    set->webhook_on = read_word(q, v, "on", when);
    set->webhook_sends = read_word(q, v, "sends", what);
    x->new_secret = !before.len || json_get_bool(v, "newSecret", false);
}

static void read_fields(struct request *q, struct schedule_work *x)
{
    struct schedule_fields *set = &x->item.set;
    request_text_given(q, "question", 1, SCHEDULE_QUESTION_MOST,
                       &set->question);
    request_text_given(q, "name", 1, SCHEDULE_NAME_MOST, &set->name);
    if (json_object_get(q->body, "llmProvider"))
        request_provider(q, &set->llm_provider);
    read_cron(q, x);
    read_zone(q, x);
    read_condition(q, &set->condition);
    read_webhook(q, x);
}

/* A text that signs webhooks, sealed for the database. */
static void make_secret(struct request *q, struct schedule_work *x)
{
    uint8_t bytes[SECRET_BYTES];
    random_bytes(bytes, sizeof bytes);
    x->secret = arena_printf(
        &q->memory, "whsec_%s",
        base64url_encode(&q->memory, (struct str){(char *)bytes, sizeof bytes})
            .ptr);
    struct str sealed = seal(&q->memory, request_store(q)->key, x->secret);
    x->item.secret = hex_encode(&q->memory, sealed.ptr, sealed.len);
}

/* Finds the next time and continues with `then`. */
static struct next with_times(struct flow *f, step_fn *then)
{
    struct schedule_work *x = schedule_work_of(f);
    x->then = then;
    return call(f, time_zone_find_begin, &x->zone, zone_known);
}

static struct next zone_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = q->state;
    if (!x->zone.known)
        request_invalid(q, "timeZone",
                        "must be the name of a time zone, such as "
                        "Europe/Berlin");
    if (request_refused(q))
        return back(f);
    x->clock.time_zone = x->item.set.time_zone = x->zone.name;
    return call(f, zone_read_begin, &x->clock, clock_known);
}

static struct next clock_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = q->state;
    const struct zone_read *z = &x->clock;
    int64_t next = cron_next(&x->cron, z->offsets, z->n, z->now_s);
    if (next < 0)
        request_invalid(q, "cron", "names no time in the coming years");
    if (request_refused(q))
        return back(f);
    x->item.next_ms = str_is(x->item.set.state, "active") ? next * 1000 : -1;
    return flow_go(f, x->then, "then");
}

/* ---- POST /schedules ------------------------------------------------------ */

struct next schedules_add(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = schedule_work_new(f);
    struct schedule_fields *set = &x->item.set;
    if (!request_body(q))
        return back(f);
    *set = (struct schedule_fields){.state = STR("active"),
                                    .webhook_on = STR("condition"),
                                    .webhook_sends = STR("state")};
    request_uuid_given(q, "ontologyId", &set->ontology_id);
    read_fields(q, x);
    if (!set->question.len && !json_object_get(q->body, "question"))
        request_invalid(q, "question", "is missing");
    if (!set->name.len)
        set->name = utf8_first(set->question, SCHEDULE_NAME_MOST);
    if (request_refused(q))
        return back(f);
    x->ontology.ontology_id = set->ontology_id;
    return call(f, ontology_page_begin, &x->ontology, schedule_ontology_known);
}

static struct next schedule_ontology_known(struct flow *f)
{
    struct schedule_work *x = schedule_work_of(f);
    if (!x->ontology.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_ontology_missing);
    return with_times(f, put_due);
}

static struct next put_due(struct flow *f)
{
    struct schedule_work *x = schedule_work_of(f);
    if (x->new_secret)
        make_secret(REQUEST(f), x);
    return call(f, schedule_put_begin, &x->item, schedule_put_done);
}

static struct next schedule_put_done(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = q->state;
    if (!x->item.found && x->item.id.len)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    if (!x->item.found)
        return reply_refusal(
            f, ERR_CONFLICT,
            arena_printf(&q->memory, "You have %d schedules. Remove one first.",
                         SCHEDULES_MOST)
                .ptr);
    bool changed = x->item.id.len > 0;
    x->item.id = x->item.made_id;
    x->item.page = changed ? 200 : 201; /* the status, see schedule_shown */
    return call(f, schedule_read_begin, &x->item, schedule_shown);
}

static struct next schedule_shown(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct schedule_work *x = q->state;
    struct api_reply r;
    if (!x->item.found)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    reply_open_object(q, &r);
    schedule_write(&r.w, x->item.query, 0);
    if (x->secret.len)
        json_field_str(&r.w, "webhookSecret", x->secret);
    json_put_object_end(&r.w);
    reply_send_secret(q, &r, x->item.page == 201 ? 201 : 200);
    return back(f);
}

/* ---- GET, PATCH, DELETE /schedules/:id ------------------------------------ */

struct next schedules_get(struct flow *f)
{
    struct schedule_work *x = schedule_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->item.id))
        return back(f);
    return call(f, schedule_read_begin, &x->item, schedule_shown);
}

struct next schedules_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = schedule_work_new(f);
    if (!request_uuid(q, "id", &x->item.id) || !request_body(q))
        return back(f);
    return call(f, schedule_read_begin, &x->item, schedule_known);
}

/* The fields that the body does not say stay as they are. A stopped schedule is
 * active again unless it is paused. */
static struct next schedule_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = q->state;
    struct schedule_fields *set = &x->item.set;
    const json_t *state = json_object_get(q->body, "state");
    struct str cron = set->cron;
    const char *why;
    if (!x->item.found)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    if (state && !str_is(json_text(state), "active") &&
        !str_is(json_text(state), "paused"))
        request_invalid(q, "state", "must be active or paused");
    if (state)
        set->state = json_text(state);
    else if (str_is(set->state, "stopped"))
        set->state = STR("active");
    struct str zone = set->time_zone;
    if (!json_object_get(q->body, "cron"))
        json_object_set_new(q->body, "cron", json_stringn(cron.ptr, cron.len));
    if (!json_object_get(q->body, "timeZone"))
        json_object_set_new(q->body, "timeZone",
                            json_stringn(zone.ptr, zone.len));
    read_fields(q, x);
    if (!cron_parse(set->cron, &x->cron, &why))
        request_invalid(q, "cron", why);
    if (request_refused(q))
        return back(f);
    return with_times(f, put_due);
}

struct next schedules_remove(struct flow *f)
{
    struct schedule_work *x = schedule_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->item.id))
        return back(f);
    return call(f, schedule_remove_begin, &x->item, schedule_gone);
}

static struct next schedule_gone(struct flow *f)
{
    if (!schedule_work_of(f)->item.found)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    reply_empty(REQUEST(f), 204);
    return back(f);
}

/* ---- GET /schedules/:id/runs, /deliveries --------------------------------- */

static struct next read_log(struct flow *f, step_fn *then)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = schedule_work_new(f);
    if (!request_uuid(q, "id", &x->item.id) ||
        !request_paging(q, &x->item.page, &x->item.page_size, 20))
        return back(f);
    return flow_call(f, schedule_read_begin, "schedule_read_begin", &x->item,
                     then, "then", NULL, NULL);
}

struct next schedules_runs(struct flow *f)
{
    return read_log(f, runs_owner_known);
}

static struct next runs_owner_known(struct flow *f)
{
    struct schedule_work *x = schedule_work_of(f);
    if (!x->item.found)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    return call(f, schedule_runs_begin, &x->item, runs_paged);
}

static struct next runs_paged(struct flow *f)
{
    const struct schedule_query *s = &schedule_work_of(f)->item;
    reply_page(REQUEST(f), s->query, schedule_run_write, s->page, s->page_size,
               s->total);
    return back(f);
}

struct next schedules_deliveries(struct flow *f)
{
    return read_log(f, deliveries_owner_known);
}

static struct next deliveries_owner_known(struct flow *f)
{
    struct schedule_work *x = schedule_work_of(f);
    if (!x->item.found)
        return reply_refusal(f, ERR_NOT_FOUND, schedule_missing);
    return call(f, schedule_deliveries_begin, &x->item, deliveries_paged);
}

static struct next deliveries_paged(struct flow *f)
{
    const struct schedule_query *s = &schedule_work_of(f)->item;
    reply_page(REQUEST(f), s->query, schedule_delivery_write, s->page,
               s->page_size, s->total);
    return back(f);
}

/* ---- POST /schedules/times ------------------------------------------------ */

struct next schedules_times(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct schedule_work *x = schedule_work_new(f);
    if (!request_body(q))
        return back(f);
    x->item.set.state = STR("active");
    read_cron(q, x);
    read_zone(q, x);
    if (request_refused(q))
        return back(f);
    return with_times(f, times_due);
}

static struct next times_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct schedule_work *x = q->state;
    const struct zone_read *z = &x->clock;
    struct api_reply r;
    int64_t at = z->now_s;
    reply_open_object(q, &r);
    json_field_str(&r.w, "timeZone", x->item.set.time_zone);
    json_field_array(&r.w, "times");
    for (int i = 0; i < TIMES_SHOWN; i++) {
        char text[CLOCK_RFC3339_SIZE];
        at = cron_next(&x->cron, z->offsets, z->n, at);
        if (at < 0)
            break;
        clock_rfc3339(at * 1000, text);
        json_put_text(&r.w, text);
    }
    json_put_array_end(&r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}
