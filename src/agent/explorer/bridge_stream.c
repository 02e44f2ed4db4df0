/* bridge_stream.c - what a bridge says to its readers: the chunks of a UI
 * message stream, in the order of docs/notes/2026-11-23-explorer.md, and the
 * readers themselves. */
#include "bridge_state.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/scan.h"
#include "base/utf8.h"
#include <stdio.h>
#include "base/banned.h"

enum { OUTPUT_BYTES = 1024 * 1024, SUMMARY_BYTES = 16 * 1024 };

/* ---- readers ------------------------------------------------------------ */

static void wake_readers(struct bridge *b)
{
    for (struct bridge_reader *r = b->readers; r; r = r->next)
        wake_up(&r->wake);
}

static void say(struct bridge *b)
{
    chunk_end(&b->chunks);
    wake_readers(b);
}

struct str bridge_frames(struct bridge_reader *r, size_t most)
{
    struct bridge *b = r->bridge;
    struct str frames = chunks_after(&b->chunks, &r->at, most);
    if (bridge_is_read(r)) {
        b->read = true;
        wake_up(&b->end_wake);
    }
    return frames;
}

bool bridge_is_read(const struct bridge_reader *r)
{
    return r->bridge->chunks.over && r->at >= r->bridge->chunks.n;
}

/* ---- steps -------------------------------------------------------------- */

void bridge_say_start(struct bridge *b)
{
    struct json_writer *w = chunk_begin(&b->chunks, "start");
    json_field_text(w, "messageId", b->run.message_id);
    say(b);
}

static void say_text(struct bridge *b, struct str text)
{
    char id[24];
    snprintf(id, sizeof id, "text-%d", ++b->texts);
    json_field_text(chunk_begin(&b->chunks, "text-start"), "id", id);
    say(b);
    struct json_writer *w = chunk_begin(&b->chunks, "text-delta");
    json_field_text(w, "id", id);
    json_field_str(w, "delta", text);
    say(b);
    json_field_text(chunk_begin(&b->chunks, "text-end"), "id", id);
    say(b);
}

void bridge_say_reply(struct bridge *b, struct str text)
{
    chunk_begin(&b->chunks, "start-step");
    say(b);
    b->step_open = true;
    text = str_trim(text);
    if (text.len && chunks_have_room(&b->chunks, text.len))
        say_text(b, text);
}

void bridge_say_step_over(struct bridge *b)
{
    if (!b->step_open)
        return;
    b->step_open = false;
    chunk_begin(&b->chunks, "finish-step");
    say(b);
}

/* ---- calls -------------------------------------------------------------- */

static void put_queries(struct json_writer *w, const struct explorer_call *c)
{
    json_field_array(w, "queries");
    for (size_t i = 0; i < c->n_queries; i++) {
        const struct explorer_query *q = &c->queries[i];
        json_put_object(w);
        json_field_text(w, "id", q->id);
        json_field_str(w, "sql", q->sql);
        json_field_bool(w, "aggregate", q->aggregate);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

/* The checked arguments, and after them the queries. */
static void put_input(struct json_writer *w, const struct explorer_call *c)
{
    struct scan s = scan_of(c->input);
    struct str key;
    json_field_object(w, "input");
    if (scan_object(&s))
        while (scan_member(&s, &key)) {
            struct str value = scan_skip(&s);
            if (str_is(key, "queries"))
                continue;
            if (w->comma)
                buf_char(w->out, ',');
            buf_printf(w->out, "\"%.*s\":", STR_ARG(key)); /* still escaped */
            buf_str(w->out, value);
            w->comma = true;
        }
    put_queries(w, c);
    json_put_object_end(w);
}

void bridge_say_call(struct bridge *b, const struct explorer_visit *v)
{
    struct json_writer *w = chunk_begin(&b->chunks, "tool-input-available");
    json_field_text(w, "toolCallId", v->id);
    json_field_str(w, "toolName", v->call->name);
    put_input(w, v->call);
    say(b);
}

static struct bridge *bridge_of(struct explorer *x)
{
    return container_of(x, struct bridge, explorer);
}

/* What people see of a result; something short when it is too large. */
static struct str output_of(const struct bridge *b,
                            const struct explorer_call *c)
{
    struct str out = c->shown.len ? c->shown : c->result;
    if (out.len <= OUTPUT_BYTES && chunks_have_room(&b->chunks, out.len))
        return out;
    return c->failed ? STR("{\"success\":false,\"error\":\"The result is too "
                           "large to be shown.\"}")
                     : STR("{\"success\":true,\"omitted\":true}");
}

void bridge_say_refused(struct explorer *x, const struct explorer_visit *v)
{
    struct bridge *b = bridge_of(x);
    const struct explorer_call *c = v->call;
    bool fits = chunks_have_room(&b->chunks, c->arguments.len);
    json_t *input = fits ? json_read_lenient(c->arguments, NULL) : NULL;
    struct json_writer *w = chunk_begin(&b->chunks, "data-refused");
    json_field_text(w, "id", v->id);
    json_field_object(w, "data");
    json_field_str(w, "toolName", c->name);
    json_put_key(w, "input");
    json_print_into(w->out, input);
    w->comma = true;
    json_field_raw(w, "output", output_of(b, c));
    json_put_object_end(w);
    json_decref(input);
    say(b);
}

/* The sentence of a failed result. */
static void put_error_text(struct json_writer *w, struct str output)
{
    struct str error = scan_get(output, "error");
    if (str_starts(error, STR("\"")))
        json_field_raw(w, "errorText", error);
    else
        json_field_text(w, "errorText", "The call failed.");
}

void bridge_say_result(struct explorer *x, const struct explorer_visit *v)
{
    struct bridge *b = bridge_of(x);
    struct str output = output_of(b, v->call);
    bool failed = v->call->failed;
    struct json_writer *w = chunk_begin(
        &b->chunks, failed ? "tool-output-error" : "tool-output-available");
    json_field_text(w, "toolCallId", v->id);
    if (failed)
        put_error_text(w, output);
    else
        json_field_raw(w, "output", output);
    say(b);
}

/* ---- the end ------------------------------------------------------------ */

/* The text of the last reply. */
static struct str summary_of(const struct bridge *b)
{
    struct str text =
        utf8_cut(str_trim(b->loop.consult.llm.content), SUMMARY_BYTES);
    return text.len ? text : STR("The model wrote no summary.");
}

static void say_result(struct bridge *b, enum err error, struct str error_text)
{
    const struct run *r = &b->run;
    struct str summary = error == OK ? summary_of(b) : STR("");
    found_add_items(&b->explorer.found, summary);
    const struct exploration_end end = {
        .error = error,
        .error_text = error_text,
        .summary = summary,
        .steps = b->loop.n_rounds + (error == OK),
        .tokens = r->tokens.total,
        .duration_ms = (int64_t)(clock_ms() - r->started_ms)};
    struct json_writer *w = chunk_begin(&b->chunks, "data-exploration");
    json_field_text(w, "id", r->message_id);
    json_put_key(w, "data");
    explorer_put_result(w, &b->explorer.found, &end);
    say(b);
}

void bridge_say_end(struct bridge *b, enum err error, struct str error_text)
{
    if (b->chunks.over)
        return;
    if (error == OK)
        bridge_say_reply(b, summary_of(b));
    bridge_say_step_over(b);
    say_result(b, error, error_text);
    struct json_writer *w =
        chunk_begin(&b->chunks, error == OK ? "finish" : "error");
    if (error != OK)
        json_field_str(w, "errorText", error_text);
    say(b);
    chunks_end(&b->chunks);
    wake_readers(b);
}
