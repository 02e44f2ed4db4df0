/* brief.c - an ontology in few words; see ontology/brief.h. */
#include "ontology/brief.h"
#include "base/one_line.h"
#include "known.h"
#include "ontology/text.h"
#include <string.h>
#include "base/banned.h"

/* ---- YAML --------------------------------------------------------------- */

/* Characters that need no quotes in a flow mapping. */
static bool is_plain(struct str s)
{
    static const char also[] = "_. ()/";
    bool word = s.len > 0 && s.ptr[0] != ' ' && s.ptr[s.len - 1] != ' ';
    bool letter = false;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        letter = letter || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        word = word && (str_is_alnum((char)c) || (c && strchr(also, c)));
    }
    return word && letter;
}

/* A text as a YAML scalar on one line. */
static void put_scalar(struct buf *out, struct str text, size_t most)
{
    struct buf line;
    buf_init(&line, out->arena);
    one_line_put(&line, text, most);
    struct str s = buf_view(&line);
    if (is_plain(s)) {
        buf_str(out, s);
    } else {
        buf_char(out, '"');
        for (size_t i = 0; i < s.len; i++) {
            if (s.ptr[i] == '"' || s.ptr[i] == '\\')
                buf_char(out, '\\');
            buf_char(out, s.ptr[i]);
        }
        buf_char(out, '"');
    }
    buf_done(&line);
}

/* `before` introduces the text; nothing is written for an empty one. */
static void put_key(struct buf *out, const char *before, struct str text,
                    size_t most)
{
    if (!str_trim(text).len)
        return;
    buf_text(out, before);
    put_scalar(out, str_trim(text), most);
}

static void put_list(struct buf *out, const char *before, struct str_list list,
                     size_t most)
{
    if (!list.n)
        return;
    buf_printf(out, "%s[", before);
    for (size_t i = 0; i < list.n && i < most; i++) {
        buf_text(out, i ? ", " : "");
        put_scalar(out, list.items[i], BRIEF_TEXT);
    }
    buf_text(out, list.n > most ? ", …]" : "]");
}

static void put_hints(struct buf *out, const struct hints *h, const char *also,
                      const char *note)
{
    put_list(out, also, h->synonyms, BRIEF_SYNONYMS);
    put_key(out, note, h->instructions, BRIEF_TEXT);
}

/* "Order ID" and order_id. */
static bool says_the_same(struct str label, struct str name)
{
    bool same = label.len == name.len;
    for (size_t i = 0; same && i < name.len; i++)
        same = (label.ptr[i] == ' ' && name.ptr[i] == '_') ||
               str_eq_nocase(str_cut(label, i, 1), str_cut(name, i, 1));
    return same;
}

/* The name of a field is its column unless an expression says otherwise. */
static void put_field(struct buf *out, const struct field *f)
{
    buf_text(out, "    - {name: ");
    put_scalar(out, f->name, BRIEF_TEXT);
    put_key(out, ", type: ", f->datatype, BRIEF_TEXT);
    if (!str_eq(f->expression, f->name))
        put_key(out, ", expression: ", f->expression, BRIEF_EXPRESSION);
    if (f->is_time)
        buf_text(out, ", time: true");
    if (!says_the_same(f->label, f->name))
        put_key(out, ", label: ", f->label, BRIEF_TEXT);
    put_key(out, ", description: ", f->description, BRIEF_TEXT);
    put_hints(out, &f->hints, ", also: ", ", note: ");
    buf_text(out, "}\n");
}

static void put_dataset(struct buf *out, const struct dataset *d)
{
    buf_text(out, "- name: ");
    put_scalar(out, d->name, BRIEF_TEXT);
    put_key(out, "\n  source: ", d->source, BRIEF_EXPRESSION);
    put_key(out, "\n  label: ", d->label, BRIEF_TEXT);
    put_key(out, "\n  description: ", d->description, BRIEF_TEXT);
    put_hints(out, &d->hints, "\n  also: ", "\n  note: ");
    put_list(out, "\n  primary_key: ", d->primary_key, SIZE_MAX);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        put_list(out, "\n  unique: ", d->unique_keys[i], SIZE_MAX);
    buf_text(out, "\n  fields:\n");
    for (size_t i = 0; i < d->n_fields; i++)
        put_field(out, &d->fields[i]);
}

/* ---- datasets within a budget ------------------------------------------- */

/* The bytes that each text may use. Those that need less leave the rest to the
 * others. Each turn settles one text at least. */
static size_t share_of(const struct str *texts, size_t n, size_t budget)
{
    size_t share = budget / n, before;
    do {
        size_t left = budget, over = 0;
        before = share;
        for (size_t i = 0; i < n; i++) {
            over += texts[i].len > share;
            left -= texts[i].len > share ? 0 : texts[i].len;
        }
        share = over ? left / over : SIZE_MAX;
    } while (share > before && share != SIZE_MAX);
    return share;
}

void brief_put_datasets(const struct ontology *o, const size_t *datasets,
                        size_t n, size_t budget, struct buf *out,
                        struct buf *shortened)
{
    struct str *texts = n ? arena_new_array(out->arena, struct str, n) : NULL;
    for (size_t i = 0; i < n; i++) {
        struct buf one;
        buf_init(&one, out->arena);
        put_dataset(&one, &o->datasets[datasets[i]]);
        texts[i] = buf_finish(&one);
    }
    size_t room = budget > n ? budget - n : 1;
    size_t share = budget && n ? share_of(texts, n, room) : SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        const struct dataset *d = &o->datasets[datasets[i]];
        if (texts[i].len <= share) {
            buf_str(out, texts[i]);
            continue;
        }
        dataset_digest(d, share ? share : 1, out);
        if (shortened)
            buf_printf(shortened, "%s%.*s", shortened->len ? ", " : "",
                       STR_ARG(d->name));
    }
}

/* ---- the model ---------------------------------------------------------- */

/* `before` ends the sentence that the text before it may have ended itself. */
static void put_note(struct buf *out, const char *before, struct str text,
                     size_t most)
{
    bool ended = out->len && out->ptr[out->len - 1] == '.';
    if (!str_trim(text).len)
        return;
    buf_text(out, ended && before[0] == '.' ? before + 1 : before);
    one_line_put(out, str_trim(text), most);
}

/* Instructions may have many lines; each stays a line of its own. */
static void put_instructions(struct buf *out, struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        put_note(out, out->len ? "\n- " : "- ", line, BRIEF_TEXT);
}

void brief_put_notes(const struct ontology *o, struct buf *out)
{
    put_note(out, "- ", o->description, BRIEF_TEXT);
    put_instructions(out, o->hints.instructions);
}

/* ---- relationships ------------------------------------------------------ */

/* "many to one": how many rows of `from` belong to one of `to`. */
static const char *relationship_cardinality(const struct ontology *o,
                                            const struct relationship *r)
{
    bool one = dataset_key_within(&o->datasets[r->from], r->from_columns);
    if (r->to_is_key)
        return one ? "one to one" : "many to one";
    return one ? "one to many" : "many to many";
}

void brief_put_relationship(const struct ontology *o,
                            const struct relationship *r, struct buf *out)
{
    buf_text(out, relationship_cardinality(o, r));
    put_note(out, ": ", r->description, BRIEF_TEXT);
    put_note(out, ". Note: ", r->hints.instructions, BRIEF_TEXT);
}

static bool contains(const size_t *datasets, size_t n, size_t dataset)
{
    for (size_t i = 0; i < n; i++)
        if (datasets[i] == dataset)
            return true;
    return n == 0;
}

static void put_columns(struct buf *out, struct str dataset,
                        struct str_list columns)
{
    bool many = columns.n > 1;
    one_line_put(out, dataset, BRIEF_TEXT);
    buf_text(out, many ? ".(" : ".");
    for (size_t i = 0; i < columns.n; i++) {
        buf_text(out, i ? ", " : "");
        one_line_put(out, columns.items[i], BRIEF_TEXT);
    }
    buf_text(out, many ? ")" : "");
}

void brief_put_relationships(const struct ontology *o, const size_t *datasets,
                             size_t n, struct buf *out)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (!contains(datasets, n, r->from) || !contains(datasets, n, r->to))
            continue;
        buf_text(out, "- ");
        put_columns(out, o->datasets[r->from].name, r->from_columns);
        buf_text(out, " -> ");
        put_columns(out, o->datasets[r->to].name, r->to_columns);
        buf_text(out, " (");
        one_line_put(out, r->name, BRIEF_TEXT);
        buf_text(out, "), ");
        brief_put_relationship(o, r, out);
        buf_char(out, '\n');
    }
}

/* ---- metrics ------------------------------------------------------------ */

static void put_metric(struct buf *out, const struct metric *m)
{
    buf_text(out, "- ");
    one_line_put(out, m->name, BRIEF_TEXT);
    put_note(out, ", label: ", m->label, BRIEF_TEXT);
    put_note(out, ": ", m->expression, BRIEF_EXPRESSION);
    put_note(out, ". ", m->description, BRIEF_TEXT);
    for (size_t i = 0; i < m->hints.synonyms.n && i < BRIEF_SYNONYMS; i++)
        put_note(out, i ? ", " : ". Also: ", m->hints.synonyms.items[i],
                 BRIEF_TEXT);
    put_note(out, ". Note: ", m->hints.instructions, BRIEF_TEXT);
    buf_char(out, '\n');
}

/* Every dataset of the metric is among them. */
static bool is_over(const struct metric *m, const size_t *datasets, size_t n)
{
    for (size_t i = 0; i < m->n_datasets; i++)
        if (!contains(datasets, n, m->datasets[i]))
            return false;
    return true;
}

void brief_put_metrics(const struct ontology *o, const size_t *datasets,
                       size_t n, struct buf *out)
{
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < o->n_metrics; i++) {
            bool first = is_over(&o->metrics[i], datasets, n);
            if (first == (turn == 0))
                put_metric(out, &o->metrics[i]);
        }
}
