/* vocabulary.c - collects the phrases of an ontology into a map by their
 * key, and finds the longest phrase at a word. */
#include "vocabulary.h"
#include "base/buf.h"
#include "base/edit_distance.h"
#include "code.h"
#include "field.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "unit.h"
#include <string.h>
#include "base/banned.h"

enum { PHRASE_MOST_WORDS = 7, TYPO_BYTES = 5, TYPOS_MOST = 2 };

struct phrase {
    struct term *terms;
    size_t n, room;
};

/* ---- making ------------------------------------------------------------- */

/* Words of the grammar, which alone are never a name: "since January" is not about
 * customer_since. */
static const char stop_words[] =
    "a an and are as at by each for from in is it of on or per the to with i "
    "show top not no was all did do does are were has have had who what which "
    "how when where why that than can since until till before after during "
    "through between within over under above below but if into about against "
    "then";

static void phrase_add(struct vocabulary *v, struct str phrase,
                       struct term term)
{
    struct str key = words_key(v->arena, phrase);
    if (!key.len || list_has(stop_words, str_trim(phrase)))
        return;
    struct phrase *known = map_get(&v->phrases, key);
    if (!known) {
        known = arena_new(v->arena, struct phrase);
        map_put(&v->phrases, key, known);
    }
    for (size_t i = 0; i < known->n; i++) {
        struct term *old = &known->terms[i];
        if (!term_same(old, &term))
            continue;
        if (old->weight == WEIGHT_NAME && term.weight == WEIGHT_NAME &&
            term.kind == TERM_FIELD)
            old->weight = WEIGHT_TWICE;
        if (old->weight < term.weight)
            old->weight = term.weight;
        return;
    }
    if (known->n == known->room) {
        size_t room = known->room ? known->room * 2 : 2;
        struct term *more = arena_new_array(v->arena, struct term, room);
        if (known->n)
            memcpy(more, known->terms, known->n * sizeof *more);
        known->terms = more;
        known->room = room;
    }
    known->terms[known->n++] = term;
}

static void synonyms_add(struct vocabulary *v, const struct hints *hints,
                         struct term term)
{
    term.weight = WEIGHT_NAME;
    for (size_t i = 0; i < hints->synonyms.n; i++)
        phrase_add(v, hints->synonyms.items[i], term);
}

static struct str parts_joined(struct arena *arena, const struct str *parts,
                               size_t n)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(&out, ' ');
        buf_str(&out, parts[i]);
    }
    return buf_view(&out);
}

static struct str name_in_full(struct arena *arena, struct str name)
{
    struct str words[12];
    size_t n = full_words(arena, name, words, 12);
    return parts_joined(arena, words, n);
}

/* The phrase, and the phrase in full words where it has short forms. */
static void name_add(struct vocabulary *v, struct str name, struct term term)
{
    struct str full = name_in_full(v->arena, name);
    phrase_add(v, name, term);
    if (!str_eq(words_key(v->arena, full), words_key(v->arena, name)))
        phrase_add(v, full, term);
}

/* The first part of a name that most fields of the dataset share: "c" of
 * "c_name". */
static struct str common_prefix(struct arena *arena, const struct dataset *d)
{
    struct str best = {NULL, 0};
    size_t most = 0;
    for (size_t i = 0; i < d->n_fields && i < 8; i++) {
        struct str parts[2], prefix;
        size_t n = 0;
        if (full_words(arena, d->fields[i].name, parts, 2) < 2)
            continue;
        prefix = parts[0];
        for (size_t j = 0; j < d->n_fields; j++)
            n += full_words(arena, d->fields[j].name, parts, 2) == 2 &&
                 str_eq(parts[0], prefix);
        if (n > most) {
            most = n;
            best = prefix;
        }
    }
    return d->n_fields >= 3 && most * 3 > d->n_fields * 2 ? best : STR("");
}

/* "ref" of referees whose key is ref_id: their fields' names may begin with it. */
static struct str key_prefix(struct arena *arena, const struct dataset *d)
{
    static const char keys[] = "id key code number uuid";
    struct str parts[3];
    struct str own = name_in_full(arena, d->name);
    if (d->primary_key.n == 1 &&
        full_words(arena, d->primary_key.items[0], parts, 3) == 2 &&
        list_has(keys, parts[1]) &&
        str_eq(str_cut(own, 0, parts[0].len), parts[0]))
        return parts[0];
    return STR("");
}

/* A last part that adds nothing: category_name, item_desc. */
static bool is_tail(struct str part)
{
    static const char tails[] = "name desc description title code label";
    return list_has(tails, part);
}

/* How many of the first parts of a field's name only say whose it is. */
static size_t own_parts(struct vocabulary *v, const struct dataset *d,
                        struct str prefix, const struct str *parts, size_t n)
{
    struct str own = words_key(v->arena, name_in_full(v->arena, d->name));
    struct str key = key_prefix(v->arena, d);
    size_t skip = 0;
    if (n > 1 && ((prefix.len && str_eq(parts[0], prefix)) ||
                  (key.len && str_eq(parts[0], key))))
        skip = 1;
    for (size_t i = 1; i < n && !skip; i++)
        if (str_eq(words_key(v->arena, parts_joined(v->arena, parts, i)), own))
            skip = i;
    return skip;
}

static void short_forms_add(struct vocabulary *v, const struct dataset *d,
                            struct str prefix, const struct field *field,
                            struct term term)
{
    struct str parts[12];
    size_t n = full_words(v->arena, field->name, parts, 12);
    size_t skip = own_parts(v, d, prefix, parts, n);
    struct str rest = parts_joined(v->arena, parts + skip, n - skip);
    term.weight = WEIGHT_SHORT;
    if (skip)
        phrase_add(v, rest, term);
    phrase_add(
        v, arena_printf(v->arena, "%.*s %.*s", STR_ARG(d->name), STR_ARG(rest)),
        term);
    bool flag = n - skip > 1 && field_is_flag(field);
    if (flag && flag_prefix(parts[skip]))
        phrase_add(v, parts_joined(v->arena, parts + skip + 1, n - skip - 1),
                   term);
    if (flag && flag_suffix(parts[n - 1]))
        phrase_add(v, parts_joined(v->arena, parts + skip, n - skip - 1), term);
    term.weight = WEIGHT_TRUNCATED;
    if (n - skip > 1 && is_tail(parts[n - 1]))
        phrase_add(v, parts_joined(v->arena, parts + skip, n - skip - 1), term);
}

/* A name of columns that people call otherwise: "first name" of given_name. */
static void other_name_add(struct vocabulary *v, struct str name,
                           struct term term)
{
    static const char *const names[][2] = {
        {"given name", "first name"},    {"forename", "first name"},
        {"surname", "last name"},        {"family name", "last name"},
        {"birth date", "date of birth"}, {"date of birth", "birth date"},
        {"phone", "phone number"},       {"telephone", "phone number"},
        {"email", "email address"},      {"e mail", "email address"}};
    term.weight = WEIGHT_SHORT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name, str_of(names[i][0])))
            phrase_add(v, str_of(names[i][1]), term);
}

static void field_add(struct vocabulary *v, size_t dataset, struct str prefix,
                      size_t index)
{
    const struct dataset *d = &v->ontology->datasets[dataset];
    const struct field *field = &d->fields[index];
    struct term term = {TERM_FIELD, WEIGHT_NAME, dataset, index};
    name_add(v, field->name, term);
    phrase_add(v, field->label, term);
    synonyms_add(v, &field->hints, term);
    short_forms_add(v, d, prefix, field, term);
    term.weight = WEIGHT_SHORT;
    phrase_add(v,
               arena_printf(v->arena, "%.*s %.*s", STR_ARG(d->name),
                            STR_ARG(name_in_full(v->arena, field->name))),
               term);
    term.weight = WEIGHT_NAME;
    other_name_add(v, name_in_full(v->arena, field->name), term);
    if (field->label.len) {
        term.weight = WEIGHT_SHORT;
        phrase_add(v,
                   arena_printf(v->arena, "%.*s %.*s", STR_ARG(d->name),
                                STR_ARG(field->label)),
                   term);
    }
}

static void dataset_add(struct vocabulary *v, size_t index)
{
    const struct dataset *d = &v->ontology->datasets[index];
    struct term term = {TERM_DATASET, WEIGHT_NAME, index, index};
    name_add(v, d->name, term);
    phrase_add(v, d->label, term);
    synonyms_add(v, &d->hints, term);
    term.weight = WEIGHT_TABLE;
    phrase_add(v, d->table, term);
    struct str prefix = common_prefix(v->arena, d);
    for (size_t i = 0; i < d->n_fields; i++)
        field_add(v, index, prefix, i);
}

/* The last word of a dataset's name of several, in the singular; empty: it says
 * nothing by itself. */
static struct str dataset_head(struct vocabulary *v, const struct dataset *d)
{
    static const char general[] =
        "item line detail entry record row type kind status category group "
        "history log info information data datum stat statistic list link map "
        "mapping master table value sale revenue cost spend budget stock "
        "inventory price rate usage traffic order";
    struct str words[12];
    size_t n = full_words(v->arena, d->name, words, 12);
    struct str head = n > 1 ? word_stem(v->arena, words[n - 1]) : STR("");
    return list_has(general, head) ? STR("") : head;
}

/* Nothing else is called so, or only what names the dataset's rows: rep_name. */
static bool head_is_free(struct vocabulary *v, size_t dataset, struct str head)
{
    struct choice known = vocabulary_find(v, head);
    for (size_t i = 0; i < known.n; i++)
        if (known.terms[i].kind != TERM_FIELD ||
            known.terms[i].dataset != dataset ||
            known.terms[i].index !=
                dataset_label(&v->ontology->datasets[dataset]))
            return false;
    return head.len > 0;
}

/* "Reps" are the sales_reps, where nothing else is called so. */
static void heads_add(struct vocabulary *v)
{
    const struct ontology *o = v->ontology;
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct str head = dataset_head(v, &o->datasets[i]);
        bool free = head_is_free(v, i, head);
        for (size_t j = 0; j < o->n_datasets && free; j++)
            free = j == i || !str_eq(dataset_head(v, &o->datasets[j]), head);
        if (free)
            phrase_add(v, head,
                       (struct term){TERM_DATASET, WEIGHT_SHORT, i, i});
    }
}

/* "Rows" are those of the only dataset, unless something has that name. */
const char rows_words[] = "row rows record records entry entries";

static void rows_add(struct vocabulary *v)
{
    struct str rest = str_of(rows_words), word;
    struct term term = {TERM_DATASET, WEIGHT_NAME, 0, 0};
    while (v->ontology->n_datasets == 1 && str_split(&rest, ' ', &word)) {
        struct choice known = vocabulary_find(v, word);
        if (!known.n || known.terms[0].kind == TERM_DATASET)
            phrase_add(v, word, term);
    }
}

static void metric_add(struct vocabulary *v, size_t index)
{
    const struct metric *metric = &v->ontology->metrics[index];
    struct term term = {TERM_METRIC, WEIGHT_NAME, SIZE_MAX, index};
    phrase_add(v, metric->name, term);
    phrase_add(v, metric->label, term);
    synonyms_add(v, &metric->hints, term);
    struct str parts[12];
    size_t n = name_parts(v->arena, metric->name, parts, 12);
    term.weight = WEIGHT_SHORT;
    if (n > 1 && str_is(parts[0], "total"))
        phrase_add(v, parts_joined(v->arena, parts + 1, n - 1), term);
    if (n > 1 && str_is(parts[n - 1], "count"))
        phrase_add(v,
                   arena_printf(v->arena, "number of %.*s",
                                STR_ARG(parts_joined(v->arena, parts, n - 1))),
                   term);
}

/* Where several relationships join two datasets, the words that tell them
 * apart: "origin" of flight_origin(origin_airport_id). */
static void roles_add(struct vocabulary *v, size_t index)
{
    const struct ontology *o = v->ontology;
    const struct relationship *r = &o->relationships[index];
    struct term term = {TERM_ROLE, WEIGHT_SHORT, r->to, index};
    bool parallel = false;
    for (size_t i = 0; i < o->n_relationships; i++)
        parallel =
            parallel || (i != index && o->relationships[i].from == r->from &&
                         o->relationships[i].to == r->to);
    if (!parallel)
        return;
    synonyms_add(v, &r->hints, term);
    for (size_t i = 0; i < r->from_columns.n; i++) {
        struct str parts[8];
        size_t n = name_parts(v->arena, r->from_columns.items[i], parts, 8);
        for (size_t j = 0; j < n; j++)
            if (parts[j].len > 2 && !vocabulary_find(v, parts[j]).n)
                phrase_add(v, parts[j], term);
    }
}

/* "joined" of join, "hired" of hire; of a word that is one already, itself. */
static struct str past_form(struct arena *arena, struct str verb)
{
    if (str_ends(verb, STR("ed")))
        return verb;
    return arena_printf(arena, "%.*s%s", STR_ARG(verb),
                        str_ends(verb, STR("e")) ? "d" : "ed");
}

/* "joined" of joined_on and join_date, when nothing else has that name. */
static void verbs_add(struct vocabulary *v, size_t dataset)
{
    static const char tails[] = "on at date time";
    const struct dataset *d = &v->ontology->datasets[dataset];
    for (size_t i = 0; i < d->n_fields; i++) {
        struct str parts[6];
        size_t n = full_words(v->arena, d->fields[i].name, parts, 6);
        struct term term = {TERM_FIELD, WEIGHT_TRUNCATED, dataset, i};
        if (n != 2 || !field_is_date(&d->fields[i]) ||
            !name_has(parts[1], tails))
            continue;
        const struct str forms[] = {parts[0], past_form(v->arena, parts[0])};
        for (size_t j = 0; j < 2; j++) {
            struct choice known = vocabulary_find(v, forms[j]);
            if (!known.n || known.terms[0].weight == WEIGHT_TRUNCATED)
                phrase_add(v, forms[j], term);
        }
    }
}

/* "Beds" of n_beds and no_of_beds. How many words; 0: the name says no number. */
static size_t numbered(struct arena *arena, const struct field *field,
                       struct str *words, size_t most)
{
    static const char leads[] = "n number";
    size_t n = full_words(arena, field->name, words, most);
    size_t skip = n && list_has(leads, words[0]) ? 1 : 0;
    skip += skip && n > 1 && str_is(words[1], "of");
    if (!skip || n <= skip || !field_is_number(field) ||
        str_eq(word_stem(arena, words[n - 1]), words[n - 1]))
        return 0;
    for (size_t i = skip; i < n; i++)
        words[i - skip] = words[i];
    return n - skip;
}

/* The short name of a number: "weight" of weight_kg, "beds" of n_beds. Empty when
 * it has none. */
static struct str number_name(struct vocabulary *v, const struct dataset *d,
                              const struct field *field)
{
    struct str words[12];
    size_t n = unit_less(v->arena, field, words, 12);
    if (!n)
        n = numbered(v->arena, field, words, 12);
    size_t skip = own_parts(v, d, STR(""), words, n);
    return parts_joined(v->arena, words + skip, n - skip);
}

/* The name means nothing else: no dataset, no metric and no other number. */
static bool is_free(struct vocabulary *v, size_t dataset, size_t field,
                    struct str name)
{
    const struct dataset *d = &v->ontology->datasets[dataset];
    struct choice known = vocabulary_find(v, name);
    struct str key = words_key(v->arena, name);
    for (size_t i = 0; i < known.n; i++)
        if (known.terms[i].kind != TERM_FIELD ||
            (known.terms[i].dataset == dataset &&
             known.terms[i].index != field))
            return false;
    for (size_t i = 0; i < d->n_fields; i++) {
        struct str other = number_name(v, d, &d->fields[i]);
        if (i != field && str_eq(words_key(v->arena, other), key))
            return false; /* weight_kg and weight_lb */
    }
    return key.len > 0;
}

static void numbers_add(struct vocabulary *v, size_t dataset)
{
    const struct dataset *d = &v->ontology->datasets[dataset];
    for (size_t i = 0; i < d->n_fields; i++) {
        struct term term = {TERM_FIELD, WEIGHT_NAME, dataset, i};
        struct str name = number_name(v, d, &d->fields[i]);
        if (!name.len || !is_free(v, dataset, i, name))
            continue;
        phrase_add(v, name, term);
        phrase_add(v,
                   arena_printf(v->arena, "%.*s %.*s", STR_ARG(d->name),
                                STR_ARG(name)),
                   term);
    }
}

void vocabulary_init(struct arena *arena, const struct ontology *ontology,
                     struct vocabulary *vocabulary)
{
    *vocabulary = (struct vocabulary){.arena = arena, .ontology = ontology};
    map_init(&vocabulary->phrases, arena);
    for (size_t i = 0; i < ontology->n_metrics; i++)
        metric_add(vocabulary, i);
    for (size_t i = 0; i < ontology->n_datasets; i++)
        dataset_add(vocabulary, i);
    for (size_t i = 0; i < ontology->n_relationships; i++)
        roles_add(vocabulary, i);
    for (size_t i = 0; i < ontology->n_datasets; i++)
        verbs_add(vocabulary, i);
    for (size_t i = 0; i < ontology->n_datasets; i++)
        numbers_add(vocabulary, i);
    heads_add(vocabulary);
    rows_add(vocabulary);
}

/* ---- asking ------------------------------------------------------------- */

static struct choice phrase_choice(const struct phrase *phrase)
{
    if (!phrase)
        return (struct choice){.n = 0};
    return (struct choice){.terms = phrase->terms, .n = phrase->n};
}

struct choice vocabulary_find(const struct vocabulary *v, struct str phrase)
{
    struct choice found =
        phrase_choice(map_get(&v->phrases, words_key(v->arena, phrase)));
    found.words = phrase;
    return found;
}

/* The field's name is exactly these words: line_total, "line total". */
static bool is_spelled(const struct vocabulary *v, const struct term *term,
                       struct str words)
{
    if (term->kind != TERM_FIELD)
        return false;
    struct str name =
        v->ontology->datasets[term->dataset].fields[term->index].name;
    bool same = name.len == words.len;
    for (size_t i = 0; i < name.len && same; i++) {
        char c = name.ptr[i] == '_' ? ' ' : name.ptr[i];
        same = str_eq_nocase((struct str){&c, 1}, str_cut(words, i, 1));
    }
    return same;
}

/* Where a dataset has both "engine" and "engines", only the field that is
 * spelled exactly as in the question stays. Terms of a dataset are
 * adjacent. */
static struct choice exact_spelling(const struct vocabulary *v,
                                    struct choice choice)
{
    struct choice left = choice;
    struct arena_mark mark = arena_mark(v->arena);
    size_t end;
    left.n = 0;
    left.terms = arena_new_array(v->arena, struct term, choice.n);
    for (size_t i = 0; i < choice.n; i = end) {
        bool spelled = false;
        for (end = i; end < choice.n &&
                      choice.terms[end].dataset == choice.terms[i].dataset;
             end++)
            spelled =
                spelled || is_spelled(v, &choice.terms[end], choice.words);
        for (size_t k = i; k < end; k++)
            if (!spelled || choice.terms[k].kind != TERM_FIELD ||
                is_spelled(v, &choice.terms[k], choice.words))
                left.terms[left.n++] = choice.terms[k];
    }
    if (left.n < choice.n)
        return left;
    arena_reset(v->arena, mark);
    return choice;
}

/* "Floors" are those of a building and no flat's floor, where both have a field of
 * that name. */
static struct choice exact_number(const struct vocabulary *v,
                                  struct choice choice)
{
    struct str words = choice.words;
    struct str other = str_ends(words, STR("s"))
                           ? str_cut(words, 0, words.len - 1)
                           : arena_printf(v->arena, "%.*ss", STR_ARG(words));
    struct choice left = choice;
    bool spelled = false;
    for (size_t i = 0; i < choice.n; i++)
        spelled = spelled || is_spelled(v, &choice.terms[i], words);
    if (!spelled)
        return choice;
    left.n = 0;
    left.terms = arena_new_array(v->arena, struct term, choice.n);
    for (size_t i = 0; i < choice.n; i++)
        if (!is_spelled(v, &choice.terms[i], other))
            left.terms[left.n++] = choice.terms[i];
    return left;
}

struct choice vocabulary_match(const struct vocabulary *v,
                               const struct question_words *words, size_t at)
{
    struct choice best = {.n = 0};
    struct buf key;
    buf_init(&key, v->arena);
    for (size_t n = 0; n < PHRASE_MOST_WORDS && at + n < words->n; n++) {
        const struct question_word *word = &words->items[at + n];
        if (word->kind != WORD_PLAIN && word->kind != WORD_NUMBER)
            break;
        buf_str(&key, word->stem);
        struct phrase *phrase = map_get(&v->phrases, buf_view(&key));
        if (phrase && (n || !word_in(word, stop_words))) {
            best = phrase_choice(phrase);
            best.n_words = n + 1;
        }
        if (word->owner)
            break;
    }
    best.words = words_span(words, at, at + best.n_words);
    return best.n > 1 ? exact_number(v, exact_spelling(v, best)) : best;
}

struct choice choice_one(struct arena *arena, struct term term,
                         struct str words, size_t n_words)
{
    struct term *terms = arena_new(arena, struct term);
    *terms = term;
    return (struct choice){terms, 1, words, n_words};
}

struct choice choice_of(struct arena *arena, struct choice all,
                        enum term_kind kind)
{
    struct choice some = {.words = all.words, .n_words = all.n_words};
    some.terms = arena_new_array(arena, struct term, all.n);
    for (size_t i = 0; i < all.n; i++)
        if (all.terms[i].kind == kind)
            some.terms[some.n++] = all.terms[i];
    return some;
}

bool term_same(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->index == b->index &&
           a->dataset == b->dataset;
}

bool choice_has(const struct choice *choice, enum term_kind kind)
{
    for (size_t i = 0; i < choice->n; i++)
        if (choice->terms[i].kind == kind)
            return true;
    return false;
}

static bool names_hold(const struct vocabulary *v, struct str name,
                       const struct hints *hints, struct str word)
{
    struct str parts[12];
    for (size_t s = 0; s <= hints->synonyms.n; s++) {
        struct str phrase = s ? hints->synonyms.items[s - 1] : name;
        size_t n = name_parts(v->arena, phrase, parts, 12);
        for (size_t i = 0; i < n; i++) {
            struct str stem = word_stem(v->arena, parts[i]);
            bool begins =
                word.len >= 4 && (str_starts(stem, word) ||
                                  (str_starts(word, stem) && stem.len >= 4));
            if (str_eq(stem, word) || begins)
                return true;
        }
    }
    return false;
}

struct str field_path(struct arena *arena, const struct ontology *ontology,
                      size_t dataset, size_t field)
{
    const struct dataset *d = &ontology->datasets[dataset];
    return arena_printf(arena, "%.*s.%.*s", STR_ARG(d->name),
                        STR_ARG(d->fields[field].name));
}

bool vocabulary_has_part(const struct vocabulary *v, size_t metric,
                         struct str word)
{
    const struct metric *m = &v->ontology->metrics[metric];
    return names_hold(v, m->name, &m->hints,
                      word_stem(v->arena, lower_case(v->arena, word)));
}

struct str_list vocabulary_near(const struct vocabulary *v, struct str word,
                                size_t most)
{
    const struct ontology *o = v->ontology;
    struct str_list near = {arena_new_array(v->arena, struct str, most), 0};
    struct str stem = word_stem(v->arena, lower_case(v->arena, word));
    for (size_t i = 0; i < o->n_metrics && near.n < most; i++)
        if (names_hold(v, o->metrics[i].name, &o->metrics[i].hints, stem))
            near.items[near.n++] = o->metrics[i].name;
    for (size_t i = 0; i < o->n_datasets && near.n < most; i++) {
        const struct dataset *d = &o->datasets[i];
        for (size_t j = 0; j < d->n_fields && near.n < most; j++)
            if (names_hold(v, d->fields[j].name, &d->fields[j].hints, stem))
                near.items[near.n++] = field_path(v->arena, o, i, j);
    }
    bool held = near.n > 0;
    for (size_t i = 0; i < o->n_metrics && !near.n && word.len >= TYPO_BYTES;
         i++)
        if (edit_distance(word, o->metrics[i].name) <= TYPOS_MOST)
            near.items[near.n++] = o->metrics[i].name;
    struct str_list spelt = {NULL, 0};
    if (!near.n)
        spelt = ontology_nearest_datasets(v->arena, o, word, most);
    for (size_t i = 0; i < spelt.n; i++)
        near.items[near.n++] = spelt.items[i];
    for (size_t i = 0; i < o->n_datasets && !held && !spelt.n && near.n < most;
         i++) {
        struct str_list columns =
            ontology_nearest_columns(v->arena, o, i, word, 1);
        if (columns.n)
            near.items[near.n++] = arena_printf(v->arena, "%.*s.%.*s",
                                                STR_ARG(o->datasets[i].name),
                                                STR_ARG(columns.items[0]));
    }
    return near;
}

struct str spoken(struct arena *arena, struct str name)
{
    struct str parts[12];
    size_t n = name_parts(arena, name, parts, 12);
    return parts_joined(arena, parts, n);
}

struct str singular(struct arena *arena, struct str name)
{
    static const char irregular[] = "movies cookies calories ties";
    struct str parts[12];
    size_t n = name_parts(arena, name, parts, 12);
    if (!n)
        return name;
    struct str *last = &parts[n - 1];
    struct str whole = *last;
    *last = word_stem(arena, whole);
    if (list_has(irregular, whole))
        *last = str_cut(whole, 0, whole.len - 1);
    if (!str_ends(whole, STR("s")))
        *last = whole;
    return parts_joined(arena, parts, n);
}
