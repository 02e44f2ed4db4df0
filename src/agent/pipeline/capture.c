/* capture.c - stores what the user answered to clarifying questions as
 * preferences, or offers to, before the run ends.
 *
 * A failure to store them is logged and does not fail the run. */
#include "../clarify.h"
#include "base/log.h"
#include "pipeline.h"
#include "base/banned.h"

static struct next answers_kept(struct flow *f), answers_lost(struct flow *f);

static bool is_known(const struct run *r, const struct learned *l)
{
    const struct preference_set *p = &r->load.preferences;
    for (size_t i = 0; i < p->n; i++)
        if (str_eq(p->items[i].key, l->key) &&
            str_eq(p->items[i].value, l->value))
            return true;
    return false;
}

/* Without what is preferred already. */
static size_t learn(struct run *r, struct learned **out)
{
    size_t n = clarify_learn(&r->arena, r->asked, r->n_asked, r->load.question,
                             pipeline_of(r)->plan, out);
    size_t fresh = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_known(r, &(*out)[i]))
            (*out)[fresh++] = (*out)[i];
    return fresh;
}

static void tell_suggestions(struct run *r, const struct learned *l, size_t n)
{
    struct json_writer *w = journal_event(r->log, EVENT_PREFERENCE_SUGGESTED);
    json_field_array(w, "suggestions");
    for (size_t i = 0; i < n; i++) {
        json_put_object(w);
        json_field_str(w, "key", l[i].key);
        json_field_str(w, "value", l[i].value);
        json_field_str(w, "question", l[i].question);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    journal_event_end(r->log);
}

static struct str learned_json(struct run *r, const struct learned *l, size_t n)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &r->arena);
    json_writer_init(&w, &out);
    json_put_array(&w);
    for (size_t i = 0; i < n; i++) {
        json_put_object(&w);
        json_field_str(&w, "key", l[i].key);
        json_field_str(&w, "value", l[i].value);
        json_field_bool(&w, "given", l[i].given);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    return buf_view(&out);
}

struct next capture_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    struct learned *learned;
    size_t n = r->output && p->plan ? learn(r, &learned) : 0;
    if (n == 0 || r->load.preferences.capture == CAPTURE_OFF)
        return back(f);
    if (r->load.preferences.capture == CAPTURE_ASK) {
        tell_suggestions(r, learned, n);
        return back(f);
    }
    struct preference_capture *c = p->capture =
        here(f, struct preference_capture);
    *c = (struct preference_capture){.store = agent_store(r->agent),
                                     .message_id = str_of(r->message_id),
                                     .epoch = r->epoch,
                                     .user_id = r->load.user_id,
                                     .ontology_id = r->load.ontology_id,
                                     .learned = learned_json(r, learned, n)};
    return attempt(f, preference_capture_begin, c, answers_kept, answers_lost);
}

static struct next answers_kept(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct preference_capture *c = pipeline_of(r)->capture;
    if (c->n_saved == 0)
        return back(f);
    struct json_writer *w = journal_event(r->log, EVENT_PREFERENCE_AUTO_SAVED);
    json_field_array(w, "preferences");
    for (size_t i = 0; i < c->n_saved; i++) {
        json_put_object(w);
        json_field_str(w, "key", c->saved[i].key);
        json_field_str(w, "value", c->saved[i].value);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    journal_event_end(r->log);
    return back(f);
}

static struct next answers_lost(struct flow *f)
{
    struct run *r = locals(f, struct run);
    log_event(LOG_WARN, "answers not remembered",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"cause", str_of(err_name(failure(f)))},
                                   {NULL, {0}}});
    return back(f);
}
