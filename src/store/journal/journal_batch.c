/* journal_batch.c - what one flush writes, as parameters of one statement. */
#include "journal_batch.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* One statement, hence one commit, writes a whole flush. $1 is the blob; the
 * arrays have the offsets of the texts in it. It locks rows of runs in share
 * mode, so that a takeover either waits for the commit or is visible to it.
 *
 * The rows are locked one by one by key, in the order of their ids. (A join
 * might get a plan that was made while the table was small, and reads all of
 * it. The odd `is true` avoids the index of open runs, which until a vacuum
 * also has the runs that have ended.) */
#define JOURNAL_WRITE(IF_THERE) \
    "with item as materialized (" \
    "  select u.* from (select * from unnest($2::uuid[], $3::int[]," \
    "      $4::bigint[], $5::bigint[], $6::int[], $7::int[], $8::text[]," \
    "      $9::int[], $10::bigint[], $19::text[])" \
    "    with ordinality as u(id, epoch, first, last, at, len, phase," \
    "      revision, phase_after, tokens, n) order by u.id) u" \
    "    cross join lateral (select from runs r where r.message_id = u.id" \
    "      and r.epoch = u.epoch and (r.ended_at is null) is true" \
    "      for share) open)," \
    " put_events as (" \
    "  insert into run_events (message_id, first, last, frames)" \
    "  select id, first, last," \
    "      convert_from(substring($1::bytea from at for len), 'UTF8')" \
    "    from item where len > 0" IF_THERE ")," \
    " put_artifacts as (" \
    "  insert into run_artifacts (message_id, kind, body)" \
    "  select item.id, a.kind," \
    "      convert_from(substring($1::bytea from a.at for a.len), 'UTF8')" \
    "    from unnest($11::int[], $12::text[], $13::int[], $14::int[])" \
    "      as a(n, kind, at, len) join item on item.n = a.n" \
    "  on conflict (message_id, kind) do update set body = excluded.body)," \
    " put_traces as (" \
    "  insert into llm_traces (message_id, phase, call_index, step_id," \
    "      purpose, provider, model, temperature, structured_output," \
    "      prompt_messages, response_content, tool_calls, prompt_tokens," \
    "      completion_tokens, total_tokens, started_at, completed_at," \
    "      duration_ms, error, prompt_sections, shared_call," \
    "      shared_messages, cached_tokens, reasoning_tokens, cost)" \
    "  select item.id, x.phase, x.call_index, x.step_id, x.purpose," \
    "      x.provider, x.model, x.temperature, x.structured_output," \
    "      convert_from(substring($1::bytea from t.at + t.len" \
    "        for t.prompt), 'UTF8')::json," \
    "      x.response_content, x.tool_calls, x.prompt_tokens," \
    "      x.completion_tokens, x.total_tokens, x.started_at," \
    "      x.completed_at, x.duration_ms, x.error, x.prompt_sections," \
    "      x.shared_call, x.shared_messages," \
    "      coalesce(x.cached_tokens, 0), coalesce(x.reasoning_tokens, 0)," \
    "      x.cost" \
    "    from unnest($15::int[], $16::int[], $17::int[], $18::int[])" \
    "      as t(n, at, len, prompt) join item on item.n = t.n," \
    "      json_to_record(convert_from(substring($1::bytea from t.at" \
    "        for t.len), 'UTF8')::json) as x(" \
    "        phase text, call_index int," \
    "        step_id int, purpose text, provider text, model text," \
    "        temperature numeric, structured_output boolean," \
    "        response_content text," \
    "        tool_calls json, prompt_tokens int, completion_tokens int," \
    "        total_tokens int, started_at timestamptz," \
    "        completed_at timestamptz, duration_ms int, error text," \
    "        prompt_sections json, shared_call int, shared_messages int," \
    "        cached_tokens int, reasoning_tokens int, cost bigint)" IF_THERE \
    ")," \
    " put_phase as (" \
    "  update runs r set phase = item.phase, revision = item.revision," \
    "      phase_after = item.phase_after," \
    "      tokens = coalesce(nullif(item.tokens, ''), r.tokens)" \
    "    from item where r.message_id = item.id and item.phase <> '')" \
    " select " WRITTEN_COLUMNS " from item"

const struct statement journal_write_statement = {
    .name = "journal.write",
    .urgent = true, /* every run waits for it */
    .sql = JOURNAL_WRITE(""),
};

/* What may have been written already, when the answer was lost. */
const struct statement journal_write_again_statement = {
    .name = "journal.write.again",
    .urgent = true,
    .sql = JOURNAL_WRITE("  on conflict do nothing"),
};

/* ---- pieces ------------------------------------------------------------- */

void pieces_add(struct journal_pieces *p, const char *kind, struct str body)
{
    if (p->n == p->cap) {
        p->cap = p->cap ? p->cap * 2 : 4;
        p->items = mem_resize(p->items, p->cap * sizeof *p->items);
    }
    struct journal_piece *piece = &p->items[p->n++];
    *piece = (struct journal_piece){.at = p->bytes.len, .len = body.len};
    snprintf(piece->kind, sizeof piece->kind, "%s", kind);
    buf_str(&p->bytes, body);
}

void pieces_add_trace(struct journal_pieces *p, struct str columns,
                      struct str prompt)
{
    buf_reserve(&p->bytes, columns.len + prompt.len);
    pieces_add(p, "", columns);
    p->items[p->n - 1].prompt = prompt.len;
    buf_str(&p->bytes, prompt);
}

void pieces_put(struct journal_pieces *p, const char *kind, struct str body)
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

void pieces_done(struct journal_pieces *p)
{
    mem_free(p->items);
    buf_done(&p->bytes);
    *p = (struct journal_pieces){0};
}

/* ---- batch -------------------------------------------------------------- */

void batch_clear(struct journal_batch *b)
{
    b->n = b->n_pieces = b->from = b->to = 0;
    b->again = false;
    b->query = NULL;
    if (b->blob.cap > 256 * 1024)
        buf_done(&b->blob); /* the memory of a burst */
    buf_clear(&b->blob);
}

void batch_done(struct journal_batch *b)
{
    buf_done(&b->blob);
    mem_free(b->items);
    mem_free(b->pieces);
    *b = (struct journal_batch){0};
}

static struct batch_item *batch_item_new(struct journal_batch *b)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 16;
        b->items = mem_resize(b->items, b->cap * sizeof *b->items);
    }
    return &b->items[b->n++];
}

static void add_pieces(struct journal_batch *b, struct journal_pieces *p)
{
    size_t most = b->n_pieces + p->n;
    if (most > b->cap_pieces) {
        b->cap_pieces = most * 2;
        b->pieces = mem_resize(b->pieces, b->cap_pieces * sizeof *b->pieces);
    }
    for (size_t i = 0; i < p->n; i++) {
        struct journal_piece *piece = &b->pieces[b->n_pieces++];
        *piece = p->items[i];
        piece->at += b->blob.len;
    }
    buf_str(&b->blob, buf_view(&p->bytes));
    pieces_done(p);
}

size_t entry_pending(const struct journal_entry *e)
{
    return e->frames.len + e->artifacts.bytes.len + e->traces.bytes.len;
}

void batch_add(struct journal_batch *b, struct journal_entry *e)
{
    struct batch_item *item = batch_item_new(b);
    *item =
        (struct batch_item){.entry = e,
                            .first = e->first,
                            .last = e->next - 1,
                            .ticket = e->ticket,
                            .begin = b->blob.len,
                            .at = b->blob.len,
                            .len = e->frames.len,
                            .piece = b->n_pieces,
                            .phase = e->phase_dirty ? phase_word(e->phase) : "",
                            .revision = e->revision,
                            .phase_after = e->phase_after};
    buf_str(&b->blob, buf_view(&e->frames));
    buf_done(&e->frames);
    add_pieces(b, &e->artifacts);
    add_pieces(b, &e->traces);
    item->n_pieces = b->n_pieces - item->piece;
    item->end = b->blob.len;
    e->first = e->next;
    e->phase_dirty = false;
    e->flying = true;
    b->to = b->n;
}

bool batch_halve(struct journal_batch *b)
{
    if (b->to - b->from < 2)
        return false;
    b->to = b->from + (b->to - b->from) / 2;
    return true;
}

bool batch_advance(struct journal_batch *b)
{
    b->from = b->to;
    b->to = b->n;
    if (b->from < b->n)
        return true;
    batch_clear(b);
    return false;
}

/* ---- parameters: array literals, one element an item or piece ----------- */

enum array {
    IDS,
    EPOCHS,
    FIRSTS,
    LASTS,
    ATS,
    LENS,
    PHASES,
    REVISIONS,
    AFTERS,
    ARTIFACT_ITEMS,
    ARTIFACT_KINDS,
    ARTIFACT_ATS,
    ARTIFACT_LENS,
    TRACE_ITEMS,
    TRACE_ATS,
    TRACE_LENS,
    PROMPT_LENS,
    TOKENS,
    ARRAYS
};

static void array_separate(struct buf *array)
{
    if (array->len > 1)
        buf_char(array, ',');
}

static void array_put_number(struct buf *array, int64_t n)
{
    array_separate(array);
    buf_int(array, n);
}

static void array_put_word(struct buf *array, const char *text)
{
    array_separate(array);
    buf_char(array, '"');
    buf_text(array, text); /* one of our words: nothing to escape */
    buf_char(array, '"');
}

/* SQL counts items and bytes from 1; `base` is the offset of the window's
 * text. */
static void put_pieces(struct buf *a, const struct journal_batch *b,
                       const struct batch_item *item, int64_t n, size_t base)
{
    for (size_t i = 0; i < item->n_pieces; i++) {
        const struct journal_piece *p = &b->pieces[item->piece + i];
        bool trace = !p->kind[0];
        array_put_number(&a[trace ? TRACE_ITEMS : ARTIFACT_ITEMS], n);
        if (!trace)
            array_put_word(&a[ARTIFACT_KINDS], p->kind);
        array_put_number(&a[trace ? TRACE_ATS : ARTIFACT_ATS],
                         (int64_t)(p->at - base + 1));
        array_put_number(&a[trace ? TRACE_LENS : ARTIFACT_LENS],
                         (int64_t)p->len);
        if (trace)
            array_put_number(&a[PROMPT_LENS], (int64_t)p->prompt);
    }
}

static void put_item(struct buf *a, const struct journal_batch *b,
                     const struct batch_item *item, int64_t n, size_t base)
{
    array_put_word(&a[IDS], item->entry->message_id);
    array_put_number(&a[EPOCHS], item->entry->epoch);
    array_put_number(&a[FIRSTS], item->first);
    array_put_number(&a[LASTS], item->last);
    array_put_number(&a[ATS], (int64_t)(item->at - base + 1));
    array_put_number(&a[LENS], (int64_t)item->len);
    array_put_word(&a[PHASES], item->phase);
    array_put_number(&a[REVISIONS], item->revision);
    array_put_number(&a[AFTERS], item->phase_after);
    array_put_word(&a[TOKENS], item->entry->tokens);
    put_pieces(a, b, item, n, base);
}

void batch_params(struct journal_batch *b, struct flow *f, struct query *q)
{
    struct buf *arrays = arena_new_array(flow_here(f), struct buf, ARRAYS);
    size_t base = b->items[b->from].begin, end = b->items[b->to - 1].end;
    buf_cstr(&b->blob);
    for (int i = 0; i < ARRAYS; i++) {
        buf_init(&arrays[i], flow_here(f));
        buf_char(&arrays[i], '{');
    }
    for (size_t i = b->from; i < b->to; i++) {
        struct batch_item *item = &b->items[i];
        put_item(arrays, b, item, (int64_t)(i - b->from + 1), base);
        item->frames = str_cut(buf_view(&b->blob), item->at, item->len);
    }
    if (end > base) /* not copied: it stays until the answer */
        query_bytes(q, str_cut(buf_view(&b->blob), base, end - base));
    else
        query_text(q, "");
    for (int i = 0; i < ARRAYS; i++) {
        buf_char(&arrays[i], '}');
        query_text(q, buf_cstr(&arrays[i]));
    }
}

/* ---- large events ------------------------------------------------------- */

static json_t *deferred(const json_t *v)
{
    struct buf text;
    buf_init(&text, NULL);
    json_print_into(&text, v);
    json_t *mark =
        json_pack("{s:b,s:I}", "deferred", 1, "bytes", (json_int_t)text.len);
    buf_done(&text);
    return mark;
}

static bool is_deferrable(const char *key)
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
        if (is_deferrable(key) && !json_is_null(child))
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
