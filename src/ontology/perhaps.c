/* perhaps.c - guesses a join from names and datatypes; see perhaps.h. */
#include "ontology/perhaps.h"
#include "base/map.h"
#include "sql_name.h"
#include "words.h"
#include "base/banned.h"

enum {
    WORTH_LABEL = 1,
    WORTH_TIME,
    WORTH_ROLE,
    WORTH_REFERENCE,
    WORTH_NAMED,
    WORTH_KEY
};

/* A text equals a text, a number a number; unknown fits both. */
static bool datatypes_fit(struct str a, struct str b)
{
    static const char *const kinds[][6] = {
        {"int", "bigint", "smallint", "serial", NULL},
        {"str", "text", "varchar", "char", "uuid", NULL},
        {"date", NULL},
        {"time", NULL},
        {"dec", "num", "float", "double", "real", NULL},
        {"bool", NULL}};
    size_t of[2] = {0, 0};
    struct str names[] = {a, b};
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (const char *const *p = kinds[k]; *p; p++)
                if (str_eq_nocase(str_cut(names[side], 0, strlen(*p)),
                                  str_of(*p)))
                    of[side] = k + 1;
    return !of[0] || !of[1] || of[0] == of[1];
}

static bool is_only_key(const struct dataset *d, struct str column)
{
    if (d->primary_key.n == 1 && str_eq_nocase(d->primary_key.items[0], column))
        return true;
    for (size_t i = 0; i < d->n_unique_keys; i++)
        if (d->unique_keys[i].n == 1 &&
            str_eq_nocase(d->unique_keys[i].items[0], column))
            return true;
    return false;
}

/* "customer_id", also "pid" and "aid", where the letters run together. */
static bool is_reference(const struct name_words *w, struct str column)
{
    return (w->n > 1 && word_refers(w->items[w->n - 1])) ||
           (w->n == 1 && column.len > 2 && column.len < 12 &&
            (str_ends(column, STR("id")) || str_ends(column, STR("ID"))));
}

static bool says_little(const struct name_words *w)
{
    static const char *const plain[] = {
        "id",      "key",      "code",    "name",        "title",    "type",
        "kind",    "status",   "state",   "description", "note",     "notes",
        "comment", "created",  "updated", "deleted",     "modified", "value",
        "amount",  "quantity", "price",   "total",       "count",    "number",
        "active",  "enabled",  "label",   "position",    "rank",     "url",
        "address", "phone",    "flag",    "version",     NULL};
    return !w->n || word_among(w->items[0], plain) ||
           word_among(w->items[w->n - 1], plain);
}

/* The model already says to what this column refers. */
static bool is_related(const struct ontology *o, size_t dataset,
                       struct str column)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        for (size_t c = 0; r->from == dataset && c < r->from_columns.n; c++)
            if (str_eq_nocase(r->from_columns.items[c], column))
                return true;
    }
    return false;
}

struct search {
    struct arena *arena;
    const struct ontology *o;
    struct perhaps_join *out;
    int worth; /* of what was found so far */
};

static void offer(struct search *s, int worth, size_t from, size_t to,
                  struct str from_column, struct str to_column)
{
    if (worth <= s->worth)
        return;
    s->worth = worth;
    *s->out = (struct perhaps_join){from, to, from_column, to_column};
}

/* Columns of `from` that are named after `to` and its key. */
static void search_named(struct search *s, size_t from, size_t to)
{
    const struct dataset *f = &s->o->datasets[from], *t = &s->o->datasets[to];
    struct name_words key, dataset = name_words(s->arena, t->name);
    if (t->primary_key.n != 1 || !dataset.n)
        return;
    key = name_words(s->arena, t->primary_key.items[0]);
    struct str noun = name_joined(s->arena, &dataset, 0, dataset.n);
    for (size_t i = 0; i < f->n_fields; i++) {
        const struct field *field = &f->fields[i];
        struct name_words w = name_words(s->arena, field->column);
        bool named = w.n > 1 && word_refers(w.items[w.n - 1]) && key.n &&
                     str_eq(name_joined(s->arena, &w, 0, w.n - 1), noun);
        if (named && !is_related(s->o, from, field->column))
            offer(s, WORTH_NAMED, from, to, field->column,
                  t->primary_key.items[0]);
    }
}

static const struct field *field_of(const struct dataset *d, struct str column)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq_nocase(d->fields[i].column, column))
            return &d->fields[i];
    return NULL;
}

/* "requester_id", "id_director", "reviewed_by": it refers, but does not say to
 * what. A number or a code may be the row's own. */
static bool is_role(const struct name_words *w)
{
    static const char *const ends[] = {"id",  "uid", "uuid", "guid", "ref",
                                       "key", "sk",  "by",   "to",   NULL};
    return w->n > 1 &&
           (word_among(w->items[w->n - 1], ends) || str_is(w->items[0], "id"));
}

/* The column is named after a dataset. */
static bool names_dataset(struct search *s, const struct name_words *w)
{
    for (size_t i = 0; i < s->o->n_datasets; i++) {
        struct name_words of = name_words(s->arena, s->o->datasets[i].name);
        struct str last = of.n ? of.one[of.n - 1] : STR("");
        for (size_t k = 0; k < w->n; k++)
            if (!word_refers(w->items[k]) && str_eq(w->one[k], last))
                return true;
    }
    return false;
}

/* Columns of `from` that refer to something that their name does not say:
 * perhaps to a row of `to`, in a role or as one of several tables
 * (commentable_id with commentable_type). */
static void search_role(struct search *s, size_t from, size_t to)
{
    const struct dataset *f = &s->o->datasets[from], *t = &s->o->datasets[to];
    const struct field *key =
        t->primary_key.n == 1 ? field_of(t, t->primary_key.items[0]) : NULL;
    for (size_t i = 0; key && i < f->n_fields; i++) {
        const struct field *field = &f->fields[i];
        struct name_words w = name_words(s->arena, field->column);
        bool told = !field->datatype.len == !key->datatype.len;
        if (is_role(&w) && told &&
            datatypes_fit(field->datatype, key->datatype) &&
            !is_only_key(f, field->column) &&
            !is_related(s->o, from, field->column) && !names_dataset(s, &w))
            offer(s, WORTH_ROLE, from, to, field->column, key->column);
    }
}

static int worth_of(struct search *s, size_t a, size_t b, const struct field *x,
                    const struct field *y)
{
    const struct dataset *da = &s->o->datasets[a], *db = &s->o->datasets[b];
    struct name_words w = name_words(s->arena, x->column);
    bool refers = is_reference(&w, x->column);
    if (!datatypes_fit(x->datatype, y->datatype))
        return 0;
    if (refers && (is_only_key(da, x->column) || is_only_key(db, y->column)))
        return WORTH_KEY;
    if (refers)
        return WORTH_REFERENCE;
    if (says_little(&w))
        return 0;
    return x->is_time && y->is_time ? WORTH_TIME : WORTH_LABEL;
}

static void search_equal(struct search *s, size_t a, size_t b)
{
    const struct dataset *da = &s->o->datasets[a], *db = &s->o->datasets[b];
    struct map names;
    map_init(&names, s->arena);
    for (size_t i = 0; i < db->n_fields; i++)
        if (db->fields[i].column.len)
            map_put(&names, sql_fold(s->arena, db->fields[i].column),
                    &db->fields[i]);
    for (size_t i = 0; i < da->n_fields; i++) {
        const struct field *x = &da->fields[i];
        const struct field *y =
            x->column.len ? map_get(&names, sql_fold(s->arena, x->column))
                          : NULL;
        if (!y)
            continue;
        bool turned = is_only_key(da, x->column);
        offer(s, worth_of(s, a, b, x, y), turned ? b : a, turned ? a : b,
              turned ? y->column : x->column, turned ? x->column : y->column);
    }
}

bool ontology_perhaps_join(struct arena *arena, const struct ontology *o,
                           size_t a, size_t b, struct perhaps_join *out)
{
    struct search s = {.arena = arena, .o = o, .out = out};
    search_equal(&s, a, b);
    search_named(&s, a, b);
    search_named(&s, b, a);
    search_role(&s, a, b);
    search_role(&s, b, a);
    return s.worth > 0;
}
