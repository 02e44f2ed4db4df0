/* model_changes.c - see ontology/model_changes.h. Parts of the two models are
 * the same if they have the same name. */
#include "ontology/model_changes.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { SHOWN_TEXT = 60 };

struct changes {
    struct arena *arena;
    struct str_list out;
    size_t others;
};

__attribute__((format(printf, 2, 3))) static void
note_change(struct changes *c, const char *format, ...)
{
    if (c->out.n == CHANGES_MOST - 1) {
        c->others++;
        return;
    }
    va_list args;
    va_start(args, format);
    c->out.items[c->out.n++] = arena_vprintf(c->arena, format, args);
    va_end(args);
}

static bool is_short(struct str s)
{
    return utf8_count(s) <= SHOWN_TEXT && str_find_char(s, '\n') < 0;
}

/* "Label of orders: "a" is now "b""; long texts only "changed". */
static void compare_text(struct changes *c, const char *what, struct str of,
                         struct str before, struct str after)
{
    if (str_eq(before, after))
        return;
    if (!is_short(before) || !is_short(after))
        note_change(c, "%s of %.*s changed", what, STR_ARG(of));
    else if (!before.len)
        note_change(c, "%s of %.*s: \"%.*s\"", what, STR_ARG(of),
                    STR_ARG(after));
    else if (!after.len)
        note_change(c, "%s of %.*s removed, it was \"%.*s\"", what, STR_ARG(of),
                    STR_ARG(before));
    else
        note_change(c, "%s of %.*s: \"%.*s\" is now \"%.*s\"", what,
                    STR_ARG(of), STR_ARG(before), STR_ARG(after));
}

static struct str joined(struct arena *arena, struct str_list list)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < list.n; i++)
        buf_printf(&out, "%s%.*s", i ? ", " : "", STR_ARG(list.items[i]));
    return buf_view(&out);
}

static void compare_list(struct changes *c, const char *what, struct str of,
                         struct str_list before, struct str_list after)
{
    compare_text(c, what, of, joined(c->arena, before),
                 joined(c->arena, after));
}

static void compare_hints(struct changes *c, struct str of,
                          const struct hints *before, const struct hints *after)
{
    compare_text(c, "Instructions", of, before->instructions,
                 after->instructions);
    compare_list(c, "Synonyms", of, before->synonyms, after->synonyms);
    compare_list(c, "Examples", of, before->examples, after->examples);
}

static void compare_hidden(struct changes *c, struct str of, bool before,
                           bool after)
{
    if (before != after)
        note_change(c, after ? "%.*s is hidden" : "%.*s is shown again",
                    STR_ARG(of));
}

static void compare_required(struct changes *c, struct str of, bool before,
                             bool after)
{
    if (before != after)
        note_change(c, after ? "%.*s is required" : "%.*s may be NULL",
                    STR_ARG(of));
}

/* ---- the parts ------------------------------------------------------------ */

static void compare_fields(struct changes *c, struct str of,
                           const struct field *a, const struct field *b)
{
    compare_text(c, "Label", of, a->label, b->label);
    compare_text(c, "Description", of, a->description, b->description);
    compare_text(c, "Expression", of, a->expression, b->expression);
    compare_text(c, "Datatype", of, a->datatype, b->datatype);
    compare_hints(c, of, &a->hints, &b->hints);
    compare_hidden(c, of, a->hidden, b->hidden);
    compare_required(c, of, a->required, b->required);
}

static const struct field *field_named(const struct dataset *d, struct str name)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq(d->fields[i].name, name))
            return &d->fields[i];
    return NULL;
}

static struct str field_path(struct changes *c, const struct dataset *d,
                             const struct field *f)
{
    return arena_printf(c->arena, "%.*s.%.*s", STR_ARG(d->name),
                        STR_ARG(f->name));
}

static void compare_datasets(struct changes *c, const struct dataset *a,
                             const struct dataset *b)
{
    compare_text(c, "Label", b->name, a->label, b->label);
    compare_text(c, "Description", b->name, a->description, b->description);
    compare_text(c, "Source", b->name, a->source, b->source);
    compare_list(c, "Primary key", b->name, a->primary_key, b->primary_key);
    compare_hints(c, b->name, &a->hints, &b->hints);
    compare_hidden(c, b->name, a->hidden, b->hidden);
    for (size_t i = 0; i < b->n_fields; i++) {
        const struct field *old = field_named(a, b->fields[i].name);
        struct str path = field_path(c, b, &b->fields[i]);
        if (old)
            compare_fields(c, path, old, &b->fields[i]);
        else
            note_change(c, "Field %.*s added", STR_ARG(path));
    }
    for (size_t i = 0; i < a->n_fields; i++)
        if (!field_named(b, a->fields[i].name))
            note_change(c, "Field %.*s removed",
                        STR_ARG(field_path(c, a, &a->fields[i])));
}

static const struct dataset *dataset_named(const struct ontology *o,
                                           struct str name)
{
    for (size_t i = 0; i < o->n_datasets; i++)
        if (str_eq(o->datasets[i].name, name))
            return &o->datasets[i];
    return NULL;
}

static void compare_all_datasets(struct changes *c, const struct ontology *a,
                                 const struct ontology *b)
{
    for (size_t i = 0; i < b->n_datasets; i++) {
        const struct dataset *d = &b->datasets[i];
        const struct dataset *old = dataset_named(a, d->name);
        if (old)
            compare_datasets(c, old, d);
        else
            note_change(c, "Dataset %.*s added", STR_ARG(d->name));
    }
    for (size_t i = 0; i < a->n_datasets; i++)
        if (!dataset_named(b, a->datasets[i].name))
            note_change(c, "Dataset %.*s removed",
                        STR_ARG(a->datasets[i].name));
}

static const struct relationship *relationship_named(const struct ontology *o,
                                                     struct str name)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (str_eq(o->relationships[i].name, name))
            return &o->relationships[i];
    return NULL;
}

static struct str ends_of(struct changes *c, const struct ontology *o,
                          const struct relationship *r)
{
    return arena_printf(c->arena, "%.*s(%.*s) to %.*s(%.*s)",
                        STR_ARG(o->datasets[r->from].name),
                        STR_ARG(joined(c->arena, r->from_columns)),
                        STR_ARG(o->datasets[r->to].name),
                        STR_ARG(joined(c->arena, r->to_columns)));
}

static void compare_relationships(struct changes *c, const struct ontology *a,
                                  const struct ontology *b)
{
    for (size_t i = 0; i < b->n_relationships; i++) {
        const struct relationship *r = &b->relationships[i];
        const struct relationship *old = relationship_named(a, r->name);
        if (!old) {
            note_change(c, "Relationship %.*s added: %.*s", STR_ARG(r->name),
                        STR_ARG(ends_of(c, b, r)));
            continue;
        }
        compare_text(c, "Columns", r->name, ends_of(c, a, old),
                     ends_of(c, b, r));
        compare_text(c, "Description", r->name, old->description,
                     r->description);
        compare_hints(c, r->name, &old->hints, &r->hints);
    }
    for (size_t i = 0; i < a->n_relationships; i++)
        if (!relationship_named(b, a->relationships[i].name))
            note_change(c, "Relationship %.*s removed",
                        STR_ARG(a->relationships[i].name));
}

static const struct metric *metric_named(const struct ontology *o,
                                         struct str name)
{
    for (size_t i = 0; i < o->n_metrics; i++)
        if (str_eq(o->metrics[i].name, name))
            return &o->metrics[i];
    return NULL;
}

static void compare_metrics(struct changes *c, const struct ontology *a,
                            const struct ontology *b)
{
    for (size_t i = 0; i < b->n_metrics; i++) {
        const struct metric *m = &b->metrics[i];
        const struct metric *old = metric_named(a, m->name);
        if (!old) {
            note_change(c, "Metric %.*s added", STR_ARG(m->name));
            continue;
        }
        compare_text(c, "Label", m->name, old->label, m->label);
        compare_text(c, "Description", m->name, old->description,
                     m->description);
        compare_text(c, "Expression", m->name, old->expression, m->expression);
        compare_text(c, "Datatype", m->name, old->datatype, m->datatype);
        compare_hints(c, m->name, &old->hints, &m->hints);
    }
    for (size_t i = 0; i < a->n_metrics; i++)
        if (!metric_named(b, a->metrics[i].name))
            note_change(c, "Metric %.*s removed", STR_ARG(a->metrics[i].name));
}

struct str_list model_changes(struct arena *arena,
                              const struct ontology *before,
                              const struct ontology *after)
{
    struct changes c = {.arena = arena};
    struct str model = STR("the model");
    c.out.items = arena_new_array(arena, struct str, CHANGES_MOST);
    compare_text(&c, "Name", model, before->name, after->name);
    compare_text(&c, "Description", model, before->description,
                 after->description);
    compare_hints(&c, model, &before->hints, &after->hints);
    compare_all_datasets(&c, before, after);
    compare_relationships(&c, before, after);
    compare_metrics(&c, before, after);
    if (c.others)
        c.out.items[c.out.n++] =
            arena_printf(arena, "%zu other changes", c.others);
    return c.out;
}
