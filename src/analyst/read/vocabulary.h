/* vocabulary.h - the phrases that name metrics, fields and datasets of an ontology.
 *
 * A phrase leads to terms. Names, labels and synonyms weigh most, and more when two
 * of them are the same phrase. A field's name weighs less without the prefix that
 * all fields of its dataset share ("c_city" as "city") or without its dataset's
 * name ("product_category" as "category"), and least without its last word
 * ("category_name" as "category"). */
#pragma once
#include "base/map.h"
#include "ontology/model.h"
#include "words.h"

enum term_kind { TERM_METRIC, TERM_FIELD, TERM_DATASET, TERM_ROLE };

enum term_weight {
    WEIGHT_TRUNCATED = 1,
    WEIGHT_SHORT = 2,
    WEIGHT_TABLE = 3,
    WEIGHT_NAME = 4,
    WEIGHT_TWICE = 5 /* its name and a synonym too */
};

struct term {
    enum term_kind kind;
    enum term_weight weight;
    size_t dataset;
    size_t index; /* of the metric, field or relationship */
};

/* What a phrase of the question may mean; n is 0 when nothing. */
struct choice {
    struct term *terms;
    size_t n;
    struct str words; /* as written */
    size_t n_words;
};

/* What rows are called, whatever they are about. */
extern const char rows_words[];

struct vocabulary {
    struct arena *arena;
    const struct ontology *ontology;
    struct map phrases; /* struct phrase by key */
};

/* Collects the phrases of an ontology. */
void vocabulary_init(struct arena *arena, const struct ontology *ontology,
                     struct vocabulary *vocabulary);

/* The longest phrase that begins at word `at`. */
struct choice vocabulary_match(const struct vocabulary *vocabulary,
                               const struct question_words *words, size_t at);
/* What a phrase given as text may mean. */
struct choice vocabulary_find(const struct vocabulary *vocabulary,
                              struct str phrase);
/* The term alone, which `words` name. */
struct choice choice_one(struct arena *arena, struct term term,
                         struct str words, size_t n_words);
/* Only the terms of one kind. */
struct choice choice_of(struct arena *arena, struct choice all,
                        enum term_kind kind);
/* Both name the same metric, field, dataset or relationship. */
bool term_same(const struct term *a, const struct term *b);
/* The choice has a term of that kind. */
bool choice_has(const struct choice *choice, enum term_kind kind);
/* The word resembles a part of the metric's name or of one of its synonyms. */
bool vocabulary_has_part(const struct vocabulary *v, size_t metric,
                         struct str word);

/* Up to `most` names that contain the word, else names that are spelled like it:
 * "revenue", "orders.channel". */
struct str_list vocabulary_near(const struct vocabulary *vocabulary,
                                struct str word, size_t most);

/* "orders.channel" */
struct str field_path(struct arena *arena, const struct ontology *ontology,
                      size_t dataset, size_t field);
/* The singular as people say it: "product" of "products". */
struct str singular(struct arena *arena, struct str name);
/* "order_items" as "order items". */
struct str spoken(struct arena *arena, struct str name);
