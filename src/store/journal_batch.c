#include "journal_batch.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* Everything of one flush in one statement, hence one commit. $1 is the blob;
 * the arrays say where in it each text lies. Rows of runs are locked in share
 * mode, so that a takeover waits for the commit or is seen by it. */
const struct statement journal_write_statement = {
    .name = "journal.write",
    .sql =
        "with input as materialized ("
        "  select convert_to($1, 'UTF8') as blob),"
        " item as materialized ("
        "  select u.* from unnest($2::uuid[], $3::int[], $4::bigint[],"
        "      $5::bigint[], $6::int[], $7::int[], $8::text[], $9::int[],"
        "      $10::bigint[])"
        "    with ordinality as u(id, epoch, first, last, at, len, phase,"
        "      revision, phase_after, n)"
        "    join runs r on r.message_id = u.id and r.epoch = u.epoch"
        "      and r.ended_at is null"
        "    order by u.id for share of r),"
        " put_events as ("
        "  insert into run_events (message_id, first, last, frames)"
        "  select id, first, last,"
        "      convert_from(substring(blob from at for len), 'UTF8')"
        "    from item, input where len > 0"
        "  on conflict do nothing),"
        " put_artifacts as ("
        "  insert into run_artifacts (message_id, kind, body)"
        "  select item.id, a.kind,"
        "      convert_from(substring(blob from a.at for a.len), 'UTF8')"
        "    from unnest($11::int[], $12::text[], $13::int[], $14::int[])"
        "      as a(n, kind, at, len) join item on item.n = a.n, input"
        "  on conflict (message_id, kind) do update set body = excluded.body),"
        " put_traces as ("
        "  insert into llm_traces (message_id, phase, call_index, step_id,"
        "      purpose, provider, model, temperature, structured_output,"
        "      prompt_messages, response_content, tool_calls, prompt_tokens,"
        "      completion_tokens, total_tokens, started_at, completed_at,"
        "      duration_ms, error)"
        "  select item.id, x.phase, x.call_index, x.step_id, x.purpose,"
        "      x.provider, x.model, x.temperature, x.structured_output,"
        "      x.prompt_messages, x.response_content, x.tool_calls,"
        "      x.prompt_tokens, x.completion_tokens, x.total_tokens,"
        "      x.started_at, x.completed_at, x.duration_ms, x.error"
        "    from unnest($15::int[], $16::int[], $17::int[]) as t(n, at, len)"
        "      join item on item.n = t.n, input,"
        "      json_to_record(convert_from(substring(blob from t.at"
        "          for t.len), 'UTF8')::json) as x(phase text, call_index int,"
        "        step_id int, purpose text, provider text, model text,"
        "        temperature numeric, structured_output boolean,"
        "        prompt_messages json, response_content text,"
        "        tool_calls json, prompt_tokens int, completion_tokens int,"
        "        total_tokens int, started_at timestamptz,"
        "        completed_at timestamptz, duration_ms int, error text)"
        "  on conflict do nothing),"
        " put_phase as ("
        "  update runs r set phase = item.phase, revision = item.revision,"
        "      phase_after = item.phase_after"
        "    from item where r.message_id = item.id and item.phase <> '')"
        " select id, epoch from item"};

/* ---- pieces ------------------------------------------------------------- */

void pieces_add(struct pieces *p, const char *kind, struct str body)
{
    if (p->n == p->cap) {
        p->cap = p->cap ? p->cap * 2 : 4;
        p->items = mem_resize(p->items, p->cap * sizeof *p->items);
    }
    p->items[p->n++] = (struct piece){kind, p->bytes.len, body.len};
    buf_str(&p->bytes, body);
}

void pieces_put(struct pieces *p, const char *kind, struct str body)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->items[i].kind, kind)) {
            p->items[i].at = p->bytes.len;
            p->items[i].len = body.len;
            buf_str(&p->bytes, body);
            return;
        }
    pieces_add(p, kind, body);
}

void pieces_done(struct pieces *p)
{
    mem_free(p->items);
    buf_done(&p->bytes);
    *p = (struct pieces){0};
}

/* ---- batch -------------------------------------------------------------- */

enum { ARRAYS = 16 };

static void arrays_of(struct journal_batch *b, struct buf *out[ARRAYS])
{
    struct buf *const all[ARRAYS] = {
        &b->ids, &b->epochs, &b->firsts, &b->lasts, &b->ats, &b->lens,
        &b->phases, &b->revisions, &b->afters, &b->artifact_items, &b->artifact_kinds,
        &b->artifact_ats, &b->artifact_lens, &b->trace_items, &b->trace_ats,
        &b->trace_lens};
    memcpy(out, all, sizeof all);
}

void batch_clear(struct journal_batch *b)
{
    struct buf *arrays[ARRAYS];
    arrays_of(b, arrays);
    b->n = 0;
    b->query = NULL;
    if (b->blob.cap > 256 * 1024)
        buf_done(&b->blob); /* a burst's memory is not kept */
    buf_clear(&b->blob);
    for (int i = 0; i < ARRAYS; i++) {
        buf_clear(arrays[i]);
        buf_char(arrays[i], '{');
    }
}

void batch_done(struct journal_batch *b)
{
    struct buf *arrays[ARRAYS];
    arrays_of(b, arrays);
    for (int i = 0; i < ARRAYS; i++)
        buf_done(arrays[i]);
    buf_done(&b->blob);
    mem_free(b->items);
    *b = (struct journal_batch){0};
}

static void element(struct buf *array)
{
    if (array->len > 1)
        buf_char(array, ',');
}

static void number(struct buf *array, int64_t n)
{
    element(array);
    buf_int(array, n);
}

static void word(struct buf *array, const char *text)
{
    element(array);
    buf_printf(array, "\"%s\"", text); /* our own words: nothing to escape */
}

/* SQL counts bytes from 1. */
static void add_pieces(struct journal_batch *b, struct pieces *p,
                       struct buf *items, struct buf *kinds, struct buf *ats,
                       struct buf *lens)
{
    for (size_t i = 0; i < p->n; i++) {
        number(items, (int64_t)b->n);
        if (kinds)
            word(kinds, p->items[i].kind);
        number(ats, (int64_t)(b->blob.len + p->items[i].at + 1));
        number(lens, (int64_t)p->items[i].len);
    }
    buf_str(&b->blob, buf_view(&p->bytes));
    pieces_done(p);
}

static struct batch_item *item_new(struct journal_batch *b)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 16;
        b->items = mem_resize(b->items, b->cap * sizeof *b->items);
    }
    return &b->items[b->n++];
}

void batch_add(struct journal_batch *b, struct journal_entry *e)
{
    struct batch_item *item = item_new(b);
    *item = (struct batch_item){.entry = e, .first = e->first,
                                .last = e->next - 1, .ticket = e->ticket,
                                .at = b->blob.len, .len = e->frames.len};
    word(&b->ids, e->message_id);
    number(&b->epochs, e->epoch);
    number(&b->firsts, item->first);
    number(&b->lasts, item->last);
    number(&b->ats, (int64_t)item->at + 1);
    number(&b->lens, (int64_t)item->len);
    word(&b->phases, e->phase_dirty ? phase_word(e->phase) : "");
    number(&b->revisions, e->revision);
    number(&b->afters, e->phase_after);
    buf_str(&b->blob, buf_view(&e->frames));
    buf_done(&e->frames);
    add_pieces(b, &e->artifacts, &b->artifact_items, &b->artifact_kinds,
               &b->artifact_ats, &b->artifact_lens);
    add_pieces(b, &e->traces, &b->trace_items, NULL, &b->trace_ats,
               &b->trace_lens);
    e->first = e->next;
    e->phase_dirty = false;
    e->flying = true;
}

void batch_params(struct journal_batch *b, struct query *q)
{
    struct buf *arrays[ARRAYS];
    arrays_of(b, arrays);
    query_text(q, buf_cstr(&b->blob));
    for (int i = 0; i < ARRAYS; i++) {
        if (arrays[i]->ptr[arrays[i]->len - 1] != '}')
            buf_char(arrays[i], '}');
        query_text(q, buf_cstr(arrays[i]));
    }
    for (size_t i = 0; i < b->n; i++)
        b->items[i].frames = str_cut(buf_view(&b->blob), b->items[i].at,
                                     b->items[i].len);
}

/* ---- large events ------------------------------------------------------- */

static json_t *deferred(const json_t *v)
{
    struct buf text;
    buf_init(&text, NULL);
    json_print_into(&text, v);
    json_t *mark = json_pack("{s:b,s:I}", "deferred", 1, "bytes",
                             (json_int_t)text.len);
    buf_done(&text);
    return mark;
}

static bool deferrable(const char *key)
{
    return !strcmp(key, "charts") || !strcmp(key, "data") ||
           !strcmp(key, "yaml");
}

static void defer_within(json_t *v)
{
    const char *key;
    json_t *child;
    size_t i;
    void *next;
    if (json_is_array(v))
        json_array_foreach(v, i, child) defer_within(child);
    if (!json_is_object(v))
        return;
    json_object_foreach_safe(v, next, key, child)
    {
        if (deferrable(key) && !json_is_null(child))
            json_object_set_new(v, key, deferred(child));
        else
            defer_within(child);
    }
}

void event_defer_large(struct buf *event)
{
    json_error_t e;
    json_t *v = json_loadb(event->ptr, event->len, 0, &e);
    if (!v)
        return;
    defer_within(v);
    buf_clear(event);
    json_print_into(event, v);
    json_decref(v);
}
